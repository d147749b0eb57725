//! Loops over sets that have grown: entries that nobody has written yet, and children that are not apart.

use super::Fixture;
use crate::support::{Configuration, Edges, Nodes};
use op2::plan::Race;
use op2::{Backend, Error, Idx, Row, Rows, Table, op_par_loop, op_plan};

#[op2::kernel]
fn halve(sum: [&f64; 2], new: &mut Row<f64>) {
    for k in 0..new.len() {
        new[k] = 0.5 * (*sum[0] + *sum[1]);
    }
}

#[op2::kernel]
fn twice(old: &Row<f64>, new: &mut Row<f64>) {
    for k in 0..new.len() {
        new[k] = 2.0 * old[k % old.len()];
    }
}

#[op2::kernel]
fn looked_up(sum: &Table<Nodes, f64>, new: &mut Row<f64>, ends: &[Idx<Nodes>; 2]) {
    for k in 0..new.len() {
        new[k] = sum.at(ends[0]);
    }
}

#[op2::kernel]
fn copied(from: &[Idx<Nodes>; 2], to: &mut [Idx<Nodes>; 2]) {
    *to = *from;
}

#[op2::kernel]
fn inherit(from: &[Idx<Nodes>; 2], to: &mut Row<[Idx<Nodes>; 2]>) {
    for k in 0..to.len() {
        to[k] = *from;
    }
}

#[op2::kernel]
fn compared(end: Idx<Nodes>, other: Idx<Nodes>, weight: &mut f64) {
    *weight = if end == other { 1.0 } else { 0.0 };
}

#[op2::kernel]
fn gather(sum: [&f64; 2], weight: &mut f64) {
    *weight += *sum[0] - *sum[1];
}

#[op2::kernel]
fn double(old: &f64, new: &mut Row<f64>) {
    for k in 0..new.len() {
        new[k] = 2.0 * *old;
    }
}

/// Gives each of the six edges as many nodes.
fn born(f: &mut Fixture, each: u32) -> op2::Result<Rows<Edges, Nodes>> {
    let born = f.op.decl_children("born", f.edges, f.nodes)?;
    let counts = f.op.decl_dat("counts", f.edges, &[each; 6])?;
    f.op.grow(born, counts)?;
    Ok(born)
}

/// Gives each edge another one, whose ends are unset.
fn kids(f: &mut Fixture) -> op2::Result<Rows<Edges, Edges>> {
    let kids = f.op.decl_children("kids", f.edges, f.edges)?;
    let counts = f.op.decl_dat("counts", f.edges, &[1_u32; 6])?;
    f.op.grow(kids, counts)?;
    Ok(kids)
}

/// The mesh grows, then `call` must fail with `text`, which follows file and line of the loop, and change nothing.
#[track_caller]
fn refused<G>(
    text: &str,
    grow: impl Fn(&mut Fixture) -> op2::Result<G>,
    call: impl Fn(&mut Fixture, &G) -> op2::Result<()>,
) {
    for configuration in [Configuration::SEQ, Configuration::THREADS] {
        let mut fixture = Fixture::new(configuration);
        let grown = grow(&mut fixture).unwrap();
        let before = fixture.values();
        let error = call(&mut fixture, &grown).expect_err("the loop must not run").to_string();
        let place = error.find(" (").zip(error.find(')')).expect("file and line");
        assert_eq!(format!("{}{}", &error[..place.0], &error[place.1 + 1..]), text, "{configuration}");
        assert_eq!(fixture.values(), before, "{configuration}: nothing may change");
    }
}

#[test]
fn entries_that_nobody_has_written() {
    let unset = "the loop needs all entries of map `map`; element 6 of set `edges`, ";
    let cure = "which came by `grow`, has no entries yet: write the rows of all new elements first, by a loop with \
                `write(map, children[..])` or `write(map)`, or by `set_map`";
    refused(&format!("loop `gather`, argument 0 `read(f.sum, f.map[..])`: {unset}{cure}"), kids, |f, _| {
        op_par_loop!(f.op, gather, f.edges, read(f.sum, f.map[..]), inc(f.weight))
    });
    refused(&format!("loop `copied`, argument 0 `read(f.map)`: {unset}{cure}"), kids, |f, _| {
        let other = f.op.decl_map("other", f.edges, f.nodes, &[[0_u32, 1]; 12])?;
        op_par_loop!(f.op, copied, f.edges, read(f.map), write(other))
    });
    refused(&format!("loop `compared`: {unset}{cure}"), kids, |f, _| {
        op_par_loop!(f.op, compared, f.edges, idx(f.map[0]), idx(f.map[1]), write(f.weight))
    });
}

#[op2::kernel]
fn flagged(edge: u32, flag: &mut bool) {
    *flag = edge % 5 == 3;
}

/// A subset may hold new elements if it was chosen after a growth, on a device, too.
#[test]
fn entries_of_chosen_elements() {
    let emulator = Configuration { backend: Backend::CudaEmu, ..Configuration::SEQ };
    let emulator = Configuration::emulator_runs().then_some(emulator);
    for configuration in [Configuration::SEQ, Configuration::THREADS].into_iter().chain(emulator) {
        let mut f = Fixture::new(configuration);
        let chosen = f.op.decl_subset::<_, u32>("chosen", f.edges, &[]).unwrap();
        kids(&mut f).unwrap();
        let flag = f.op.decl_dat_filled("flag", f.edges, false).unwrap();
        op_par_loop!(f.op, flagged, f.edges, idx(), write(flag)).unwrap();
        assert_eq!(f.op.select(chosen, flag).unwrap(), 2, "edges 3 and 8");
        let error = op_par_loop!(f.op, gather, chosen, read(f.sum, f.map[..]), inc(f.weight)).unwrap_err().to_string();
        assert!(error.contains("the loop needs all entries of map `map`; element 6"), "{configuration}: {error}");
    }
}

/// Elements that were there before have all entries, and so has what a loop has written.
#[test]
fn entries_of_old_elements_are_followed() {
    for configuration in [Configuration::SEQ, Configuration::THREADS] {
        let mut f = Fixture::new(configuration);
        let old = f.op.decl_subset("old", f.edges, &[0_u32, 1, 2, 3, 4, 5]).unwrap();
        let ends = f.op.fetch_map(f.map).unwrap();
        let first = f.op.decl_map("first", f.edges, f.nodes, &ends).unwrap();
        let kids = kids(&mut f).unwrap();
        op_par_loop!(f.op, gather, old, read(f.sum, f.map[..]), inc(f.weight)).unwrap();
        assert_eq!(f.op.fetch_map(f.map), Err(Error::Unset { map: "map".into(), element: 6, set: "edges".into() }));
        op_par_loop!(f.op, inherit, old, read(first), write(f.map, kids[..])).unwrap();
        op_par_loop!(f.op, gather, f.edges, read(f.sum, f.map[..]), inc(f.weight)).unwrap();
        let ends = f.op.fetch_map(f.map).unwrap();
        assert_eq!(ends[..6], ends[6..]);
    }
}

#[test]
fn children_that_others_reach() {
    let why = "what one element writes another may read; give the loop a second dat, or split it in two; they would be apart if one \
               led to elements from before a growth and the other to the children of that growth, but children of `born` may be any of";
    let reads = "loop `halve`, argument 1 `write(f.sum, born[..])`: dat `sum` is `write` here and `read` in argument 0";
    // Entries that were written after the growth may lead to its children.
    let later = |f: &mut Fixture| {
        let born = born(f, 1)?;
        let entries = f.op.fetch_map(f.map)?;
        f.op.set_map(f.map, &entries)?;
        Ok(born)
    };
    let map = format!("{reads}: {why} 7..13 and map `map`, when it was written, may be any of 0..13");
    refused(&map, later, |f, &born| op_par_loop!(f.op, halve, f.edges, read(f.sum, f.map[..]), write(f.sum, born[..])));
    let table = format!("{}: {why} 7..13 and the table may be any of 0..13", reads.replace("halve", "looked_up"));
    refused(
        &table,
        |f| born(f, 1),
        |f, &born| op_par_loop!(f.op, looked_up, f.edges, read(f.sum, all), write(f.sum, born[..]), read(f.map)),
    );
    // The loop runs over new elements, too.
    let own =
        "loop `double`, argument 1 `write(f.weight, kids[..])`: dat `weight` is `write` here and `read` in argument 0";
    let own = format!("{own}: {} 6..12 and the elements of the loop may be any of 0..12", why.replace("born", "kids"));
    refused(&own, kids, |f, &kids| op_par_loop!(f.op, double, f.edges, read(f.weight), write(f.weight, kids[..])));
}

/// Each growth has children of its own: those of an earlier one are apart from those of the next.
#[test]
fn growths_are_apart() {
    for configuration in [Configuration::SEQ, Configuration::THREADS] {
        let mut f = Fixture::new(configuration);
        let first = born(&mut f, 1).unwrap();
        let second = born(&mut f, 2).unwrap();
        op_par_loop!(f.op, halve, f.edges, read(f.sum, f.map[..]), write(f.sum, first[..])).unwrap();
        op_par_loop!(f.op, twice, f.edges, read(f.sum, first[..]), write(f.sum, second[..])).unwrap();
        assert_eq!(f.op.fetch(f.sum).unwrap(), [[10.0; 13].as_slice(), &[20.0; 12]].concat());
        let plan = op_plan!(f.op, twice, f.edges, read(f.sum, first[..]), write(f.sum, second[..])).unwrap();
        assert_eq!((plan.race(), plan.colours()), (Race::Impossible, 1), "nobody else has these children");
    }
}
