//! Sets that gain elements: children that kernels keep and write, new elements beside old ones, loops before and after.

use crate::support::{Declared, Edges, Mesh, Nodes, on_every_backend, samples};
use op2::{Idx, Ordering, Row, op_par_loop};

/// Growths of a test, between which the mesh gets other numbers.
const ROUNDS: usize = 3;

/// Meshes of every kind whose edges have ends.
fn meshes() -> Vec<Mesh> {
    Mesh::all().into_iter().filter(|m| m.nodes > 0).collect()
}

/// An edge is cut where its number says so, and long ones in three.
#[op2::kernel]
fn claim(e: u32, round: &u32, x: [&[f64; 2]; 2], own: &mut u32, cut: &mut bool) {
    *own = if (e + *round) % 3 != 1 {
        0
    } else if x[0][0] < x[1][0] {
        2
    } else {
        1
    };
    *cut = *own > 0;
}

/// New nodes of an edge, which lie on it.
#[op2::kernel]
fn populate(
    me: Idx<Edges>,
    x: [&[f64; 2]; 2],
    born: &Row<Idx<Nodes>>,
    new: &mut Row<[f64; 2]>,
    mother: &mut Row<Option<Idx<Edges>>>,
    sum: &mut Row<f64>,
    mid: &mut [Option<Idx<Nodes>>; 2],
) {
    *mid = [None; 2];
    for k in 0..new.len() {
        let t = (k + 1) as f64 / (new.len() + 1) as f64;
        for c in 0..2 {
            new[k][c] = x[0][c] + t * (x[1][c] - x[0][c]);
        }
        mother[k] = Some(me);
        sum[k] += t;
        mid[k] = Some(born[k]);
    }
}

/// A cut edge ends at its first new node, and its children are the rest.
#[op2::kernel]
fn divide(
    mid: &[Option<Idx<Nodes>>; 2],
    ends: &mut [Idx<Nodes>; 2],
    w: &f64,
    parts: &mut Row<[Idx<Nodes>; 2]>,
    ws: &mut Row<f64>,
) {
    let last = ends[1];
    let mut at = mid[0].unwrap_or(last);
    ends[1] = at;
    for k in 0..parts.len() {
        let next = if k + 1 < parts.len() { mid[k + 1].unwrap_or(last) } else { last };
        parts[k] = [at, next];
        ws[k] = *w + 0.5 * (k + 1) as f64;
        at = next;
    }
}

#[op2::kernel]
fn spread(w: &f64, x: [&[f64; 2]; 2], sum: [&mut f64; 2], total: &mut u64) {
    *sum[0] += *w * x[1][0];
    *sum[1] -= *w * x[0][1];
    *total += 1;
}

/// Values of all children, and how many they are.
#[op2::kernel]
fn gather(ws: &Row<f64>, kids: &Row<Idx<Edges>>, last: &mut Option<Idx<Edges>>, held: &mut f64) {
    *last = None;
    for k in 0..kids.len() {
        *held += ws[k] * (k + 1) as f64;
        *last = Some(kids[k]);
    }
}

#[op2::kernel]
fn decide(e: u32, keep: &mut bool) {
    *keep = e % 5 != 2;
}

/// The mesh in plain lists, by users' numbers.
#[derive(Default)]
struct Model {
    x: Vec<[f64; 2]>,
    sum: Vec<f64>,
    mother: Vec<Option<u32>>,
    ends: Vec<[u32; 2]>,
    w: Vec<f64>,
    mid: Vec<[Option<u32>; 2]>,
    last: Vec<Option<u32>>,
    held: Vec<f64>,
    total: u64,
}

impl Model {
    fn new(m: &Mesh) -> Self {
        Model {
            x: samples(m.nodes, 1),
            sum: samples(m.nodes, 2),
            mother: vec![None; m.nodes],
            ends: m.rows::<2>(1),
            w: samples(m.edges, 3),
            mid: vec![[None; 2]; m.edges],
            last: vec![None; m.edges],
            held: vec![0.25; m.edges],
            total: 0,
        }
    }

    fn round(&mut self, round: usize) {
        let old = self.ends.len();
        let own = |e: usize| {
            let [a, b] = self.ends[e].map(|n| self.x[n as usize]);
            if (e + round) % 3 != 1 { 0 } else { 1 + usize::from(a[0] < b[0]) }
        };
        let own: Vec<usize> = (0..old).map(own).collect();
        for (e, &own) in own.iter().enumerate() {
            let [a, b] = self.ends[e].map(|n| self.x[n as usize]);
            self.mid[e] = [None; 2];
            for k in 0..own {
                let t = (k + 1) as f64 / (own + 1) as f64;
                self.mid[e][k] = Some(self.x.len() as u32);
                self.x.push([0, 1].map(|c| a[c] + t * (b[c] - a[c])));
                self.sum.push(0.0 + t);
                self.mother.push(Some(e as u32));
            }
        }
        for (e, &own) in own.iter().enumerate() {
            let last = self.ends[e][1];
            let mut at = self.mid[e][0].unwrap_or(last);
            if own > 0 {
                self.ends[e][1] = at;
            }
            self.last[e] = None;
            for k in 0..own {
                let next = if k + 1 < own { self.mid[e][k + 1].unwrap_or(last) } else { last };
                self.last[e] = Some(self.ends.len() as u32);
                self.ends.push([at, next]);
                let w = self.w[e] + 0.5 * (k + 1) as f64;
                self.held[e] += w * (k + 1) as f64;
                self.w.push(w);
                self.mid.push([None; 2]);
                self.last.push(None);
                self.held.push(0.25);
                at = next;
            }
        }
        self.spread();
    }

    fn spread(&mut self) {
        for (ends, w) in self.ends.iter().zip(&self.w) {
            let [a, b] = ends.map(|n| n as usize);
            self.sum[a] += w * self.x[b][0];
            self.sum[b] -= w * self.x[a][1];
            self.total += 1;
        }
    }

    fn shrink(&mut self) {
        let keep = |e: usize| e % 5 != 2;
        let mut left = 0..;
        let new: Vec<Option<u32>> = (0..self.ends.len()).map(|e| if keep(e) { left.next() } else { None }).collect();
        let stays = || (0..self.ends.len()).filter(|e| keep(*e));
        let [ends, w, held] = [stays().collect::<Vec<_>>(), stays().collect(), stays().collect()];
        self.mother.iter_mut().for_each(|e| *e = e.and_then(|e| new[e as usize]));
        self.last = stays().map(|e| self.last[e].and_then(|e| new[e as usize])).collect();
        self.mid = stays().map(|e| self.mid[e]).collect();
        self.held = held.into_iter().map(|e: usize| self.held[e]).collect();
        self.w = w.into_iter().map(|e: usize| self.w[e]).collect();
        self.ends = ends.into_iter().map(|e| self.ends[e]).collect();
    }

    fn found(self) -> Found {
        let nodes = (self.x, self.sum, self.mother.into_iter().map(|e| [e]).collect());
        (nodes, (self.ends, self.mid, self.last.into_iter().map(|e| [e]).collect()), (self.w, self.held, self.total))
    }
}

type Found = (
    (Vec<[f64; 2]>, Vec<f64>, Vec<[Option<u32>; 1]>),
    (Vec<[u32; 2]>, Vec<[Option<u32>; 2]>, Vec<[Option<u32>; 1]>),
    (Vec<f64>, Vec<f64>, u64),
);

/// Edges are cut again and again: new nodes come between old ones, children have the rest. Between the growths all sets get other numbers,
/// and in the end some edges go.
#[test]
fn a_mesh_is_refined() {
    let expected = |m: &Mesh| {
        let mut model = Model::new(m);
        (0..ROUNDS).for_each(|round| model.round(round));
        model.shrink();
        model.spread();
        model.round(ROUNDS);
        model.found()
    };
    on_every_backend(&meshes(), expected, |op, m| {
        let Declared { edges, nodes } = m.declare(op)?;
        let ends = op.decl_map("ends", edges, nodes, &m.rows::<2>(1))?;
        let (x, w) = (op.decl_dat("x", nodes, &samples(m.nodes, 1))?, op.decl_dat("w", edges, &samples(m.edges, 3))?);
        let sum = op.decl_dat("sum", nodes, &samples(m.nodes, 2))?;
        let mother = op.decl_opt_map::<_, _, u32, 1>("mother", nodes, edges, &vec![[None]; m.nodes])?;
        let mid = op.decl_opt_map::<_, _, u32, 2>("mid", edges, nodes, &vec![[None; 2]; m.edges])?;
        let last = op.decl_opt_map::<_, _, u32, 1>("last", edges, edges, &vec![[None]; m.edges])?;
        let (own, cut) = (op.decl_dat_filled("own", edges, 0_u32)?, op.decl_dat_filled("cut", edges, false)?);
        let (held, keep) = (op.decl_dat_filled("held", edges, 0.25)?, op.decl_dat_filled("keep", edges, true)?);
        let split = op.decl_subset::<_, u32>("split", edges, &[])?;
        let (born, kids) = (op.decl_children("born", edges, nodes)?, op.decl_children("kids", edges, edges)?);
        let total = op.decl_global("total", 0_u64);
        for round in 0..=ROUNDS {
            let now = op.decl_global("round", round as u32);
            if round == ROUNDS {
                op_par_loop!(op, decide, edges, idx(), write(keep))?;
                op.compact(edges, keep)?;
                op_par_loop!(op, spread, edges, read(w), read(x, ends[..]), inc(sum, ends[..]), gbl_inc(total))?;
            }
            op_par_loop!(op, claim, edges, idx(), gbl_read(now), read(x, ends[..]), write(own), write(cut))?;
            let (before, size) = (op.size(nodes)?, op.size(edges)?);
            let more = op.grow(born, own)?;
            assert_eq!(op.size(nodes)?, before + more);
            op_par_loop!(
                op,
                populate,
                edges,
                idx(),
                read(x, ends[..]),
                read(born),
                write(x, born[..]),
                write(mother, born[..]),
                inc(sum, born[..]),
                write(mid)
            )?;
            if round == 1 {
                op.reorder(Ordering::Rcm)?;
            }
            op.select(split, cut)?;
            assert_eq!(op.grow(kids, own)?, more);
            assert_eq!(op.size(edges)?, size + more);
            if round == 2 {
                op.reorder(Ordering::Runs)?;
            }
            op_par_loop!(op, divide, split, read(mid), rw(ends), read(w), write(ends, kids[..]), write(w, kids[..]))?;
            op_par_loop!(op, gather, edges, read(w, kids[..]), read(kids), write(last), rw(held))?;
            if round == 0 {
                op.reorder(Ordering::Gps)?;
            }
            op_par_loop!(op, spread, edges, read(w), read(x, ends[..]), inc(sum, ends[..]), gbl_inc(total))?;
        }
        let of_nodes = (op.fetch(x)?, op.fetch(sum)?, op.fetch_opt_map(mother)?);
        let of_edges = (op.fetch_map(ends)?, op.fetch_opt_map(mid)?, op.fetch_opt_map(last)?);
        Ok((of_nodes, of_edges, (op.fetch(w)?, op.fetch(held)?, op.get(total)?)))
    });
}

/// All edges at a node.
#[op2::kernel]
fn around(w: &Row<f64>, star: &Row<Idx<Edges>>, degree: &mut u32, sum: &mut f64, last: &mut Option<Idx<Edges>>) {
    *degree = star.len() as u32;
    for k in 0..w.len() {
        *sum = 0.5 * *sum + w[k];
        *last = Some(star[k]);
    }
}

/// Ends move on to those of another map.
#[op2::kernel]
fn shift(next: &[Idx<Nodes>; 2], ends: &mut [Idx<Nodes>; 2]) {
    *ends = [ends[1], next[0]];
}

/// The inverse of a map follows what loops write to it, and growth; so does the inverse of that.
#[test]
fn maps_are_turned_round() {
    type Lists = (Vec<usize>, Vec<u32>);
    type Found = (Vec<u32>, Vec<f64>, Vec<[Option<u32>; 1]>, [Lists; 2]);
    /// How many nodes each edge gets.
    fn more(m: &Mesh) -> Vec<u32> {
        (0..m.edges).map(|e| u32::from(e % 4 == 1)).collect()
    }
    let expected = |m: &Mesh| -> Found {
        let (mut ends, next, w) = (m.rows::<2>(1), m.rows::<2>(2), samples::<f64>(m.edges, 3));
        let mut size = m.nodes;
        let (mut degree, mut sum, mut last) = (vec![7; size], vec![1.0; size], vec![[None]; size]);
        let star = |ends: &[[u32; 2]], node: usize| -> Vec<usize> {
            let all = ends.iter().enumerate().flat_map(|(e, row)| row.map(|n| (e, n as usize)));
            all.filter(|(_, n)| *n == node).map(|(e, _)| e).collect()
        };
        for round in 0..3 {
            last.fill([None]);
            for node in (0..size).filter(|node| *node >= m.nodes || node % 3 != 1) {
                let star = star(&ends, node);
                degree[node] = star.len() as u32;
                for e in star {
                    sum[node] = 0.5 * sum[node] + w[e];
                    last[node] = [Some(e as u32)];
                }
            }
            for (ends, next) in ends.iter_mut().zip(&next) {
                *ends = [ends[1], next[0]];
            }
            if round == 0 {
                size += more(m).iter().sum::<u32>() as usize;
                degree.resize(size, 0);
                sum.resize(size, 1.0);
                last.resize(size, [None]);
            }
        }
        let rows: Vec<Vec<usize>> = (0..size).map(|node| star(&ends, node)).collect();
        let starts = (0..=size).map(|n| rows[..n].iter().map(Vec::len).sum()).collect();
        let stars = (starts, rows.concat().into_iter().map(|e| e as u32).collect());
        let sorted = ends.iter().flat_map(|row| [row[0].min(row[1]), row[0].max(row[1])]).collect();
        (degree, sum, last, [((0..=m.edges).map(|e| 2 * e).collect(), sorted), stars])
    };
    on_every_backend(&meshes(), expected, |op, m| {
        let Declared { edges, nodes } = m.declare(op)?;
        let ends = op.decl_map("ends", edges, nodes, &m.rows::<2>(1))?;
        let next = op.decl_map("next", edges, nodes, &m.rows::<2>(2))?;
        let star = op.invert(ends)?;
        let sorted = op.invert(star)?;
        let w = op.decl_dat("w", edges, &samples::<f64>(m.edges, 3))?;
        let counts = op.decl_dat("more", edges, &more(m))?;
        let degree = op.decl_dat("degree", nodes, &vec![7_u32; m.nodes])?;
        let sum = op.decl_dat_filled("sum", nodes, 1.0)?;
        let last = op.decl_opt_map::<_, _, u32, 1>("last", nodes, edges, &vec![[None]; m.nodes])?;
        let some: Vec<bool> = (0..m.nodes).map(|node| node % 3 != 1).collect();
        let some = op.decl_dat("some", nodes, &some)?;
        let those = op.decl_subset::<_, u32>("those", nodes, &[])?;
        let born = op.decl_children("born", edges, nodes)?;
        for round in 0..3 {
            op.fill(last, None)?;
            op.select(those, some)?;
            op_par_loop!(op, around, those, read(w, star[..]), read(star), write(degree), rw(sum), rw(last))?;
            op_par_loop!(op, shift, edges, read(next), rw(ends))?;
            if round == 0 {
                op.grow(born, counts)?;
                op_par_loop!(op, choose, edges, write(some, born[..]))?;
            }
        }
        // Nobody has asked for the entries yet that the last loop wrote.
        let rows = [op.fetch_rows(sorted)?, op.fetch_rows(star)?];
        Ok((op.fetch(degree)?, op.fetch(sum)?, op.fetch_opt_map(last)?, rows))
    });
}

#[op2::kernel]
fn choose(some: &mut Row<bool>) {
    for k in 0..some.len() {
        some[k] = true;
    }
}
