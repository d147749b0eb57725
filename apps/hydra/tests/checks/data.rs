//! The dats of a flow as doubles, in either precision.

use hydra::solver::Flow;
use op2::{Dat, Float, Value};

/// The components of a dat, one element after the other.
pub(crate) fn widened<F: Float, S, V: Value<Elem = F>>(flow: &Flow<F>, dat: Dat<S, V>) -> Vec<f64> {
    let rows = flow.op.fetch(dat).unwrap();
    rows.iter().flat_map(V::components).map(|component| component.to_f64()).collect()
}

/// The name of a dat, the number of its components, and their values.
pub(crate) type Named = (&'static str, usize, Vec<f64>);

/// All that loops change.
pub(crate) fn all<F: Float>(flow: &Flow<F>) -> Vec<Named> {
    fn of<F: Float, S, V: Value<Elem = F>>(flow: &Flow<F>, name: &'static str, dat: Dat<S, V>) -> Named {
        (name, V::DIM, widened(flow, dat))
    }
    vec![
        of(flow, "metric", flow.metric),
        of(flow, "q", flow.q),
        of(flow, "old", flow.old),
        of(flow, "aux", flow.aux),
        of(flow, "slopes", flow.slopes),
        of(flow, "lsq", flow.lsq),
        of(flow, "radius", flow.radius),
        of(flow, "sensor", flow.sensor),
        of(flow, "step", flow.step),
        of(flow, "source", flow.source),
        of(flow, "grad", flow.grad),
        of(flow, "lap", flow.lap),
        of(flow, "vis", flow.vis),
        of(flow, "blended", flow.blended),
        of(flow, "res", flow.res),
    ]
}
