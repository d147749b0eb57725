//! Results of type inference: types of literals, locals, constants.

use op2_codegen::ir::{Func, Scalar, Ty, Unit, print};
use op2_codegen::model;
use op2_codegen::parse::kernel::{self as parse, FnKind};

use crate::{assert_typed, kernel, payload};

fn local(unit: &Unit, name: &str) -> Ty {
    assert_typed(unit);
    let func: &Func = &unit.funcs[0];
    let found = func.locals.iter().rev().find(|l| l.name == name);
    found.unwrap_or_else(|| panic!("no local {name}")).ty.clone()
}

fn constant(unit: &Unit, path: &str) -> String {
    let func = &unit.funcs[0];
    let found = func.consts.iter().find(|c| print::tokens(&c.path) == path);
    print::ty(func, &found.unwrap_or_else(|| panic!("no constant {path}")).ty)
}

#[test]
fn float_literals_follow_their_use() {
    let unit = kernel(
        "fn k(x: &[f32; 2], y: &mut f32) { let mut s = 0.0; s += x[0]; let t = 1.5; *y = s * 2.0;
         let free = 1.0 + t; }",
    );
    assert_eq!(local(&unit, "s"), Ty::Scalar(Scalar::F32));
    assert_eq!(local(&unit, "t"), Ty::Scalar(Scalar::F64));
    assert_eq!(local(&unit, "free"), Ty::Scalar(Scalar::F64));
    let shown = print::unit(&unit);
    assert!(shown.contains("(s#2 * 2.0_f32)"), "{shown}");
}

#[test]
fn integer_literals_follow_their_use() {
    let unit = kernel(
        "fn k(x: &[i64; 8], y: &mut i64) { let n = 3; let mut s = 0; for i in 0..n { s += x[i]; }
         let free = 7; *y = s; }",
    );
    assert_eq!(local(&unit, "n"), Ty::Scalar(Scalar::Usize));
    assert_eq!(local(&unit, "i"), Ty::Scalar(Scalar::Usize));
    assert_eq!(local(&unit, "s"), Ty::Scalar(Scalar::I64));
    assert_eq!(local(&unit, "free"), Ty::Scalar(Scalar::I32));
}

#[test]
fn late_and_nested_bindings() {
    let unit = kernel(
        "fn k(x: &[f32; 2], y: &mut f32) { let a; let (b, mut c) = ([x[0]; 2], 1.0);
         if x[0] > 0.0 { a = 0.5; } else { a = x[1]; } c *= a; *y = b[1] + c; }",
    );
    assert_eq!(local(&unit, "a"), Ty::Scalar(Scalar::F32));
    assert_eq!(print::ty(&unit.funcs[0], &local(&unit, "b")), "[f32; 2]");
    assert_eq!(local(&unit, "c"), Ty::Scalar(Scalar::F32));
}

#[test]
fn constants_get_their_type_from_use() {
    let unit = kernel(
        "fn k(x: &[f32; N], y: &mut f64) { let g: f64 = phys::GAM; *y = g;
         for i in 0..M { *y += T[i][0] * x[i] as f64; }
         let t: f32 = LIMIT.get(); }",
    );
    assert_eq!(constant(&unit, "N"), "usize");
    assert_eq!(constant(&unit, "M"), "usize");
    assert_eq!(constant(&unit, "phys::GAM"), "f64");
    assert_eq!(constant(&unit, "T"), "[[f64; _]; _]");
    assert_eq!(constant(&unit, "LIMIT"), "f32");
}

#[test]
fn blocks_that_leave_have_no_type_of_their_own() {
    let unit = kernel(
        "fn k(x: &f32, y: &mut f32) { let a = if *x > 0.0 { *x } else { return; };
         loop { if a > 1.0 { return; } } }",
    );
    assert_eq!(local(&unit, "a"), Ty::Scalar(Scalar::F32));
}

#[test]
fn dereferences_are_explicit() {
    let unit = kernel(
        "fn k(x: [&[f64; 2]; 3], q: &mut [f64; 2]) { let r = &x[1]; q[0] = r[1] + x[0][0];
         let s = &mut q[1]; *s += r[0].sqrt(); }",
    );
    let shown = print::unit(&unit);
    assert!(shown.contains("(*q#1)[0_usize] = ((*(*r#2))[1_usize] + (*x#0[0_usize])[0_usize])"), "{shown}");
    assert!(shown.contains("(*s#3) += sqrt((*(*r#2))[0_usize])"), "{shown}");
}

#[test]
fn a_mutable_reference_is_passed_as_a_shared_one() {
    let callee = payload("fn first(a: &[f64; 2]) -> f64 { a[0] }", &[]);
    let text = "fn k(q: &mut [f64; 2]) { q[1] = first(q); }";
    let unit = model::build(&payload(text, &[("first", callee)]), FnKind::Kernel).unwrap();
    let shown = print::unit(&unit);
    assert!(shown.contains("first@1(&(*q#0))"), "{shown}");
}

#[test]
fn lengths_of_results_come_along() {
    let callee = payload("fn flux(a: f64) -> [f64; WIDTH] { [a; WIDTH] }", &[]);
    let text = "fn k(a: &f64, q: &mut f64) { let f = m::flux(*a); *q = f[1]; }";
    let unit = model::build(&payload(text, &[("m::flux", callee)]), FnKind::Kernel).unwrap();
    assert_eq!(print::ty(&unit.funcs[0], &local(&unit, "f")), "[f64; WIDTH]");
    let origin = unit.funcs[0].consts[0].origin.expect("imported");
    assert_eq!((origin.0.0, origin.1.0), (1, 0));
}

#[test]
fn callees_are_the_calls_of_device_functions() {
    let item = syn::parse_str(
        "fn k<F: Float>(a: &mut F) { *a = f::g(h(*a), F::lit(1.0)); let b = h(f64::max(1.0, 2.0));
         let c = Some(1); Vec::new(); k(1); std::mem::swap(a, b); if x { self::z::<F>() } }",
    )
    .unwrap();
    let paths: Vec<String> = parse::mentions(&item, FnKind::Kernel).callees.iter().map(print::tokens).collect();
    assert_eq!(paths, ["f::g", "h", "self::z"]);
    let item =
        syn::parse_str("fn k(a: &mut f64) { let b = array::from_fn::<Small, NVAR, _>(|i| m::made(i)); }").unwrap();
    let found = parse::mentions(&item, FnKind::Kernel);
    let text = |paths: &[syn::Path]| paths.iter().map(print::tokens).collect::<Vec<_>>();
    assert_eq!((text(&found.callees), text(&found.types)), (vec!["m::made".to_owned()], vec!["Small".to_owned()]));
}

#[test]
fn parameters_of_every_kind_are_accepted() {
    let unit = kernel(
        "fn k(a: &bool, b: &mut [u32; 2], c: [&[f64; 2]; 4], d: [&mut i64; N], e: Option<&u64>,
              f: Option<&mut [f32; 3]>, g: Option<[&f64; 2]>, h: usize, i: u32,
              j: &mut ArgMax<f64, usize>, k: &mut op2::ArgMin<f32, (u32, [f64; 2])>,
              l: &[[f64; 3]; 6], _: &f64) {}",
    );
    assert_eq!(unit.funcs[0].params.len(), 13);
    assert_eq!(unit.funcs[0].params[2].written, "[&[f64; 2]; 4]");
    assert_eq!(unit.funcs[0].params[10].written, "&mut op2::ArgMin<f32, (u32, [f64; 2])>");
}

/// The first look at a constant stands inside of the index of another one.
#[test]
fn an_index_may_tell_the_type_of_what_it_indexes() {
    let unit = kernel(
        "fn k(y: &mut [i64; 2]) { y[0] = STEPS.get()[STEPS.get()[0] as usize % 2];
         y[1] = TABLE[TABLE[0][1] as usize][0]; }",
    );
    assert_typed(&unit);
    assert_eq!(constant(&unit, "STEPS"), "[i64; _]");
}
