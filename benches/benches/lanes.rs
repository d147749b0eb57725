//! Rows of dats to lanes and back, and a kernel like airfoil's `res_calc`, by each instruction set against one element at a
//! time.
//!
//! `cargo bench -p op2-benches --features internals --bench lanes`
//!
//! Prints nanoseconds per edge, the least of 31 samples.
//!
//! The gathers alone are bound by memory or by their loads, which are one per row with and without lanes.
//!
//! No operation on lanes may be a call. The assembly shows it, which this leaves in `target/release/deps`:
//!
//! `cargo rustc --release -p op2-benches --features internals --bench lanes -- --emit asm -C codegen-units=1`
//!
//! In it, `run_avx512` and `run_avx2` call `copy_columns`, the functions of `pack::cold` and `Ahead::fetch` and nothing else,
//! and work on `zmm` and `ymm` registers.

use op2_runtime::private::{Elems, Leads, MapView, Spread, V, Vector, View, Width};
use op2_runtime::{Isa, Value};
use std::hint::black_box;
use std::time::Instant;

const EDGES: usize = 720_000;
/// Edges that stay in the second cache with their cells.
const FEW: usize = 8_000;
const GAM: f64 = 1.4;
const EPS: f64 = 0.05;

/// Each edge leads to the cell of its number and to the next one, as in a mesh that is numbered along its rows.
struct Mesh {
    ecell: Vec<[u32; 2]>,
    q: Vec<[f64; 4]>,
    res: Vec<[f64; 4]>,
    out: Vec<f64>,
}

/// Sums the rows of both cells to the edge: only gathers, and one store.
struct Gathers {
    ecell: MapView<(), 2>,
    q: View<[f64; 4]>,
    out: View<f64>,
}

impl Gathers {
    fn scalar(&self, edges: usize) {
        for e in 0..edges {
            // SAFETY: the views are of as many rows as there are edges, the map leads to rows.
            unsafe {
                let [a, b] = self.ecell.targets(e);
                let (a, b) = (self.q.at(a), self.q.at(b));
                *self.out.at_mut(e) = ((a[0] + a[1]) + (a[2] + a[3])) * ((b[0] + b[1]) + (b[2] + b[3]));
            }
        }
    }
}

impl Vector for Gathers {
    type Wide = f64;
    type Out = ();
    const SCALARS: usize = 9;
    #[inline(always)]
    fn run<W: Width, const SOA: bool>(&self, w: W, mut elems: Elems<'_>, (): ()) {
        while let Some(pack) = elems.pack(w) {
            // SAFETY: as above.
            unsafe {
                let mut entries = self.ecell.entries_of(w);
                let [a, b] = self.ecell.targets_of(&pack, &mut entries);
                let (a, b) = (self.q.gather(w, &a), self.q.gather(w, &b));
                let out = ((a[0] + a[1]) + (a[2] + a[3])) * ((b[0] + b[1]) + (b[2] + b[3]));
                self.out.scatter(w, &pack.direct(), pack.len(), &out);
            }
        }
    }
}

/// Copies rows, each transposed into lanes and back. A pack costs no more than its shuffles, provided that its description stays in
/// registers.
struct Copies {
    q: View<[f64; 4]>,
    res: View<[f64; 4]>,
}

impl Copies {
    fn scalar(&self, edges: usize) {
        for e in 0..edges {
            // SAFETY: as above.
            unsafe { *self.res.at_mut(e) = *self.q.at(e) };
        }
    }
}

impl Vector for Copies {
    type Wide = f64;
    type Out = ();
    const SCALARS: usize = 8;
    #[inline(always)]
    fn run<W: Width, const SOA: bool>(&self, w: W, mut elems: Elems<'_>, (): ()) {
        while let Some(pack) = elems.pack(w) {
            // SAFETY: as above.
            unsafe {
                let rows = self.q.gather(w, &pack.direct());
                self.res.scatter(w, &pack.direct(), pack.len(), &rows);
            }
        }
    }
}

/// Fluxes between two cells, as in `res_calc`.
struct Fluxes {
    ecell: MapView<(), 2>,
    q: View<[f64; 4]>,
    res: View<[f64; 4]>,
}

impl Fluxes {
    fn scalar(&self, edges: usize) {
        for e in 0..edges {
            // SAFETY: as above.
            unsafe {
                let [a, b] = self.ecell.targets(e);
                let flux = flux(self.q.at(a), self.q.at(b));
                self.res.at_mut(a).iter_mut().zip(flux).for_each(|(r, f)| *r += f);
                self.res.at_mut(b).iter_mut().zip(flux).for_each(|(r, f)| *r -= f);
            }
        }
    }
}

fn flux(q1: &[f64; 4], q2: &[f64; 4]) -> [f64; 4] {
    let (ri1, ri2) = (1.0 / q1[0], 1.0 / q2[0]);
    let p1 = (GAM - 1.0) * (q1[3] - 0.5 * ri1 * (q1[1] * q1[1] + q1[2] * q1[2]));
    let p2 = (GAM - 1.0) * (q2[3] - 0.5 * ri2 * (q2[1] * q2[1] + q2[2] * q2[2]));
    let (v1, v2) = (ri1 * (q1[1] - q1[2]), ri2 * (q2[1] - q2[2]));
    [
        0.5 * (v1 * q1[0] + v2 * q2[0]) + EPS * (q1[0] - q2[0]),
        0.5 * (v1 * q1[1] + p1 + v2 * q2[1] + p2) + EPS * (q1[1] - q2[1]),
        0.5 * (v1 * q1[2] - p1 + v2 * q2[2] - p2) + EPS * (q1[2] - q2[2]),
        0.5 * (v1 * (q1[3] + p1) + v2 * (q2[3] + p2)) + EPS * (q1[3] - q2[3]),
    ]
}

#[inline(always)]
fn flux_of_lanes<W: Width>(w: W, q1: &[V<W, f64>; 4], q2: &[V<W, f64>; 4]) -> [V<W, f64>; 4] {
    let [one, gm1, half, eps] = [1.0, GAM - 1.0, 0.5, EPS].spread(w);
    let (ri1, ri2) = (one / q1[0], one / q2[0]);
    let p1 = gm1 * (q1[3] - half * ri1 * (q1[1] * q1[1] + q1[2] * q1[2]));
    let p2 = gm1 * (q2[3] - half * ri2 * (q2[1] * q2[1] + q2[2] * q2[2]));
    let (v1, v2) = (ri1 * (q1[1] - q1[2]), ri2 * (q2[1] - q2[2]));
    [
        half * (v1 * q1[0] + v2 * q2[0]) + eps * (q1[0] - q2[0]),
        half * (v1 * q1[1] + p1 + v2 * q2[1] + p2) + eps * (q1[1] - q2[1]),
        half * (v1 * q1[2] - p1 + v2 * q2[2] - p2) + eps * (q1[2] - q2[2]),
        half * (v1 * (q1[3] + p1) + v2 * (q2[3] + p2)) + eps * (q1[3] - q2[3]),
    ]
}

impl Vector for Fluxes {
    type Wide = f64;
    type Out = ();
    const SCALARS: usize = 16;
    #[inline(always)]
    fn run<W: Width, const SOA: bool>(&self, w: W, mut elems: Elems<'_>, (): ()) {
        while let Some(pack) = elems.pack(w) {
            // SAFETY: as above; elements go one after the other.
            unsafe {
                let mut entries = self.ecell.entries_of(w);
                let [a, b] = self.ecell.targets_of(&pack, &mut entries);
                let flux = flux_of_lanes(w, &self.q.gather(w, &a), &self.q.gather(w, &b));
                let rows = self.res.rows(w, &flux);
                for (lane, flux) in rows.as_ref()[..pack.len()].iter().enumerate() {
                    self.res.at_mut(a.element(lane)).iter_mut().zip(flux).for_each(|(r, f)| *r += f);
                    self.res.at_mut(b.element(lane)).iter_mut().zip(flux).for_each(|(r, f)| *r -= f);
                }
            }
        }
    }
}

/// Least nanoseconds per edge of several calls. With few edges, a call repeats the loop, so that each call visits about as many
/// edges.
fn least(edges: usize, mut run: impl FnMut()) -> f64 {
    let times = EDGES / edges;
    let once = |_| {
        let start = Instant::now();
        (0..times).for_each(|_| run());
        start.elapsed().as_secs_f64() * 1e9 / (edges * times) as f64
    };
    (0..31).map(once).fold(f64::INFINITY, f64::min)
}

fn table<B: Vector<Out = ()>>(name: &str, body: &B, scalar: impl Fn(usize), result: impl Fn() -> Vec<u64>) {
    result();
    scalar(EDGES);
    let expected = result();
    for edges in [EDGES, FEW] {
        println!("\n{name}, {edges} edges, ns per edge");
        let alone = least(edges, || black_box(&scalar)(edges));
        println!("  {:<10} {alone:>6.2}", "scalar");
        for isa in Isa::available().into_iter().skip(1) {
            let time = least(edges, || isa.run(black_box(body), Elems::first(edges), ()));
            println!("  {:<10} {time:>6.2}   {:.2} times as fast", isa.to_string(), alone / time);
        }
    }
    for isa in Isa::available().into_iter().skip(1) {
        result();
        isa.run(body, Elems::first(EDGES), ());
        assert!(result() == expected, "{isa}: other bits");
    }
}

fn main() {
    let mut mesh = Mesh {
        ecell: (0..EDGES as u32).map(|e| [e, (e + 1) % EDGES as u32]).collect(),
        q: (0..EDGES).map(|c| [1.0 + (c % 7) as f64 / 8.0, 0.5, (c % 5) as f64 / 9.0, 2.5]).collect(),
        res: vec![[0.0; 4]; EDGES],
        out: vec![0.0; EDGES],
    };
    let (ecell, q) = (MapView::of_rows(&mesh.ecell), View::of_rows(&mut mesh.q));
    let gathers = Gathers { ecell, q, out: View::of_rows(&mut mesh.out) };
    let copies = Copies { q, res: View::of_rows(&mut mesh.res) };
    let fluxes = Fluxes { ecell, q, res: View::of_rows(&mut mesh.res) };
    // SAFETY: the views are of so many rows.
    let out = || (0..EDGES).map(|e| unsafe { taken(gathers.out, e) }.to_bits()).collect();
    table("rows of 4 f64 through a map of 2 entries", &gathers, |edges| gathers.scalar(edges), out);
    // SAFETY: as above.
    let res = || (0..EDGES).flat_map(|e| unsafe { taken(fluxes.res, e) }.map(f64::to_bits)).collect();
    table("fluxes and their additions", &fluxes, |edges| fluxes.scalar(edges), res);
    table("copies of rows of 4 f64", &copies, |edges| copies.scalar(edges), res);
}

/// Takes the values of a row and leaves zeros.
///
/// # Safety
/// There is such a row.
unsafe fn taken<R: Value<Elem = f64>>(view: View<R>, row: usize) -> R {
    // SAFETY: passed on to the caller; nothing else runs.
    unsafe {
        let value = view.load(row);
        view.store(row, &R::splat(0.0));
        value
    }
}
