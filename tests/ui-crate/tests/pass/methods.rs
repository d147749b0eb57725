//! Methods of scalars on references, with traits in scope that do not come before them.
use op2::prelude::*;

op2::sets! { pub Cells }

pub trait Size: Sized {
    fn abs(self) -> Self {
        self
    }
    fn weight(&self) -> f64 {
        7.0
    }
}
impl Size for f64 {}

#[op2::kernel]
fn sizes<F: Float>(x: &F, y: &mut F, n: [&i32; 1], m: &mut i32) {
    *y = x.abs().max(y.abs()) + x.sqrt().min(*x);
    *m = n[0].abs() + m.signum();
    let r = &mut *y;
    *r = r.powi(2);
}

fn main() -> op2::Result<()> {
    assert_eq!(1.0f64.weight(), 7.0);
    for backend in [Backend::Seq, Backend::Threads(2)] {
        let mut op = Op2::with(Config::default().backend(backend))?;
        let cells = op.decl_set::<Cells>("cells", 2)?;
        let own = op.decl_map("own", cells, cells, &[[0], [1]])?;
        let (x, y) = (op.decl_dat("x", cells, &[4.0, 9.0])?, op.decl_dat("y", cells, &[-5.0, 1.0])?);
        let (n, m) = (op.decl_dat("n", cells, &[-3, 3])?, op.decl_dat("m", cells, &[-2, 2])?);
        op_par_loop!(op, sizes, cells, read(x), rw(y), read(n, own[..]), rw(m))?;
        assert_eq!((op.fetch(y)?, op.fetch(m)?), (vec![49.0, 144.0], vec![2, 4]));
    }
    Ok(())
}
