#[op2::device_fn]
fn mean<F: Float, const M: usize>(values: &[F; M]) -> F {
    let mut sum = F::lit(0.0);
    for v in values {
        sum += *v;
    }
    sum * F::lit(1.0 / M as f64)
}

#[op2::kernel]
fn spread<F: Float, G: Float, const N: usize, const ENDS: usize>(q: &[[F; N]; 2], w: &G, sum: [&mut [F; N]; ENDS], most: &mut G) {
    let [first, second] = q.map(|row| mean(&row));
    for end in sum {
        for (i, s) in end.iter_mut().enumerate() {
            *s += first * q[1][i] - second;
        }
    }
    *most = most.max(*w * G::lit(ENDS as f64));
}

fn run(
    op: &mut Op2,
    edges: Set<Edges>,
    ends: Map<Edges, Nodes, 3>,
    q: Dat<Edges, [[f32; 2]; 2]>,
    w: Dat<Edges, f64>,
    s: Dat<Nodes, [f32; 2]>,
    most: Global<f64>,
) -> op2::Result<()> {
    op_par_loop!(op, spread, edges, read(q), read(w), inc(s, ends[..]), gbl_max(most))
}
