//! Runs one launch: blocks one after the other in a random order, the threads of a block as fibres.
//!
//! A thread that ends without having waited leaves its fibre to the next thread, so that only threads that wait cost a
//! switch. Everything runs on the calling thread of the host. Fibres and scheduler share cells, and no borrow of a cell
//! lasts across a switch.

use super::check::Checker;
use super::fault::{self, Culprit};
use super::library::{Dim, Entry, Environment, Instance};
use super::memory::Pool;
use super::schedule::{NO_ELEMENT, Schedule, Stuck, Wait};
use super::shadow::{Access, Who};
use crate::error::{Error, Result};
use crate::panic::Panic;
use corosensei::stack::{DefaultStack, Stack};
use corosensei::{Coroutine, CoroutineResult, Yielder};
use fastrand::Rng;
use std::cell::{Cell, RefCell};
use std::convert::Infallible;
use std::ffi::c_void;
use std::ptr;

/// Bytes of a fibre's stack, which must hold a kernel's local variables.
const STACK: usize = 256 * 1024;

/// The kernel and the sizes of a launch.
#[derive(Debug, Clone, Copy)]
pub(super) struct Shape<'a> {
    pub(super) kernel: &'a str,
    pub(super) grid: u32,
    pub(super) block: u32,
    pub(super) shared: u32,
    pub(super) wave: u32,
}

/// The source of a launch's random order.
pub(super) struct Order(Rng);

impl Order {
    /// The order of the launch with this number.
    pub(super) fn of(seed: u64, launch: u64) -> Self {
        // A large odd factor gives consecutive launches unrelated seeds.
        Order(Rng::with_seed(seed ^ launch.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15)))
    }
}

/// Runs all blocks.
pub(super) fn run(
    instance: &Instance,
    entry: Entry,
    parameters: &[Vec<u128>],
    shape: Shape<'_>,
    order: Order,
    pool: &mut Pool,
) -> Result<()> {
    let Order(mut random) = order;
    let mut blocks: Vec<u32> = (0..shape.grid).collect();
    random.shuffle(&mut blocks);
    let checker = pool.checks().then(|| RefCell::new(Checker::new(pool, instance, shape.shared)));
    let run = Run {
        shape,
        entry,
        parameters: parameters.iter().map(|bytes| bytes.as_ptr().cast()).collect(),
        environment: instance.environment(),
        schedule: RefCell::new(Schedule::new(shape.block, shape.wave, random)),
        checker,
        block: Cell::new(0),
        thread: Cell::new(0),
        yielder: Cell::new(ptr::null()),
        idle: Cell::new(false),
        stopped: Cell::new(None),
    };
    run.connect();
    let mut fibres = Fibres { all: Vec::new(), of_threads: vec![0; shape.block as usize], idle: Vec::new() };
    let done = blocks.into_iter().try_for_each(|block| run.block(block, &mut fibres));
    fibres.reset();
    done
}

thread_local! {
    /// Stacks that no fibre uses at the moment.
    static STACKS: RefCell<Vec<DefaultStack>> = const { RefCell::new(Vec::new()) };
}

/// A fibre yields nothing; it tells the schedule what it waits for.
type Fibre = Coroutine<(), (), Infallible, DefaultStack>;

/// The fibres of a launch.
struct Fibres {
    /// With the address and the size of each stack.
    all: Vec<(Fibre, u64, u64)>,
    /// The fibre of each waiting thread.
    of_threads: Vec<u32>,
    /// Fibres without a thread.
    idle: Vec<u32>,
}

impl Fibres {
    /// The number of a fibre that is free to run a thread.
    fn take_idle(&mut self, run: &Run<'_>) -> Result<u32> {
        if let Some(fibre) = self.idle.pop() {
            return Ok(fibre);
        }
        let stack = STACKS.with_borrow_mut(Vec::pop).map_or_else(|| DefaultStack::new(STACK), Ok);
        let stack = stack.map_err(|e| run.failed(format!("no stack for another thread of a block: {e}")))?;
        let (base, limit) = (stack.base().get() as u64, stack.limit().get() as u64);
        let run = ptr::from_ref(run).cast::<Run<'static>>();
        let body = move |yielder: &Yielder<(), ()>, ()| {
            // SAFETY: the run outlives its fibres, and only shared references to it exist.
            unsafe { &*run }.fibre(yielder)
        };
        self.all.push((Fibre::with_stack(stack, body), limit, base - limit));
        Ok(self.all.len() as u32 - 1)
    }

    /// Ends all fibres and keeps their stacks.
    fn reset(self) {
        for (mut fibre, ..) in self.all {
            // SAFETY: the stack holds C++ frames without destructors, `Run::fibre` and `Run::wait`, which
            // own nothing.
            unsafe { fibre.force_reset() };
            STACKS.with_borrow_mut(|stacks| stacks.push(fibre.into_stack()));
        }
    }
}

/// One launch, shared by fibres and scheduler.
struct Run<'a> {
    shape: Shape<'a>,
    entry: Entry,
    parameters: Vec<*const c_void>,
    environment: *mut Environment,
    schedule: RefCell<Schedule>,
    checker: Option<RefCell<Checker<'a>>>,
    /// The current block and thread.
    block: Cell<u32>,
    thread: Cell<u32>,
    /// The yielder of the current fibre.
    yielder: Cell<*const Yielder<(), ()>>,
    /// Whether the last fibre that ran has no thread any more.
    idle: Cell<bool>,
    /// The error that stopped the launch.
    stopped: Cell<Option<Error>>,
}

impl Run<'_> {
    /// Sets the callbacks of the text.
    fn connect(&self) {
        // SAFETY: the environment belongs to the instance, which only this launch uses; no text runs yet.
        let environment = unsafe { &mut *self.environment };
        environment.thread = Dim::index(0);
        environment.threads = Dim::count(self.shape.block);
        environment.blocks = Dim::count(self.shape.grid);
        environment.run = ptr::from_ref(self).cast();
        environment.barrier = Some(on_barrier);
        environment.shuffle = Some(on_shuffle);
        environment.access = Some(on_access);
        environment.panic = Some(on_panic);
    }

    fn failed(&self, reason: String) -> Error {
        super::refuse(self.shape.kernel, reason)
    }

    /// Runs the threads of a block.
    fn block(&self, block: u32, fibres: &mut Fibres) -> Result<()> {
        self.block.set(block);
        // SAFETY: as in `connect`; no fibre is running.
        unsafe { (*self.environment).block = Dim::index(block) };
        self.schedule.borrow_mut().begin();
        if let Some(checker) = &self.checker {
            checker.borrow_mut().begin_block();
        }
        while self.go_on()? {
            let next = self.schedule.borrow_mut().next();
            let Some((thread, fresh)) = next else { break };
            let fibre = if fresh { fibres.take_idle(self)? } else { fibres.of_threads[thread as usize] };
            self.resume(thread, fibre, fibres)?;
        }
        Ok(())
    }

    fn go_on(&self) -> Result<bool> {
        let stuck = self.schedule.borrow_mut().go_on();
        stuck.map_err(|stuck| self.stuck(stuck))
    }

    /// Resumes a fibre until it waits or its threads have ended.
    fn resume(&self, thread: u32, number: u32, fibres: &mut Fibres) -> Result<()> {
        let element = self.schedule.borrow().thread(thread).element;
        self.turn_to(thread, element);
        let (fibre, stack, stack_bytes) = &mut fibres.all[number as usize];
        // SAFETY: as in `connect`; no fibre is running.
        unsafe { ((*self.environment).stack, (*self.environment).stack_bytes) = (*stack, *stack_bytes) };
        match fibre.resume(()) {
            CoroutineResult::Yield(()) => {}
            CoroutineResult::Return(never) => match never {},
        }
        if self.idle.take() {
            fibres.idle.push(number);
        } else {
            fibres.of_threads[self.thread.get() as usize] = number;
        }
        self.stopped.take().map_or(Ok(()), Err)
    }

    /// The body of a fibre: runs its thread and then others that have not begun, and starts again when it gets another
    /// thread.
    fn fibre(&self, yielder: &Yielder<(), ()>) -> Infallible {
        self.yielder.set(yielder);
        loop {
            // SAFETY: the number and sizes of the parameters were compared with those of the text's function.
            unsafe { (self.entry)(self.parameters.as_ptr()) };
            let next = {
                let mut schedule = self.schedule.borrow_mut();
                schedule.end(self.thread.get(), self.element());
                schedule.next_fresh()
            };
            match next {
                Some(thread) => self.turn_to(thread, NO_ELEMENT),
                None => {
                    self.idle.set(true);
                    self.suspend();
                }
            }
        }
    }

    fn turn_to(&self, thread: u32, element: u32) {
        self.thread.set(thread);
        // SAFETY: as in `connect`; the text does not run meanwhile.
        let environment = unsafe { &mut *self.environment };
        environment.thread.x = thread;
        environment.element = element;
    }

    /// The element of the current thread.
    fn element(&self) -> u32 {
        // SAFETY: as in `connect`; the text does not run meanwhile.
        unsafe { (*self.environment).element }
    }

    /// Suspends the current thread until its wait is over.
    fn wait(&self, wait: Wait) {
        let stuck = self.schedule.borrow_mut().wait(self.thread.get(), self.element(), wait);
        if let Err(stuck) = stuck {
            self.stop(self.stuck(stuck));
        }
        self.suspend();
    }

    /// Suspends the current fibre.
    fn suspend(&self) {
        let yielder = self.yielder.get();
        // SAFETY: it belongs to the fibre on whose stack this runs, so it is alive.
        unsafe { &*yielder }.suspend(());
        self.yielder.set(yielder);
    }

    /// Ends the launch with an error. The current thread never continues.
    fn stop(&self, why: Error) -> ! {
        self.stopped.set(Some(why));
        loop {
            self.suspend();
        }
    }

    fn access(&self, address: u64, bytes: u64, access: Access, align: u32) {
        let Some(checker) = &self.checker else { return };
        if access == Access::Atomic && self.schedule.borrow_mut().pauses() {
            self.wait(Wait::Pause);
        }
        let who = Who::new(self.block.get(), self.thread.get(), self.schedule.borrow().barriers(), self.element());
        let checked = checker.borrow_mut().access(address, bytes, access, align, who);
        if let Err(trouble) = checked {
            let fault = checker.borrow().fault(self.shape.kernel, address, bytes, access, who, trouble);
            self.stop(Error::Fault(fault));
        }
    }

    fn culprit(&self, thread: u32) -> Culprit {
        let element = self.schedule.borrow().thread(thread).element;
        Culprit { block: self.block.get(), thread, element }
    }

    fn stuck(&self, stuck: Stuck) -> Error {
        let state = |thread| self.schedule.borrow().thread(thread).state;
        Error::Fault(fault::stuck(self.shape.kernel, stuck, |thread| self.culprit(thread), state))
    }
}

/// `__syncthreads`.
unsafe extern "C" fn on_barrier(run: *const c_void) {
    // SAFETY: the text passes the address that `Run::connect` gave it.
    unsafe { &*run.cast::<Run<'_>>() }.wait(Wait::Barrier);
}

/// A shuffle: returns the value of another lane of the wave.
unsafe extern "C" fn on_shuffle(run: *const c_void, mask: u64, value: u32, lane: u32) -> u32 {
    // SAFETY: as in `on_barrier`.
    let run = unsafe { &*run.cast::<Run<'_>>() };
    run.wait(Wait::Shuffle { mask, value, lane });
    run.schedule.borrow().received(run.thread.get())
}

/// An access to memory that is about to happen.
unsafe extern "C" fn on_access(run: *const c_void, address: u64, bytes: u64, access: u32, align: u32) {
    // SAFETY: as in `on_barrier`.
    unsafe { &*run.cast::<Run<'_>>() }.access(address, bytes, Access::of(access), align);
}

/// An operation that panics on a CPU.
unsafe extern "C" fn on_panic(run: *const c_void, number: u64, found: u64, expected: u64) {
    // SAFETY: as in `on_barrier`.
    let run = unsafe { &*run.cast::<Run<'_>>() };
    let panic = Panic::of(number, found, expected);
    run.stop(Error::Panic { kernel: run.shape.kernel.to_owned(), element: run.element(), panic });
}
