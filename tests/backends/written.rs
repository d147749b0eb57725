//! Expressions for handles in a loop: each is evaluated once, in order, and equal text may mean different handles.

use crate::support::mesh::Kind;
use crate::support::{Configuration, Mesh, on_every_backend, samples};
use op2::{Fault, op_par_loop};
use std::cell::RefCell;

/// Meshes with few and with many elements and repeated targets.
const MESHES: [Mesh; 3] = [
    Mesh { edges: 0, nodes: 1, kind: Kind::Random },
    Mesh { edges: 3, nodes: 2, kind: Kind::Random },
    Mesh { edges: 300, nodes: 100, kind: Kind::Random },
];

#[op2::kernel]
fn ones(a: &mut f64, b: &mut f64) {
    *a += 1.0;
    *b += 10.0;
}

/// The values of the nodes after `a` gets 1 through the first end and `b` 10 through the second.
fn of_ends(m: &Mesh) -> (Vec<f64>, Vec<f64>) {
    let (mut a, mut b): (Vec<f64>, Vec<f64>) = (samples(m.nodes, 1), samples(m.nodes, 2));
    for [from, to] in m.rows(1) {
        a[from as usize] += 1.0;
        b[to as usize] += 10.0;
    }
    (a, b)
}

/// The same text is another dat each time.
#[test]
fn an_iterator_gives_another_dat_each_time() {
    on_every_backend(&MESHES, of_ends, |op, m| {
        let handles = m.declare(op)?;
        let ends = op.decl_map("ends", handles.edges, handles.nodes, &m.rows::<2>(1))?;
        let a = op.decl_dat("a", handles.nodes, &samples::<f64>(m.nodes, 1))?;
        let b = op.decl_dat("b", handles.nodes, &samples::<f64>(m.nodes, 2))?;
        let mut next = [a, b].into_iter();
        op_par_loop!(op, ones, handles.edges, inc(next.next().unwrap(), ends[0]), inc(next.next().unwrap(), ends[1]))?;
        Ok((op.fetch(a)?, op.fetch(b)?))
    });
}

/// A loop with two dats of the same name: one of the caller and one of the macro.
macro_rules! two_of_one_name {
    ($op:ident, $edges:expr, $ends:ident, $x:expr, $other:expr) => {{
        let x = $other;
        op_par_loop!($op, ones, $edges, inc($x, $ends[0]), inc(x, $ends[1]))
    }};
}

#[test]
fn a_macro_has_a_dat_of_the_same_name() {
    on_every_backend(&MESHES, of_ends, |op, m| {
        let handles = m.declare(op)?;
        let ends = op.decl_map("ends", handles.edges, handles.nodes, &m.rows::<2>(1))?;
        let x = op.decl_dat("x", handles.nodes, &samples::<f64>(m.nodes, 1))?;
        let b = op.decl_dat("b", handles.nodes, &samples::<f64>(m.nodes, 2))?;
        two_of_one_name!(op, handles.edges, ends, x, b)?;
        Ok((op.fetch(x)?, op.fetch(b)?))
    });
}

#[op2::kernel]
fn difference(a: &f64, b: &f64, d: &mut f64) {
    *d = *a - *b;
}

/// The same with maps, and with indices into one.
macro_rules! two_maps_of_one_name {
    ($op:ident, $edges:expr, $x:ident, $map:expr, $index:expr, $other:expr, $d:ident) => {{
        let (map, index) = ($other, 0);
        op_par_loop!($op, difference, $edges, read($x, $map[$index]), read($x, map[index]), write($d))
    }};
}

#[test]
fn a_macro_has_a_map_and_an_index_of_the_same_names() {
    let expected = |m: &Mesh| -> Vec<f64> {
        let x: Vec<f64> = samples(m.nodes, 1);
        m.rows(1).into_iter().map(|[from, to]| x[to as usize] - x[from as usize]).collect()
    };
    on_every_backend(&MESHES, expected, |op, m| {
        let handles = m.declare(op)?;
        let ends = op.decl_map("ends", handles.edges, handles.nodes, &m.rows::<2>(1))?;
        let x = op.decl_dat("x", handles.nodes, &samples::<f64>(m.nodes, 1))?;
        let d = op.decl_dat_filled("d", handles.edges, 0.0)?;
        let (map, index) = (ends, 1);
        two_maps_of_one_name!(op, handles.edges, x, map, index, ends, d)?;
        op.fetch(d)
    });
}

#[op2::kernel]
fn through_all(a: &f64, b: &f64, c: Option<&f64>, total: &mut f64, d: &mut f64) {
    *d = *a - *b;
    if let Some(c) = c {
        *total += *c;
    }
}

/// Every handle is evaluated once, from left to right; a dat that is switched off is not evaluated.
#[test]
fn handles_are_evaluated_once_and_in_order() {
    let mut op = Configuration::THREADS.op();
    let m = MESHES[2];
    let handles = m.declare(&mut op).expect("a mesh of the tests is valid");
    let ends = op.decl_map("ends", handles.edges, handles.nodes, &m.rows::<2>(1)).expect("a map of the tests is valid");
    let x = op.decl_dat("x", handles.nodes, &samples::<f64>(m.nodes, 1)).expect("as many values as nodes");
    let d = op.decl_dat_filled("d", handles.edges, 0.0).expect("a small dat");
    let total = op.decl_global("total", 0.0);
    let said = RefCell::new(Vec::new());
    macro_rules! say {
        ($word:literal, $value:expr) => {{
            said.borrow_mut().push($word);
            $value
        }};
    }
    let mut run = |on: bool| {
        said.borrow_mut().clear();
        op_par_loop!(
            op,
            through_all,
            say!("set", handles.edges),
            read(say!("a", x), say!("map of a", ends)[say!("entry of a", 0)]),
            read(say!("b", x), say!("map of b", ends)[say!("entry of b", 1)]),
            opt(say!("flag", on), read(say!("c", d))),
            gbl_inc(say!("total", total)),
            write(say!("d", d))
        )
        .map(|()| said.borrow().clone())
    };
    let off = ["set", "a", "map of a", "entry of a", "b", "map of b", "entry of b", "flag", "total", "d"];
    assert_eq!(run(false).expect("a valid loop"), off);
    // The optional argument reads a dat that the last one writes, so the loop is refused, but all handles are
    // evaluated.
    assert!(run(true).is_err());
    assert_eq!(
        *said.borrow(),
        ["set", "a", "map of a", "entry of a", "b", "map of b", "entry of b", "flag", "c", "total", "d"]
    );
}

/// A place that another argument changes: the text suggests one dat, but the call sees two.
#[test]
fn a_variable_that_changes_between_two_arguments_is_refused() {
    let mut op = Configuration::SEQ.op();
    let m = MESHES[2];
    let handles = m.declare(&mut op).expect("a mesh of the tests is valid");
    let ends = op.decl_map("ends", handles.edges, handles.nodes, &m.rows::<2>(1)).expect("a map of the tests is valid");
    let a = op.decl_dat_filled("a", handles.nodes, 0.0).expect("a small dat");
    let b = op.decl_dat_filled("b", handles.nodes, 0.0).expect("a small dat");
    let mut x = a;
    let change = |x: &mut op2::Dat<_, _>| {
        *x = b;
        1
    };
    let refused = op_par_loop!(op, ones, handles.edges, inc(x, ends[change(&mut x)]), inc(x, ends[0]));
    let Err(op2::Error::Loop(error)) = refused else { panic!("expected a refusal, found {refused:?}") };
    assert!(matches!(error.fault, Fault::OneNameTwoHandles { what: "dat", other: 0, .. }), "{error}");
    assert_eq!((op.fetch(a).unwrap(), op.fetch(b).unwrap()), (vec![0.0; m.nodes], vec![0.0; m.nodes]));
}
