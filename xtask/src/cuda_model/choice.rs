//! The variant that a GPU runs, and the estimates of all.

use super::{Gpu, Row};
use crate::apps::{Sample, VariantDump};
use crate::sass::{Account, Section};
use op2_device::cuda::nvrtc::Report;
use op2_device::{Estimate, LINE, Resources, Sums, Trips, Waits, Work};

/// The share of warps that go through a loop which copies what first loads left: blocks reach few rows more than they have threads.
const COPIES: f64 = 0.25;

/// The threads of a warp of NVIDIA's GPUs.
const WARP: f64 = 32.0;
/// Contributions to the target of a warp that has most of them, over the mean, where sums leave the block: its border targets get fewer than
/// those inside.
const MOST: f64 = 1.4;

/// NVIDIA's code of one form of a loop, for blocks of `threads` threads.
pub(super) struct Compiled {
    /// The number of the loop.
    pub(super) of: usize,
    pub(super) stages: usize,
    pub(super) reads: String,
    pub(super) arch: &'static str,
    pub(super) threads: u32,
    pub(super) reports: Vec<Report>,
    pub(super) accounts: Vec<Account>,
}

/// The architecture whose registers stand for those of another one that NVRTC does not know.
pub(super) fn compiled_for(arch: &'static str) -> &'static str {
    if matches!(arch, "sm_60" | "sm_70") { "sm_75" } else { arch }
}

/// The size of blocks for which a kernel is compiled. Registers depend on sizes only as far as these leave less room for them.
pub(super) fn compiled_as(work: &Work) -> u32 {
    work.threads.next_power_of_two().clamp(256, 1024)
}

/// A variant with its work on a mesh of the wanted size, and what the compiler reports.
struct Known<'a> {
    variant: &'a VariantDump,
    works: Vec<Work>,
    resources: Resources,
    reported: bool,
}

/// Rows of all variants of loop `of` on a mesh of `elements` elements.
pub(super) fn rows(gpu: &Gpu, sample: &Sample, of: usize, elements: f64, compiled: &[Compiled]) -> Vec<Row> {
    let dump = &sample.loops[of];
    let (times, dimensions) = (sample.times(dump, elements), sample.dimensions);
    let known = |variant| known(gpu, of, variant, (times, dimensions), compiled);
    let all: Vec<Known<'_>> = dump.variants.iter().map(known).collect();
    let best = best(gpu, &all);
    let row = |(n, Known { variant, works, resources, reported }): (usize, &Known<'_>)| {
        let first = |k: usize| (k == 0).then_some(resources);
        let estimates = works.iter().enumerate().map(|(k, work)| work.estimate(&gpu.performance, first(k)));
        let estimates: Vec<Estimate> = estimates.collect::<Option<_>>()?;
        let micro = |of: &dyn Fn(&Estimate) -> f64| 1e6 * estimates.iter().map(of).sum::<f64>();
        let mut bounds: Vec<(&'static str, f64)> =
            estimates[0].bounds().iter().enumerate().map(|(b, of)| (of.0, micro(&|e| e.bounds()[b].1))).collect();
        bounds.push(("launches", micro(&|e| e.launching)));
        let most = |a: (&'static str, f64), b: &(&'static str, f64)| if b.1 > a.1 { *b } else { a };
        Some(Row {
            gpu: gpu.name,
            from: format!("{}, {} thousand", sample.from, (elements / 1e3).round()),
            kernel: dump.kernel.clone(),
            variant: if variant.scheme.is_empty() { "all at once".to_owned() } else { variant.scheme.clone() },
            chosen: best == Some(n),
            calls: sample.calls[of],
            launches: works.iter().map(|work| work.launches).sum(),
            registers: resources.registers,
            reported: *reported,
            spilled: resources.local,
            resident: estimates[0].resident,
            floor: 1e6 * dump.useful_bytes as f64 * times / gpu.performance.bandwidth,
            estimate: micro(&Estimate::seconds),
            binds: bounds.iter().fold(("", 0.0), most).0,
            bounds: bounds.into_iter().collect(),
        })
    };
    all.iter().enumerate().filter_map(row).collect()
}

fn known<'a>(
    gpu: &Gpu,
    of: usize,
    variant: &'a VariantDump,
    (times, dimensions): (f64, i32),
    compiled: &[Compiled],
) -> Known<'a> {
    let mut works = variant.works_on(times, dimensions);
    let (arch, threads) = (compiled_for(gpu.arch), compiled_as(&works[0]));
    let same = |c: &&Compiled| {
        (c.of, c.stages, &*c.reads, c.arch, c.threads) == (of, variant.stages, &*variant.reads, arch, threads)
    };
    let found = compiled.iter().find(same);
    let report = found.and_then(|c| c.reports.iter().find(|report| report.kernel == variant.function));
    let guessed = Resources { registers: variant.guessed_registers, ..Resources::default() };
    let resources = report.map_or(guessed, Report::resources);
    if let Some(account) = found.and_then(|c| c.accounts.iter().find(|account| account.kernel == variant.function)) {
        let Work { threads, shared, .. } = works[0];
        let at_once = gpu.performance.resident(&resources, threads, shared);
        works[0] = counted(&works[0], account, at_once, variant.far(times, dimensions));
    }
    Known { variant, works, resources, reported: report.is_some() }
}

/// The variant that the run time chooses.
fn best(gpu: &Gpu, all: &[Known<'_>]) -> Option<usize> {
    let repeatable: Vec<usize> = (0..all.len()).filter(|&n| all[n].variant.deterministic).collect();
    let works: Vec<&[Work]> = repeatable.iter().map(|&n| &all[n].works[..]).collect();
    let usual = repeatable.iter().position(|&n| all[n].variant.usual);
    let taken = |n: usize| Ok::<_, std::convert::Infallible>(Some(all[repeatable[n]].resources));
    let Ok(best) = op2_device::least(&works, usual, &gpu.performance, taken);
    best.map(|n| repeatable[n])
}

/// The work with the instructions of the machine code, and the cycles that they take one after the other, in place of guesses, on a GPU
/// that holds `at_once` blocks, of which the share `far` is far. Turns are taken as often as the work says; a loop over elements goes once
/// for each of a thread. Code that joins partial results is the last block's, and blocks that hand nothing over end before that begins.
fn counted(work: &Work, account: &Account, at_once: u64, far: f64) -> Work {
    let (blocks, elements) = work.spread(at_once);
    let straight: u32 =
        account.sections.iter().filter(|section| !section.turns).map(|section| section.pipes.barriers).sum();
    let turns = (work.waits.barriers - f64::from(straight)).max(1.0);
    let joins = work.join.map_or(f64::INFINITY, |join| work.waits.barriers + join.each.barriers);
    let sums = if work.sums == Sums::default() { Vec::new() } else { sums(account) };
    let ends = if work.sums.handed > 0.0 { None } else { before_handing_over(account, &sums) };
    let left = |section: &Section| {
        section.depth == 0 && ends.is_some_and(|of| of.phase == section.phase && of.exits < section.exits)
    };
    let (mut doubles, mut singles, mut all, mut cycles, mut moved) = (0.0, 0.0, 0.0, 0.0, 0.0);
    for section in account.sections.iter().filter(|section| (section.phase as f64) < joins) {
        let sum = sums.iter().find(|sum| sum.nest == section.nest);
        // A thread's, on average, and those of the warp that takes longest: until it is done, the block stays.
        let (times, longest) = match (section, sum) {
            (section, _) if section.turns => (turns, turns),
            (section, _) if left(section) => (0.0, 0.0),
            (section, _) if section.depth == 0 => (1.0, 1.0),
            (section, _) if work.strides && section.phase == 0 => (elements, elements),
            _ if work.trips != Trips::default() => (work.trips.wave, work.trips.longest),
            (section, Some(sum)) => sum.trips(work, section.depth),
            (section, None) if section.copies() => (COPIES, 1.0),
            _ => (1.0, 1.0),
        };
        let (times, longest) = if section.far { (far * times, far * longest) } else { (times, longest) };
        doubles += times * f64::from(section.pipes.doubles);
        singles += times * f64::from(section.pipes.singles);
        all += times * f64::from(section.pipes.all());
        cycles += longest * f64::from(section.cycles);
        let Section { loads, stores, atomics, copies, shared, .. } = section;
        // A copy comes from the cache, and goes to shared memory.
        let bytes = loads.bytes + stores.bytes + atomics.bytes + 2 * copies.bytes + shared.bytes;
        moved += times * f64::from(bytes);
    }
    // The wait for a wave counts once for each element of a thread.
    let waits = Waits { cycles: cycles / elements, ..work.waits };
    let threads = blocks as f64 * f64::from(work.threads);
    Work {
        doubles: threads * doubles,
        singles: threads * singles,
        others: threads * (all - doubles - singles),
        waits,
        lines: threads * moved / LINE,
        ..*work
    }
}

/// Loops in each other that sum contributions.
struct Nest {
    nest: usize,
    deepest: usize,
    /// Whether the sums leave the block.
    hands_over: bool,
}

/// The nests that sum contributions. Loops over contributions are in loops over targets, and read shared memory; those of kernels lie before a
/// barrier. Of two nests between two barriers the first one adds to the block's own targets, and the second one hands over the rest.
fn sums(account: &Account) -> Vec<Nest> {
    let mut found: Vec<(usize, Nest)> = Vec::new();
    for section in
        account.sections.iter().filter(|section| section.depth > 1 && section.shared.instructions > 0 && !section.far)
    {
        match found.iter_mut().find(|(_, of)| of.nest == section.nest) {
            Some((_, of)) => of.deepest = of.deepest.max(section.depth),
            None => {
                let hands_over = found.iter().any(|(phase, _)| *phase == section.phase);
                found.push((section.phase, Nest { nest: section.nest, deepest: section.depth, hands_over }));
            }
        }
    }
    found.into_iter().map(|(_, of)| of).collect()
}

/// The code that a block runs before it ends if it hands nothing over: the first behind the sums of its own targets.
fn before_handing_over<'a>(account: &'a Account, sums: &[Nest]) -> Option<&'a Section> {
    let handing =
        account.sections.iter().position(|section| sums.iter().any(|of| of.hands_over && of.nest == section.nest))?;
    account.sections[..handing].iter().rev().take_while(|section| section.depth == 0).last()
}

impl Nest {
    /// How often a thread goes through a loop over targets, batches of their words, or contributions to them, on average and in the warp that
    /// takes longest. The threads of a warp go on together, until the one with most to do has done it.
    fn trips(&self, work: &Work, depth: usize) -> (f64, f64) {
        let Sums { targets, handed, batches, each, longest } = work.sums;
        // A warp takes part as a whole; half of the last one has nothing to do on average.
        let whole = |of: f64| if of > 0.0 { of + 0.5 * WARP / f64::from(work.threads) } else { 0.0 };
        let (targets, longest) = if self.hands_over { (handed, each * MOST) } else { (targets, longest) };
        let of_target = match (depth, self.deepest) {
            (1, _) => 1.0,
            (2, 2) => longest,
            (2, _) => batches,
            _ => batches * longest,
        };
        (whole(targets) * of_target, targets.ceil() * of_target)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use op2_device::Join;

    #[test]
    fn instructions_count_as_often_as_they_run() {
        let section = |phase, depth, turns, doubles, barriers| {
            let mut section = Section { phase, depth, turns, ..Section::default() };
            (section.pipes.doubles, section.pipes.barriers) = (doubles, barriers);
            section
        };
        let account = |sections| Account { kernel: "k".to_owned(), sections };
        let waits = Waits { barriers: 5.0, ..Waits::default() };
        let work = Work { launches: 1, blocks: 10, threads: 100, waits, ..Work::default() };
        let mut copy = section(0, 1, false, 0, 0);
        (copy.loads.instructions, copy.pipes.memory) = (1, 4);
        let staged =
            account(vec![copy, section(0, 0, false, 2, 1), section(1, 1, true, 10, 1), section(1, 1, false, 3, 0)]);
        let found = counted(&work, &staged, 1000, 0.0);
        assert_eq!(found.doubles, 1000.0 * (2.0 + 4.0 * 10.0 + 3.0));
        assert_eq!(found.others, 1000.0 * (0.25 * 4.0 + 1.0 + 4.0));
        // 12 blocks of a loop that reduces go in two rounds of 6 where 10 are resident; behind three barriers one block joins.
        let each = Waits { barriers: 3.0, ..Waits::default() };
        let reduces = Work {
            blocks: 12,
            strides: true,
            waits: Waits::default(),
            join: Some(Join { each, ..Join::default() }),
            ..work
        };
        let sections = vec![section(0, 1, false, 2, 0), section(0, 0, false, 1, 3), section(3, 0, false, 50, 0)];
        assert_eq!(counted(&reduces, &account(sections), 10, 0.0).doubles, 600.0 * (2.0 * 2.0 + 1.0));
        // Half of the threads have a target, which has two batches of words and three contributions, at most four. No word leaves the block.
        let sums = Sums { targets: 0.34, handed: 0.0, batches: 2.0, each: 3.0, longest: 4.0 };
        let in_nest = |nest, depth, doubles| Section { nest, ..section(1, depth, false, doubles, 0) };
        let mut sections =
            vec![in_nest(1, 1, 1), in_nest(1, 2, 10), in_nest(1, 3, 100), in_nest(2, 1, 1), in_nest(2, 2, 10)];
        sections[2].shared.instructions = 1;
        sections[4].shared.instructions = 1;
        sections.push(section(0, 1, false, 7, 0));
        (sections[5].loads.bytes, sections[5].copies.bytes, sections[5].cycles) = (32, 48, 11);
        // The threads that have a target are those of some warps: for these it takes all of its time.
        sections[0].cycles = 20;
        // Blocks end between the two nests, before code that only those run that hand something over.
        let between = |exits, doubles| Section { exits, ..section(1, 0, false, doubles, 0) };
        sections.splice(3..3, [between(0, 5), between(1, 500)]);
        // A quarter of the blocks is far: once for each target, and once for each element.
        sections.push(Section { far: true, ..in_nest(1, 1, 4000) });
        sections.push(Section { far: true, ..section(0, 0, false, 8000, 0) });
        let account = account(sections);
        let found = counted(&Work { sums, ..work }, &account, 1000, 0.25);
        let expected =
            1000.0 * (0.5 * (1.0 + 2.0 * 10.0 + 2.0 * 4.0 * 100.0) + 5.0 + 7.0 + 0.25 * (0.5 * 4000.0 + 8000.0));
        assert!((found.doubles - expected).abs() < 1e-6, "{found:?}");
        // Nor has the block targets of its own, and each thread hands over a word.
        let others = Sums { targets: 0.0, handed: 0.84, ..sums };
        let handed = counted(&Work { sums: others, ..work }, &account, 1000, 0.0).doubles;
        assert!((handed - 1000.0 * (5.0 + 500.0 + 1.0 + 3.0 * 1.4 * 10.0 + 7.0)).abs() < 1e-6, "{handed}");
        assert_eq!(found.lines, 1000.0, "a thread moves a line, and copies move twice");
        assert_eq!(found.waits.cycles, 20.0 + 11.0, "the block stays until its slowest warp is done");
    }
}
