//! Rows of any length, which kernels take as wholes.

use crate::support::mesh::{Cells, Edges, Kind, Nodes};
use crate::support::{Mesh, Subject, on_every_backend, samples};
use op2::{Backend, Config, Error, Isa, Op2, Row, Rows, Set, op_par_loop};

/// Rows between 0 and 6 entries, every ninth one much longer; some nodes occur several times in a row.
fn lists(m: &Mesh) -> Vec<Vec<u32>> {
    let all = m.rows::<40>(1).into_iter().enumerate();
    let len = |e: usize| if e % 9 == 4 { 40 } else { e * 7 % 5 + e % 3 };
    all.map(|(e, row)| if m.nodes == 0 { Vec::new() } else { row[..len(e)].to_vec() }).collect()
}

/// The starts of rows, and all entries.
fn flat(lists: &[Vec<u32>]) -> (Vec<usize>, Vec<u32>) {
    let starts = lists.iter().scan(0, |end, row| {
        *end += row.len();
        Some(*end)
    });
    (std::iter::once(0).chain(starts).collect(), lists.concat())
}

struct Declared {
    edges: Set<Edges>,
    nodes: Set<Nodes>,
    rows: Rows<Edges, Nodes>,
}

fn declared(op: &mut Subject, m: &Mesh) -> op2::Result<Declared> {
    let set = m.declare(op)?;
    let (starts, entries) = flat(&lists(m));
    let rows = op.decl_rows("rows", set.edges, set.nodes, &starts, &entries)?;
    Ok(Declared { edges: set.edges, nodes: set.nodes, rows })
}

#[op2::kernel]
fn product(a: &Row<f64>, x: &Row<f64>, y: &mut f64) {
    *y = 0.0;
    for i in 0..a.len() {
        *y += a[i] * x[i];
    }
}

/// The values of a sparse matrix lie on the set of its entries, which own leads to.
#[test]
fn a_sparse_product() {
    let expected = |m: &Mesh| {
        let x: Vec<f64> = samples(m.nodes, 2);
        let a: Vec<f64> = samples(flat(&lists(m)).1.len(), 3);
        let mut values = a.iter();
        let product = |row: &Vec<u32>| row.iter().fold(0.0, |y, &node| y + values.next().unwrap() * x[node as usize]);
        lists(m).iter().map(product).collect::<Vec<f64>>()
    };
    on_every_backend(&Mesh::all(), expected, |op, m| {
        let set = declared(op, m)?;
        let (starts, entries) = flat(&lists(m));
        let values = op.decl_set::<Cells>("values", entries.len())?;
        let numbers: Vec<usize> = (0..entries.len()).collect();
        let own = op.decl_rows("own", set.edges, values, &starts, &numbers)?;
        let a = op.decl_dat("a", values, &samples::<f64>(entries.len(), 3))?;
        let x = op.decl_dat("x", set.nodes, &samples::<f64>(m.nodes, 2))?;
        let y = op.decl_dat("y", set.edges, &vec![7.0; m.edges])?;
        op_par_loop!(op, product, set.edges, read(a, own[..]), read(x, set.rows[..]), write(y))?;
        op.fetch(y)
    });
}

/// Lengths, and a value of which a device function takes a part.
#[op2::device_fn]
fn part(x: &Row<[f64; 2]>, i: usize, scale: &[f64; 2]) -> f64 {
    let value = x[i];
    let other = x[x.len() - 1 - i];
    value[0] * scale[1] - other[1]
}

#[op2::kernel]
fn combine(
    x: &Row<[f64; 2]>,
    w: &f64,
    sum: &mut Row<[f64; 2]>,
    count: &mut Row<u32>,
    least: &mut Row<f64>,
    bits: &mut Row<u32>,
    total: &mut f64,
    entries: &mut u32,
) {
    for i in 0..x.len() {
        let flow = part(x, i, &x[0]) + *w;
        sum[i][0] += flow;
        for c in 0..2 {
            sum[i][c] -= x[i][c];
        }
        count[i] += 1;
        least[i] = least[i].min(flow);
        bits[i] |= 1 << (i % 32);
        *total += flow;
    }
    *entries += x.len() as u32;
}

#[test]
fn every_way_to_combine() {
    type Results = (Vec<[f64; 2]>, Vec<u32>, Vec<f64>, Vec<u32>, f64, u32);
    let expected = |m: &Mesh| -> Results {
        let (x, w) = (samples::<[f64; 2]>(m.nodes, 2), samples::<f64>(m.edges, 3));
        let mut sum = samples::<[f64; 2]>(m.nodes, 4);
        let (mut count, mut least, mut bits) = (vec![5; m.nodes], vec![0.5; m.nodes], vec![0_u32; m.nodes]);
        let (mut total, mut entries) = (0.0, 0);
        for (e, row) in lists(m).iter().enumerate() {
            for (i, &node) in row.iter().enumerate() {
                let (mine, other) = (x[node as usize], x[row[row.len() - 1 - i] as usize]);
                let flow = mine[0] * x[row[0] as usize][1] - other[1] + w[e];
                let node = node as usize;
                sum[node][0] += flow;
                (0..2).for_each(|c| sum[node][c] -= mine[c]);
                count[node] += 1;
                least[node] = f64::min(least[node], flow);
                bits[node] |= 1 << (i % 32);
                total += flow;
            }
            entries += row.len() as u32;
        }
        (sum, count, least, bits, total, entries)
    };
    on_every_backend(&Mesh::all(), expected, |op, m| {
        let Declared { edges, nodes, rows } = declared(op, m)?;
        let (x, w) = (op.decl_dat("x", nodes, &samples(m.nodes, 2))?, op.decl_dat("w", edges, &samples(m.edges, 3))?);
        let sum = op.decl_dat("sum", nodes, &samples(m.nodes, 4))?;
        let count = op.decl_dat("count", nodes, &vec![5_u32; m.nodes])?;
        let least = op.decl_dat("least", nodes, &vec![0.5; m.nodes])?;
        let bits = op.decl_dat("bits", nodes, &vec![0_u32; m.nodes])?;
        let (total, entries) = (op.decl_global("total", 0.0), op.decl_global("entries", 0_u32));
        op_par_loop!(
            op,
            combine,
            edges,
            read(x, rows[..]),
            read(w),
            inc(sum, rows[..]),
            inc(count, rows[..]),
            min(least, rows[..]),
            or(bits, rows[..]),
            gbl_inc(total),
            gbl_inc(entries)
        )?;
        Ok((op.fetch(sum)?, op.fetch(count)?, op.fetch(least)?, op.fetch(bits)?, op.get(total)?, op.get(entries)?))
    });
}

/// Lengths that differ from lane to lane are no obstacle.
#[test]
fn rows_run_in_lanes() -> op2::Result<()> {
    let m = Mesh { edges: 600, nodes: 300, kind: Kind::Random };
    let mut op = Subject::from(Op2::with(Config::default().backend(Backend::Threads(1)).isa(Isa::best()))?);
    let Declared { edges, nodes, rows } = declared(&mut op, &m)?;
    let (x, w) = (op.decl_dat_filled("x", nodes, [1.0; 2])?, op.decl_dat_filled("w", edges, 1.0)?);
    let (sum, count) = (op.decl_dat_filled("sum", nodes, [0.0; 2])?, op.decl_dat_filled("count", nodes, 0_u32)?);
    let (least, bits) = (op.decl_dat_filled("least", nodes, 0.0)?, op.decl_dat_filled("bits", nodes, 0_u32)?);
    let (total, entries) = (op.decl_global("total", 0.0), op.decl_global("entries", 0_u32));
    op_par_loop!(
        op,
        combine,
        edges,
        read(x, rows[..]),
        read(w),
        inc(sum, rows[..]),
        inc(count, rows[..]),
        min(least, rows[..]),
        or(bits, rows[..]),
        gbl_inc(total),
        gbl_inc(entries)
    )?;
    let strategy = &op.report().loops[0].strategy;
    assert!(strategy.ends_with(&Isa::best().to_string()), "{strategy}");
    Ok(())
}

#[op2::kernel]
fn bound(x: &f64, least: &mut Row<[f64; 2]>, most: &mut Row<f64>) {
    for i in 0..least.len() {
        if *x < least[i][1] {
            least[i][1] = *x;
        }
    }
    for i in 0..most.len() {
        if *x > most[i] {
            most[i] = *x;
        }
    }
}

/// A kernel does not see what the dat holds, so that a NaN is no obstacle.
#[test]
fn minima_of_values_that_are_no_numbers() {
    let start = |m: &Mesh| -> Vec<[f64; 2]> {
        let one = |(n, x): (usize, [f64; 2])| if n % 3 == 1 { [f64::NAN, f64::NAN] } else { x };
        samples::<[f64; 2]>(m.nodes, 4).into_iter().enumerate().map(one).collect()
    };
    let bits = |least: Vec<[f64; 2]>, most: Vec<f64>| -> Vec<u64> {
        least.into_flattened().into_iter().chain(most).map(f64::to_bits).collect()
    };
    let expected = |m: &Mesh| {
        let x = samples::<f64>(m.edges, 3);
        let (mut least, mut most) = (start(m), start(m).iter().map(|x| x[0]).collect::<Vec<f64>>());
        for (x, row) in x.iter().zip(lists(m)) {
            for node in row.into_iter().map(|node| node as usize) {
                let [a, b] = least[node];
                least[node] = [a.min(f64::INFINITY), b.min(*x)];
                most[node] = most[node].max(*x);
            }
        }
        bits(least, most)
    };
    on_every_backend(&Mesh::all(), expected, |op, m| {
        let Declared { edges, nodes, rows } = declared(op, m)?;
        let x = op.decl_dat("x", edges, &samples::<f64>(m.edges, 3))?;
        let least = op.decl_dat("least", nodes, &start(m))?;
        let most = op.decl_dat("most", nodes, &start(m).iter().map(|x| x[0]).collect::<Vec<f64>>())?;
        op_par_loop!(op, bound, edges, read(x), min(least, rows[..]), max(most, rows[..]))?;
        Ok(bits(op.fetch(least)?, op.fetch(most)?))
    });
}

#[op2::kernel]
fn change(old: &mut Row<[f64; 2]>, number: &u32, new: &mut Row<u32>) {
    for i in 0..old.len() {
        let [a, b] = old[i];
        old[i] = [b, a + 1.0];
        // Every second one keeps its value.
        if i % 2 == 0 {
            new[i] = *number + i as u32;
        }
    }
}

/// The nodes as children: rows that share nothing.
fn children(m: &Mesh) -> Vec<Vec<u32>> {
    let mut next = 0..m.nodes as u32;
    (0..m.edges).map(|e| next.by_ref().take(if e % 7 == 3 { 11 } else { e % 4 }).collect()).collect()
}

#[test]
fn rows_that_are_written() {
    let expected = |m: &Mesh| {
        let (mut old, mut new) = (samples::<[f64; 2]>(m.nodes, 1), vec![3_u32; m.nodes]);
        for (e, row) in children(m).iter().enumerate() {
            for (i, &node) in row.iter().enumerate() {
                let [a, b] = old[node as usize];
                old[node as usize] = [b, a + 1.0];
                if i % 2 == 0 {
                    new[node as usize] = (100 * e + i) as u32;
                }
            }
        }
        (old, new)
    };
    on_every_backend(&Mesh::all(), expected, |op, m| {
        let set = m.declare(op)?;
        let (starts, entries) = flat(&children(m));
        let rows = op.decl_rows("children", set.edges, set.nodes, &starts, &entries)?;
        let old = op.decl_dat("old", set.nodes, &samples::<[f64; 2]>(m.nodes, 1))?;
        let new = op.decl_dat("new", set.nodes, &vec![3_u32; m.nodes])?;
        let number: Vec<u32> = (0..m.edges as u32).map(|e| 100 * e).collect();
        let number = op.decl_dat("number", set.edges, &number)?;
        op_par_loop!(op, change, set.edges, rw(old, rows[..]), read(number), write(new, rows[..]))?;
        Ok((op.fetch(old)?, op.fetch(new)?))
    });
}

#[op2::kernel]
fn spread(x: &Row<f64>, near: &f64, sum: &mut Row<f64>, first: &mut f64, own: Option<&Row<f64>>) {
    let mut total = *near;
    for i in 0..x.len() {
        total += x[i];
    }
    if let Some(own) = own {
        for i in 0..own.len() {
            total -= 0.5 * own[i];
        }
    }
    for i in 0..sum.len() {
        sum[i] += total * (i + 1) as f64;
    }
    *first -= *near;
}

/// A map of one arity as rows, beside single entries of it, and rows that may be absent.
#[test]
fn maps_of_one_arity_and_absent_rows() {
    let expected = |m: &Mesh| {
        let x: Vec<f64> = samples(m.nodes, 2);
        let sums = [false, true].map(|there| {
            let mut sum: Vec<f64> = samples(m.nodes, 4);
            for (row, own) in m.rows::<3>(5).iter().zip(lists(m)) {
                let near = x[row[2] as usize];
                let mut total = near + row.iter().map(|&node| x[node as usize]).sum::<f64>();
                if there {
                    own.iter().for_each(|&node| total -= 0.5 * x[node as usize]);
                }
                for (i, &node) in row.iter().enumerate() {
                    sum[node as usize] += total * (i + 1) as f64;
                }
                sum[row[0] as usize] -= near;
            }
            sum
        });
        let [without, with] = sums;
        (without, with)
    };
    on_every_backend(&Mesh::all(), expected, |op, m| {
        let Declared { edges, nodes, rows } = declared(op, m)?;
        let map = op.decl_map("map", edges, nodes, &m.rows::<3>(5))?;
        let x = op.decl_dat("x", nodes, &samples::<f64>(m.nodes, 2))?;
        let mut sums = Vec::new();
        for there in [false, true] {
            let sum = op.decl_dat("sum", nodes, &samples::<f64>(m.nodes, 4))?;
            op_par_loop!(
                op,
                spread,
                edges,
                read(x, map[..]),
                read(x, map[2]),
                inc(sum, map[..]),
                inc(sum, map[0]),
                opt(there, read(x, rows[..]))
            )?;
            sums.push(op.fetch(sum)?);
        }
        let with = sums.pop().unwrap_or_default();
        Ok((sums.pop().unwrap_or_default(), with))
    });
}

#[op2::kernel]
fn add(sum: Option<&mut Row<f64>>, length: &mut u32) {
    *length = 77;
    if let Some(sum) = sum {
        *length = sum.len() as u32;
        for i in 0..sum.len() {
            sum[i] += 1.5;
        }
    }
}

/// Subsets, contributions that may be absent, and rows that are replaced.
#[test]
fn subsets_and_rows_that_change() {
    let some = |m: &Mesh| (0..m.edges).filter(|e| e % 3 != 1).collect::<Vec<_>>();
    let turned = |m: &Mesh| lists(m).into_iter().rev().collect::<Vec<_>>();
    let expected = |m: &Mesh| {
        let mut results = Vec::new();
        let mut sum = vec![0.25; m.nodes];
        for (round, lists) in [lists(m), turned(m), turned(m)].iter().enumerate() {
            let mut length = vec![0_u32; m.edges];
            for e in some(m) {
                length[e] = if round == 2 { 77 } else { lists[e].len() as u32 };
                if round < 2 {
                    lists[e].iter().for_each(|&node| sum[node as usize] += 1.5);
                }
            }
            results.push((sum.clone(), length));
        }
        results
    };
    on_every_backend(&Mesh::all(), expected, |op, m| {
        let Declared { edges, nodes, rows } = declared(op, m)?;
        let some = op.decl_subset("some", edges, &some(m))?;
        let sum = op.decl_dat("sum", nodes, &vec![0.25; m.nodes])?;
        let mut results = Vec::new();
        for round in 0..3 {
            if round == 1 {
                let (starts, entries) = flat(&turned(m));
                op.set_rows(rows, &starts, &entries)?;
            }
            let length = op.decl_dat("length", edges, &vec![0_u32; m.edges])?;
            op_par_loop!(op, add, some, opt(round < 2, inc(sum, rows[..])), write(length))?;
            results.push((op.fetch(sum)?, op.fetch(length)?));
        }
        Ok(results)
    });
}

#[op2::device_fn]
fn length(v: &[f64; 2]) -> f64 {
    v[0] * v[0] + v[1]
}

#[op2::kernel]
fn lend(x: &Row<[f64; 2]>, y: &mut Row<f64>, sum: &mut f64) {
    *sum = 0.0;
    for i in 0..x.len() {
        let value = &x[i];
        let one = &mut y[i];
        *one = value[1] - length(&x[x.len() - 1]);
        *sum += length(value);
    }
}

/// References to entries, and of a row that nobody else has.
#[test]
fn entries_are_lent() {
    let expected = |m: &Mesh| {
        let (x, mut y) = (samples::<[f64; 2]>(m.nodes, 1), vec![0.5; m.nodes]);
        let length = |v: [f64; 2]| v[0] * v[0] + v[1];
        let sums: Vec<f64> = children(m)
            .iter()
            .map(|row| {
                row.iter().for_each(|&n| y[n as usize] = x[n as usize][1] - length(x[row[row.len() - 1] as usize]));
                row.iter().fold(0.0, |sum, &n| sum + length(x[n as usize]))
            })
            .collect();
        (y, sums)
    };
    on_every_backend(&Mesh::all(), expected, |op, m| {
        let set = m.declare(op)?;
        let (starts, entries) = flat(&children(m));
        let rows = op.decl_rows("children", set.edges, set.nodes, &starts, &entries)?;
        let x = op.decl_dat("x", set.nodes, &samples::<[f64; 2]>(m.nodes, 1))?;
        let y = op.decl_dat("y", set.nodes, &vec![0.5; m.nodes])?;
        let sum = op.decl_dat("sum", set.edges, &vec![0.0; m.edges])?;
        op_par_loop!(op, lend, set.edges, read(x, rows[..]), write(y, rows[..]), write(sum))?;
        Ok((op.fetch(y)?, op.fetch(sum)?))
    });
}

#[op2::kernel]
fn beyond(x: &Row<f64>, y: &mut f64) {
    *y = x[x.len()];
}

/// Faults of declarations and calls name the place, the value and the cure.
#[test]
fn faults_are_told() {
    let mut op = Op2::with(Config::default().backend(Backend::Seq)).unwrap();
    let edges = op.decl_set::<Edges>("edges", 2).unwrap();
    let nodes = op.decl_set::<Nodes>("nodes", 3).unwrap();
    let told = |result: op2::Result<Rows<Edges, Nodes>>, expected: &str| {
        let error = result.unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    };
    told(
        op.decl_rows("r", edges, nodes, &[0, 1], &[0]),
        "found 2 starts, expected 3: one for each element of set `edges`",
    );
    told(op.decl_rows("r", edges, nodes, &[1, 1, 1], &[0]), "start 0 of its rows is 1, expected 0");
    told(op.decl_rows("r", edges, nodes, &[0, 2, 1], &[0, 0]), "start 2 of its rows is 1, expected 2 or more");
    told(
        op.decl_rows("r", edges, nodes, &[0, 1, 1], &[0, 0]),
        "start 2 of its rows is 1, expected 2: the last row ends",
    );
    told(op.decl_rows("r", edges, nodes, &[0, -1, 2], &[0, 0]), "start 1 of its rows is -1, expected 0..=2");
    told(op.decl_rows("r", edges, nodes, &[0, 1, 2], &[0, 3]), "entry 0 of element 1 is 3, expected 0..3");
    let rows = op.decl_rows("rows", edges, nodes, &[0, 2, 2], &[2, 2]).unwrap();
    let refused = op.set_rows(rows, &[0, 1, 1], &[7]).unwrap_err();
    assert!(matches!(refused, Error::MapEntry { element: 0, .. }), "{refused}");

    // Both entries of the first row are one node.
    let old = op.decl_dat("old", nodes, &[[0.0; 2]; 3]).unwrap();
    let new = op.decl_dat("new", nodes, &[0_u32; 3]).unwrap();
    let number = op.decl_dat("number", edges, &[0_u32; 2]).unwrap();
    let error = op_par_loop!(op, change, edges, rw(old, rows[..]), read(number), write(new, rows[..])).unwrap_err();
    assert!(error.to_string().contains("element 0") && error.to_string().contains("twice"), "{error}");
}

/// A fault of the kernel reaches the caller.
#[test]
#[should_panic(expected = "index out of bounds: the row has 2 entries, but the index is 2")]
fn an_index_beyond_the_row() {
    let mut op = Op2::with(Config::default().backend(Backend::Seq)).unwrap();
    let edges = op.decl_set::<Edges>("edges", 1).unwrap();
    let nodes = op.decl_set::<Nodes>("nodes", 3).unwrap();
    let rows = op.decl_rows("rows", edges, nodes, &[0, 2], &[2, 1]).unwrap();
    let (x, y) = (op.decl_dat("x", nodes, &[1.0; 3]).unwrap(), op.decl_dat("y", edges, &[0.0]).unwrap());
    op_par_loop!(op, beyond, edges, read(x, rows[..]), write(y)).unwrap();
}

/// Kernels are functions, and rows of slices test them.
#[test]
fn kernels_take_rows_of_slices() {
    let mut y = 1.0;
    product(&Row::of(&mut [1.0, 2.0, 3.0]), &Row::of(&mut [0.5, 0.25, 1.0]), &mut y);
    assert_eq!(y, 4.0);
    let mut sum = [0.0, 1.0];
    let mut length = 0;
    add(Some(&mut Row::of(&mut sum)), &mut length);
    assert_eq!((sum, length), ([1.5, 2.5], 2));
    assert!(Row::<f64>::of(&mut []).is_empty());
}

#[op2::kernel]
fn meet(x: &[f64; 2], w: &f64, e: u32, n: u32, sum: &mut [f64; 2], count: &mut u32, back: &mut f64, most: &mut u32) {
    sum[0] += x[0] * *w;
    sum[1] -= x[1];
    *count += 1 + e % 3;
    *back += x[0] - *w;
    *most = (*most).max(n);
}

/// Rows as pairs, with either side outside: contributions to both sides, and the numbers of both.
#[test]
fn rows_are_pairs() {
    type Results = (Vec<[f64; 2]>, Vec<u32>, Vec<f64>, u32);
    let expected = |m: &Mesh| -> (Results, Results) {
        let (x, w) = (samples::<[f64; 2]>(m.nodes, 2), samples::<f64>(m.edges, 3));
        let mut back: Vec<f64> = samples(m.edges, 5);
        let (mut sum, mut count, mut most) = (samples::<[f64; 2]>(m.nodes, 4), vec![5; m.nodes], 0);
        for (e, row) in lists(m).iter().enumerate() {
            for &node in row {
                let n = node as usize;
                sum[n][0] += x[n][0] * w[e];
                sum[n][1] -= x[n][1];
                count[n] += 1 + e as u32 % 3;
                back[e] += x[n][0] - w[e];
                most = most.max(node);
            }
        }
        let results = (sum, count, back, most);
        (results.clone(), results)
    };
    // In the emulator, every pair takes a warp's sums.
    let meshes: Vec<Mesh> = Mesh::all().into_iter().filter(|m| m.edges.max(m.nodes) < 200).collect();
    on_every_backend(&meshes, expected, |op, m| {
        let Declared { edges, nodes, rows } = declared(op, m)?;
        let (x, w) = (op.decl_dat("x", nodes, &samples(m.nodes, 2))?, op.decl_dat("w", edges, &samples(m.edges, 3))?);
        let mut run = |by_to: bool| -> op2::Result<Results> {
            let sum = op.decl_dat("sum", nodes, &samples(m.nodes, 4))?;
            let count = op.decl_dat("count", nodes, &vec![5_u32; m.nodes])?;
            let back = op.decl_dat("back", edges, &samples::<f64>(m.edges, 5))?;
            let most = op.decl_global("most", 0_u32);
            macro_rules! over {
                ($pairs:expr) => {
                    op_par_loop!(
                        op,
                        meet,
                        $pairs,
                        read(x, to),
                        read(w, from),
                        idx(from),
                        idx(to),
                        inc(sum, to),
                        inc(count, to),
                        inc(back, from),
                        gbl_max(most)
                    )?
                };
            }
            if by_to {
                over!(rows.pairs().by_to())
            } else {
                over!(rows.pairs())
            }
            Ok((op.fetch(sum)?, op.fetch(count)?, op.fetch(back)?, op.get(most)?))
        };
        Ok((run(false)?, run(true)?))
    });
}

#[op2::kernel]
fn scaled(x: &f64, w: &f64, y: &mut f64) {
    *y += *w * *x;
}

/// What hangs on rows is made anew when these change, and only then.
#[test]
fn pairs_follow_their_rows() {
    for backend in [Backend::Seq, Backend::Threads(2)] {
        let mut op = Op2::with(Config::default().backend(backend)).unwrap();
        let edges = op.decl_set::<Edges>("edges", 2).unwrap();
        let nodes = op.decl_set::<Nodes>("nodes", 3).unwrap();
        let rows = op.decl_rows("rows", edges, nodes, &[0, 2, 3], &[2, 1, 1]).unwrap();
        let (x, w) =
            (op.decl_dat("x", nodes, &[1.0, 2.0, 4.0]).unwrap(), op.decl_dat("w", edges, &[1.0, 10.0]).unwrap());
        let (y, z) = (op.decl_dat("y", edges, &[0.0; 2]).unwrap(), op.decl_dat("z", nodes, &[0.0; 3]).unwrap());
        let run = |op: &mut Op2| {
            for _ in 0..2 {
                op_par_loop!(op, scaled, rows.pairs(), read(x, to), read(w, from), inc(y, from)).unwrap();
                op_par_loop!(op, scaled, rows.pairs(), read(w, from), read(w, from), inc(z, to)).unwrap();
            }
        };
        run(&mut op);
        assert_eq!((op.fetch(y).unwrap(), op.fetch(z).unwrap()), (vec![12.0, 40.0], vec![0.0, 202.0, 2.0]));
        op.set_rows(rows, &[0, 0, 3], &[0, 1, 0]).unwrap();
        run(&mut op);
        assert_eq!(op.fetch(y).unwrap(), [12.0, 120.0]);
        assert_eq!(op.fetch(z).unwrap(), [400.0, 402.0, 2.0]);
        let grids: Vec<_> = op.report().loops.iter().map(|row| row.search.unwrap().grids).collect();
        assert_eq!(grids, [2, 0], "one for each state of the rows");
    }
}
