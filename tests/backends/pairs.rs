//! Loops over pairs of elements that meet in space, against all pairs in plain Rust.

mod cloud;
mod devices;
mod tables;

use crate::support::mesh::Nodes;
use crate::support::sample::Sample;
use crate::support::{Subject, on_every_backend, samples};
use cloud::{Cloud, Declared, PLAIN, clouds};
use op2::{ArgMin, Backend, Bounds, Config, Dat, Elem, Float, Isa, Op2, Pairs, Set, Strategy, Within, op_par_loop};

#[op2::device_fn]
fn weight(corners: &[[f64; 2]; 3], x: &[f64; 2], shift: [f64; 2]) -> f64 {
    let (dx, dy) = (corners[1][0] + shift[0] - x[0], corners[2][1] + shift[1] - x[1]);
    1.0 / (0.5 + dx * dx + dy * dy)
}

#[op2::kernel]
fn outside_adds(
    corners: &[[f64; 2]; 3],
    x: &[f64; 2],
    shift: [f64; 2],
    scale: &f64,
    sums: &mut [f64; 2],
    least: &mut i32,
    last: &mut u32,
    t: u32,
    f: usize,
    count: &mut u64,
    nearest: &mut ArgMin<f64, u32>,
) {
    let w = *scale * weight(corners, x, shift);
    sums[0] += w;
    sums[1] -= w * shift[0];
    *least = (*least).min(t as i32 - f as i32);
    *last += 1;
    *count += 1;
    nearest.update(w, t);
}

#[op2::kernel]
fn inside_adds(corners: &[[f64; 2]; 3], x: &[f64; 2], shift: [f64; 2], sum: &mut f64, most: &mut u32, f: u32) {
    *sum += weight(corners, x, shift);
    *most = (*most).max(f + 1);
}

type Outside = (Vec<[f64; 2]>, Vec<i32>, Vec<u32>, u64, f64);
type Inside = (Vec<f64>, Vec<u32>);

fn weighed(cloud: &Cloud) -> Vec<(usize, usize, [f64; 2], f64)> {
    let (triangles, points) = (cloud.triangles(), cloud.points());
    cloud.pairs().into_iter().map(|(f, t, shift)| (f, t, shift, weight(&triangles[f], &points[t], shift))).collect()
}

/// Expected sums with one side outside.
fn outside(cloud: &Cloud, size: usize, of: impl Fn(usize, usize) -> usize) -> Outside {
    let (mut sums, mut least, mut last) = (vec![[0.0; 2]; size], vec![7; size], vec![0; size]);
    let (mut count, mut nearest) = (0, f64::INFINITY);
    for (f, t, shift, w) in weighed(cloud) {
        let o = of(f, t);
        sums[o][0] += 2.0 * w;
        sums[o][1] -= 2.0 * w * shift[0];
        least[o] = least[o].min(t as i32 - f as i32);
        last[o] += 1;
        count += 1;
        nearest = nearest.min(2.0 * w);
    }
    (sums, least, last, count, nearest)
}

fn inside(cloud: &Cloud, size: usize, of: impl Fn(usize, usize) -> usize) -> Inside {
    let (mut sums, mut most) = (vec![0.0; size], vec![0; size]);
    for (f, t, _, w) in weighed(cloud) {
        let i = of(f, t);
        sums[i] += w;
        most[i] = most[i].max(f as u32 + 1);
    }
    (sums, most)
}

#[test]
fn elements_outside_sum_over_their_partners() {
    let expected = |cloud: &Cloud| (outside(cloud, cloud.from, |f, _| f), outside(cloud, cloud.to, |_, t| t));
    on_every_backend(&clouds(), expected, |op: &mut Subject, cloud| {
        let Declared { triangles, points, corners, x, near } = Declared::new(op, cloud)?;
        let scale = op.decl_global("scale", 2.0);
        let [counts, count] = [0, 1].map(|n| op.decl_global(&format!("count {n}"), 0_u64));
        let [nearest, nearest_to] = [0, 1].map(|n| op.decl_global(&format!("nearest {n}"), ArgMin::none()));
        let sums = op.decl_dat_filled("sums", triangles, [0.0; 2])?;
        let least = op.decl_dat_filled("least", triangles, 7)?;
        let last = op.decl_dat_filled("last", triangles, 0_u32)?;
        op_par_loop!(
            op,
            outside_adds,
            near,
            read(corners, from),
            read(x, to),
            shift(),
            gbl_read(scale),
            inc(sums, from),
            min(least, from),
            rw(last, from),
            idx(to),
            idx(from),
            gbl_inc(counts),
            gbl_min(nearest)
        )?;
        let best = op.get(nearest)?.best().map_or(f64::INFINITY, |(w, _)| w);
        let by_from = (op.fetch(sums)?, op.fetch(least)?, op.fetch(last)?, op.get(counts)?, best);
        let sums = op.decl_dat_filled("sums", points, [0.0; 2])?;
        let least = op.decl_dat_filled("least", points, 7)?;
        let last = op.decl_dat_filled("last", points, 0_u32)?;
        op_par_loop!(
            op,
            outside_adds,
            near.by_to(),
            read(corners, from),
            read(x, to),
            shift(),
            gbl_read(scale),
            inc(sums, to),
            min(least, to),
            rw(last, to),
            idx(to),
            idx(from),
            gbl_inc(count),
            gbl_min(nearest_to)
        )?;
        let best = op.get(nearest_to)?.best().map_or(f64::INFINITY, |(w, _)| w);
        Ok((by_from, (op.fetch(sums)?, op.fetch(least)?, op.fetch(last)?, op.get(count)?, best)))
    });
}

#[test]
fn elements_inside_take_contributions() {
    let expected = |cloud: &Cloud| (inside(cloud, cloud.to, |_, t| t), inside(cloud, cloud.from, |f, _| f));
    on_every_backend(&clouds(), expected, |op: &mut Subject, cloud| {
        let Declared { triangles, points, corners, x, near } = Declared::new(op, cloud)?;
        let (sum, most) = (op.decl_dat_filled("sum", points, 0.0)?, op.decl_dat_filled("most", points, 0)?);
        op_par_loop!(
            op,
            inside_adds,
            near,
            read(corners, from),
            read(x, to),
            shift(),
            inc(sum, to),
            max(most, to),
            idx(from)
        )?;
        let by_from = (op.fetch(sum)?, op.fetch(most)?);
        let (sum, most) = (op.decl_dat_filled("sum", triangles, 0.0)?, op.decl_dat_filled("most", triangles, 0)?);
        op_par_loop!(
            op,
            inside_adds,
            near.by_to(),
            read(corners, from),
            read(x, to),
            shift(),
            inc(sum, from),
            max(most, from),
            idx(from)
        )?;
        Ok((by_from, (op.fetch(sum)?, op.fetch(most)?)))
    });
}

#[op2::kernel]
fn gathered<F: Float, const N: usize>(
    x: &[F; 3],
    y: &[F; 3],
    far: [F; 3],
    q: &[F; N],
    w: Option<&F>,
    sums: &mut [F; N],
    other: Option<&mut F>,
    seen: &mut bool,
) {
    let d = [x[0] + far[0] - y[0], x[1] + far[1] - y[1], x[2] + far[2] - y[2]];
    let near = F::lit(1.0) / (F::lit(1.0) + d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
    let scale = if let Some(w) = w { near * *w } else { near };
    for (s, q) in sums.iter_mut().zip(q) {
        *s += scale * *q;
    }
    if let Some(other) = other {
        *other += near;
    }
    *seen |= d[0] * d[1] > d[2];
}

type InSpace<F> = (Vec<[F; 2]>, Vec<F>, Vec<[F; 2]>, Vec<bool>);

const PERIOD: [f64; 3] = [2.0, 2.5, 3.0];

fn in_space<F: Float + Sample + Into<f64>>(n: usize) -> InSpace<F> {
    let (x, q): (Vec<[F; 3]>, Vec<[F; 2]>) = (samples(n, 1), samples(n, 2));
    let w: Vec<F> = samples(n, 3);
    let (mut with, mut others, mut without, mut seen) =
        (vec![[F::lit(0.0); 2]; n], vec![F::lit(0.0); n], vec![[F::lit(0.0); 2]; n], vec![false; n]);
    let images = || -2..=2;
    for a in 0..n {
        for b in 0..n {
            let shifts = images().flat_map(|i| images().flat_map(move |j| images().map(move |k| [i, j, k])));
            for shift in shifts {
                let shift: [f64; 3] = std::array::from_fn(|c| f64::from(shift[c]) * PERIOD[c]);
                let at = |x: F| -> f64 { x.into() };
                if !(0..3).all(|c| {
                    let from = at(x[a][c]) + shift[c];
                    from - 0.75 <= at(x[b][c]) && at(x[b][c]) <= from + 0.75
                }) {
                    continue;
                }
                let d: [F; 3] = std::array::from_fn(|c| x[a][c] + F::lit(shift[c]) - x[b][c]);
                let near = F::lit(1.0) / (F::lit(1.0) + d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
                for c in 0..2 {
                    with[a][c] += near * w[b] * q[b][c];
                    without[b][c] += near * q[a][c];
                }
                others[a] += near;
                seen[a] |= d[0] * d[1] > d[2];
            }
        }
    }
    (with, others, without, seen)
}

fn computed<F: Float + Sample + Elem>(op: &mut Subject, n: usize) -> op2::Result<InSpace<F>>
where
    [F; 3]: Bounds<3>,
{
    let set = op.decl_set::<Nodes>("points", n)?;
    let x = op.decl_dat("x", set, &samples::<[F; 3]>(n, 1))?;
    let q = op.decl_dat("q", set, &samples::<[F; 2]>(n, 2))?;
    let w = op.decl_dat("w", set, &samples::<F>(n, 3))?;
    let [sums, again] = [0, 1].map(|n| op.decl_dat_filled(&format!("sums {n}"), set, [F::lit(0.0); 2]));
    let (sums, again, others) = (sums?, again?, op.decl_dat_filled("others", set, F::lit(0.0))?);
    let [seen, nothing] = [0, 1].map(|n| op.decl_dat_filled(&format!("seen {n}"), set, false));
    let (seen, nothing) = (seen?, nothing?);
    let near = op.decl_pairs("near", Within::boxes(x, x).margin(0.75).periodic(PERIOD))?;
    let (on, off) = (n < 1000, n > 1000);
    op_par_loop!(
        op,
        gathered,
        near,
        read(x, from),
        read(x, to),
        shift(),
        read(q, to),
        opt(on, read(w, to)),
        inc(sums, from),
        opt(on, inc(others, from)),
        or(seen, from)
    )?;
    op_par_loop!(
        op,
        gathered,
        near,
        read(x, from),
        read(x, to),
        shift(),
        read(q, from),
        opt(off, read(w, from)),
        inc(again, to),
        opt(off, inc(others, to)),
        or(nothing, to)
    )?;
    Ok((op.fetch(sums)?, op.fetch(others)?, op.fetch(again)?, op.fetch(seen)?))
}

#[test]
fn one_set_meets_itself_in_space() {
    on_every_backend(
        &[0, 1, 2, 40],
        |n| (in_space::<f64>(*n), in_space::<f32>(*n)),
        |op, n| Ok((computed(op, *n)?, computed(op, *n)?)),
    );
}

/// Patches in two levels: threads play devices, whose sums are exchanged. The number of threads changes no bit.
#[test]
fn devices_exchange_sums() -> op2::Result<()> {
    for cloud in clouds() {
        let (expected_sum, expected_most) = inside(&cloud, cloud.to, |_, t| t);
        for devices in [1, 2, 5, 100] {
            let mut first: Option<Vec<u64>> = None;
            for threads in [1, 3] {
                let config = Config::default().backend(Backend::Threads(threads)).patch_devices(devices);
                let mut op = Subject::from(Op2::with(config.strategy(Strategy::tiles(7)))?);
                let Declared { points, corners, x, near, .. } = Declared::new(&mut op, &cloud)?;
                let (sum, most) = (op.decl_dat_filled("sum", points, 0.0)?, op.decl_dat_filled("most", points, 0)?);
                // The memory of the first execution serves the second one.
                for round in [1.0, 2.0] {
                    op_par_loop!(
                        op,
                        inside_adds,
                        near,
                        read(corners, from),
                        read(x, to),
                        shift(),
                        inc(sum, to),
                        max(most, to),
                        idx(from)
                    )?;
                    let found = op.fetch(sum)?;
                    let apart = found.iter().zip(&expected_sum).map(|(a, b)| (a - round * b).abs() / b.abs().max(1.0));
                    assert!(apart.fold(0.0, f64::max) < 1e-12 && op.fetch(most)? == expected_most, "{devices}");
                }
                let bits: Vec<u64> = op.fetch(sum)?.iter().map(|sum| sum.to_bits()).collect();
                assert_eq!(first.get_or_insert_with(|| bits.clone()), &bits, "{devices} devices, {threads} threads");
                let strategy = &op.report().loops[0].strategy;
                assert_eq!(strategy.contains(&format!(" on {devices} devices, ")), devices > 1, "{strategy}");
            }
        }
    }
    Ok(())
}

#[op2::kernel]
fn count(n: &mut u32, x: &[f64; 2], y: &[f64; 2]) {
    *n += u32::from(x[0] <= y[0] || x[0] > y[0]);
}

#[op2::kernel]
fn step(x: &mut [f64; 2]) {
    x[0] += 1.0;
}

/// Counts of the partners of each point.
fn counts(
    op: &mut Subject,
    set: Set<Nodes>,
    x: Dat<Nodes, [f64; 2]>,
    near: Pairs<Nodes, Nodes, 2>,
) -> op2::Result<Vec<u32>> {
    let n = op.decl_dat_filled("n", set, 0_u32)?;
    op_par_loop!(op, count, near, inc(n, from), read(x, from), read(x, to))?;
    op.fetch(n)
}

/// Values that loops, the user and devices change are seen by the next loop over pairs, as are new numbers.
#[test]
fn the_grid_follows_the_values() {
    let body = |op: &mut Subject, _: &()| {
        let set = op.decl_set::<Nodes>("points", 5)?;
        let x = op.decl_dat("x", set, &[[0.0, 0.0], [1.0, 0.0], [2.0, 0.0], [3.0, 0.0], [7.0, 0.0]])?;
        let near = op.decl_pairs("near", Within::boxes(x, x).margin(1.5))?;
        let some = op.decl_subset("some", set, &[4, 0])?;
        let before = counts(op, set, x, near)?;
        op_par_loop!(op, step, some, rw(x))?;
        let after_loop = counts(op, set, x, near)?;
        op.set_value(x, 3, [9.0, 0.0])?;
        let after_value = counts(op, set, x, near)?;
        op.set_data(x, &[[0.0; 2]; 5])?;
        let after_data = counts(op, set, x, near)?;
        op.set_value(x, 2, [-1.0, 0.0])?;
        let in_chain = op.decl_dat_filled("in chain", set, 0_u32)?;
        op.chain(|chain| {
            op_par_loop!(chain, step, some, rw(x))?;
            op_par_loop!(chain, count, near, inc(in_chain, from), read(x, from), read(x, to))?;
            op_par_loop!(chain, step, some, rw(x))
        })?;
        Ok([before, after_loop, after_value, after_data, op.fetch(in_chain)?, counts(op, set, x, near)?])
    };
    let partners = |x: [f64; 5]| -> Vec<u32> {
        x.iter().map(|a| x.iter().filter(|b| (*a - *b).abs() <= 1.5).count() as u32).collect()
    };
    let expected = [
        [0.0, 1.0, 2.0, 3.0, 7.0],
        [1.0, 1.0, 2.0, 3.0, 8.0],
        [1.0, 1.0, 2.0, 9.0, 8.0],
        [0.0; 5],
        [1.0, 0.0, -1.0, 0.0, 1.0],
        [2.0, 0.0, -1.0, 0.0, 2.0],
    ];
    on_every_backend(&[()], |()| expected.map(partners), body);
}

#[op2::kernel]
fn exchange(q: &f64, p: &f64, gain: &mut f64, loss: &mut f64, total: &mut f64) {
    *gain += q * p;
    *loss -= q - p;
    *total += 1.0;
}

#[op2::kernel]
fn double(sum: &mut f64) {
    *sum = 2.0 * *sum + 1.0;
}

/// Both ends of a pair, which may be one element, add to one dat, between loops that run where others do.
#[test]
fn both_ends_add_to_one_dat() {
    let positions = |n: usize| -> Vec<[f64; 3]> { samples(n, 4) };
    let expected = |&n: &usize| {
        let (x, q): (_, Vec<f64>) = (positions(n), samples(n, 5));
        let (mut sums, mut total) = (vec![1.0; n], 0.0);
        for f in 0..n {
            for t in 0..n {
                if (0..3).all(|c| (x[f][c] - x[t][c]).abs() <= 0.5) {
                    sums[f] += q[f] * q[t];
                    sums[t] -= q[f] - q[t];
                    total += 1.0;
                }
            }
        }
        (sums.into_iter().map(|sum| 2.0 * sum + 1.0).collect::<Vec<f64>>(), total)
    };
    on_every_backend(&[1, 60], expected, |op, &n| {
        let set = op.decl_set::<Nodes>("points", n)?;
        let x = op.decl_dat("x", set, &positions(n))?;
        let q = op.decl_dat("q", set, &samples::<f64>(n, 5))?;
        let sums = op.decl_dat_filled("sums", set, 0.0)?;
        let total = op.decl_global("total", 0.0);
        let near = op.decl_pairs("near", Within::boxes(x, x).margin(0.5))?;
        op_par_loop!(op, double, set, rw(sums))?;
        op_par_loop!(op, exchange, near, read(q, from), read(q, to), inc(sums, from), inc(sums, to), gbl_inc(total))?;
        op_par_loop!(op, double, set, rw(sums))?;
        Ok((op.fetch(sums)?, op.get(total)?))
    });
}

/// The row of the loop over pairs in the report.
fn row(op: &Op2) -> op2::report::LoopRow {
    op.report().loops[0].clone()
}

#[test]
fn the_report_tells_of_the_search() -> op2::Result<()> {
    let found = PLAIN.pairs().len() as u64;
    for (strategy, expected, noted) in [
        (Strategy::tiles(8), "overlapped tiles of 8", false),
        (Strategy::blocks(8), "overlapped tiles of 64", true),
        (Strategy::Predicted, "overlapped tiles of 64", false),
    ] {
        let isa = Isa::best();
        let expected = format!("{expected}, {isa}");
        let mut op = Op2::with(Config::default().backend(Backend::Threads(2)).strategy(strategy).isa(isa))?;
        let Declared { points, corners, x, near, .. } = Declared::new(&mut op, &PLAIN)?;
        let (sum, most) = (op.decl_dat_filled("sum", points, 0.0)?, op.decl_dat_filled("most", points, 0)?);
        let run = |op: &mut Op2| {
            op_par_loop!(
                op,
                inside_adds,
                near,
                read(corners, from),
                read(x, to),
                shift(),
                inc(sum, to),
                max(most, to),
                idx(from)
            )
        };
        run(&mut op)?;
        run(&mut op)?;
        let first = row(&op);
        let search = first.search.expect("it runs over pairs");
        assert_eq!((search.met, search.grids, first.calls, first.plans), (2 * found, 1, 2, 1));
        assert!(search.proposed > search.met && search.grid_bytes > 0, "{search:?}");
        assert_eq!((first.set.as_str(), first.strategy), ("near", expected));
        assert_eq!(first.note.is_some(), noted, "{:?}", first.note);
        assert!(op.report().to_string().contains(&format!("{} pairs met of", 2 * found)));
        // Neither its own sums nor values that nobody asks for make the grid anew, the positions do.
        op.set_data(x, &PLAIN.points())?;
        run(&mut op)?;
        let search = row(&op).search.expect("it runs over pairs");
        assert_eq!((search.met, search.grids, row(&op).plans), (3 * found, 2, 2));
    }
    Ok(())
}

#[test]
fn faults_are_told() -> op2::Result<()> {
    let mut op = Op2::with(Config::default().backend(Backend::Threads(2)))?;
    let Declared { points, corners, x, near, .. } = Declared::new(&mut op, &PLAIN)?;
    let rule = || Within::boxes(corners, x);
    let refusal = |op: &mut Op2, rule| op.decl_pairs("near", rule).expect_err("it is refused").to_string();
    for (rule, expected) in [
        (rule().margin(-1.0), "pairs `near`: the margin is -1, expected a distance of 0 or more"),
        (rule().margin(f64::NAN), "pairs `near`: the margin is NaN, expected a distance of 0 or more"),
        (rule().periodic([1.0, 0.0]), "pairs `near`: the period is [1.0, 0.0], expected lengths above 0"),
        (rule().cell(f64::INFINITY), "pairs `near`: the edge of a cell is inf, expected a length above 0"),
        (rule().periodic([1e-9, 1.0]), "pairs `near`: element 0 of dat `corners` lies at"),
        (
            rule().margin(50.0).periodic([1.0, 0.01]),
            "pairs `near`: the margin is 50, expected at most 1000 periods of 0.01",
        ),
        (rule().periodic([1e-5, 1.0]), "pairs `near`: element 0 of dat `corners` is"),
    ] {
        let refused = refusal(&mut op, rule);
        assert!(refused.starts_with(expected), "{refused}");
    }
    let n = op.decl_dat_filled("n", points, 0_u32)?;
    let mut other = Op2::new()?;
    let foreign = Declared::new(&mut other, &PLAIN)?;
    assert_eq!(
        refusal(&mut op, Within::boxes(foreign.corners, x)),
        "dat belongs to another mesh: it was declared by a different `Op2` than the one used here"
    );
    let refused = op_par_loop!(op, count, foreign.near.by_to(), inc(n, to), read(x, to), read(x, to));
    assert!(refused.expect_err("it is refused").to_string().contains("the handle of pairs belongs to another mesh"));
    // A position that is lost later is told by the next loop, and nothing has changed.
    op.set_value(x, 5, [0.0, f64::NAN])?;
    let refused = op_par_loop!(op, count, near.by_to(), inc(n, to), read(x, to), read(x, to));
    let expected = "pairs `near`: element 5 of dat `x` lies at NaN, expected finite coordinates";
    assert_eq!(refused.expect_err("it is refused").to_string(), expected);
    assert_eq!(op.fetch(n)?, vec![0; PLAIN.to]);
    op.set_value(x, 5, [0.0, 0.0])?;
    op_par_loop!(op, count, near.by_to(), inc(n, to), read(x, to), read(x, to))?;
    assert!(op.fetch(n)?.iter().sum::<u32>() > 0);
    // Two sets of one kind.
    let others = op.decl_set::<Nodes>("others", 4)?;
    let m = op.decl_dat_filled("m", others, 0_u32)?;
    let refused = op_par_loop!(op, count, near.by_to(), inc(m, to), read(x, to), read(x, to));
    let refused = refused.expect_err("it is refused").to_string();
    assert!(refused.contains("dat `m` lives on set `others`, expected set `points`"), "{refused}");
    Ok(())
}
