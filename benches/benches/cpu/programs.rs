//! The programs that are measured: airfoil, hydra's heavy loops, and a loop that only computes.

use std::time::Instant;

use airfoil::solver::Airfoil;
use hydra::solver::Flow;
use op2::prelude::*;
use op2::{Float, Isa, Report, sets};
use op2_benches::Outcome;

/// Something with loops.
pub(crate) trait Program {
    fn op(&mut self) -> &mut Op2;
    /// Runs all loops, `iteration` times before this.
    fn iterate(&mut self, iteration: usize) -> Outcome;
}

/// One program in one round.
pub(crate) struct Sample {
    /// Seconds of an iteration, including the time between loops.
    pub(crate) seconds: f64,
    iterations: usize,
    report: Report,
}

impl Sample {
    /// Runs `iterations` iterations, then measures triad.
    pub(crate) fn of(program: &mut dyn Program, iterations: usize) -> Outcome<Sample> {
        program.op().reset_report();
        let start = Instant::now();
        for iteration in 1..=iterations {
            program.iterate(iteration)?;
        }
        let seconds = start.elapsed().as_secs_f64() / iterations as f64;
        Ok(Sample { seconds, iterations, report: program.op().report() })
    }

    /// 1e9 bytes per second.
    pub(crate) fn triad(&self) -> f64 {
        self.report.triad_gb_per_s
    }

    /// The whole iteration's useful bytes per second as a part of triad.
    pub(crate) fn of_triad(&self) -> f64 {
        let bytes: u64 = self.report.loops.iter().map(|row| row.useful_bytes).sum();
        bytes as f64 / (self.iterations as f64 * self.seconds * 1e9 * self.triad())
    }

    /// A loop's useful bytes per second as a part of triad.
    pub(crate) fn loop_of_triad(&self, name: &str) -> Outcome<f64> {
        Ok(self.row(name)?.triad_share)
    }

    /// Seconds of a loop, of all its executions.
    pub(crate) fn loop_seconds(&self, name: &str) -> Outcome<f64> {
        Ok(self.row(name)?.seconds)
    }

    /// Operations of a loop per second, in 1e9.
    pub(crate) fn loop_gflops(&self, name: &str) -> Outcome<f64> {
        let row = self.row(name)?;
        Ok(row.flops as f64 / row.seconds / 1e9)
    }

    /// The strategy of each loop, in a word or two.
    pub(crate) fn strategies(&self) -> Vec<String> {
        self.report.loops.iter().map(|row| format!("{}: {}", row.name, row.strategy)).collect()
    }

    fn row(&self, name: &str) -> Outcome<&op2::report::LoopRow> {
        self.report.loops.iter().find(|row| row.name == name).ok_or_else(|| format!("no loop `{name}` ran").into())
    }
}

impl<F: Float> Program for Airfoil<F> {
    fn op(&mut self) -> &mut Op2 {
        &mut self.op
    }

    fn iterate(&mut self, iteration: usize) -> Outcome {
        Airfoil::iterate(self, iteration)?;
        Ok(())
    }
}

/// The same loops, each of which runs to its end before the next one begins.
pub(crate) struct OneByOne(pub(crate) Airfoil<f64>);

impl Program for OneByOne {
    fn op(&mut self) -> &mut Op2 {
        &mut self.0.op
    }

    fn iterate(&mut self, _iteration: usize) -> Outcome {
        self.0.save_soln()?;
        for _step in 0..2 {
            self.0.adt_calc()?;
            self.0.res_calc()?;
            self.0.bres_calc()?;
            self.0.update()?;
        }
        Ok(())
    }
}

/// A loop of hydra's flow.
type Step = fn(&mut Flow<f64>) -> op2::Result<()>;

/// hydra's heavy loops.
pub(crate) const HEAVY: [(&str, Step); 4] =
    [("accu", Flow::accu), ("edgecon", Flow::edgecon), ("vflux", Flow::vflux), ("iflux", Flow::iflux)];

/// Only these loops, on the data at the start of a step.
pub(crate) struct Heavy(Flow<f64>);

impl Heavy {
    pub(crate) fn new(mut flow: Flow<f64>) -> Outcome<Heavy> {
        flow.prepare()?;
        flow.fluxes(1.0)?;
        Ok(Heavy(flow))
    }
}

impl Program for Heavy {
    fn op(&mut self) -> &mut Op2 {
        &mut self.0.op
    }

    fn iterate(&mut self, _iteration: usize) -> Outcome {
        HEAVY.iter().try_for_each(|(_, run)| run(&mut self.0))?;
        Ok(())
    }
}

sets! { Elements }

/// Elements of the loop that computes: few enough for a cache.
const ELEMENTS: usize = 4096;
/// Calls of it in an iteration: so many that the time in which threads wake up does not matter.
const CALLS: usize = 20;

/// Twelve independent chains of a multiplication and an addition: enough to hide the latency of both.
#[op2::kernel]
fn compute(x: &mut f64) {
    let mut chains = [*x; 12];
    for _round in 0..256 {
        for c in 0..12 {
            chains[c] = chains[c] * 0.999 + 0.001;
        }
    }
    let mut sum = 0.0;
    for c in 0..12 {
        sum += chains[c];
    }
    *x = sum * 0.08;
}

/// Operations of the vector units per second.
pub(crate) struct Compute {
    op: Op2,
    elements: Set<Elements>,
    x: Dat<Elements, f64>,
}

impl Compute {
    pub(crate) fn new(threads: usize, isa: Isa) -> Outcome<Compute> {
        let mut op = Op2::with(Config::default().backend(Backend::Threads(threads)).isa(isa))?;
        let elements = op.decl_set("elements", ELEMENTS)?;
        let x = op.decl_dat_filled("x", elements, 0.5)?;
        Ok(Compute { op, elements, x })
    }
}

impl Program for Compute {
    fn op(&mut self) -> &mut Op2 {
        &mut self.op
    }

    fn iterate(&mut self, _iteration: usize) -> Outcome {
        let Compute { elements, x, .. } = *self;
        for _call in 0..CALLS {
            op_par_loop!(self.op, compute, elements, rw(x))?;
        }
        Ok(())
    }
}
