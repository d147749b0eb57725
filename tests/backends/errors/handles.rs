//! Handles that do not belong to the loop: of another mesh, of another set, or beyond a map's arity.

use super::{Fixture, refused};
use crate::support::{Configuration, Edges, Nodes};
use op2::{Error, op_par_loop};

#[op2::kernel]
fn add(weight: &f64, sum: &mut f64, total: &mut f64) {
    *sum += *weight;
    *total += *weight;
}

#[op2::kernel]
fn scale(factor: &f64, weight: &mut f64) {
    *weight *= *factor;
}

#[op2::kernel]
fn number(node: u32, weight: &mut f64) {
    *weight = node as f64;
}

/// The same declarations on another `Op2`: handles with the same numbers.
fn stranger() -> Fixture {
    Fixture::new(Configuration::SEQ)
}

const ANOTHER: &str = "belongs to another mesh: it was declared by a different `Op2` than the one that runs the loop";

#[test]
fn a_set_of_another_mesh() {
    refused(&format!("loop `add` (): the set {ANOTHER}"), |f| {
        op_par_loop!(f.op, add, stranger().edges, read(f.weight), inc(f.sum, f.map[0]), gbl_inc(f.total))
    });
}

#[test]
fn a_subset_of_another_mesh() {
    refused(&format!("loop `add` (): the set {ANOTHER}"), |f| {
        let mut other = stranger();
        let some = other.op.decl_subset("some", other.edges, &[1u32, 2]).unwrap();
        op_par_loop!(f.op, add, some, read(f.weight), inc(f.sum, f.map[0]), gbl_inc(f.total))
    });
}

#[test]
fn a_direct_dat_of_another_mesh() {
    refused(&format!("loop `add` (), argument 0 `read(other.weight)`: the dat {ANOTHER}"), |f| {
        let other = stranger();
        op_par_loop!(f.op, add, f.edges, read(other.weight), inc(f.sum, f.map[0]), gbl_inc(f.total))
    });
}

#[test]
fn a_mapped_dat_of_another_mesh() {
    refused(&format!("loop `add` (), argument 1 `inc(other.sum, f.map[0])`: the dat {ANOTHER}"), |f| {
        let other = stranger();
        op_par_loop!(f.op, add, f.edges, read(f.weight), inc(other.sum, f.map[0]), gbl_inc(f.total))
    });
}

#[test]
fn a_map_of_another_mesh() {
    refused(&format!("loop `add` (), argument 1 `inc(f.sum, other.map[0])`: the map {ANOTHER}"), |f| {
        let other = stranger();
        op_par_loop!(f.op, add, f.edges, read(f.weight), inc(f.sum, other.map[0]), gbl_inc(f.total))
    });
}

#[test]
fn globals_of_another_mesh() {
    refused(&format!("loop `add` (), argument 2 `gbl_inc(other.total)`: the global {ANOTHER}"), |f| {
        let other = stranger();
        op_par_loop!(f.op, add, f.edges, read(f.weight), inc(f.sum, f.map[0]), gbl_inc(other.total))
    });
    refused(&format!("loop `scale` (), argument 0 `gbl_read(other.total)`: the global {ANOTHER}"), |f| {
        let other = stranger();
        op_par_loop!(f.op, scale, f.edges, gbl_read(other.total), rw(f.weight))
    });
}

/// The tags agree, so it compiles, but the dat lives on another set of that kind.
#[test]
fn a_dat_on_another_set_of_the_same_kind() {
    refused(
        "loop `add` (), argument 0 `read(coarse)`: dat `coarse` lives on set `coarse edges`, expected set `edges`: both are of one kind; use the dat of that set",
        |f| {
            let set = f.op.decl_set::<Edges>("coarse edges", 6).unwrap();
            let coarse = f.op.decl_dat_filled("coarse", set, 1.0).unwrap();
            op_par_loop!(f.op, add, f.edges, read(coarse), inc(f.sum, f.map[0]), gbl_inc(f.total))
        },
    );
    let text = "loop `add` (), argument 1 `inc(coarse, f.map[1])`: dat `coarse` lives on set `coarse nodes`, expected set `nodes`: both are of one kind; use the dat of that set";
    refused(text, |f| {
        let set = f.op.decl_set::<Nodes>("coarse nodes", 7).unwrap();
        let coarse = f.op.decl_dat_filled("coarse", set, 1.0).unwrap();
        op_par_loop!(f.op, add, f.edges, read(f.weight), inc(coarse, f.map[1]), gbl_inc(f.total))
    });
}

#[test]
fn a_map_from_another_set_of_the_same_kind() {
    let text = "loop `add` (), argument 1 `inc(f.sum, coarse[0])`: map `coarse` starts from set `coarse edges`, expected set `edges`: both are of one kind; use the map of that set";
    refused(text, |f| {
        let set = f.op.decl_set::<Edges>("coarse edges", 1).unwrap();
        let coarse = f.op.decl_map("coarse", set, f.nodes, &[[3]]).unwrap();
        op_par_loop!(f.op, add, f.edges, read(f.weight), inc(f.sum, coarse[0]), gbl_inc(f.total))
    });
}

/// An index that is only known at run time.
#[test]
fn an_index_beyond_the_arity() {
    refused(
        "loop `add` (), argument 1 `inc(f.sum, f.map[i])`: map `map` has arity 2, found index 2 (valid: 0..2)",
        |f| {
            let i = 2;
            op_par_loop!(f.op, add, f.edges, read(f.weight), inc(f.sum, f.map[i]), gbl_inc(f.total))
        },
    );
    refused(
        "loop `number` (), argument 0 `idx(f.map[i + 1])`: map `map` has arity 2, found index 8 (valid: 0..2)",
        |f| {
            let i = 7;
            op_par_loop!(f.op, number, f.edges, idx(f.map[i + 1]), write(f.weight))
        },
    );
}

/// The first of several faults is reported, and the loop runs once they are corrected.
#[test]
fn a_refused_loop_can_be_called_again() {
    let mut f = Fixture::new(Configuration::THREADS);
    let mut call =
        |i: usize, over| op_par_loop!(f.op, add, over, read(f.weight), inc(f.sum, f.map[i]), gbl_inc(f.total));
    let first = call(5, stranger().edges).unwrap_err();
    assert!(first.to_string().contains("the set belongs to another mesh"), "{first}");
    assert!(call(5, f.edges).is_err());
    assert!(call(1, f.edges).is_ok());
    assert_eq!(f.values().1, [10.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0]);
    assert_eq!(f.values().2, 115.0);
}

/// An argument that is switched off is not checked.
#[test]
fn absent_arguments_are_not_checked() {
    #[op2::kernel]
    fn maybe(weight: &f64, sum: Option<&mut f64>, total: &mut f64) {
        if let Some(sum) = sum {
            *sum += *weight;
        }
        *total += *weight;
    }
    let other = stranger();
    for present in [false, true] {
        let mut f = Fixture::new(Configuration::THREADS);
        let called = op_par_loop!(
            f.op,
            maybe,
            f.edges,
            read(f.weight),
            opt(present, inc(other.sum, f.map[0])),
            gbl_inc(f.total)
        );
        assert_eq!(called.is_err(), present);
        assert_eq!(f.values().2, if present { 100.0 } else { 115.0 });
        assert_eq!(other.values(), stranger().values());
    }
}

/// The whole message.
#[test]
fn the_message_names_file_and_line() {
    let mut f = Fixture::new(Configuration::SEQ);
    let (i, line) = (3, line!() + 1);
    let called = op_par_loop!(f.op, add, f.edges, read(f.weight), inc(f.sum, f.map[i]), gbl_inc(f.total));
    let expected = format!(
        "loop `add` ({}:{line}), argument 1 `inc(f.sum, f.map[i])`: map `map` has arity 2, found index 3 (valid: 0..2)",
        file!()
    );
    assert_eq!(called.unwrap_err().to_string(), expected);
}

/// Outside of loops, handles of another mesh are refused as well.
#[test]
fn declarations_and_data_of_another_mesh() {
    let (mut f, other) = (Fixture::new(Configuration::SEQ), stranger());
    let op = &mut f.op;
    let expect = |error: Error, what: &str| {
        let text =
            format!("{what} belongs to another mesh: it was declared by a different `Op2` than the one used here");
        assert_eq!(error.to_string(), text);
    };
    expect(op.decl_map("m", other.edges, f.nodes, &[[0]; 6]).unwrap_err(), "set");
    expect(op.decl_map("m", f.edges, other.nodes, &[[0]; 6]).unwrap_err(), "set");
    expect(op.decl_dat("d", other.edges, &[0.0; 6]).unwrap_err(), "set");
    expect(op.decl_dat_filled("d", other.edges, 0.0).unwrap_err(), "set");
    expect(op.decl_subset("s", other.edges, &[0]).unwrap_err(), "set");
    expect(op.size(other.edges).unwrap_err(), "set");
    expect(op.fetch(other.sum).unwrap_err(), "dat");
    expect(op.fetch_into(other.sum, &mut [0.0; 7]).unwrap_err(), "dat");
    expect(op.value(other.sum, 0).unwrap_err(), "dat");
    expect(op.set_data(other.sum, &[0.0; 7]).unwrap_err(), "dat");
    expect(op.set_value(other.sum, 0, 0.0).unwrap_err(), "dat");
    expect(op.set_layout(other.sum, op2::Layout::Soa).unwrap_err(), "dat");
    expect(op.set_map(other.map, &[[0, 0]; 6]).unwrap_err(), "map");
    expect(op.get(other.total).unwrap_err(), "global");
    expect(op.set(other.total, 0.0).unwrap_err(), "global");
    assert_eq!(f.values(), stranger().values());
}
