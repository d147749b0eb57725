//! What a GPU can do in a second, for estimates.

use crate::occupancy::Limits;

/// What an estimate must know of a GPU.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Figures {
    /// Multiprocessors.
    pub multiprocessors: u32,
    /// What each of them has.
    pub limits: Limits,
    /// Bytes per second between the GPU and its memory.
    pub bandwidth: f64,
    /// Operations on doubles per second: an addition or a multiplication each, for the code that op2 generates is compiled
    /// without contraction of the two.
    pub doubles: f64,
    /// Operations on floats per second.
    pub singles: f64,
}

impl Figures {
    /// The GPU of an architecture that people compute with: an A100 (SXM, 80 GB) for `sm_80`, an H200 (SXM) for `sm_90`, after
    /// their data sheets, which count an addition and a multiplication in one where here it is one of the two. None if no
    /// such GPU is known here.
    pub fn of(arch: &str) -> Option<Self> {
        let (multiprocessors, bandwidth, doubles, singles) = match arch {
            "sm_80" => (108, 2.04e12, 9.7e12 / 2.0, 19.5e12 / 2.0),
            "sm_90" => (132, 4.8e12, 34e12 / 2.0, 67e12 / 2.0),
            _ => return None,
        };
        Some(Figures { multiprocessors, limits: Limits::of(arch)?, bandwidth, doubles, singles })
    }
}
