//! A thread: its registers, and the instructions that concern no other.

use crate::arith::Function;
use crate::error::{Fault, Space, Thread};
use crate::memory::{Access, Allocation, LOCAL, Memory, SHARED};
use crate::program::{Atomic, Code, Does, Operand, Program, Shuffle, Special, Target, Values};

/// More instructions than any test's thread needs.
const MOST_INSTRUCTIONS: u64 = 1 << 32;

/// A thread between instructions.
pub(crate) struct Registers {
    pub(crate) at: Thread,
    pub(crate) state: State,
    frames: Vec<Frame>,
    words: Vec<u64>,
    local: Vec<u8>,
    params: Vec<u8>,
    executed: u64,
}

/// A call that has not returned.
struct Frame {
    function: usize,
    next: usize,
    words: usize,
    local: usize,
    params: usize,
}

/// Whether a thread can go on, or the instruction at which it waits.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum State {
    Ready,
    Barrier(usize),
    /// The lanes that exchange values, or wait for each other, and the value that this lane gives.
    Lanes {
        instruction: usize,
        mask: u32,
        value: u64,
    },
    Done,
}

/// All that a thread of a block shares with others.
pub(crate) struct Around<'a> {
    pub(crate) program: &'a Program,
    pub(crate) memory: &'a mut Memory,
    pub(crate) shared: Allocation,
    pub(crate) threads: u32,
    pub(crate) blocks: u32,
    /// Barriers that the block has passed.
    pub(crate) phase: u32,
    /// Of the launch, and of the block.
    pub(crate) stamps: [u32; 2],
}

impl Registers {
    pub(crate) fn new(at: Thread, program: &Program, kernel: usize, params: &[u8]) -> Self {
        let mut thread = Registers {
            at,
            state: State::Ready,
            frames: Vec::new(),
            words: Vec::new(),
            local: Vec::new(),
            params: Vec::new(),
            executed: 0,
        };
        thread.enter(program, kernel);
        thread.params[..params.len()].copy_from_slice(params);
        thread
    }

    fn enter(&mut self, program: &Program, function: usize) {
        let Code { registers, local_bytes, param_bytes, .. } = program.functions[function];
        let [words, local, params] =
            [self.words.len(), self.local.len().next_multiple_of(16), self.params.len().next_multiple_of(16)];
        self.words.resize(words + registers, 0);
        self.local.resize(local + local_bytes, 0xcd);
        self.params.resize(params + param_bytes, 0xcd);
        self.frames.push(Frame { function, next: 0, words, local, params });
    }

    /// The instruction that is next, or that is being executed; of a thread that is done, its last one.
    pub(crate) fn line(&self, program: &Program) -> u32 {
        let of = |frame: &Frame| {
            program.functions[frame.function].instructions.get(frame.next.saturating_sub(1)).map(|i| i.line)
        };
        self.frames.last().and_then(of).unwrap_or(0)
    }

    /// Executes instructions until the thread waits for others, or is done.
    pub(crate) fn run(&mut self, around: &mut Around<'_>) -> Result<(), Fault> {
        self.state = State::Ready;
        while self.state == State::Ready {
            let Some(frame) = self.frames.last_mut() else {
                self.state = State::Done;
                break;
            };
            let code = &around.program.functions[frame.function];
            let number = frame.next;
            frame.next += 1;
            let base = frame.words;
            let Some(instruction) = code.instructions.get(number) else {
                self.leave(around.program);
                continue;
            };
            self.executed += 1;
            if self.executed > MOST_INSTRUCTIONS {
                return Err(Fault::Endless(MOST_INSTRUCTIONS));
            }
            if let Some((register, holds)) = instruction.guard
                && (self.words[base + register as usize] != 0) != holds
            {
                continue;
            }
            self.execute(&instruction.does, base, number, around)?;
        }
        Ok(())
    }

    #[inline]
    fn value(&self, base: usize, operand: Operand) -> u64 {
        match operand {
            Operand::Register(register) => self.words[base + register as usize],
            Operand::Value(word) => word,
        }
    }

    #[inline]
    pub(crate) fn set(&mut self, base: usize, to: Target, word: u64) {
        if to.mask != 0 {
            self.words[base + to.register as usize] = word & to.mask;
        }
    }

    fn execute(&mut self, does: &Does, base: usize, number: usize, around: &mut Around<'_>) -> Result<(), Fault> {
        match does {
            Does::Nothing => {}
            &Does::Compute { to, function, operands: [a, b, c] } => {
                let word = match function {
                    Function::One(f) => f(self.value(base, a)),
                    Function::Two(f) => f(self.value(base, a), self.value(base, b)),
                    Function::Three(f) => f(self.value(base, a), self.value(base, b), self.value(base, c)),
                };
                self.set(base, to, word);
            }
            &Does::Convert { to, how, from } => {
                let word = how.apply(self.value(base, from));
                self.set(base, to, word);
            }
            &Does::Special { to, which } => {
                let word = match which {
                    Special::Thread => self.at.thread,
                    Special::Threads => around.threads,
                    Special::Block => self.at.block,
                    Special::Blocks => around.blocks,
                    Special::Lane => self.at.thread % 32,
                    Special::Zero => 0,
                    Special::One => 1,
                };
                self.set(base, to, word.into());
            }
            &Does::Frame { to, space, offset } => {
                let frame = self
                    .frames
                    .last()
                    .map_or(0, |frame| if space == Space::Local { frame.local } else { frame.params });
                self.set(base, to, frame as u64 + offset);
            }
            Does::Pack { to, parts, bits } => {
                let word = parts.iter().rev().fold(0_u64, |word, part| {
                    let mask = u64::MAX >> (64 - bits);
                    word.checked_shl(*bits).unwrap_or(0) | self.value(base, *part) & mask
                });
                self.set(base, *to, word);
            }
            Does::Unpack { to, from, bits } => {
                let word = self.value(base, *from);
                for (n, to) in to.iter().enumerate() {
                    self.set(base, *to, word.checked_shr(n as u32 * bits).unwrap_or(0) & (u64::MAX >> (64 - bits)));
                }
            }
            &Does::Insert { to, operands, bits } => {
                let [a, b, at, len] = operands.map(|operand| self.value(base, operand));
                let (at, len) = (at as u32 & 0xff, len as u32 & 0xff);
                let mask = if len >= 64 { u64::MAX } else { (1 << len) - 1 };
                let mask = if at >= bits { 0 } else { mask << at };
                self.set(base, to, b & !mask | a.checked_shl(at).unwrap_or(0) & mask);
            }
            Does::Load { to, from } => self.load(to, *from, base, around)?,
            Does::Store { to, from } => self.store(*to, from, base, around)?,
            &Does::Atomic { to, at, function, operands } => {
                let [a, b] = operands.map(|operand| self.value(base, operand));
                let found = self.memory(at, 1, base, true, around)?;
                let old = word(found);
                let new = match function {
                    Atomic::Of(f) => f(old, a),
                    Atomic::Exchange => a,
                    Atomic::CompareAndSwap => {
                        if old == a & at.ty.mask() {
                            b
                        } else {
                            old
                        }
                    }
                };
                found.copy_from_slice(&new.to_le_bytes()[..at.ty.bytes()]);
                if let Some(to) = to {
                    self.set(base, to, old);
                }
            }
            &Does::Branch(to) => {
                if let Some(frame) = self.frames.last_mut() {
                    frame.next = to;
                }
            }
            Does::Call { function, results: _, params } => self.call(around.program, *function, params),
            Does::Return => self.leave(around.program),
            Does::Barrier => self.state = State::Barrier(number),
            &Does::Shuffle { operands: [value, _, _, mask], .. } => {
                let (value, mask) = (self.value(base, value), self.value(base, mask) as u32);
                self.state = State::Lanes { instruction: number, mask, value };
            }
            &Does::Lanes(mask) => {
                self.state = State::Lanes { instruction: number, mask: self.value(base, mask) as u32, value: 0 };
            }
            Does::Trap => return Err(Fault::Trap),
        }
        Ok(())
    }

    fn call(&mut self, program: &Program, function: usize, params: &[usize]) {
        let caller = self.frames.last().map_or(0, |frame| frame.params);
        self.enter(program, function);
        let callee = self.frames.last().map_or(0, |frame| frame.params);
        for (from, &(to, bytes)) in params.iter().zip(&program.functions[function].params) {
            self.params.copy_within(caller + from..caller + from + bytes, callee + to);
        }
    }

    fn leave(&mut self, program: &Program) {
        let Some(Frame { function, words, local, params, .. }) = self.frames.pop() else { return };
        if let Some(caller) = self.frames.last() {
            let call = &program.functions[caller.function].instructions[caller.next - 1].does;
            if let Does::Call { results, .. } = call {
                for (to, &(from, bytes)) in results.iter().zip(&program.functions[function].results) {
                    self.params.copy_within(params + from..params + from + bytes, caller.params + to);
                }
            }
        }
        self.words.truncate(words);
        self.local.truncate(local);
        self.params.truncate(params);
    }

    fn load(&mut self, to: &[Target], from: Values, base: usize, around: &mut Around<'_>) -> Result<(), Fault> {
        let found = self.memory(from, to.len(), base, false, around)?;
        let mut words = [0; 8];
        for (to, bytes) in words.iter_mut().zip(found.chunks_exact(from.ty.bytes())) {
            *to = from.ty.widened(word(bytes));
        }
        to.iter().zip(words).for_each(|(to, word)| self.set(base, *to, word));
        Ok(())
    }

    fn store(&mut self, to: Values, from: &[Operand], base: usize, around: &mut Around<'_>) -> Result<(), Fault> {
        let mut words = [0; 8];
        for (word, from) in words.iter_mut().zip(from) {
            *word = self.value(base, *from);
        }
        let (found, bytes) = (self.memory(to, from.len(), base, true, around)?, to.ty.bytes());
        for (to, word) in found.chunks_exact_mut(bytes).zip(words) {
            to.copy_from_slice(&word.to_le_bytes()[..bytes]);
        }
        Ok(())
    }

    /// The bytes of `count` values. Checks the access first: alignment, bounds, races.
    fn memory<'m>(
        &'m mut self,
        Values { space, ty, place, order }: Values,
        count: usize,
        base: usize,
        writes: bool,
        around: &'m mut Around<'_>,
    ) -> Result<&'m mut [u8], Fault> {
        let bytes = count * ty.bytes();
        let start = place.base.map_or(0, |register| self.words[base + register as usize]);
        let address = start.wrapping_add(place.offset);
        if !address.is_multiple_of(bytes as u64) {
            return Err(Fault::Unaligned { address, bytes });
        }
        let (space, address) = match space {
            Some(space) => (space, address),
            None if address >= SHARED => (Space::Shared, address - SHARED),
            None if address >= LOCAL => (Space::Local, address - LOCAL),
            None => (Space::Global, address),
        };
        let [launch, block] = around.stamps;
        let stamp = if space == Space::Shared { block } else { launch };
        let access = Access { stamp, thread: self.at, phase: around.phase, order, space };
        let own = |memory: &'m mut Vec<u8>, offset: u64| {
            let size = memory.len();
            let range = usize::try_from(offset).ok().and_then(|start| memory.get_mut(start..start.checked_add(bytes)?));
            range.ok_or(Fault::Outside { space, offset: address, bytes, size })
        };
        match space {
            // Parameters that a variable names lie in the frame of the call.
            Space::Param => {
                let frame = self.frames.last().filter(|_| place.base.is_none()).map_or(0, |frame| frame.params);
                own(&mut self.params, address + frame as u64)
            }
            Space::Local => {
                let frame = self.frames.last().filter(|_| place.base.is_none()).map_or(0, |frame| frame.local);
                own(&mut self.local, address + frame as u64)
            }
            Space::Shared => of(&mut around.shared, address as usize, bytes, &access, writes),
            Space::Global | Space::Const => {
                let Some((allocation, offset)) = around.memory.find(address) else {
                    return Err(Fault::Nowhere { address, bytes });
                };
                of(allocation, offset, bytes, &access, writes)
            }
        }
    }

    /// Gives the lane what it gets from another one, and goes on.
    pub(crate) fn exchange(&mut self, program: &Program, from: impl FnOnce(Shuffle, u32, u32, u32) -> (u64, bool)) {
        let Some(frame) = self.frames.last() else { return };
        let base = frame.words;
        let does = &program.functions[frame.function].instructions[frame.next - 1].does;
        if let &Does::Shuffle { to, valid, how, operands: [_, b, c, _] } = does {
            let [b, c] = [b, c].map(|operand| self.value(base, operand) as u32);
            let (word, is_valid) = from(how, self.at.thread % 32, b, c);
            self.set(base, to, word);
            if let Some(register) = valid {
                self.set(base, Target { register, mask: 1 }, is_valid.into());
            }
        }
        self.state = State::Ready;
    }
}

fn of<'m>(
    memory: &'m mut Allocation,
    offset: usize,
    bytes: usize,
    access: &Access,
    writes: bool,
) -> Result<&'m mut [u8], Fault> {
    if writes {
        return memory.write(offset, bytes, access);
    }
    memory.read(offset, bytes, access)?;
    Ok(&mut memory.bytes[offset..offset + bytes])
}

/// Up to eight bytes as a word.
fn word(bytes: &[u8]) -> u64 {
    let mut word = [0; 8];
    word[..bytes.len()].copy_from_slice(bytes);
    u64::from_le_bytes(word)
}
