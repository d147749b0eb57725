//! Launches: blocks one after the other in a random order, and the threads of each in a random order between barriers.

use crate::error::{Error, Fault, Result, Thread};
use crate::memory::{Allocation, Memory};
use crate::program::{Program, Shuffle};
use crate::thread::{Around, Registers, State};

/// Threads of a warp.
const LANES: u32 = 32;

/// A kernel that starts.
pub(crate) struct Launch<'a> {
    pub(crate) program: &'a Program,
    /// Among the functions of the program.
    pub(crate) kernel: usize,
    pub(crate) blocks: u32,
    pub(crate) threads: u32,
    /// Bytes of shared memory besides those that the text sizes.
    pub(crate) shared: usize,
    pub(crate) params: Vec<u8>,
}

/// Numbers launches and blocks, so that marks of older ones mean nothing, and draws their order.
pub(crate) struct Clock {
    stamp: u32,
    random: fastrand::Rng,
}

impl Clock {
    pub(crate) fn new(seed: u64) -> Self {
        Clock { stamp: 0, random: fastrand::Rng::with_seed(seed) }
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
    /// [`Error::Fault`] for the first thread that does what it must not.
    pub(crate) fn run(&self, memory: &mut Memory, clock: &mut Clock) -> Result<()> {
        let mut blocks: Vec<u32> = (0..self.blocks).collect();
        clock.random.shuffle(&mut blocks);
        let launch = clock.next();
        let mut shared = Allocation::new(self.program.shared + self.shared);
        for block in blocks {
            let stamps = [launch, clock.next()];
            let (threads, blocks) = (self.threads, self.blocks);
            let around = Around { program: self.program, memory, shared, threads, blocks, phase: 0, stamps };
            let mut block = Block::new(self, block, around);
            block.run(&mut clock.random)?;
            shared = block.around.shared;
        }
        Ok(())
    }
}

struct Block<'a, 'l> {
    launch: &'l Launch<'l>,
    threads: Vec<Registers>,
    around: Around<'a>,
}

impl<'a, 'l: 'a> Block<'a, 'l> {
    fn new(launch: &'l Launch<'l>, block: u32, around: Around<'a>) -> Self {
        let thread = |thread| Registers::new(Thread { block, thread }, launch.program, launch.kernel, &launch.params);
        Block { launch, threads: (0..launch.threads).map(thread).collect(), around }
    }

    fn run(&mut self, random: &mut fastrand::Rng) -> Result<()> {
        let mut ready: Vec<u32> = (0..self.launch.threads).collect();
        loop {
            while !ready.is_empty() {
                let thread = ready.swap_remove(random.usize(..ready.len()));
                let run = self.threads[thread as usize].run(&mut self.around);
                run.map_err(|fault| self.fault(thread, fault))?;
                if let State::Lanes { .. } = self.threads[thread as usize].state {
                    self.meet(thread, &mut ready)?;
                }
            }
            if self.threads.iter().all(|thread| thread.state == State::Done) {
                return Ok(());
            }
            self.barrier()?;
            ready.extend(0..self.launch.threads);
        }
    }

    fn fault(&self, thread: u32, fault: Fault) -> Error {
        let of = &self.threads[thread as usize];
        let kernel = self.launch.program.functions[self.launch.kernel].name.clone();
        Error::Fault { kernel, line: of.line(self.launch.program), thread: of.at, fault }
    }

    /// All threads wait at one barrier, or something is wrong.
    fn barrier(&mut self) -> Result<()> {
        let waits = |thread: &Registers| matches!(thread.state, State::Barrier(_));
        if let Some(stuck) = self.threads.iter().position(|thread| matches!(thread.state, State::Lanes { .. })) {
            let State::Lanes { mask, .. } = self.threads[stuck].state else { unreachable!("it waits for lanes") };
            let first = stuck as u32 / LANES * LANES;
            let same = |lane: &u32| {
                self.threads.get((first + lane) as usize).is_none_or(|other| {
                    other.state != self.threads[stuck].state && !matches!(other.state, State::Lanes { .. })
                })
            };
            let lane = (0..LANES).filter(|lane| mask >> lane & 1 == 1).find(same).unwrap_or(0);
            let why = self.threads.get((first + lane) as usize).map_or("is not there", |other| match other.state {
                State::Done => "has ended",
                State::Barrier(_) => "waits at a barrier",
                _ => "waits elsewhere",
            });
            return Err(self.fault(stuck as u32, Fault::Lane { lane, why: why.to_owned() }));
        }
        let Some(first) = self.threads.iter().position(waits) else { return Ok(()) };
        if let Some(other) = self.threads.iter().position(|thread| thread.state != self.threads[first].state) {
            let why = match self.threads[other].state {
                State::Done => "has ended".to_owned(),
                _ => format!("at the one in line {}", self.threads[other].line(self.launch.program)),
            };
            return Err(self.fault(first as u32, Fault::Divergent { other: other as u32, why }));
        }
        self.around.phase += 1;
        Ok(())
    }

    /// Lets the lanes that wait for each other go on, if all of them do.
    fn meet(&mut self, thread: u32, ready: &mut Vec<u32>) -> Result<()> {
        let State::Lanes { instruction, mask, .. } = self.threads[thread as usize].state else { return Ok(()) };
        let first = thread / LANES * LANES;
        if mask >> (thread % LANES) & 1 == 0 {
            return Err(
                self.fault(thread, Fault::Lane { lane: thread % LANES, why: "is not among those that do".to_owned() })
            );
        }
        let mut values = [None; LANES as usize];
        for lane in (0..LANES).filter(|lane| mask >> lane & 1 == 1) {
            match self.threads.get((first + lane) as usize).map(|thread| thread.state) {
                Some(State::Lanes { instruction: other, mask: of_other, value }) if other == instruction => {
                    if of_other != mask {
                        return Err(self.fault(thread, Fault::Lane { lane, why: "names other lanes".to_owned() }));
                    }
                    values[lane as usize] = Some(value);
                }
                _ => return Ok(()),
            }
        }
        for lane in (0..LANES).filter(|lane| mask >> lane & 1 == 1) {
            let thread = &mut self.threads[(first + lane) as usize];
            thread.exchange(self.launch.program, |how, lane, b, c| exchanged(&values, how, lane, b, c));
            ready.push(first + lane);
        }
        Ok(())
    }
}

/// The value that a lane gets, and whether it comes from another lane of its part of the warp (PTX ISA, `shfl.sync`).
fn exchanged(values: &[Option<u64>; LANES as usize], how: Shuffle, lane: u32, b: u32, c: u32) -> (u64, bool) {
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
    (values.get(from as usize).copied().flatten().unwrap_or(0xdead_beef), valid)
}

#[cfg(test)]
mod tests;
