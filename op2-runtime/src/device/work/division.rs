//! Blocks of a loop, and what they reach.

use super::rows::part;
use crate::desc::FormDesc;
use crate::device::cover::{Cover, Way, element};
use crate::device::entries::SPAN;
use crate::device::planned::longest;
use crate::device::reach::{Reach, WARP};
use crate::device::slots::Slots;
use crate::device::task::Task;
use crate::plan::{Owned, cut, own_order, owned};
use crate::strategy::{Reads, Resolution};
use op2_device::{SECTOR, Trips};

/// A loop in blocks of one size.
pub(crate) struct Division {
    pub(crate) size: usize,
    /// The element at each position; `None` where they are the same number.
    order: Option<Vec<u32>>,
    offsets: Vec<u32>,
    pub(super) positions: usize,
    /// The reach of blocks through each cover; none if no argument that uses it is present.
    reach: Vec<Option<Reach>>,
    /// Targets between the least and the greatest one of each block, through the cover where they are farthest apart.
    spans: Vec<u32>,
    /// The threads of a block.
    threads: u32,
    /// Where each target has a thread.
    pub(super) per_target: Option<PerTarget>,
}

/// Threads that run all elements of a target each.
pub(super) struct PerTarget {
    pub(super) targets: usize,
    /// Whether some elements of the set are no targets of theirs.
    pub(super) listed: bool,
    pub(super) trips: Trips,
    /// The reach of blocks of threads among the elements.
    pub(super) elements: Reach,
}

impl Division {
    /// Blocks of `size` consecutive elements.
    pub(crate) fn new(task: &Task<'_>, size: usize) -> Self {
        Self::of(task, size, own_order(task.shape).map(<[u32]>::to_vec), cut(task.shape, size))
    }

    /// The blocks in which races are resolved so. None if there would be too many.
    pub(crate) fn by(task: &Task<'_>, resolution: Option<Resolution>, size: usize) -> Option<Self> {
        match resolution {
            Some(Resolution::Owner) => Division::of_owners(task, size),
            Some(Resolution::Targets) => Division::of_targets(task, &[size]).pop(),
            _ => Some(Division::new(task, size)),
        }
    }

    /// Blocks of owners. None if they are too many.
    pub(crate) fn of_owners(task: &Task<'_>, size: usize) -> Option<Self> {
        let Owned { order, offsets, .. } = owned(task.shape, size).ok()?;
        Some(Self::of(task, size, Some(order), offsets))
    }

    /// Blocks of threads that have a target each, in these sizes: the positions are those of their list, whether there is a contribution or
    /// not. None where the loop cannot run so, or where a few targets have nearly all contributions: the other threads of a wave wait for
    /// theirs.
    pub(crate) fn of_targets(task: &Task<'_>, sizes: &[usize]) -> Vec<Self> {
        let slots = || {
            let cover = task.cover(task.only_cover()?)?;
            let slots = Slots::dense(&cover, own_order(task.shape), task.shape.elements.len(), WARP)?;
            Some((slots.count(cover.targets), slots))
        };
        let slots = slots();
        let of = |&size: &usize| slots.as_ref().map(|(targets, slots)| Self::of_slots(task, size, *targets, slots));
        sizes.iter().filter_map(of).collect()
    }

    /// The blocks of `targets` threads with this list.
    fn of_slots(task: &Task<'_>, size: usize, targets: usize, slots: &Slots) -> Self {
        let (mut order, mut offsets, mut longest) = (Vec::new(), vec![0], 0);
        let waves: Vec<usize> = slots.starts.windows(2).map(|wave| (wave[1] - wave[0]) as usize).collect();
        let mut elements = slots.elements();
        for block in waves.chunks(size.div_ceil(WARP)) {
            let words = block.iter().sum::<usize>() * WARP;
            order.extend(elements.by_ref().take(words).flatten().map(|e| e as u32));
            offsets.push(order.len() as u32);
            longest += block.iter().copied().max().unwrap_or(0);
        }
        let per = |trips: usize, of: usize| trips as f64 / of.max(1) as f64;
        let rows = waves.iter().sum::<usize>();
        let trips = Trips { wave: per(rows, waves.len()), longest: per(longest, offsets.len() - 1) };
        let all: Vec<u32> = (0..order.iter().max().map_or(0, |&most| most + 1)).collect();
        let itself = Cover { targets: all.len(), ways: vec![Way { entries: &all, arity: 1, used: 0..1 }] };
        let elements = Reach::of(&itself, Some(&order), &offsets, &parts(task));
        let division = Self::of(task, size, Some(order), offsets);
        let per_target = Some(PerTarget { targets, listed: slots.targets.is_some(), trips, elements });
        Division { positions: rows * WARP, threads: size.next_multiple_of(WARP) as u32, per_target, ..division }
    }

    fn of(task: &Task<'_>, size: usize, order: Option<Vec<u32>>, offsets: Vec<u32>) -> Self {
        let rows = parts(task);
        let reach = |cover| Some(Reach::of(&task.cover(cover)?, order.as_deref(), &offsets, &rows));
        let reach: Vec<Option<Reach>> = (0..task.device.covers.len()).map(reach).collect();
        let positions = offsets.last().map_or(0, |&end| end as usize);
        let spans = spans(task, order.as_deref(), &offsets);
        let threads = size.max(longest(&offsets)).next_multiple_of(WARP) as u32;
        Division { size, order, offsets, positions, reach, spans, threads, per_target: None }
    }

    pub(super) fn reach(&self, cover: usize) -> Option<&Reach> {
        self.reach[cover].as_ref()
    }

    /// The share of blocks whose targets are too far from each other for narrow entries alone.
    pub(super) fn far(&self) -> f64 {
        self.spans.iter().filter(|&&span| span > SPAN).count() as f64 / self.spans.len().max(1) as f64
    }

    /// Targets between the least and the greatest one of each block.
    #[cfg(feature = "json")]
    pub(crate) fn spans(&self) -> &[u32] {
        &self.spans
    }

    /// Targets of all blocks, through all covers.
    #[cfg(feature = "json")]
    pub(crate) fn targets(&self) -> f64 {
        self.reach.iter().flatten().map(|reach| reach.all as f64).sum()
    }

    pub(super) fn order(&self) -> Option<&[u32]> {
        self.order.as_deref()
    }

    pub(super) fn blocks(&self) -> usize {
        self.offsets.len() - 1
    }

    /// The threads of a block.
    pub(crate) fn threads(&self) -> u32 {
        self.threads
    }

    /// Bytes of shared memory of a block; none if its data cannot be staged.
    pub(crate) fn shared(&self, task: &Task<'_>, form: Option<&FormDesc>, reads: Reads) -> Option<u64> {
        task.room(&|cover| self.reach(cover).map_or(0, |reach| reach.most), self.threads(), form, reads)
    }

    /// Sectors to which the threads of a warp lead by one entry after the other, if each has the same component of `neighbours` rows.
    pub(super) fn sectors_of_warps(&self, task: &Task<'_>, cover: usize, neighbours: usize) -> f64 {
        let Some(all) = task.cover(cover) else { return 0.0 };
        let warps: Vec<u32> =
            (0..=self.positions.div_ceil(WARP)).map(|w| (w * WARP).min(self.positions) as u32).collect();
        let entries = all.ways.iter().flat_map(|way| way.used.clone().map(move |k| (way, k)));
        let of_entry = |(way, k): (&crate::device::cover::Way<'_>, usize)| {
            let way = crate::device::cover::Way { used: k..k + 1, ..way.clone() };
            let cover = crate::device::cover::Cover { targets: all.targets, ways: vec![way] };
            let bytes = SECTOR as usize / neighbours;
            Reach::of(&cover, self.order(), &warps, &[bytes]).sectors(bytes)[0]
        };
        entries.map(of_entry).sum()
    }
}

/// Bytes of parts of rows of each view.
fn parts(task: &Task<'_>) -> Vec<usize> {
    let bound = task.device.views.iter().filter_map(|view| task.bound(view));
    let dats = bound.map(|b| task.inputs.dat(b));
    dats.map(|dat| part(dat.bytes, dat.elem.bytes(), dat.layout())).collect()
}

/// Targets between the least and the greatest one of each block.
fn spans(task: &Task<'_>, order: Option<&[u32]>, offsets: &[u32]) -> Vec<u32> {
    let mut spans = vec![0; offsets.len() - 1];
    for cover in (0..task.device.covers.len()).filter_map(|cover| task.cover(cover)) {
        for (span, block) in spans.iter_mut().zip(offsets.windows(2)) {
            let (mut least, mut most) = (usize::MAX, 0);
            for p in block[0] as usize..block[1] as usize {
                cover.visit(element(order, p), |_, target| (least, most) = (least.min(target), most.max(target)));
            }
            *span = (most.saturating_sub(least) as u32).max(*span);
        }
    }
    spans
}
