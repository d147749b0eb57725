//! Fetching the rows behind maps ahead of the elements that need them.
//!
//! Processors find out by themselves what memory comes next, as long as it comes in order and in few streams. Rows that a bad
//! numbering scatters, or that lie in more arrays than the processor follows, come late. A loop that has such rows asks for them some
//! elements ahead. It takes instructions, so that a loop goes without that whose rows come in time anyway.
//!
//! Nothing is compiled for a loop: the arguments are looked at when it runs.

use crate::bindings::BoundDat;
use crate::layout::Layout;
use crate::mesh::Mesh;
use std::ops::Range;

/// Elements between those that are computed and those whose rows are asked for: two packs at least. Half and twice as many made no
/// difference.
const DISTANCE: usize = 16;

/// What a loop asks for.
#[derive(Debug)]
pub(crate) struct Ahead {
    maps: Vec<Map>,
}

/// A map, and what is behind its entries.
#[derive(Debug)]
struct Map {
    /// All entries, row by row.
    entries: *const [u32],
    arity: usize,
    ways: Vec<Way>,
}

/// One entry of a map, and the dats behind it.
#[derive(Debug)]
struct Way {
    index: usize,
    lines: Vec<Line>,
}

/// One of the lines that a row lies in.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Line {
    /// Of the row with number 0.
    at: *const u8,
    /// Bytes from one row to the next.
    stride: usize,
}

// SAFETY: the addresses of dats are never read from, and nobody changes the entries of a map while a loop runs.
unsafe impl Send for Ahead {}
// SAFETY: as above.
unsafe impl Sync for Ahead {}

impl Ahead {
    /// There is no stable way to ask on other machines.
    pub(crate) const IS_POSSIBLE: bool = cfg!(target_arch = "x86_64");

    /// What the arguments of a loop lead to. As long as this is used, the mesh keeps its maps.
    pub(crate) fn of(mesh: &mut Mesh, bound: &[BoundDat]) -> Ahead {
        let mut maps: Vec<Map> = Vec::new();
        for BoundDat { dat, through, .. } in bound {
            let (Some((map, used)), dat) = (through, &mut mesh.dats[*dat]) else { continue };
            if dat.layout != Layout::Aos && dat.bytes > dat.elem.bytes() {
                continue;
            }
            let (store, first) = (&mesh.maps[*map], dat.address().cast_const());
            let new = || Map { entries: &raw const *store.entries, arity: store.arity, ways: Vec::new() };
            let map = find(&mut maps, |map| std::ptr::eq(map.entries, &raw const *store.entries), new);
            for index in used.clone() {
                let way = find(&mut map.ways, |way| way.index == index, || Way { index, lines: Vec::new() });
                for line in lines(first, dat.bytes) {
                    find(&mut way.lines, |known| *known == line, || line);
                }
            }
        }
        Ahead { maps }
    }

    /// Asks for what the elements need that come behind the full pack at `positions`. At the end of a loop nothing comes.
    ///
    /// There is nothing in it that a processor could guess wrong: what it asks for in vain costs less.
    #[inline(never)]
    pub(super) fn fetch(&self, list: Option<&[u32]>, positions: Range<usize>) {
        for first in (positions.start + DISTANCE..positions.end + DISTANCE).step_by(AT_ONCE) {
            let elements = match list {
                None => std::array::from_fn(|n| first + n),
                Some(list) => match list.get(first..first + AT_ONCE) {
                    Some(elements) => std::array::from_fn(|n| elements[n] as usize),
                    None => return,
                },
            };
            self.maps.iter().for_each(|map| map.fetch(elements));
        }
    }
}

impl Map {
    #[inline(always)]
    fn fetch(&self, elements: [usize; AT_ONCE]) {
        // SAFETY: `Ahead::of` says that the map is still there.
        let entries = unsafe { &*self.entries };
        let rows = elements.map(|element| element * self.arity);
        if rows.iter().any(|row| row + self.arity > entries.len()) {
            return;
        }
        for Way { index, lines } in &self.ways {
            // SAFETY: all of each row is there, and the index is below the arity.
            let targets = rows.map(|row| unsafe { *entries.get_unchecked(row + index) } as usize);
            for Line { at, stride } in lines {
                targets.iter().for_each(|target| fetch(at.wrapping_add(target * stride)));
            }
        }
    }
}

/// The item that is meant, which is new if there is none.
fn find<T>(all: &mut Vec<T>, is_meant: impl Fn(&T) -> bool, new: impl FnOnce() -> T) -> &mut T {
    let known = all.iter().position(is_meant);
    let at = known.unwrap_or_else(|| {
        all.push(new());
        all.len() - 1
    });
    &mut all[at]
}

/// Targets that are looked up at once; there are as many lanes, or a multiple.
const AT_ONCE: usize = 4;

/// Bytes that processors fetch at once.
const LINE: usize = 64;

/// The lines of rows that begin where lines do. The last byte of a longer row stands for those of all others.
fn lines(first: *const u8, stride: usize) -> impl Iterator<Item = Line> {
    let last = (stride > LINE).then_some(stride - 1);
    (0..stride).step_by(LINE).chain(last).map(move |byte| Line { at: first.wrapping_add(byte), stride })
}

/// Asks for a line. Nothing is read: any address will do.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn fetch(line: *const u8) {
    use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
    // SAFETY: every x86-64 processor has SSE, and asking for memory that is not there does nothing.
    unsafe { _mm_prefetch::<_MM_HINT_T0>(line.cast()) };
}

/// Nobody comes here.
#[cfg(not(target_arch = "x86_64"))]
fn fetch(_line: *const u8) {}
