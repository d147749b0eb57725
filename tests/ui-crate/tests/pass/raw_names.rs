//! Kernels, device functions, parameters and handles whose names are words of Rust.
use op2::prelude::*;

op2::sets! { pub Nodes }

#[op2::device_fn]
pub fn r#type(r#in: f64) -> f64 {
    2.0 * r#in
}

#[op2::kernel]
pub fn r#match(r#loop: &mut f64, r#final: &f64) {
    let r#let = r#type(*r#final);
    *r#loop += r#let;
}

fn main() -> op2::Result<()> {
    for backend in [Backend::Seq, Backend::Threads(2)] {
        let mut op = Op2::with(Config::default().backend(backend))?;
        let r#struct = op.decl_set::<Nodes>("nodes", 3)?;
        let r#fn = op.decl_dat("a", r#struct, &[1.0, 2.0, 3.0])?;
        let r#use = op.decl_dat("b", r#struct, &[10.0, 20.0, 30.0])?;
        op_par_loop!(op, r#match, r#struct, rw(r#fn), read(r#use))?;
        assert_eq!(op.fetch(r#fn)?, [21.0, 42.0, 63.0]);
    }
    Ok(())
}
