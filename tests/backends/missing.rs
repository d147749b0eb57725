//! Maps whose entries may be missing.

use crate::support::mesh::{Edges, Kind, Nodes};
use crate::support::{Mesh, Subject, on_every_backend, samples};
use op2::{Backend, Config, Error, Isa, Op2, OptMap, Ordering, op_par_loop};

/// Entries of which about two in five are missing, some rows as a whole.
fn entries<const A: usize>(m: &Mesh, salt: u64) -> Vec<[Option<u32>; A]> {
    let rows = m.rows::<A>(salt).into_iter().enumerate();
    let there = |e: usize, i: usize| (7 * e + 3 * i + salt as usize) % 5 > 1 && e % 11 != 4;
    rows.map(|(e, row)| std::array::from_fn(|i| there(e, i).then_some(row[i]))).collect()
}

/// Meshes of every kind, and one without any node, where every entry is missing.
fn meshes() -> Vec<Mesh> {
    let empty = Mesh { edges: 40, nodes: 0, kind: Kind::Random };
    Mesh::all().into_iter().chain([empty]).collect()
}

fn all_missing<const A: usize>(m: &Mesh, salt: u64) -> Vec<[Option<u32>; A]> {
    if m.nodes == 0 { vec![[None; A]; m.edges] } else { entries(m, salt) }
}

fn declared<const A: usize>(op: &mut Subject, m: &Mesh) -> op2::Result<Declared<A>> {
    let set = m.declare(op)?;
    let map = op.decl_opt_map("map", set.edges, set.nodes, &all_missing::<A>(m, 1))?;
    Ok(Declared { edges: set.edges, nodes: set.nodes, map })
}

struct Declared<const A: usize> {
    edges: op2::Set<Edges>,
    nodes: op2::Set<Nodes>,
    map: OptMap<Edges, Nodes, A>,
}

#[op2::kernel]
fn flux(q: [Option<&[f64; 2]>; 2], far: &[f64; 2], w: &f64, sum: &mut f64, res: [&mut [f64; 2]; 2]) {
    let (a, b) = (*q[0].unwrap_or(far), *q[1].unwrap_or(far));
    let mut flow = *w * (a[0] - b[1]);
    if let Some(q) = q[0] {
        flow += q[1];
    }
    for i in 0..2 {
        if q[i].is_none() {
            flow *= 0.5;
        }
    }
    for n in 0..2 {
        res[0][n] += flow;
        res[1][n] -= 2.0 * flow;
    }
    *sum += flow;
}

/// A boundary without elements of its own: where a neighbour is missing, the state far away stands in its place.
#[test]
fn a_boundary_with_optional_entries() {
    let data = |m: &Mesh| (samples::<[f64; 2]>(m.nodes, 2), samples::<f64>(m.edges, 3), [1.5, -0.25]);
    let expected = |m: &Mesh| {
        let (q, w, far) = data(m);
        let (mut sum, mut res) = (0.0, samples::<[f64; 2]>(m.nodes, 4));
        for (e, row) in all_missing::<2>(m, 1).into_iter().enumerate() {
            let [a, b] = row.map(|node| node.map_or(far, |node| q[node as usize]));
            let mut flow = w[e] * (a[0] - b[1]);
            flow += row[0].map_or(0.0, |node| q[node as usize][1]);
            row.iter().filter(|node| node.is_none()).for_each(|_| flow *= 0.5);
            for (node, factor) in row.into_iter().zip([1.0, -2.0]) {
                node.into_iter().for_each(|node| res[node as usize].iter_mut().for_each(|r| *r += factor * flow));
            }
            sum += flow;
        }
        (sum, res)
    };
    on_every_backend(&meshes(), expected, |op, m| {
        let set = declared::<2>(op, m)?;
        let (q, w, far) = data(m);
        let (q, w) = (op.decl_dat("q", set.nodes, &q)?, op.decl_dat("w", set.edges, &w)?);
        let res = op.decl_dat("res", set.nodes, &samples::<[f64; 2]>(m.nodes, 4))?;
        let (far, sum) = (op.decl_global("far", far), op.decl_global("sum", 0.0));
        let map = set.map;
        op_par_loop!(op, flux, set.edges, read(q, map[..]), gbl_read(far), read(w), gbl_inc(sum), inc(res, map[..]))?;
        Ok((op.get(sum)?, op.fetch(res)?))
    });
}

#[op2::kernel]
fn single(
    x: Option<&f64>,
    pair: Option<&[f64; 2]>,
    number: Option<u32>,
    own: &mut [f64; 3],
    lo: &mut f64,
    hi: &mut [f64; 2],
    seen: &mut bool,
) {
    let x = x.copied().unwrap_or(-1.0);
    let mut y = 0.0;
    if let Some([a, b]) = pair {
        y = *a - 2.0 * *b;
    }
    *own = [x, y, number.unwrap_or(1000) as f64];
    *lo = lo.min(x + y);
    hi[0] = hi[0].max(y);
    hi[1] = hi[1].max(x);
    *seen |= number.is_some() && y > x;
}

#[test]
fn single_entries_of_every_access_that_combines() {
    type Found = (Vec<[f64; 3]>, Vec<f64>, Vec<[f64; 2]>, Vec<bool>);
    let expected = |m: &Mesh| -> Found {
        let (x, pair) = (samples::<f64>(m.nodes, 2), samples::<[f64; 2]>(m.nodes, 3));
        let mut found: Found = (Vec::new(), samples(m.nodes, 4), samples(m.nodes, 5), vec![false; m.nodes]);
        for [a, b, c] in all_missing::<3>(m, 1) {
            let x = a.map_or(-1.0, |a| x[a as usize]);
            let y = b.map_or(0.0, |b| pair[b as usize][0] - 2.0 * pair[b as usize][1]);
            found.0.push([x, y, c.map_or(1000.0, f64::from)]);
            if let Some(b) = b {
                found.1[b as usize] = found.1[b as usize].min(x + y);
            }
            if let Some(a) = a {
                let hi = &mut found.2[a as usize];
                *hi = [hi[0].max(y), hi[1].max(x)];
            }
            if let Some(c) = c {
                found.3[c as usize] |= y > x;
            }
        }
        found
    };
    on_every_backend(&meshes(), expected, |op, m| {
        let Declared { edges, nodes, map } = declared::<3>(op, m)?;
        let x = op.decl_dat("x", nodes, &samples::<f64>(m.nodes, 2))?;
        let pair = op.decl_dat("pair", nodes, &samples::<[f64; 2]>(m.nodes, 3))?;
        let own = op.decl_dat_filled("own", edges, [0.0; 3])?;
        let lo = op.decl_dat("lo", nodes, &samples::<f64>(m.nodes, 4))?;
        let hi = op.decl_dat("hi", nodes, &samples::<[f64; 2]>(m.nodes, 5))?;
        let seen = op.decl_dat_filled("seen", nodes, false)?;
        let last = 2;
        op_par_loop!(
            op,
            single,
            edges,
            read(x, map[0]),
            read(pair, map[1]),
            idx(map[last]),
            write(own),
            min(lo, map[1]),
            max(hi, map[0]),
            or(seen, map[last])
        )?;
        Ok((op.fetch(own)?, op.fetch(lo)?, op.fetch(hi)?, op.fetch(seen)?))
    });
}

#[op2::kernel]
fn change(by: &f64, rw: Option<&mut [f64; 2]>, write: Option<&mut f64>, changed: &mut u32) {
    if let Some(rw) = rw {
        rw[0] = *by - 0.5 * rw[0];
        rw[1] += *by;
        *changed += 1;
    }
    if let Some(write) = write {
        *write = 3.0 * *by;
        *changed += 1;
    }
}

/// No node is reached twice, so that the order does not matter.
#[test]
fn missing_elements_are_not_changed() {
    let start = |m: &Mesh| (samples::<[f64; 2]>(m.nodes, 3), samples::<f64>(m.nodes, 4));
    let expected = |m: &Mesh| {
        let by = samples::<f64>(m.edges, 2);
        let ((mut rw, mut write), mut changed) = (start(m), 0_u32);
        for (row, by) in entries::<2>(m, 1).into_iter().zip(by) {
            if let Some(a) = row[0] {
                rw[a as usize] = [by - 0.5 * rw[a as usize][0], rw[a as usize][1] + by];
            }
            if let Some(b) = row[1] {
                write[b as usize] = 3.0 * by;
            }
            changed += row.iter().flatten().count() as u32;
        }
        (rw, write, changed)
    };
    on_every_backend(&Mesh::injective(2), expected, |op, m| {
        let set = m.declare(op)?;
        let map = op.decl_opt_map("map", set.edges, set.nodes, &entries::<2>(m, 1))?;
        let by = op.decl_dat("by", set.edges, &samples::<f64>(m.edges, 2))?;
        let (rw, write) = start(m);
        let (rw, write) = (op.decl_dat("rw", set.nodes, &rw)?, op.decl_dat("write", set.nodes, &write)?);
        let changed = op.decl_global("changed", 0_u32);
        op_par_loop!(op, change, set.edges, read(by), rw(rw, map[0]), write(write, map[1]), gbl_inc(changed))?;
        Ok((op.fetch(rw)?, op.fetch(write)?, op.get(changed)?))
    });
}

#[op2::kernel]
fn asked(
    one: Option<&[f64; 2]>,
    all: [Option<&f64>; 2],
    own: &mut [f64; 2],
    change: Option<&mut f64>,
    sum: Option<&mut f64>,
    seen: &mut u32,
) {
    let mut first = -1.0;
    if let Some([a, b]) = one {
        first = *a + *b;
    }
    *own = [first, *all[0].unwrap_or(&-3.0) - *all[1].unwrap_or(&0.5)];
    if let Some(change) = change {
        *change = own[0] + 0.5 * *change;
        *seen += 1;
    }
    if let Some(sum) = sum {
        *sum += own[1];
        *seen += 100;
    }
}

/// The flag of an argument and the entries of its map both have to hold. What goes to a missing element is dropped.
#[test]
fn flags_before_entries_that_may_be_missing() {
    type Found = Vec<(Vec<[f64; 2]>, Vec<f64>, Vec<f64>, u32)>;
    let flags = [0b0000, 0b1111, 0b0011, 0b1100, 0b0110, 0b1001];
    let flags = flags.map(|bits| [1, 2, 4, 8].map(|bit| bits & bit != 0));
    let start = |m: &Mesh| (samples::<[f64; 2]>(m.nodes, 2), samples::<f64>(m.nodes, 3), samples::<f64>(m.nodes, 4));
    let expected = |m: &Mesh| -> Found {
        let ((pair, x, mut change), mut sum) = (start(m), vec![0.0; m.nodes]);
        let found = flags.map(|[one, all, changes, adds]| {
            let (mut own, mut seen) = (Vec::new(), 0);
            for [a, b] in entries::<2>(m, 1) {
                let value = |node: Option<u32>| node.filter(|_| all).map(|node| x[node as usize]);
                let first = a.filter(|_| one).map_or(-1.0, |a| pair[a as usize][0] + pair[a as usize][1]);
                let now = [first, value(a).unwrap_or(-3.0) - value(b).unwrap_or(0.5)];
                own.push(now);
                if let Some(b) = b.filter(|_| changes) {
                    change[b as usize] = now[0] + 0.5 * change[b as usize];
                    seen += 1;
                }
                if adds {
                    a.into_iter().for_each(|a| sum[a as usize] += now[1]);
                    seen += 100;
                }
            }
            (own, change.clone(), sum.clone(), seen)
        });
        found.to_vec()
    };
    on_every_backend(&Mesh::injective(2), expected, |op, m| {
        let set = m.declare(op)?;
        let map = op.decl_opt_map("map", set.edges, set.nodes, &entries::<2>(m, 1))?;
        let (pair, x, change) = start(m);
        let (pair, x) = (op.decl_dat("pair", set.nodes, &pair)?, op.decl_dat("x", set.nodes, &x)?);
        let (change, sum) = (op.decl_dat("change", set.nodes, &change)?, op.decl_dat_filled("sum", set.nodes, 0.0)?);
        let own = op.decl_dat_filled("own", set.edges, [0.0; 2])?;
        let seen = op.decl_global("seen", 0_u32);
        let mut found = Found::new();
        for [one, all, changes, adds] in flags {
            op.set(seen, 0)?;
            op_par_loop!(
                op,
                asked,
                set.edges,
                opt(one, read(pair, map[0])),
                opt(all, read(x, map[..])),
                write(own),
                opt(changes, rw(change, map[1])),
                opt(adds, inc(sum, map[0])),
                gbl_inc(seen)
            )?;
            found.push((op.fetch(own)?, op.fetch(change)?, op.fetch(sum)?, op.get(seen)?));
        }
        Ok(found)
    });
}

#[op2::kernel]
fn add(x: &f64, sums: [&mut f64; 2]) {
    *sums[0] += *x;
    *sums[1] += 2.0 * *x;
}

fn sums(rows: &[[Option<u32>; 2]], nodes: usize) -> Vec<f64> {
    let mut sums = vec![0.0; nodes];
    for (e, row) in rows.iter().enumerate() {
        for (node, factor) in row.iter().zip([1.0, 2.0]) {
            node.iter().for_each(|node| sums[*node as usize] += factor * e as f64);
        }
    }
    sums
}

/// A loop that only contributes does not tell which kind of map it goes through.
#[test]
fn entries_can_be_replaced_and_renumbered() -> op2::Result<()> {
    let m = Mesh { edges: 600, nodes: 300, kind: Kind::Random };
    for ordering in [Ordering::Gps, Ordering::Metis { block: 64 }, Ordering::Runs, Ordering::Predicted] {
        let mut op = Op2::with(Config::default().backend(Backend::Threads(2)).shuffled(3))?;
        let set = m.declare(&mut op)?;
        let map = op.decl_opt_map("map", set.edges, set.nodes, &entries::<2>(&m, 1))?;
        let x = op.decl_dat("x", set.edges, &(0..m.edges).map(|e| e as f64).collect::<Vec<_>>())?;
        let sum = op.decl_dat_filled("sum", set.nodes, 0.0)?;
        let mut expected = vec![0.0; m.nodes];
        for salt in [1, 2, 3] {
            let rows = if salt == 3 { vec![[None; 2]; m.edges] } else { entries::<2>(&m, salt) };
            op.set_opt_map(map, &rows)?;
            op.reorder(ordering)?;
            op_par_loop!(op, add, set.edges, read(x), inc(sum, map[..]))?;
            expected.iter_mut().zip(sums(&rows, m.nodes)).for_each(|(sum, more)| *sum += more);
            assert_eq!(op.fetch(sum)?, expected, "{ordering:?}, {salt}");
        }
    }
    Ok(())
}

#[test]
fn entries_that_are_there_are_checked() -> op2::Result<()> {
    let mut op = Op2::new()?;
    let (edges, nodes) = (op.decl_set::<Edges>("edges", 2)?, op.decl_set::<Nodes>("nodes", 3)?);
    let refused = op.decl_opt_map("sides", edges, nodes, &[[None, Some(1)], [Some(3), None]]);
    let expected = Error::MapEntry {
        map: "sides".to_owned(),
        element: 1,
        index: 0,
        value: "3".to_owned(),
        to: "nodes".to_owned(),
        size: 3,
    };
    assert_eq!(refused, Err(expected));
    Ok(())
}

/// What differs from lane to lane is no obstacle.
#[test]
fn options_of_entries_run_in_lanes() -> op2::Result<()> {
    let m = Mesh { edges: 600, nodes: 300, kind: Kind::Random };
    let mut op = Op2::with(Config::default().backend(Backend::Threads(1)).isa(Isa::best()))?;
    let set = m.declare(&mut op)?;
    let map = op.decl_opt_map("map", set.edges, set.nodes, &entries::<2>(&m, 1))?;
    let (q, w) = (op.decl_dat_filled("q", set.nodes, [1.0; 2])?, op.decl_dat_filled("w", set.edges, 1.0)?);
    let res = op.decl_dat_filled("res", set.nodes, [0.0; 2])?;
    let (far, sum) = (op.decl_global("far", [0.0; 2]), op.decl_global("sum", 0.0));
    op_par_loop!(op, flux, set.edges, read(q, map[..]), gbl_read(far), read(w), gbl_inc(sum), inc(res, map[..]))?;
    let strategy = &op.report().loops[0].strategy;
    assert!(strategy.ends_with(&Isa::best().to_string()), "{strategy}");
    Ok(())
}
