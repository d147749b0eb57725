//! Estimates how long a kernel takes, from its work and the resources that the compiler reports.
//!
//! Seven bounds, after the roofline model and Little's law:
//!
//! | bound | what |
//! | --- | --- |
//! | memory | bytes from and to memory, in whole sectors, divided by the bandwidth of a copy |
//! | cache | all bytes that the level 2 cache hands out, divided by its bandwidth; what threads gather again counts as far as the multiprocessor's own cache has no room for it |
//! | near | lines of 128 bytes between threads and the cache and shared memory of their multiprocessor, one a cycle. Conflicts between banks, and lines of which threads use a part, do not count |
//! | atomics | additions by the cache: each sector that an instruction of a warp touches costs, and so do each value and what comes from memory for them |
//! | arithmetic | instructions divided by the rate of their unit, or of all units together |
//! | waiting | blocks go over the GPU in waves of as many as are resident; a wave takes as long as one block waits: for loads that need each other's results, for barriers, for its own arithmetic |
//! | launching | launches, one behind the other |
//!
//! Waiting is Little's law: if blocks are few or small, the bytes that they have in flight during a latency do not fill the bandwidth.
//!
//! Blocks that share a multiprocessor fill each other's waits. Bounds add up as a norm: as their sum if only one block fits, and the
//! closer to the largest one, the more blocks do. With r blocks the exponent is 3 - 2 / r, which reproduces how the bandwidth of an H200 rises
//! with the bytes in flight (the test `loads_in_flight_fill_the_bandwidth`).
//!
//! The estimate ranks variants of one loop. Its constants stand in `performance.rs`; measurements take precedence.

use crate::performance::{ADDRESSING, Cycles, Performance, barrier};
use crate::resources::Resources;

/// The most blocks of a launch whose threads stride over the elements: enough to fill any device, and few enough to keep partial
/// results few.
pub const MOST_BLOCKS: u64 = 4096;

/// Bytes of a sector, the piece in which memory and caches move data.
pub const SECTOR: f64 = 32.0;

/// Bytes of a line, which a multiprocessor moves in a cycle.
pub const LINE: f64 = 128.0;

/// The work of a kernel over all its launches.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
#[cfg_attr(feature = "json", derive(serde::Serialize, serde::Deserialize))]
pub struct Work {
    /// Launches that wait for each other.
    pub launches: u32,
    /// Blocks of all launches, if each thread runs one element.
    pub blocks: u64,
    /// Whether threads run several elements one after the other where there are more than [`MOST_BLOCKS`] blocks of a launch.
    pub strides: bool,
    /// Threads of a block.
    pub threads: u32,
    /// Bytes of dynamic shared memory of a block.
    pub shared: u32,
    /// Bytes that cross the memory bus whatever the size of the cache.
    pub bytes: f64,
    /// Bytes that the cache moves and memory does not: what blocks load that another block of about the same time has loaded, and sectors
    /// that instructions store in parts.
    pub cached: f64,
    /// Bytes that an earlier launch has moved: they cross the bus again unless the cache holds all that a launch touches.
    pub again: f64,
    /// Bytes of the data that a launch goes through.
    pub footprint: f64,
    /// Operations on doubles.
    pub doubles: f64,
    /// Operations on floats.
    pub singles: f64,
    /// Other instructions of threads.
    pub others: f64,
    /// Lines between threads and their multiprocessor's cache and shared memory, if each is full.
    pub lines: f64,
    /// Data that threads gather where several threads of a block need the same.
    pub gathers: Gathers,
    /// Sums of contributions in blocks, where they collect any.
    pub sums: Sums,
    /// Elements that a thread runs for its target one after the other, where each target has one.
    pub trips: Trips,
    /// Atomic additions.
    pub atomics: Adds,
    /// The waits of a block for one element of each thread.
    pub waits: Waits,
    /// The reduction, if the loop has one.
    pub join: Option<Join>,
}

/// Blocks leave partial results, and the last one joins them. If threads run several elements, no more blocks start than are resident.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
#[cfg_attr(feature = "json", derive(serde::Serialize, serde::Deserialize))]
pub struct Join {
    /// The waits of each block behind its elements.
    pub each: Waits,
    /// The waits of the last block for as many partial results as it has threads.
    pub round: Waits,
    /// Its waits for their sum.
    pub last: Waits,
}

/// Elements that contribute to the target of a thread. The threads of a wave go on together until the last one is done, and a block stays
/// until its last wave is.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
#[cfg_attr(feature = "json", derive(serde::Serialize, serde::Deserialize))]
pub struct Trips {
    /// Those of a wave, on average.
    pub wave: f64,
    /// Those of the wave of a block that has most, on average.
    pub longest: f64,
}

/// The sums of contributions of a block. Those of several dats count as their mean.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
#[cfg_attr(feature = "json", derive(serde::Serialize, serde::Deserialize))]
pub struct Sums {
    /// Targets for each thread to which the block adds, or parts of them that threads share out; 0 where no contributions are collected.
    pub targets: f64,
    /// Words for each thread that leave the block for targets which are not its own.
    pub handed: f64,
    /// Batches of words of such a target or part.
    pub batches: f64,
    /// Contributions to a target.
    pub each: f64,
    /// Contributions to that target of a warp, among those to which the block adds, which gets most of them: the warp goes on until it has
    /// them all.
    pub longest: f64,
}

/// Data of a block that come to its threads through the cache of their multiprocessor.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
#[cfg_attr(feature = "json", derive(serde::Serialize, serde::Deserialize))]
pub struct Gathers {
    /// Bytes of a block, each counted once.
    pub of_block: f64,
    /// Bytes of all blocks that come once more if that cache keeps nothing.
    pub again: f64,
}

/// Atomic additions to global memory.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
#[cfg_attr(feature = "json", derive(serde::Serialize, serde::Deserialize))]
pub struct Adds {
    /// Sectors that instructions of warps touch.
    pub sectors: f64,
    /// Values that are added.
    pub values: f64,
    /// Bytes that cross the memory bus for them, and count in [`Work::bytes`], too: additions wait for them in the cache.
    pub bytes: f64,
}

/// The waits of a block, one after the other.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
#[cfg_attr(feature = "json", derive(serde::Serialize, serde::Deserialize))]
pub struct Waits {
    /// Loads from memory.
    pub memory: f64,
    /// Loads from the level 2 cache.
    pub cache: f64,
    /// Loads from the multiprocessor's own cache.
    pub near: f64,
    /// Barriers.
    pub barriers: f64,
    /// Cycles of instructions that need each other's results, without loads from global memory.
    pub cycles: f64,
}

/// The bounds on a kernel's seconds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimate {
    /// Seconds that its bytes take.
    pub memory: f64,
    /// Seconds that the cache takes.
    pub cache: f64,
    /// Seconds that the multiprocessors' own caches and shared memories take.
    pub near: f64,
    /// Seconds that atomic additions take.
    pub atomics: f64,
    /// Seconds that its instructions take.
    pub arithmetic: f64,
    /// Seconds that its blocks wait.
    pub waiting: f64,
    /// Seconds that its launches take.
    pub launching: f64,
    /// Blocks on a multiprocessor.
    pub resident: u32,
}

impl Work {
    /// The same on a mesh that is `times` as large.
    pub fn scaled(&self, times: f64) -> Work {
        Work {
            blocks: (self.blocks as f64 * times).ceil() as u64,
            bytes: self.bytes * times,
            cached: self.cached * times,
            again: self.again * times,
            footprint: self.footprint * times,
            lines: self.lines * times,
            gathers: Gathers { again: self.gathers.again * times, ..self.gathers },
            doubles: self.doubles * times,
            singles: self.singles * times,
            others: self.others * times,
            atomics: Adds {
                sectors: self.atomics.sectors * times,
                values: self.atomics.values * times,
                bytes: self.atomics.bytes * times,
            },
            ..*self
        }
    }

    /// Blocks of all launches on a GPU that holds `at_once` of them, and the elements that each thread runs.
    pub fn spread(&self, at_once: u64) -> (u64, f64) {
        let launches = u64::from(self.launches.max(1));
        let all = self.blocks.div_ceil(launches);
        // Threads that reduce take rounds of equal length, with as many blocks as are resident.
        let most = match self.join {
            Some(_) => all.div_ceil(all.div_ceil(at_once.clamp(1, MOST_BLOCKS)).max(1)),
            None => MOST_BLOCKS,
        };
        if !self.strides || all <= most {
            return (self.blocks, 1.0);
        }
        let blocks = launches * most;
        (blocks, self.blocks as f64 / blocks as f64)
    }

    /// The bounds on a GPU if a kernel takes these resources; without them, lower bounds for any compiler's output.
    /// `None` if not even one block fits.
    pub fn estimate(&self, performance: &Performance, taken: Option<&Resources>) -> Option<Estimate> {
        let known = taken.is_some();
        let taken = taken.copied().unwrap_or_default();
        let resident = performance.limits.resident(&taken, self.threads, self.shared);
        if resident == 0 {
            return None;
        }
        // A spilled byte is written and read back.
        let spilled = 2.0 * f64::from(taken.local) * f64::from(self.threads) * self.blocks as f64;
        let at_once = u64::from(resident) * u64::from(performance.multiprocessors);
        let (blocks, elements) = self.spread(at_once);
        let launches = f64::from(self.launches);
        let turns = launches.max(1.0);
        let waves = turns * waves(blocks as f64 / turns / at_once as f64);
        let lost = lost(self.footprint / performance.cache.bytes);
        let memory = self.bytes + lost * self.again;
        // Fewer blocks leave each other more of the cache: of those that registers may keep out, none is there.
        let beside = if known { resident } else { 1 };
        let near = performance.near.room(beside * self.shared);
        let again = self.gathers.again * missed(f64::from(beside) * self.gathers.of_block / near);
        let instructions = self.doubles + self.singles + self.others;
        let units = [
            self.doubles / performance.doubles,
            self.singles / performance.singles,
            instructions / performance.instructions,
        ];
        Some(Estimate {
            memory: memory / performance.bandwidth,
            cache: (self.bytes + self.again + self.cached + again + spilled) / performance.cache.bandwidth,
            near: self.lines / (f64::from(performance.multiprocessors) * performance.clock),
            atomics: self.atomics.sectors * performance.atomics.sector
                + self.atomics.values * performance.atomics.value
                + self.atomics.bytes / performance.bandwidth,
            arithmetic: units.into_iter().fold(0.0, f64::max),
            waiting: waves
                * (elements * self.waits.seconds(performance, self.threads)
                    + self.joining(performance, |join| join.each))
                + (blocks as f64 / f64::from(self.threads)).ceil() * self.joining(performance, |join| join.round)
                + self.joining(performance, |join| join.last),
            launching: launches * performance.launch,
            resident,
        })
    }

    fn joining(&self, performance: &Performance, which: impl Fn(&Join) -> Waits) -> f64 {
        self.join.map_or(0.0, |join| which(&join).seconds(performance, self.threads))
    }
}

/// Waves of a launch of `times` as many blocks as are resident. The last one is half empty on average.
fn waves(times: f64) -> f64 {
    if times > 1.0 { times + 0.5 * (1.0 - 1.0 / times) } else { 1.0 }
}

/// The share of data that an earlier launch has touched and the cache has lost, if a launch goes through `times` the cache's size: a cache
/// that replaces the oldest keeps nothing of what is twice its size.
fn lost(times: f64) -> f64 {
    (times - 1.0).clamp(0.0, 1.0)
}

/// The share of repeated loads that miss a cache, if blocks go through `times` its size.
fn missed(times: f64) -> f64 {
    if times > 1.0 { 1.0 - 1.0 / times } else { 0.0 }
}

impl Waits {
    fn seconds(&self, performance: &Performance, threads: u32) -> f64 {
        let latency = |of: f64| of + ADDRESSING / performance.clock;
        let warps = f64::from(threads.div_ceil(performance.limits.wave));
        let cycles = self.cycles + self.near * Cycles::NEAR + self.barriers * barrier(warps);
        self.memory * latency(performance.latency)
            + self.cache * latency(performance.cache.latency)
            + cycles / performance.clock
    }
}

/// A candidate must take less than this fraction of the best time so far: estimates are not more exact than that.
const CLEAR: f64 = 0.97;
/// Bytes of a thread's registers that may be in memory, if another alternative keeps all in registers.
const KEPT_OUT: u32 = 64;

/// The seconds of kernels that are launched one after the other, if the first takes these resources, and the others few. `None` if no
/// block of one of them fits.
pub fn seconds(works: &[Work], performance: &Performance, taken: Option<&Resources>) -> Option<f64> {
    let mut total = 0.0;
    for (n, work) in works.iter().enumerate() {
        total += work.estimate(performance, taken.filter(|_| n == 0))?.seconds();
    }
    Some(total)
}

/// The alternative that takes the least time on a GPU; `None` if no block of any of them fits. If there is a `usual`
/// one, it stays unless another is clearly better. Each is a list of kernels, of which the first runs the elements.
///
/// `taken` gives the resources of this first kernel of one alternative, by compiling it, which takes a second. So alternatives are ranked
/// by their lower bounds first and compiled in that order, as long as they could be clearly better than the best so far. For a loop
/// whose time is its traffic, only the usual one is compiled; for one whose time is its launches, none: registers
/// do not matter there. Alternatives whose registers spill are the last choice. Each launch counts as a call of the driver: launches that
/// do not repeat are no graph.
///
/// # Errors
/// Those of `taken`.
pub fn least<E>(
    works: &[&[Work]],
    usual: Option<usize>,
    performance: &Performance,
    mut taken: impl FnMut(usize) -> Result<Option<Resources>, E>,
) -> Result<Option<usize>, E> {
    let performance = &performance.with_single_launches();
    let bound = |works: &[Work]| Some((seconds(works, performance, None)?, launching(works, performance)));
    let mut ranked: Vec<(usize, (f64, f64))> =
        works.iter().enumerate().filter_map(|(n, works)| Some((n, bound(works)?))).collect();
    ranked.sort_by(|a, b| (usual != Some(a.0)).cmp(&(usual != Some(b.0))).then(a.1.0.total_cmp(&b.1.0)));
    let mut best: Option<(usize, bool, f64)> = None;
    for (n, (bound, launching)) in ranked {
        let clear = |spills: bool, seconds: f64| match best {
            Some((_, spilled, least)) => (!spills && spilled) || (spills == spilled && seconds < CLEAR * least),
            None => true,
        };
        if !clear(false, bound) {
            continue;
        }
        let taken = if launching > 0.5 * bound { None } else { taken(n)? };
        let spills = taken.is_some_and(|taken| taken.local > KEPT_OUT);
        let Some(seconds) = seconds(works[n], performance, taken.as_ref()) else { continue };
        if clear(spills, seconds) {
            best = Some((n, spills, seconds));
        }
    }
    Ok(best.map(|(n, ..)| n))
}

/// The seconds that launches take.
fn launching(works: &[Work], performance: &Performance) -> f64 {
    works.iter().map(|work| f64::from(work.launches) * performance.launch).sum()
}

impl Estimate {
    /// The bounds that overlap, with their names.
    pub fn bounds(&self) -> [(&'static str, f64); 6] {
        [
            ("memory", self.memory),
            ("cache", self.cache),
            ("near", self.near),
            ("atomics", self.atomics),
            ("arithmetic", self.arithmetic),
            ("waiting", self.waiting),
        ]
    }

    /// The name of the largest bound.
    pub fn binds(&self) -> &'static str {
        let launching = ("launches", self.launching);
        self.bounds().into_iter().fold(launching, |most, bound| if bound.1 > most.1 { bound } else { most }).0
    }

    /// All bounds together, in seconds.
    pub fn seconds(&self) -> f64 {
        let exponent = 3.0 - 2.0 / f64::from(self.resident.max(1));
        let bounds = self.bounds().map(|(_, seconds)| seconds);
        let largest = bounds.into_iter().fold(0.0, f64::max);
        if largest == 0.0 {
            return self.launching;
        }
        let sum: f64 = bounds.iter().map(|seconds| (seconds / largest).powf(exponent)).sum();
        self.launching + largest * sum.powf(1.0 / exponent)
    }
}

#[cfg(test)]
mod tests;
