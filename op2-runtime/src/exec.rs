//! The executors: who runs the elements of a loop, and in which order.

mod redirect;
mod shares;

use crate::device::Machine;
use crate::error::{Error, Result};
use crate::op::Backend;
use crate::plan::Plan;
use crate::stages::Form;
use crate::triad::triad;
use crate::view::Elems;
pub(crate) use redirect::Detour;
use shares::Shares;
pub(crate) use shares::share;
use std::ops::Range;

/// What the macros make of a loop: its body for a range of elements, and how partial results of
/// its reductions go together.
///
/// The body exists three times: `fast` for consecutive elements of AoS dats, `listed` for a list of
/// elements of AoS dats, `general` for everything else. `stages` takes the number of a form and how many positions go through
/// its stages at a time. Each returns the partial result of the elements it ran.
pub(crate) struct Body<F, L, G, S, C> {
    pub(crate) fast: F,
    pub(crate) listed: L,
    pub(crate) general: G,
    pub(crate) stages: S,
    pub(crate) absorb: C,
}

/// Whether a loop may use the bodies for AoS dats, what leads its positions to elements, and the form it runs in if it is one
/// in stages.
#[derive(Clone, Copy)]
pub(crate) struct Course<'a> {
    pub(crate) all_aos: bool,
    pub(crate) list: Option<&'a [u32]>,
    pub(crate) form: Option<Form>,
}

/// Where loops run.
pub(crate) enum Executor {
    /// The calling thread, element after element.
    Seq,
    /// Threads of a pool of its own.
    Threads(rayon::ThreadPool),
    /// A GPU, or the emulator of one.
    Device(Box<Machine>),
}

impl Executor {
    pub(crate) fn new(backend: Backend, emulation: op2_cuda::Options) -> Result<Self> {
        let threads = match backend {
            Backend::Seq => return Ok(Executor::Seq),
            Backend::Threads(threads) => threads,
            Backend::Cuda(_) | Backend::CudaEmu => {
                return Ok(Executor::Device(Box::new(Machine::open(backend, emulation)?)));
            }
        };
        let fault = |reason: String| Error::Threads { threads, reason };
        if threads == 0 {
            return Err(fault("expected at least 1".to_owned()));
        }
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).thread_name(|n| format!("op2-{n}"));
        Ok(Executor::Threads(pool.build().map_err(|e| fault(e.to_string()))?))
    }

    /// The threads, if there is more than one.
    pub(crate) fn pool(&self) -> Option<&rayon::ThreadPool> {
        match self {
            Executor::Threads(pool) if pool.current_num_threads() > 1 => Some(pool),
            _ => None,
        }
    }

    /// The device, if loops run on one.
    pub(crate) fn device(&self) -> Option<&Machine> {
        match self {
            Executor::Device(machine) => Some(machine),
            _ => None,
        }
    }

    /// The device, to be changed.
    pub(crate) fn device_mut(&mut self) -> Option<&mut Machine> {
        match self {
            Executor::Device(machine) => Some(machine),
            _ => None,
        }
    }

    pub(crate) fn backend(&self) -> Backend {
        match self {
            Executor::Seq => Backend::Seq,
            Executor::Threads(pool) => Backend::Threads(pool.current_num_threads()),
            Executor::Device(machine) => machine.backend(),
        }
    }

    /// Bandwidth of the machine with this executor's threads, or of the device's memory, GB/s; 0 for the emulator.
    pub(crate) fn triad(&self) -> f64 {
        match self {
            Executor::Seq => triad(None),
            Executor::Threads(pool) => triad(Some(pool)),
            Executor::Device(machine) => machine.bandwidth(),
        }
    }
}

impl<F, L, G, S, C, R> Body<F, L, G, S, C>
where
    F: Fn(Range<usize>) -> R + Sync,
    L: Fn(&[u32]) -> R + Sync,
    G: Fn(Elems<'_>) -> R + Sync,
    S: Fn(usize, Elems<'_>, usize) -> R + Sync,
    C: Fn(&mut R, &R) + Sync,
    R: Send,
{
    /// The reference: all positions in order.
    pub(crate) fn run_seq(&self, positions: usize, course: Course<'_>) -> R {
        self.run_range(0..positions, course)
    }

    /// The plan's colours one after the other, the blocks of a colour on all threads of `pool`, or on
    /// the calling thread.
    ///
    /// Partial results are kept per block and absorbed in the order of the blocks, which does not
    /// depend on the threads.
    pub(crate) fn run_plan(&self, pool: Option<&rayon::ThreadPool>, plan: &Plan, course: Course<'_>) -> R {
        self.run_plan_by(pool, plan, course, &|block| self.run_range(plan.block(block), course))
    }

    /// The same, with blocks run by `run_block`. It is called once for a block, so that the compiler may see this function
    /// once for a loop.
    fn run_plan_by(
        &self,
        pool: Option<&rayon::ThreadPool>,
        plan: &Plan,
        course: Course<'_>,
        run_block: &(dyn Fn(usize) -> R + Sync),
    ) -> R {
        let mut parts: Vec<Option<R>> = Vec::new();
        parts.resize_with(plan.blocks(), || None);
        let slots = Slots(parts.as_mut_ptr());
        let run = |block: u32| {
            let part = run_block(block as usize);
            // SAFETY: `parts` has one slot per block and outlives the loop; a block runs once, so
            // that nobody else touches its slot.
            unsafe { slots.put(block as usize, part) };
        };
        let colours = || (0..plan.colours()).map(|colour| plan.blocks_of(colour));
        match pool {
            Some(pool) => {
                let mut shares = Shares::new(pool.current_num_threads());
                pool.install(|| colours().for_each(|blocks| shares.run(blocks, &run)));
            }
            None => colours().flatten().copied().for_each(run),
        }
        let mut parts = parts.into_iter().flatten();
        let mut total = parts.next().unwrap_or_else(|| self.run_seq(0, course));
        parts.for_each(|part| (self.absorb)(&mut total, &part));
        total
    }

    fn run_range(&self, positions: Range<usize>, course: Course<'_>) -> R {
        match course {
            Course { list, form: Some(Form { number, size }), .. } => {
                (self.stages)(number, Elems { positions, list, lanes: &[] }, size)
            }
            Course { all_aos: true, list: None, .. } => (self.fast)(positions),
            Course { all_aos: true, list: Some(list), .. } => (self.listed)(&list[positions]),
            Course { list, .. } => (self.general)(Elems { positions, list, lanes: &[] }),
        }
    }
}

/// One slot per block for its partial result, written by different threads.
struct Slots<R>(*mut Option<R>);

// SAFETY: the slots are written at distinct places only, see `run_plan_by`.
unsafe impl<R: Send> Sync for Slots<R> {}

impl<R> Slots<R> {
    /// # Safety
    /// `block` is a slot and no other thread touches it.
    unsafe fn put(&self, block: usize, part: R) {
        // SAFETY: passed on to the caller.
        unsafe { *self.0.add(block) = Some(part) };
    }
}
