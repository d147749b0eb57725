//! The performance of GPUs, for estimates: all constants of the model, with their sources.
//!
//! | source | what |
//! | --- | --- |
//! | (d) | the vendors' data sheets and white papers: multiprocessors, clocks, peak rates, sizes of caches |
//! | (m) | our measurement of an H200 by the bench `gpu_constants`, `benches/results/2026-11-26-nvidia-h200.md` |
//! | (j) | Jia et al., Dissecting the NVIDIA Volta GPU architecture via microbenchmarking, arXiv 1804.06826: P100 and V100 |
//! | (a) | Abdelkhalik et al., Demystifying the NVIDIA Ampere architecture through microbenchmarking, arXiv 2208.11174: A100 |
//! | (g) | Gray, Getting started with CUDA graphs, NVIDIA Technical Blog 2019: on a V100, kernels of 2.9 µs follow each other every 3.4 µs |
//! | (s) | scaled from the H200: by the clock, or by slices of the level 2 cache and the clock |
//! | (h) | the H200's value, on AMD's GPUs: none of their latencies, caches and atomics was measured |
//!
//! Those of (j), (a) and (g) were written down from memory, and none of (s) and (h) was measured. `scripts/gpu-validate` measures every constant of
//! the GPU at hand and prints it beside the model's.

use crate::occupancy::Limits;
use crate::resources::Resources;

/// The properties of a GPU that an estimate depends on.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Performance {
    /// Multiprocessors.
    pub multiprocessors: u32,
    /// Resources of each multiprocessor.
    pub limits: Limits,
    /// Cycles per second.
    pub clock: f64,
    /// Bytes per second that a copy reads and writes.
    pub bandwidth: f64,
    /// Seconds from a load to its value in memory.
    pub latency: f64,
    /// The level 2 cache.
    pub cache: Cache,
    /// The cache of a multiprocessor.
    pub near: Near,
    /// Additions to memory, by all multiprocessors.
    pub atomics: Atomics,
    /// Operations on doubles per second. An addition and a multiplication count separately, because op2 compiles its
    /// code without contraction.
    pub doubles: f64,
    /// Operations on floats per second.
    pub singles: f64,
    /// Instructions of threads per second, of any kind.
    pub instructions: f64,
    /// Seconds from the end of one launch to the begin of the next, where a graph holds both.
    pub launch: f64,
}

/// A level 2 cache.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cache {
    /// Its size.
    pub bytes: f64,
    /// Bytes per second that it hands to multiprocessors.
    pub bandwidth: f64,
    /// Seconds from a load to its value.
    pub latency: f64,
}

/// The cache of a multiprocessor.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Near {
    /// Its bytes, with those of the shared memory if it is the same.
    pub bytes: u32,
    /// Whether shared memory is a part of it.
    pub is_shared: bool,
}

impl Near {
    /// Bytes that are left where blocks have `shared` bytes of shared memory.
    pub(crate) fn room(&self, shared: u32) -> f64 {
        f64::from(if self.is_shared { self.bytes.saturating_sub(shared) } else { self.bytes })
    }
}

/// Atomic additions, which the level 2 cache performs. An instruction of a warp costs for each sector of 32 bytes that it
/// touches, and for each value.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Atomics {
    /// Seconds for a sector.
    pub sector: f64,
    /// Seconds for a value of 8 bytes.
    pub value: f64,
}

impl Atomics {
    /// (m): 109.3 · 10⁹ values a second, one to a sector, and 275.1 · 10⁹, four to a sector.
    const OF_H200: Atomics = Atomics { sector: 7.36e-12, value: 1.79e-12 };

    const fn scaled(times: f64) -> Atomics {
        Atomics { sector: Self::OF_H200.sector * times, value: Self::OF_H200.value * times }
    }

    /// Values per second, by their number in each sector that an instruction touches.
    pub fn rate(&self, values: f64) -> f64 {
        values / (self.sector + values * self.value)
    }
}

/// Cycles of a barrier: (m) 17 for 2 warps, 21 for 4, 29 for 8, 45 for 16.
pub fn barrier(warps: f64) -> f64 {
    13.0 + 2.0 * warps
}

/// Cycles from an instruction to another one of its warp that needs its result, on NVIDIA's GPUs (a): the same from Volta (j) to Hopper
/// to within a few cycles.
pub struct Cycles;

impl Cycles {
    /// Whole numbers, conditions, moves, and floats.
    pub const SIMPLE: u32 = 5;
    /// Doubles, which begin every other cycle at most.
    pub const DOUBLE: u32 = 8;
    /// First approximations of quotients and roots, conversions.
    pub const SPECIAL: u32 = 20;
    /// Loads from shared memory and from constants, shuffles.
    pub const SHARED: u32 = 29;
    /// A load from the multiprocessor's own cache.
    pub const NEAR: f64 = 40.0;
}

/// Cycles from a load's value to the next load that needs it: address arithmetic, and warps that are ahead. (m): rounds of one load each take
/// 393 ns, where a chain of bare loads takes 334.
pub(crate) const ADDRESSING: f64 = 115.0;

/// The share of its peak bandwidth that a copy reaches: (m) 4251 of 4800 GB/s.
pub(crate) const COPIED: f64 = 0.886;
/// (g), twice the 0.5 µs there: the range is 0.5 to 1.5 µs.
const LAUNCH: f64 = 1.0e-6;
/// Seconds from one launch to the next if each is a call of the driver, (m): the clocks of host and device agree, so the host is the
/// slower one.
const SINGLE_LAUNCH: f64 = 3.07e-6;

/// NVIDIA's GPUs with published constants, and their architectures.
pub const KNOWN: [(&str, &str); 5] =
    [("P100", "sm_60"), ("V100", "sm_70"), ("A100", "sm_80"), ("H100", "sm_90"), ("H200", "sm_90")];

/// AMD's GPUs with data sheets, and their architectures. The first is one of the two dies of an MI250X.
const OF_AMD: [(&str, &str); 3] = [("MI250X", "gfx90a"), ("MI300X", "gfx942"), ("RX 7900 XTX", "gfx1100")];

/// All of them.
fn known() -> impl DoubleEndedIterator<Item = (&'static str, &'static str)> {
    KNOWN.into_iter().chain(OF_AMD)
}

impl Performance {
    /// The usual GPU of an architecture in computing: the last of [`KNOWN`], or AMD's. `None` for other architectures.
    pub fn of(arch: &str) -> Option<Self> {
        let arch = if arch.starts_with("sm_") { arch.trim_end_matches(['a', 'f']) } else { arch };
        let (name, _) = known().rev().find(|(_, of)| *of == arch)?;
        Performance::named(name)
    }

    /// A GPU by its name: one of [`KNOWN`], all with SXM sockets, or one of AMD's.
    pub fn named(name: &str) -> Option<Self> {
        // Multiprocessors and clock (d); bandwidth of a copy (j, m; else the peak's share that an H200 reaches); operations on doubles per
        // second, half of the data sheets', which count a contraction as two (d; m); latency of memory and size, bandwidth and latency of
        // the cache (j, a, m); seconds of atomics as multiples of an H200's, by slices of the cache and clocks (s). Of AMD's caches, the
        // last one counts, with its size (d). The last column has the kilobytes of a multiprocessor's own cache, and whether shared memory
        // is a part of it (d).
        let (_, arch) = known().find(|(known, _)| *known == name)?;
        let (multiprocessors, clock, bandwidth, doubles, latency, cache, atomics, near) = match name {
            "P100" => (56, 1.48e9, 5.10e11, 2.65e12, 4.1e-7, (4e6, 1.62e12, 1.76e-7), 4.0, (24, false)),
            "V100" => (80, 1.53e9, 7.50e11, 3.9e12, 3.1e-7, (6e6, 2.16e12, 1.4e-7), 1.94, (128, true)),
            "A100" => (108, 1.41e9, 2.039e12 * COPIED, 4.85e12, 3.7e-7, (40e6, 4.0e12, 1.6e-7), 1.68, (192, true)),
            "H100" => (132, 1.98e9, 3.35e12 * COPIED, 17e12, 3.336e-7, (50e6, 5.5e12, 1.89e-7), 1.0, (256, true)),
            "H200" => (132, 1.98e9, 4.251e12, 16.37e12, 3.336e-7, (50e6, 5.5e12, 1.89e-7), 1.0, (256, true)),
            "MI250X" => (110, 1.7e9, 1.638e12 * COPIED, 11.95e12, 3.336e-7, (8e6, 5.5e12, 1.89e-7), 1.0, (16, false)),
            "MI300X" => (304, 2.1e9, 5.3e12 * COPIED, 40.9e12, 3.336e-7, (256e6, 5.5e12, 1.89e-7), 1.0, (32, false)),
            "RX 7900 XTX" => {
                (48, 2.5e9, 0.96e12 * COPIED, 0.96e12, 3.336e-7, (96e6, 5.5e12, 1.89e-7), 1.0, (64, false))
            }
            _ => return None,
        };
        let limits = Limits::of(arch)?;
        let lanes = f64::from(multiprocessors) * clock;
        Some(Performance {
            multiprocessors,
            limits,
            clock,
            bandwidth,
            latency,
            cache: Cache { bytes: cache.0, bandwidth: cache.1, latency: cache.2 },
            near: Near { bytes: near.0 * 1024, is_shared: near.1 },
            atomics: Atomics::scaled(atomics),
            doubles,
            singles: lanes * f64::from(limits.singles),
            instructions: lanes * f64::from(limits.issued),
            launch: LAUNCH,
        })
    }

    /// Blocks of `threads` threads and `dynamic` bytes of shared memory that it holds at once.
    pub fn resident(&self, taken: &Resources, threads: u32, dynamic: u32) -> u64 {
        u64::from(self.limits.resident(taken, threads, dynamic)) * u64::from(self.multiprocessors)
    }

    /// The same GPU if each launch is a call of the driver.
    pub fn with_single_launches(self) -> Self {
        Performance { launch: SINGLE_LAUNCH, ..self }
    }

    /// A GPU of which the driver tells clocks and widths; the rest is that of the usual GPU of its architecture, or of an H200, at
    /// this clock.
    #[cfg(feature = "cuda")]
    pub(crate) fn measured(
        arch: &str,
        limits: Limits,
        multiprocessors: u32,
        clock: f64,
        peak_bandwidth: f64,
        doubles_per_single: f64,
    ) -> Self {
        let usual = Performance::of(arch).or_else(|| Performance::named("H200")).expect("it is known");
        let lanes = f64::from(multiprocessors) * clock;
        let singles = lanes * f64::from(limits.singles);
        Performance {
            multiprocessors,
            limits,
            clock,
            bandwidth: peak_bandwidth * COPIED,
            doubles: singles * doubles_per_single,
            singles,
            instructions: lanes * f64::from(limits.issued),
            ..usual
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gpus_are_known_by_name_and_architecture() {
        for (name, arch) in KNOWN {
            let gpu = Performance::named(name).expect("a known GPU");
            assert!(gpu.latency > gpu.cache.latency && gpu.cache.bandwidth > gpu.bandwidth, "{name}");
            assert_eq!(Limits::of(arch), Some(gpu.limits));
            assert!(gpu.singles >= 1.5 * gpu.doubles && gpu.instructions >= gpu.singles, "{name}");
        }
        // An instruction of AMD's does several operations on floats.
        for ((name, arch), singles) in OF_AMD.into_iter().zip([23.9e12, 163.4e12, 61.4e12]) {
            let gpu = Performance::named(name).expect("a known GPU");
            assert_eq!((Performance::of(arch), Limits::of(arch)), (Some(gpu), Some(gpu.limits)));
            assert!(
                (gpu.singles / (singles / 2.0) - 1.0).abs() < 0.01,
                "{name}: the data sheet counts contractions as two"
            );
            assert!(gpu.cache.bandwidth > gpu.bandwidth && gpu.singles >= gpu.doubles, "{name}");
        }
        assert_eq!(Performance::of("sm_90a"), Performance::named("H200"));
        assert_eq!((Performance::of("sm_999"), Performance::named("H300")), (None, None));
    }

    /// The measured rates of additions.
    #[test]
    fn additions_cost_by_sector_and_value() {
        let atomics = Performance::named("H200").expect("a known GPU").atomics;
        let rates = [1.0, 4.0].map(|values| atomics.rate(values) / 1e9);
        assert!((rates[0] - 109.3).abs() < 1.0 && (rates[1] - 275.1).abs() < 1.0, "{rates:?}");
    }

    #[test]
    fn barriers_cost_what_was_measured() {
        assert_eq!([2.0, 4.0, 8.0, 16.0].map(barrier), [17.0, 21.0, 29.0, 45.0]);
    }
}
