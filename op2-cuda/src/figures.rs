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
    /// An H200 (SXM): 132 multiprocessors, 4.8 TB/s, 34 and 67 Tflop/s with contraction, after its data sheet.
    pub const H200: Self = Figures {
        multiprocessors: 132,
        limits: Limits { warps: 64, blocks: 32, shared: 228 * 1024, reserved: 1024, piece: 128, singles: 128 },
        bandwidth: 4.8e12,
        doubles: 17e12,
        singles: 33.5e12,
    };

    /// An A100 (SXM, 80 GB): 108 multiprocessors, 2.04 TB/s, 9.7 and 19.5 Tflop/s with contraction, after its data sheet.
    pub const A100: Self = Figures {
        multiprocessors: 108,
        limits: Limits { warps: 64, blocks: 32, shared: 164 * 1024, reserved: 1024, piece: 128, singles: 64 },
        bandwidth: 2.04e12,
        doubles: 4.85e12,
        singles: 9.75e12,
    };

    /// A GPU of an architecture (`sm_90`) that people compute with; none if no such GPU is known here.
    pub fn of(arch: &str) -> Option<Self> {
        match arch {
            "sm_80" => Some(Self::A100),
            "sm_90" => Some(Self::H200),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_those_of_the_architecture() {
        for arch in ["sm_80", "sm_90"] {
            assert_eq!(Figures::of(arch).map(|f| f.limits), Limits::of(arch));
        }
        assert_eq!(Figures::of("sm_86"), None);
    }
}
