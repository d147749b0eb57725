//! A uniform hash grid over the unit square (the paper, section 3.2), with its images on all sides.

use std::ops::RangeInclusive;

/// Places in cells.
pub(super) struct Grid {
    /// How many cells there are in each direction.
    cells: i64,
    /// Where the entries of each cell begin, and where those of the last one end.
    starts: Vec<usize>,
    /// The numbers of the places, cell by cell.
    entries: Vec<usize>,
}

impl Grid {
    /// A grid of `places` in the unit square, whose cells are as near to `side` as they can be without being smaller.
    pub(super) fn new(side: f64, places: impl ExactSizeIterator<Item = [f64; 2]> + Clone) -> Self {
        let cells = ((1.0 / side).floor() as i64).max(1);
        let mut grid = Self { cells, starts: vec![0; (cells * cells) as usize + 1], entries: vec![0; places.len()] };
        // A point at the end of the square is in the last cell.
        let cell = |[x, y]: [f64; 2]| {
            let [i, j] = [x, y].map(|c| ((c * cells as f64) as i64).min(cells - 1));
            (j * cells + i) as usize
        };
        places.clone().for_each(|place| grid.starts[cell(place) + 1] += 1);
        for n in 1..grid.starts.len() {
            grid.starts[n] += grid.starts[n - 1];
        }
        let mut next = grid.starts.clone();
        for (number, place) in places.enumerate() {
            let at = &mut next[cell(place)];
            grid.entries[*at] = number;
            *at += 1;
        }
        grid
    }

    /// The number of the cell in which a coordinate lies; in an image, it continues that in the square.
    pub(super) fn cell(&self, coordinate: f64) -> i64 {
        (coordinate * self.cells as f64).floor() as i64
    }

    /// Those of the cells that are in the square.
    pub(super) fn within(&self, cells: RangeInclusive<i64>) -> RangeInclusive<i64> {
        *cells.start().max(&0)..=*cells.end().min(&(self.cells - 1))
    }

    /// The entries of all cells in bounds, with the shift that leads from the square to the image in which they are.
    pub(super) fn entries(&self, [x, y]: [RangeInclusive<i64>; 2]) -> impl Iterator<Item = (usize, [f64; 2])> {
        let cells = self.cells;
        let all = y.flat_map(move |j| x.clone().map(move |i| (i, j)));
        all.flat_map(move |(i, j)| {
            let cell = (j.rem_euclid(cells) * cells + i.rem_euclid(cells)) as usize;
            let shift = [i.div_euclid(cells) as f64, j.div_euclid(cells) as f64];
            self.entries[self.starts[cell]..self.starts[cell + 1]].iter().map(move |n| (*n, shift))
        })
    }
}
