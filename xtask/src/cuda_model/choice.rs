//! The variant that a GPU runs, and the estimates of all.

use super::{Gpu, Row};
use crate::apps::{LoopDump, Sample, VariantDump};
use crate::sass::Account;
use op2_device::cuda::nvrtc::Report;
use op2_device::{Estimate, Resources, Work};

/// Trips of an innermost loop without barriers, on average: threads share out one or two times as many loads as they are.
const TRIPS: f64 = 1.5;

/// NVIDIA's code of one form of a loop, for blocks of `threads` threads.
pub(super) struct Compiled {
    /// The number of the loop.
    pub(super) of: usize,
    pub(super) stages: usize,
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
    let times = sample.times(dump, elements);
    let all: Vec<Known<'_>> =
        dump.variants.iter().map(|variant| known(gpu, of, dump, variant, times, compiled)).collect();
    let best = best(gpu, dump, &all);
    let row = |(n, Known { variant, works, resources, reported }): (usize, &Known<'_>)| {
        let first = |k: usize| (k == 0).then_some(resources);
        let estimates = works.iter().enumerate().map(|(k, work)| work.estimate(&gpu.performance, first(k)));
        let estimates: Vec<Estimate> = estimates.collect::<Option<_>>()?;
        let micro = |of: &dyn Fn(&Estimate) -> f64| 1e6 * estimates.iter().map(of).sum::<f64>();
        let mut bounds: Vec<(&'static str, f64)> =
            (0..5).map(|b| (estimates[0].bounds()[b].0, micro(&|e| e.bounds()[b].1))).collect();
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
    dump: &LoopDump,
    variant: &'a VariantDump,
    times: f64,
    compiled: &[Compiled],
) -> Known<'a> {
    let mut works: Vec<Work> = variant.works.iter().map(|work| work.scaled(times)).collect();
    let (arch, threads) = (compiled_for(gpu.arch), compiled_as(&works[0]));
    let same = |c: &&Compiled| (c.of, c.stages, c.arch, c.threads) == (of, variant.stages, arch, threads);
    let found = compiled.iter().find(same);
    let report = found.and_then(|c| c.reports.iter().find(|report| report.kernel == variant.function));
    let guessed = Resources { registers: variant.guessed_registers, ..Resources::default() };
    if let Some(account) = found.and_then(|c| c.accounts.iter().find(|account| account.kernel == variant.function)) {
        works[0] = counted(&works[0], account, dump.elements as f64 * times);
    }
    Known { variant, works, resources: report.map_or(guessed, Report::resources), reported: report.is_some() }
}

/// The variant that the run time chooses.
fn best(gpu: &Gpu, dump: &LoopDump, all: &[Known<'_>]) -> Option<usize> {
    let repeatable: Vec<usize> = (0..all.len()).filter(|&n| all[n].variant.deterministic).collect();
    let works: Vec<&[Work]> = repeatable.iter().map(|&n| &all[n].works[..]).collect();
    let is_usual = |v: &VariantDump| (v.stages, v.resolution.as_str(), v.size) == (0, "blocks", dump.usual);
    let usual = repeatable.iter().position(|&n| is_usual(all[n].variant));
    let taken = |n: usize| Ok::<_, std::convert::Infallible>(Some(all[repeatable[n]].resources));
    let Ok(best) = op2_device::least(&works, usual, &gpu.performance, taken);
    best.map(|n| repeatable[n])
}

/// The work with the instructions of the machine code in place of guesses. Turns are taken as often as the work says; a kernel
/// without barriers goes through its elements in a loop.
fn counted(work: &Work, account: &Account, elements: f64) -> Work {
    let threads = work.blocks as f64 * f64::from(work.threads);
    let straight: u32 =
        account.sections.iter().filter(|section| !section.turns).map(|section| section.pipes.barriers).sum();
    let staged = account.sections.iter().any(|section| section.phase > 0);
    let trips = match staged {
        true => TRIPS,
        false => (elements / threads).max(1.0),
    };
    let turns = (work.waits.barriers - f64::from(straight)).max(1.0);
    let (mut doubles, mut singles, mut all) = (0.0, 0.0, 0.0);
    for section in &account.sections {
        let times = match (section.depth, section.turns) {
            (0, _) => 1.0,
            (_, true) => turns,
            (_, false) => trips,
        };
        doubles += times * f64::from(section.pipes.doubles);
        singles += times * f64::from(section.pipes.singles);
        all += times * f64::from(section.pipes.all());
    }
    Work {
        doubles: threads * doubles,
        singles: threads * singles,
        others: threads * (all - doubles - singles),
        ..*work
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sass::Section;
    use op2_device::Waits;

    #[test]
    fn instructions_count_as_often_as_they_run() {
        let section = |phase, depth, turns, doubles, barriers| {
            let mut section = Section { phase, depth, turns, ..Section::default() };
            (section.pipes.doubles, section.pipes.barriers) = (doubles, barriers);
            section
        };
        let account = |sections| Account { kernel: "k".to_owned(), sections };
        let waits = Waits { barriers: 5.0, ..Waits::default() };
        let work = Work { blocks: 10, threads: 100, waits, ..Work::default() };
        let staged = account(vec![section(0, 1, false, 2, 0), section(0, 0, false, 0, 1), section(1, 1, true, 10, 1)]);
        let found = counted(&work, &staged, 1000.0);
        assert_eq!(found.doubles, 1000.0 * (1.5 * 2.0 + 4.0 * 10.0));
        assert_eq!(found.others, 1000.0 * (1.0 + 4.0));
        let plain = account(vec![section(0, 1, false, 2, 0)]);
        assert_eq!(counted(&work, &plain, 3000.0).doubles, 6000.0);
    }
}
