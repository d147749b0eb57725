//! Kernels generic over the float type, in loops inside generic functions.

use crate::support::mesh::{Edges, Nodes};
use crate::support::record::Recorded;
use crate::support::sample::Sample;
use crate::support::{Mesh, Subject, on_every_backend, samples};
use op2::{ArgMax, Dat, Float, Map, Op2, Set, op_par_loop};

#[op2::device_fn]
fn limited<F: Float>(value: F, bound: F) -> F {
    value.clamp(-bound, bound)
}

#[op2::kernel]
fn flux<F: Float>(weight: &F, x: [&[F; 2]; 2], sum1: &mut F, sum2: &mut F) {
    let half = F::lit(0.5);
    let mean = half * (x[0][0] + x[1][0]);
    let part = limited(*weight * mean, F::lit(0.3)) + F::EPSILON;
    *sum1 += part;
    *sum2 -= part * x[1][1];
}

#[op2::kernel]
fn finish<F: Float>(
    sum: &F,
    factor: &F,
    node: u32,
    out: &mut [F; 2],
    norm: &mut F,
    lowest: &mut F,
    worst: &mut ArgMax<F, u32>,
) {
    *out = [*sum * *factor, sum.abs().sqrt()];
    *norm += *sum * *sum;
    *lowest = lowest.min(*sum);
    worst.update(sum.abs(), node);
}

/// The mesh and data of a computation in `F`, as in a generic application.
struct Solver<F: Float> {
    edges: Set<Edges>,
    nodes: Set<Nodes>,
    map: Map<Edges, Nodes, 2>,
    weight: Dat<Edges, F>,
    x: Dat<Nodes, [F; 2]>,
    sum: Dat<Nodes, F>,
    out: Dat<Nodes, [F; 2]>,
}

type Outcome<F> = (Vec<F>, Vec<[F; 2]>, F, F, Option<F>);

impl<F: Float + Sample> Solver<F> {
    fn new(op: &mut Op2, m: &Mesh) -> op2::Result<Self> {
        let set = m.declare(op)?;
        Ok(Solver {
            edges: set.edges,
            nodes: set.nodes,
            map: op.decl_map("map", set.edges, set.nodes, &m.rows(1))?,
            weight: op.decl_dat("weight", set.edges, &samples(m.edges, 1))?,
            x: op.decl_dat("x", set.nodes, &samples(m.nodes, 2))?,
            sum: op.decl_dat_filled("sum", set.nodes, F::lit(0.25))?,
            out: op.decl_dat_filled("out", set.nodes, [F::lit(0.0); 2])?,
        })
    }

    fn run(&self, op: &mut Subject) -> op2::Result<Outcome<F>> {
        let Solver { edges, nodes, map, weight, x, sum, out } = *self;
        let factor = op.decl_global("factor", F::lit(-2.0));
        let (norm, lowest) = (op.decl_global("norm", F::lit(0.0)), op.decl_global("lowest", F::lit(9.0)));
        let worst = op.decl_global("worst", ArgMax::none());
        op_par_loop!(op, flux, edges, read(weight), read(x, map[..]), inc(sum, map[0]), inc(sum, map[1]))?;
        op_par_loop!(
            op,
            finish,
            nodes,
            read(sum),
            gbl_read(factor),
            idx(),
            write(out),
            gbl_inc(norm),
            gbl_min(lowest),
            gbl_max(worst)
        )?;
        let worst = op.get(worst)?.best().map(|(value, _)| value);
        Ok((op.fetch(sum)?, op.fetch(out)?, op.get(norm)?, op.get(lowest)?, worst))
    }
}

fn expected<F: Float + Sample>(m: &Mesh) -> Outcome<F> {
    let (weight, x): (Vec<F>, Vec<[F; 2]>) = (samples(m.edges, 1), samples(m.nodes, 2));
    let mut sum = vec![F::lit(0.25); m.nodes];
    for ([a, b], w) in m.rows::<2>(1).into_iter().zip(weight) {
        let (a, b) = (a as usize, b as usize);
        let whole = w * (x[a][0] + x[b][0]) / F::lit(2.0);
        let part = whole.min(F::lit(0.3)).max(F::lit(-0.3));
        sum[a] += part;
        sum[b] -= part * x[b][1];
    }
    let out = sum.iter().map(|s| [F::lit(-2.0) * *s, s.abs().sqrt()]).collect();
    let norm = sum.iter().fold(F::lit(0.0), |norm, s| norm + *s * *s);
    let lowest = sum.iter().fold(F::lit(9.0), |low, s| low.min(*s));
    let worst = sum.iter().map(|s| s.abs()).reduce(F::max);
    (sum, out, norm, lowest, worst)
}

fn solver_in<F: Float + Sample + Recorded>() {
    on_every_backend(&Mesh::all(), expected::<F>, |op, m| Solver::<F>::new(op, m)?.run(op));
}

#[test]
fn generic_kernels_in_double_precision() {
    solver_in::<f64>();
}

#[test]
fn generic_kernels_in_single_precision() {
    solver_in::<f32>();
}

#[op2::kernel]
fn squares<F: Float>(value: &F, out: &mut F) {
    *out = *value * *value;
}

/// One loop text serves both types in one program, and literals are rounded to the type.
#[test]
fn both_types_by_one_function() {
    fn square<F: Float>(op: &mut Subject, nodes: Set<Nodes>, value: F) -> op2::Result<Vec<F>> {
        let (value, out) = (op.decl_dat_filled("value", nodes, value)?, op.decl_dat_filled("out", nodes, F::lit(0.0))?);
        op_par_loop!(op, squares, nodes, read(value), write(out))?;
        op.fetch(out)
    }
    let expected = |m: &Mesh| (vec![0.1f32 * 0.1f32; m.nodes], vec![0.1f64 * 0.1; m.nodes]);
    on_every_backend(&Mesh::single(), expected, |op, m| {
        let nodes = m.declare(op)?.nodes;
        Ok((square(op, nodes, 0.1f32)?, square(op, nodes, 0.1f64)?))
    });
}

#[op2::kernel]
fn grow<F: Float>(by: Option<&F>, x: &mut F) {
    *x = F::lit(1.5) * *x;
    if let Some(by) = by {
        *x += *by;
    }
}

/// The first argument with the type parameter is absent; the type is inferred from the others.
#[test]
fn an_absent_argument_does_not_tell_the_type() {
    let expected = |m: &Mesh| samples::<f32>(m.nodes, 1).into_iter().map(|x| 1.5 * x).collect::<Vec<_>>();
    on_every_backend(&Mesh::single(), expected, |op, m| {
        let nodes = m.declare(op)?.nodes;
        let by = op.decl_dat_filled("by", nodes, 2.0f32)?;
        let x = op.decl_dat("x", nodes, &samples::<f32>(m.nodes, 1))?;
        op_par_loop!(op, grow, nodes, opt(false, read(by)), rw(x))?;
        op.fetch(x)
    });
}
