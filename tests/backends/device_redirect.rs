//! Strategies that redirect contributions on a device: which loops they run, and the notes of others.

use crate::support::{Configuration, Edges, Nodes};
use op2::{Backend, Reads, Strategy, op_par_loop};

#[op2::kernel]
fn spread(w: &f64, s: [&mut f64; 2]) {
    *s[0] += *w;
    *s[1] -= *w;
}

#[op2::kernel]
fn spread_and_count(w: &f64, s: [&mut f64; 2], count: &mut u32) {
    *s[0] += *w;
    *s[1] -= *w;
    *count += 1;
}

#[op2::kernel]
fn spread_and_keep(w: &f64, s: [&mut f64; 2], own: &mut f64) {
    *s[0] += *w;
    *s[1] -= *w;
    *own += *w;
}

/// Runs the first three loops on these rows, checks them against plain sums, and returns the strategy and note of each.
fn spreads(rows: &[[u32; 2]], strategy: Strategy) -> Option<Vec<(String, Option<String>)>> {
    if !Configuration::emulator_runs() {
        return None;
    }
    let n = rows.len();
    let mut op = Configuration { backend: Backend::CudaEmu, strategy, ..Configuration::SEQ }.op();
    let (edges, nodes) = (op.decl_set::<Edges>("edges", n).unwrap(), op.decl_set::<Nodes>("nodes", n).unwrap());
    let ends = op.decl_map("ends", edges, nodes, rows).unwrap();
    let weights: Vec<f64> = (0..n).map(|e| (e % 13) as f64).collect();
    let w = op.decl_dat("w", edges, &weights).unwrap();
    let s = op.decl_dat_filled("s", nodes, 0.0).unwrap();
    // A map from the nodes to themselves, so that one dat is also modified directly.
    let own: Vec<[u32; 2]> = rows.to_vec();
    let around = op.decl_map("around", nodes, nodes, &own).unwrap();
    let v = op.decl_dat("v", nodes, &weights).unwrap();
    let t = op.decl_dat_filled("t", nodes, 0.0).unwrap();
    let count = op.decl_global("count", 0u32);
    op_par_loop!(op, spread, edges, read(w), inc(s, ends[..])).unwrap();
    op_par_loop!(op, spread_and_count, edges, read(w), inc(s, ends[..]), gbl_inc(count)).unwrap();
    op_par_loop!(op, spread_and_keep, nodes, read(v), inc(t, around[..]), inc(t)).unwrap();
    let (mut once, mut kept) = (vec![0.0; n], weights.clone());
    for (&[a, b], w) in rows.iter().zip(&weights) {
        once[a as usize] += w;
        once[b as usize] -= w;
        kept[a as usize] += w;
        kept[b as usize] -= w;
    }
    // All numbers are small integers, so that additions are exact in any order.
    assert_eq!(op.fetch(s).unwrap(), once.iter().map(|s| 2.0 * s).collect::<Vec<_>>(), "{strategy}");
    assert_eq!(op.fetch(t).unwrap(), kept, "{strategy}");
    assert_eq!(op.get(count).unwrap(), n as u32, "{strategy}");
    let loops = op.report().loops;
    Some(loops.into_iter().map(|l| (l.strategy, l.note)).collect())
}

/// Compares the strategies and parts of the notes with the expected ones.
fn assert_ran(found: Option<Vec<(String, Option<String>)>>, expected: [(&str, &str); 3]) {
    let Some(found) = found else { return };
    for ((ran, note), (strategy, part)) in found.iter().zip(expected) {
        let note = note.as_deref().unwrap_or_default();
        assert_eq!(ran, strategy, "{note}");
        assert!(note.contains(part) && (part.is_empty() == note.is_empty()), "{note}");
    }
}

/// Tiles and owners run where they can; elsewhere a note tells the reason.
#[test]
fn tiles_and_owners_say_what_they_do_instead() {
    let ring: Vec<[u32; 2]> = (0..300).map(|e| [e, (e + 1) % 300]).collect();
    let mixed = "scattered instead: a dat is modified directly and through a map";
    let tiles = [("staged, overlapped tiles, 64 a block", ""); 2];
    let scattered = ("scatter, then gather, 64 a block", mixed);
    assert_ran(spreads(&ring, Strategy::tiles(64).reading(Reads::Staged)), [tiles[0], tiles[1], scattered]);
    let twice = "tiles instead: elements at the borders would do twice";
    let expected =
        [("gathered, owner computes, 64 a block", ""), ("gathered, overlapped tiles, 64 a block", twice), scattered];
    assert_ran(spreads(&ring, Strategy::owner(64).reading(Reads::Gathered)), expected);
}

/// A block must not have more elements than a thread block has threads.
#[test]
fn owners_give_up_where_one_target_has_too_many_elements() {
    // The ends of edges are far apart, so nearly every edge runs in two blocks.
    let far: Vec<[u32; 2]> = (0..2000).map(|e| [e, (e * 997 + 3) % 2000]).collect();
    if let Some(found) = spreads(&far, Strategy::owner(800).reading(Reads::Staged)) {
        assert_eq!(found[0], ("staged, owner computes, 800 a block".to_owned(), None));
    }
    // All edges share a node, so its owner runs all of them.
    let star: Vec<[u32; 2]> = (0..1100).map(|e| [0, e]).collect();
    if let Some(found) = spreads(&star, Strategy::owner(100).reading(Reads::Staged)) {
        let (ran, note) = &found[0];
        assert_eq!(ran, "staged, overlapped tiles, 100 a block");
        assert_eq!(note.as_deref(), Some("tiles instead: one target gets contributions of more than 1024 elements"));
    }
}
