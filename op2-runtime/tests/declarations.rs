//! Declarations and data: accepted input, and the errors for bad input. A declaration that fails changes nothing.

use op2_runtime::{Backend, Config, Error, Layout, Op2, Set, SetTag, Strategy, rows};

#[derive(Clone, Copy, Debug)]
enum Nodes {}
impl SetTag for Nodes {
    const NAME: &'static str = "Nodes";
}

#[derive(Clone, Copy, Debug)]
enum Edges {}
impl SetTag for Edges {
    const NAME: &'static str = "Edges";
}

/// A mesh of three edges and four nodes.
fn mesh() -> (Op2, Set<Edges>, Set<Nodes>) {
    let mut op = Op2::with(Config::default().backend(Backend::Seq)).unwrap();
    let (edges, nodes) = (op.decl_set("edges", 3).unwrap(), op.decl_set("nodes", 4).unwrap());
    (op, edges, nodes)
}

#[track_caller]
fn says<T: std::fmt::Debug>(result: Result<T, Error>, text: &str) {
    assert_eq!(result.unwrap_err().to_string(), text);
}

#[test]
fn map_entries_that_lead_nowhere() {
    let (mut op, edges, nodes) = mesh();
    says(
        op.decl_map("pedge", edges, nodes, &[[0, 1], [1, -1], [2, 3]]),
        "map `pedge`: entry 1 of element 1 is -1, expected 0..4, an element of set `nodes`",
    );
    says(
        op.decl_map("pedge", edges, nodes, &[[0u64, 1], [1, 2], [4, 3]]),
        "map `pedge`: entry 0 of element 2 is 4, expected 0..4, an element of set `nodes`",
    );
    says(
        op.decl_map("pedge", edges, nodes, &[[0i64, i64::MIN], [1, 2], [4, 3]]),
        "map `pedge`: entry 1 of element 0 is -9223372036854775808, expected 0..4, an element of set `nodes`",
    );
    let empty = op.decl_set::<Nodes>("none", 0).unwrap();
    says(
        op.decl_map("pedge", edges, empty, &[[0], [0], [0]]),
        "map `pedge`: entry 0 of element 0 is 0, expected 0..0, an element of set `none`",
    );
}

/// An entry beyond 32 bits must not be cut down to one that exists.
#[test]
fn map_entries_beyond_32_bits() {
    let (mut op, edges, nodes) = mesh();
    says(
        op.decl_map("pedge", edges, nodes, &[[1u64 << 32], [0], [0]]),
        "map `pedge`: entry 0 of element 0 is 4294967296, expected 0..4, an element of set `nodes`",
    );
}

#[test]
fn every_integer_type_serves_for_entries() {
    let (mut op, edges, nodes) = mesh();
    op.decl_map("a", edges, nodes, &[[0i32], [3], [3]]).unwrap();
    op.decl_map("b", edges, nodes, &[[0u32], [3], [3]]).unwrap();
    op.decl_map("c", edges, nodes, &[[0i64], [3], [3]]).unwrap();
    op.decl_map("d", edges, nodes, &[[0u64], [3], [3]]).unwrap();
    op.decl_map("e", edges, nodes, &[[0usize], [3], [3]]).unwrap();
    op.decl_map("f", edges, nodes, &[[0isize], [3], [3]]).unwrap();
}

#[test]
fn wrong_numbers_of_rows() {
    let (mut op, edges, nodes) = mesh();
    says(
        op.decl_map("pedge", edges, nodes, &[[0, 1]; 2]),
        "map `pedge` got 2 rows, expected 3: one for each element of set `edges`",
    );
    says(
        op.decl_map("pedge", edges, nodes, &[[0, 1]; 4]),
        "map `pedge` got 4 rows, expected 3: one for each element of set `edges`",
    );
    says(
        op.decl_dat("x", nodes, &[[0.0; 2]; 3]),
        "dat `x` got 3 rows, expected 4: one for each element of set `nodes`",
    );
    says(op.decl_dat::<_, f64>("x", nodes, &[]), "dat `x` got 0 rows, expected 4: one for each element of set `nodes`");
}

#[test]
fn flat_data_that_do_not_fill_their_rows() {
    says(rows::<_, 2>(&[0, 1, 1, 2, 2]), "5 values do not divide into rows of 2: 1 are left over");
    assert_eq!(rows::<_, 3>(&[1, 2, 3, 4, 5, 6]).unwrap(), [[1, 2, 3], [4, 5, 6]]);
    assert!(rows::<i32, 3>(&[]).unwrap().is_empty());
}

#[test]
fn subsets_of_elements_that_exist_once() {
    let (mut op, _, nodes) = mesh();
    says(
        op.decl_subset("inlet", nodes, &[3, 0, 3]),
        "subset `inlet`: entry 2 is 3, which is entry 0 already: name each element once",
    );
    says(
        op.decl_subset("inlet", nodes, &[0, 4]),
        "subset `inlet`: entry 1 is 4, expected 0..4, an element of set `nodes`",
    );
    says(
        op.decl_subset("inlet", nodes, &[-1]),
        "subset `inlet`: entry 0 is -1, expected 0..4, an element of set `nodes`",
    );
    op.decl_subset("inlet", nodes, &[3, 0, 1, 2]).unwrap();
    op.decl_subset::<_, u32>("none", nodes, &[]).unwrap();
}

#[test]
fn sets_beyond_32_bits() {
    let (mut op, ..) = mesh();
    says(
        op.decl_set::<Nodes>("huge", 1 << 32),
        "set `huge` has 4294967296 elements, at most 4294967294 are possible: indices are 32 bits wide",
    );
}

#[test]
fn set_ups_that_cannot_run() {
    says(
        Op2::with(Config::default().backend(Backend::Threads(0))).map(|_| ()),
        "cannot start 0 threads: expected at least 1",
    );
    let with = |strategy| Op2::with(Config::default().strategy(strategy)).map(|_| ());
    says(with(Strategy::blocks(0)), "strategy `blocks:0` has no elements per block or no stages, expected at least 1");
    says(
        with(Strategy::colours(0)),
        "strategy `colours:0` has no elements per block or no stages, expected at least 1",
    );
    let (mut op, ..) = mesh();
    says(
        op.pin("flux", Strategy::blocks(0)),
        "strategy `blocks:0` has no elements per block or no stages, expected at least 1",
    );
}

/// A refused change leaves the old data and entries.
#[test]
fn refused_changes_change_nothing() {
    let (mut op, edges, nodes) = mesh();
    let x = op.decl_dat("x", nodes, &[[1.0, 2.0]; 4]).unwrap();
    let map = op.decl_map("pedge", edges, nodes, &[[0, 1], [1, 2], [2, 3]]).unwrap();
    says(op.set_data(x, &[[0.0; 2]; 5]), "dat `x` got 5 rows, expected 4: one for each element of set `nodes`");
    assert_eq!(op.fetch(x).unwrap(), [[1.0, 2.0]; 4]);
    says(
        op.set_map(map, &[[0, 1], [1, 2], [2, 4]]),
        "map `pedge`: entry 1 of element 2 is 4, expected 0..4, an element of set `nodes`",
    );
    says(op.set_map(map, &[[0, 1]; 2]), "map `pedge` got 2 rows, expected 3: one for each element of set `edges`");
    op.set_map(map, &[[3, 3]; 3]).unwrap();
}

/// Declared values are fetched unchanged, in every layout and type.
#[test]
fn data_come_back_as_they_went_in() {
    for layout in
        [Layout::Aos, Layout::Soa, Layout::Blocked(0), Layout::Blocked(1), Layout::Blocked(3), Layout::Blocked(255)]
    {
        let mut op = Op2::with(Config::default().backend(Backend::Seq).layout(layout)).unwrap();
        for size in [0, 1, 2, 3, 9] {
            let nodes = op.decl_set::<Nodes>("nodes", size).unwrap();
            assert_eq!(op.size(nodes).unwrap(), size);
            let nested: Vec<[[i64; 3]; 2]> = (0..size as i64).map(|e| [[e, -e, 7], [1 << 40, e * e, 0]]).collect();
            let dat = op.decl_dat("nested", nodes, &nested).unwrap();
            assert_eq!(op.fetch(dat).unwrap(), nested, "{layout:?}");
            for other in [Layout::Soa, Layout::Blocked(2), Layout::Aos] {
                op.set_layout(dat, other).unwrap();
                assert_eq!(op.fetch(dat).unwrap(), nested, "{layout:?} to {other:?}");
            }
            let flags: Vec<bool> = (0..size).map(|e| e % 3 == 0).collect();
            let dat = op.decl_dat("flags", nodes, &flags).unwrap();
            assert_eq!(op.fetch(dat).unwrap(), flags);
            op.set_data(dat, &vec![true; size]).unwrap();
            assert_eq!(op.fetch(dat).unwrap(), vec![true; size]);
        }
    }
}

/// A buffer of another length, or an element that does not exist: neither the dat nor the buffer changes.
#[test]
fn buffers_and_elements_that_do_not_fit() {
    let (mut op, _, nodes) = mesh();
    let rows = [[0.5, 1.0], [1.5, 2.0], [2.5, 3.0], [3.5, 4.0]];
    let x = op.decl_dat("x", nodes, &rows).unwrap();
    let mut buffer = vec![[7.0; 2]; 5];
    let other =
        |found| format!("the buffer for dat `x` has {found} rows, expected 4: one for each element of set `nodes`");
    says(op.fetch_into(x, &mut buffer), &other(5));
    says(op.fetch_into(x, &mut buffer[..3]), &other(3));
    says(op.fetch_into(x, &mut []), &other(0));
    assert_eq!(buffer, [[7.0; 2]; 5]);

    let none = |element: &str| format!("dat `x`: found element {element}, expected 0..4, an element of set `nodes`");
    says(op.value(x, 4), &none("4"));
    says(op.value(x, -1), &none("-1"));
    says(op.value(x, 1u64 << 32), &none("4294967296"));
    says(op.set_value(x, 4usize, [0.0; 2]), &none("4"));
    says(op.set_value(x, i64::MIN, [0.0; 2]), &none("-9223372036854775808"));
    assert_eq!(op.fetch(x).unwrap(), rows);

    let empty = op.decl_set::<Edges>("none", 0).unwrap();
    let y = op.decl_dat::<_, f32>("y", empty, &[]).unwrap();
    says(op.value(y, 0), "dat `y`: found element 0, expected 0..0, an element of set `none`");
    op.fetch_into(y, &mut []).unwrap();
}

#[test]
fn globals_keep_what_they_are_given() {
    let (mut op, ..) = mesh();
    let (a, b) = (op.decl_global("a", [1.0, 2.0]), op.decl_global("b", 3u32));
    op.set(a, [5.0, 6.0]).unwrap();
    assert_eq!((op.get(a).unwrap(), op.get(b).unwrap()), ([5.0, 6.0], 3));
}

/// Dats without components take no room and do no harm.
#[test]
fn dats_of_dim_zero() {
    let (mut op, edges, _) = mesh();
    let none = op.decl_dat("none", edges, &[[0.0f64; 0]; 3]).unwrap();
    assert_eq!(op.fetch(none).unwrap().len(), 3);
    op.set_value(none, 2, []).unwrap();
    assert_eq!(op.value(none, 2).unwrap(), [0.0f64; 0]);
    op.set_layout(none, Layout::Soa).unwrap();
    assert_eq!(op.fetch(none).unwrap().len(), 3);
}

/// Data that no computer has room for are an error with name and size, and the mesh goes on without it.
#[test]
fn data_without_room() {
    let (mut op, _, nodes) = mesh();
    let huge = op.decl_set::<Edges>("all", u32::MAX as usize - 1).unwrap();
    says(
        op.decl_dat_filled("field", huge, [[0.0; 128]; 64]),
        "no memory for dat `field`: it takes 281474976579584 bytes, which the system does not have; declare fewer elements or \
         smaller values, or run where there is more memory",
    );
    let small = op.decl_dat_filled("small", nodes, 2.0).unwrap();
    assert_eq!(op.fetch(small).unwrap(), [2.0; 4]);
}

/// Who asks for a strategy that the backend does not have is told at once.
#[test]
fn strategies_that_only_devices_have() {
    let (atomics, others) = (
        Strategy::atomics(256),
        "use `predicted`, `auto`, `blocks`, `colours`, `scatter`, `tiles`, `owner` or `split` there without `:staged` or `:gathered`, or a backend for devices",
    );
    for (backend, name) in [(Backend::Seq, "seq"), (Backend::Threads(2), "threads")] {
        let text = |stated: &str, origin: &str| {
            format!("strategy `{stated}` of `{origin}` runs on devices only, found backend `{name}`: {others}")
        };
        let config = Config::default().backend(backend);
        let refused = |config: Config| Op2::with(config).map(drop);
        says(refused(config.clone().strategy(atomics)), &text("atomics:256", "Config::strategy"));
        let given = "k=block-atomics:32".parse().unwrap();
        says(refused(config.clone().strategies(given)), &text("k=block-atomics:32", "Config::strategies"));
        let mut op = Op2::with(config).unwrap();
        says(op.pin("flux", atomics), &text("flux=atomics:256", "Op2::pin"));
        op.pin("flux", Strategy::tiles(9)).unwrap();
    }
}
