//! Indices that could lead to an element that is none, and entries that are followed while others write them.

use super::refused;
use crate::support::{Edges, Nodes};
use op2::{Idx, Map, Table, op_par_loop};

#[op2::kernel]
fn copied(from: &[Idx<Nodes>; 2], to: &mut [Idx<Nodes>; 2]) {
    *to = *from;
}

#[op2::kernel]
fn compared(end: Idx<Nodes>, other: Idx<Nodes>, weight: &mut f64) {
    *weight = if end == other { 1.0 } else { 0.0 };
}

#[op2::kernel]
fn turned(sum: [&f64; 2], ends: &mut [Idx<Nodes>; 2]) {
    if *sum[0] > *sum[1] {
        *ends = [ends[1], ends[0]];
    }
}

#[test]
fn indices_of_one_kind_belong_to_one_set() {
    let text = "loop `copied` (): the kernel has indices of kind `Nodes` from two sets, `nodes` and `few`: the element of one is \
                none of the other; name one set, or declare them with kinds of their own";
    refused(text, |f| {
        let few = f.op.decl_set::<Nodes>("few", 1)?;
        let to: Map<Edges, Nodes, 2> = f.op.decl_map("to few", f.edges, few, &[[0, 0]; 6])?;
        op_par_loop!(f.op, copied, f.edges, read(f.map), write(to))
    });
    refused(&text.replace("copied", "compared"), |f| {
        let few = f.op.decl_set::<Nodes>("few", 1)?;
        let to: Map<Edges, Nodes, 2> = f.op.decl_map("to few", f.edges, few, &[[0, 0]; 6])?;
        op_par_loop!(f.op, compared, f.edges, idx(f.map[0]), idx(to[1]), write(f.weight))
    });
}

#[test]
fn entries_of_others_are_not_written_while_the_map_is_followed() {
    let text = "loop `turned` (), argument 1 `rw(f.map, next[0])`: `rw` of map `map` reaches rows of other elements, and the loop \
                follows this map: which entries it would follow is undefined; write them in a loop of their own";
    refused(text, |f| {
        let next: Map<Edges, Edges, 1> = f.op.decl_map("next", f.edges, f.edges, &[[1], [2], [3], [4], [5], [0]])?;
        op_par_loop!(f.op, turned, f.edges, read(f.sum, f.map[..]), rw(f.map, next[0]))
    });
}

#[test]
fn a_map_is_not_read_and_written_by_two_arguments() {
    let text = "loop `copied` (), argument 1 `write(same)`: dat `map` is `write` here and `read` in argument 0: what one element \
                writes another may read; give the loop a second dat, or split it in two";
    refused(text, |f| {
        let same = f.map;
        op_par_loop!(f.op, copied, f.edges, read(f.map), write(same))
    });
}

#[op2::kernel]
fn summed(end: Idx<Nodes>, sums: &Table<Nodes, f64>, sum: &mut f64) {
    *sum += sums.at(end);
}

#[test]
fn a_table_of_what_the_loop_modifies() {
    let text = "loop `summed` (), argument 2 `inc(same, f.map[1])`: dat `sum` is `inc` here and `read` in argument 1: what one element \
                writes another may read; give the loop a second dat, or split it in two";
    refused(text, |f| {
        let same = f.sum;
        op_par_loop!(f.op, summed, f.edges, idx(f.map[0]), read(f.sum, all), inc(same, f.map[1]))
    });
}

#[test]
fn a_table_of_another_set_of_the_same_kind() {
    let text = "loop `summed` (): the kernel has indices of kind `Nodes` from two sets, `nodes` and `few`: the element of one is \
                none of the other; name one set, or declare them with kinds of their own";
    refused(text, |f| {
        let few = f.op.decl_set::<Nodes>("few", 1)?;
        let small = f.op.decl_dat("small", few, &[1.0])?;
        op_par_loop!(f.op, summed, f.edges, idx(f.map[0]), read(small, all), inc(f.sum, f.map[1]))
    });
}
