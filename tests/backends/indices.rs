//! Indices as values: elements that kernels compare and write, maps that are read and written like dats.

use crate::support::mesh::{Edges, Kind, Nodes};
use crate::support::{Mesh, on_every_backend, samples};
use op2::{Idx, Ordering, Row, op_par_loop};

/// Meshes of every kind that have a node for every edge.
fn meshes() -> Vec<Mesh> {
    Mesh::all().into_iter().filter(|m| m.nodes > 0).collect()
}

/// For each node another one, or none.
fn goals(m: &Mesh) -> Vec<[Option<u32>; 1]> {
    (0..m.nodes as u32).map(|n| [(n % 3 != 1).then_some((5 * n + 2) % m.nodes as u32)]).collect()
}

/// Ends that have a goal go there, and an edge whose ends meet is dead.
#[op2::kernel]
fn redirect(goal: [&Option<Idx<Nodes>>; 2], ends: &mut [Idx<Nodes>; 2], alive: &mut bool, moved: &mut u32) {
    for i in 0..2 {
        if let Some(goal) = *goal[i] {
            *moved += u32::from(goal != ends[i]);
            ends[i] = goal;
        }
    }
    *alive = ends[0] != ends[1];
}

#[op2::kernel]
fn spread(w: &f64, x: [&f64; 2], sum: [&mut f64; 2]) {
    *sum[0] += *w * *x[1];
    *sum[1] -= *w * *x[0];
}

/// Loops through a map, and loops that write its entries, in turn: each goes by the entries that the one before has left.
#[test]
fn maps_change_between_loops_that_follow_them() {
    type Found = (Vec<[u32; 2]>, Vec<bool>, Vec<f64>, u32);
    let expected = |m: &Mesh| -> Found {
        let (w, x, mut sum) = (samples::<f64>(m.edges, 1), samples::<f64>(m.nodes, 2), vec![0.0; m.nodes]);
        let (mut ends, goals, mut moved) = (m.rows::<2>(1), goals(m), 0);
        for _ in 0..3 {
            for (w, row) in w.iter().zip(&mut ends) {
                let [a, b] = row.map(|node| node as usize);
                sum[a] += w * x[b];
                sum[b] -= w * x[a];
                for end in row {
                    let [goal] = goals[*end as usize];
                    moved += u32::from(goal.is_some_and(|goal| goal != *end));
                    *end = goal.unwrap_or(*end);
                }
            }
        }
        (ends.clone(), ends.iter().map(|[a, b]| a != b).collect(), sum, moved)
    };
    on_every_backend(&meshes(), expected, |op, m| {
        let set = m.declare(op)?;
        let ends = op.decl_map("ends", set.edges, set.nodes, &m.rows::<2>(1))?;
        let goal = op.decl_opt_map("goal", set.nodes, set.nodes, &goals(m))?;
        let w = op.decl_dat("w", set.edges, &samples::<f64>(m.edges, 1))?;
        let x = op.decl_dat("x", set.nodes, &samples::<f64>(m.nodes, 2))?;
        let sum = op.decl_dat_filled("sum", set.nodes, 0.0)?;
        let alive = op.decl_dat_filled("alive", set.edges, false)?;
        let moved = op.decl_global("moved", 0_u32);
        for _ in 0..3 {
            op_par_loop!(op, spread, set.edges, read(w), read(x, ends[..]), inc(sum, ends[..]))?;
            op_par_loop!(op, redirect, set.edges, read(goal, ends[..]), rw(ends), write(alive), gbl_inc(moved))?;
        }
        Ok((op.fetch_map(ends)?, op.fetch(alive)?, op.fetch(sum)?, op.get(moved)?))
    });
}

/// The element itself and others, as indices.
#[op2::kernel]
fn chosen(
    me: Idx<Edges>,
    start: Idx<Nodes>,
    other: Option<Idx<Nodes>>,
    near: &[Option<Idx<Nodes>>; 3],
    own: &mut Option<Idx<Edges>>,
    last: &mut [Option<Idx<Nodes>>; 2],
    first: &mut Idx<Nodes>,
) {
    let mut found = None;
    for i in 0..3 {
        if near[i] == other || near[i].is_none() {
            found = near[(i + 1) % 3];
        }
    }
    *own = match found {
        Some(_) => Some(me),
        None => None,
    };
    *last = [found, Some(other.unwrap_or(start))];
    *first = found.unwrap_or(start);
}

#[test]
fn elements_are_compared_and_kept() {
    type Found = (Vec<[Option<u32>; 1]>, Vec<[Option<u32>; 2]>, Vec<[u32; 1]>);
    let near = |m: &Mesh| -> Vec<[Option<u32>; 3]> {
        let there = |e: usize, i: usize| !(5 * e + 2 * i).is_multiple_of(4);
        let rows = m.rows::<3>(3).into_iter().enumerate();
        rows.map(|(e, row)| std::array::from_fn(|i| there(e, i).then_some(row[i]))).collect()
    };
    let other = |m: &Mesh| -> Vec<[Option<u32>; 2]> {
        let rows = m.rows::<2>(4).into_iter().enumerate();
        rows.map(|(e, row)| [None, (e % 3 > 0).then_some(row[1])]).collect()
    };
    let expected = |m: &Mesh| -> Found {
        let mut found: Found = Default::default();
        let rows = m.rows::<2>(1).into_iter().zip(other(m)).zip(near(m)).enumerate();
        for (e, (([start, _], [_, other]), near)) in rows {
            let mut last = None;
            for i in 0..3 {
                if near[i] == other || near[i].is_none() {
                    last = near[(i + 1) % 3];
                }
            }
            found.0.push([last.map(|_| e as u32)]);
            found.1.push([last, Some(other.unwrap_or(start))]);
            found.2.push([last.unwrap_or(start)]);
        }
        found
    };
    on_every_backend(&meshes(), expected, |op, m| {
        let set = m.declare(op)?;
        let ends = op.decl_map("ends", set.edges, set.nodes, &m.rows::<2>(1))?;
        let near = op.decl_opt_map("near", set.edges, set.nodes, &near(m))?;
        let other = op.decl_opt_map("other", set.edges, set.nodes, &other(m))?;
        let own = op.decl_opt_map::<_, _, u32, 1>("own", set.edges, set.edges, &vec![[None]; m.edges])?;
        let last = op.decl_opt_map::<_, _, u32, 2>("last", set.edges, set.nodes, &vec![[None; 2]; m.edges])?;
        let first = op.decl_map("first", set.edges, set.nodes, &vec![[0_u32]; m.edges])?;
        op_par_loop!(
            op,
            chosen,
            set.edges,
            idx(),
            idx(ends[0]),
            idx(other[1]),
            read(near),
            write(own),
            write(last),
            write(first)
        )?;
        Ok((op.fetch_opt_map(own)?, op.fetch_opt_map(last)?, op.fetch_map(first)?))
    });
}

/// The indices of all entries: users' numbers, of entries that may be missing, too, and elements.
#[op2::kernel]
fn ranked<const N: usize>(
    number: [u32; 2],
    far: [Option<i64>; N],
    near: [Idx<Nodes>; N],
    other: [Option<Idx<Nodes>>; N],
    x: [&f64; 2],
    rank: [&mut f64; 2],
    found: &mut [u32; 2],
) {
    *rank[0] += *x[1] * f64::from(number[0]);
    *rank[1] += if number[0] < number[1] { *x[0] } else { -*x[1] };
    *found = [0; 2];
    for i in 0..N {
        found[0] += if let Some(far) = far[i] { (far % 1000) as u32 + 1 } else { 7 };
        found[0] += u32::from(far[i].unwrap_or(-1) == i64::from(number[1])) + 3 * u32::from(far[i].is_none());
        found[1] += u32::from(other[i] == Some(near[i])) + 10 * u32::from(other[i].is_some());
        if let Some(other) = other[(i + 1) % N] {
            found[1] += 100 * u32::from(other == near[0]);
        }
    }
}

#[test]
fn indices_of_all_entries() {
    type Found = (Vec<f64>, Vec<[u32; 2]>);
    let far = |m: &Mesh| -> Vec<[Option<u32>; 3]> {
        let there = |e: usize, i: usize| !(5 * e + 2 * i).is_multiple_of(4);
        let rows = m.rows::<3>(3).into_iter().enumerate();
        rows.map(|(e, row)| std::array::from_fn(|i| there(e, i).then_some(row[i]))).collect()
    };
    let expected = |m: &Mesh| -> Found {
        let (x, mut rank, mut found) = (samples::<f64>(m.nodes, 2), vec![0.0; m.nodes], Vec::new());
        for ((number, far), near) in m.rows::<2>(1).into_iter().zip(far(m)).zip(m.rows::<3>(3)) {
            let [a, b] = number.map(|node| node as usize);
            rank[a] += x[b] * f64::from(number[0]);
            rank[b] += if a < b { x[a] } else { -x[b] };
            let mut of = [0; 2];
            for i in 0..3 {
                of[0] += far[i].map_or(7, |far| far % 1000 + 1);
                of[0] += u32::from(far[i] == Some(number[1])) + 3 * u32::from(far[i].is_none());
                of[1] += u32::from(far[i] == Some(near[i])) + 10 * u32::from(far[i].is_some());
                of[1] += 100 * u32::from(far[(i + 1) % 3] == Some(near[0]));
            }
            found.push(of);
        }
        (rank, found)
    };
    on_every_backend(&meshes(), expected, |op, m| {
        let set = m.declare(op)?;
        let ends = op.decl_map("ends", set.edges, set.nodes, &m.rows::<2>(1))?;
        let near = op.decl_map("near", set.edges, set.nodes, &m.rows::<3>(3))?;
        let far = op.decl_opt_map("far", set.edges, set.nodes, &far(m))?;
        let x = op.decl_dat("x", set.nodes, &samples::<f64>(m.nodes, 2))?;
        let rank = op.decl_dat_filled("rank", set.nodes, 0.0)?;
        let found = op.decl_dat_filled("found", set.edges, [0_u32; 2])?;
        op_par_loop!(
            op,
            ranked,
            set.edges,
            idx(ends[..]),
            idx(far[..]),
            idx(near[..]),
            idx(far[..]),
            read(x, ends[..]),
            inc(rank, ends[..]),
            write(found)
        )?;
        Ok((op.fetch(rank)?, op.fetch(found)?))
    });
}

/// Rows have the methods of arrays.
#[op2::kernel]
fn sweep(near: &[Option<Idx<Nodes>>; 3], ends: &mut [Idx<Nodes>; 2], count: &mut u32) {
    *count = ends.len() as u32;
    for (k, other) in near.iter().enumerate() {
        *count += k as u32 * u32::from(*other == Some(ends[0]) || other.is_none());
    }
    for (end, other) in ends.iter_mut().zip(near) {
        *end = other.unwrap_or(*end);
    }
    let [a, b] = ends.map(|end| if end == ends[0] { near[2] } else { Some(end) });
    *count += 100 * u32::from(a == b);
}

#[test]
fn rows_have_the_methods_of_arrays() {
    type Found = (Vec<[u32; 2]>, Vec<u32>);
    let near = |m: &Mesh| -> Vec<[Option<u32>; 3]> {
        let rows = m.rows::<3>(1).into_iter().enumerate();
        rows.map(|(e, row)| std::array::from_fn(|i| (e % 4 > i).then_some(row[i]))).collect()
    };
    let expected = |m: &Mesh| -> Found {
        let rows = m.rows::<2>(1).into_iter().zip(near(m));
        let one = |(mut ends, near): ([u32; 2], [Option<u32>; 3])| {
            let found = (0..3).filter(|i| near[*i].is_none_or(|other| other == ends[0]));
            let mut count = 2 + found.sum::<usize>() as u32;
            ends.iter_mut().zip(near).for_each(|(end, other)| *end = other.unwrap_or(*end));
            let [a, b] = ends.map(|end| if end == ends[0] { near[2] } else { Some(end) });
            count += 100 * u32::from(a == b);
            (ends, count)
        };
        rows.map(one).unzip()
    };
    on_every_backend(&meshes(), expected, |op, m| {
        let set = m.declare(op)?;
        let ends = op.decl_map("ends", set.edges, set.nodes, &m.rows::<2>(1))?;
        let near = op.decl_opt_map("near", set.edges, set.nodes, &near(m))?;
        let count = op.decl_dat_filled("count", set.edges, 0_u32)?;
        op_par_loop!(op, sweep, set.edges, read(near), rw(ends), write(count))?;
        Ok((op.fetch_map(ends)?, op.fetch(count)?))
    });
}

/// A ring of nodes that is walked by its own entries.
#[test]
fn a_map_leads_where_the_loop_before_it_said() {
    let ring = [7, 30, 521].map(|nodes| Mesh { edges: nodes, nodes, kind: Kind::Ring });
    let expected = |m: &Mesh| -> Vec<[u32; 1]> {
        let mut next: Vec<u32> = (0..m.nodes as u32).map(|n| (n + 1) % m.nodes as u32).collect();
        for _ in 0..4 {
            next = next.iter().map(|n| next[*n as usize]).collect();
        }
        next.into_iter().map(|n| [n]).collect()
    };
    on_every_backend(&ring, expected, |op, m| {
        let set = m.declare(op)?;
        let rows: Vec<[u32; 1]> = (0..m.nodes as u32).map(|n| [(n + 1) % m.nodes as u32]).collect();
        let (next, far) =
            (op.decl_map("next", set.nodes, set.nodes, &rows)?, op.decl_map("far", set.nodes, set.nodes, &rows)?);
        for round in 0..4 {
            op_par_loop!(op, jump, set.nodes, read(next, next[0]), write(far))?;
            match round % 2 {
                0 => op.swap(next, far)?,
                _ => op_par_loop!(op, take, set.nodes, read(far), write(next))?,
            }
        }
        op.fetch_map(next)
    });
}

#[op2::kernel]
fn jump(next: &Idx<Nodes>, far: &mut Idx<Nodes>) {
    *far = *next;
}

#[op2::kernel]
fn take(far: &[Idx<Nodes>; 1], next: &mut Idx<Nodes>) {
    *next = far[0];
}

/// Entries of edges as indices, by whole rows and by pairs, beside the node that they are compared with.
#[op2::kernel]
fn counted(ends: &Row<[Idx<Nodes>; 2]>, goal: Option<&Row<Option<Idx<Nodes>>>>, me: Idx<Nodes>, count: &mut [u32; 2]) {
    *count = [0; 2];
    for k in 0..ends.len() {
        count[0] += u32::from(ends[k][0] == me) + 2 * u32::from(ends[k][1] == me);
    }
    if let Some(goal) = goal {
        for k in 0..goal.len() {
            if goal[k] == Some(me) || goal[k].is_none() {
                count[1] += 1;
            }
        }
    }
}

#[op2::kernel]
fn met(ends: &[Idx<Nodes>; 2], me: Idx<Nodes>, count: &mut u32) {
    if ends[0] == me {
        *count += 1;
    }
    if ends[1] == me {
        *count += 2;
    }
}

#[op2::kernel]
fn turned(ends: &mut Row<[Idx<Nodes>; 2]>) {
    for k in 0..ends.len() {
        ends[k] = [ends[k][1], ends[k][0]];
    }
}

#[test]
fn rows_and_pairs_have_indices() {
    type Found = (Vec<[u32; 2]>, Vec<[u32; 2]>, Vec<u32>, Vec<[u32; 2]>);
    // Each edge is in the row of the node that it starts from.
    let rows = |m: &Mesh| -> Vec<Vec<u32>> {
        let mut rows = vec![Vec::new(); m.nodes];
        (0..).zip(m.rows::<2>(1)).for_each(|(e, [a, _])| rows[a as usize].push(e));
        rows
    };
    let goal = |m: &Mesh| -> Vec<[Option<u32>; 1]> {
        m.rows::<1>(5).into_iter().enumerate().map(|(e, [n])| [(e % 4 > 0).then_some(n)]).collect()
    };
    let expected = |m: &Mesh| -> Found {
        let (ends, goal, mut found): (_, _, Found) = (m.rows::<2>(1), goal(m), Default::default());
        for (n, row) in (0..).zip(rows(m)) {
            let ends = row.iter().map(|e| ends[*e as usize]);
            let met = ends.map(|[a, b]| u32::from(a == n) + 2 * u32::from(b == n)).sum();
            let goals = row.iter().filter(|e| goal[**e as usize][0].is_none_or(|goal| goal == n)).count() as u32;
            found.0.push([met, goals]);
            found.1.push([met, 0]);
            found.2.push(met);
        }
        found.3 = ends.into_iter().map(|[a, b]| [b, a]).collect();
        found
    };
    on_every_backend(&meshes(), expected, |op, m| {
        let set = m.declare(op)?;
        let ends = op.decl_map("ends", set.edges, set.nodes, &m.rows::<2>(1))?;
        let goal = op.decl_opt_map("goal", set.edges, set.nodes, &goal(m))?;
        let rows = rows(m);
        let starts = rows.iter().scan(0, |end, row| {
            *end += row.len();
            Some(*end)
        });
        let starts: Vec<usize> = std::iter::once(0).chain(starts).collect();
        let around = op.decl_rows("around", set.nodes, set.edges, &starts, &rows.concat())?;
        let (with, without) =
            (op.decl_dat_filled("with", set.nodes, [7_u32; 2])?, op.decl_dat_filled("without", set.nodes, [7_u32; 2])?);
        let by_pairs = op.decl_dat_filled("by pairs", set.nodes, 0_u32)?;
        for (there, count) in [(true, with), (false, without)] {
            let goals = opt_of(there, goal);
            op_par_loop!(
                op,
                counted,
                set.nodes,
                read(ends, around[..]),
                opt(goals.0, read(goals.1, around[..])),
                idx(),
                write(count)
            )?;
        }
        op_par_loop!(op, met, around.pairs(), read(ends, to), idx(from), inc(by_pairs, from))?;
        op_par_loop!(op, turned, set.nodes, rw(ends, around[..]))?;
        Ok((op.fetch(with)?, op.fetch(without)?, op.fetch(by_pairs)?, op.fetch_map(ends)?))
    });
}

fn opt_of<M>(there: bool, map: M) -> (bool, M) {
    (there, map)
}

/// What loops have written to a map goes with its elements: into a new order, and out of the set.
#[test]
fn written_entries_follow_their_elements() {
    type Found = (Vec<[u32; 2]>, Vec<f64>);
    let expected = |m: &Mesh| -> Found {
        let (mut ends, goals, x) = (m.rows::<2>(1), goals(m), samples::<f64>(m.nodes, 2));
        let mut sum = vec![0.0; m.nodes];
        for round in 0..2 {
            for row in &mut ends {
                *row = row.map(|end| goals[end as usize][0].unwrap_or(end));
            }
            let w = samples::<f64>(ends.len(), 3 + round);
            for (w, row) in w.iter().zip(&ends) {
                let [a, b] = row.map(|node| node as usize);
                sum[a] += w * x[b];
                sum[b] -= w * x[a];
            }
            ends.retain(|[a, b]| a != b);
        }
        (ends, sum)
    };
    on_every_backend(&meshes(), expected, |op, m| {
        let set = m.declare(op)?;
        let ends = op.decl_map("ends", set.edges, set.nodes, &m.rows::<2>(1))?;
        let goal = op.decl_opt_map("goal", set.nodes, set.nodes, &goals(m))?;
        let x = op.decl_dat("x", set.nodes, &samples::<f64>(m.nodes, 2))?;
        let sum = op.decl_dat_filled("sum", set.nodes, 0.0)?;
        let alive = op.decl_dat_filled("alive", set.edges, false)?;
        let moved = op.decl_global("moved", 0_u32);
        let w = op.decl_dat_filled("w", set.edges, 0.0)?;
        for round in 0..2 {
            let size = op.size(set.edges)?;
            op.set_data(w, &samples::<f64>(size, 3 + round))?;
            op.chain(|op| {
                op_par_loop!(op, redirect, set.edges, read(goal, ends[..]), rw(ends), write(alive), gbl_inc(moved))?;
                op_par_loop!(op, spread, set.edges, read(w), read(x, ends[..]), inc(sum, ends[..]))
            })?;
            op.reorder(Ordering::Rcm)?;
            op.compact(set.edges, alive)?;
        }
        Ok((op.fetch_map(ends)?, op.fetch(sum)?))
    });
}
