//! A run of a solver: its time loop, its results, and its output for users.

use std::io;
use std::path::Path;
use std::time::Instant;

use op2::{Reordering, Report};

use crate::file::{self, write_atomically};
use crate::options::Outputs;
use crate::terminal::{progress, say};

/// The results of a run: residuals of type `R`, and states of `N` numbers.
#[derive(Clone, Debug)]
pub struct Run<R, const N: usize> {
    /// Seconds that the iterations took, without mesh, plans before the first loop, and output.
    pub seconds: f64,
    /// One entry per iteration, in order.
    pub residuals: Vec<R>,
    /// The solution, one state per element.
    pub q: Vec<[f64; N]>,
    /// The report of the reordering, if one was asked for.
    pub reordering: Option<Reordering>,
    /// The report on the loops, next to the bandwidth of the machine; `None` for loops without op2.
    pub report: Option<Report>,
}

impl<R, const N: usize> Default for Run<R, N> {
    /// A run that has done nothing.
    fn default() -> Self {
        Run { seconds: 0.0, residuals: Vec::new(), q: Vec::new(), reordering: None, report: None }
    }
}

/// The time loop alone.
#[derive(Clone, Debug)]
pub struct Iterations<R> {
    /// Seconds that it took.
    pub seconds: f64,
    /// One entry per iteration, in order.
    pub residuals: Vec<R>,
}

impl<R> Iterations<R> {
    /// Runs `iterate` with the numbers from 1 on; `progress` is called after every iteration, and stops the run by
    /// returning an error.
    ///
    /// # Errors
    ///
    /// Those of `iterate` and of `progress`.
    pub fn of<E>(
        iterations: usize,
        mut iterate: impl FnMut(usize) -> Result<R, E>,
        progress: &mut dyn FnMut(&R) -> Result<(), E>,
    ) -> Result<Self, E> {
        let mut residuals = Vec::with_capacity(iterations.min(1 << 16));
        let start = Instant::now();
        for iteration in 1..=iterations {
            let residual = iterate(iteration)?;
            progress(&residual)?;
            residuals.push(residual);
        }
        Ok(Iterations { seconds: start.elapsed().as_secs_f64(), residuals })
    }
}

/// Runs `solve` with a progress bar on standard error, and prints the line of every iteration that is a multiple of `every`,
/// and of the last one.
///
/// # Errors
///
/// Those of `solve`, and standard output that cannot be written.
pub fn watched<R, T, E: From<file::Error>>(
    iterations: usize,
    every: usize,
    line: impl Fn(&R) -> String,
    solve: impl FnOnce(&mut dyn FnMut(&R) -> Result<(), E>) -> Result<T, E>,
) -> Result<T, E> {
    let bar = progress(iterations);
    let mut iteration = 0;
    let solved = solve(&mut |residual| {
        iteration += 1;
        bar.inc(1);
        if iteration % every == 0 || iteration == iterations {
            bar.suspend(|| say(&line(residual)))?;
        }
        Ok(())
    });
    bar.finish_and_clear();
    solved
}

/// How an app writes the files that are its own.
pub struct Writers<'a> {
    /// The report as JSON.
    pub report: &'a dyn Fn(&Path) -> Result<(), file::Error>,
    /// The history of the residual.
    pub plot: &'a dyn Fn(&Path) -> Result<(), file::Error>,
    /// The solution for ParaView.
    pub vtk: &'a dyn Fn(&Path) -> Result<(), file::Error>,
}

impl<R, const N: usize> Run<R, N> {
    /// The last lines of a run.
    pub fn conclusion(&self) -> String {
        let reordering = self.reordering.as_ref().map(|account| format!("\n{account}\n"));
        let loops = self.report.as_ref().map(|report| format!("\n{}\n", report.to_string().trim_end()));
        reordering.unwrap_or_default() + &loops.unwrap_or_default() + &format!("time loop: {:.3} s", self.seconds)
    }

    /// Writes all files that are asked for, even if earlier ones fail.
    pub fn write(&self, outputs: &Outputs, writers: &Writers<'_>) -> Vec<Result<(), file::Error>> {
        let write = |path: &Option<_>, by: &dyn Fn(&Path) -> _| path.as_deref().map(by);
        let written = [
            write(&outputs.dump_q, &|path| self.dump(path)),
            write(&outputs.report, writers.report),
            write(&outputs.plot, writers.plot),
            write(&outputs.loops, &|path| self.draw_loops(path)),
            write(&outputs.vtk, writers.vtk),
        ];
        written.into_iter().flatten().collect()
    }

    /// The solution as plain text: one line per element, its numbers with 17 significant digits, from which a double is read
    /// back exactly.
    fn dump(&self, path: &Path) -> Result<(), file::Error> {
        write_atomically(path, |out| {
            for q in &self.q {
                for (n, number) in q.iter().enumerate() {
                    write!(out, "{}{number:.16e}", if n == 0 { "" } else { " " })?;
                }
                writeln!(out)?;
            }
            Ok(())
        })
    }

    fn draw_loops(&self, path: &Path) -> Result<(), file::Error> {
        write_atomically(path, |out| {
            let report = self.report.as_ref().ok_or_else(|| io::Error::other("the run has no report of its loops"))?;
            out.write_all(report.to_svg().as_bytes())
        })
    }
}
