//! A module with its own `Option`, `Result`, `f64`, `core` and `std`.
#![allow(non_camel_case_types, non_upper_case_globals, dead_code)]

pub enum Option {}
pub enum Result {}
pub enum Range {}
pub mod core {}
pub mod std {}
pub mod op {}
pub mod f64 {}
pub const Ok: u32 = 1;

op2::sets! { Cells }

#[op2::kernel]
fn add(a: &f64, b: &mut f64) {
    *b += *a;
}

fn run(
    op: &mut op2::Op2,
    cells: op2::Set<Cells>,
    a: op2::Dat<Cells, ::core::primitive::f64>,
    b: op2::Global<::core::primitive::f64>,
) -> op2::Result<()> {
    op2::op_par_loop!(op, add, cells, read(a), gbl_inc(b))
}

fn main() {
    let mut op = op2::Op2::new().unwrap();
    let cells = op.decl_set("cells", 2).unwrap();
    let a = op.decl_dat("a", cells, &[1.0, 2.0]).unwrap();
    let b = op.decl_global("b", 0.0);
    run(&mut op, cells, a, b).unwrap();
    assert_eq!(op.get(b).unwrap(), 3.0);
}
