//! The performance of a GPU, for estimates.

use crate::occupancy::Limits;

/// The properties of a GPU that an estimate depends on.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Performance {
    /// Multiprocessors.
    pub multiprocessors: u32,
    /// Resources of each multiprocessor.
    pub limits: Limits,
    /// Bytes per second between the GPU and its memory.
    pub bandwidth: f64,
    /// Operations on doubles per second. An addition and a multiplication count separately, because op2 compiles its
    /// code without contraction.
    pub doubles: f64,
    /// Operations on floats per second.
    pub singles: f64,
}

impl Performance {
    /// The usual GPU of an architecture in computing: an A100 (SXM, 80 GB) for `sm_80`, an H200 (SXM) for `sm_90`, one of the two dies of an
    /// MI250X for `gfx90a`, an MI300X for `gfx942`, a Radeon RX 7900 XTX for `gfx1100`. The numbers are half of those in the data sheets,
    /// which count a fused multiply-add as two operations. `None` for other architectures.
    pub fn of(arch: &str) -> Option<Self> {
        let (multiprocessors, bandwidth, doubles, singles) = match arch {
            "sm_80" => (108, 2.04e12, 9.7e12 / 2.0, 19.5e12 / 2.0),
            "sm_90" => (132, 4.8e12, 34e12 / 2.0, 67e12 / 2.0),
            "gfx90a" => (110, 1.64e12, 23.9e12 / 2.0, 23.9e12 / 2.0),
            "gfx942" => (304, 5.3e12, 81.7e12 / 2.0, 163.4e12 / 2.0),
            "gfx1100" => (48, 0.96e12, 1.9e12 / 2.0, 61.4e12 / 2.0),
            _ => return None,
        };
        Some(Performance { multiprocessors, limits: Limits::of(arch)?, bandwidth, doubles, singles })
    }
}
