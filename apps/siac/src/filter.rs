//! The filter for degrees that are known when the program runs.
//!
//! Loops are compiled for each degree P of the kernel, with u_h of degree P and of degree [`MAX_SOLUTION_DEGREE`]: each further one takes
//! some 15 s to compile. A polynomial of a degree between has zeros beyond its own.

use op2::Op2;
use op2_apps::flaw::Flaw;

use crate::loops;
use crate::reference::{self, Method, Outcome};
use crate::stencil::Stencils;
use crate::task::Task;
use crate::{Error, Result};

/// The greatest degree of u_h.
pub const MAX_SOLUTION_DEGREE: usize = 7;

/// Fails if the filter cannot be applied.
///
/// # Errors
/// [`Error::Mesh`] for a degree without loops, a scale or a point that cannot be.
pub fn check(task: &Task) -> Result<()> {
    dispatched(task, Check(task))
}

/// Filters by loops of op2; the report of `op` tells how the pairs were found.
///
/// # Errors
/// As [`check`], and [`Error::Op2`] for memory that the system lacks, strategies and devices that cannot be had.
pub fn by_loops(op: &mut Op2, method: Method, task: &Task) -> Result<Outcome> {
    dispatched(task, ByLoops { op, method, task })
}

/// Filters by plain loops, on one thread.
///
/// # Errors
/// As [`check`].
pub fn by_plain_loops(method: Method, task: &Task) -> Result<Outcome> {
    dispatched(task, ByPlainLoops { method, task })
}

/// Work on a task, generic over its degrees, so that the compiler knows them.
trait Job {
    /// The result.
    type Output;

    fn run<const N: usize, const M: usize, const D: usize, const Q: usize>(self) -> Result<Self::Output>;
}

struct Check<'a>(&'a Task);

impl Job for Check<'_> {
    type Output = ();

    fn run<const N: usize, const M: usize, const D: usize, const Q: usize>(self) -> Result<()> {
        let Task { points, h, boundary, .. } = self.0;
        Ok(Stencils::<N, M>::new(points, *h, *boundary).map(drop)?)
    }
}

struct ByLoops<'a> {
    op: &'a mut Op2,
    method: Method,
    task: &'a Task,
}

impl Job for ByLoops<'_> {
    type Output = Outcome;

    fn run<const N: usize, const M: usize, const D: usize, const Q: usize>(self) -> Result<Outcome> {
        let Self { op, method, task } = self;
        let stencils = Stencils::<N, M>::new(&task.points, task.h, task.boundary)?;
        Ok(loops::filtered::<N, M, D, Q>(op, method, &task.corners, &task.solution, &stencils)?)
    }
}

struct ByPlainLoops<'a> {
    method: Method,
    task: &'a Task,
}

impl Job for ByPlainLoops<'_> {
    type Output = Outcome;

    fn run<const N: usize, const M: usize, const D: usize, const Q: usize>(self) -> Result<Outcome> {
        let Self { method, task } = self;
        let stencils = Stencils::<N, M>::new(&task.points, task.h, task.boundary)?;
        Ok(reference::filtered::<N, M, D, Q>(method, &task.corners, &task.solution, &stencils))
    }
}

/// Unit tests have the first loops alone: the others take longer to compile than all the rest.
fn dispatched<J: Job>(task: &Task, job: J) -> Result<J::Output> {
    // P + 1, 3P + 1, the number of coefficients of u_h in a direction, and that of the points of the rule.
    match (task.degree, task.solution.degree()) {
        (1, 0..=1) => job.run::<2, 4, 2, 4>(),
        #[cfg(not(test))]
        (1, 2..=7) => job.run::<2, 4, 8, 19>(),
        #[cfg(not(test))]
        (2, 0..=2) => job.run::<3, 7, 3, 12>(),
        #[cfg(not(test))]
        (2, 3..=7) => job.run::<3, 7, 8, 36>(),
        #[cfg(not(test))]
        (3, 0..=3) => job.run::<4, 10, 4, 19>(),
        #[cfg(not(test))]
        (3, 4..=7) => job.run::<4, 10, 8, 49>(),
        (degree, solution) => Err(Error::Mesh(Flaw::of_mesh(format!(
            "P is {degree} and u_h has degree {solution}, expected P = 1, 2 or 3 and a degree from 0 to {MAX_SOLUTION_DEGREE}: \
             project u_h into polynomials of a lower degree"
        )))),
    }
}
