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
use corosensei::stack::{DefaultStack, Stack};
use corosensei::{Coroutine, CoroutineResult, Yielder};
use fastrand::Rng;
use std::cell::{Cell, RefCell};
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
        fault: Cell::new(None),
    };
    run.connect();
    let mut fibres = Fibres { waiting: Vec::new(), stacks: STACKS.take() };
    fibres.waiting.resize_with(shape.block as usize, || None);
    let done = blocks.into_iter().try_for_each(|block| run.block(block, &mut fibres));
    fibres.reset();
    STACKS.set(fibres.stacks);
    done
}

thread_local! {
    /// Stacks that are free.
    static STACKS: Cell<Vec<DefaultStack>> = const { Cell::new(Vec::new()) };
}

type Fibre = Coroutine<(), Wait, (), DefaultStack>;

/// A fibre that waits, with the address and size of its stack.
struct Waiting {
    fibre: Fibre,
    stack: (u64, u64),
}

struct Fibres {
    /// By thread.
    waiting: Vec<Option<Waiting>>,
    stacks: Vec<DefaultStack>,
}

impl Fibres {
    /// A fibre which begins with a thread.
    fn start(&mut self, run: &Run<'_>, thread: u32) -> Result<Waiting> {
        let stack = self.stacks.pop().map_or_else(|| DefaultStack::new(STACK), Ok);
        let stack = stack.map_err(|e| run.failed(format!("no stack for thread {thread}: {e}")))?;
        let (base, limit) = (stack.base().get() as u64, stack.limit().get() as u64);
        let run = ptr::from_ref(run).cast::<Run<'static>>();
        let body = move |yielder: &Yielder<(), Wait>, ()| {
            // SAFETY: the run is alive as long as its fibres are, and only shared references to it exist.
            unsafe { &*run }.fibre(thread, yielder);
        };
        Ok(Waiting { fibre: Fibre::with_stack(stack, body), stack: (limit, base - limit) })
    }

    /// Takes the stacks of all fibres away from them.
    fn reset(&mut self) {
        for mut waiting in self.waiting.drain(..).flatten() {
            // SAFETY: on the stack are frames of C++ without destructors, `Run::fibre` and `Run::wait`, which
            // own nothing.
            unsafe { waiting.fibre.force_reset() };
            self.stacks.push(waiting.fibre.into_stack());
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
    yielder: Cell<*const Yielder<(), Wait>>,
    fault: Cell<Option<String>>,
}

impl Run<'_> {
    /// Tells the text whom to call.
    fn connect(&self) {
        // SAFETY: the machine belongs to the instance, which this launch has for itself; no text runs yet.
        let machine = unsafe { &mut *self.machine };
        machine.threads = Dim::count(self.shape.block);
        machine.blocks = Dim::count(self.shape.grid);
        machine.run = ptr::from_ref(self).cast();
        machine.barrier = Some(on_barrier);
        machine.shuffle = Some(on_shuffle);
        machine.access = Some(on_access);
        machine.index = Some(on_index);
    }

    fn failed(&self, reason: String) -> Error {
        super::refuse(self.shape.kernel, reason)
    }

    /// Runs the threads of a block.
    fn block(&self, block: u32, fibres: &mut Fibres) -> Result<()> {
        self.block.set(block);
        self.schedule.borrow_mut().begin();
        if let Some(checker) = &self.checker {
            checker.borrow_mut().begin_block();
        }
        while self.go_on()? {
            let next = self.schedule.borrow_mut().next();
            let Some(thread) = next else { break };
            let fibre = match fibres.waiting[thread as usize].take() {
                Some(waiting) => waiting,
                None => fibres.start(self, thread)?,
            };
            self.resume(thread, fibre, fibres)?;
        }
        Ok(())
    }

    fn go_on(&self) -> Result<bool> {
        let stuck = self.schedule.borrow_mut().go_on();
        stuck.map_err(|stuck| self.stuck(stuck))
    }

    /// Lets a fibre run until it waits or ends.
    fn resume(&self, thread: u32, mut waiting: Waiting, fibres: &mut Fibres) -> Result<()> {
        let element = self.schedule.borrow().thread(thread).element;
        self.turn_to(thread, element);
        // SAFETY: as in `connect`; fibres stand still.
        unsafe { ((*self.machine).stack, (*self.machine).stack_bytes) = waiting.stack };
        match waiting.fibre.resume(()) {
            CoroutineResult::Return(()) => fibres.stacks.push(waiting.fibre.into_stack()),
            CoroutineResult::Yield(wait) => {
                let thread = self.thread.get();
                fibres.waiting[thread as usize] = Some(waiting);
                let stuck = self.schedule.borrow_mut().wait(thread, self.element(), wait);
                stuck.map_err(|stuck| self.stuck(stuck))?;
            }
        }
        self.fault.take().map_or(Ok(()), |fault| Err(Error::Fault(fault)))
    }

    /// What a fibre does: its thread, and others that have not begun.
    fn fibre(&self, thread: u32, yielder: &Yielder<(), Wait>) {
        self.yielder.set(yielder);
        let mut next = Some(thread);
        while let Some(thread) = next {
            self.turn_to(thread, fault::NO_ELEMENT);
            // SAFETY: the text's function takes these parameters: their number and sizes were compared.
            unsafe { (self.entry)(self.parameters.as_ptr()) };
            let mut schedule = self.schedule.borrow_mut();
            schedule.end(self.thread.get(), self.element());
            next = schedule.next_fresh();
        }
    }

    fn turn_to(&self, thread: u32, element: u32) {
        self.thread.set(thread);
        // SAFETY: as in `connect`; the text does not run while this does.
        let machine = unsafe { &mut *self.machine };
        machine.thread = Dim::index(thread);
        machine.block = Dim::index(self.block.get());
        machine.element = element;
    }

    /// The element that the running thread is at.
    fn element(&self) -> u32 {
        // SAFETY: as in `connect`; the text does not run while this does.
        unsafe { (*self.machine).element }
    }

    /// Stops the thread that runs.
    fn wait(&self, wait: Wait) {
        let yielder = self.yielder.get();
        // SAFETY: it is that of the fibre on whose stack this runs, so it is alive.
        unsafe { &*yielder }.suspend(wait);
        self.yielder.set(yielder);
    }

    /// Stops the thread that runs for good.
    fn stop(&self, fault: String) -> ! {
        self.fault.set(Some(fault));
        loop {
            self.wait(Wait::Fault);
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
            self.stop(fault);
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

/// An index beyond its array.
unsafe extern "C" fn on_index(run: *const c_void, index: u64, length: u64) {
    // SAFETY: as in `on_barrier`.
    let run = unsafe { &*run.cast::<Run<'_>>() };
    let place = Place { block: run.block.get(), thread: run.thread.get(), element: run.element() };
    run.stop(fault::index(run.shape.kernel, place, index, length));
}
