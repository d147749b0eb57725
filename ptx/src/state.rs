//! What instructions work on: the registers of calls, and what a warp shares with others.

use crate::error::{Fault, Range};
use crate::memory::{Allocation, Memory};
use crate::order::Past;
use crate::program::{Code, Operand, Program, Target};
use crate::types::{LANES, Lanes};

/// A call, by threads that went the same way.
#[derive(Default)]
pub(crate) struct Frame {
    pub(crate) function: usize,
    pub(crate) registers: Vec<Lanes>,
    /// The caller's frame and next instruction.
    pub(crate) back: Option<(usize, usize)>,
    /// Calls that it is inside of.
    pub(crate) depth: usize,
    /// Where its local memory and its parameters begin.
    pub(crate) local: usize,
    pub(crate) params: usize,
}

/// All that a warp shares with others.
pub(crate) struct Around<'a> {
    pub(crate) program: &'a Program,
    pub(crate) memory: &'a mut Memory,
    pub(crate) shared: &'a mut Allocation,
    pub(crate) past: &'a mut Past,
    pub(crate) params: &'a [u8],
    pub(crate) block: u32,
    pub(crate) blocks: u32,
    pub(crate) threads: u32,
    /// Of the launch, and of the block.
    pub(crate) stamps: [u32; 2],
    /// The stamp of the launch before, if this one may begin before its end.
    pub(crate) before: Option<u32>,
}

/// A copy to shared memory that has not arrived.
pub(crate) struct Arriving {
    pub(crate) range: Range,
    pub(crate) bytes: [u8; 16],
}

/// A fault, and the lane that it happened to.
pub(crate) type Faulty<T> = Result<T, (usize, Fault)>;

/// The lanes of a mask, in order.
pub(crate) fn lanes(mask: u32) -> impl Iterator<Item = usize> {
    let mut rest = mask;
    std::iter::from_fn(move || {
        let lane = rest.trailing_zeros() as usize;
        rest &= rest.wrapping_sub(1);
        (lane < LANES).then_some(lane)
    })
}

impl Frame {
    #[inline]
    pub(crate) fn operand<'v>(&'v self, code: &'v Code, operand: Operand) -> &'v Lanes {
        match operand {
            Operand::Register(register) => &self.registers[register as usize],
            Operand::Constant(number) => &code.constants[number as usize],
        }
    }

    /// Gives some threads a word each.
    #[inline]
    pub(crate) fn set(&mut self, to: Target, active: u32, words: &Lanes) {
        if to.mask == 0 {
            return;
        }
        let register = &mut self.registers[to.register as usize];
        if active == u32::MAX {
            for lane in 0..LANES {
                register[lane] = words[lane] & to.mask;
            }
        } else {
            lanes(active).for_each(|lane| register[lane] = words[lane] & to.mask);
        }
    }

    pub(crate) fn set_each(&mut self, to: Target, active: u32, word: impl Fn(&Self, usize) -> u64) {
        if to.mask == 0 {
            return;
        }
        for lane in lanes(active) {
            let word = word(self, lane) & to.mask;
            self.registers[to.register as usize][lane] = word;
        }
    }
}
