//! Computes how many threads fit on a multiprocessor.

use crate::resources::Resources;

/// Resources of a multiprocessor. Those of NVIDIA are from the tables in its programming guide ("technical specifications per compute
/// capability"), those of AMD's compute units from LLVM's description of them (`AMDGPUBaseInfo.cpp`, `GCNSubtarget`) and AMD's documents
/// of their instruction sets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Threads of a warp, which AMD calls a wave.
    pub wave: u32,
    /// Most warps at once.
    pub warps: u32,
    /// Most blocks at once.
    pub blocks: u32,
    /// Whether blocks of one warp do not count among them, since they take no barrier.
    pub single_free: bool,
    /// Registers.
    pub registers: u32,
    /// Registers are allocated to warps in pieces of this many.
    pub register_piece: u32,
    /// Bytes of shared memory.
    pub shared: u32,
    /// Bytes of shared memory that the system reserves for every block.
    pub reserved: u32,
    /// Shared memory is allocated in pieces of this many bytes.
    pub piece: u32,
    /// Operations on floats in a cycle.
    pub singles: u32,
}

/// Registers of NVIDIA's multiprocessors, and also the most that one block may have.
const REGISTERS: u32 = 65536;
/// A multiprocessor has four parts; the registers of a warp are in one of them.
const PARTS: u32 = 4;
/// Most threads of a block.
const THREADS: u32 = 1024;

impl Limits {
    /// The limits of an architecture such as `sm_90` or `gfx942`; `None` if it is not in the table.
    pub fn of(arch: &str) -> Option<Self> {
        if arch.starts_with("gfx") {
            return Self::of_amd(arch);
        }
        let number = arch.strip_prefix("sm_")?.trim_end_matches(['a', 'f']);
        let (warps, blocks, kilobytes, singles) = match number {
            "75" => (32, 16, 64, 64),
            "80" => (64, 32, 164, 64),
            "86" => (48, 16, 100, 128),
            "87" => (48, 16, 164, 128),
            "89" => (48, 24, 100, 128),
            "90" | "100" => (64, 32, 228, 128),
            "120" => (48, 24, 100, 128),
            _ => return None,
        };
        let (reserved, piece) = if number == "75" { (0, 256) } else { (1024, 128) };
        Some(Limits {
            wave: 32,
            warps,
            blocks,
            single_free: false,
            registers: REGISTERS,
            register_piece: 256,
            shared: kilobytes * 1024,
            reserved,
            piece,
            singles,
        })
    }

    /// The limits of an AMD GPU. On gfx1100 the unit is a pair of compute units, over which a block is spread.
    fn of_amd(arch: &str) -> Option<Self> {
        let (wave, waves, blocks, registers, register_piece, kilobytes, singles) = match arch {
            "gfx90a" => (64, 8, 16, 512, 8, 64, 64),
            "gfx942" => (64, 8, 16, 512, 8, 64, 128),
            "gfx1100" => (32, 16, 32, 1536, 24, 128, 256),
            _ => return None,
        };
        Some(Limits {
            wave,
            warps: waves * PARTS,
            blocks,
            single_free: true,
            registers: registers * wave * PARTS,
            register_piece: register_piece * wave,
            shared: kilobytes * 1024,
            reserved: 0,
            piece: if wave == 64 { 512 } else { 1024 },
            singles,
        })
    }
}

impl Limits {
    /// The blocks that a multiprocessor can hold at once if they have `threads` threads and `dynamic` bytes of dynamic
    /// shared memory; 0 if not even one fits.
    ///
    /// The formula is that of NVIDIA's occupancy calculator. A block's warps are its threads divided by 32, or by
    /// 64 where warps are wider. The number of blocks is the least of four limits: by warps, by blocks, by registers (a warp takes 32 times
    /// the registers of a thread, rounded up to 256, from one quarter of all registers), and by shared memory (static, dynamic and
    /// reserved bytes, rounded up).
    pub fn resident(&self, taken: &Resources, threads: u32, dynamic: u32) -> u32 {
        if threads == 0 || threads > THREADS {
            return 0;
        }
        let warps = threads.div_ceil(self.wave);
        let by_registers = match (taken.registers * self.wave).next_multiple_of(self.register_piece) {
            0 => u32::MAX,
            // The driver checks a launch as if a block's warps filled all four parts evenly.
            of_warp if of_warp * warps.next_multiple_of(PARTS) > self.registers => 0,
            of_warp => self.registers / PARTS / of_warp * PARTS / warps,
        };
        let blocks = if self.single_free && warps == 1 { u32::MAX } else { self.blocks };
        let shared = u64::from(taken.shared) + u64::from(dynamic) + u64::from(self.reserved);
        let by_shared = match shared.next_multiple_of(u64::from(self.piece)) {
            0 => u32::MAX,
            of_block => u32::try_from(u64::from(self.shared) / of_block).unwrap_or(u32::MAX),
        };
        (self.warps / warps).min(blocks).min(by_registers).min(by_shared)
    }
}

/// The share of a multiprocessor's warps that can be resident at once if blocks have `threads` threads and `dynamic`
/// bytes of dynamic shared memory: 1 is full, 0 means that not even one block fits. `None` if the architecture is not
/// in the table.
pub fn occupancy(resources: &Resources, threads: u32, dynamic: u32, arch: &str) -> Option<f32> {
    let limits = Limits::of(arch)?;
    let blocks = limits.resident(resources, threads, dynamic);
    Some((blocks * threads.div_ceil(limits.wave)) as f32 / limits.warps as f32)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(registers: u32, shared: u32, threads: u32, dynamic: u32, arch: &str) -> f32 {
        occupancy(&Resources { registers, shared, ..Resources::default() }, threads, dynamic, arch).unwrap()
    }

    /// The expected values are those of NVIDIA's calculator.
    #[test]
    fn each_limit_binds() {
        assert_eq!(of(32, 0, 256, 0, "sm_90"), 1.0);
        assert_eq!(of(32, 0, 32, 0, "sm_90"), 0.5, "32 blocks of one warp");
        assert_eq!(of(64, 0, 256, 0, "sm_80"), 0.5, "registers: 4 blocks of 8 warps");
        assert_eq!(of(65, 0, 128, 0, "sm_80"), 28.0 / 64.0, "72 registers: 7 warps in each part");
        assert_eq!(of(255, 0, 256, 0, "sm_90"), 0.125, "registers: one block");
        assert_eq!(of(168, 0, 1024, 0, "sm_90"), 0.0, "too many registers for one block");
        assert_eq!(of(32, 0, 256, 48 * 1024, "sm_80"), 24.0 / 64.0, "3 blocks of 49 KiB in 164 KiB");
        assert_eq!(of(32, 0, 256, 48 * 1024, "sm_90"), 32.0 / 64.0, "4 blocks of 49 KiB in 228 KiB");
        assert_eq!(of(32, 1024, 256, 47 * 1024, "sm_90"), 32.0 / 64.0, "static counts as well");
        assert_eq!(of(32, 0, 128, 227 * 1024, "sm_90"), 4.0 / 64.0, "the most that a block may have");
        assert_eq!(of(32, 0, 128, 227 * 1024 + 1, "sm_90"), 0.0);
        assert_eq!(of(32, 0, 96, 0, "sm_90"), 63.0 / 64.0, "21 blocks of 3 warps");
        assert_eq!(of(40, 0, 1024, 0, "sm_86"), 32.0 / 48.0, "one block of 32 warps");
        assert_eq!(of(0, 0, 256, 0, "sm_90"), 1.0);
        assert_eq!(of(16, 0, 1025, 0, "sm_90"), 0.0, "too many threads");
        assert_eq!(of(16, 0, 0, 0, "sm_90"), 0.0);
        assert_eq!(of(16, u32::MAX, 32, u32::MAX, "sm_90"), 0.0, "no overflow");
    }

    /// The expected values are those that clang prints beside its assembly, where blocks of 256 threads limit nothing else.
    #[test]
    fn amd_s_limits_are_others() {
        for (registers, waves) in [(64, 8), (65, 7), (72, 7), (80, 6), (128, 4), (129, 3), (256, 2), (257, 1), (512, 1)]
        {
            assert_eq!(of(registers, 0, 256, 0, "gfx942"), waves as f32 / 8.0, "{registers} registers");
        }
        for (registers, waves) in [(96, 16), (97, 12), (120, 12), (144, 10), (145, 9), (192, 8), (256, 5)] {
            let fits = waves / 2 * 2;
            assert_eq!(
                of(registers, 0, 256, 0, "gfx1100"),
                fits as f32 / 16.0,
                "{registers} registers: 8 waves a block"
            );
        }
        assert_eq!(of(32, 0, 128, 0, "gfx90a"), 1.0, "16 blocks of two waves");
        assert_eq!(of(32, 0, 64, 0, "gfx90a"), 1.0, "blocks of one wave take no barrier");
        assert_eq!(of(32, 0, 256, 16 * 1024, "gfx90a"), 0.5, "4 blocks of 16 KiB in 64 KiB");
        assert_eq!(of(32, 0, 256, 64 * 1024 + 1, "gfx942"), 0.0);
        assert_eq!(Limits::of("gfx803"), None);
    }

    #[test]
    fn an_unknown_architecture_has_no_limits() {
        assert_eq!(Limits::of("sm_90a"), Limits::of("sm_90"));
        assert_eq!(Limits::of("sm_999"), None);
        assert_eq!(Limits::of("compute_90"), None);
        assert_eq!(occupancy(&Resources::default(), 32, 0, "sm_999"), None);
    }
}
