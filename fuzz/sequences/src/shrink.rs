//! Shrinks a failing program.

use crate::model::{Expect, Model};
use crate::run::{Counts, Failure, PANIC, Runner};
use crate::step::{Program, Step};
use op2::{Layout, Pin};

/// The most programs to try, each of which is run.
const MOST: usize = 3000;

/// The shortest failing program found, and its failure. Drops steps, makes sets smaller and simplifies parameters, as
/// long as the program fails in any way.
pub fn shrink(runner: &Runner, program: &Program, failure: Failure) -> (Program, Failure) {
    let mut best = Best { runner, program: program.clone(), failure, tries: 0 };
    best.program.steps.truncate(best.failure.step + 1);
    if let Some(step) = best.failure.shown_by.take() {
        best.program.steps.push(step);
    }
    let cut = best.program.clone();
    best.program = program.clone();
    best.takes(cut);
    loop {
        let before = best.tries;
        let changed = best.drop_steps() | best.simplify_setup() | best.simplify_steps();
        if !changed || best.tries == before || best.tries >= MOST {
            break;
        }
    }
    best.drop_unused();
    // The printed program must show the difference by itself.
    best.program.steps.extend(best.failure.shown_by.take());
    (best.program, best.failure)
}

struct Best<'a> {
    runner: &'a Runner,
    program: Program,
    failure: Failure,
    tries: usize,
}

impl Best<'_> {
    /// Keeps a candidate if it fails.
    fn takes(&mut self, candidate: Program) -> bool {
        if self.tries >= MOST {
            return false;
        }
        self.tries += 1;
        match self.runner.run(&candidate, &mut Counts::new()) {
            Ok(()) => false,
            // A panic only stands for another panic: it may be one of the fuzzer itself.
            Err(failure) if panics(&failure) != panics(&self.failure) => false,
            Err(failure) => {
                (self.program, self.failure) = (candidate, failure);
                // Steps after the failing one do not matter.
                self.program.steps.truncate(self.failure.step + 1);
                true
            }
        }
    }

    fn with_steps(&self, steps: Vec<Step>) -> Program {
        Program { setup: self.program.setup.clone(), steps }
    }

    /// Drops runs of steps, long ones first.
    fn drop_steps(&mut self) -> bool {
        let mut changed = false;
        let mut length = self.program.steps.len().div_ceil(2).max(1);
        loop {
            let mut start = 0;
            while start < self.program.steps.len() {
                let mut steps = self.program.steps.clone();
                steps.drain(start..steps.len().min(start + length));
                if self.takes(self.with_steps(steps)) {
                    changed = true;
                } else {
                    start += length;
                }
            }
            if length == 1 {
                return changed;
            }
            length = length.div_ceil(2);
        }
    }

    fn simplify_setup(&mut self) -> bool {
        let mut changed = false;
        while let Some(simpler) = {
            let all = self.program.setup.simpler();
            let programs = all.into_iter().map(|setup| Program { setup, ..self.program.clone() });
            programs.collect::<Vec<_>>().into_iter().find(|candidate| self.takes(candidate.clone()))
        } {
            self.program.setup = simpler.setup;
            changed = true;
        }
        changed
    }

    fn simplify_steps(&mut self) -> bool {
        let mut changed = false;
        let mut n = 0;
        while n < self.program.steps.len() {
            for simpler in simpler(&self.program.steps[n]) {
                let mut steps = self.program.steps.clone();
                steps.splice(n..=n, simpler);
                if self.takes(self.with_steps(steps)) {
                    changed = true;
                    break;
                }
            }
            n += 1;
        }
        changed
    }

    /// Drops steps that a run would skip, without running the program.
    fn drop_unused(&mut self) {
        let mut model = Model::default();
        let mut steps = Vec::new();
        for step in &self.program.steps {
            let skipped = match step {
                Step::Chain(loops) => loops.iter().all(|one| model.run(one) == Expect::Skip),
                step => model.step(step) == Expect::Skip,
            };
            if !skipped {
                steps.push(step.clone());
            }
        }
        let candidate = self.with_steps(steps);
        self.tries = 0;
        self.takes(candidate);
    }
}

fn panics(failure: &Failure) -> bool {
    failure.what.starts_with(PANIC)
}

/// Simpler steps that may replace a step.
fn simpler(step: &Step) -> Vec<Vec<Step>> {
    let mut all: Vec<Vec<Step>> = Vec::new();
    let seeds = |seed: u64| (0..seed.min(8)).collect::<Vec<_>>();
    match *step {
        Step::DeclSet { id, tag, size } => {
            let sizes = [0, 1, 2, 3, size / 4, size / 2, size * 3 / 4, size.saturating_sub(8), size.saturating_sub(1)];
            let smaller = sizes.into_iter().filter(|s| *s < size);
            all.extend(smaller.map(|size| vec![Step::DeclSet { id, tag, size }]));
        }
        Step::DeclMap { id, kind, from, to, seed, wrong } => {
            all.extend(seeds(seed).into_iter().map(|seed| vec![Step::DeclMap { id, kind, from, to, seed, wrong }]));
        }
        Step::SetMap { map, kind, seed, wrong } => {
            all.extend(seeds(seed).into_iter().map(|seed| vec![Step::SetMap { map, kind, seed, wrong }]));
        }
        Step::DeclDat { id, kind, set, seed, .. } => all.push(vec![Step::DeclFilled { id, kind, set, seed }]),
        Step::DeclFilled { id, kind, set, seed } => {
            all.extend(seeds(seed).into_iter().map(|seed| vec![Step::DeclFilled { id, kind, set, seed }]));
        }
        Step::SetValue { dat, kind, element, seed } => {
            all.extend(seeds(seed).into_iter().map(|seed| vec![Step::SetValue { dat, kind, element, seed }]));
        }
        Step::Fill { dat, kind, seed } => {
            all.extend(seeds(seed).into_iter().map(|seed| vec![Step::Fill { dat, kind, seed }]));
        }
        Step::FillMap { map, kind, seed, wrong } => {
            all.extend(seeds(seed).into_iter().map(|seed| vec![Step::FillMap { map, kind, seed, wrong }]));
        }
        Step::FetchInto { dat, kind, wrong: None } => all.push(vec![Step::Fetch { dat, kind }]),
        Step::DeclGlobal { id, kind, seed } => {
            all.extend(seeds(seed).into_iter().map(|seed| vec![Step::DeclGlobal { id, kind, seed }]));
        }
        Step::Pin { kind, pin } if pin != Pin::default() => {
            all.push(vec![Step::Pin { kind, pin: Pin::default() }]);
            let other = Pin::from(pin.strategy);
            all.extend((other != pin).then(|| vec![Step::Pin { kind, pin: other }]));
        }
        Step::SetLayout { dat, kind, layout } if layout != Layout::Soa => {
            all.push(vec![Step::SetLayout { dat, kind, layout: Layout::Soa }]);
        }
        Step::Chain(ref loops) => {
            all.push(loops.iter().cloned().map(Step::Loop).collect());
            for n in 0..loops.len() {
                let mut fewer = loops.clone();
                fewer.remove(n);
                all.push(vec![Step::Chain(fewer)]);
            }
        }
        _ => {}
    }
    all
}
