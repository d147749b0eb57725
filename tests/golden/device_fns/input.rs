#[op2::device_fn]
fn square(x: f64) -> f64 {
    x * x
}

#[op2::device_fn]
fn length(x: f64, y: f64) -> f64 {
    (square(x) + square(y)).sqrt()
}

#[op2::device_fn]
fn scale(v: &mut [f64; 2], factor: f64) {
    for n in 0..2 {
        v[n] *= factor;
    }
}

#[op2::kernel]
fn normalise(v: &mut [f64; 2]) {
    let l = length(v[0], v[1]);
    if square(l) > f64::EPSILON {
        scale(v, 1.0 / l);
    }
}

fn run(op: &mut Op2) -> op2::Result<()> {
    op_par_loop!(op, normalise, nodes, rw(v))
}
