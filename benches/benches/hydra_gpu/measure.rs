//! The measurements: every loop under every strategy, then under the one that op2 chooses.

use hydra::mesh::Mesh;
use hydra::solver::{Flow, Settings};
use op2::{Fault, How, Strategy, devices};
use op2_apps::flags::Layout;
use op2_benches::Outcome;
use serde::Serialize;

/// Threads of a block of untuned strategies.
pub(crate) const UNTUNED: usize = 128;

/// Executions that are not counted.
const WARMING: usize = 2;
/// Executions after which trials must have come to an end.
const MOST_TRIALS: usize = 500;

type Run = fn(&mut Flow<f64>) -> op2::Result<()>;

/// The loops.
pub(crate) const LOOPS: [(&str, Run); 4] =
    [("accu", Flow::accu), ("edgecon", Flow::edgecon), ("vflux", Flow::vflux), ("iflux", Flow::iflux)];

/// How much is measured.
#[derive(Debug, Clone)]
pub(crate) struct Extent {
    pub(crate) layouts: Vec<Layout>,
    /// Threads of a block.
    pub(crate) blocks: Vec<usize>,
    /// The most contribution stages.
    pub(crate) stages: usize,
    /// Executions that are counted, or rounds.
    pub(crate) samples: usize,
}

/// A strategy without its block size.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub(crate) enum Family {
    Blocks,
    BlockAtomics,
    Atomics,
    /// With so many contribution stages.
    Split(usize),
    SplitBlockAtomics(usize),
    SplitAtomics(usize),
}

impl Family {
    pub(crate) fn all(stages: usize) -> Vec<Family> {
        let whole = [Family::Blocks, Family::BlockAtomics, Family::Atomics];
        let split =
            (1..=stages).flat_map(|n| [Family::Split(n), Family::SplitBlockAtomics(n), Family::SplitAtomics(n)]);
        whole.into_iter().chain(split).collect()
    }

    pub(crate) fn is_split(self) -> bool {
        !matches!(self, Family::Blocks | Family::BlockAtomics | Family::Atomics)
    }

    pub(crate) fn strategy(self, block: usize) -> Strategy {
        match self {
            Family::Blocks => Strategy::blocks(block),
            Family::BlockAtomics => Strategy::block_atomics(block),
            Family::Atomics => Strategy::atomics(block),
            Family::Split(stages) => Strategy::split(block, stages),
            Family::SplitBlockAtomics(stages) => Strategy::split_block_atomics(block, stages),
            Family::SplitAtomics(stages) => Strategy::split_atomics(block, stages),
        }
    }
}

/// A loop under one strategy.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Row {
    #[serde(rename = "loop")]
    pub(crate) name: &'static str,
    pub(crate) layout: Layout,
    pub(crate) family: Family,
    pub(crate) block: usize,
    /// Milliseconds of one execution; none if the loop did not follow the strategy.
    pub(crate) milliseconds: Option<f64>,
    /// The same by the model of GPUs; none where it knows no such loop.
    pub(crate) model_milliseconds: Option<f64>,
    /// The form that ran, and the reason if it is not the one asked for.
    pub(crate) ran: String,
    pub(crate) note: Option<String>,
}

/// The choice of op2.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Chosen {
    #[serde(rename = "loop")]
    pub(crate) name: &'static str,
    pub(crate) layout: Layout,
    /// `predicted` or `auto`.
    pub(crate) asked: String,
    pub(crate) ran: String,
    pub(crate) milliseconds: f64,
    /// Time over that of the best row of this layout, within rounds.
    pub(crate) to_best: f64,
}

/// All that was measured.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Results {
    pub(crate) device: String,
    pub(crate) nodes: usize,
    pub(crate) edges: usize,
    pub(crate) ordering: String,
    /// Bytes read and written by a copy in this memory, in 1e9 per second; 0 if the device is the emulator.
    pub(crate) copy_gb_per_s: f64,
    /// The bytes that each loop must move at least.
    pub(crate) least_bytes: Vec<(&'static str, u64)>,
    pub(crate) rows: Vec<Row>,
    pub(crate) chosen: Vec<Chosen>,
}

/// Runs all measurements.
pub(crate) fn measure(mesh: &Mesh, settings: &Settings, extent: &Extent) -> Outcome<Results> {
    let mut results = Results {
        device: String::new(),
        nodes: mesh.nodes(),
        edges: mesh.edges(),
        ordering: settings.ordering.to_string(),
        copy_gb_per_s: 0.0,
        least_bytes: Vec::new(),
        rows: Vec::new(),
        chosen: Vec::new(),
    };
    for &layout in &extent.layouts {
        for (name, run) in LOOPS {
            // A new flow each time: prepared strategies keep gigabytes on the device as long as the flow lives.
            let mut flow = Flow::<f64>::new(mesh, &Settings { layout, ..settings.clone() })?;
            // Computes the data at the start of a step: NaNs or zeros alone may take another time.
            flow.prepare()?;
            flow.fluxes(1.0)?;
            results.add(Bench { flow: &mut flow, name, run, layout }, extent)?;
        }
    }
    Ok(results)
}

impl Results {
    /// Adds all measurements of one loop in one layout.
    fn add(&mut self, mut bench: Bench, extent: &Extent) -> Outcome {
        let (name, report) = (bench.name, bench.flow.op.report());
        self.device = report.backend;
        self.copy_gb_per_s = self.copy_gb_per_s.max(report.triad_gb_per_s);
        let rows = bench.families(extent)?;
        let best = best(rows.iter()).ok_or_else(|| format!("loop `{name}` ran under no strategy"))?;
        let best = best.family.strategy(best.block);
        self.rows.extend(rows);
        for asked in [Strategy::Predicted, Strategy::Auto] {
            self.chosen.push(bench.chosen(asked, best, extent.samples)?);
        }
        if !self.least_bytes.iter().any(|(known, _)| *known == name) {
            self.least_bytes.push((name, bench.execute()?.bytes));
        }
        Ok(())
    }
}

/// The fastest of some rows.
pub(crate) fn best<'a>(rows: impl Iterator<Item = &'a Row>) -> Option<&'a Row> {
    let timed = rows.filter_map(|row| Some((row, row.milliseconds?)));
    timed.min_by(|(_, a), (_, b)| a.total_cmp(b)).map(|(row, _)| row)
}

/// One loop.
struct Bench<'a> {
    flow: &'a mut Flow<f64>,
    name: &'static str,
    run: Run,
    layout: Layout,
}

/// One execution.
struct Executed {
    milliseconds: f64,
    model_milliseconds: Option<f64>,
    bytes: u64,
    ran: String,
    note: Option<String>,
}

impl Bench<'_> {
    fn execute(&mut self) -> Outcome<Executed> {
        self.flow.op.reset_report();
        (self.run)(self.flow)?;
        let report = self.flow.op.report();
        let row = report.loops.into_iter().find(|l| l.name == self.name).ok_or("a loop that ran is in the report")?;
        Ok(Executed {
            milliseconds: row.seconds * 1e3,
            model_milliseconds: row.estimated_seconds.map(|seconds| seconds * 1e3),
            bytes: row.useful_bytes,
            ran: row.strategy,
            note: row.note,
        })
    }

    fn pin(&mut self, strategy: Strategy) -> Outcome {
        Ok(self.flow.op.pin(self.name, strategy)?)
    }

    /// Every family of strategies in every block size.
    fn families(&mut self, extent: &Extent) -> Outcome<Vec<Row>> {
        let mut rows = Vec::new();
        for family in Family::all(extent.stages) {
            for &block in &extent.blocks {
                let row = self.family(family, block, extent.samples)?;
                // A strategy that does not fit, or is not available, fails with larger blocks too.
                let refused = row.note.is_some();
                rows.push(row);
                if refused {
                    break;
                }
            }
        }
        Ok(rows)
    }

    fn family(&mut self, family: Family, block: usize, samples: usize) -> Outcome<Row> {
        self.pin(family.strategy(block))?;
        let (ran, note, model_milliseconds) = match self.execute() {
            Ok(executed) => (executed.ran, executed.note, executed.model_milliseconds),
            Err(error) if is_want_of_memory(&*error) => (String::new(), Some(error.to_string()), None),
            Err(error) => return Err(error),
        };
        let milliseconds = match &note {
            Some(_) => None,
            None => {
                for _ in 1..WARMING {
                    self.execute()?;
                }
                let times: Outcome<Vec<f64>> = (0..samples).map(|_| Ok(self.execute()?.milliseconds)).collect();
                Some(median(times?))
            }
        };
        let (name, layout) = (self.name, self.layout);
        Ok(Row { name, layout, family, block, milliseconds, model_milliseconds, ran, note })
    }

    /// The choice of op2, in rounds with the best row.
    fn chosen(&mut self, asked: Strategy, best: Strategy, rounds: usize) -> Outcome<Chosen> {
        self.settle(asked)?;
        let (mut times, mut ratios, mut ran) = (Vec::new(), Vec::new(), String::new());
        for round in 0..WARMING + rounds {
            self.pin(asked)?;
            let own = self.execute()?;
            self.pin(best)?;
            let other = self.execute()?;
            if round >= WARMING {
                times.push(own.milliseconds);
                ratios.push(own.milliseconds / other.milliseconds);
                ran = own.ran;
            }
        }
        let (milliseconds, to_best) = (median(times), median(ratios));
        Ok(Chosen { name: self.name, layout: self.layout, asked: asked.to_string(), ran, milliseconds, to_best })
    }

    /// Runs the loop until its trials are over.
    fn settle(&mut self, asked: Strategy) -> Outcome {
        self.pin(asked)?;
        for _ in 0..MOST_TRIALS {
            (self.run)(self.flow)?;
            let decisions = self.flow.op.decisions();
            let measuring = |d: &op2::Decision| d.kernel == self.name && d.how == How::Measuring;
            if asked != Strategy::Auto || !decisions.list.iter().any(measuring) {
                return Ok(());
            }
        }
        Err(format!("loop `{}`: no decision after {MOST_TRIALS} executions", self.name).into())
    }
}

/// Whether the device has no memory for values that stages leave for later stages.
fn is_want_of_memory(error: &(dyn std::error::Error + 'static)) -> bool {
    let Some(op2::Error::Loop(error)) = error.downcast_ref() else { return false };
    matches!(error.fault, Fault::Device(devices::Error::OutOfMemory { .. }))
}

/// The sample in the middle, the lower one of two.
fn median(mut samples: Vec<f64>) -> f64 {
    samples.sort_by(f64::total_cmp);
    samples[(samples.len() - 1) / 2]
}
