//! Launches: blocks one after the other in a random order, and the warps of each in a random order between barriers.

use crate::error::{Error, Fault, Result, Thread};
use crate::memory::{Allocation, Memory};
use crate::order::Past;
use crate::program::{Code, Program};
use crate::state::{Around, lanes};
use crate::types::LANES;
use crate::warp::{State, Warp};

/// A kernel that starts.
pub(crate) struct Launch<'a> {
    pub(crate) program: &'a Program,
    /// Among the functions of the program.
    pub(crate) kernel: usize,
    pub(crate) blocks: u32,
    pub(crate) threads: u32,
    /// Bytes of shared memory besides those that the text sizes.
    pub(crate) shared: usize,
    pub(crate) params: &'a [u8],
    /// Whether it may begin before the end of the launch before.
    pub(crate) early: bool,
}

/// Numbers launches and blocks, so that marks of older ones mean nothing, and draws their order.
pub(crate) struct Clock {
    stamp: u32,
    /// Of the last launch.
    before: u32,
    random: fastrand::Rng,
}

impl Clock {
    pub(crate) fn new(seed: u64) -> Self {
        Clock { stamp: 0, before: 0, random: fastrand::Rng::with_seed(seed) }
    }

    /// A number below a limit; 0 without one.
    pub(crate) fn draw(&mut self, limit: usize) -> usize {
        if limit > 1 { self.random.usize(..limit) } else { 0 }
    }

    fn next(&mut self) -> u32 {
        self.stamp += 1;
        self.stamp
    }
}

impl Launch<'_> {
    /// Runs all blocks.
    ///
    /// # Errors
    /// [`Error::Fault`] for the first thread that does what it must not, and errors of the kernel's text.
    pub(crate) fn run(&self, memory: &mut Memory, clock: &mut Clock) -> Result<()> {
        let code = self.program.code(self.kernel)?;
        let mut blocks: Vec<u32> = (0..self.blocks).collect();
        clock.random.shuffle(&mut blocks);
        let launch = clock.next();
        let before = std::mem::replace(&mut clock.before, launch);
        let mut past = Past::default();
        let mut shared = Allocation::new(self.program.shared + self.shared);
        let mut warps: Vec<Warp> =
            (0..self.threads).step_by(LANES).map(|first| Warp::new(first, self.threads)).collect();
        for block in blocks {
            shared.forget();
            past.begin(block, self.threads);
            let around = Around {
                program: self.program,
                memory,
                shared: &mut shared,
                past: &mut past,
                params: self.params,
                block,
                blocks: self.blocks,
                threads: self.threads,
                stamps: [launch, clock.next()],
                before: self.early.then_some(before),
            };
            Block { launch: self, warps: &mut warps, around }.run(code, &mut clock.random)?;
        }
        Ok(())
    }
}

struct Block<'a, 'l> {
    launch: &'l Launch<'l>,
    warps: &'a mut [Warp],
    around: Around<'a>,
}

impl Block<'_, '_> {
    fn run(&mut self, code: &Code, random: &mut fastrand::Rng) -> Result<()> {
        for warp in &mut *self.warps {
            warp.begin(self.launch.kernel, code);
            warp.threads.turn = random.u32(..LANES as u32);
        }
        let mut ready: Vec<usize> = Vec::new();
        loop {
            ready.extend(0..self.warps.len());
            while !ready.is_empty() {
                let number = ready.swap_remove(random.usize(..ready.len()));
                let run = self.warps[number].run(&mut self.around);
                run.map_err(|(lane, fault)| self.fault(number * LANES + lane, fault))?;
            }
            if self.warps.iter().all(|warp| warp.done == warp.lanes) {
                break;
            }
            self.barrier()?;
        }
        match self.launch.early && self.warps.iter().all(|warp| warp.threads.waited == 0) {
            true => Err(self.fault(0, Fault::NoWait)),
            false => Ok(()),
        }
    }

    fn fault(&self, thread: usize, fault: Fault) -> Error {
        let program = self.launch.program;
        let kernel = program.functions[self.launch.kernel].head.name.clone();
        let line = self.warps[thread / LANES].line(thread % LANES, program);
        let thread = Thread { block: self.around.block, thread: thread as u32 };
        match fault {
            Fault::Text(error) => *error,
            fault => Error::Fault { kernel, line, thread, fault },
        }
    }

    /// All threads wait at one barrier, or something is wrong.
    fn barrier(&mut self) -> Result<()> {
        let places = || self.warps.iter().enumerate();
        for (number, warp) in places() {
            for group in &warp.groups {
                let State::Lanes(mask) = group.state else { continue };
                let gone = |lane: &usize| {
                    !warp.groups.iter().any(|g| g.lanes >> lane & 1 == 1 && matches!(g.state, State::Lanes(_)))
                };
                let missing = lanes(mask).find(gone);
                let lane = missing.or(lanes(mask & !group.lanes).next()).unwrap_or(0);
                let why = match 1 << lane {
                    bit if warp.lanes & bit == 0 => "is not there",
                    bit if warp.done & bit != 0 => "has ended",
                    _ if missing.is_some() => "waits at a barrier",
                    _ => "waits elsewhere",
                };
                let stuck = number * LANES + group.lanes.trailing_zeros() as usize;
                return Err(self.fault(stuck, Fault::Lane { lane: lane as u32, why: why.to_owned() }));
            }
        }
        // All that have not ended wait at barriers.
        let waits = places().find_map(|(number, warp)| Some((number, warp.groups.first()?)));
        let Some((number, first)) = waits else { return Ok(()) };
        let stuck = number * LANES + first.lanes.trailing_zeros() as usize;
        let place = |warp: usize, lane: usize| self.warps[warp].line(lane, self.launch.program);
        let line = place(number, first.lanes.trailing_zeros() as usize);
        for (number, warp) in places() {
            if warp.done != 0 {
                let other = number as u32 * LANES as u32 + warp.done.trailing_zeros();
                return Err(self.fault(stuck, Fault::Divergent { other, why: "has ended".to_owned() }));
            }
            for group in &warp.groups {
                let lane = group.lanes.trailing_zeros() as usize;
                if (group.frame, group.next) != (first.frame, first.next) {
                    let (other, at) = ((number * LANES + lane) as u32, place(number, lane));
                    let why = format!("at the one in line {at}, not {line}");
                    return Err(self.fault(stuck, Fault::Divergent { other, why }));
                }
            }
        }
        for group in self.warps.iter_mut().flat_map(|warp| &mut warp.groups) {
            group.state = State::Ready;
        }
        self.around.past.barrier();
        Ok(())
    }
}

#[cfg(test)]
mod tests;
