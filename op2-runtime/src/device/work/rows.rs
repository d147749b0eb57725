//! The rows of a view that blocks reach.

use crate::data::layout::Layout;
use crate::device::phases::Staged;
use crate::device::reach::Reach;
use crate::device::task::Task;
use crate::mesh::DatStore;
use op2_device::SECTOR;
use op2_device::language::cuda::LONGEST_EXCHANGED;

/// How threads store rows (`op2_rows.cuh`).
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Storing {
    /// Each its own.
    Alone,
    /// Two neighbours together, wherever their rows are.
    Paired,
    /// As many together as a sector has words; their rows lie side by side.
    Grouped,
}

impl Storing {
    /// How rows are stored that lie side by side or do not.
    pub(super) fn of(side_by_side: bool) -> Storing {
        if side_by_side { Storing::Grouped } else { Storing::Alone }
    }

    /// Whether instructions fill sectors.
    fn fills(self, bytes: f64, words: f64) -> bool {
        match self {
            Storing::Alone => false,
            Storing::Paired => bytes == 16.0 * words && words % 2.0 == 0.0,
            Storing::Grouped => bytes >= 4.0 * words && bytes <= LONGEST_EXCHANGED as f64,
        }
    }
}

/// The rows of a view that is reached through a map.
pub(super) struct Rows {
    pub(super) view: usize,
    pub(super) cover: usize,
    pub(super) reach: Reach,
    /// Bytes of a row.
    pub(super) bytes: f64,
    pub(super) components: f64,
    /// Arguments of the kernel that lead to it, entry by entry.
    pub(super) arguments: f64,
    /// Loads for a row, and whether they are neighbours.
    pub(super) words: f64,
    adjacent: bool,
    /// Bytes of a part of a row: all of it, or a component.
    pub(super) part: usize,
}

impl Rows {
    pub(super) fn of<'a>(task: &Task<'_>, reach: impl Fn(usize) -> Option<&'a Reach>, view: usize) -> Option<Self> {
        let desc = &task.device.views[view];
        let (cover, dat) = (desc.cover?, task.inputs.dat(task.bound(desc)?));
        let own = task.inputs.dats().iter().filter(|b| desc.args.contains(&b.arg));
        let arguments = own.filter_map(|b| Some(b.through.as_ref()?.1.len() as f64)).sum();
        Some(Rows { view, cover, arguments, ..Rows::in_dat(dat, reach(cover)?.clone()) })
    }

    /// The rows of a dat, of which each element has its own.
    pub(super) fn in_dat(dat: &DatStore, reach: Reach) -> Self {
        let (words, adjacent) = words(dat.bytes, dat.elem.bytes(), dat.layout());
        Rows {
            view: usize::MAX,
            cover: usize::MAX,
            reach,
            bytes: dat.bytes as f64,
            components: (dat.bytes / dat.elem.bytes()) as f64,
            arguments: 1.0,
            words,
            adjacent,
            part: part(dat.bytes, dat.elem.bytes(), dat.layout()),
        }
    }

    /// Rows of which a sector has the same component: a power of two up to 16.
    pub(super) fn neighbours(&self) -> usize {
        let rows = (SECTOR as usize / self.part.max(1)).clamp(1, 16);
        1 << rows.ilog2()
    }

    pub(super) fn staged(&self, blocks: f64) -> Staged {
        let Rows { words, adjacent, components, arguments, .. } = *self;
        Staged { rows: self.reach.all as f64 / blocks, words, adjacent, components, arguments }
    }

    /// Bytes of the sectors of these rows: those of all blocks, and different ones.
    pub(super) fn sectors(&self) -> [f64; 2] {
        let parts = if self.adjacent { 1.0 } else { self.components };
        self.reach.sectors(self.part).map(|sectors| sectors * parts * SECTOR)
    }

    /// Bytes of the sectors that one row touches.
    pub(super) fn sectors_of_one(&self) -> f64 {
        let parts = if self.adjacent { 1.0 } else { self.components };
        parts * whole_sectors(self.bytes / parts)
    }

    /// Bytes of sectors that the cache takes more than once where a row is stored.
    pub(super) fn stored_again(&self, storing: Storing) -> f64 {
        stored_again(self.bytes, (self.words, self.adjacent), storing)
    }

    /// Sectors that an instruction of a warp touches for each value of shared targets.
    pub(super) fn sectors_of_a_value(&self) -> f64 {
        let of_component = (self.reach.sectors(self.part)[0] / self.reach.all.max(1) as f64).min(1.0);
        match self.adjacent {
            // Threads next to each other have the words of one row.
            true => (self.bytes / self.words / SECTOR).max(of_component / self.words),
            false => of_component,
        }
    }
}

/// Loads for a row, and whether these are next to each other. Words are those of `op2_data.cuh`.
pub(super) fn words(bytes: usize, scalar: usize, layout: Layout) -> (f64, bool) {
    let word = [16, 8, 4, 1].into_iter().find(|n| bytes.is_multiple_of(*n)).unwrap_or(1).max(scalar);
    match layout {
        Layout::Aos => (bytes as f64 / word as f64, true),
        Layout::Soa | Layout::Blocked(_) => (bytes as f64 / scalar as f64, false),
    }
}

/// Bytes of sectors that the cache takes more than once where a thread stores a row word by word: each word is an instruction, which fills
/// a part of the sectors that it touches, unless threads have exchanged words.
pub(super) fn stored_again(bytes: f64, (words, adjacent): (f64, bool), storing: Storing) -> f64 {
    match adjacent && !storing.fills(bytes, words) {
        true => words * bytes.min(SECTOR) - bytes,
        false => 0.0,
    }
}

/// Bytes of a part of a row that lies in one piece.
pub(super) fn part(bytes: usize, scalar: usize, layout: Layout) -> usize {
    if layout == Layout::Aos { bytes } else { scalar }
}

/// Bytes of the sectors that a row touches on average, if rows follow each other without gaps.
fn whole_sectors(bytes: f64) -> f64 {
    let aligned = (1usize << (bytes as usize).trailing_zeros().min(5)) as f64;
    bytes + SECTOR - aligned
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_touch_whole_sectors() {
        assert_eq!([32.0, 64.0, 16.0, 48.0, 40.0].map(whole_sectors), [32.0, 64.0, 32.0, 64.0, 64.0]);
        assert_eq!([part(32, 8, Layout::Aos), part(32, 8, Layout::Soa)], [32, 8]);
        assert_eq!([words(32, 8, Layout::Aos), words(40, 8, Layout::Aos)], [(2.0, true), (5.0, true)]);
        assert_eq!(words(32, 8, Layout::Soa), (4.0, false));
    }

    #[test]
    fn words_of_rows_fill_sectors_where_threads_exchange_them() {
        for (bytes, scalar, layout, again) in [
            (8, 8, Layout::Aos, [0.0, 0.0, 0.0]),
            (16, 8, Layout::Aos, [0.0, 0.0, 0.0]),
            (32, 8, Layout::Aos, [32.0, 0.0, 0.0]),
            (48, 8, Layout::Aos, [48.0, 48.0, 0.0]),
            (32, 8, Layout::Soa, [0.0, 0.0, 0.0]),
            // Three instructions, of which each touches all sectors.
            (24, 8, Layout::Aos, [48.0, 48.0, 0.0]),
            (56, 8, Layout::Aos, [168.0, 168.0, 0.0]),
            (12, 4, Layout::Aos, [24.0, 24.0, 0.0]),
            (3, 1, Layout::Aos, [6.0, 6.0, 6.0]),
            (192, 8, Layout::Aos, [192.0, 0.0, 0.0]),
            (200, 8, Layout::Aos, [600.0, 600.0, 600.0]),
        ] {
            let of = |storing| stored_again(bytes as f64, words(bytes, scalar, layout), storing);
            assert_eq!([Storing::Alone, Storing::Paired, Storing::Grouped].map(of), again, "{bytes} bytes, {layout:?}");
        }
    }
}
