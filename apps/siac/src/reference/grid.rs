//! A uniform hash grid over the unit square (the paper, section 3.2), with its images on all sides.

/// Places in cells.
pub(super) struct Grid {
    /// The side of a cell. The last ones in each direction may be cut off.
    side: f64,
    /// How many cells there are in each direction.
    cells: i64,
    /// Where the entries of each cell begin, and where those of the last one end.
    starts: Vec<usize>,
    /// The numbers of the places, cell by cell.
    entries: Vec<usize>,
}

impl Grid {
    /// A grid of `places` in the unit square.
    pub(super) fn new(side: f64, places: impl ExactSizeIterator<Item = [f64; 2]> + Clone) -> Self {
        let cells = ((1.0 / side).ceil() as i64).max(1);
        let starts = vec![0; (cells * cells) as usize + 1];
        let mut grid = Self { side, cells, starts, entries: vec![0; places.len()] };
        for place in places.clone() {
            let cell = grid.cell(place);
            grid.starts[cell + 1] += 1;
        }
        for n in 1..grid.starts.len() {
            grid.starts[n] += grid.starts[n - 1];
        }
        let mut next = grid.starts.clone();
        for (number, place) in places.enumerate() {
            let at = &mut next[grid.cell(place)];
            grid.entries[*at] = number;
            *at += 1;
        }
        grid
    }

    fn cell(&self, place: [f64; 2]) -> usize {
        // A place at the end of the square is in the last cell.
        let [i, j] = place.map(|c| ((c / self.side) as i64).min(self.cells - 1));
        (j * self.cells + i) as usize
    }

    /// The entries of all cells that meet a box or are not more than `halo` cells away from it, each with the shift
    /// that leads from the square to its image there. Without images, those in the square only.
    pub(super) fn near(
        &self,
        spans: [[f64; 2]; 2],
        halo: i64,
        images: bool,
    ) -> impl Iterator<Item = (usize, [f64; 2])> {
        let [columns, rows] = spans.map(|span| self.along(span, halo, images));
        let all = rows.into_iter().flat_map(move |row| columns.clone().into_iter().map(move |column| (column, row)));
        all.flat_map(|((i, x), (j, y))| {
            let cell = (j * self.cells + i) as usize;
            self.entries[self.starts[cell]..self.starts[cell + 1]].iter().map(move |n| (*n, [x, y]))
        })
    }

    /// The same in one direction: cells and shifts.
    fn along(&self, [low, high]: [f64; 2], halo: i64, images: bool) -> Vec<(i64, f64)> {
        let reach = halo as f64 * self.side;
        let shifts = if images { (low - reach).floor() as i64..=(high + reach).floor() as i64 } else { 0..=0 };
        let cells = shifts.flat_map(|image| {
            let shift = image as f64;
            let [first, last] = [low, high].map(|c| ((c - shift) / self.side).floor() as i64);
            ((first - halo).max(0)..=(last + halo).min(self.cells - 1)).map(move |cell| (cell, shift))
        });
        cells.collect()
    }
}
