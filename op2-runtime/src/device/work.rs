//! Counts the work of a loop in blocks, in one of its forms: bytes, operations, and how often a block waits for memory.

use super::cover::Reach;
use super::frame::WARP;
use super::task::Task;
use crate::desc::FormDesc;
use crate::plan::{cut, own_order};
use op2_core::Access;
use op2_device::{Work, rounds};

/// The cost of colours inside a block, in loads from memory: a dozen barriers around additions in shared memory, each of
/// which takes about a tenth of a load.
const TURNS: f64 = 1.0;
/// Bytes of an element's place in the order, and of its colour.
const POSITION: f64 = 8.0;
/// Bytes of an entry in the list of a block's staged targets.
const LISTED: f64 = 4.0;
/// Bytes of a place in shared memory.
const PLACE: f64 = 2.0;

/// A loop in blocks of one size.
pub(super) struct Division {
    pub(super) size: usize,
    blocks: usize,
    positions: usize,
    /// The number of targets that blocks reach through each cover; none if no argument that uses it is present.
    reach: Vec<Option<Reach>>,
}

impl Division {
    pub(super) fn new(task: &Task<'_>, size: usize) -> Self {
        let offsets = cut(task.shape, size);
        let reach = |cover| task.cover(cover).map(|ways| Reach::of(&ways, own_order(task.shape), &offsets));
        Division {
            size,
            blocks: offsets.len() - 1,
            positions: task.shape.elements.len(),
            reach: (0..task.device.covers.len()).map(reach).collect(),
        }
    }

    /// Bytes of shared memory of a block.
    pub(super) fn shared(&self, task: &Task<'_>, form: Option<&FormDesc>) -> u64 {
        let threads = self.size.next_multiple_of(WARP) as u32;
        task.arena(&|cover| self.reach[cover].map_or(0, |reach| reach.most), threads, form)
    }
}

/// The work of a loop in blocks of `launches` colours: unsplit, or in the stages of a form.
pub(super) fn work(task: &Task<'_>, form: Option<&FormDesc>, division: &Division, launches: usize) -> Work {
    let threads = division.size.next_multiple_of(32) as u32;
    let mut traffic = Traffic::new(task, division, threads);
    traffic.streamed(POSITION * division.positions as f64);
    let combined: Vec<usize> = traffic.views(|access| access.combines());
    match form {
        None => {
            traffic.staged(&traffic.views(|access| !access.combines()));
            traffic.direct();
            traffic.work.waits += if combined.is_empty() { 0.0 } else { TURNS };
            traffic.brought_back(&traffic.views(Access::modifies));
        }
        Some(form) => {
            for stage in form.stages {
                traffic.staged(stage);
                traffic.direct();
            }
            traffic.kept(task.kept_bytes(form));
            for view in combined {
                traffic.work.waits += TURNS;
                traffic.brought_back(&[view]);
            }
        }
    }
    let operations = f64::from(form.map_or(task.desc.flops, |form| form.flops)) * division.positions as f64;
    let (doubles, singles) = if task.is_double() { (operations, 0.0) } else { (0.0, operations) };
    let shared = u32::try_from(division.shared(task, form)).unwrap_or(u32::MAX);
    let launches = launches as u32;
    Work { launches, blocks: division.blocks as u64, threads, shared, doubles, singles, ..traffic.work }
}

/// Counts the bytes that a loop moves, and how often a block waits for them.
struct Traffic<'a> {
    task: &'a Task<'a>,
    division: &'a Division,
    threads: u32,
    work: Work,
    /// Views whose rows, and covers whose lists, the block has loaded already: later loads find them in the cache.
    seen: (Vec<usize>, Vec<usize>),
    direct_seen: bool,
}

impl<'a> Traffic<'a> {
    fn new(task: &'a Task<'a>, division: &'a Division, threads: u32) -> Self {
        // A block begins with its own description.
        let work = Work { waits: 1.0, ..Work::default() };
        Traffic { task, division, threads, work, seen: Default::default(), direct_seen: false }
    }

    /// The views that are reached through maps with an access for which `which` holds.
    fn views(&self, which: impl Fn(Access) -> bool) -> Vec<usize> {
        let views = self.task.device.views;
        let mapped = (0..views.len()).filter(|&v| views[v].cover.is_some());
        mapped.filter(|&v| self.task.bound(&views[v]).is_some_and(|bound| which(bound.access))).collect()
    }

    /// Adds bytes that are moved once, and for which no block waits separately.
    fn streamed(&mut self, bytes: f64) {
        self.work.bytes += bytes;
        self.work.waits += self.rounds(bytes);
    }

    /// Waits of one block for `bytes` bytes of all blocks.
    fn rounds(&self, bytes: f64) -> f64 {
        rounds(bytes / self.division.blocks.max(1) as f64, self.threads)
    }

    /// Staging: the list of targets, then the rows of these views.
    fn staged(&mut self, views: &[usize]) {
        self.lists(views);
        let mut rows = 0.0;
        for &view in views {
            let bytes = self.rows(view);
            rows += bytes;
            match self.seen.0.contains(&view) {
                true => self.work.cached += bytes,
                false => self.work.bytes += bytes,
            }
            self.seen.0.push(view);
        }
        self.work.waits += self.rounds(rows);
    }

    /// The way back of modified values: they are added to those in memory, or replace them.
    fn brought_back(&mut self, views: &[usize]) {
        self.lists(views);
        let rows: f64 = views.iter().map(|&view| 2.0 * self.rows(view)).sum();
        self.work.bytes += rows;
        self.work.waits += self.rounds(rows);
    }

    /// The lists of staged targets of these views' covers, and the places of the elements' targets.
    fn lists(&mut self, views: &[usize]) {
        let mut covers: Vec<usize> = views.iter().filter_map(|&v| self.task.device.views[v].cover).collect();
        covers.sort_unstable();
        covers.dedup();
        let mut bytes = 0.0;
        for cover in covers {
            let Some((reach, ways)) = self.division.reach[cover].zip(self.task.cover(cover)) else { continue };
            let of_cover = LISTED * reach.all as f64 + PLACE * (ways.width() * self.division.positions) as f64;
            bytes += of_cover;
            match self.seen.1.contains(&cover) {
                true => self.work.cached += of_cover,
                false => self.work.bytes += of_cover,
            }
            self.seen.1.push(cover);
        }
        self.work.waits += self.rounds(bytes);
    }

    /// Data of the elements themselves; a later stage finds them in the cache.
    fn direct(&mut self) {
        let own = self.task.inputs.dats().iter().filter(|b| b.through.is_none());
        let times = |access: Access| if matches!(access, Access::Read | Access::Write) { 1.0 } else { 2.0 };
        let row: f64 = own.map(|b| times(b.access) * self.task.inputs.dat(b).bytes as f64).sum();
        let bytes = row * self.division.positions as f64;
        match self.direct_seen {
            true => self.work.cached += bytes,
            false => self.work.bytes += bytes,
        }
        self.direct_seen = true;
        self.work.waits += self.rounds(bytes);
    }

    /// Values that stages leave for later stages: they are read from the cache, and written to memory in the end.
    fn kept(&mut self, bytes_per_element: usize) {
        let bytes = (bytes_per_element * self.division.positions) as f64;
        self.work.bytes += bytes;
        self.work.cached += bytes;
        self.work.waits += self.rounds(bytes);
    }

    /// Bytes of the rows of a view that all blocks reach.
    fn rows(&self, view: usize) -> f64 {
        let view = &self.task.device.views[view];
        let reach = view.cover.and_then(|cover| self.division.reach[cover]);
        match (reach, self.task.bound(view)) {
            (Some(reach), Some(bound)) => reach.all as f64 * self.task.inputs.dat(bound).bytes as f64,
            _ => 0.0,
        }
    }
}
