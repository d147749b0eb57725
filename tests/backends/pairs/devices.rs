//! Loops over pairs that are hard for devices, and what the report tells of them there.

use super::cloud::{Cloud, Declared, PLAIN, clouds};
use super::{Inside, counts, inside, inside_adds};
use crate::support::mesh::Nodes;
use crate::support::record::Record;
use crate::support::{Configuration, Subject, on_every_backend};
use op2::report::LoopRow;
use op2::{Backend, Layout, Op2, Strategy, Within, op_par_loop};

#[op2::kernel]
fn pass_on(f: u32, t: u32, seen: &mut [u32; 2], sum: &mut f64) {
    seen[0] += 1;
    if t > seen[1] {
        seen[1] = t;
    }
    *sum += (f + 1) as f64;
}

/// Partners come one by one, and the sums inside are exact in any order.
#[test]
fn a_kernel_may_write_outside_and_add_inside() {
    let expected = |cloud: &Cloud| {
        let (mut seen, mut sums) = (vec![[0; 2]; cloud.from], vec![0.5; cloud.to]);
        for (f, t, _) in cloud.pairs() {
            seen[f] = [seen[f][0] + 1, seen[f][1].max(t as u32)];
            sums[t] += (f + 1) as f64;
        }
        (seen, sums)
    };
    on_every_backend(&clouds(), expected, |op: &mut Subject, cloud| {
        let Declared { triangles, points, near, .. } = Declared::new(op, cloud)?;
        let seen = op.decl_dat_filled("seen", triangles, [0_u32; 2])?;
        let sums = op.decl_dat_filled("sums", points, 0.5)?;
        op_par_loop!(op, pass_on, near, idx(from), idx(to), rw(seen, from), inc(sums, to))?;
        Ok((op.fetch(seen)?, op.fetch(sums)?))
    });
}

#[op2::kernel]
fn number(f: u64, t: u64, pairs: &mut u64, total: &mut u64) {
    *pairs += 1;
    *total += 1000 * f + t;
}

/// Without dats only the handle tells which side is outside, also where both are one set.
#[test]
fn loops_without_dats_have_pairs() {
    let expected = |cloud: &Cloud| {
        let pairs = cloud.pairs();
        let total = pairs.iter().map(|(f, t, _)| 1000 * *f as u64 + *t as u64).sum::<u64>();
        (2 * pairs.len() as u64, 2 * total)
    };
    on_every_backend(&clouds(), expected, |op: &mut Subject, cloud| {
        let Declared { near, .. } = Declared::new(op, cloud)?;
        let [pairs, total] = ["pairs", "total"].map(|name| op.decl_global(name, 0_u64));
        op_par_loop!(op, number, near, idx(from), idx(to), gbl_inc(pairs), gbl_inc(total))?;
        op_par_loop!(op, number, near.by_to(), idx(from), idx(to), gbl_inc(pairs), gbl_inc(total))?;
        Ok((op.get(pairs)?, op.get(total)?))
    });
}

#[op2::kernel]
fn maybe(f: u32, outer: &mut u32, inner: Option<&mut u32>) {
    *outer += 1;
    if let Some(inner) = inner {
        *inner += f;
    }
}

/// Where the only contribution inside is absent, nothing is copied.
#[test]
fn all_contributions_inside_may_be_absent() {
    let expected = |cloud: &Cloud| {
        let (mut outer, mut inner) = (vec![0; cloud.from], vec![0; cloud.to]);
        for (f, t, _) in cloud.pairs() {
            outer[f] += 2;
            inner[t] += f as u32;
        }
        (outer, inner)
    };
    on_every_backend(&clouds()[..7], expected, |op: &mut Subject, cloud| {
        let Declared { triangles, points, near, .. } = Declared::new(op, cloud)?;
        let outer = op.decl_dat_filled("outer", triangles, 0_u32)?;
        let inner = op.decl_dat_filled("inner", points, 0_u32)?;
        for there in [false, true] {
            op_par_loop!(op, maybe, near, idx(from), inc(outer, from), opt(there, inc(inner, to)))?;
        }
        Ok((op.fetch(outer)?, op.fetch(inner)?))
    });
}

#[op2::record]
struct Body {
    mass: f64,
    spin: [f64; 2],
}

#[op2::kernel]
fn meet(a: &Body, b: &Body, sum: &mut Body, other: &mut Body) {
    sum.mass += b.mass;
    sum.spin[1] -= a.spin[0];
    other.mass -= a.mass;
    other.spin[0] += b.spin[1];
}

/// Records whose parts are integers, so that all sums are exact.
#[test]
fn records_meet() {
    let bodies = |n: usize| (0..n).map(|i| Body { mass: i as f64, spin: [2.0, i as f64 - 3.0] }).collect::<Vec<_>>();
    let parts = |bodies: &[Body]| bodies.iter().map(|body| [body.mass, body.spin[0], body.spin[1]]).collect::<Vec<_>>();
    let nothing = Body { mass: 0.0, spin: [0.0; 2] };
    let expected = |cloud: &Cloud| {
        let (a, b) = (bodies(cloud.from), bodies(cloud.to));
        let (mut sums, mut others) = (vec![nothing; cloud.from], vec![nothing; cloud.to]);
        for (f, t, _) in cloud.pairs() {
            sums[f].mass += b[t].mass;
            sums[f].spin[1] -= a[f].spin[0];
            others[t].mass -= a[f].mass;
            others[t].spin[0] += b[t].spin[1];
        }
        (parts(&sums), parts(&others))
    };
    on_every_backend(&clouds()[..7], expected, |op: &mut Subject, cloud| {
        let Declared { triangles, points, near, .. } = Declared::new(op, cloud)?;
        let a = op.decl_dat("a", triangles, &bodies(cloud.from))?;
        let b = op.decl_dat("b", points, &bodies(cloud.to))?;
        let sums = op.decl_dat_filled("sums", triangles, nothing)?;
        let others = op.decl_dat_filled("others", points, nothing)?;
        op_par_loop!(op, meet, near, read(a, from), read(b, to), inc(sums, from), inc(others, to))?;
        Ok((parts(&op.fetch(sums)?), parts(&op.fetch(others)?)))
    });
}

/// An `Op2` in the emulator, unless tests run elsewhere.
fn emulated(strategy: Strategy, layout: Layout) -> Option<Op2> {
    let configuration = Configuration { backend: Backend::CudaEmu, strategy, layout, ..Configuration::SEQ };
    Configuration::emulator_runs().then(|| configuration.op())
}

/// Runs `inside_adds` with triangles or points outside.
fn adds(op: &mut Op2, cloud: &Cloud, times: usize) -> op2::Result<[Inside; 2]> {
    let Declared { triangles, points, corners, x, near } = Declared::new(op, cloud)?;
    let (sum, most) = (op.decl_dat_filled("sum", points, 0.0)?, op.decl_dat_filled("most", points, 0)?);
    let (back, least) = (op.decl_dat_filled("back", triangles, 0.0)?, op.decl_dat_filled("least", triangles, 0)?);
    for _ in 0..times {
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
    }
    op_par_loop!(
        op,
        inside_adds,
        near.by_to(),
        read(corners, from),
        read(x, to),
        shift(),
        inc(back, from),
        max(least, from),
        idx(from)
    )?;
    Ok([(op.fetch(sum)?, op.fetch(most)?), (op.fetch(back)?, op.fetch(least)?)])
}

#[test]
fn patches_of_all_sizes_copy_what_they_reach() -> op2::Result<()> {
    for (n, size) in [1, 2, 5, 33, 5000].into_iter().enumerate() {
        let Some(mut op) = emulated(Strategy::tiles(size), [Layout::Soa, Layout::Aos][n % 2]) else { return Ok(()) };
        for cloud in clouds() {
            let [by_from, by_to] = adds(&mut op, &cloud, 1)?;
            let expected = (inside(&cloud, cloud.to, |_, t| t), inside(&cloud, cloud.from, |f, _| f));
            let agrees = Record::of(&(by_from, by_to)).agrees(&Record::of(&expected));
            assert!(agrees.is_ok(), "tiles of {size}, {cloud:?}: {agrees:?}");
        }
        assert!(op.report().loops.iter().all(|row| row.note.is_none()), "tiles of {size}");
    }
    Ok(())
}

#[test]
fn the_report_tells_how_devices_ran() -> op2::Result<()> {
    let found = PLAIN.pairs().len() as u64;
    for (strategy, expected, noted) in [
        (Strategy::tiles(8), "overlapped tiles of 8", false),
        (Strategy::Predicted, "overlapped tiles of 16", false),
        (Strategy::Auto, "overlapped tiles of 16", false),
        (Strategy::blocks(8), "overlapped tiles of 16", true),
        (Strategy::atomics(32), "atomics, 32 a block", false),
    ] {
        let Some(mut op) = emulated(strategy, Layout::Aos) else { return Ok(()) };
        adds(&mut op, &PLAIN, 2)?;
        let row = |op: &Op2| -> LoopRow { op.report().loops[0].clone() };
        let first = row(&op);
        let search = first.search.expect("it runs over pairs");
        assert_eq!((search.met, search.grids, first.calls, first.plans), (2 * found, 1, 2, 1), "{strategy}");
        assert!(search.proposed > search.met && search.grid_bytes > 0, "{search:?}");
        assert_eq!((first.set.as_str(), first.strategy.as_str()), ("near", expected));
        assert_eq!(first.note.is_some(), noted, "{:?}", first.note);
        op.reset_report();
        adds(&mut op, &PLAIN, 1)?;
        assert_eq!(row(&op).search.map(|search| search.met), Some(found), "{strategy}");
    }
    Ok(())
}

/// The host proposes as many candidates.
#[test]
fn devices_search_as_the_host_does() -> op2::Result<()> {
    for strategy in [Strategy::tiles(7), Strategy::atomics(64)] {
        let Some(mut device) = emulated(strategy, Layout::Aos) else { return Ok(()) };
        let mut host = Configuration::SEQ.op();
        for cloud in clouds() {
            for op in [&mut host, &mut device] {
                op.reset_report();
                adds(op, &cloud, 1)?;
            }
            let searches = |op: &Op2| {
                let rows = op.report().loops;
                let counts = rows.iter().filter_map(|row| row.search).map(|search| (search.proposed, search.met));
                counts.collect::<Vec<_>>()
            };
            assert_eq!(searches(&device), searches(&host), "{strategy}, {cloud:?}");
        }
    }
    Ok(())
}

#[op2::kernel]
fn drift(x: &mut [f64; 2], n: &u32, i: usize) {
    x[0] += if i & 1 == 0 { 0.25 } else { -0.125 };
    x[1] -= *n as f64 / 64.0;
}

/// Positions that only the device knows decide what meets next.
#[test]
fn points_move_on_the_device() {
    let body = |op: &mut Subject, &steps: &usize| {
        let set = op.decl_set::<Nodes>("points", 40)?;
        let start: Vec<[f64; 2]> = (0..40).map(|i| [f64::from(i % 7), f64::from(i) / 8.0]).collect();
        let x = op.decl_dat("x", set, &start)?;
        let near = op.decl_pairs("near", Within::boxes(x, x).margin(0.75).periodic([8.0, 4.0]))?;
        let n = op.decl_dat_filled("n", set, 0_u32)?;
        for _ in 0..steps {
            op_par_loop!(op, super::count, near, inc(n, from), read(x, from), read(x, to))?;
            op_par_loop!(op, drift, set, rw(x), read(n), idx())?;
        }
        Ok((op.fetch(x)?, counts(op, set, x, near)?))
    };
    let expected = |steps: &usize| body(&mut Subject::from(Configuration::SEQ.op()), steps).expect("the host runs it");
    on_every_backend(&[0, 1, 4], expected, body);
}
