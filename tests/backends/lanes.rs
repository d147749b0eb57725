//! Loops in lanes: on sets of sizes around the number of lanes, by every instruction set, results have the bits of
//! loops over single elements.

use crate::support::record::Record;
use crate::support::{Configuration, Edges, Mesh, Nodes, samples};
use op2::{ArgMax, ArgMin, Backend, Config, Float, Isa, Layout, Map, Op2, Ordering, Strategy, op_par_loop};

/// 0, 1, L − 1, L, L + 1 and 3 L + 2 for 4, 8 and 16 lanes.
const SIZES: [usize; 14] = [0, 1, 3, 4, 5, 7, 8, 9, 14, 15, 16, 17, 26, 50];

/// Runs a body over single elements and by all instruction sets, in plans of every kind and in all layouts.
pub(crate) fn on_every_isa<R: crate::support::record::Recorded>(body: impl Fn(&mut Op2, &Mesh) -> op2::Result<R>) {
    let strategies = [
        (Backend::Seq, Strategy::Predicted),
        (Backend::Threads(1), Strategy::Predicted),
        (Backend::Threads(3), Strategy::blocks(11)),
        (Backend::Threads(2), Strategy::colours(5)),
        (Backend::Threads(3), Strategy::scatter(9)),
        (Backend::Threads(2), Strategy::tiles(10)),
        (Backend::Threads(3), Strategy::owner(17)),
    ];
    for layout in [Layout::Aos, Layout::Soa, Layout::Blocked(2), Layout::Blocked(3)] {
        for (backend, strategy) in strategies {
            for size in SIZES {
                for mesh in Mesh::around(size) {
                    let with = |isa| Configuration { backend, strategy, layout, isa, ..Configuration::SEQ };
                    let run = |isa: Isa| {
                        let result = body(&mut with(isa).op(), &mesh).unwrap_or_else(|e| panic!("{}: {e}", with(isa)));
                        Record::of(&result)
                    };
                    let expected = run(Isa::Scalar);
                    for isa in Isa::available().into_iter().skip(1) {
                        if let Err(difference) = run(isa).is_identical(&expected) {
                            panic!("{} on {mesh:?} is not as by single elements: {difference}", with(isa));
                        }
                    }
                }
            }
        }
    }
}

/// Samples with some values that are NaN, infinite, or at the ends of the range.
fn extreme(n: usize, salt: u64) -> Vec<[f64; 3]> {
    let special = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 0.0, -0.0, f64::MIN_POSITIVE / 4.0, f64::MAX, -1.5];
    let mut rows: Vec<[f64; 3]> = samples(n, salt);
    for (i, row) in rows.iter_mut().enumerate() {
        if i % 3 == 0 {
            row[i % 2] = special[(i / 3 + salt as usize) % special.len()];
        }
    }
    rows
}

/// Halves until below 1, so that the number of rounds differs between elements; none for a NaN.
#[op2::device_fn]
fn halvings(x: f64) -> i32 {
    let mut left = x.abs();
    let mut count = 0;
    while left >= 1.0 {
        if count > 40 {
            return -1;
        }
        left *= 0.5;
        count += 1;
    }
    count
}

/// Returns early for some elements, from inside a loop.
#[op2::device_fn]
fn first_above(row: &[f64; 3], bound: f64) -> f64 {
    for n in 0..3 {
        if row[n] > bound {
            return row[n] - bound;
        }
    }
    -bound
}

#[op2::kernel]
fn branches(
    x: [&[f64; 3]; 2],
    weight: &f64,
    kind: &i32,
    flag: &bool,
    scale: &f64,
    out: &mut [f64; 2],
    count: &mut i32,
    sum: [&mut [f64; 3]; 2],
    low: &mut f64,
) {
    let mut value = x[0][0] * *scale;
    if *kind > 1 {
        value = if *flag { value.sqrt() } else { -value };
    } else if *kind == 1 {
        for n in 0..*kind + 2 {
            value += x[1][n as usize % 3] * *weight;
        }
    } else {
        // Would fail for other elements, which must not compute it.
        *count += 100 / (*kind - 2) + 7 % (1 - *kind);
    }
    *count += halvings(x[0][1]).wrapping_mul(*kind);
    out[0] = value.max(x[1][0]);
    out[1] = first_above(x[0], *weight).min(value);
    if value.is_nan() {
        return;
    }
    for n in 0..3 {
        sum[0][n] += value * x[1][n];
        if x[0][n] < x[1][n] {
            sum[1][n] -= x[0][n].abs();
        }
    }
    *low = low.min(value);
}

#[test]
fn branches_and_loops_by_masks() {
    on_every_isa(|op, m| {
        let sets = m.declare(op)?;
        let ends: Map<Edges, Nodes, 2> = op.decl_map("ends", sets.edges, sets.nodes, &m.rows::<2>(3))?;
        let x = op.decl_dat("x", sets.nodes, &extreme(m.nodes, 1))?;
        let weight: Vec<f64> = samples(m.edges, 2);
        let weight = op.decl_dat("weight", sets.edges, &weight)?;
        let kind: Vec<i32> = (0..m.edges as i32).map(|e| e * 7 % 5 % 4).collect();
        let kind = op.decl_dat("kind", sets.edges, &kind)?;
        let flag: Vec<bool> = (0..m.edges).map(|e| e % 3 == 1).collect();
        let flag = op.decl_dat("flag", sets.edges, &flag)?;
        let out = op.decl_dat("out", sets.edges, &vec![[0.0; 2]; m.edges])?;
        let count = op.decl_dat("count", sets.edges, &vec![3i32; m.edges])?;
        let (sum, low) = (
            op.decl_dat("sum", sets.nodes, &vec![[0.5; 3]; m.nodes])?,
            op.decl_dat("low", sets.nodes, &vec![9.0; m.nodes])?,
        );
        let scale = op.decl_global("scale", 1.25);
        op_par_loop!(
            op,
            branches,
            sets.edges,
            read(x, ends[..]),
            read(weight),
            read(kind),
            read(flag),
            gbl_read(scale),
            write(out),
            inc(count),
            inc(sum, ends[..]),
            min(low, ends[1])
        )?;
        Ok((op.fetch(out)?, op.fetch(count)?, op.fetch(sum)?, op.fetch(low)?))
    });
}

#[op2::kernel]
fn gathered<F: Float>(
    a: &[F; 4],
    b: &[[F; 3]; 2],
    c: &F,
    id: u32,
    other: usize,
    to: &mut [F; 4],
    all: &mut [F; 2],
    most: &mut ArgMax<F, u32>,
    least: &mut ArgMin<F, (u32, usize)>,
    rounds: &mut u64,
) {
    let mut sum = F::lit(0.0);
    for i in 0..2 {
        for j in 0..3 {
            sum += b[i][j] * a[i + j / 2];
        }
    }
    for n in 0..4 {
        to[n] += (a[n] - sum) / (F::lit(1.0) + c.abs());
    }
    all[0] += sum;
    all[1] -= *c;
    most.update(*c, id);
    if sum > *c {
        least.update(sum, (id, other));
        *rounds += 1;
    }
}

fn gather_and_reduce<F: Float>() {
    on_every_isa(|op, m| {
        let sets = m.declare(op)?;
        let ends: Map<Edges, Nodes, 3> = op.decl_map("ends", sets.edges, sets.nodes, &m.rows::<3>(5))?;
        let lit = |x: f64| F::lit(x);
        let a: Vec<[F; 4]> = samples::<[f64; 4]>(m.nodes, 1).into_iter().map(|row| row.map(lit)).collect();
        let b: Vec<[[F; 3]; 2]> = samples::<[f64; 6]>(m.edges, 2)
            .into_iter()
            .map(|row| [[row[0], row[1], row[2]].map(lit), [row[3], row[4], row[5]].map(lit)])
            .collect();
        // Among equal values, the smaller payload wins.
        let c: Vec<F> = (0..m.nodes).map(|n| F::lit([0.25, -1.0, f64::NAN, 0.75][n * 5 % 4])).collect();
        let (a, b, c) =
            (op.decl_dat("a", sets.nodes, &a)?, op.decl_dat("b", sets.edges, &b)?, op.decl_dat("c", sets.nodes, &c)?);
        let to = op.decl_dat("to", sets.nodes, &vec![[F::lit(0.1); 4]; m.nodes])?;
        let all = op.decl_global("all", [F::lit(2.0); 2]);
        let most = op.decl_global("most", ArgMax::<F, u32>::none());
        let least = op.decl_global("least", ArgMin::<F, (u32, usize)>::none());
        let rounds = op.decl_global("rounds", 5u64);
        op_par_loop!(
            op,
            gathered,
            sets.edges,
            read(a, ends[1]),
            read(b),
            read(c, ends[2]),
            idx(),
            idx(ends[0]),
            inc(to, ends[0]),
            gbl_inc(all),
            gbl_max(most),
            gbl_min(least),
            gbl_inc(rounds)
        )?;
        let (most, least) = (op.get(most)?.best(), op.get(least)?.best());
        let most = most.map_or([-1.0; 2], |(value, id)| [value.to_f64(), f64::from(id)]);
        let least = least.map_or([-1.0; 3], |(value, (id, other))| [value.to_f64(), f64::from(id), other as f64]);
        let all = op.get(all)?.map(|x| x.to_f64());
        let to: Vec<[f64; 4]> = op.fetch(to)?.into_iter().map(|row| row.map(|x: F| x.to_f64())).collect();
        Ok((to, vec![all], vec![most], vec![least], vec![op.get(rounds)?]))
    });
}

#[test]
fn gathers_and_reductions_in_double_precision() {
    gather_and_reduce::<f64>();
}

#[test]
fn gathers_and_reductions_in_single_precision() {
    gather_and_reduce::<f32>();
}

#[op2::kernel]
fn shares(
    weight: &f64,
    each: [&mut [f64; 5]; 2],
    one: &mut [f64; 5],
    other: &mut [f64; 5],
    perhaps: Option<&mut [f64; 5]>,
) {
    for n in 0..5 {
        let part = *weight * (n as f64 + 0.1);
        each[0][n] += part;
        each[1][n] -= 1.0e9 * part;
        one[n] += part / 3.0;
        other[n] += 1.0e9 * part;
    }
    if let Some(perhaps) = perhaps {
        perhaps[4] -= 1.0 / *weight;
    }
}

/// Several arguments contribute to one dat, also under another name; contributions arrive in the order of the elements.
#[test]
fn several_arguments_add_to_one_dat() {
    for flag in [false, true] {
        on_every_isa(|op, m| {
            let sets = m.declare(op)?;
            let ends: Map<Edges, Nodes, 2> = op.decl_map("ends", sets.edges, sets.nodes, &m.rows::<2>(5))?;
            let weight: Vec<f64> = samples(m.edges, 3);
            let weight = op.decl_dat("weight", sets.edges, &weight)?;
            let sum = op.decl_dat("sum", sets.nodes, &vec![[0.7; 5]; m.nodes])?;
            let (same, also) = (sum, sum);
            op_par_loop!(
                op,
                shares,
                sets.edges,
                read(weight),
                inc(sum, ends[..]),
                inc(sum, ends[1]),
                inc(same, ends[0]),
                opt(flag, inc(also, ends[1]))
            )?;
            op.fetch(sum)
        });
    }
}

#[op2::kernel]
fn own(
    row: &[f64; 5],
    more: Option<&[f64; 2]>,
    new: &mut [f64; 5],
    change: &mut [f32; 3],
    keep: Option<&mut [f64; 2]>,
    hits: &mut [i64; 2],
) {
    for n in 0..5 {
        new[n] = row[4 - n] * 2.0;
    }
    let mut extra = 0.5;
    if let Some(more) = more {
        extra = more[0] - more[1];
    }
    for n in 0..3 {
        change[n] = (change[n] as f64 * extra) as f32;
    }
    if let Some(keep) = keep {
        keep[1] = extra;
        keep[0] += row[2];
    }
    hits[1] += extra as i64;
}

#[test]
fn own_rows_and_optional_ones() {
    for flag in [false, true] {
        on_every_isa(|op, m| {
            let nodes = m.declare(op)?.nodes;
            let row: Vec<[f64; 5]> = samples(m.nodes, 1);
            let (row, more) =
                (op.decl_dat("row", nodes, &row)?, op.decl_dat("more", nodes, &vec![[3.5, -1.0e10]; m.nodes])?);
            let new = op.decl_dat("new", nodes, &vec![[7.0; 5]; m.nodes])?;
            let change: Vec<[f32; 3]> = (0..m.nodes).map(|n| [n as f32, 0.5, -1.0 / (n as f32)]).collect();
            let change = op.decl_dat("change", nodes, &change)?;
            let (keep, hits) = (
                op.decl_dat("keep", nodes, &vec![[1.0, 2.0]; m.nodes])?,
                op.decl_dat("hits", nodes, &vec![[4i64; 2]; m.nodes])?,
            );
            op_par_loop!(
                op,
                own,
                nodes,
                read(row),
                opt(flag, read(more)),
                write(new),
                rw(change),
                opt(flag, rw(keep)),
                inc(hits)
            )?;
            Ok((op.fetch(new)?, op.fetch(change)?, op.fetch(keep)?, op.fetch(hits)?))
        });
    }
}

#[op2::kernel]
fn chooses(a: &[f64; 2], b: &[f64; 2], to: &mut f64) {
    let one = if a[0] < b[0] { a } else { b };
    *to = one[1];
}

#[op2::kernel]
fn smooths(x: [&mut f64; 2]) {
    *x[0] = 0.5 * (*x[0] + *x[1]);
}

/// The reason why a loop runs single elements.
fn note(op: &Op2, kernel: &str) -> Option<String> {
    op.report().loops.into_iter().find(|row| row.name == kernel).and_then(|row| row.note)
}

#[test]
fn the_report_says_what_is_in_the_way() {
    let best = Configuration { isa: Isa::best(), strategy: Strategy::Predicted, ..Configuration::THREADS };
    let mut op = best.op();
    let m = Mesh::around(9)[0];
    let sets = m.declare(&mut op).expect("a mesh");
    let rows: Vec<[f64; 2]> = samples(m.nodes, 1);
    let (a, b) = (op.decl_dat("a", sets.nodes, &rows), op.decl_dat("b", sets.nodes, &rows));
    let (a, b, to) = (a.expect("rows"), b.expect("rows"), op.decl_dat("to", sets.nodes, &[0.0; 9]).expect("rows"));
    op_par_loop!(op, chooses, sets.nodes, read(a), read(b), write(to)).expect("a loop");
    let line = include_str!("lanes.rs").lines().position(|l| l.contains("let one = if a[0]")).expect("it is there") + 1;
    let why =
        format!("one element at a time: line {line}: which reference is taken differs between elements of the loop");
    assert_eq!(note(&op, "chooses").as_deref(), Some(why.as_str()));

    let ends: Map<Edges, Nodes, 2> = op.decl_map("ends", sets.edges, sets.nodes, &m.rows::<2>(1)).expect("a map");
    op_par_loop!(op, smooths, sets.edges, rw(to, ends[..])).expect("a loop");
    let why = note(&op, "smooths").expect("elements that share a node cannot go at once");
    assert!(why.contains("it changes values through a map, which elements"), "{why}");
    // The same kernel in another loop has its own row.
    let strategy = |op: &Op2| op.report().loops.into_iter().rfind(|r| r.name == "smooths").map(|r| r.strategy);
    op.pin("smooths", Strategy::colours(4)).expect("chunks of 4");
    op_par_loop!(op, smooths, sets.edges, rw(to, ends[..])).expect("a loop");
    let found = strategy(&op).expect("it ran");
    assert!(found.ends_with(&Isa::best().to_string()), "{found}");
}

#[test]
fn instructions_that_are_not_there_are_refused() {
    for isa in Isa::available() {
        assert!(Op2::with(op2::Config::default().isa(isa)).is_ok(), "{isa}");
    }
    if Isa::best() < Isa::Avx512 {
        let error = Op2::with(op2::Config::default().isa(Isa::Avx512)).err().expect("it is not there").to_string();
        assert!(error.contains("this processor does not have `avx512`"), "{error}");
    }
}

/// So many rows that they exceed the caches, numbered at random.
#[test]
fn rows_that_come_late_are_asked_for_ahead() {
    const NODES: usize = 40_000;
    let ends: Vec<[u32; 2]> =
        (0..NODES as u64 + 3).map(|n| [1, 2].map(|k| (n * k * 7_368_787 % 39_989) as u32)).collect();
    let run = |isa: Isa| -> op2::Result<_> {
        let config = Config::default().backend(Backend::Threads(2)).isa(isa).ordering(Ordering::None);
        let mut op = Op2::with(config)?;
        let nodes = op.decl_set("nodes", NODES)?;
        let edges = op.decl_set("edges", ends.len())?;
        let map: Map<Edges, Nodes, 2> = op.decl_map("ends", edges, nodes, &ends)?;
        let weight = op.decl_dat("weight", edges, &samples::<f64>(ends.len(), 3))?;
        let sum = op.decl_dat("sum", nodes, &vec![[0.7; 17]; NODES])?;
        op_par_loop!(op, share, edges, read(weight), inc(sum, map[..]))?;
        let strategy = op.report().loops[0].strategy.clone();
        Ok((op.fetch(sum)?, strategy))
    };
    let (expected, alone) = run(Isa::Scalar).expect("it runs");
    assert!(!alone.contains("ahead"), "{alone}");
    for isa in Isa::available().into_iter().skip(1) {
        let (found, strategy) = run(isa).expect("it runs");
        assert!(found == expected, "{isa}");
        assert_eq!(strategy.contains("rows ahead"), cfg!(target_arch = "x86_64"), "{strategy}");
    }
}

#[op2::kernel]
fn share(weight: &f64, sum: [&mut [f64; 17]; 2]) {
    for c in 0..17 {
        sum[0][c] += *weight;
        sum[1][c] -= *weight * 0.5;
    }
}
