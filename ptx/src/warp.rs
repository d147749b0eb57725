//! A warp: threads that execute their instructions together as long as they go the same way.
//!
//! Threads that went apart are groups, of which the one that is furthest behind goes on; groups that stand at the same instruction become
//! one again. Each thread of an instruction that accesses memory does it alone, in an order that the warp draws.

use crate::access::Threads;
use crate::error::Fault;
use crate::order::Once;
use crate::program::{Code, Does, Instruction, Program, Shuffle};
use crate::state::{Around, Faulty, Frame, lanes};
use crate::types::{LANES, Lanes};

/// More instructions than any test's warp needs.
const MOST_INSTRUCTIONS: u64 = 1 << 28;

pub(crate) struct Warp {
    /// The block's number of its first thread.
    pub(crate) first: u32,
    /// Its threads, and those that have ended.
    pub(crate) lanes: u32,
    pub(crate) done: u32,
    pub(crate) groups: Vec<Group>,
    pub(crate) frames: Vec<Frame>,
    pub(crate) threads: Threads,
    executed: u64,
}

/// Threads of a warp at one instruction, as a mask.
#[derive(Clone, Copy)]
pub(crate) struct Group {
    pub(crate) lanes: u32,
    pub(crate) frame: usize,
    /// The instruction that follows the one that they wait at.
    pub(crate) next: usize,
    pub(crate) state: State,
}

/// Whether threads can go on.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum State {
    Ready,
    /// At a barrier of the block.
    Barrier,
    /// For these lanes, with which they exchange values.
    Lanes(u32),
}

impl Warp {
    pub(crate) fn new(first: u32, threads: u32) -> Self {
        let lanes = u32::MAX >> (LANES as u32 - (threads - first).min(LANES as u32));
        Warp {
            first,
            lanes,
            done: 0,
            groups: Vec::new(),
            frames: Vec::new(),
            threads: Threads::default(),
            executed: 0,
        }
    }

    /// Begins a block at a kernel's first instruction. Registers keep what they held: a kernel sets those that it reads.
    pub(crate) fn begin(&mut self, kernel: usize, code: &Code) {
        (self.done, self.executed) = (0, 0);
        self.frames.truncate(1);
        if self.frames.is_empty() {
            let registers = vec![[0; LANES]; code.registers];
            self.frames.push(Frame { function: kernel, registers, ..Frame::default() });
        }
        self.threads.begin(code);
        self.groups.clear();
        self.groups.push(Group { lanes: self.lanes, frame: 0, next: 0, state: State::Ready });
    }

    /// The instruction at which a thread is; of one that has ended, nothing.
    pub(crate) fn line(&self, lane: usize, program: &Program) -> u32 {
        let group = self.groups.iter().find(|group| group.lanes >> lane & 1 == 1);
        let at = group.and_then(|group| {
            let code = program.code(self.frames[group.frame].function).ok()?;
            Some(code.instructions.get(group.next.saturating_sub(1))?.line)
        });
        at.unwrap_or(0)
    }

    /// Executes instructions until all threads wait for others, or are done.
    pub(crate) fn run(&mut self, around: &mut Around<'_>) -> Faulty<()> {
        while let Some((at, limit)) = self.furthest_behind() {
            // It stays the last one, so that its line is known in the case of a fault.
            let last = self.groups.len() - 1;
            self.groups.swap(at, last);
            self.go(limit, around)?;
        }
        Ok(())
    }

    /// The group that goes on, and the instruction at which it meets another one.
    fn furthest_behind(&mut self) -> Option<(usize, usize)> {
        if let [group] = &self.groups[..] {
            return (group.state == State::Ready).then_some((0, usize::MAX));
        }
        let place = |group: &Group| (usize::MAX - self.frames[group.frame].depth, group.frame, group.next);
        let ready = |group: &&Group| group.state == State::Ready;
        let first = place(self.groups.iter().filter(ready).min_by_key(|group| place(group))?);
        let all: u32 =
            self.groups.iter().filter(ready).filter(|group| place(group) == first).map(|group| group.lanes).sum();
        let others = self.groups.iter().filter(ready).map(place).filter(|other| *other > first && other.1 == first.1);
        let limit = others.map(|other| other.2).min().unwrap_or(usize::MAX);
        let group = Group { lanes: all, frame: first.1, next: first.2, state: State::Ready };
        self.groups.retain(|group| group.state != State::Ready || group.lanes & all == 0);
        self.groups.push(group);
        Some((self.groups.len() - 1, limit))
    }

    /// Lets the last group go on until none of it is left, or it reaches a limit.
    fn go(&mut self, mut limit: usize, around: &mut Around<'_>) -> Faulty<()> {
        let at = self.groups.len() - 1;
        let Group { lanes: mut here, frame, mut next, .. } = self.groups[at];
        let any = here.trailing_zeros() as usize;
        let function = self.frames[frame].function;
        let code = around.program.code(function).map_err(|error| (any, Fault::Text(Box::new(error))))?;
        while next < limit {
            let Some(Instruction { guard, does, .. }) = code.instructions.get(next) else {
                self.leave(here, frame, around.program);
                self.groups.swap_remove(at);
                return Ok(());
            };
            next += 1;
            self.groups[at].next = next;
            self.executed += 1;
            if self.executed > MOST_INSTRUCTIONS {
                return Err((any, Fault::Endless(MOST_INSTRUCTIONS)));
            }
            let active = match guard {
                None => here,
                Some((register, holds)) => {
                    here & holding(&self.frames[frame].registers[*register as usize], *holds)
                }
            };
            if active == 0 {
                continue;
            }
            let group = |next, state| Group { lanes: active, frame, next, state };
            match does {
                &Does::Branch(to) if active == here => {
                    next = to;
                    continue;
                }
                &Does::Branch(to) => {
                    self.groups.push(group(to, State::Ready));
                    limit = limit.min(to);
                }
                Does::Return => self.leave(active, frame, around.program),
                Does::Barrier => self.groups.push(group(next, State::Barrier)),
                Does::Shuffle { operands: [.., mask], .. } | Does::Lanes(mask) => {
                    let masks = self.frames[frame].operand(code, *mask);
                    let mask = masks[active.trailing_zeros() as usize] as u32;
                    for lane in lanes(active) {
                        if masks[lane] as u32 != mask {
                            return Err((lane, lane_fault(lane, "names other lanes")));
                        }
                        if mask >> lane & 1 == 0 {
                            return Err((lane, lane_fault(lane, "is not among those that do")));
                        }
                    }
                    if active == mask {
                        self.meet(frame, code, does, mask, around);
                        continue;
                    }
                    self.groups.push(group(next, State::Lanes(mask)));
                    self.gather(frame, next, mask, code, does, around)?;
                }
                Does::Call { function, params, .. } => {
                    let called = around.program.code(*function).map_err(|e| (any, Fault::Text(Box::new(e))))?;
                    let frame = self.enter((*function, called), (frame, next), active, code, params);
                    self.groups.push(Group { lanes: active, frame, next: 0, state: State::Ready });
                    limit = 0;
                }
                _ => {
                    let once = Once { block: around.block, ..Once::default() };
                    self.threads.execute(does, &mut self.frames[frame], code, active, self.first, once, around)?;
                    continue;
                }
            }
            here &= !active;
            self.groups[at].lanes = here;
            if here == 0 {
                self.groups.swap_remove(at);
                return Ok(());
            }
        }
        self.groups[at].next = next;
        Ok(())
    }

    /// Lets the lanes that wait for each other go on, if all of them do.
    fn gather(
        &mut self,
        frame: usize,
        next: usize,
        mask: u32,
        code: &Code,
        does: &Does,
        around: &mut Around<'_>,
    ) -> Faulty<()> {
        let mut waiting = 0;
        for group in &self.groups {
            if let State::Lanes(of_others) = group.state
                && (group.frame, group.next) == (frame, next)
                && group.lanes & mask != 0
            {
                if of_others != mask {
                    let lane = group.lanes.trailing_zeros() as usize;
                    return Err((lane, lane_fault(lane, "names other lanes")));
                }
                waiting |= group.lanes;
            }
        }
        if waiting != mask {
            return Ok(());
        }
        self.meet(frame, code, does, mask, around);
        for group in &mut self.groups {
            if group.lanes & mask != 0 && matches!(group.state, State::Lanes(_)) {
                group.state = State::Ready;
            }
        }
        Ok(())
    }

    /// The lanes of a mask exchange values, or only meet.
    fn meet(&mut self, frame: usize, code: &Code, does: &Does, mask: u32, around: &mut Around<'_>) {
        let Does::Shuffle { to, valid, how, operands: [value, b, c, _] } = does else {
            return around.past.barrier_of_lanes(self.first, mask);
        };
        let frame = &mut self.frames[frame];
        let [value, b, c] = [value, b, c].map(|operand| *frame.operand(code, *operand));
        for lane in lanes(mask) {
            let (word, is_valid) = exchanged(&value, mask, *how, lane as u32, b[lane] as u32, c[lane] as u32);
            frame.registers[to.register as usize][lane] = word & to.mask;
            if let Some(valid) = valid {
                frame.registers[*valid as usize][lane] = is_valid.into();
            }
        }
    }

    /// Some lanes call a function; returns their frame.
    fn enter(
        &mut self,
        (function, called): (usize, &Code),
        back: (usize, usize),
        active: u32,
        code: &Code,
        params: &[usize],
    ) -> usize {
        let caller = &self.frames[back.0];
        let frame = Frame {
            function,
            registers: vec![[0; LANES]; called.registers],
            back: Some(back),
            depth: caller.depth + 1,
            local: caller.local + code.local_bytes.next_multiple_of(16),
            params: caller.params + code.param_bytes.next_multiple_of(16),
        };
        self.threads.enter(&frame, called, active);
        for (from, &(to, bytes)) in params.iter().zip(&called.params) {
            self.threads.pass(active, caller.params + from, frame.params + to, bytes);
        }
        self.frames.push(frame);
        self.frames.len() - 1
    }

    /// Some lanes return, to their caller or for good.
    fn leave(&mut self, active: u32, frame: usize, program: &Program) {
        let Frame { function, back, params, .. } = self.frames[frame];
        let Some((caller, next)) = back else {
            self.done |= active;
            return;
        };
        let code = |function| program.code(function).ok();
        if let (Some(mine), Some(callers)) = (code(function), code(self.frames[caller].function))
            && let Does::Call { results, .. } = &callers.instructions[next - 1].does
        {
            for (to, &(from, bytes)) in results.iter().zip(&mine.results) {
                self.threads.pass(active, params + from, self.frames[caller].params + to, bytes);
            }
        }
        self.groups.push(Group { lanes: active, frame: caller, next, state: State::Ready });
    }
}

/// The lanes whose predicate holds, or does not.
fn holding(predicate: &Lanes, holds: bool) -> u32 {
    let mask = (0..LANES).fold(0, |mask, lane| mask | u32::from(predicate[lane] != 0) << lane);
    if holds { mask } else { !mask }
}

fn lane_fault(lane: usize, why: &str) -> Fault {
    Fault::Lane { lane: lane as u32, why: why.to_owned() }
}

/// The value that a lane gets, and whether it comes from another lane of its part of the warp (PTX ISA, `shfl.sync`).
pub(crate) fn exchanged(values: &Lanes, mask: u32, how: Shuffle, lane: u32, b: u32, c: u32) -> (u64, bool) {
    let (by, clamp, segment) = (b & 31, c & 31, c >> 8 & 31);
    let (least, most) = (lane & segment, lane & segment | clamp & !segment);
    let (from, valid) = match how {
        Shuffle::Up => (lane.wrapping_sub(by), lane as i32 - by as i32 >= most as i32),
        Shuffle::Down => (lane + by, lane + by <= most),
        Shuffle::Butterfly => (lane ^ by, lane ^ by <= most),
        Shuffle::Index => (least | by & !segment, least | by & !segment <= most),
    };
    let from = if valid { from } else { lane };
    // A lane that does not take part gives anything.
    let there = from < LANES as u32 && mask >> from & 1 == 1;
    (if there { values[from as usize] } else { 0xdead_beef }, valid)
}
