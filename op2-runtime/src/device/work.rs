//! Counts the work of a loop in one of its variants: bytes, operations, and how often a block waits.
//!
//! `phases` says what a block does; this file knows how many rows, sectors and operations that are.

mod division;
mod rows;

pub(super) use division::Division;

use division::PerTarget;

use super::frame::threads;
use super::phases::{self, Chain, Data, Element, Phase};
use super::reach::WARP;
use super::task::Task;
use crate::desc::FormDesc;
use crate::mesh::bindings::BoundDat;
use op2_core::{Access, Reads, Resolution, Wrapper};
use op2_device::{Adds, LINE, SECTOR, Work};
use rows::{Rows, Storing};

/// Bytes of an element's place in the order.
const POSITION: f64 = 4.0;
/// Bytes of an entry in the list of a block's targets, or of those that get contributions, and of a place in shared memory or how far a
/// target is above the least one.
const LISTED: f64 = 4.0;
const PLACE: f64 = 2.0;
/// Threads of a block of kernels that gather.
const GATHERING: u32 = 128;

/// A way to run a loop.
#[derive(Clone, Copy)]
pub(super) struct Variant<'a> {
    /// How races are resolved; `None` where there are none.
    pub(super) resolution: Option<Resolution>,
    pub(super) wrapper: Wrapper,
    pub(super) form: Option<&'static FormDesc>,
    pub(super) division: &'a Division,
    /// How blocks read the targets of maps.
    pub(super) reads: Reads,
    /// Colours of blocks.
    pub(super) colours: usize,
}

/// The work of the kernels that a variant launches one after the other. The first runs the elements.
pub(super) fn works(task: &Task<'_>, variant: &Variant<'_>) -> Vec<Work> {
    let (views, covers, summed, phases) = Default::default();
    let mut count = Count { task, variant, work: Work::default(), views, covers, summed, phases };
    let mut then = Vec::new();
    match &variant.division.per_target {
        Some(threads) => count.per_target(threads),
        None if variant.wrapper.is_staged() => count.in_blocks(&mut then),
        None => count.at_once(&mut then),
    }
    std::iter::once(count.work).chain(then).collect()
}

struct Count<'a> {
    task: &'a Task<'a>,
    variant: &'a Variant<'a>,
    work: Work,
    /// Views whose rows, and covers whose lists, blocks have loaded already: later loads find them in the cache.
    views: Vec<usize>,
    covers: Vec<usize>,
    /// Covers whose lists of contributions blocks have loaded already.
    summed: Vec<usize>,
    phases: Vec<Phase>,
}

impl Count<'_> {
    /// Blocks of elements, which stage or gather what they read.
    fn in_blocks(&mut self, then: &mut Vec<Work>) {
        let Variant { resolution, wrapper, form, division, reads, colours } = *self.variant;
        self.work = Work {
            launches: if wrapper.starts_all_blocks() || resolution.is_none() { 1 } else { colours as u32 },
            blocks: division.blocks() as u64,
            threads: division.threads(),
            shared: division
                .shared(self.task, form, reads)
                .and_then(|bytes| u32::try_from(bytes).ok())
                .unwrap_or(u32::MAX),
            ..Work::default()
        };
        let combined = self.mapped(Access::combines);
        let collects = !combined.is_empty() && wrapper != Wrapper::StagedAtomic;
        let ordered = division.order().is_some() && self.own().next().is_some();
        let positions = division.positions as f64;
        self.work.bytes += POSITION * positions * f64::from(u8::from(ordered));
        self.phases.push(phases::begins(self.work.launches > 1));
        let operations = f64::from(form.map_or(self.task.desc.flops, |form| form.flops));
        match form {
            None => {
                self.read(&self.mapped(|access| !access.combines()), &self.own_loads(ordered));
                self.element(operations);
                if collects {
                    self.collect(&combined);
                }
            }
            Some(form) => {
                for stage in form.stages {
                    let present = self.mapped(|_| true);
                    let read: Vec<usize> = stage.iter().copied().filter(|view| present.contains(view)).collect();
                    self.read(&read, &self.own_loads(ordered));
                    self.element(operations / form.stages.len() as f64);
                }
                let kept = self.task.kept_bytes(form) as f64 * positions;
                self.work.bytes += kept;
                self.work.cached += kept;
                for view in combined.iter().filter(|_| collects) {
                    self.read(&[], &Data::default());
                    self.collect(&[*view]);
                }
            }
        }
        if wrapper == Wrapper::StagedAtomic {
            combined.iter().for_each(|&view| self.adds_of_elements(view));
        }
        if resolution == Some(Resolution::Tiles) {
            then.extend(combined.iter().map(|&view| self.copies_gathered(view)));
        }
        self.finish(operations, positions);
    }

    /// All elements in one launch, their data in global memory.
    fn at_once(&mut self, then: &mut Vec<Work>) {
        let Variant { wrapper, division, colours, resolution, .. } = *self.variant;
        let positions = division.positions as f64;
        let threads = threads(division.positions, division.threads(), WARP as u32);
        let blocks = division.positions.div_ceil(threads as usize) as u64;
        let launches = if resolution == Some(Resolution::Colours) { colours as u32 } else { 1 };
        self.work = Work { launches, blocks, threads, strides: true, ..Work::default() };
        let (combined, modified) = (self.mapped(Access::combines), self.mapped(Access::modifies));
        let entries: f64 = (0..self.task.device.covers.len()).map(|cover| self.width(cover)).sum();
        self.work.bytes += LISTED * entries * positions;
        let read = self.mapped(|access| access != Access::Write && !access.combines());
        let mut data = 0.0;
        for &view in &read {
            let rows = self.rows(view);
            data += rows.words * rows.arguments;
            self.near(rows.arguments * positions * rows.bytes);
            self.move_rows(&rows, 1.0);
        }
        for &view in &modified {
            let rows = self.rows(view);
            self.near(rows.arguments * positions * rows.bytes);
            let contributions = rows.arguments * positions;
            match (combined.contains(&view), wrapper) {
                (true, Wrapper::Scatter) => {
                    self.work.bytes += rows.bytes * contributions;
                    then.push(self.contributions_gathered(view));
                }
                (true, Wrapper::Atomic) => {
                    self.move_rows(&rows, 2.0);
                    self.adds_of_elements(view);
                }
                (combines, _) => {
                    self.move_rows(&rows, if combines { 2.0 } else { 1.0 });
                    self.work.cached += rows.stored_again(Storing::Alone) * contributions;
                }
            }
        }
        self.own_data();
        let own: f64 = self.own().map(|b| self.words_of(b)).sum();
        let operations = f64::from(self.task.desc.flops);
        let data = Data { loads: data + own, ordered: self.is_listed() };
        let changes = wrapper == Wrapper::Global && !combined.is_empty();
        self.phases.push(phases::at_once(&data, entries, operations, changes));
        self.finish(operations, positions);
    }

    /// A thread for each target, which runs all elements that contribute to it.
    fn per_target(&mut self, threads: &PerTarget) {
        let Variant { division, .. } = *self.variant;
        let contributions = division.order().map_or(0, <[u32]>::len) as f64;
        self.work = Work {
            launches: 1,
            blocks: threads.targets.div_ceil(division.threads() as usize) as u64,
            threads: division.threads(),
            trips: threads.trips,
            ..Work::default()
        };
        let (combined, read) = (self.mapped(Access::combines), self.mapped(|access| !access.combines()));
        let entries: f64 = self.covers_of(&read).map(|cover| self.width(cover)).sum();
        let listed = LISTED * (1.0 + entries) * division.positions as f64;
        self.work.bytes += listed;
        let mut words: f64 = self.own().map(|b| self.words_of(b)).sum();
        for &view in &read {
            let rows = self.rows(view);
            words += rows.words * rows.arguments;
            self.move_rows(&rows, 1.0);
            let [once, _] = rows.sectors();
            self.shared_by_threads(once, rows.arguments * contributions, (rows.bytes, rows.sectors_of_one()));
        }
        for bound in self.task.inputs.dats().iter().filter(|b| b.through.is_none() && !b.whole) {
            let rows = Rows::in_dat(self.task.inputs.dat(bound), threads.elements.clone());
            let [once, different] = rows.sectors();
            self.work.bytes += different;
            self.work.cached += once - different;
            self.shared_by_threads(once, contributions, (rows.bytes, rows.sectors_of_one()));
        }
        for &view in &combined {
            let rows = self.rows(view);
            self.work.bytes += 2.0 * rows.sectors()[1];
            self.near(2.0 * rows.reach.different as f64 * rows.bytes);
            self.work.cached += rows.stored_again(Storing::of(!threads.listed)) * rows.reach.different as f64;
        }
        self.near(listed);
        let operations = f64::from(self.task.desc.flops);
        self.phases.push(phases::per_target(threads.trips, entries, words, operations));
        self.finish(operations, threads.targets as f64);
    }

    /// The covers through which some views are reached.
    fn covers_of(&self, views: &[usize]) -> impl Iterator<Item = usize> + use<> {
        let mut covers: Vec<usize> = views.iter().filter_map(|&view| self.task.device.views[view].cover).collect();
        covers.sort_unstable();
        covers.dedup();
        covers.into_iter()
    }

    /// Threads load `loads` rows of `bytes` bytes, each in `sectors` bytes of sectors. If each block loads a sector once, all of them load
    /// `once` bytes: the cache of the multiprocessor has what another thread of the block has loaded.
    fn shared_by_threads(&mut self, once: f64, loads: f64, (bytes, sectors): (f64, f64)) {
        self.near(loads * bytes);
        self.work.gathers.of_block += once / self.work.blocks.max(1) as f64;
        self.work.gathers.again += (loads * sectors - once).max(0.0);
    }

    /// Adds up waits and operations; `all` threads in all have elements.
    fn finish(&mut self, operations: f64, all: f64) {
        let work = &mut self.work;
        let (positions, threads) = (self.variant.division.positions as f64, f64::from(work.threads));
        let (waits, instructions) = phases::waits(&self.phases, threads);
        let slots: usize = self.task.reductions().iter().map(|r| r.slots).sum();
        work.join = (slots > 0).then(|| phases::join(slots as f64, threads));
        work.waits = waits;
        work.others = instructions * all;
        let operations = operations * positions;
        (work.doubles, work.singles) = if self.task.is_double() { (operations, 0.0) } else { (0.0, operations) };
        work.footprint = (work.bytes + work.again) / f64::from(work.launches.max(1));
    }

    /// The loads of an element's own data.
    fn own_loads(&self, ordered: bool) -> Data {
        Data { loads: self.own().map(|b| self.words_of(b)).sum(), ordered }
    }

    /// Rows of these views come to shared memory, by the lists of their covers, or to each thread; with them what is its element's own.
    fn read(&mut self, views: &[usize], own: &Data) {
        match self.variant.reads {
            Reads::Staged => {
                let threads = f64::from(self.work.threads);
                let read: Vec<_> = views.iter().map(|&view| self.staged(view, 1.0)).collect();
                self.phases.push(phases::fetch(&read, own, threads));
            }
            Reads::Gathered => {
                let read: Vec<_> = views.iter().map(|&view| self.gathered(view)).collect();
                self.phases.push(phases::gather(&read, own, self.variant.division.far()));
            }
        }
    }

    /// The element of a stage, with its places in shared memory.
    fn element(&mut self, operations: f64) {
        let all = self.mapped(|_| true);
        let staged = self.variant.reads == Reads::Staged;
        let all = all.iter().filter(|_| staged).map(|&view| self.rows(view));
        let operands = all.map(|rows| rows.components * rows.arguments).sum();
        self.phases.push(phases::element(&Element { operations, operands }));
        self.own_data();
    }

    /// Contributions to these views are summed, and leave the block.
    fn collect(&mut self, combined: &[usize]) {
        let Variant { wrapper, resolution, division, .. } = *self.variant;
        let mut staged = Vec::new();
        let (views, elements) = (self.mapped(Access::combines), self.task.shape.elements.len() as f64);
        for &view in combined {
            let rows = self.rows(view);
            let (all, alone, different) =
                (rows.reach.all as f64, rows.reach.alone as f64, rows.reach.different.max(1) as f64);
            let once = rows.sectors()[1];
            // Of the targets in the list of a block, those to which it adds directly, and those that get sums in it.
            let (added, summed) = match (wrapper, resolution) {
                (Wrapper::Tiled, Some(Resolution::Owner)) => (different, different),
                (Wrapper::Tiled | Wrapper::Combined, _) => (alone, all),
                _ => (all, all),
            };
            match wrapper {
                Wrapper::Tiled | Wrapper::Combined => {
                    self.work.bytes += 2.0 * once * (added / different);
                    if wrapper == Wrapper::Combined {
                        self.adds_of_blocks(&rows);
                    } else {
                        self.work.bytes += (summed - added) * rows.bytes;
                    }
                    self.views.push(view);
                }
                _ => self.move_rows(&rows, 2.0),
            }
            let contributions = rows.arguments * division.positions as f64;
            if !self.summed.contains(&rows.cover) {
                self.summed.push(rows.cover);
                self.work.bytes += LISTED * summed + PLACE * contributions;
                self.list_of_far(rows.cover);
            }
            let of_view = rows.staged(self.blocks());
            // Owners sum only what is theirs.
            let of_sums = if resolution == Some(Resolution::Owner) { rows.arguments * elements } else { contributions };
            let of_view = phases::Summed {
                rows: phases::Staged { rows: summed / self.blocks(), ..of_view },
                each: of_sums / summed.max(1.0),
                added: added / summed.max(1.0),
                stored: self.task.places(rows.cover).count() as f64 / self.width(rows.cover).max(1.0),
            };
            // Of contributions that repeat each other one goes to shared memory. Each comes from there; old values come, and new ones go.
            let stored = contributions * of_view.stored;
            self.near((stored + contributions + 2.0 * summed) * rows.bytes);
            let sums = &mut self.work.sums;
            // In stages, each view is collected alone.
            let share = 1.0 / views.len() as f64;
            let of_threads = share * of_view.rows.rows / f64::from(self.work.threads);
            let (shared_out, batches) = of_view.batches();
            if shared_out == 1.0 {
                self.work.cached += added * rows.stored_again(Storing::Paired);
            }
            sums.targets += of_threads * of_view.added * shared_out;
            sums.handed += of_threads * (1.0 - of_view.added) * of_view.rows.words;
            sums.batches += share * batches;
            sums.each += share * of_view.each;
            sums.longest += share * rows.reach.longest();
            staged.push(of_view);
        }
        self.phases.push(phases::collect(&staged, self.variant.reads == Reads::Staged));
    }

    /// Blocks add to targets that others reach, too.
    fn adds_of_blocks(&mut self, rows: &Rows) {
        let reach = &rows.reach;
        let values = (reach.all - reach.alone) as f64 * rows.components;
        let shared = reach.different.saturating_sub(reach.alone) as f64 / reach.different.max(1) as f64;
        self.work.bytes += 2.0 * rows.sectors()[1] * shared;
        let atomics = &mut self.work.atomics;
        atomics.values += values;
        atomics.sectors += values * rows.sectors_of_a_value();
        atomics.bytes += 2.0 * rows.sectors()[1] * shared;
    }

    /// A view whose rows are loaded by the list of its cover.
    fn staged(&mut self, view: usize, times: f64) -> phases::Staged {
        let rows = self.rows(view);
        let positions = self.variant.division.positions as f64;
        // Rows come from the cache and go to shared memory, and operands come from there.
        self.near((2.0 * times * rows.reach.all as f64 + rows.arguments * positions) * rows.bytes);
        self.list(rows.cover);
        self.move_rows(&rows, times);
        rows.staged(self.blocks())
    }

    /// A view whose rows each thread loads for its element. The cache of the multiprocessor has those that others have loaded.
    fn gathered(&mut self, view: usize) -> phases::Staged {
        let rows = self.rows(view);
        let positions = self.variant.division.positions as f64;
        // Later stages have the entries in registers.
        if !self.covers.contains(&rows.cover) {
            self.work.bytes += PLACE * self.width(rows.cover) * positions;
            self.list_of_far(rows.cover);
        }
        self.move_rows(&rows, 1.0);
        let once = rows.sectors()[0];
        self.shared_by_threads(once, rows.arguments * positions, (rows.bytes, rows.sectors_of_one()));
        rows.staged(self.blocks())
    }

    /// The targets of far blocks, where blocks gather.
    fn list_of_far(&mut self, cover: usize) {
        if self.variant.reads == Reads::Gathered && !self.covers.contains(&cover) {
            self.covers.push(cover);
            let all = self.variant.division.reach(cover).map_or(0, |reach| reach.all);
            self.work.bytes += LISTED * self.variant.division.far() * all as f64;
        }
    }

    /// The list of a cover's targets, and the places of the elements' targets.
    fn list(&mut self, cover: usize) {
        let Some(reach) = self.variant.division.reach(cover) else { return };
        // A block loads as many as the largest one has: its own number comes with them.
        let listed = self.blocks() * f64::from(reach.most);
        let bytes = LISTED * listed + PLACE * self.width(cover) * self.variant.division.positions as f64;
        match self.covers.contains(&cover) {
            true => self.work.cached += bytes,
            false => self.work.bytes += bytes,
        }
        self.covers.push(cover);
    }

    /// Moves the rows of a view `times` times: those that several blocks reach are in the cache, unless a launch lies between.
    fn move_rows(&mut self, rows: &Rows, times: f64) {
        let [all, different] = rows.sectors();
        if self.views.contains(&rows.view) {
            self.work.cached += times * all;
            return;
        }
        self.views.push(rows.view);
        self.work.bytes += times * different;
        let more = times * (all - different);
        match self.work.launches {
            0 | 1 => self.work.cached += more,
            _ => self.work.again += more,
        }
    }

    /// Bytes go between threads and the cache or shared memory of their multiprocessor.
    fn near(&mut self, bytes: f64) {
        self.work.lines += bytes / LINE;
    }

    /// Data of the elements themselves; a later stage finds them in the cache.
    fn own_data(&mut self) {
        let times = |access: Access| if matches!(access, Access::Read | Access::Write) { 1.0 } else { 2.0 };
        let row: f64 = self.own().map(|b| times(b.access) * self.task.inputs.dat(b).bytes as f64).sum();
        let positions = self.variant.division.positions as f64;
        let bytes = row * positions;
        self.near(bytes);
        match self.views.contains(&usize::MAX) {
            true => self.work.cached += bytes,
            false => {
                self.work.bytes += bytes;
                let storing = Storing::of(!self.variant.wrapper.is_staged() && !self.is_listed());
                let again =
                    |b: &BoundDat| rows::stored_again(self.task.inputs.dat(b).bytes as f64, self.words(b), storing);
                let again: f64 = self.own().filter(|b| b.access.modifies()).map(again).sum();
                self.work.cached += again * positions;
            }
        }
        self.views.push(usize::MAX);
    }

    /// Every element adds to its targets by itself.
    fn adds_of_elements(&mut self, view: usize) {
        let rows = self.rows(view);
        let values = rows.components * rows.arguments * self.variant.division.positions as f64;
        let of_cover = self.variant.division.sectors_of_warps(self.task, rows.cover, rows.neighbours());
        let sectors = rows.components * of_cover * rows.arguments / self.width(rows.cover).max(1.0);
        // Additions to one place wait for each other, as those to different sectors do.
        let sectors = sectors.max(values / rows.neighbours() as f64);
        let atomics = &mut self.work.atomics;
        let bytes = 2.0 * rows.sectors()[1];
        *atomics =
            Adds { sectors: atomics.sectors + sectors, values: atomics.values + values, bytes: atomics.bytes + bytes };
        if self.variant.wrapper == Wrapper::StagedAtomic {
            self.move_rows(&rows, 2.0);
        }
    }

    /// The launch that adds copies of shared targets up.
    fn copies_gathered(&self, view: usize) -> Work {
        let rows = self.rows(view);
        let copies = (rows.reach.all - rows.reach.alone) as f64;
        gathered(&rows, (rows.reach.different - rows.reach.alone) as f64, copies)
    }

    /// The launch that adds all contributions up.
    fn contributions_gathered(&self, view: usize) -> Work {
        let rows = self.rows(view);
        gathered(&rows, rows.reach.different as f64, rows.arguments * self.variant.division.positions as f64)
    }

    /// The views that are reached through maps with an access for which `which` holds.
    fn mapped(&self, which: impl Fn(Access) -> bool) -> Vec<usize> {
        let views = self.task.device.views;
        let mapped =
            (0..views.len()).filter(|&v| views[v].cover.is_some_and(|c| self.variant.division.reach(c).is_some()));
        mapped.filter(|&v| self.task.bound(&views[v]).is_some_and(|bound| which(bound.access))).collect()
    }

    fn rows(&self, view: usize) -> Rows {
        Rows::of(self.task, |cover| self.variant.division.reach(cover), view)
            .expect("the view is reached through a map")
    }

    /// The arguments that are data of the elements themselves.
    fn own(&self) -> impl Iterator<Item = &BoundDat> {
        self.task.inputs.dats().iter().filter(|b| b.through.is_none() && !b.whole)
    }

    fn words_of(&self, bound: &BoundDat) -> f64 {
        self.words(bound).0
    }

    /// Loads for a row, and whether these are next to each other.
    fn words(&self, bound: &BoundDat) -> (f64, bool) {
        let dat = self.task.inputs.dat(bound);
        rows::words(dat.bytes, dat.elem.bytes(), dat.layout())
    }

    fn width(&self, cover: usize) -> f64 {
        self.task.cover(cover).map_or(0.0, |ways| ways.width() as f64)
    }

    fn blocks(&self) -> f64 {
        self.variant.division.blocks().max(1) as f64
    }

    fn is_listed(&self) -> bool {
        self.variant.division.order().is_some()
    }
}

/// Each of `targets` targets adds up its share of the contributions: it loads the offsets, an entry of the list, the contribution.
fn gathered(rows: &Rows, targets: f64, contributions: f64) -> Work {
    let threads = threads(targets as usize, GATHERING, WARP as u32);
    let each = contributions / targets.max(1.0);
    let chain = Chain { memory: 1.0 + 2.0 * each, cache: 1.0, near: 0.0 };
    let chain = phases::Loads { shared_out: 1.0, at_once: 1.0, sweeps: 1.0, chain };
    let (waits, instructions) = phases::waits(&[Phase { loads: vec![chain], ..Phase::default() }], f64::from(threads));
    let lists = 8.0 * targets + LISTED * contributions;
    let bytes = lists + contributions * rows.bytes + 2.0 * targets * rows.bytes;
    // Neighbours use most of the rest of the sectors that hold contributions, in the same instruction; the rest is loaded again.
    let cached =
        0.25 * contributions * (rows.components * SECTOR - rows.bytes) + targets * rows.stored_again(Storing::Alone);
    let others = instructions * targets;
    let doubles = contributions * rows.components;
    Work {
        launches: 1,
        blocks: (targets as u64).div_ceil(u64::from(threads)),
        strides: true,
        threads,
        bytes,
        cached,
        footprint: bytes,
        doubles,
        others,
        waits,
        ..Work::default()
    }
}
