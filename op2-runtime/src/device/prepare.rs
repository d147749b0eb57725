//! Prepares a loop for a device, once per loop and plan: the compiled text, the plan in device memory, the list of
//! launches.

use super::DeviceState;
use super::choice::{Choice, choose};
use super::frame::{Frame, grid, resident_grid};
use super::planned::longest;
use super::ranking;
use super::schedule::{BlockSchedule, colour_ranges};
use super::task::{Task, needs_entries};
use super::text::Text;
use crate::desc::{ArgKind, FormDesc};
use crate::mesh::pairs::Stamp;
use crate::strategy::{Reads, Resolution, Scheme};
use op2_core::{EntryPoint, Wrapper};
use op2_device::{Buffer, Device, Module, Result, Source};

/// A loop, ready to be launched.
pub(crate) struct Prepared {
    pub(crate) useful_bytes: u64,
    /// For the report.
    pub(crate) outcome: Outcome,
    pub(crate) values: Vec<u64>,
    pub(crate) module: Module,
    pub(crate) steps: Vec<Step>,
    /// The dat of each view; none if it is absent.
    pub(crate) views: Vec<Option<usize>>,
    /// Maps that the text follows itself.
    pub(crate) maps: Vec<Option<Buffer>>,
    /// The user's numbers for each index; none where they are those of the data.
    pub(crate) numbers: Vec<Option<Buffer>>,
    /// The same for tables that are asked for numbers: the numbers by element, and the elements by number, table by table.
    pub(crate) tables: Vec<Option<Buffer>>,
    /// Contributions to each view.
    pub(crate) parts: Vec<Option<Buffer>>,
    /// The views whose contributions a kernel may redirect.
    pub(crate) combined: Vec<usize>,
    /// Partial results of each reduction.
    pub(crate) partials: Vec<Buffer>,
    /// How blocks join them, if there are any blocks.
    pub(crate) joining: Option<Joining>,
    /// Of a loop over pairs: the positions for which it was prepared.
    pub(crate) stamp: Option<Stamp>,
    /// Buffers to which the frames point.
    pub(super) _held: Vec<Buffer>,
}

/// One launch.
pub(crate) enum Step {
    /// The loop around the kernel, with its frames.
    Wrapper { kernel: &'static str, grid: u32, block: u32, shared: u32, frames: Vec<Vec<u8>>, parts: bool },
    /// Contributions to a view, gathered.
    Gather { kernel: &'static str, grid: u32, block: u32, frame: Vec<u8>, view: usize },
}

/// The blocks of all launches of a loop that reduces: the last one that counts itself joins the partial results of all.
pub(crate) struct Joining {
    /// Where they count: 0 between two executions.
    arrived: Buffer,
    pub(super) frame: Frame,
}

impl Joining {
    fn new(device: &dyn Device, blocks: u32) -> Result<Self> {
        let arrived = device.allocate("the number of blocks that have reduced", size_of::<u32>(), size_of::<u32>())?;
        let frame = Frame::default().pointer(Some(&arrived)).number(blocks as usize).number(0);
        let joining = Joining { arrived, frame };
        joining.begin(device)?;
        Ok(joining)
    }

    /// Lets blocks count from 0.
    pub(super) fn begin(&self, device: &dyn Device) -> Result<()> {
        device.upload(&self.arrived, &0_u32.to_ne_bytes())
    }
}

/// How a loop runs, for the report.
#[derive(Clone)]
pub(crate) struct Outcome {
    pub(crate) strategy: String,
    pub(crate) note: Option<String>,
    pub(crate) blocks: usize,
    pub(crate) colours: usize,
    /// Seconds of an execution by the model; none if it does not know the device or the way that the loop runs.
    pub(crate) estimate: Option<f64>,
}

/// The launches under construction, and the buffers to which their frames point.
pub(crate) struct Builder<'a> {
    pub(crate) state: &'a mut DeviceState,
    pub(crate) task: &'a Task<'a>,
    /// The form in stages; `None` for the unsplit loop.
    pub(super) form: Option<&'static FormDesc>,
    /// How blocks read the targets of maps.
    pub(super) reads: Reads,
    /// The most threads of a block; the text is compiled for them.
    pub(crate) threads: u32,
    /// Threads of a wave.
    pub(crate) wave: u32,
    source: Source,
    module: Module,
    /// Bytes of shared memory in which reductions are combined.
    pub(super) scratch: u64,
    pub(crate) steps: Vec<Step>,
    pub(crate) parts: Vec<Option<Buffer>>,
    /// Maps in the order of contributions, where each target has a thread.
    pub(super) entries: Vec<Option<Buffer>>,
    pub(super) held: Vec<Buffer>,
    /// Partial results so far.
    pub(super) partials: u32,
}

/// Prepares a loop.
pub(crate) fn prepare(state: &mut DeviceState, task: &Task<'_>) -> crate::Result<Prepared> {
    let desc = task.device;
    let blocks = match task.plan.scheme().resolution {
        Resolution::Colours => None,
        _ => {
            let turns = task.desc.takes_turns();
            Some(BlockSchedule::new(task.plan, task.shape, turns).expect("the plan is of this loop"))
        }
    };
    let may_stage = needs_entries(task.strategy, task.shape);
    let stagings = blocks.as_ref().filter(|_| may_stage).map(|b| task.stagings(b)).transpose()?.flatten();
    let (form, fewer) = task.form();
    let reads = ranking::reads(state, task, form);
    let shared = blocks.as_ref().zip(stagings.as_deref()).and_then(|(blocks, stagings)| {
        let wave = state.device.info().wave;
        let threads = longest(&blocks.offsets).next_multiple_of(wave as usize) as u32;
        task.room(&|cover| stagings[cover].most, threads, form, reads)
    });
    let facts = task.facts(shared, form, state.device.info().shared_per_block);
    let choice = choose(task.strategy.scheme().map(|scheme| scheme.resolution), &facts);
    let form = form.filter(|_| choice.wrapper().has_stages());
    let refused =
        choice.staged && task.strategy.scheme().is_some_and(|scheme| scheme.reads.is_some_and(|r| r != reads));
    let staged = refused.then(|| "staged: the loop changes what it reads through maps".to_owned());
    let notes: Vec<String> = [task.note.clone(), choice.note.clone(), fewer, staged].into_iter().flatten().collect();
    let (elements, wave) = (task.plan.scheme().size, state.wave());
    let most = match &blocks {
        // A block of owners is larger than was asked for if one target alone has more elements.
        Some(blocks) if choice.staged => elements.max(longest(&blocks.offsets)),
        _ => elements,
    };
    let threads = most.next_multiple_of(wave as usize) as u32;
    let source = task.source_in(form, threads, (choice.wrapper(), reads));
    let module = state.load(&source)?;
    let mut builder = Builder {
        state,
        task,
        form,
        reads,
        threads,
        wave,
        module,
        source,
        scratch: scratch(slots(task), threads, wave).into(),
        steps: Vec::new(),
        parts: desc.views.iter().map(|_| None).collect(),
        entries: Vec::new(),
        held: Vec::new(),
        partials: 0,
    };
    let (blocks, colours) = match (choice.resolution, &blocks, stagings.filter(|_| choice.staged)) {
        (_, Some(blocks), Some(lists)) => builder.in_blocks(&choice, blocks, lists)?,
        (Some(Resolution::Colours), ..) => builder.coloured(elements)?,
        (Some(Resolution::Scatter), ..) => builder.scattered()?,
        (Some(Resolution::Targets), ..) => builder.per_target()?,
        _ => builder.at_once(choice.wrapper())?,
    };
    let updates = if choice.wrapper() == Wrapper::StagedAtomic { "" } else { " and updates" };
    let stages = form.map(|form| format!(", {}{updates}", counted(form.stages.len()))).unwrap_or_default();
    let curve = if task.along_curve().is_some() { ", along a curve" } else { "" };
    let strategy = format!("{}{stages}, {elements} a block{curve}", label(&choice, reads));
    let note = (!notes.is_empty()).then(|| notes.join("; "));
    let outcome = Outcome { strategy, note, blocks, colours, estimate: None };
    let mut prepared = builder.finish(outcome)?;
    prepared.outcome.estimate =
        ranking::estimated(state, task, &choice, (form, reads), (elements, colours), &prepared.module);
    Ok(prepared)
}

/// Memory for the partial results of `blocks` blocks.
pub(super) fn partials(state: &DeviceState, text: &Text<'_>, blocks: u32) -> Result<(Vec<Buffer>, Option<Joining>)> {
    let mut partials = Vec::new();
    for reduction in text.reductions() {
        let bytes = blocks as usize * reduction.slots * size_of::<u64>();
        partials.push(state.device.allocate("partial results", bytes, size_of::<u64>())?);
    }
    let joining = (!partials.is_empty() && blocks > 0).then(|| Joining::new(&*state.device, blocks)).transpose()?;
    Ok((partials, joining))
}

/// Bytes of shared memory in which the waves of a block of `threads` threads combine `slots` slots.
pub(super) fn scratch(slots: usize, threads: u32, wave: u32) -> u32 {
    (slots * threads.div_ceil(wave) as usize * size_of::<u64>()) as u32
}

/// The slots of all reductions.
pub(super) fn slots(text: &Text<'_>) -> usize {
    text.reductions().iter().map(|r| r.slots).sum()
}

/// The user's numbers for each index of a loop.
pub(super) fn numbers(state: &mut DeviceState, text: &Text<'_>) -> Result<Vec<Option<Buffer>>> {
    let sets = text.inputs.more().map_or(&[][..], |more| &more.numbers);
    let numbers = |set: &Option<usize>| set.map_or(Ok(None), |set| state.numbers(text.inputs.stored_set(set), false));
    sets.iter().map(numbers).collect()
}

/// The numbers of each table, if the loop asks tables for them; none of one that is absent.
pub(super) fn tables(state: &mut DeviceState, text: &Text<'_>) -> Result<Vec<Option<Buffer>>> {
    let mut buffers = Vec::new();
    if !text.desc.asks_numbers {
        return Ok(buffers);
    }
    let bound = text.inputs.more().map_or(&[][..], |more| &more.tables);
    for (n, _) in text.desc.args.iter().enumerate().filter(|(_, arg)| arg.kind == ArgKind::Whole) {
        let set = bound.iter().find(|(arg, _)| *arg == n).map(|(_, set)| *set);
        for by_number in [false, true] {
            buffers.push(match set {
                Some(set) => state.numbers(text.inputs.stored_set(set), by_number)?,
                None => None,
            });
        }
    }
    Ok(buffers)
}

/// A number of stages, in words.
fn counted(stages: usize) -> String {
    format!("{stages} {}", if stages == 1 { "stage" } else { "stages" })
}

fn label(choice: &Choice, reads: Reads) -> String {
    let how = match (choice.resolution, choice.staged) {
        (None, true) => return reads.name().to_owned(),
        (None, false) => "all at once",
        (Some(Resolution::Colours), _) => "global colours",
        (Some(Resolution::Blocks), _) => "coloured blocks",
        (Some(Resolution::Atomics), _) => "atomics",
        (Some(Resolution::BlockAtomics), _) => "atomics between blocks",
        (Some(Resolution::Tiles), _) => "overlapped tiles",
        (Some(Resolution::Owner), _) => "owner computes",
        (Some(Resolution::Scatter), _) => "scatter, then gather",
        (Some(Resolution::Targets), _) => "a thread for each target",
    };
    if choice.staged { format!("{}, {how}", reads.name()) } else { how.to_owned() }
}

impl Builder<'_> {
    /// All elements in one launch.
    fn at_once(&mut self, wrapper: Wrapper) -> Result<(usize, usize)> {
        let order = self.elements()?;
        let n = self.task.shape.elements.len() as u32;
        let blocks = self.range(wrapper, order.as_ref(), 0..n, false)?;
        Ok((blocks, usize::from(n > 0)))
    }

    /// A launch for each colour of elements.
    fn coloured(&mut self, chunk: usize) -> crate::Result<(usize, usize)> {
        let other;
        let plan = match self.task.plan.scheme().resolution {
            Resolution::Colours => self.task.plan,
            _ => {
                other = (self.task.replan)(Scheme::colours(chunk))?;
                &other
            }
        };
        let order = self.order(plan.order().map(<[u32]>::to_vec))?;
        let ranges = colour_ranges(plan);
        let colours = ranges.len();
        let mut blocks = 0;
        for range in ranges {
            blocks += self.range(Wrapper::Global, order.as_ref(), range, false)?;
        }
        Ok((blocks, colours))
    }

    /// Adds a launch over a range of positions; returns its number of blocks.
    pub(crate) fn range(
        &mut self,
        wrapper: Wrapper,
        order: Option<&Buffer>,
        range: std::ops::Range<u32>,
        parts: bool,
    ) -> Result<usize> {
        let kernel = self.kernel(wrapper)?;
        let shared = self.scratch as u32;
        let (mut grid, block) = grid(range.len(), self.threads, self.wave);
        if !self.task.reductions().is_empty()
            && let Some(resident) = self.resident(kernel, block, shared)
        {
            grid = resident_grid(range.len(), block, resident);
        }
        if grid == 0 {
            return Ok(0);
        }
        let frame = Frame::default()
            .pointer(order)
            .number(range.start as usize)
            .number(range.end as usize)
            .number(self.partials as usize)
            .number(self.task.shape.elements.len());
        self.steps.push(Step::Wrapper { kernel, grid, block, shared, frames: vec![frame.0], parts });
        self.partials += grid;
        Ok(grid as usize)
    }

    /// The blocks of a kernel that the device holds at once, if its properties are known.
    fn resident(&self, kernel: &str, threads: u32, shared: u32) -> Option<usize> {
        let device = &self.state.device;
        let performance = device.info().performance?;
        let taken = device.resources(&self.module, kernel).unwrap_or_default();
        Some(performance.resident(&taken, threads, shared) as usize)
    }

    /// The name of a wrapper in the text that is launched.
    pub(super) fn kernel(&self, wrapper: Wrapper) -> Result<&'static str> {
        self.task.kernel(self.form, EntryPoint::Loop(wrapper))
    }

    fn finish(self, outcome: Outcome) -> crate::Result<Prepared> {
        let task = self.task;
        let desc = task.device;
        let (partials, joining) = partials(self.state, task, self.partials)?;
        let mut maps = self.entries.clone();
        for (m, &map) in task.maps().iter().enumerate().skip(maps.len()) {
            maps.push(if self.follows(m) { Some(self.state.map(task.inputs.stored_map(map))?) } else { None });
        }
        let (numbers, tables) = (numbers(self.state, task)?, tables(self.state, task)?);
        Ok(Prepared {
            useful_bytes: task.plan.traffic().useful_bytes(),
            outcome,
            values: self.source.values(),
            module: self.module,
            views: desc.views.iter().map(|v| task.bound(v).map(|b| b.dat)).collect(),
            maps,
            numbers,
            tables,
            steps: self.steps,
            parts: self.parts,
            combined: task.desc.combined_views(desc).collect(),
            partials,
            joining,
            stamp: None,
            _held: self.held,
        })
    }

    /// Whether the chosen launches follow a map. Those with staged data do so for indices only.
    fn follows(&self, map: usize) -> bool {
        let targets = &self.task.device.targets;
        let staged = self.steps.iter().any(|s| matches!(s, Step::Wrapper { frames, .. } if frames.len() > 1));
        // Absent arguments count, too: the text names their maps.
        let mut uses = self.task.desc.args.iter().filter(|a| a.target.is_some_and(|t| targets[t].map == map));
        uses.any(|arg| !staged || arg.kind == ArgKind::Index)
    }

    /// The elements in the order of the loop, if they are listed.
    pub(crate) fn elements(&mut self) -> Result<Option<Buffer>> {
        let task = self.task;
        if let Some(list) = task.along_curve() {
            return Ok(Some(self.keep("elements", list)?));
        }
        let elements = task.inputs.stored_subset().map(|subset| self.state.elements(subset)).transpose()?;
        self.held.extend(elements.clone());
        Ok(elements)
    }

    pub(crate) fn order(&mut self, order: Option<Vec<u32>>) -> Result<Option<Buffer>> {
        order.map(|order| self.keep("order of elements", &order)).transpose()
    }

    pub(crate) fn keep(&mut self, what: &str, content: &[u32]) -> Result<Buffer> {
        let buffer = self.state.filled(&format!("{what} of loop `{}`", self.task.desc.kernel), content)?;
        self.held.push(buffer.clone());
        Ok(buffer)
    }

    pub(super) fn keep_bytes(&mut self, what: &str, content: &[u8], granule: usize) -> Result<Buffer> {
        let what = format!("{what} of loop `{}`", self.task.desc.kernel);
        let buffer = self.state.filled_bytes(&what, content, granule)?;
        self.held.push(buffer.clone());
        Ok(buffer)
    }
}
