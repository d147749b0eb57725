//! The same kernel in several loops, from other modules and from another crate.

use crate::support::{Mesh, Subject, on_every_backend, samples};
use op2::{ArgMin, Dat, Map, SetTag, op_par_loop};
use op2_test_kernels as library;
use op2_test_kernels::heat::CONDUCTIVITY;
use op2_test_kernels::{GAIN, SHARE, cube, heat};

mod kernels {
    /// Adds a multiple of one value to another.
    #[op2::kernel]
    pub(crate) fn add(factor: &f64, from: &f64, to: &mut f64) {
        *to += *factor * *from;
    }

    pub(crate) mod deeper {
        use super::super::cube;

        /// A kernel that calls a device function of another crate by an imported name.
        #[op2::kernel]
        pub(crate) fn add_cube(from: &f64, to: &mut f64) {
            *to += cube(*from);
        }
    }
}

use kernels::deeper::add_cube;
use kernels::{add, add as accumulate};

/// One kernel in four loops: direct, gathered, scattered, both; named by a path, by its name, by another name.
#[test]
fn one_kernel_in_several_loops() {
    let expected = |m: &Mesh| {
        let (mut e, mut n): (Vec<f64>, Vec<f64>) = (samples(m.edges, 1), samples(m.nodes, 2));
        let rows = m.rows::<2>(1);
        for v in &mut e {
            *v += 0.5 * 0.5;
        }
        for (v, [a, _]) in e.iter_mut().zip(&rows) {
            *v += 0.5 * n[*a as usize];
        }
        for (v, [_, b]) in e.iter().zip(&rows) {
            n[*b as usize] += 0.5 * v;
        }
        let old = n.clone();
        let mut far = vec![0.0; m.nodes];
        for [a, b] in rows {
            far[b as usize] += 0.5 * old[a as usize];
            far[b as usize] += old[b as usize].powi(3);
        }
        (e, n, far)
    };
    on_every_backend(&Mesh::all(), expected, |op, m| {
        let set = m.declare(op)?;
        let map = op.decl_map("map", set.edges, set.nodes, &m.rows::<2>(1))?;
        let e = op.decl_dat("e", set.edges, &samples::<f64>(m.edges, 1))?;
        let half = op.decl_dat_filled("half", set.edges, 0.5)?;
        let n = op.decl_dat("n", set.nodes, &samples::<f64>(m.nodes, 2))?;
        let far = op.decl_dat_filled("far", set.nodes, 0.0)?;
        let factor = op.decl_global("factor", 0.5);
        op_par_loop!(op, kernels::add, set.edges, gbl_read(factor), read(half), inc(e))?;
        op_par_loop!(op, crate::reuse::kernels::add, set.edges, gbl_read(factor), read(n, map[0]), rw(e))?;
        op_par_loop!(op, add, set.edges, gbl_read(factor), read(e), inc(n, map[1]))?;
        op_par_loop!(op, accumulate, set.edges, gbl_read(factor), read(n, map[0]), inc(far, map[1]))?;
        op_par_loop!(op, add_cube, set.edges, read(n, map[1]), inc(far, map[1]))?;
        Ok((op.fetch(e)?, op.fetch(n)?, op.fetch(far)?))
    });
}

/// A loop in a function that is called with different meshes, maps and dats: one loop text and one description, but
/// many plans.
#[test]
fn one_loop_on_several_meshes() {
    fn scatter<F: SetTag, T: SetTag>(
        op: &mut Subject,
        from: Dat<F, f64>,
        map: Map<F, T, 2>,
        to: Dat<T, f64>,
        over: op2::Set<F>,
    ) -> op2::Result<()> {
        let factor = op.decl_global("factor", -1.5);
        op_par_loop!(op, add, over, gbl_read(factor), read(from), inc(to, map[1]))
    }
    let expected = |m: &Mesh| {
        let (e, mut n): (Vec<f64>, Vec<f64>) = (samples(m.edges, 1), vec![0.0; m.nodes]);
        let mut own = vec![0.0; m.nodes];
        for ([_, b], v) in m.rows::<2>(1).into_iter().zip(&e) {
            n[b as usize] += -1.5 * v;
        }
        let within = Mesh { edges: m.nodes, ..*m };
        for ([_, b], v) in within.rows::<2>(2).into_iter().zip(&n) {
            own[b as usize] += -1.5 * v;
        }
        (n, own)
    };
    on_every_backend(&Mesh::all(), expected, |op, m| {
        let set = m.declare(op)?;
        let within = Mesh { edges: m.nodes, ..*m };
        let map = op.decl_map("map", set.edges, set.nodes, &m.rows::<2>(1))?;
        let own_map = op.decl_map("own", set.nodes, set.nodes, &within.rows::<2>(2))?;
        let e = op.decl_dat("e", set.edges, &samples::<f64>(m.edges, 1))?;
        let (n, own) = (op.decl_dat_filled("n", set.nodes, 0.0)?, op.decl_dat_filled("own", set.nodes, 0.0)?);
        scatter(op, e, map, n, set.edges)?;
        scatter(op, n, own_map, own, set.nodes)?;
        Ok((op.fetch(n)?, op.fetch(own)?))
    });
}

/// Calls functions of the library by path; one of them uses a run-time constant of the library.
#[op2::kernel]
fn here(x: &f64, out: &mut f64) {
    *out = op2_test_kernels::weighted(*x) - library::SHARE * cube(*x);
}

#[test]
fn kernels_and_functions_of_another_crate() {
    let expected = |m: &Mesh| {
        let (weight, mut sum): (Vec<f64>, Vec<f64>) = (samples(m.edges, 1), samples(m.nodes, 2));
        let (heat, mut flow): (Vec<f64>, Vec<f64>) = (samples(m.nodes, 3), vec![0.0; m.nodes]);
        let rows = m.rows::<2>(1);
        for ([a, b], w) in rows.iter().zip(&weight) {
            sum[*a as usize] += 1.25 * w.powi(3);
            sum[*b as usize] -= SHARE * 1.25 * w.powi(3);
        }
        for [a, b] in rows {
            let (a, b) = (a as usize, b as usize);
            let flux = CONDUCTIVITY * (heat[a] - heat[b]).powi(3);
            flow[a] -= flux;
            flow[b] += flux;
        }
        let out: Vec<f64> = weight.iter().map(|w| (1.25 - SHARE) * w.powi(3)).collect();
        let smallest = out.iter().copied().zip(0u32..).min_by(|a, b| a.0.total_cmp(&b.0));
        (sum, flow, out, smallest)
    };
    on_every_backend(&Mesh::all(), expected, |op, m| {
        GAIN.set(1.25)?;
        let set = m.declare(op)?;
        let map = op.decl_map("map", set.edges, set.nodes, &m.rows::<2>(1))?;
        let weight = op.decl_dat("weight", set.edges, &samples::<f64>(m.edges, 1))?;
        let out = op.decl_dat_filled("out", set.edges, 0.0)?;
        let sum = op.decl_dat("sum", set.nodes, &samples::<f64>(m.nodes, 2))?;
        let warmth = op.decl_dat("warmth", set.nodes, &samples::<f64>(m.nodes, 3))?;
        let flow = op.decl_dat_filled("flow", set.nodes, 0.0)?;
        let smallest = op.decl_global("smallest", ArgMin::none());
        op_par_loop!(op, library::spread, set.edges, read(weight), inc(sum, map[0]), inc(sum, map[1]))?;
        op_par_loop!(op, heat::exchange, set.edges, read(warmth, map[..]), inc(flow, map[..]))?;
        op_par_loop!(op, here, set.edges, read(weight), write(out))?;
        op_par_loop!(op, op2_test_kernels::smallest, set.edges, read(out), idx(), gbl_min(smallest))?;
        Ok((op.fetch(sum)?, op.fetch(flow)?, op.fetch(out)?, op.get(smallest)?.best()))
    });
}

/// A generic kernel of another crate, with an array length that is a constant of that crate.
#[test]
fn array_lengths_that_are_constants_of_another_crate() {
    let expected = |m: &Mesh| {
        let scaled = |v: [f32; 3]| [v[0], v[1] * 2.0, v[2] * 3.0];
        samples::<[f32; 3]>(m.nodes, 1).into_iter().map(scaled).collect::<Vec<_>>()
    };
    on_every_backend(&Mesh::single(), expected, |op, m| {
        let nodes = m.declare(op)?.nodes;
        let value = op.decl_dat("value", nodes, &samples::<[f32; library::COMPONENTS]>(m.nodes, 1))?;
        op_par_loop!(op, library::scale, nodes, rw(value))?;
        op.fetch(value)
    });
}

/// Kernels may be inside functions, and names in the user's scope do not conflict with those of generated code.
#[test]
fn names_that_look_like_generated_ones() {
    #[op2::kernel]
    fn kernel(e: &f64, call: &f64, map: &mut f64, __op2: &mut f64) {
        *map += *e * *call;
        *__op2 += *call;
    }
    let expected = |m: &Mesh| {
        let (x, mut sum, mut total): (Vec<f64>, Vec<f64>, f64) = (samples(m.edges, 1), vec![0.0; m.nodes], 0.0);
        for ([a, b], x) in m.rows::<2>(1).into_iter().zip(&x) {
            sum[a as usize] += x * x;
            sum[b as usize] += 0.0;
            total += x;
        }
        (sum, total)
    };
    on_every_backend(&Mesh::all(), expected, |call, m| {
        let set = m.declare(call)?;
        let elems = call.decl_map("map", set.edges, set.nodes, &m.rows::<2>(1))?;
        let e = call.decl_dat("e", set.edges, &samples::<f64>(m.edges, 1))?;
        let outcome = call.decl_dat_filled("outcome", set.nodes, 0.0)?;
        let total = call.decl_global("total", 0.0);
        op_par_loop!(call, kernel, set.edges, read(e), read(e), inc(outcome, elems[0]), gbl_inc(total))?;
        Ok((call.fetch(outcome)?, call.get(total)?))
    });
}
