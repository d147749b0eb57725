//! Names of the user that the generated code uses too, in the kernel and round the loop.
use op2::prelude::*;

op2::sets! { Nodes, Edges }

mod rt {
    pub fn three() -> usize {
        3
    }
}

#[allow(non_camel_case_types)]
mod types {
    pub struct Option;
    pub struct Result;
    pub struct Some;
    pub struct usize;
    pub mod core {}
    pub mod std {}
}

#[op2::kernel]
fn gather(
    e: &f64,
    call: &f64,
    at: &mut f64,
    total: &mut f64,
    part: &mut f64,
    outcome: &mut ArgMax<f64, u32>,
    elems: u32,
) {
    *at += *e + *call;
    *total += *e;
    *part = part.max(*call);
    outcome.update(*e, elems);
}

#[op2::kernel]
fn all(value: [&f64; 2], view: [&mut f64; 2], map: Option<&f64>, r#type: &mut f64, _: &f64, _: &f64) {
    if let Some(map) = map {
        *view[0] += *value[1] * *map;
        *view[1] += *value[0];
    }
    *r#type = *value[0];
}

#[allow(unused_imports)]
fn main() -> op2::Result<()> {
    use types::*;
    let mut op = Op2::new()?;
    let nodes = op.decl_set::<Nodes>("nodes", 3)?;
    let edges = op.decl_set::<Edges>("edges", 2)?;
    let map = op.decl_map("map", edges, nodes, &[[0u32, 1], [1, 2]])?;
    let e = op.decl_dat("e", edges, &[1.0, 2.0])?;
    let call = op.decl_dat("call", nodes, &[10.0, 20.0, 30.0])?;
    let elems = op.decl_dat("elems", nodes, &[0.0; 3])?;
    let total = op.decl_global("total", 0.0);
    let part = op.decl_global("part", 0.0);
    let outcome = op.decl_global("outcome", ArgMax::none());
    op_par_loop!(
        op,
        gather,
        edges,
        read(e),
        read(call, map[0]),
        inc(elems, map[1]),
        gbl_inc(total),
        gbl_max(part),
        gbl_max(outcome),
        idx()
    )?;
    assert_eq!(op.fetch(elems)?, [0.0, 11.0, 22.0]);
    assert_eq!((op.get(total)?, op.get(part)?), (3.0, 20.0));
    assert_eq!(op.get(outcome)?.best(), ::core::option::Option::Some((2.0, 1)));
    let (out, value, view) = (op.decl_dat("out", edges, &[0.0; 2])?, true, rt::three());
    op_par_loop!(
        op,
        all,
        edges,
        read(call, map[..]),
        inc(elems, map[..]),
        opt(value && view == 3, read(e)),
        write(out),
        read(e),
        read(e)
    )?;
    assert_eq!(op.fetch(elems)?, [20.0, 11.0 + 10.0 + 60.0, 22.0 + 20.0]);
    assert_eq!(op.fetch(out)?, [10.0, 20.0]);
    Ok(())
}
