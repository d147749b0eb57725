//! What a loop needs on a device and can be made once: the compiled text, the plan in device memory, the list of
//! launches.

use super::Machine;
use super::choice::{Choice, Variant, choose};
use super::cover::{Staging, Sums};
use super::schedule::{BlockSchedule, colour_ranges, listed};
use super::task::Task;
use crate::bindings::BoundDat;
use crate::desc::ArgKind;
use crate::plan::{Race, Scheme};
use crate::strategy::Strategy;
use op2_cuda::{Buffer, Module, Result, Source};

/// Threads of a block unless the strategy states otherwise.
const THREADS: usize = 128;
/// The most threads that a block can have.
const MOST_THREADS: usize = 1024;
/// Threads that go together.
const WARP: usize = 32;
/// The most blocks of a launch whose threads stride over the elements: enough to fill any device, and few
/// partial results.
const MOST_BLOCKS: usize = 4096;
/// Bytes of shared memory per slot in which the warps of a block meet.
const SCRATCH: usize = WARP * size_of::<u64>();
/// A loop, ready to be launched.
pub(crate) struct Prepared {
    pub(super) useful_bytes: u64,
    pub(super) values: Vec<u64>,
    pub(super) module: Module,
    pub(super) steps: Vec<Step>,
    /// The dat of each view; none if it is absent.
    pub(super) views: Vec<Option<usize>>,
    /// Maps that the text follows itself.
    pub(super) maps: Vec<Option<Buffer>>,
    /// Contributions to each view.
    pub(super) parts: Vec<Option<Buffer>>,
    /// Partial results of each reduction.
    pub(super) partials: Vec<Buffer>,
    /// Keeps alive what the frames point to.
    _held: Vec<Buffer>,
}

/// One launch.
pub(super) enum Step {
    /// The loop around the kernel, with its frames.
    Wrapper { kernel: String, grid: u32, block: u32, shared: u32, frames: Vec<Vec<u8>>, parts: bool },
    /// Contributions to a view, gathered.
    Gather { kernel: String, grid: u32, block: u32, frame: Vec<u8>, view: usize },
    /// Partial results, joined.
    Final { kernel: String, block: u32, shared: u32, count: u32 },
}

/// How a loop runs, for the report.
pub(crate) struct Outcome {
    pub(crate) strategy: String,
    pub(crate) note: Option<String>,
    pub(crate) blocks: usize,
    pub(crate) colours: usize,
}

/// The scheme of the first plan for a strategy: it tells about races, and serves the variants in blocks.
pub(super) fn scheme(strategy: Strategy) -> Scheme {
    match strategy {
        Strategy::Colours { chunk } => Scheme::Elements { chunk },
        other => Scheme::Blocks { size: elements_per_block(other) },
    }
}

fn elements_per_block(strategy: Strategy) -> usize {
    strategy.block().unwrap_or(THREADS).min(MOST_THREADS)
}

/// The launches under construction, and what their frames point to.
struct Builder<'a> {
    machine: &'a mut Machine,
    task: &'a Task<'a>,
    /// The most threads of a block: what the text is compiled for.
    threads: u32,
    /// Bytes of shared memory in which reductions meet.
    scratch: u64,
    steps: Vec<Step>,
    parts: Vec<Option<Buffer>>,
    held: Vec<Buffer>,
    /// Partial results so far.
    partials: u32,
}

/// Prepares a loop.
pub(super) fn prepare(machine: &mut Machine, task: &Task<'_>) -> crate::Result<(Prepared, Outcome)> {
    let desc = &task.desc.device;
    let blocks = match scheme(task.strategy) {
        Scheme::Elements { .. } => None,
        _ => Some(BlockSchedule::new(task.plan, task.shape).expect("the plan is of this loop")),
    };
    let stagings = blocks.as_ref().and_then(|b| task.stagings(b));
    let facts = task.facts(stagings.as_deref(), machine);
    let Choice { variant, mut note } = choose(task.strategy, &facts);
    if task.strategy.block().is_some_and(|b| b > MOST_THREADS) && note.is_none() {
        note = Some(format!("blocks of {MOST_THREADS}: a thread block has no more threads"));
    }
    let elements = elements_per_block(task.strategy);
    let slots = task.bound.more.reductions.iter().map(|r| r.slots).max().unwrap_or(0);
    let mut builder = Builder {
        machine,
        task,
        threads: elements.next_multiple_of(WARP) as u32,
        scratch: (slots * SCRATCH) as u64,
        steps: Vec::new(),
        parts: desc.views.iter().map(|_| None).collect(),
        held: Vec::new(),
        partials: 0,
    };
    let (blocks, colours) = match (variant, &blocks, &stagings) {
        (Variant::Staged | Variant::Combined, Some(blocks), Some(stagings)) => {
            builder.in_blocks(variant, blocks, stagings)?
        }
        (Variant::Colours, ..) => builder.coloured(elements)?,
        (Variant::Scatter, ..) => builder.scattered()?,
        (Variant::Atomic, ..) => builder.at_once("atomic")?,
        _ => builder.at_once("global")?,
    };
    let strategy = format!("{}, {elements} a block", label(variant, task.plan.race()));
    let outcome = Outcome { strategy, note, blocks, colours };
    Ok((builder.finish()?, outcome))
}

fn label(variant: Variant, race: Race) -> &'static str {
    match variant {
        Variant::Global => "all at once",
        Variant::Colours => "global colours",
        Variant::Staged if race == Race::Coloured => "staged, coloured blocks",
        Variant::Staged => "staged",
        Variant::Atomic => "atomics",
        Variant::Combined => "staged, atomics between blocks",
        Variant::Scatter => "scatter, then gather",
    }
}

impl Builder<'_> {
    /// All elements in one launch.
    fn at_once(&mut self, variant: &str) -> Result<(usize, usize)> {
        let order = self.order(listed(self.task.shape))?;
        let n = self.task.shape.elements.len() as u32;
        let blocks = self.range(variant, order.as_ref(), 0..n, false);
        Ok((blocks, usize::from(n > 0)))
    }

    /// A launch for each colour of elements.
    fn coloured(&mut self, chunk: usize) -> crate::Result<(usize, usize)> {
        let other;
        let plan = match self.task.plan.scheme() {
            Scheme::Elements { .. } => self.task.plan,
            _ => {
                other = (self.task.replan)(Scheme::Elements { chunk })?;
                &other
            }
        };
        let order = self.order(plan.order().map(<[u32]>::to_vec))?;
        let ranges = colour_ranges(plan);
        let colours = ranges.len();
        let blocks = ranges.into_iter().map(|r| self.range("global", order.as_ref(), r, false)).sum();
        Ok((blocks, colours))
    }

    /// Contributions first, then what they add up to.
    fn scattered(&mut self) -> Result<(usize, usize)> {
        let task = self.task;
        let list = listed(task.shape);
        let n = task.shape.elements.len();
        for (v, view) in task.device().views.iter().enumerate() {
            let through = |b: &&BoundDat| view.args.contains(&b.arg) && b.through.is_some() && b.access.combines();
            let Some(bound) = task.bound.dats.iter().find(through) else { continue };
            let cover =
                task.cover(view.cover.expect("a dat behind a map has a cover")).expect("its arguments are there");
            let Some(sums) = Sums::new(&cover, list.as_deref(), n) else {
                let (what, bytes) = (format!("the contributions to `{}`", view.name), n * cover.width() * 4);
                let device = self.machine.name().to_owned();
                return Err(op2_cuda::Error::OutOfMemory { device, what, bytes, free: u32::MAX as usize });
            };
            let store = &task.mesh.dats[bound.dat];
            let what = format!("the contributions to dat `{}`", store.name);
            let parts = self.machine.device.allocate(&what, sums.list.len() * store.bytes, store.elem.bytes())?;
            self.parts[v] = Some(parts);
            let frame = Frame::default()
                .pointer(Some(&self.keep("sums of contributions", &sums.offsets)?))
                .pointer(Some(&self.keep("list of contributions", &sums.list)?))
                .number(cover.targets)
                .number(n);
            let kernel = format!("{}_gather_{}", task.device().kernel, view.name);
            let (grid, block) = grid(cover.targets, self.threads);
            self.steps.push(Step::Gather { kernel, grid, block, frame: frame.0, view: v });
        }
        let order = self.order(list)?;
        let gathers = std::mem::take(&mut self.steps);
        let blocks = self.range("scatter", order.as_ref(), 0..n as u32, true);
        if n > 0 {
            self.steps.extend(gathers);
        }
        Ok((blocks, usize::from(n > 0)))
    }

    /// Blocks of elements with their data staged.
    fn in_blocks(&mut self, variant: Variant, blocks: &BlockSchedule, stagings: &[Staging]) -> Result<(usize, usize)> {
        let task = self.task;
        let (suffix, combined) = if variant == Variant::Combined { ("combined", true) } else { ("staged", false) };
        let order = self.order(blocks.order.clone())?;
        let offsets = self.keep("offsets of blocks", &blocks.offsets)?;
        let colours = self.keep("colours of elements", &blocks.colours)?;
        let counts = self.keep("colours of blocks", &blocks.counts)?;
        let positions = task.shape.elements.len();
        let mut stages = Vec::new();
        for (cover, staging) in stagings.iter().enumerate() {
            if task.cover(cover).is_none() {
                stages.push(
                    Frame::default().pointer(None).pointer(None).pointer(None).pointer(None).number(0).number(0).0,
                );
                continue;
            }
            let local: Vec<u8> = staging.local.iter().flat_map(|l| l.to_ne_bytes()).collect();
            let local = self.keep_bytes("places of staged data", &local, size_of::<u16>())?;
            let shared = match combined {
                true => Some(self.keep_bytes("marks of shared data", &staging.shared, 1)?),
                false => None,
            };
            let frame = Frame::default()
                .pointer(Some(&self.keep("offsets of staged data", &staging.offsets)?))
                .pointer(Some(&self.keep("list of staged data", &staging.list)?))
                .pointer(Some(&local))
                .pointer(shared.as_ref())
                .number(positions)
                .number(staging.most as usize);
            stages.push(frame.0);
        }
        // Atomics need no colours between blocks: all go in one launch.
        let all = 0..blocks.ids.len();
        let launches = if combined { std::slice::from_ref(&all) } else { &blocks.launches[..] };
        let shared = task.arena(stagings).max(self.scratch) as u32;
        let longest = blocks.offsets.windows(2).map(|b| b[1] - b[0]).max().unwrap_or(0);
        let block = threads(longest as usize, self.threads);
        for launch in launches.iter().filter(|l| !l.is_empty()) {
            let ids = self.keep("numbers of blocks", &blocks.ids[launch.clone()])?;
            let frame = Frame::default()
                .pointer(Some(&ids))
                .pointer(Some(&offsets))
                .pointer(order.as_ref())
                .pointer(Some(&colours))
                .pointer(Some(&counts))
                .number(0)
                .number(0);
            let frames = std::iter::once(frame.0).chain(stages.iter().cloned()).collect();
            let kernel = format!("{}_{suffix}", task.device().kernel);
            let grid = launch.len() as u32;
            self.steps.push(Step::Wrapper { kernel, grid, block, shared, frames, parts: false });
        }
        self.partials = blocks.ids.len() as u32;
        Ok((blocks.ids.len(), launches.len()))
    }

    /// A launch over a range of positions; its number of blocks.
    fn range(&mut self, variant: &str, order: Option<&Buffer>, range: std::ops::Range<u32>, parts: bool) -> usize {
        let (grid, block) = grid(range.len(), self.threads);
        if grid == 0 {
            return 0;
        }
        let frame = Frame::default()
            .pointer(order)
            .number(range.start as usize)
            .number(range.end as usize)
            .number(self.partials as usize)
            .number(self.task.shape.elements.len());
        let kernel = format!("{}_{variant}", self.task.device().kernel);
        let shared = self.scratch as u32;
        self.steps.push(Step::Wrapper { kernel, grid, block, shared, frames: vec![frame.0], parts });
        self.partials += grid;
        grid as usize
    }

    fn finish(mut self) -> Result<Prepared> {
        let task = self.task;
        let desc = task.device();
        let mut partials = Vec::new();
        for reduction in &task.bound.more.reductions {
            let bytes = self.partials as usize * reduction.slots * size_of::<u64>();
            partials.push(self.machine.device.allocate("partial results", bytes, size_of::<u64>())?);
        }
        if !partials.is_empty() && self.partials > 0 {
            let (kernel, shared) = (format!("{}_final", desc.kernel), self.scratch as u32);
            let block = threads(self.partials as usize, self.threads);
            self.steps.push(Step::Final { kernel, block, shared, count: self.partials });
        }
        let mut maps = Vec::new();
        for (m, &map) in task.bound.more.maps.iter().enumerate() {
            maps.push(if self.follows(m) { Some(self.machine.map(task.mesh, map)?) } else { None });
        }
        let source = Source {
            name: desc.kernel.to_owned(),
            definitions: task.definitions(self.threads),
            text: desc.text.into(),
            kernels: desc.kernels.iter().map(|&k| k.to_owned()).collect(),
        };
        Ok(Prepared {
            useful_bytes: task.plan.traffic().useful_bytes(),
            values: source.values(),
            module: self.machine.load(&source)?,
            views: desc.views.iter().map(|v| task.bound(v).map(|b| b.dat)).collect(),
            maps,
            steps: self.steps,
            parts: self.parts,
            partials,
            _held: self.held,
        })
    }

    /// Whether the chosen launches follow a map: those with staged data do so for indices only.
    fn follows(&self, map: usize) -> bool {
        let targets = &self.task.device().targets;
        let staged = self.steps.iter().any(|s| matches!(s, Step::Wrapper { frames, .. } if frames.len() > 1));
        // Arguments that are not there count too: the text follows their maps all the same.
        let mut uses = self.task.desc.args.iter().filter(|a| a.target.is_some_and(|t| targets[t].map == map));
        uses.any(|arg| !staged || arg.kind == ArgKind::Index)
    }

    fn order(&mut self, order: Option<Vec<u32>>) -> Result<Option<Buffer>> {
        order.map(|order| self.keep("order of elements", &order)).transpose()
    }

    fn keep(&mut self, what: &str, content: &[u32]) -> Result<Buffer> {
        let buffer = self.machine.filled(&format!("{what} of loop `{}`", self.task.desc.kernel), content)?;
        self.held.push(buffer.clone());
        Ok(buffer)
    }

    fn keep_bytes(&mut self, what: &str, content: &[u8], granule: usize) -> Result<Buffer> {
        let what = format!("{what} of loop `{}`", self.task.desc.kernel);
        let buffer = self.machine.filled_bytes(&what, content, granule)?;
        self.held.push(buffer.clone());
        Ok(buffer)
    }
}

/// Blocks whose threads stride over `n` elements, and the threads of each.
fn grid(n: usize, most: u32) -> (u32, u32) {
    let threads = threads(n, most);
    (n.div_ceil(threads as usize).min(MOST_BLOCKS) as u32, threads)
}

/// Threads for `n` elements, whole warps; a short loop needs no more.
fn threads(n: usize, most: u32) -> u32 {
    n.next_multiple_of(WARP).clamp(WARP, most as usize) as u32
}

/// The bytes of a structure that the generated code takes: pointers first, then numbers of 32 bits.
#[derive(Default)]
struct Frame(Vec<u8>);

impl Frame {
    fn pointer(mut self, buffer: Option<&Buffer>) -> Self {
        self.0.extend(buffer.map_or(0, Buffer::address).to_ne_bytes());
        self
    }

    fn number(mut self, n: usize) -> Self {
        // Sets have at most `u32::MAX` elements.
        self.0.extend((n as u32).to_ne_bytes());
        self
    }
}
