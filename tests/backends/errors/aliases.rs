//! One dat or global in two arguments that exclude each other, hidden from the compiler behind two names.

use super::{Fixture, refused};
use crate::support::Configuration;
use op2::op_par_loop;

#[op2::kernel]
fn diffuse(x: &f64, sum: &mut f64) {
    *sum += *x;
}

#[op2::kernel]
fn relax(x: &f64, value: &mut f64) {
    *value = 0.5 * *value + *x;
}

#[op2::kernel]
fn mixed(weight: &f64, sum: &mut f64, lowest: &mut f64) {
    *sum += *weight;
    *lowest = lowest.min(*weight);
}

#[op2::kernel]
fn overwrite(old: &f64, new: &mut f64) {
    *new = -*old;
}

const WHY: &str = "what one element writes another may read; give the loop a second dat, or split it in two";

#[test]
fn read_and_incremented_through_maps() {
    let text = format!(
        "loop `diffuse` (), argument 1 `inc(same, f.map[1])`: dat `sum` is `inc` here and `read` in argument 0: {WHY}"
    );
    refused(&text, |f| {
        let same = f.sum;
        op_par_loop!(f.op, diffuse, f.edges, read(f.sum, f.map[0]), inc(same, f.map[1]))
    });
}

#[test]
fn read_and_changed_through_maps() {
    let text = format!(
        "loop `relax` (), argument 1 `rw(same, f.map[1])`: dat `sum` is `rw` here and `read` in argument 0: {WHY}"
    );
    refused(&text, |f| {
        let same = f.sum;
        op_par_loop!(f.op, relax, f.edges, read(f.sum, f.map[0]), rw(same, f.map[1]))
    });
}

#[test]
fn two_ways_of_combining() {
    let text = format!(
        "loop `mixed` (), argument 2 `min(same, f.map[1])`: dat `sum` is `min` here and `inc` in argument 1: {WHY}"
    );
    refused(&text, |f| {
        let same = f.sum;
        op_par_loop!(f.op, mixed, f.edges, read(f.weight), inc(f.sum, f.map[0]), min(same, f.map[1]))
    });
}

/// Run in place, the kernel would hold `&` and `&mut` to one value.
#[test]
fn read_and_written_directly() {
    let text = format!(
        "loop `overwrite` (), argument 1 `write(same)`: dat `weight` is `write` here and `read` in argument 0: {WHY}"
    );
    refused(&text, |f| {
        let same = f.weight;
        op_par_loop!(f.op, overwrite, f.edges, read(f.weight), write(same))
    });
}

#[test]
fn changed_twice_directly() {
    #[op2::kernel]
    fn both(a: &mut f64, b: &mut f64) {
        *a = 2.0 * *a + 1.0;
        *b = 3.0 * *b - 1.0;
    }
    let text =
        format!("loop `both` (), argument 1 `rw(same)`: dat `weight` is `rw` here and `rw` in argument 0: {WHY}");
    refused(&text, |f| {
        let same = f.weight;
        op_par_loop!(f.op, both, f.edges, rw(f.weight), rw(same))
    });
}

#[test]
fn one_global_reduced_twice() {
    #[op2::kernel]
    fn both(weight: &f64, sum: &mut f64, greatest: &mut f64) {
        *sum += *weight;
        *greatest = greatest.max(*weight);
    }
    let why = "a loop can reduce into a global only once, and not read it meanwhile; use a second global";
    refused(&format!("loop `both` (), argument 2 `gbl_max(same)`: global `total` is also argument 1: {why}"), |f| {
        let same = f.total;
        op_par_loop!(f.op, both, f.edges, read(f.weight), gbl_inc(f.total), gbl_max(same))
    });
    refused(&format!("loop `diffuse` (), argument 1 `gbl_inc(same)`: global `total` is also argument 0: {why}"), |f| {
        let same = f.total;
        op_par_loop!(f.op, diffuse, f.edges, gbl_read(f.total), gbl_inc(same))
    });
}

/// Arguments with two names for one dat that are allowed: reads, and increments.
#[test]
fn harmless_aliases_run() {
    #[op2::kernel]
    fn twice(a: &f64, b: &f64, sum: &mut f64, more: &mut f64) {
        *sum += *a + *b;
        *more += 1.0;
    }
    for configuration in [Configuration::SEQ, Configuration::THREADS] {
        let mut f = Fixture::new(configuration);
        let (weight, sum) = (f.weight, f.sum);
        op_par_loop!(f.op, twice, f.edges, read(f.weight), read(weight), inc(f.sum, f.map[0]), inc(sum, f.map[1]))
            .unwrap();
        assert_eq!(f.values().1, [10.0, 13.0, 15.0, 17.0, 19.0, 11.0, 21.0]);
    }
}

#[op2::kernel]
fn relax_both(own: &mut f64, far: &mut f64) {
    *own = 0.5 * *own + 1.0;
    *far = 0.5 * *far + 1.0;
}

/// An element changes its own row, while an element of another block changes it through the map.
#[test]
fn changed_directly_and_through_a_map() {
    let text = format!(
        "loop `relax_both` (), argument 1 `rw(same, next[0])`: dat `weight` is `rw` here and `rw` in argument 0: {WHY}"
    );
    refused(&text, |f| {
        let next = f.op.decl_map("next", f.edges, f.edges, &[[1], [2], [3], [4], [5], [0]])?;
        let same = f.weight;
        op_par_loop!(f.op, relax_both, f.edges, rw(f.weight), rw(same, next[0]))
    });
}

/// Flags can exclude one of two arguments.
#[test]
fn an_absent_alias_is_none() {
    #[op2::kernel]
    fn maybe(x: Option<&f64>, sum: &mut f64) {
        let mut part = 1.0;
        if let Some(x) = x {
            part = *x;
        }
        *sum += part;
    }
    let call = |f: &mut Fixture, present: bool| {
        let same = f.sum;
        op_par_loop!(f.op, maybe, f.edges, opt(present, read(same, f.map[0])), inc(f.sum, f.map[1]))
    };
    let mut f = Fixture::new(Configuration::THREADS);
    for _ in 0..2 {
        call(&mut f, false).unwrap();
        assert!(call(&mut f, true).is_err());
    }
    assert_eq!(f.values().1, [10.0, 12.0, 12.0, 12.0, 12.0, 12.0, 12.0]);
}
