const EPS: f64 = 0.05;

#[op2::device_fn]
fn pressure(q: [f64; 4]) -> f64 {
    let ri = 1.0 / q[0];
    0.4 * (q[3] - 0.5 * ri * (q[1] * q[1] + q[2] * q[2]))
}

#[op2::kernel]
fn res_calc(
    x1: &[f64; 2],
    x2: &[f64; 2],
    q1: &[f64; 4],
    q2: &[f64; 4],
    adt1: &f64,
    adt2: &f64,
    res1: &mut [f64; 4],
    res2: &mut [f64; 4],
) {
    let (dx, dy) = (x1[0] - x2[0], x1[1] - x2[1]);
    let p = pressure(*q1) + pressure(*q2);
    let mu = 0.5 * (*adt1 + *adt2) * EPS;
    let flux = [mu * (q1[0] - q2[0]), p * dy, -p * dx, 0.0];
    for n in 0..4 {
        res1[n] += flux[n];
        res2[n] -= flux[n];
    }
}

impl Airfoil {
    fn run(&mut self) -> op2::Result<()> {
        op_par_loop!(
            self.op,
            res_calc,
            self.edges,
            read(self.x, self.pedge[0]),
            read(self.x, self.pedge[1]),
            read(self.q, self.pecell[0]),
            read(self.q, self.pecell[1]),
            read(self.adt, self.pecell[0]),
            read(self.adt, self.pecell[1]),
            inc(self.res, self.pecell[0]),
            inc(self.res, self.pecell[1])
        )
    }
}
