//! Dats and maps as tables: values of elements that only the kernel finds.

use crate::support::mesh::{Edges, Nodes};
use crate::support::{Mesh, on_every_backend, samples};
use op2::{Float, Idx, Table, op_par_loop};

fn meshes() -> Vec<Mesh> {
    Mesh::all().into_iter().filter(|m| m.nodes > 0).collect()
}

/// The next node of each, on paths that meet in some, which lead to themselves.
fn next(m: &Mesh) -> Vec<[u32; 1]> {
    (0..m.nodes as u32).map(|n| [if n % 7 == 3 { n } else { (3 * n + 1) % m.nodes as u32 }]).collect()
}

/// Two nodes beside each, of which some are missing.
fn beside(m: &Mesh) -> Vec<[Option<u32>; 2]> {
    let nodes = m.nodes as u32;
    (0..nodes).map(|n| [(n % 4 > 0).then_some((n + 5) % nodes), (n % 3 > 0).then_some((7 * n) % nodes)]).collect()
}

#[op2::device_fn]
fn weight(node: Idx<Nodes>, x: &Table<Nodes, [f64; 2]>, blocked: &Table<Nodes, bool>) -> f64 {
    if blocked.at(node) {
        return 0.0;
    }
    let [a, b] = x.at(node);
    a - 2.0 * b
}

/// Walks at most nine steps, and turns aside where it may.
#[op2::kernel]
fn walk(
    start: Idx<Nodes>,
    next: &Table<Nodes, Idx<Nodes>>,
    beside: &Table<Nodes, [Option<Idx<Nodes>>; 2]>,
    x: &Table<Nodes, [f64; 2]>,
    blocked: &Table<Nodes, bool>,
    sum: &mut f64,
    last: &mut Idx<Nodes>,
    steps: &mut u32,
) {
    let mut at = start;
    let mut found = 0.0;
    let mut count = 0;
    for k in 0..9 {
        found += weight(at, x, blocked);
        let mut to = next.at(at);
        if let Some(other) = beside.at(at)[k % 2] {
            if x.at(other)[0] > 0.25 {
                to = other;
            }
        }
        if to == at {
            break;
        }
        at = to;
        count += 1;
    }
    *sum = found + x.len() as f64;
    *last = at;
    *steps += count;
}

type Walked = (Vec<f64>, Vec<[u32; 1]>, u32);

fn walked(m: &Mesh) -> Walked {
    let (next, beside) = (next(m), beside(m));
    let (x, blocked) = (samples::<[f64; 2]>(m.nodes, 2), samples::<bool>(m.nodes, 3));
    let mut found: Walked = Default::default();
    for [start, _] in m.rows::<2>(1) {
        let (mut at, mut sum) = (start as usize, 0.0);
        for k in 0..9 {
            sum += if blocked[at] { 0.0 } else { x[at][0] - 2.0 * x[at][1] };
            let other = beside[at][k % 2].filter(|other| x[*other as usize][0] > 0.25);
            let to = other.unwrap_or(next[at][0]) as usize;
            if to == at {
                break;
            }
            at = to;
            found.2 += 1;
        }
        found.0.push(sum + m.nodes as f64);
        found.1.push([at as u32]);
    }
    found
}

#[test]
fn kernels_walk_through_tables() {
    on_every_backend(&meshes(), walked, |op, m| {
        let set = m.declare(op)?;
        let ends = op.decl_map("ends", set.edges, set.nodes, &m.rows::<2>(1))?;
        let next = op.decl_map("next", set.nodes, set.nodes, &next(m))?;
        let beside = op.decl_opt_map("beside", set.nodes, set.nodes, &beside(m))?;
        let x = op.decl_dat("x", set.nodes, &samples::<[f64; 2]>(m.nodes, 2))?;
        let blocked = op.decl_dat("blocked", set.nodes, &samples::<bool>(m.nodes, 3))?;
        let sum = op.decl_dat_filled("sum", set.edges, 0.0)?;
        let last = op.decl_map("last", set.edges, set.nodes, &vec![[0_u32]; m.edges])?;
        let steps = op.decl_global("steps", 0_u32);
        op_par_loop!(
            op,
            walk,
            set.edges,
            idx(ends[0]),
            read(next, all),
            read(beside, all),
            read(x, all),
            read(blocked, all),
            write(sum),
            write(last),
            gbl_inc(steps)
        )?;
        Ok((op.fetch(sum)?, op.fetch_map(last)?, op.get(steps)?))
    });
}

/// A table of the edges for a loop over nodes: the other end of the first edge of each. Contributions go through a map beside it.
#[op2::kernel]
fn across(
    me: Idx<Nodes>,
    first: &Option<Idx<Edges>>,
    ends: &Table<Edges, [Idx<Nodes>; 2]>,
    w: &Table<Edges, f32>,
    other: &mut Option<Idx<Nodes>>,
    total: [&mut f32; 2],
) {
    *other = None;
    if let Some(edge) = *first {
        let [a, b] = ends.at(edge);
        *other = if a == me { Some(b) } else { Some(a) };
        for i in 0..2 {
            *total[i] += (i + 1) as f32 * w.at(edge);
        }
    }
}

#[test]
fn tables_stand_beside_contributions() {
    type Found = (Vec<[Option<u32>; 1]>, Vec<f32>);
    let first = |m: &Mesh| -> Vec<[Option<u32>; 1]> {
        let mut first = vec![[None]; m.nodes];
        for (e, row) in (0..).zip(m.rows::<2>(1)) {
            row.iter().for_each(|n| first[*n as usize] = [Some(e)]);
        }
        first
    };
    let far = |m: &Mesh| -> Vec<[u32; 2]> {
        (0..m.nodes as u32).map(|n| [(n + 1) % m.nodes as u32, (5 * n + 2) % m.nodes as u32]).collect()
    };
    let expected = |m: &Mesh| -> Found {
        let (ends, w) = (m.rows::<2>(1), samples::<f32>(m.edges, 4));
        let mut found: Found = (vec![[None]; m.nodes], vec![0.5; m.nodes]);
        for (n, (first, far)) in first(m).into_iter().zip(far(m)).enumerate() {
            let [Some(edge)] = first else { continue };
            let [a, b] = ends[edge as usize];
            found.0[n] = [Some(if a as usize == n { b } else { a })];
            (0..2).for_each(|i| found.1[far[i] as usize] += (i + 1) as f32 * w[edge as usize]);
        }
        found
    };
    on_every_backend(&meshes(), expected, |op, m| {
        let set = m.declare(op)?;
        let ends = op.decl_map("ends", set.edges, set.nodes, &m.rows::<2>(1))?;
        let first = op.decl_opt_map("first", set.nodes, set.edges, &first(m))?;
        let far = op.decl_map("far", set.nodes, set.nodes, &far(m))?;
        let w = op.decl_dat("w", set.edges, &samples::<f32>(m.edges, 4))?;
        let other = op.decl_opt_map::<_, _, u32, 1>("other", set.nodes, set.nodes, &vec![[None]; m.nodes])?;
        let total = op.decl_dat_filled("total", set.nodes, 0.5_f32)?;
        op_par_loop!(
            op,
            across,
            set.nodes,
            idx(),
            read(first),
            read(ends, all),
            read(w, all),
            write(other),
            inc(total, far[..])
        )?;
        Ok((op.fetch_opt_map(other)?, op.fetch(total)?))
    });
}

/// Nodes as a grid whose columns are `column` long: the value beside, its number, and a step that is asked for only where there is one.
#[op2::kernel]
fn beside_in_grid(
    me: Idx<Nodes>,
    x: &Table<Nodes, [f64; 2]>,
    next: &Table<Nodes, Idx<Nodes>>,
    column: &u32,
    value: &mut f64,
    numbers: &mut [u32; 2],
    far: &mut Idx<Nodes>,
) {
    let number = next.number(me);
    let to = next.at(me);
    numbers[0] = number;
    numbers[1] = x.number(to);
    let beside = number + *column;
    *value = if beside < x.len() as u32 { x.at(x.nth(beside))[1] } else { -1.0 };
    *far = if number & 1 == 0 { next.nth(number / 2) } else { to };
}

type InGrid = (Vec<f64>, Vec<[u32; 2]>, Vec<[u32; 1]>);

#[test]
fn elements_are_found_by_the_users_numbers() {
    const COLUMN: u32 = 5;
    let expected = |m: &Mesh| -> InGrid {
        let (next, x) = (next(m), samples::<[f64; 2]>(m.nodes, 2));
        let value = |n: usize| x.get(n + COLUMN as usize).map_or(-1.0, |x| x[1]);
        let far = |n: usize| [if n.is_multiple_of(2) { n as u32 / 2 } else { next[n][0] }];
        let all = 0..m.nodes;
        (
            all.clone().map(value).collect(),
            all.clone().map(|n| [n as u32, next[n][0]]).collect(),
            all.map(far).collect(),
        )
    };
    on_every_backend(&meshes(), expected, |op, m| {
        let set = m.declare(op)?;
        let next = op.decl_map("next", set.nodes, set.nodes, &next(m))?;
        let x = op.decl_dat("x", set.nodes, &samples::<[f64; 2]>(m.nodes, 2))?;
        let column = op.decl_global("column", COLUMN);
        let value = op.decl_dat_filled("value", set.nodes, 0.0)?;
        let numbers = op.decl_dat_filled("numbers", set.nodes, [0_u32; 2])?;
        let far = op.decl_map("far", set.nodes, set.nodes, &vec![[0_u32]; m.nodes])?;
        op_par_loop!(
            op,
            beside_in_grid,
            set.nodes,
            idx(),
            read(x, all),
            read(next, all),
            gbl_read(column),
            write(value),
            write(numbers),
            write(far)
        )?;
        Ok((op.fetch(value)?, op.fetch(numbers)?, op.fetch_map(far)?))
    });
}

/// Tables that are there or not, beside one that always is, of which the last is asked for numbers.
#[op2::kernel]
fn perhaps(
    ends: [Idx<Nodes>; 2],
    goal: Option<&Table<Nodes, Option<Idx<Nodes>>>>,
    x: &Table<Nodes, [f64; 2]>,
    blocked: Option<&Table<Nodes, bool>>,
    found: &mut [u32; 2],
    sum: [&mut f64; 2],
) {
    found[0] = x.number(ends[0]);
    found[1] = if goal.is_some() { 100 } else { 200 };
    *sum[0] += x.at(ends[1])[0];
    if let Some(goal) = goal {
        found[1] += goal.len() as u32;
        if let Some(to) = goal.at(ends[1]) {
            found[0] = 3 * goal.number(to) + x.number(goal.nth(found[0] / 2));
            *sum[1] += x.at(to)[1];
        }
    }
    if let Some(blocked) = blocked {
        *sum[0] -= weight(ends[0], x, blocked);
    }
}

#[test]
fn tables_that_may_be_absent() {
    type Found = Vec<(Vec<[u32; 2]>, Vec<f64>)>;
    const THERE: [(bool, bool); 4] = [(true, false), (false, true), (false, false), (true, true)];
    let goal = |m: &Mesh| -> Vec<[Option<u32>; 1]> { beside(m).into_iter().map(|[_, goal]| [goal]).collect() };
    let expected = |m: &Mesh| -> Found {
        let (x, blocks, mut sum) = (samples::<[f64; 2]>(m.nodes, 2), samples::<bool>(m.nodes, 3), vec![0.0; m.nodes]);
        let mut all = Found::new();
        for (has_goal, blocked) in THERE {
            let mut found = Vec::new();
            for [a, b] in m.rows::<2>(1) {
                let mut of = [a, if has_goal { 100 + m.nodes as u32 } else { 200 }];
                sum[a as usize] += x[b as usize][0];
                if let Some(to) = goal(m)[b as usize][0].filter(|_| has_goal) {
                    of[0] = 3 * to + a / 2;
                    sum[b as usize] += x[to as usize][1];
                }
                if blocked && !blocks[a as usize] {
                    sum[a as usize] -= x[a as usize][0] - 2.0 * x[a as usize][1];
                }
                found.push(of);
            }
            all.push((found, sum.clone()));
        }
        all
    };
    on_every_backend(&meshes(), expected, |op, m| {
        let set = m.declare(op)?;
        let ends = op.decl_map("ends", set.edges, set.nodes, &m.rows::<2>(1))?;
        let goal = op.decl_opt_map("goal", set.nodes, set.nodes, &goal(m))?;
        let x = op.decl_dat("x", set.nodes, &samples::<[f64; 2]>(m.nodes, 2))?;
        let blocked = op.decl_dat("blocked", set.nodes, &samples::<bool>(m.nodes, 3))?;
        let found = op.decl_dat_filled("found", set.edges, [0_u32; 2])?;
        let sum = op.decl_dat_filled("sum", set.nodes, 0.0)?;
        let mut all = Found::new();
        for (has_goal, is_blocked) in THERE {
            op_par_loop!(
                op,
                perhaps,
                set.edges,
                idx(ends[..]),
                opt(has_goal, read(goal, all)),
                read(x, all),
                opt(is_blocked, read(blocked, all)),
                write(found),
                inc(sum, ends[..])
            )?;
            all.push((op.fetch(found)?, op.fetch(sum)?));
        }
        Ok(all)
    });
}

/// The table tells the kernel's parameters, whether or not it is there.
#[op2::kernel]
fn told<F: Float, const N: usize>(to: [Idx<Nodes>; 2], x: Option<&Table<Nodes, [F; N]>>, count: &mut u32) {
    *count = 7;
    if let Some(x) = x {
        let mut sum = F::lit(0.0);
        for k in 0..N {
            sum += x.at(to[0])[k] * x.at(to[1])[k];
        }
        *count = u32::from(sum > F::lit(0.25)) + N as u32;
    }
}

#[test]
fn absent_tables_tell_types() {
    let expected = |m: &Mesh| -> Vec<Vec<u32>> {
        let (x, single) = (samples::<[f64; 3]>(m.nodes, 2), samples::<[f32; 2]>(m.nodes, 2));
        let of = |f: &dyn Fn(usize, usize) -> u32| -> Vec<u32> {
            m.rows::<2>(1).into_iter().map(|[a, b]| f(a as usize, b as usize)).collect()
        };
        vec![
            of(&|a, b| 3 + u32::from((0..3).map(|k| x[a][k] * x[b][k]).sum::<f64>() > 0.25)),
            of(&|_, _| 7),
            of(&|a, b| 2 + u32::from((0..2).map(|k| single[a][k] * single[b][k]).sum::<f32>() > 0.25)),
            of(&|_, _| 7),
        ]
    };
    on_every_backend(&meshes(), expected, |op, m| {
        let set = m.declare(op)?;
        let ends = op.decl_map("ends", set.edges, set.nodes, &m.rows::<2>(1))?;
        let x = op.decl_dat("x", set.nodes, &samples::<[f64; 3]>(m.nodes, 2))?;
        let single = op.decl_dat("single", set.nodes, &samples::<[f32; 2]>(m.nodes, 2))?;
        let count = op.decl_dat_filled("count", set.edges, 0_u32)?;
        let mut all = Vec::new();
        for there in [true, false] {
            op_par_loop!(op, told, set.edges, idx(ends[..]), opt(there, read(x, all)), write(count))?;
            all.push(op.fetch(count)?);
        }
        for there in [true, false] {
            op_par_loop!(op, told, set.edges, idx(ends[..]), opt(there, read(single, all)), write(count))?;
            all.push(op.fetch(count)?);
        }
        Ok(all)
    });
}

#[op2::kernel]
fn scaled(x: &mut f64, w: &f64) {
    *x = 2.0 * *x + *w;
}

#[op2::kernel]
fn fetched(next: &Idx<Nodes>, x: &Table<Nodes, f64>, y: &mut f64) {
    *y = x.at(*next);
}

/// A loop that asks a table runs behind the one that writes its values, as a whole.
#[test]
fn tables_see_what_the_loop_before_wrote() {
    let expected = |m: &Mesh| -> Vec<f64> {
        let (mut x, w) = (samples::<f64>(m.nodes, 1), samples::<f64>(m.nodes, 2));
        let mut y = vec![0.0; m.nodes];
        for _ in 0..3 {
            x.iter_mut().zip(&w).for_each(|(x, w)| *x = 2.0 * *x + w);
            y = next(m).into_iter().map(|[n]| x[n as usize]).collect();
            x.iter_mut().zip(&y).for_each(|(x, y)| *x = 2.0 * *x + y);
        }
        y
    };
    on_every_backend(&meshes(), expected, |op, m| {
        let set = m.declare(op)?;
        let next = op.decl_map("next", set.nodes, set.nodes, &next(m))?;
        let x = op.decl_dat("x", set.nodes, &samples::<f64>(m.nodes, 1))?;
        let w = op.decl_dat("w", set.nodes, &samples::<f64>(m.nodes, 2))?;
        let y = op.decl_dat_filled("y", set.nodes, 0.0)?;
        op.chain(|op| {
            for _ in 0..3 {
                op_par_loop!(op, scaled, set.nodes, rw(x), read(w))?;
                op_par_loop!(op, fetched, set.nodes, read(next), read(x, all), write(y))?;
                op_par_loop!(op, scaled, set.nodes, rw(x), read(y))?;
            }
            Ok(())
        })?;
        op.fetch(y)
    });
}
