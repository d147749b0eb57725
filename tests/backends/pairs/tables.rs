//! Tables in loops over pairs: of either end, of maps, and such as may be absent.

use super::cloud::{Cloud, Declared, clouds};
use crate::support::mesh::{Edges, Nodes};
use crate::support::{on_every_backend, samples};
use op2::{Idx, Table, op_par_loop};

#[op2::kernel]
fn asked(
    f: Idx<Edges>,
    t: Idx<Nodes>,
    shift: [f64; 2],
    x: &Table<Nodes, [f64; 2]>,
    next: &Table<Nodes, Idx<Nodes>>,
    scale: Option<&Table<Edges, f64>>,
    sum: &mut f64,
    least: &mut u32,
) {
    let to = next.at(t);
    let mut w = x.at(to)[0] + 0.5 * x.at(t)[1] + shift[0];
    if let Some(scale) = scale {
        w *= scale.at(f);
        *least = (*least).min(scale.number(f) + 1);
    }
    *sum += w;
    *least = (*least).min(x.number(x.nth(next.number(to) / 2)));
}

#[op2::kernel]
fn of_row(e: Idx<Edges>, ends: &Table<Edges, [Idx<Nodes>; 2]>, x: &Table<Nodes, f64>, sum: &mut f64, last: &mut u32) {
    *sum += x.at(ends.at(e)[1]);
    *last = (*last).max(x.number(ends.at(e)[0]) + 1);
}

/// The next point of each.
fn next(cloud: &Cloud) -> Vec<[u32; 1]> {
    (0..cloud.to as u32).map(|n| [(3 * n + 1) % cloud.to as u32]).collect()
}

#[test]
fn kernels_ask_tables_for_partners_of_partners() {
    type Found = Vec<(Vec<f64>, Vec<u32>)>;
    let expected = |cloud: &Cloud| -> Found {
        let (x, next, scale) = (cloud.points(), next(cloud), samples::<f64>(cloud.from, 9));
        let mut all = Found::new();
        for scaled in [true, false] {
            let (mut of_from, mut of_to) =
                ((vec![0.0; cloud.from], vec![9000; cloud.from]), (vec![0.0; cloud.to], vec![9000; cloud.to]));
            for (f, t, shift) in cloud.pairs() {
                let to = next[t][0];
                let w = x[to as usize][0] + 0.5 * x[t][1] + shift[0];
                let (w, low) = if scaled { (w * scale[f], f as u32 + 1) } else { (w, u32::MAX) };
                for ((sum, least), at) in [(&mut of_from, f), (&mut of_to, t)] {
                    sum[at] += w;
                    least[at] = least[at].min(low).min(to / 2);
                }
            }
            all.extend([of_from.clone(), of_to.clone(), of_from, of_to]);
        }
        all
    };
    on_every_backend(&clouds(), expected, |op, cloud| {
        let Declared { triangles, points, x, near, .. } = Declared::new(op, cloud)?;
        let next = op.decl_map("next", points, points, &next(cloud))?;
        let scale = op.decl_dat("scale", triangles, &samples::<f64>(cloud.from, 9))?;
        let mut all = Found::new();
        for scaled in [true, false] {
            macro_rules! over {
                ($pairs:expr, $set:expr, $end:ident) => {{
                    let sum = op.decl_dat_filled("sum", $set, 0.0)?;
                    let least = op.decl_dat_filled("least", $set, 9000_u32)?;
                    op_par_loop!(
                        op,
                        asked,
                        $pairs,
                        idx(from),
                        idx(to),
                        shift(),
                        read(x, all),
                        read(next, all),
                        opt(scaled, read(scale, all)),
                        inc(sum, $end),
                        min(least, $end)
                    )?;
                    all.push((op.fetch(sum)?, op.fetch(least)?));
                }};
            }
            over!(near, triangles, from);
            over!(near, points, to);
            over!(near.by_to(), triangles, from);
            over!(near.by_to(), points, to);
        }
        Ok(all)
    });
}

#[test]
fn pairs_of_rows_have_tables() {
    use crate::support::Mesh;
    type Found = Vec<(Vec<f64>, Vec<u32>)>;
    let meshes: Vec<Mesh> = Mesh::all().into_iter().filter(|m| m.nodes > 0).collect();
    // Each edge is in the row of the node that it starts from.
    let rows = |m: &Mesh| -> Vec<Vec<u32>> {
        let mut rows = vec![Vec::new(); m.nodes];
        (0..).zip(m.rows::<2>(1)).for_each(|(e, [a, _])| rows[a as usize].push(e));
        rows
    };
    let expected = |m: &Mesh| -> Found {
        let x = samples::<f64>(m.nodes, 2);
        let (mut sum, mut last) = (vec![0.0; m.nodes], vec![0; m.nodes]);
        for [a, b] in m.rows::<2>(1) {
            sum[a as usize] += x[b as usize];
            last[a as usize] = a + 1;
        }
        vec![(sum.clone(), last.clone()), (sum, last)]
    };
    on_every_backend(&meshes, expected, |op, m| {
        let set = m.declare(op)?;
        let ends = op.decl_map("ends", set.edges, set.nodes, &m.rows::<2>(1))?;
        let x = op.decl_dat("x", set.nodes, &samples::<f64>(m.nodes, 2))?;
        let rows = rows(m);
        let starts = rows.iter().scan(0, |end, row| {
            *end += row.len();
            Some(*end)
        });
        let starts: Vec<usize> = std::iter::once(0).chain(starts).collect();
        let around = op.decl_rows("around", set.nodes, set.edges, &starts, &rows.concat())?;
        let mut all = Found::new();
        macro_rules! over {
            ($pairs:expr) => {{
                let sum = op.decl_dat_filled("sum", set.nodes, 0.0)?;
                let last = op.decl_dat_filled("last", set.nodes, 0_u32)?;
                op_par_loop!(
                    op,
                    of_row,
                    $pairs,
                    idx(to),
                    read(ends, all),
                    read(x, all),
                    inc(sum, from),
                    max(last, from)
                )?;
                all.push((op.fetch(sum)?, op.fetch(last)?));
            }};
        }
        over!(around.pairs());
        over!(around.pairs().by_to());
        Ok(all)
    });
}
