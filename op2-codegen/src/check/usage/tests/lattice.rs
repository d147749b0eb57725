//! Values and written components by themselves.

use std::rc::Rc;

use super::super::defined::{Defined, Range, Size};
use super::super::value::{Key, Place, Root, Val};
use crate::ir::{Len, Scalar, Ty};

fn array(len: usize) -> Defined {
    let ty = Ty::Array(Box::new(Ty::Scalar(Scalar::F64)), Len::Lit(len));
    Defined::new(&ty, &|len| match len {
        Len::Lit(n) => Size::Lit(*n as u64),
        _ => Size::Unknown,
    })
}

fn element(param: usize, key: Key) -> Val {
    Val::Ref(vec![Place { root: Root::Param(param), path: vec![key] }])
}

#[test]
fn what_a_loop_variable_meant_is_forgotten() {
    let mut values = Val::Agg(vec![element(0, Key::Var(1)), Val::each(Val::Var(1)), Val::Var(2)]);
    values.forget(1);
    let expected = Val::Agg(vec![element(0, Key::Any), Val::Each(Box::new(Val::Unknown)), Val::Var(2)]);
    assert_eq!(values, expected);
}

#[test]
fn a_reference_keeps_its_targets_in_every_join() {
    let joined = element(0, Key::At(1)).join(element(2, Key::At(0))).join(element(0, Key::At(1)));
    assert!(matches!(&joined, Val::Ref(places) if places.len() == 2));
    let either = joined.join(Val::Unknown);
    assert!(matches!(&either, Val::Ref(places) if places.len() == 3), "{either:?}");
    assert_eq!(Val::Unset.join(element(0, Key::Any)), element(0, Key::Any));
    assert_eq!(Val::Int(1).join(Val::Int(2)), Val::Unknown);
    let array = Val::Agg(vec![element(0, Key::Any), Val::Unknown]);
    assert!(matches!(array.at(&Key::Any), Val::Ref(_)));
}

#[test]
fn elements_become_the_whole() {
    let mut written = array(3);
    for i in [0, 2] {
        written.write(&[Key::At(i)]);
    }
    assert_eq!(written.missing().as_deref(), Some("[1]"));
    assert!(written.covers(&[Key::At(2)]) && !written.covers(&[Key::Any]) && !written.covers(&[]));
    written.write(&[Key::At(1)]);
    assert!(written.covers(&[]) && written.covers(&[Key::Any]) && written.covers(&[Key::Const(Rc::from("N"))]));
    assert_eq!(written.missing(), None);
}

#[test]
fn a_sweep_writes_its_range_alone() {
    let (mut after, mut iteration) = (array(4), array(4));
    iteration.write(&[Key::Var(7)]);
    after.sweep(&iteration, 7, &Range::Known(1, 3));
    let written: Vec<bool> = (0..4).map(|i| after.covers(&[Key::At(i)])).collect();
    assert_eq!(written, [false, true, true, false]);
    after.sweep(&iteration, 8, &Range::Known(0, 4));
    assert!(!after.covers(&[]), "the variable of another loop says nothing");
}

#[test]
fn two_paths_agree_on_what_both_write() {
    let (mut a, mut b) = (array(2), array(2));
    a.write(&[Key::At(0)]);
    a.write(&[Key::At(1)]);
    b.write(&[Key::At(1)]);
    let met = a.meet(&b);
    assert!(met.covers(&[Key::At(1)]) && !met.covers(&[Key::At(0)]));
    assert_eq!(met, b.meet(&a));
}
