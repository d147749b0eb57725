//! Chooses the thread of a block that runs next. Threads that can run do so in a random order; threads that wait become
//! ready when all others they wait for have arrived.

use fastrand::Rng;

/// The element of a thread that has not begun one.
pub(super) const NO_ELEMENT: u32 = u32::MAX;
/// The most threads of a wave.
const WIDEST: usize = 64;
/// At one in this many of its atomic operations, a thread lets others run first.
const PAUSES: u32 = 4;

/// The reason why a thread stops.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wait {
    /// Waits for all threads of the block.
    Barrier,
    /// Waits for the threads of the wave in the mask.
    Shuffle { mask: u64, value: u32, lane: u32 },
    /// Lets other threads run first.
    Pause,
}

/// The state of a thread.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum State {
    /// It has not begun.
    Fresh,
    /// It runs or is ready to run.
    Started,
    /// It waits at a barrier.
    AtBarrier,
    /// It waits in a shuffle.
    AtShuffle { mask: u64, value: u32, lane: u32 },
    /// It has run to its end.
    Ended,
}

/// One thread of the block.
#[derive(Debug, Clone, Copy)]
pub(super) struct Thread {
    /// Its state.
    pub(super) state: State,
    /// Its element when it last stopped.
    pub(super) element: u32,
    /// The value that its last shuffle returned.
    received: u32,
}

impl Thread {
    const FRESH: Thread = Thread { state: State::Fresh, element: NO_ELEMENT, received: 0 };
}

/// The threads of the current block.
pub(super) struct Schedule {
    threads: Vec<Thread>,
    /// Threads of a wave.
    wave: u32,
    /// The threads that can run, in no order.
    ready: Vec<u32>,
    at_barrier: usize,
    ended: usize,
    barriers: u32,
    random: Rng,
}

impl Schedule {
    /// For blocks of `threads` threads, in waves of `wave`.
    pub(super) fn new(threads: u32, wave: u32, random: Rng) -> Self {
        let threads = vec![Thread::FRESH; threads as usize];
        Schedule { threads, wave, ready: Vec::new(), at_barrier: 0, ended: 0, barriers: 0, random }
    }

    /// Begins a block.
    pub(super) fn begin(&mut self) {
        self.threads.fill(Thread::FRESH);
        self.ready.clear();
        self.ready.extend(0..self.threads.len() as u32);
        (self.at_barrier, self.ended, self.barriers) = (0, 0, 0);
    }

    /// Takes a thread that can run. Returns whether it is its first time.
    pub(super) fn next(&mut self) -> Option<(u32, bool)> {
        let at = self.draw()?;
        let fresh = self.threads[self.ready[at] as usize].state == State::Fresh;
        Some((self.take(at), fresh))
    }

    /// Takes a thread that can run and has not begun. It draws like [`Schedule::next`]; `None` if it draws a thread
    /// that has begun.
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

    /// Whether a thread should now let others run first.
    pub(super) fn pauses(&mut self) -> bool {
        !self.ready.is_empty() && self.random.u32(..PAUSES) == 0
    }

    /// A thread.
    pub(super) fn thread(&self, thread: u32) -> &Thread {
        &self.threads[thread as usize]
    }

    /// The number of barriers that the block has passed.
    pub(super) fn barriers(&self) -> u32 {
        self.barriers
    }

    /// The value that a thread's last shuffle returned.
    pub(super) fn received(&self, thread: u32) -> u32 {
        self.threads[thread as usize].received
    }

    /// Marks a thread as ended.
    pub(super) fn end(&mut self, thread: u32, element: u32) {
        let thread = &mut self.threads[thread as usize];
        (thread.state, thread.element) = (State::Ended, element);
        self.ended += 1;
    }

    /// Makes a thread wait.
    ///
    /// # Errors
    /// An invalid shuffle.
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

    /// Makes the threads of a shuffle ready once all have arrived.
    fn shuffle(&mut self, thread: u32, mask: u64, lane: u32) -> Result<(), Stuck> {
        if mask >> (thread % self.wave) & 1 == 0 {
            return Err(Stuck::OutOfMask { thread, mask });
        }
        if mask >> lane & 1 == 0 {
            return Err(Stuck::FromOutOfMask { thread, mask, lane });
        }
        let first = thread - thread % self.wave;
        let lanes = lanes(mask, self.wave);
        let same =
            |lane| matches!(self.thread(first + lane).state, State::AtShuffle { mask: other, .. } if other == mask);
        if !lanes.clone().all(same) {
            return Ok(());
        }
        let mut values = [0; WIDEST];
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

    /// Lets the block pass a barrier once all threads have arrived. Returns true if threads can run, false if all have
    /// ended.
    ///
    /// # Errors
    /// Some threads wait forever.
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

    /// A thread that waits, and a thread that it waits for.
    fn stuck(&self) -> Stuck {
        let all = 0..self.threads.len() as u32;
        let shuffle = all.clone().find_map(|thread| match self.thread(thread).state {
            State::AtShuffle { mask, .. } => {
                let first = thread - thread % self.wave;
                let other = lanes(mask, self.wave).map(|lane| first + lane).find(
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

/// The lanes of a wave that are in a mask.
fn lanes(mask: u64, wave: u32) -> impl Iterator<Item = u32> + Clone {
    (0..wave).filter(move |lane| mask >> lane & 1 == 1)
}

/// A thread that waits forever.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stuck {
    /// A thread is in a shuffle whose mask does not contain it.
    OutOfMask { thread: u32, mask: u64 },
    /// A thread reads from a lane that is not in the mask of the shuffle.
    FromOutOfMask { thread: u32, mask: u64, lane: u32 },
    /// One thread waits in a shuffle, and another in its mask does not arrive.
    Shuffle { thread: u32, mask: u64, other: u32 },
    /// One thread waits at a barrier, and another does not arrive.
    Barrier { thread: u32, other: u32 },
}
