/// Keeps the solution of the last iteration.
#[op2::kernel]
pub fn save_soln(q: &[f64; 4], qold: &mut [f64; 4]) {
    *qold = *q;
}

fn run(op: &mut Op2, cells: Set<Cells>, q: Dat<Cells, [f64; 4]>, qold: Dat<Cells, [f64; 4]>) -> op2::Result<()> {
    op_par_loop!(op, save_soln, cells, read(q), write(qold))
}
