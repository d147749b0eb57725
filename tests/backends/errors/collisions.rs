//! Elements that reach one target twice and would leave an undefined value. Edge 5 of the fixture
//! leads to node 6 twice.

use super::{Fixture, refused};
use crate::support::Configuration;
use op2::{Layout, op_par_loop};

#[op2::kernel]
fn swap(a: &mut f64, b: &mut f64) {
    let (old_a, old_b) = (*a, *b);
    *a = old_b;
    *b = old_a;
}

#[op2::kernel]
fn set_both(weight: &f64, ends: [&mut f64; 2]) {
    *ends[0] = *weight;
    *ends[1] = -*weight;
}

#[op2::kernel]
fn set_one(weight: &f64, end: &mut f64) {
    *end = *weight;
}

const CURE: &str =
    "which of the two values stays is undefined; remove the repeated map entry, or use `inc`, `min`, `max` or `or`";

#[test]
fn rw_through_two_entries() {
    let text = format!(
        "loop `swap` (), argument 1 `rw(f.sum, f.map[1])`: element 5 reaches element 6 of dat `sum` twice as `rw` \
         (also by argument 0): {CURE}"
    );
    refused(&text, |f| op_par_loop!(f.op, swap, f.edges, rw(f.sum, f.map[0]), rw(f.sum, f.map[1])));
}

/// The arguments may go through different maps, and layouts make no difference.
#[test]
fn rw_through_two_maps() {
    let text = format!(
        "loop `swap` (), argument 1 `rw(f.sum, other[0])`: element 2 reaches element 3 of dat `sum` twice as `rw` \
         (also by argument 0): {CURE}"
    );
    refused(&text, |f| {
        f.op.set_layout(f.sum, Layout::Soa).unwrap();
        let other = f.op.decl_map("other", f.edges, f.nodes, &[[0], [1], [3], [4], [5], [0]]).unwrap();
        op_par_loop!(f.op, swap, f.edges, rw(f.sum, f.map[1]), rw(f.sum, other[0]))
    });
}

#[test]
fn write_through_all_entries() {
    let text = format!(
        "loop `set_both` (), argument 1 `write(f.sum, f.map[..])`: element 5 reaches element 6 of dat `sum` twice as `write` \
         (also by argument 1): {CURE}"
    );
    refused(&text, |f| op_par_loop!(f.op, set_both, f.edges, read(f.weight), write(f.sum, f.map[..])));
}

/// A subset without the colliding element runs, and so does a new map without a collision.
#[test]
fn collisions_belong_to_elements_and_maps() {
    for configuration in [Configuration::SEQ, Configuration::THREADS] {
        let mut f = Fixture::new(configuration);
        let some = f.op.decl_subset("some", f.edges, &[4, 0, 2]).unwrap();
        op_par_loop!(f.op, set_both, some, read(f.weight), write(f.sum, f.map[..])).unwrap();
        assert_eq!(f.values().1, [0.0, -0.0, 2.0, -2.0, 4.0, -4.0, 10.0]);
        let call = |f: &mut Fixture| op_par_loop!(f.op, set_both, f.edges, read(f.weight), write(f.sum, f.map[..]));
        assert!(call(&mut f).is_err());
        f.op.set_map(f.map, &[[0, 1], [0, 1], [2, 3], [2, 3], [4, 5], [4, 5]]).unwrap();
        call(&mut f).unwrap();
        f.op.set_map(f.map, &[[0, 1], [3, 3], [2, 3], [2, 3], [4, 5], [4, 5]]).unwrap();
        assert!(
            call(&mut f).unwrap_err().to_string().contains("element 1 reaches element 3 of dat `sum` twice as `write`")
        );
    }
}

/// Different elements with one target are no collision: they get different colours.
#[test]
fn elements_that_meet_are_no_collision() {
    for configuration in [Configuration::SEQ, Configuration::THREADS] {
        let mut f = Fixture::new(configuration);
        f.op.set_map(f.map, &[[3, 0]; 6]).unwrap();
        f.op.set_data(f.weight, &[7.0; 6]).unwrap();
        op_par_loop!(f.op, set_one, f.edges, read(f.weight), write(f.sum, f.map[0])).unwrap();
        assert_eq!(f.values().1, [10.0, 10.0, 10.0, 7.0, 10.0, 10.0, 10.0]);
    }
}
