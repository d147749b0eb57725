//! Which thread of a block runs next: those that can, in a random order; those that wait, when all that they wait
//! for have come.

use super::fault;
use fastrand::Rng;

/// Threads of a warp.
const WARP: u32 = 32;
/// A thread lets others go ahead of one in so many of its atomic operations.
const PAUSES: u32 = 4;

/// Why a thread stops.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wait {
    /// For all threads of the block.
    Barrier,
    /// For the threads of the warp that the mask names.
    Shuffle { mask: u32, value: u32, lane: u32 },
    /// To let others go ahead.
    Pause,
}

/// What a thread is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum State {
    /// Nothing yet.
    Fresh,
    /// It runs or can run.
    Started,
    /// It waits for the block.
    AtBarrier,
    /// It waits for its warp.
    AtShuffle { mask: u32, value: u32, lane: u32 },
    /// It has run to its end.
    Ended,
}

/// One thread of the block.
#[derive(Debug, Clone, Copy)]
pub(super) struct Thread {
    /// What it is doing.
    pub(super) state: State,
    /// The element that it was at when it last stopped.
    pub(super) element: u32,
    /// What a shuffle brought it.
    received: u32,
}

impl Thread {
    const FRESH: Thread = Thread { state: State::Fresh, element: fault::NO_ELEMENT, received: 0 };
}

/// The threads of the block that runs.
pub(super) struct Schedule {
    threads: Vec<Thread>,
    /// Those that can run, in no order.
    ready: Vec<u32>,
    at_barrier: usize,
    ended: usize,
    barriers: u32,
    random: Rng,
}

impl Schedule {
    /// For blocks of so many threads.
    pub(super) fn new(threads: u32, random: Rng) -> Self {
        let threads = vec![Thread::FRESH; threads as usize];
        Schedule { threads, ready: Vec::new(), at_barrier: 0, ended: 0, barriers: 0, random }
    }

    /// Begins a block.
    pub(super) fn begin(&mut self) {
        self.threads.fill(Thread::FRESH);
        self.ready.clear();
        self.ready.extend(0..self.threads.len() as u32);
        (self.at_barrier, self.ended, self.barriers) = (0, 0, 0);
    }

    /// Takes a thread that can run, and says whether it begins.
    pub(super) fn next(&mut self) -> Option<(u32, bool)> {
        let at = self.draw()?;
        let fresh = self.threads[self.ready[at] as usize].state == State::Fresh;
        Some((self.take(at), fresh))
    }

    /// Takes a thread that can run and has not begun. The draw is the same as for [`Schedule::next`]; if it falls on a
    /// thread that has begun, there is none.
    pub(super) fn next_fresh(&mut self) -> Option<u32> {
        let at = self.draw()?;
        let fresh = self.threads[self.ready[at] as usize].state == State::Fresh;
        fresh.then(|| self.take(at))
    }

    fn draw(&mut self) -> Option<usize> {
        (!self.ready.is_empty()).then(|| self.random.usize(..self.ready.len()))
    }

    fn take(&mut self, at: usize) -> u32 {
        let thread = self.ready.swap_remove(at);
        self.threads[thread as usize].state = State::Started;
        thread
    }

    /// Whether a thread is to let others go ahead now.
    pub(super) fn pauses(&mut self) -> bool {
        !self.ready.is_empty() && self.random.u32(..PAUSES) == 0
    }

    /// The threads.
    pub(super) fn thread(&self, thread: u32) -> &Thread {
        &self.threads[thread as usize]
    }

    /// Number of barriers that the block has passed.
    pub(super) fn barriers(&self) -> u32 {
        self.barriers
    }

    /// What a shuffle brought.
    pub(super) fn received(&self, thread: u32) -> u32 {
        self.threads[thread as usize].received
    }

    /// A thread has ended.
    pub(super) fn end(&mut self, thread: u32, element: u32) {
        let thread = &mut self.threads[thread as usize];
        (thread.state, thread.element) = (State::Ended, element);
        self.ended += 1;
    }

    /// A thread waits.
    ///
    /// # Errors
    /// A shuffle that cannot be.
    pub(super) fn wait(&mut self, thread: u32, element: u32, wait: Wait) -> Result<(), Stuck> {
        self.threads[thread as usize].element = element;
        match wait {
            Wait::Barrier => {
                self.threads[thread as usize].state = State::AtBarrier;
                self.at_barrier += 1;
            }
            Wait::Shuffle { mask, value, lane } => {
                self.threads[thread as usize].state = State::AtShuffle { mask, value, lane };
                return self.shuffle(thread, mask, lane);
            }
            Wait::Pause => self.ready.push(thread),
        }
        Ok(())
    }

    /// Lets the threads of a shuffle go on once all have come.
    fn shuffle(&mut self, thread: u32, mask: u32, lane: u32) -> Result<(), Stuck> {
        if mask >> (thread % WARP) & 1 == 0 {
            return Err(Stuck::OutOfMask { thread, mask });
        }
        if mask >> lane & 1 == 0 {
            return Err(Stuck::FromOutOfMask { thread, mask, lane });
        }
        let first = thread - thread % WARP;
        let lanes = (0..WARP).filter(|lane| mask >> lane & 1 == 1);
        let same =
            |lane| matches!(self.thread(first + lane).state, State::AtShuffle { mask: other, .. } if other == mask);
        if !lanes.clone().all(same) {
            return Ok(());
        }
        let mut values = [0; WARP as usize];
        for lane in lanes.clone() {
            if let State::AtShuffle { value, .. } = self.thread(first + lane).state {
                values[lane as usize] = value;
            }
        }
        for lane in lanes {
            let thread = &mut self.threads[(first + lane) as usize];
            if let State::AtShuffle { lane: from, .. } = thread.state {
                thread.received = values[from as usize];
                thread.state = State::Started;
                self.ready.push(first + lane);
            }
        }
        Ok(())
    }

    /// Lets the block pass a barrier once all of it is there. True if threads can go on, false if all have ended.
    ///
    /// # Errors
    /// Some wait for what never comes.
    pub(super) fn go_on(&mut self) -> Result<bool, Stuck> {
        if !self.ready.is_empty() {
            return Ok(true);
        }
        if self.ended == self.threads.len() {
            return Ok(false);
        }
        if self.at_barrier < self.threads.len() {
            return Err(self.stuck());
        }
        for (n, thread) in self.threads.iter_mut().enumerate() {
            thread.state = State::Started;
            self.ready.push(n as u32);
        }
        self.at_barrier = 0;
        self.barriers += 1;
        Ok(true)
    }

    /// Who waits, and for whom.
    fn stuck(&self) -> Stuck {
        let all = 0..self.threads.len() as u32;
        let shuffle = all.clone().find_map(|thread| match self.thread(thread).state {
            State::AtShuffle { mask, .. } => {
                let first = thread - thread % WARP;
                let other = (0..WARP).filter(|lane| mask >> lane & 1 == 1).map(|lane| first + lane).find(
                    |&other| !matches!(self.thread(other).state, State::AtShuffle { mask: its, .. } if its == mask),
                );
                other.map(|other| Stuck::Shuffle { thread, mask, other })
            }
            _ => None,
        });
        let find = |state: fn(State) -> bool| all.clone().find(|&thread| state(self.thread(thread).state));
        let at_barrier = find(|state| state == State::AtBarrier);
        let elsewhere = find(|state| state != State::AtBarrier);
        match (shuffle, at_barrier, elsewhere) {
            (Some(shuffle), ..) => shuffle,
            (None, Some(thread), Some(other)) => Stuck::Barrier { thread, other },
            _ => unreachable!("a shuffle whose threads have all come goes on"),
        }
    }
}

/// Threads that wait for what never comes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stuck {
    /// A thread is in a shuffle whose mask does not name it.
    OutOfMask { thread: u32, mask: u32 },
    /// A thread takes a value from a lane that the mask of the shuffle does not name.
    FromOutOfMask { thread: u32, mask: u32, lane: u32 },
    /// One thread waits in a shuffle, another that it names does not come.
    Shuffle { thread: u32, mask: u32, other: u32 },
    /// One thread waits at a barrier, another does not come.
    Barrier { thread: u32, other: u32 },
}
