//! Names that were met before, where the compiler and op2 mean the same by them.
use op2::prelude::*;

op2::sets! { pub Cells }

mod outer {
    #[op2::device_fn]
    pub fn scaled(x: f64) -> f64 {
        x * 0.5
    }

    pub mod inner {
        /// Another function of the name, by its own path.
        #[op2::device_fn]
        pub fn scaled(x: f64) -> f64 {
            super::scaled(x) * 10.0
        }
    }
}

#[op2::kernel]
fn shadowed(t: &f64, y: &mut f64) {
    let t = *t;
    let t = t * 2.0;
    *y = if t > 3.0 {
        let t = outer::scaled(t);
        t
    } else {
        let mut s = 0.0;
        for t in 0..3 {
            s += t as f64;
        }
        s + outer::inner::scaled(t)
    };
    'a: for _ in 0..2 {
        break 'a;
    }
    'a: for _ in 0..2 {
        continue 'a;
    }
}

macro_rules! with_local {
    ($name:ident, $v:ident) => {
        #[op2::kernel]
        fn $name(x: &f64, y: &mut f64) {
            let t = *x + 1.0;
            let $v = *x * 100.0;
            *y = t + $v;
        }
    };
}
with_local!(two_names, s);

fn main() -> op2::Result<()> {
    for backend in [Backend::Seq, Backend::Threads(2)] {
        let mut op = Op2::with(Config::default().backend(backend))?;
        let cells = op.decl_set::<Cells>("cells", 2)?;
        let (x, y) = (op.decl_dat("x", cells, &[1.0, 2.0])?, op.decl_dat_filled("y", cells, 0.0)?);
        op_par_loop!(op, shadowed, cells, read(x), write(y))?;
        assert_eq!(op.fetch(y)?, [3.0 + 10.0, 2.0]);
        op_par_loop!(op, two_names, cells, read(x), write(y))?;
        assert_eq!(op.fetch(y)?, [102.0, 203.0]);
    }
    Ok(())
}
