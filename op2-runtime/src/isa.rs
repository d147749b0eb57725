//! The instruction sets.

use fearless_simd::Level;
use std::fmt;
use std::str::FromStr;

/// The instructions that a loop uses, narrowest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Isa {
    /// One element at a time, by the function as the user wrote it.
    Scalar,
    /// The vectors that every processor of the compilation target has: SSE2 on x86-64, Neon on AArch64.
    Baseline,
    /// AVX2 with FMA, of x86-64-v3: 256 bits.
    Avx2,
    /// AVX-512 as of Ice Lake: 512 bits, or 256 for kernels whose scalars exceed the registers.
    Avx512,
}

/// No instruction set has this name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("expected `scalar`, `baseline`, `avx2` or `avx512`, found `{0}`")]
pub struct NoIsa(String);

/// Scalars of an element up to which AVX-512 uses vectors of 512 bits; beyond, it uses 256. The limit is twice the
/// number of registers: values that do not fit are spilled, and some processors store only 256 bits at once.
///
/// Measured on one core of an AMD EPYC (Zen 4), 2026-11-22, time by 256 bits over that by 512: hydra's `edgecon` (69 scalars) 0.85, `accu`
/// (86) 0.88, `vflux` (105) 0.81, but `iflux` (45) 1.17; airfoil's `update` (13) 1.11, `res_calc` (22) 1.00. Kernels of `f32` alone were not measured.
pub(crate) const WIDE: usize = 64;

impl Isa {
    const ALL: [Isa; 4] = [Isa::Scalar, Isa::Baseline, Isa::Avx2, Isa::Avx512];

    /// The widest one that this processor has.
    pub fn best() -> Isa {
        let level = Level::new();
        #[cfg(target_arch = "x86_64")]
        {
            if level.as_avx512().is_some() {
                return Isa::Avx512;
            }
            if level.as_avx2().is_some() {
                return Isa::Avx2;
            }
        }
        let _ = level;
        Isa::Baseline
    }

    /// All that this processor has, from [`Isa::Scalar`] to the widest.
    pub fn available() -> Vec<Isa> {
        let best = Isa::best();
        Isa::ALL.into_iter().filter(|&isa| isa <= best).collect()
    }

    /// The number of elements computed at once, for a kernel whose widest float has `bytes_of_widest_float` bytes and
    /// whose elements reach `scalars` scalars.
    ///
    /// With `f64`: 4 by the baseline and AVX2, 8 by AVX-512. Without: twice as many. By AVX-512 half as many where an
    /// element reaches more than 64 scalars.
    pub fn lanes(self, bytes_of_widest_float: usize, scalars: usize) -> usize {
        let doubles = match self {
            Isa::Scalar => return 1,
            Isa::Avx512 if scalars <= WIDE => 8,
            Isa::Baseline | Isa::Avx2 | Isa::Avx512 => 4,
        };
        if bytes_of_widest_float <= 4 { 2 * doubles } else { doubles }
    }

    /// Bytes of a register for vectors; 1 stands for no vectors.
    pub(crate) fn vector_bytes(self) -> usize {
        match self {
            Isa::Scalar => 1,
            Isa::Baseline => 16,
            Isa::Avx2 => 32,
            Isa::Avx512 => 64,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Isa::Scalar => "scalar",
            Isa::Baseline => "baseline",
            Isa::Avx2 => "avx2",
            Isa::Avx512 => "avx512",
        }
    }
}

impl fmt::Display for Isa {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Isa {
    type Err = NoIsa;

    fn from_str(text: &str) -> Result<Isa, NoIsa> {
        Isa::ALL.into_iter().find(|isa| isa.name() == text).ok_or_else(|| NoIsa(text.to_owned()))
    }
}
