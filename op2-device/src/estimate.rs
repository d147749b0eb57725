//! Estimates how long a kernel takes, from its work and the resources that the compiler reports.
//!
//! Three bounds, after the roofline model and Little's law:
//!
//! | bound | what |
//! | --- | --- |
//! | traffic | bytes divided by bandwidth; bytes that are likely to be in the cache cost [half](CACHED) |
//! | arithmetic | operations divided by rate |
//! | waiting | blocks go over the GPU in waves of as many as are resident; a wave takes as long as one block waits for memory, for loads that need each other's results one after the other |
//!
//! Blocks that share a multiprocessor fill each other's waits. The estimate is the largest bound, plus the part of the
//! others that does not overlap with it: all of them if only one block fits. If `r` blocks fit, each of which waits or works
//! at any moment, it is the part 2^(1-r), in which all do the same. Launches cost a constant each.
//!
//! The estimate ranks variants of one loop. Its constants have the order of magnitude published for GPUs since 2020 and are
//! not fitted to any of them; measurements take precedence.

use crate::performance::Performance;
use crate::resources::Resources;

/// The cost of a byte that is likely to be in the cache, relative to one from memory.
const CACHED: f64 = 0.5;
/// Seconds that a load from memory takes on a busy GPU, about twice the time on an idle one.
const LATENCY: f64 = 0.6e-6;
/// Seconds that a launch takes if the next one waits for its end.
const LAUNCH: f64 = 2.5e-6;
/// Bytes that a thread has in flight at once: a few loads of 16 bytes.
const UNDER_WAY: f64 = 64.0;

/// The work of a kernel over all its launches.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
#[cfg_attr(feature = "json", derive(serde::Serialize, serde::Deserialize))]
pub struct Work {
    /// Launches that wait for each other.
    pub launches: u32,
    /// Blocks of all launches.
    pub blocks: u64,
    /// Threads of a block.
    pub threads: u32,
    /// Bytes of dynamic shared memory of a block.
    pub shared: u32,
    /// Bytes that cross the memory bus.
    pub bytes: f64,
    /// Bytes that are likely to be in the cache.
    pub cached: f64,
    /// Operations on doubles.
    pub doubles: f64,
    /// Operations on floats.
    pub singles: f64,
    /// Loads that a block waits for, one after the other; see [`rounds`].
    pub waits: f64,
}

/// The bounds on a kernel's seconds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimate {
    /// Seconds that its bytes take.
    pub traffic: f64,
    /// Seconds that its operations take.
    pub arithmetic: f64,
    /// Seconds that its blocks wait.
    pub waiting: f64,
    /// Seconds that its launches take.
    pub launching: f64,
    /// Blocks on a multiprocessor.
    pub resident: u32,
}

/// Waits of a block whose threads load `bytes` bytes that do not depend on each other.
pub fn rounds(bytes: f64, threads: u32) -> f64 {
    (bytes / (f64::from(threads) * UNDER_WAY)).ceil()
}

impl Work {
    /// The same on a mesh that is `times` as large.
    pub fn scaled(&self, times: f64) -> Work {
        Work {
            blocks: (self.blocks as f64 * times).ceil() as u64,
            bytes: self.bytes * times,
            cached: self.cached * times,
            doubles: self.doubles * times,
            singles: self.singles * times,
            ..*self
        }
    }

    /// The bounds on a GPU if a kernel takes these resources; without them, lower bounds for any compiler's output.
    /// `None` if not even one block fits.
    pub fn estimate(&self, performance: &Performance, taken: Option<&Resources>) -> Option<Estimate> {
        let taken = taken.copied().unwrap_or_default();
        let resident = performance.limits.resident(&taken, self.threads, self.shared);
        if resident == 0 {
            return None;
        }
        // A spilled byte is written and read back.
        let spilled = 2.0 * f64::from(taken.local) * f64::from(self.threads) * self.blocks as f64;
        let at_once = f64::from(resident) * f64::from(performance.multiprocessors);
        // The last wave of each launch is half empty on average.
        let waves = (self.blocks as f64 / at_once + 0.5 * f64::from(self.launches)).max(f64::from(self.launches));
        Some(Estimate {
            traffic: (self.bytes + CACHED * (self.cached + spilled)) / performance.bandwidth,
            arithmetic: self.doubles / performance.doubles + self.singles / performance.singles,
            waiting: waves * self.waits * LATENCY,
            launching: f64::from(self.launches) * LAUNCH,
            resident,
        })
    }
}

/// A candidate must take less than this fraction of the best time so far: estimates are not more exact than that.
const CLEAR: f64 = 0.97;

/// The alternative that takes the least time on a GPU; `None` if no block of any of them fits. If there is a `usual`
/// one, it stays unless another is clearly better.
///
/// `taken` gives the resources of one alternative, by compiling it, which takes a second. So alternatives are ranked by
/// their lower bounds first and compiled in that order, as long as they could be clearly better than the best so far.
/// For a loop whose time is its traffic, only the usual one is compiled.
///
/// # Errors
/// Those of `taken`.
pub fn least<E>(
    works: &[Work],
    usual: Option<usize>,
    performance: &Performance,
    mut taken: impl FnMut(usize) -> Result<Option<Resources>, E>,
) -> Result<Option<usize>, E> {
    let mut ranked: Vec<(usize, f64)> = works
        .iter()
        .enumerate()
        .filter_map(|(n, work)| Some((n, work.estimate(performance, None)?.seconds())))
        .collect();
    ranked.sort_by(|a, b| (usual != Some(a.0)).cmp(&(usual != Some(b.0))).then(a.1.total_cmp(&b.1)));
    let mut best: Option<(usize, f64)> = None;
    for (n, bound) in ranked {
        let clear = |seconds: f64| best.is_none_or(|(_, least)| seconds < CLEAR * least);
        if !clear(bound) {
            continue;
        }
        let Some(estimate) = works[n].estimate(performance, taken(n)?.as_ref()) else { continue };
        if clear(estimate.seconds()) {
            best = Some((n, estimate.seconds()));
        }
    }
    Ok(best.map(|(n, _)| n))
}

impl Estimate {
    /// All bounds together, in seconds.
    pub fn seconds(&self) -> f64 {
        let bounds = [self.traffic, self.arithmetic, self.waiting];
        let (largest, sum) = (bounds.into_iter().fold(0.0, f64::max), bounds.iter().sum::<f64>());
        self.launching + largest + (sum - largest) * 0.5f64.powf(f64::from(self.resident) - 1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A loop over a million elements of 100 bytes in blocks of 128.
    const WORK: Work = Work {
        launches: 4,
        blocks: 8_000,
        threads: 128,
        shared: 10_000,
        bytes: 1e8,
        cached: 0.0,
        doubles: 1e8,
        singles: 0.0,
        waits: 2.0,
    };

    fn seconds(work: &Work, taken: Resources) -> f64 {
        work.estimate(&h200(), Some(&taken)).expect("a block fits").seconds()
    }

    fn h200() -> Performance {
        Performance::of("sm_90").expect("a known GPU")
    }

    const LIGHT: Resources = Resources { registers: 32, local: 0, shared: 0 };

    #[test]
    fn each_bound_counts() {
        let before = seconds(&WORK, LIGHT);
        let more: [Work; 5] = [
            Work { bytes: 2e8, ..WORK },
            Work { cached: 1e8, ..WORK },
            Work { doubles: 1e10, ..WORK },
            Work { waits: 40.0, ..WORK },
            Work { launches: 8, ..WORK },
        ];
        for work in more {
            assert!(seconds(&work, LIGHT) > 1.05 * before, "{work:?}");
        }
        let single = Work { doubles: 0.0, singles: 1e10, ..WORK };
        assert!(seconds(&single, LIGHT) < seconds(&Work { doubles: 1e10, ..WORK }, LIGHT));
    }

    #[test]
    fn what_takes_resources_is_slower() {
        let before = seconds(&WORK, LIGHT);
        assert!(seconds(&WORK, Resources { registers: 168, ..LIGHT }) > before, "fewer blocks are resident");
        assert!(seconds(&Work { shared: 60_000, ..WORK }, LIGHT) > before, "of shared memory, too");
        assert!(seconds(&WORK, Resources { local: 200, ..LIGHT }) > before, "spills are traffic");
        let free = WORK.estimate(&h200(), None).expect("a block fits").seconds();
        assert!(free <= before, "no compiler could do better");
    }

    #[test]
    fn what_does_not_fit_has_no_estimate() {
        assert_eq!(Work { shared: 228 * 1024, ..WORK }.estimate(&h200(), None), None);
        let heavy = Resources { registers: 255, ..LIGHT };
        assert_eq!(Work { threads: 512, ..WORK }.estimate(&h200(), Some(&heavy)), None);
    }

    /// With one resident block nothing overlaps; with many, only the largest bound counts.
    #[test]
    fn resident_blocks_fill_each_others_waits() {
        let bounds = Estimate { traffic: 3.0, arithmetic: 2.0, waiting: 1.0, launching: 0.5, resident: 1 };
        assert_eq!(bounds.seconds(), 6.5);
        assert_eq!(Estimate { resident: 2, ..bounds }.seconds(), 5.0);
        assert_eq!(Estimate { resident: 3, ..bounds }.seconds(), 4.25);
    }

    /// The choice, and the alternatives that were compiled for it.
    fn chosen(works: &[Work], usual: usize, registers: &[u32]) -> (Option<usize>, Vec<usize>) {
        let mut compiled = Vec::new();
        let taken = |n: usize| {
            compiled.push(n);
            Ok::<_, ()>(Some(Resources { registers: registers[n], ..LIGHT }))
        };
        let best = least(works, Some(usual), &h200(), taken).expect("it compiles");
        (best, compiled)
    }

    #[test]
    fn only_what_could_be_better_is_compiled() {
        let bytes = |bytes: f64| Work { bytes, doubles: 0.0, ..WORK };
        let works = [bytes(2e9), bytes(1.99e9), bytes(1e9), bytes(1.5e9), Work { shared: u32::MAX, ..bytes(1e8) }];
        assert_eq!(chosen(&works, 0, &[32; 5]), (Some(2), vec![0, 2]));
        // Its registers leave no room for a block.
        assert_eq!(chosen(&works, 0, &[32, 32, 10_000, 32, 32]), (Some(3), vec![0, 2, 3]));
        assert_eq!(chosen(&works, 2, &[32; 5]), (Some(2), vec![2]));
        assert_eq!(chosen(&works[..2], 0, &[32; 2]), (Some(0), vec![0]), "what is hardly better does not count");
        assert_eq!(chosen(&works, 4, &[32; 5]), (Some(2), vec![2]), "the usual one need not fit");
        assert_eq!(chosen(&works[4..], 0, &[32]), (None, vec![]));
    }

    #[test]
    fn loads_go_in_rounds() {
        assert_eq!([0.0, 1.0, 8192.0, 8193.0].map(|bytes| rounds(bytes, 128)), [0.0, 1.0, 1.0, 2.0]);
    }
}
