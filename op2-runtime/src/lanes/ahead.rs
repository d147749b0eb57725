//! Software prefetch of rows.
//!
//! The hardware prefetcher follows memory that is read in order and in few streams. Rows that a bad numbering scatters,
//! or that lie in more arrays than it can follow, arrive late, and so do wide direct rows, of which a pack reads many lines at
//! once. A loop with such rows prefetches them some elements ahead. This costs instructions, so loops whose rows arrive in time
//! do without.
//!
//! No code is compiled for it per loop: the arguments are inspected at run time.

use crate::data::layout::Layout;
use crate::data::memory::LINE;
use crate::data::prefetch::fetch;
use crate::mesh::Mesh;
use crate::mesh::bindings::BoundDat;
use crate::plan::{Late, is_wide};
use std::ops::Range;

/// Elements between the ones computed and the ones prefetched: at least two packs. Half and double the distance made no
/// difference.
const DISTANCE: usize = 16;

/// The rows that a loop prefetches.
#[derive(Debug)]
pub(crate) struct Ahead {
    maps: Vec<Map>,
    direct: Vec<Direct>,
}

/// A dat whose rows are those of the elements themselves.
#[derive(Debug)]
struct Direct {
    rows: usize,
    /// Rows follow each other, so that the lines of all of them are those at these distances.
    lines: Vec<Line>,
}

/// A map, and the dats that its entries lead to.
#[derive(Debug)]
struct Map {
    /// All entries, row by row.
    entries: *const [u32],
    arity: usize,
    ways: Vec<Way>,
}

/// One entry of a map, and the cache lines of the rows that it leads to.
#[derive(Debug)]
struct Way {
    index: usize,
    lines: Vec<Line>,
}

/// One of the cache lines of a row.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Line {
    /// The address in the row with number 0.
    at: *const u8,
    /// Bytes from one row to the next.
    stride: usize,
}

// SAFETY: addresses of dats are never dereferenced, and the entries of a map do not change while a loop runs.
unsafe impl Send for Ahead {}
// SAFETY: as above.
unsafe impl Sync for Ahead {}

impl Ahead {
    /// Whether this machine can prefetch: stable Rust has an intrinsic for x86-64 alone.
    pub(crate) const IS_POSSIBLE: bool = cfg!(target_arch = "x86_64");

    /// The rows of arguments that come late. While this is in use, the mesh must keep its maps.
    pub(crate) fn of(mesh: &mut Mesh, bound: &[BoundDat], late: Late) -> Ahead {
        let (mut maps, mut direct): (Vec<Map>, Vec<Direct>) = (Vec::new(), Vec::new());
        // Nobody knows which elements a table will be asked for.
        for BoundDat { dat, through, access, .. } in bound.iter().filter(|bound| !bound.whole) {
            let dat = &mut mesh.dats[*dat];
            if dat.layout() != Layout::Aos && dat.components() > 1 {
                continue;
            }
            let Some((map, used)) = through else {
                if late.direct > 0 && is_wide(*access, dat.bytes) {
                    let (at, stride) = (dat.address().cast_const(), dat.bytes);
                    let lines = (0..stride).step_by(LINE).map(|byte| Line { at: at.wrapping_add(byte), stride });
                    direct.push(Direct { rows: mesh.sets[dat.set].size, lines: lines.collect() });
                }
                continue;
            };
            if !late.mapped || mesh.maps[*map].offsets.is_some() {
                continue;
            }
            let (bytes, first) = (dat.bytes, dat.address().cast_const());
            let (arity, data) = (mesh.maps[*map].arity, mesh.maps[*map].data);
            // Other threads may be writing entries.
            if bound.iter().any(|other| other.dat == data && other.access.modifies()) {
                continue;
            }
            let entries: *const [u32] = &raw const **mesh.entries(*map);
            let map =
                find(&mut maps, |map| std::ptr::eq(map.entries, entries), || Map { entries, arity, ways: Vec::new() });
            for index in used.clone() {
                let way = find(&mut map.ways, |way| way.index == index, || Way { index, lines: Vec::new() });
                for line in lines_of_rows(first, bytes) {
                    find(&mut way.lines, |known| *known == line, || line);
                }
            }
        }
        Ahead { maps, direct }
    }

    /// Prefetches the rows of the elements [`DISTANCE`] behind the full pack at `positions`; at the end of a loop there
    /// are none.
    ///
    /// The rows of all elements are prefetched, cached or not: a needless prefetch costs less than a mispredicted
    /// branch.
    #[inline(never)]
    pub(super) fn fetch(&self, list: Option<&[u32]>, positions: Range<usize>) {
        self.lines(list, positions, fetch);
    }

    /// Calls `ask` for each line that [`Ahead::fetch`] prefetches.
    #[inline(always)]
    fn lines(&self, list: Option<&[u32]>, positions: Range<usize>, mut ask: impl FnMut(*const u8)) {
        for first in (positions.start + DISTANCE..positions.end + DISTANCE).step_by(AT_ONCE) {
            let elements = match list {
                None => std::array::from_fn(|n| first + n),
                Some(list) => match list.get(first..first + AT_ONCE) {
                    Some(elements) => std::array::from_fn(|n| elements[n] as usize),
                    None => return,
                },
            };
            self.maps.iter().for_each(|map| map.lines(elements, &mut ask));
            self.direct.iter().for_each(|direct| direct.lines(elements, &mut ask));
        }
    }
}

impl Direct {
    #[inline(always)]
    fn lines(&self, elements: [usize; AT_ONCE], ask: &mut impl FnMut(*const u8)) {
        if elements.iter().any(|&element| element >= self.rows) {
            return;
        }
        for Line { at, stride } in &self.lines {
            elements.iter().for_each(|element| ask(at.wrapping_add(element * stride)));
        }
    }
}

impl Map {
    #[inline(always)]
    fn lines(&self, elements: [usize; AT_ONCE], ask: &mut impl FnMut(*const u8)) {
        // SAFETY: the mesh still has the map, as `Ahead::of` demands.
        let entries = unsafe { &*self.entries };
        let rows = elements.map(|element| element * self.arity);
        if rows.iter().any(|row| row + self.arity > entries.len()) {
            return;
        }
        for Way { index, lines } in &self.ways {
            // SAFETY: the rows end inside of the entries, and the index is below the arity.
            let targets = rows.map(|row| unsafe { *entries.get_unchecked(row + index) } as usize);
            for Line { at, stride } in lines {
                targets.iter().for_each(|target| ask(at.wrapping_add(target * stride)));
            }
        }
    }
}

/// The first item for which `is_meant` holds; if there is none, adds `new()`.
fn find<T>(all: &mut Vec<T>, is_meant: impl Fn(&T) -> bool, new: impl FnOnce() -> T) -> &mut T {
    let known = all.iter().position(is_meant);
    let at = known.unwrap_or_else(|| {
        all.push(new());
        all.len() - 1
    });
    &mut all[at]
}

/// Elements that are looked up at once; it divides the number of lanes.
const AT_ONCE: usize = 4;

/// The lines of a row, relative to row 0, as if rows began at a line. Where a longer row does not, its last byte may
/// lie in one more line, which is included.
fn lines_of_rows(first: *const u8, stride: usize) -> impl Iterator<Item = Line> {
    let last = (stride > LINE).then_some(stride - 1);
    (0..stride).step_by(LINE).chain(last).map(move |byte| Line { at: first.wrapping_add(byte), stride })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{Backend, Config};
    use crate::mesh::handle::SetTag;
    use crate::op::Op2;
    use op2_core::Access;

    #[derive(Clone, Copy)]
    enum Nodes {}
    impl SetTag for Nodes {
        const NAME: &'static str = "Nodes";
    }

    #[derive(Clone, Copy)]
    enum Edges {}
    impl SetTag for Edges {
        const NAME: &'static str = "Edges";
    }

    const EDGES: usize = 40;

    /// A mesh whose edge `e` leads to the nodes `e` and `39 - e`, with dats of 24 and 144 bytes on the nodes and one on
    /// the edges. The loop uses the first dat through both ends and again through the second, the second dat through
    /// the second end, and the others.
    fn ahead() -> (Op2, Ahead, [usize; 2]) {
        let mut op = Op2::with(Config::default().backend(Backend::Seq)).expect("one thread");
        let edges = op.decl_set::<Edges>("edges", EDGES).expect("a set");
        let nodes = op.decl_set::<Nodes>("nodes", EDGES).expect("a set");
        let ends: Vec<[usize; 2]> = (0..EDGES).map(|e| [e, EDGES - 1 - e]).collect();
        op.decl_map("ends", edges, nodes, &ends).expect("a map");
        op.decl_dat_filled("x", nodes, [0.0; 3]).expect("a dat");
        op.decl_dat_filled("grad", nodes, [[0.0; 3]; 6]).expect("a dat");
        op.decl_dat_filled("normal", edges, [0.0; 3]).expect("a dat");
        let columns = op.decl_dat_filled("columns", nodes, [0.0; 3]).expect("a dat");
        op.set_layout(columns, Layout::Soa).expect("another layout");
        let arg = |(arg, (dat, through)): (usize, (usize, Option<Range<usize>>))| {
            let through = through.map(|used| (0, used));
            BoundDat { arg, dat, access: Access::Read, through, inside: false, whole: false, apart: false }
        };
        // Dat 0 holds the entries of the map.
        let args = [(1, Some(0..2)), (1, Some(1..2)), (2, Some(1..2)), (3, None), (4, Some(0..1))];
        let bound: Vec<BoundDat> = args.into_iter().enumerate().map(arg).collect();
        let ahead = Ahead::of(&mut op.context.mesh, &bound, Late { mapped: true, direct: 2 });
        let starts = [1, 2].map(|dat| op.context.mesh.dats[dat].address().addr());
        (op, ahead, starts)
    }

    /// The addresses that are prefetched, sorted.
    fn asked(ahead: &Ahead, list: Option<&[u32]>, positions: Range<usize>) -> Vec<usize> {
        let mut all = Vec::new();
        ahead.lines(list, positions, |line| all.push(line.addr()));
        all.sort_unstable();
        all
    }

    /// The addresses in the rows that `edges` lead to, sorted.
    fn expected([x, grad]: [usize; 2], edges: impl Iterator<Item = usize>) -> Vec<usize> {
        let of_edge = |e: usize| {
            let (near, far) = (e, EDGES - 1 - e);
            // A row of 144 bytes lies in three or four lines: the first byte of three, and the last byte of the row.
            let lines = [0, 64, 128, 143].map(|byte| grad + 144 * far + byte);
            [x + 24 * near, x + 24 * far].into_iter().chain(lines)
        };
        let mut all: Vec<usize> = edges.flat_map(of_edge).collect();
        all.sort_unstable();
        all
    }

    #[test]
    fn rows_of_the_elements_behind_are_asked_for_once() {
        let (_op, ahead, starts) = ahead();
        assert_eq!(asked(&ahead, None, 0..8), expected(starts, DISTANCE..DISTANCE + 8));
        assert_eq!(asked(&ahead, None, 20..24), expected(starts, 20 + DISTANCE..24 + DISTANCE));
    }

    #[test]
    fn the_elements_are_those_of_the_list() {
        let (_op, ahead, starts) = ahead();
        let list: Vec<u32> = (0..EDGES as u32).rev().collect();
        let edges = (4 + DISTANCE..8 + DISTANCE).map(|position| EDGES - 1 - position);
        assert_eq!(asked(&ahead, Some(&list), 4..8), expected(starts, edges));
    }

    #[test]
    fn at_the_end_nothing_comes() {
        let (_op, ahead, _) = ahead();
        let list: Vec<u32> = (0..30).collect();
        assert!(asked(&ahead, None, 24..32).is_empty());
        assert!(asked(&ahead, Some(&list), 12..16).is_empty());
    }

    /// A loop over the edges with rows of 80 bytes that are read, of 80 that are written, and of 24.
    #[test]
    fn wide_direct_rows_that_are_read_are_asked_for() {
        let mut op = Op2::with(Config::default().backend(Backend::Seq)).expect("one thread");
        let edges = op.decl_set::<Edges>("edges", EDGES).expect("a set");
        op.decl_dat_filled("matrix", edges, [0.0; 10]).expect("a dat");
        op.decl_dat_filled("result", edges, [0.0; 10]).expect("a dat");
        op.decl_dat_filled("normal", edges, [0.0; 3]).expect("a dat");
        let bound: Vec<BoundDat> = [Access::Read, Access::Write, Access::Read]
            .into_iter()
            .enumerate()
            .map(|(arg, access)| BoundDat {
                arg,
                dat: arg,
                access,
                through: None,
                inside: false,
                whole: false,
                apart: false,
            })
            .collect();
        let ahead = Ahead::of(&mut op.context.mesh, &bound, Late { mapped: false, direct: 2 });
        let start = op.context.mesh.dats[0].address().addr();
        let expected =
            |rows: Range<usize>| -> Vec<usize> { rows.flat_map(|e| [start + 80 * e, start + 80 * e + 64]).collect() };
        assert_eq!(asked(&ahead, None, 0..8), expected(DISTANCE..DISTANCE + 8));
        assert!(asked(&ahead, None, EDGES - DISTANCE..EDGES - DISTANCE + 4).is_empty(), "no rows behind the end");
        let none = Ahead::of(&mut op.context.mesh, &bound, Late::default());
        assert!(asked(&none, None, 0..8).is_empty());
    }
}
