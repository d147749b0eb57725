//! The grid: cells of one size, with the inner elements in the order of cells.

use super::Extent;
use crate::data::room;
use crate::error::Result;
use std::sync::atomic::{AtomicU64, Ordering};

/// The conditions for elements to meet, beside their boxes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Space<const D: usize> {
    /// How far apart boxes may be to meet, in every direction.
    pub(crate) margin: f64,
    /// The periods, if the space is periodic.
    pub(crate) period: Option<[f64; D]>,
    /// The edge of a cell, if it is stated.
    pub(crate) cell: Option<f64>,
    /// Whether the inner elements are those that pairs lead from.
    pub(crate) from_inside: bool,
}

/// An inner element in its cell.
#[derive(Debug, Clone, Copy)]
pub(super) struct Item<const D: usize> {
    pub(super) element: u32,
    pub(super) extent: Extent<D>,
    /// The image of the period that the middle of its box lies in.
    pub(super) image: [i32; D],
}

/// The inner elements of a loop over pairs, by cells, and the boxes of the outer ones.
#[derive(Debug)]
pub(crate) struct Grid<const D: usize> {
    pub(super) space: Space<D>,
    /// The boxes of the outer elements, by inner numbers.
    pub(super) outer: Vec<Extent<D>>,
    pub(super) origin: [f64; D],
    /// Cells per length.
    pub(super) per_length: [f64; D],
    pub(super) cells: [usize; D],
    /// Where each cell begins in `items`, and the end of the last one.
    pub(super) starts: Vec<u32>,
    pub(super) items: Vec<Item<D>>,
    /// How far a box reaches from its middle at most.
    pub(super) reach: [f64; D],
    /// The greatest coordinate of a box, without its sign.
    pub(super) greatest: f64,
    proposed: AtomicU64,
    met: AtomicU64,
}

/// The partners of an outer element that were found, and counts for the report. Each list has an item for each partner.
#[derive(Debug)]
pub(crate) struct Found<const D: usize> {
    pub(crate) elements: Vec<u32>,
    /// For each direction: added to positions of the element that the pair leads from, it brings this image to the other one.
    pub(crate) shifts: [Vec<f64>; D],
    proposed: u64,
    met: u64,
}

/// The most cells per element, so that elements of very different sizes do not make a grid of empty cells.
const CELLS_PER_ELEMENT: usize = 4;

impl<const D: usize> Grid<D> {
    /// The grid of these boxes. `inner` are in the order of the user's numbers, with the inner number of each; so are `outer`.
    /// The order of partners then does not depend on the inner numbers.
    ///
    /// # Errors
    /// [`Error::NoMemory`](crate::Error::NoMemory), which names the pairs `name`.
    pub(crate) fn new(
        name: &str,
        space: Space<D>,
        (outer, outer_numbers): (&[Extent<D>], &dyn Fn(usize) -> usize),
        (inner, inner_numbers): (&[Extent<D>], &dyn Fn(usize) -> usize),
    ) -> Result<Self> {
        let what = || format!("the grid of pairs `{name}`");
        let mut by_number = room::filled(what, [[0.0; D]; 2], outer.len())?;
        outer.iter().enumerate().for_each(|(user, extent)| by_number[outer_numbers(user)] = *extent);
        let mut grid = Grid {
            space,
            outer: by_number,
            origin: [0.0; D],
            per_length: [1.0; D],
            cells: [1; D],
            starts: Vec::new(),
            items: room::list(what, inner.len())?,
            reach: half_of_greatest(inner),
            greatest: outer.iter().chain(inner).flatten().flatten().fold(0.0, |most, x| x.abs().max(most)),
            proposed: AtomicU64::new(0),
            met: AtomicU64::new(0),
        };
        grid.divide(inner);
        // In whole cells, as in King and Kirby's scheme (SC'13, equation 3), so that numbers of candidates can be compared.
        grid.reach = std::array::from_fn(|c| in_cells(grid.reach[c], grid.per_length[c]));
        let places = room::all(what, inner.len(), |user| grid.place(&inner[user]))?;
        let count = grid.cells.iter().product::<usize>();
        grid.starts = room::filled(what, 0, count + 1)?;
        places.iter().for_each(|(cell, _)| grid.starts[cell + 1] += 1);
        (0..count).for_each(|cell| grid.starts[cell + 1] += grid.starts[cell]);
        let mut next = grid.starts.clone();
        let empty = Item { element: 0, extent: [[0.0; D]; 2], image: [0; D] };
        grid.items.resize(inner.len(), empty);
        for (user, ((cell, image), extent)) in places.into_iter().zip(inner).enumerate() {
            let element = inner_numbers(user) as u32;
            grid.items[next[cell] as usize] = Item { element, extent: *extent, image };
            next[cell] += 1;
        }
        Ok(grid)
    }

    /// A grid without dimensions, in which a cell belongs to each of `outers` outer elements and has its partners. `each` calls its argument
    /// with all pairs of an outer and an inner element, those of an outer one in the order of its partners; it is asked twice.
    ///
    /// # Errors
    /// [`Error::NoMemory`](crate::Error::NoMemory), which names the pairs `name`.
    pub(crate) fn of_rows(
        name: &str,
        outers: usize,
        pairs: usize,
        each: impl Fn(&mut dyn FnMut(usize, u32)),
    ) -> Result<Self> {
        assert!(D == 0, "rows lie in no space");
        let what = || format!("the rows of pairs `{name}`");
        let mut starts = room::filled(what, 0, outers + 1)?;
        each(&mut |outer, _| starts[outer + 1] += 1);
        (0..outers).for_each(|outer| starts[outer + 1] += starts[outer]);
        let mut next = starts.clone();
        let mut items = room::filled(what, Item { element: 0, extent: [[0.0; D]; 2], image: [0; D] }, pairs)?;
        each(&mut |outer, inner| {
            items[next[outer] as usize].element = inner;
            next[outer] += 1;
        });
        Ok(Grid {
            space: Space { margin: 0.0, period: None, cell: None, from_inside: false },
            outer: room::filled(what, [[0.0; D]; 2], outers)?,
            origin: [0.0; D],
            per_length: [1.0; D],
            cells: [1; D],
            starts,
            items,
            reach: [0.0; D],
            greatest: 0.0,
            proposed: AtomicU64::new(0),
            met: AtomicU64::new(0),
        })
    }

    /// Chooses origin and size of the cells.
    fn divide(&mut self, inner: &[Extent<D>]) {
        let middles = || inner.iter().map(middle);
        let mut low = [0.0; D];
        let mut length = [0.0; D];
        for c in 0..D {
            let least = middles().map(|m| m[c]).fold(f64::INFINITY, f64::min);
            let most = middles().map(|m| m[c]).fold(f64::NEG_INFINITY, f64::max);
            (low[c], length[c]) = if inner.is_empty() { (0.0, 1.0) } else { (least, (most - least).max(0.0)) };
        }
        if let Some(period) = self.space.period {
            (low, length) = ([0.0; D], period);
        }
        let edge = self.space.cell.unwrap_or_else(|| usual_edge(inner, length));
        let most = (CELLS_PER_ELEMENT * inner.len().max(1)) as f64;
        let mut cells = length.map(|length| (length / edge).floor().clamp(1.0, most));
        // Together not too many: the greatest numbers shrink.
        while cells.iter().product::<f64>() > most.max(8.0) {
            cells = cells.map(|n| (n * 0.75).floor().max(1.0));
        }
        self.cells = cells.map(|n| n as usize);
        self.origin = low;
        self.per_length = std::array::from_fn(|c| if length[c] > 0.0 { cells[c] / length[c] } else { 0.0 });
    }

    /// The cell of a box, and the image of the period that it lies in.
    fn place(&self, extent: &Extent<D>) -> (usize, [i32; D]) {
        let middle = middle(extent);
        let (mut cell, mut image) = (0, [0; D]);
        for c in 0..D {
            let (n, at) = (self.cells[c] as i64, self.cell_of(middle[c], c));
            let at = match self.space.period {
                Some(_) => {
                    image[c] = at.div_euclid(n) as i32;
                    at.rem_euclid(n)
                }
                None => at.clamp(0, n - 1),
            };
            cell = cell * self.cells[c] + at as usize;
        }
        (cell, image)
    }

    /// The cell that holds a coordinate, if there were cells everywhere.
    fn cell_of(&self, x: f64, c: usize) -> i64 {
        ((x - self.origin[c]) * self.per_length[c]).floor() as i64
    }

    /// Finds the partners of an outer element: cell by cell, and in each by the user's numbers.
    ///
    /// # Safety
    /// It is an element of the outer set.
    #[inline]
    pub(crate) unsafe fn partners(&self, outer: usize, found: &mut Found<D>) {
        found.clear();
        if D == 0 {
            let items = self.items_of(outer);
            found.elements.extend(items.iter().map(|item| item.element));
            found.proposed += items.len() as u64;
            found.met += items.len() as u64;
            return;
        }
        // SAFETY: passed on to the caller.
        let extent = unsafe { self.outer.get_unchecked(outer) };
        self.walk(extent, |at| self.look_into(at, extent, found));
        found.met += found.elements.len() as u64;
    }

    /// Calls `see` with the cells that an element's box reaches, row by row, as if there were cells everywhere.
    #[inline]
    fn walk(&self, extent: &Extent<D>, mut see: impl FnMut(&[i64; D])) {
        let ranges: [[i64; 2]; D] = std::array::from_fn(|c| self.range(extent, c));
        if ranges.iter().any(|range| range[0] > range[1]) {
            return;
        }
        let mut at: [i64; D] = ranges.map(|range| range[0]);
        loop {
            see(&at);
            // The last direction runs fastest.
            let Some(c) = (0..D).rev().find(|&c| at[c] < ranges[c][1]) else { return };
            at[c] += 1;
            (c + 1..D).for_each(|c| at[c] = ranges[c][0]);
        }
    }

    /// The cells in which the middles of those lie that may meet a box, in one direction.
    fn range(&self, extent: &Extent<D>, c: usize) -> [i64; 2] {
        let far = self.space.margin + self.reach[c];
        // More than rounding can take away: the boxes themselves decide.
        let far = far + self.greatest.max(far) * 1e-12;
        let [low, high] = [extent[0][c] - far, extent[1][c] + far].map(|x| self.cell_of(x, c));
        match self.space.period {
            Some(_) => [low, high],
            None => [low.max(0), high.min(self.cells[c] as i64 - 1)],
        }
    }

    #[inline]
    fn look_into(&self, at: &[i64; D], extent: &Extent<D>, found: &mut Found<D>) {
        let (cell, image) = self.folded(at);
        let items = self.items_of(cell);
        found.proposed += items.len() as u64;
        for item in items {
            let shift = self.shift(&image, item);
            if self.meets(extent, item, &shift) {
                found.elements.push(item.element);
                found.shifts.iter_mut().zip(shift).for_each(|(list, shift)| list.push(shift));
            }
        }
    }

    /// The cell that stands for one of the cells everywhere, and the image of the period that this one lies in.
    #[inline]
    fn folded(&self, at: &[i64; D]) -> (usize, [i64; D]) {
        let (mut cell, mut image) = (0, [0; D]);
        for c in 0..D {
            let n = self.cells[c] as i64;
            image[c] = at[c].div_euclid(n);
            cell = cell * self.cells[c] + at[c].rem_euclid(n) as usize;
        }
        (cell, image)
    }

    fn items_of(&self, cell: usize) -> &[Item<D>] {
        &self.items[self.starts[cell] as usize..self.starts[cell + 1] as usize]
    }

    /// The number of outer elements.
    pub(crate) fn outers(&self) -> usize {
        self.outer.len()
    }

    /// The number of cells.
    pub(crate) fn cells(&self) -> usize {
        self.starts.len() - 1
    }

    /// The cells in which the partners of an outer element lie; some may come several times.
    pub(crate) fn cells_around(&self, outer: usize, mut see: impl FnMut(usize)) {
        if D == 0 {
            return see(outer);
        }
        self.walk(&self.outer[outer], |at| see(self.folded(at).0));
    }

    /// The place of the first inner element of a cell among all, which lie in the order of cells.
    pub(crate) fn start_of(&self, cell: usize) -> u32 {
        self.starts[cell]
    }

    /// The inner elements in a cell.
    pub(crate) fn elements_of(&self, cell: usize) -> impl Iterator<Item = u32> {
        self.items_of(cell).iter().map(|item| item.element)
    }

    /// The middles of the outer elements, in the first period if there are several.
    pub(crate) fn middles(&self) -> impl Iterator<Item = [f64; D]> {
        self.outer.iter().map(|extent| {
            let middle = middle(extent);
            match self.space.period {
                Some(period) => std::array::from_fn(|c| middle[c].rem_euclid(period[c])),
                None => middle,
            }
        })
    }

    /// The shift of a pair with an item that was found in an image of the period.
    fn shift(&self, image: &[i64; D], item: &Item<D>) -> [f64; D] {
        let Some(period) = self.space.period else { return [0.0; D] };
        std::array::from_fn(|c| {
            let images = image[c] - i64::from(item.image[c]);
            // It moves the element that the pair leads from.
            (if self.space.from_inside { images } else { -images }) as f64 * period[c]
        })
    }

    /// Whether the boxes of a pair meet: one expression, whichever side is inside.
    fn meets(&self, extent: &Extent<D>, item: &Item<D>, shift: &[f64; D]) -> bool {
        let (from, to) = if self.space.from_inside { (&item.extent, extent) } else { (extent, &item.extent) };
        let margin = self.space.margin;
        (0..D).all(|c| {
            let [low, high] = [from[0][c] + shift[c], from[1][c] + shift[c]];
            low - margin <= to[1][c] && to[0][c] <= high + margin
        })
    }

    /// Adds the counts of a part of a loop.
    pub(crate) fn count(&self, found: &Found<D>) {
        self.proposed.fetch_add(found.proposed, Ordering::Relaxed);
        self.met.fetch_add(found.met, Ordering::Relaxed);
    }

    /// The candidates that it proposed and the pairs that met since the last call of this.
    pub(crate) fn take_counts(&self) -> [u64; 2] {
        [&self.proposed, &self.met].map(|count| count.swap(0, Ordering::Relaxed))
    }

    /// Bytes that it occupies.
    pub(crate) fn bytes(&self) -> usize {
        size_of_val(&*self.outer) + size_of_val(&*self.items) + size_of_val(&*self.starts)
    }
}

impl<const D: usize> Found<D> {
    pub(crate) fn new() -> Self {
        Found { elements: Vec::new(), shifts: [const { Vec::new() }; D], proposed: 0, met: 0 }
    }

    fn clear(&mut self) {
        self.elements.clear();
        self.shifts.iter_mut().for_each(Vec::clear);
    }

    /// The shift of a partner.
    #[inline(always)]
    pub(crate) fn shift(&self, partner: usize) -> [f64; D] {
        std::array::from_fn(|c| self.shifts[c][partner])
    }

    /// Repeats the last partner so often that `lanes` items follow from every partner on. Returns the number of partners.
    #[inline]
    pub(crate) fn pad(&mut self, lanes: usize) -> usize {
        let partners = self.elements.len();
        let Some(last) = partners.checked_sub(1) else { return 0 };
        let padded = partners + lanes - 1;
        self.elements.resize(padded, self.elements[last]);
        self.shifts.iter_mut().for_each(|list| list.resize(padded, list[last]));
        partners
    }
}

fn middle<const D: usize>(extent: &Extent<D>) -> [f64; D] {
    std::array::from_fn(|c| 0.5 * extent[0][c] + 0.5 * extent[1][c])
}

/// A distance, rounded up to whole cells.
fn in_cells(distance: f64, per_length: f64) -> f64 {
    if per_length > 0.0 { (distance * per_length).ceil() / per_length } else { distance }
}

/// How far the largest box reaches from its middle, in each direction.
fn half_of_greatest<const D: usize>(inner: &[Extent<D>]) -> [f64; D] {
    std::array::from_fn(|c| inner.iter().map(|e| 0.5 * e[1][c] - 0.5 * e[0][c]).fold(0.0, f64::max))
}

/// An edge that leaves about one element in a cell, and is no shorter than a usual box.
fn usual_edge<const D: usize>(inner: &[Extent<D>], length: [f64; D]) -> f64 {
    let n = inner.len().max(1) as f64;
    let mean = |c: usize| inner.iter().map(|e| e[1][c] - e[0][c]).sum::<f64>() / n;
    let of_box = (0..D).map(mean).fold(0.0, f64::max);
    // Elements on a line or in a plane fill fewer directions.
    let wide: Vec<f64> = length.into_iter().filter(|length| *length > 0.0).collect();
    let of_space = (wide.iter().product::<f64>() / n).powf(1.0 / wide.len().max(1) as f64);
    of_box.max(of_space).max(f64::MIN_POSITIVE)
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// Random boxes in and around the unit square.
    pub(crate) fn boxes(n: usize, size: f64, seed: u64) -> Vec<Extent<2>> {
        let mut state = seed;
        // Knuth's generator: its high bits are random enough.
        let mut random = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 11) as f64 / (1_u64 << 53) as f64
        };
        let one = |_| {
            let low: [f64; 2] = std::array::from_fn(|_| 3.0 * random() - 1.0);
            [low, low.map(|x| x + size * random())]
        };
        (0..n).map(one).collect()
    }

    pub(crate) fn spaces() -> Vec<Space<2>> {
        let space = |margin, period, cell| Space { margin, period, cell, from_inside: true };
        vec![
            space(0.1, None, None),
            space(0.0, None, Some(0.02)),
            space(0.1, Some([1.0, 1.5]), None),
            space(1.7, Some([1.0, 1.0]), Some(0.3)),
        ]
    }

    /// The partners of an outer element, by the user's numbers.
    fn found(grid: &Grid<2>, outer: usize, user: &dyn Fn(u32) -> usize) -> Vec<(usize, [f64; 2])> {
        let mut found = Found::new();
        // SAFETY: the callers name elements of their grids.
        unsafe { grid.partners(outer, &mut found) };
        found.elements.iter().enumerate().map(|(n, element)| (user(*element), found.shift(n))).collect()
    }

    #[test]
    fn the_order_of_partners_does_not_depend_on_inner_numbers() {
        let (outer, inner) = (boxes(30, 0.3, 1), boxes(200, 0.2, 2));
        // 7 and 30, and 77 and 200, have no common factor.
        let (of_outer, of_inner) = (|user: usize| user * 7 % 30, |user: usize| user * 77 % 200);
        let user = |inner: u32| (0..200).find(|user| of_inner(*user) == inner as usize).expect("it is a permutation");
        for space in spaces() {
            let plain = Grid::new("g", space, (&outer, &|e| e), (&inner, &|e| e)).expect("there is memory");
            let moved = Grid::new("g", space, (&outer, &of_outer), (&inner, &of_inner)).expect("there is memory");
            let mut pairs = 0;
            for e in 0..30 {
                let expected = found(&plain, e, &|inner| inner as usize);
                pairs += expected.len();
                assert_eq!(found(&moved, of_outer(e), &user), expected, "{space:?}");
            }
            assert!(pairs > 20, "{space:?}: {pairs}");
        }
    }

    #[test]
    fn either_side_inside_finds_the_same_pairs() {
        let (a, b) = (boxes(40, 0.3, 3), boxes(50, 0.0, 4));
        for space in spaces() {
            let of = |from_inside: bool, outer: &[Extent<2>], inner: &[Extent<2>]| {
                let space = Space { from_inside, ..space };
                let grid = Grid::new("g", space, (outer, &|e| e), (inner, &|e| e)).expect("there is memory");
                let of_outer = |o: usize| {
                    let partners = found(&grid, o, &|inner| inner as usize);
                    partners.into_iter().map(move |(i, shift)| {
                        let (from, to) = if from_inside { (i, o) } else { (o, i) };
                        (from, to, shift.map(f64::to_bits))
                    })
                };
                let mut all: Vec<_> = (0..outer.len()).flat_map(of_outer).collect();
                all.sort_unstable();
                all
            };
            let pairs = of(false, &a, &b);
            assert_eq!(of(true, &b, &a), pairs, "{space:?}");
            assert!(pairs.windows(2).all(|two| two[0] != two[1]), "no pair comes twice");
        }
    }

    #[test]
    fn sizes_of_cells_stay_in_bounds() {
        let line: Vec<Extent<2>> = (0..100).map(|n| [[f64::from(n), 5.0]; 2]).collect();
        let one_place = vec![[[3.0, 3.0]; 2]; 50];
        let far_apart = vec![[[0.0, 0.0]; 2], [[1e300, 1e-300]; 2], [[-1e300, 0.0]; 2]];
        for inner in [line, one_place, far_apart, Vec::new()] {
            for cell in [None, Some(1e-300), Some(1.0), Some(1e300)] {
                let space = Space { margin: 0.0, period: None, cell, from_inside: true };
                let grid = Grid::new("g", space, (&inner, &|e| e), (&inner, &|e| e)).expect("there is memory");
                assert!(grid.cells() <= 4 * inner.len() + 8, "{}", grid.cells());
                for e in 0..inner.len() {
                    assert!(found(&grid, e, &|inner| inner as usize).iter().any(|(other, _)| *other == e));
                }
            }
        }
    }
}
