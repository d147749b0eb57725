//! Run-time constants that have no value.

use super::{Fixture, refused};
use crate::support::Configuration;
use op2::op_par_loop;

op2::constants! {
    static OWN: f64;
    static SET_LATER: f64;
}

mod deep {
    op2::constants! {
        pub(super) static HIDDEN: [f64; 2];
    }

    #[op2::device_fn]
    pub(super) fn factor(x: f64) -> f64 {
        inner(x) + 1.0
    }

    #[op2::device_fn]
    fn inner(x: f64) -> f64 {
        x * HIDDEN.get()[1]
    }
}

#[op2::kernel]
fn uses_its_own(weight: &mut f64) {
    *weight *= OWN.get();
}

#[op2::kernel]
fn uses_it_deep_inside(weight: &mut f64) {
    *weight = deep::factor(*weight);
}

#[op2::kernel]
fn uses_it_later(weight: &mut f64) {
    *weight *= SET_LATER.get();
}

#[test]
fn a_constant_of_the_kernel() {
    let text = "loop `uses_its_own` (): the kernel uses constant `OWN`, which has no value yet: \
                call `OWN.set(…)` before the loop";
    refused(text, |f| op_par_loop!(f.op, uses_its_own, f.edges, rw(f.weight)));
}

#[test]
fn a_constant_of_a_device_function() {
    let text = "loop `uses_it_deep_inside` (): the kernel uses constant `HIDDEN`, which has no value yet: \
                call `HIDDEN.set(…)` before the loop";
    refused(text, |f| op_par_loop!(f.op, uses_it_deep_inside, f.edges, rw(f.weight)));
}

/// An empty loop is refused, too, so that a program does not work by accident of its mesh.
#[test]
fn an_empty_loop() {
    refused(
        "loop `uses_its_own` (): the kernel uses constant `OWN`, which has no value yet: call `OWN.set(…)` before the loop",
        |f| {
            let none = f.op.decl_subset::<_, u32>("none", f.edges, &[]).unwrap();
            op_par_loop!(f.op, uses_its_own, none, rw(f.weight))
        },
    );
}

#[test]
fn a_constant_that_gets_its_value() {
    let [mut f, mut another] = [(); 2].map(|()| Fixture::new(Configuration::THREADS));
    assert!(op_par_loop!(f.op, uses_it_later, f.edges, rw(f.weight)).is_err());
    SET_LATER.set(2.0).unwrap();
    SET_LATER.set(2.0).unwrap();
    op_par_loop!(f.op, uses_it_later, f.edges, rw(f.weight)).unwrap();
    // Another `Op2` has it too.
    op_par_loop!(another.op, uses_it_later, another.edges, rw(another.weight)).unwrap();
    assert_eq!(another.values().0, f.values().0);
    assert_eq!(f.values().0, [0.0, 2.0, 4.0, 6.0, 8.0, 10.0]);
    assert_eq!(
        SET_LATER.set(3.0).unwrap_err().to_string(),
        "constant `SET_LATER` is 2.0 already and cannot become 3.0: a run-time constant has one value per process, because code \
         for devices is compiled with it; for a value that changes, pass the kernel a global (`Op2::decl_global`, `gbl_read`), or \
         start a process for each value"
    );
}
