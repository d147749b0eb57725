//! Rows of a dat in their places: gathered, moved to the front, filled.

use crate::data::layout::{Geometry, Layout};
use crate::data::parts;
use crate::data::value::Elem;
use std::ops::Range;

/// Where the rows of a dat are.
pub(super) struct Places {
    pub(super) layout: Layout,
    /// Components of a row.
    pub(super) dim: usize,
    /// Rows that there is room for.
    pub(super) capacity: usize,
}

/// Writes rows of a dat to `to`: row `n` is that with the number `old[n]`, and all behind the last one is zero.
pub(super) fn gather<E: Elem>(from: &[u8], places: &Places, old: &[u32], to: &mut [u8]) {
    let &Places { layout, dim, capacity } = places;
    if to.is_empty() {
        return;
    }
    let (group, runs, bytes) = (layout.group(), layout.runs(dim), const { size_of::<E>() });
    let len = parts::part_len(capacity).next_multiple_of(group);
    let row = dim / runs * bytes;
    let run_len = to.len() / runs;
    let geometry = layout.geometry(capacity, dim, bytes);
    // Elements of a part lie together in each run of the memory.
    for (to, from) in to.chunks_mut(run_len).zip(from.chunks(run_len)) {
        parts::for_each(to, len * row, |part, to| {
            let old = old.chunks(len).nth(part).unwrap_or_default();
            if group == 1 {
                gather_run(from, row, old, to);
            } else {
                gather_groups(from, (geometry, dim, bytes), old, to);
            }
        });
    }
}

/// The same for rows of so many bytes one after the other.
fn gather_run(from: &[u8], row: usize, old: &[u32], to: &mut [u8]) {
    to[old.len() * row..].fill(0);
    for_stretches(old, |n, first, len| {
        to[n * row..(n + len) * row].copy_from_slice(&from[first * row..(first + len) * row]);
    });
}

/// The same where the scalars, of so many bytes, of a row lie apart. The elements of the last group have padding between them.
fn gather_groups(from: &[u8], (geometry, dim, bytes): (Geometry, usize, usize), old: &[u32], to: &mut [u8]) {
    to.fill(0);
    for (n, &old) in old.iter().enumerate() {
        for c in 0..dim {
            let [from_at, to_at] = [old as usize, n].map(|e| geometry.offset(e, c) * bytes);
            to[to_at..to_at + bytes].copy_from_slice(&from[from_at..from_at + bytes]);
        }
    }
}

/// Moves rows to the front, those with the ascending numbers `old` out of `size`. All behind them is zero.
pub(super) fn keep<E: Elem>(scalars: &mut [E], &Places { layout, dim, capacity }: &Places, old: &[u32], size: usize) {
    if scalars.is_empty() {
        return;
    }
    let runs = layout.runs(dim);
    let run_len = scalars.len() / runs;
    if layout.group() == 1 {
        let row = dim / runs;
        for run in scalars.chunks_mut(run_len) {
            keep_in_run(run, row, old);
            run[old.len() * row..size * row].fill(E::default());
        }
        return;
    }
    let geometry = layout.geometry(capacity, dim, size_of::<E>());
    // No row moves behind one that has still to move.
    for (n, &old) in old.iter().enumerate() {
        for c in 0..dim {
            scalars[geometry.offset(n, c)] = scalars[geometry.offset(old as usize, c)];
        }
    }
    for (n, c) in (old.len()..size).flat_map(|n| (0..dim).map(move |c| (n, c))) {
        scalars[geometry.offset(n, c)] = E::default();
    }
}

/// The same for rows of so many scalars one after the other.
fn keep_in_run<E: Elem>(run: &mut [E], row: usize, old: &[u32]) {
    match row {
        1 => keep_short::<E, 1>(run, old),
        2 => keep_short::<E, 2>(run, old),
        3 => keep_short::<E, 3>(run, old),
        4 => keep_short::<E, 4>(run, old),
        _ => for_stretches(old, |n, first, len| run.copy_within(first * row..(first + len) * row, n * row)),
    }
}

/// The same for rows that are moved before a function could be called that moves several.
fn keep_short<E: Elem, const ROW: usize>(run: &mut [E], old: &[u32]) {
    let (rows, _) = run.as_chunks_mut::<ROW>();
    for (n, &old) in old.iter().enumerate() {
        rows[n] = rows[old as usize];
    }
}

/// Gives the rows of a range a value of these scalars.
pub(super) fn fill<E: Elem>(scalars: &mut [E], places: &Places, range: Range<usize>, value: &[E]) {
    let &Places { layout, dim, capacity } = places;
    if scalars.is_empty() || range.is_empty() {
        return;
    }
    let geometry = layout.geometry(capacity, dim, size_of::<E>());
    let (runs, group) = (layout.runs(dim), layout.group());
    let components = dim / runs;
    // Parts begin where a group does, and elements of a part lie together in each run of the memory.
    let start = range.start / group * group;
    let len = parts::part_len(range.end - start).next_multiple_of(group);
    let run_len = scalars.len() / runs;
    for (run, to) in scalars.chunks_mut(run_len).enumerate() {
        let end = (range.end.next_multiple_of(group) * components).min(to.len());
        parts::for_each(&mut to[start * components..end], len * components, |part, to| {
            let first = start + part * len;
            if group == 1 {
                to.chunks_exact_mut(components).for_each(|row| row.copy_from_slice(&value[run..][..components]));
                return;
            }
            for place in range.start.saturating_sub(first)..len.min(range.end.saturating_sub(first)) {
                for c in 0..components {
                    to[geometry.offset(place, c)] = value[run + c];
                }
            }
        });
    }
}

/// Calls `f` with each stretch of consecutive numbers in a list: its place in the list, its first number, and how many they are.
fn for_stretches(list: &[u32], mut f: impl FnMut(usize, usize, usize)) {
    let mut n = 0;
    while n < list.len() {
        let len = (list[n]..).zip(&list[n..]).take_while(|(e, listed)| e == *listed).count();
        f(n, list[n] as usize, len);
        n += len;
    }
}
