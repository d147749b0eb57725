//! The rows of a view that blocks reach.

use crate::data::layout::Layout;
use crate::device::phases::Staged;
use crate::device::reach::Reach;
use crate::device::task::Task;
use crate::mesh::bindings::BoundDat;
use op2_device::SECTOR;

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
    /// Rows whose parts may share a sector.
    pub(super) neighbours: usize,
}

impl Rows {
    pub(super) fn of(task: &Task<'_>, reach: impl Fn(usize) -> Option<Reach>, view: usize) -> Option<Self> {
        let desc = &task.device.views[view];
        let (cover, dat) = (desc.cover?, task.inputs.dat(task.bound(desc)?));
        let own = task.inputs.dats().iter().filter(|b| desc.args.contains(&b.arg));
        let arguments = own.filter_map(|b| Some(b.through.as_ref()?.1.len() as f64)).sum();
        let (words, adjacent) = words(dat.bytes, dat.elem.bytes(), dat.layout());
        Some(Rows {
            view,
            cover,
            reach: reach(cover)?,
            bytes: dat.bytes as f64,
            components: (dat.bytes / dat.elem.bytes()) as f64,
            arguments,
            words,
            adjacent,
            neighbours: neighbours(dat.bytes, dat.elem.bytes(), dat.layout()),
        })
    }

    /// The rows of data of elements themselves.
    pub(super) fn of_elements(task: &Task<'_>, bound: &BoundDat, reach: Reach) -> Self {
        let dat = task.inputs.dat(bound);
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
            neighbours: neighbours(dat.bytes, dat.elem.bytes(), dat.layout()),
        }
    }

    pub(super) fn staged(&self, blocks: f64) -> Staged {
        let Rows { words, adjacent, components, arguments, .. } = *self;
        Staged { rows: self.reach.all as f64 / blocks, words, adjacent, components, arguments }
    }

    /// Bytes of the sectors of these rows: those of all blocks, and different ones.
    pub(super) fn sectors(&self) -> [f64; 2] {
        let parts = if self.adjacent { 1.0 } else { self.components };
        match self.neighbours {
            1 => [self.reach.all, self.reach.different].map(|n| n as f64 * parts * whole_sectors(self.bytes / parts)),
            n => self.reach.groups(n).map(|groups| groups * parts * SECTOR),
        }
    }

    /// Bytes of the sectors that one row touches.
    pub(super) fn sectors_of_one(&self) -> f64 {
        let parts = if self.adjacent { 1.0 } else { self.components };
        parts * whole_sectors(self.bytes / parts)
    }

    /// Sectors that an instruction of a warp touches for each value of shared targets.
    pub(super) fn sectors_of_a_value(&self) -> f64 {
        let of_component = self.reach.groups(self.neighbours)[0] / self.reach.all.max(1) as f64;
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

/// Rows whose parts may share a sector: a power of two up to 16.
pub(super) fn neighbours(bytes: usize, scalar: usize, layout: Layout) -> usize {
    let part = if layout == Layout::Aos { bytes } else { scalar };
    let rows = (SECTOR as usize / part.max(1)).clamp(1, 16);
    1 << rows.ilog2()
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
        let of = |bytes, layout| neighbours(bytes, 8, layout);
        assert_eq!([of(32, Layout::Aos), of(16, Layout::Aos), of(24, Layout::Aos), of(32, Layout::Soa)], [1, 2, 1, 4]);
        assert_eq!([words(32, 8, Layout::Aos), words(40, 8, Layout::Aos)], [(2.0, true), (5.0, true)]);
        assert_eq!(words(32, 8, Layout::Soa), (4.0, false));
    }
}
