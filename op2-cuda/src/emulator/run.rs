//! One launch: blocks one behind another in a random order, the threads of a block as fibres.
//!
//! A fibre runs a thread; if that ends without ever having waited, the same fibre runs the next one, so that threads
//! which do not wait cost no switch. Everything happens on the calling thread of the host: what fibres and scheduler
//! share are cells, and no borrow of one lasts over a switch.

use super::check::Checker;
use super::fault::{self, Place};
use super::library::{Dim, Entry, Instance, Machine};
use super::memory::Pool;
use super::schedule::{Schedule, Stuck, Wait};
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

/// Bytes of a fibre's stack, which a kernel's local variables have to fit in.
const STACK: usize = 256 * 1024;

/// What is launched.
#[derive(Debug, Clone, Copy)]
pub(super) struct Shape<'a> {
    pub(super) kernel: &'a str,
    pub(super) grid: u32,
    pub(super) block: u32,
    pub(super) shared: u32,
}

/// Where random orders start from.
pub(super) struct Order(Rng);

impl Order {
    /// The order of a launch, by its number.
    pub(super) fn of(seed: u64, launch: u64) -> Self {
        // Any odd number sends neighbouring launches far apart.
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
        machine: instance.machine(),
        schedule: RefCell::new(Schedule::new(shape.block, random)),
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
    /// Stacks that are free.
    static STACKS: RefCell<Vec<DefaultStack>> = const { RefCell::new(Vec::new()) };
}

/// What it waits for is told to the schedule.
type Fibre = Coroutine<(), (), Infallible, DefaultStack>;

/// The fibres of a launch.
struct Fibres {
    /// With the address and the size of their stacks.
    all: Vec<(Fibre, u64, u64)>,
    /// Which one a thread is on that waits.
    of_threads: Vec<u32>,
    /// Those without a thread.
    idle: Vec<u32>,
}

impl Fibres {
    /// The number of a fibre that takes on a thread.
    fn take_idle(&mut self, run: &Run<'_>) -> Result<u32> {
        if let Some(fibre) = self.idle.pop() {
            return Ok(fibre);
        }
        let stack = STACKS.with_borrow_mut(Vec::pop).map_or_else(|| DefaultStack::new(STACK), Ok);
        let stack = stack.map_err(|e| run.failed(format!("no stack for another thread of a block: {e}")))?;
        let (base, limit) = (stack.base().get() as u64, stack.limit().get() as u64);
        let run = ptr::from_ref(run).cast::<Run<'static>>();
        let body = move |yielder: &Yielder<(), ()>, ()| {
            // SAFETY: the run is alive as long as its fibres are, and only shared references to it exist.
            unsafe { &*run }.fibre(yielder)
        };
        self.all.push((Fibre::with_stack(stack, body), limit, base - limit));
        Ok(self.all.len() as u32 - 1)
    }

    /// Takes the stacks of all fibres away from them.
    fn reset(self) {
        for (mut fibre, ..) in self.all {
            // SAFETY: on the stack are frames of C++ without destructors, `Run::fibre` and `Run::wait`, which
            // own nothing.
            unsafe { fibre.force_reset() };
            STACKS.with_borrow_mut(|stacks| stacks.push(fibre.into_stack()));
        }
    }
}

/// One launch, as fibres and scheduler see it.
struct Run<'a> {
    shape: Shape<'a>,
    entry: Entry,
    parameters: Vec<*const c_void>,
    machine: *mut Machine,
    schedule: RefCell<Schedule>,
    checker: Option<RefCell<Checker<'a>>>,
    /// The block and the thread that run.
    block: Cell<u32>,
    thread: Cell<u32>,
    /// That of the fibre that runs.
    yielder: Cell<*const Yielder<(), ()>>,
    /// Whether the fibre that ran last has no thread.
    idle: Cell<bool>,
    /// Why nothing goes on.
    stopped: Cell<Option<Error>>,
}

impl Run<'_> {
    /// Tells the text whom to call.
    fn connect(&self) {
        // SAFETY: the machine belongs to the instance, which this launch has for itself; no text runs yet.
        let machine = unsafe { &mut *self.machine };
        machine.thread = Dim::index(0);
        machine.threads = Dim::count(self.shape.block);
        machine.blocks = Dim::count(self.shape.grid);
        machine.run = ptr::from_ref(self).cast();
        machine.barrier = Some(on_barrier);
        machine.shuffle = Some(on_shuffle);
        machine.access = Some(on_access);
        machine.panic = Some(on_panic);
    }

    fn failed(&self, reason: String) -> Error {
        super::refuse(self.shape.kernel, reason)
    }

    /// Runs the threads of a block.
    fn block(&self, block: u32, fibres: &mut Fibres) -> Result<()> {
        self.block.set(block);
        // SAFETY: as in `connect`; fibres stand still.
        unsafe { (*self.machine).block = Dim::index(block) };
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

    /// Lets a fibre run until it waits or its threads have ended.
    fn resume(&self, thread: u32, number: u32, fibres: &mut Fibres) -> Result<()> {
        let element = self.schedule.borrow().thread(thread).element;
        self.turn_to(thread, element);
        let (fibre, stack, stack_bytes) = &mut fibres.all[number as usize];
        // SAFETY: as in `connect`; fibres stand still.
        unsafe { ((*self.machine).stack, (*self.machine).stack_bytes) = (*stack, *stack_bytes) };
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

    /// What a fibre does: the thread that it was given and others that have not begun; then the same again.
    fn fibre(&self, yielder: &Yielder<(), ()>) -> Infallible {
        self.yielder.set(yielder);
        loop {
            // SAFETY: the text's function takes these parameters: their number and sizes were compared.
            unsafe { (self.entry)(self.parameters.as_ptr()) };
            let next = {
                let mut schedule = self.schedule.borrow_mut();
                schedule.end(self.thread.get(), self.element());
                schedule.next_fresh()
            };
            match next {
                Some(thread) => self.turn_to(thread, fault::NO_ELEMENT),
                None => {
                    self.idle.set(true);
                    self.suspend();
                }
            }
        }
    }

    fn turn_to(&self, thread: u32, element: u32) {
        self.thread.set(thread);
        // SAFETY: as in `connect`; the text does not run while this does.
        let machine = unsafe { &mut *self.machine };
        machine.thread.x = thread;
        machine.element = element;
    }

    /// The element that the running thread is at.
    fn element(&self) -> u32 {
        // SAFETY: as in `connect`; the text does not run while this does.
        unsafe { (*self.machine).element }
    }

    /// Stops the thread that runs until it has what it waits for.
    fn wait(&self, wait: Wait) {
        let stuck = self.schedule.borrow_mut().wait(self.thread.get(), self.element(), wait);
        if let Err(stuck) = stuck {
            self.stop(self.stuck(stuck));
        }
        self.suspend();
    }

    /// Leaves the fibre until it is resumed.
    fn suspend(&self) {
        let yielder = self.yielder.get();
        // SAFETY: it is that of the fibre on whose stack this runs, so it is alive.
        unsafe { &*yielder }.suspend(());
        self.yielder.set(yielder);
    }

    /// Stops the thread that runs for good.
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

    fn place(&self, thread: u32) -> Place {
        let element = self.schedule.borrow().thread(thread).element;
        Place { block: self.block.get(), thread, element }
    }

    fn stuck(&self, stuck: Stuck) -> Error {
        let state = |thread| self.schedule.borrow().thread(thread).state;
        Error::Fault(fault::stuck(self.shape.kernel, stuck, |thread| self.place(thread), state))
    }
}

/// `__syncthreads`.
unsafe extern "C" fn on_barrier(run: *const c_void) {
    // SAFETY: the text passes on what `Run::connect` gave it.
    unsafe { &*run.cast::<Run<'_>>() }.wait(Wait::Barrier);
}

/// A shuffle, of what is to come from a lane of the warp.
unsafe extern "C" fn on_shuffle(run: *const c_void, mask: u32, value: u32, lane: u32) -> u32 {
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
