//! Records, enums and aliases of another crate.

use op2::prelude::*;
use op2_test_kernels::gas::{self, Place, Point, State};

op2::sets! { Cells }

/// A record with records of the other crate inside, whose lengths this crate cannot name.
#[op2::record]
struct Both {
    first: State,
    sum: Point<f64>,
}

#[op2::kernel]
fn gather(place: &Place, state: &State, both: &mut Both) {
    let sum = match place {
        gas::Place::Inner => gas::total(state),
        Place::Border => Point { x: -1.0, ..gas::total(state) },
    };
    *both = Both { sum, first: *state };
    let gas::State { momentum: [a, b], .. } = *state;
    both.first.momentum = [b, a];
}

/// Calls methods of the other crate, which mention what this one cannot name.
#[op2::kernel]
fn advance(both: &Both, out: &mut Point<f64>) {
    *out = both.sum.plus(&both.first.ends[0]);
    out.step(2.0);
}

#[test]
fn types_of_another_crate_are_values_of_dats() -> op2::Result<()> {
    let point = |x: f64| Point { x, u: [10.0 * x, 20.0 * x] };
    let states: Vec<State> =
        (0..40).map(f64::from).map(|n| State { ends: [point(n), point(n + 0.5)], momentum: [n, -1.0] }).collect();
    let places: Vec<Place> = (0..40).map(|n| if n % 3 == 0 { Place::Border } else { Place::Inner }).collect();
    let zero = Both { first: states[0], sum: point(0.0) };
    for (backend, layout) in [(Backend::Seq, Layout::Aos), (Backend::Threads(2), Layout::Soa)] {
        let mut op = Op2::with(Config::default().backend(backend))?;
        let cells = op.decl_set::<Cells>("cells", states.len())?;
        let place = op.decl_dat("place", cells, &places)?;
        let state = op.decl_dat("state", cells, &states)?;
        let both = op.decl_dat_filled("both", cells, zero)?;
        op.set_layout(state, layout)?;
        op.set_layout(both, layout)?;
        op_par_loop!(op, gas::push, cells, read(place), rw(state))?;
        op_par_loop!(op, gather, cells, read(place), read(state), write(both))?;
        let out = op.decl_dat_filled("out", cells, point(0.0))?;
        op_par_loop!(op, advance, cells, read(both), write(out))?;
        for (both, out) in op.fetch(both)?.into_iter().zip(op.fetch(out)?) {
            let [u, v] = [0, 1].map(|d| both.sum.u[d] + both.first.ends[0].u[d]);
            let x = both.sum.x + both.first.ends[0].x + (u + v) * 0.5;
            assert_eq!(out, Point { x, u: [u, v] });
        }
        for (n, both) in op.fetch(both)?.into_iter().enumerate() {
            let (x, border) = (n as f64, n % 3 == 0);
            let pushed = if border { 0.0 } else { 2.0 };
            assert_eq!(both.first.momentum, [-1.0, x], "{n}");
            assert_eq!(both.sum.x, if border { -1.0 } else { 2.0 * x + 0.5 }, "{n}");
            assert_eq!(both.sum.u, [20.0 * x + 5.0 + pushed * x, 40.0 * x + 10.0 - pushed], "{n}");
        }
    }
    Ok(())
}
