//! Prepares a loop for a device, once per loop and plan: the compiled text, the plan in device memory, the list of
//! launches.

use super::DeviceState;
use super::choice::{Choice, choose};
use super::cover::{Copies, Staging};
use super::frame::{Frame, SCRATCH, grid, threads};
use super::planned::longest;
use super::schedule::{BlockSchedule, colour_ranges};
use super::task::{Task, needs_entries};
use super::text::Text;
use crate::desc::{ArgKind, FormDesc};
use crate::mesh::pairs::Stamp;
use crate::strategy::{Resolution, Scheme};
use op2_core::{EntryPoint, Wrapper};
use op2_device::{Buffer, Module, Result};

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
    /// Partial results, joined.
    Final { kernel: &'static str, block: u32, shared: u32, count: u32 },
}

/// How a loop runs, for the report.
#[derive(Clone)]
pub(crate) struct Outcome {
    pub(crate) strategy: String,
    pub(crate) note: Option<String>,
    pub(crate) blocks: usize,
    pub(crate) colours: usize,
}

/// The launches under construction, and the buffers to which their frames point.
pub(crate) struct Builder<'a> {
    pub(crate) state: &'a mut DeviceState,
    pub(crate) task: &'a Task<'a>,
    /// The form in stages; `None` for the unsplit loop.
    form: Option<&'static FormDesc>,
    /// The most threads of a block; the text is compiled for them.
    pub(crate) threads: u32,
    /// Threads of a wave.
    pub(crate) wave: u32,
    /// Bytes of shared memory in which reductions are combined.
    scratch: u64,
    pub(crate) steps: Vec<Step>,
    pub(crate) parts: Vec<Option<Buffer>>,
    held: Vec<Buffer>,
    /// Partial results so far.
    partials: u32,
}

/// Prepares a loop.
pub(crate) fn prepare(state: &mut DeviceState, task: &Task<'_>) -> crate::Result<Prepared> {
    let desc = task.device;
    let blocks = match task.plan.scheme().resolution {
        Resolution::Colours => None,
        _ => Some(BlockSchedule::new(task.plan, task.shape).expect("the plan is of this loop")),
    };
    let may_stage = needs_entries(task.strategy, task.shape);
    let stagings = blocks.as_ref().filter(|_| may_stage).map(|b| task.stagings(b)).transpose()?.flatten();
    let (form, fewer) = task.form();
    let facts = task.facts(stagings.as_deref(), form, state);
    let choice = choose(task.strategy.scheme().map(|scheme| scheme.resolution), &facts);
    let form = form.filter(|_| choice.wrapper().has_stages());
    let notes: Vec<String> = [task.note.clone(), choice.note.clone(), fewer].into_iter().flatten().collect();
    let (elements, wave) = (task.plan.scheme().size, state.wave());
    let most = match &blocks {
        // Blocks of owners are larger than was asked for, because they also run elements of their neighbours.
        Some(blocks) if choice.staged => elements.max(longest(&blocks.offsets)),
        _ => elements,
    };
    let mut builder = Builder {
        state,
        task,
        form,
        threads: most.next_multiple_of(wave as usize) as u32,
        wave,
        scratch: (slots(task) * SCRATCH) as u64,
        steps: Vec::new(),
        parts: desc.views.iter().map(|_| None).collect(),
        held: Vec::new(),
        partials: 0,
    };
    let (blocks, colours) = match (choice.resolution, &blocks, stagings) {
        (_, Some(blocks), Some(stagings)) if choice.staged => builder.in_blocks(&choice, blocks, stagings)?,
        (Some(Resolution::Colours), ..) => builder.coloured(elements)?,
        (Some(Resolution::Scatter), ..) => builder.scattered()?,
        _ => builder.at_once(choice.wrapper())?,
    };
    let updates = if choice.wrapper() == Wrapper::StagedAtomic { "" } else { " and updates" };
    let stages = form.map(|form| format!(", {}{updates}", counted(form.stages.len()))).unwrap_or_default();
    let strategy = format!("{}{stages}, {elements} a block", label(&choice));
    let note = (!notes.is_empty()).then(|| notes.join("; "));
    let outcome = Outcome { strategy, note, blocks, colours };
    builder.finish(outcome)
}

/// Memory for the partial results of `blocks` blocks, and the launch that joins them, if there is one.
pub(super) fn partials(
    state: &DeviceState,
    text: &Text<'_>,
    form: Option<&FormDesc>,
    blocks: u32,
    most: u32,
) -> Result<(Vec<Buffer>, Option<Step>)> {
    let mut partials = Vec::new();
    for reduction in text.reductions() {
        let bytes = blocks as usize * reduction.slots * size_of::<u64>();
        partials.push(state.device.allocate("partial results", bytes, size_of::<u64>())?);
    }
    if partials.is_empty() || blocks == 0 {
        return Ok((partials, None));
    }
    let (kernel, shared) = (text.kernel(form, EntryPoint::Final)?, (slots(text) * SCRATCH) as u32);
    let join = Step::Final { kernel, block: threads(blocks as usize, most, state.wave()), shared, count: blocks };
    Ok((partials, Some(join)))
}

/// The most slots of a reduction.
pub(super) fn slots(text: &Text<'_>) -> usize {
    text.reductions().iter().map(|r| r.slots).max().unwrap_or(0)
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

fn label(choice: &Choice) -> &'static str {
    match (choice.resolution, choice.staged) {
        (None, false) => "all at once",
        (None, true) => "staged",
        (Some(Resolution::Colours), _) => "global colours",
        (Some(Resolution::Blocks), _) => "staged, coloured blocks",
        (Some(Resolution::Atomics), false) => "atomics",
        (Some(Resolution::Atomics), true) => "staged, atomics",
        (Some(Resolution::BlockAtomics), _) => "staged, atomics between blocks",
        (Some(Resolution::Tiles), _) => "overlapped tiles",
        (Some(Resolution::Owner), _) => "owner computes",
        (Some(Resolution::Scatter), _) => "scatter, then gather",
    }
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

    /// Blocks of elements with their data staged.
    fn in_blocks(
        &mut self,
        choice: &Choice,
        blocks: &BlockSchedule,
        mut stagings: Vec<Staging>,
    ) -> Result<(usize, usize)> {
        let task = self.task;
        let wrapper = choice.wrapper();
        let (copies, gathers) = self.split(choice.resolution, blocks, &mut stagings)?;
        let stages = self.stages(wrapper, blocks, &stagings, &copies)?;
        let order = self.order(blocks.order.clone())?;
        let offsets = self.keep("offsets of blocks", &blocks.offsets)?;
        let colours = self.keep("colours of elements", &blocks.colours)?;
        let counts = self.keep("colours of blocks", &blocks.counts)?;
        // Atomics need no colours between blocks: all go in one launch. Plans that redirect contributions have one.
        let all = 0..blocks.ids.len();
        let at_once = matches!(wrapper, Wrapper::Combined | Wrapper::StagedAtomic);
        let launches = if at_once { std::slice::from_ref(&all) } else { &blocks.launches[..] };
        let shared = task.arena(&|cover| stagings[cover].most, self.form).max(self.scratch) as u32;
        let kept = self.form.map(|form| self.kept(form, &blocks.offsets)).transpose()?;
        let block = threads(longest(&blocks.offsets), self.threads, self.wave);
        let parts = wrapper.redirects();
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
            let frames = std::iter::once(frame.0).chain(stages.iter().cloned()).chain(kept.clone()).collect();
            let kernel = self.kernel(wrapper)?;
            let grid = launch.len() as u32;
            self.steps.push(Step::Wrapper { kernel, grid, block, shared, frames, parts });
        }
        self.steps.extend(gathers);
        self.partials = blocks.ids.len() as u32;
        Ok((blocks.ids.len(), launches.len()))
    }

    /// Memory for values that stages leave for later stages, by position.
    fn kept(&mut self, form: &FormDesc, offsets: &[u32]) -> Result<Vec<u8>> {
        let positions = offsets.last().map_or(0, |&end| end as usize);
        let what = format!("what the stages of loop `{}` leave for each other", self.task.desc.kernel);
        let buffer = self.state.device.allocate(&what, positions * self.task.kept_bytes(form), size_of::<u64>())?;
        let frame = Frame::default().pointer(Some(&buffer)).number(positions).number(0);
        self.held.push(buffer);
        Ok(frame.0)
    }

    /// The staged targets of each cover, as parameters of the generated code.
    fn stages(
        &mut self,
        wrapper: Wrapper,
        blocks: &BlockSchedule,
        stagings: &[Staging],
        copies: &[Copies],
    ) -> Result<Vec<Vec<u8>>> {
        let positions = blocks.offsets.last().map_or(0, |&end| end as usize);
        let mut stages = Vec::new();
        for (cover, (staging, copies)) in stagings.iter().zip(copies).enumerate() {
            if self.task.cover(cover).is_none() {
                let nothing = (0..5).fold(Frame::default(), |frame, _| frame.pointer(None));
                stages.push((0..4).fold(nothing, |frame, _| frame.number(0)).0);
                continue;
            }
            let local: Vec<u8> = staging.local.iter().flat_map(|l| l.to_ne_bytes()).collect();
            let local = self.keep_bytes("places of staged data", &local, size_of::<u16>())?;
            let shared = match wrapper {
                Wrapper::Combined => Some(self.keep_bytes("marks of shared data", &staging.shared, 1)?),
                _ => None,
            };
            let frame = Frame::default()
                .pointer(Some(&self.keep("offsets of staged data", &staging.offsets)?))
                .pointer(Some(&self.keep("list of staged data", &staging.list)?))
                .pointer(Some(&local))
                .pointer(shared.as_ref())
                .pointer(copies.first.as_ref())
                .number(positions)
                .number(staging.most as usize)
                .number(copies.count)
                .number(0);
            stages.push(frame.0);
        }
        Ok(stages)
    }

    /// Adds a launch over a range of positions; returns its number of blocks.
    pub(crate) fn range(
        &mut self,
        wrapper: Wrapper,
        order: Option<&Buffer>,
        range: std::ops::Range<u32>,
        parts: bool,
    ) -> Result<usize> {
        let (grid, block) = grid(range.len(), self.threads, self.wave);
        if grid == 0 {
            return Ok(0);
        }
        let frame = Frame::default()
            .pointer(order)
            .number(range.start as usize)
            .number(range.end as usize)
            .number(self.partials as usize)
            .number(self.task.shape.elements.len());
        let kernel = self.kernel(wrapper)?;
        let shared = self.scratch as u32;
        self.steps.push(Step::Wrapper { kernel, grid, block, shared, frames: vec![frame.0], parts });
        self.partials += grid;
        Ok(grid as usize)
    }

    /// The name of a wrapper in the text that is launched.
    fn kernel(&self, wrapper: Wrapper) -> Result<&'static str> {
        self.task.kernel(self.form, EntryPoint::Loop(wrapper))
    }

    fn finish(mut self, outcome: Outcome) -> crate::Result<Prepared> {
        let task = self.task;
        let desc = task.device;
        let (partials, join) = partials(self.state, task, self.form, self.partials, self.threads)?;
        self.steps.extend(join);
        let mut maps = Vec::new();
        for (m, &map) in task.maps().iter().enumerate() {
            maps.push(if self.follows(m) { Some(self.state.map(task.inputs.stored_map(map))?) } else { None });
        }
        let (numbers, tables) = (numbers(self.state, task)?, tables(self.state, task)?);
        let source = task.source(self.form, self.threads);
        Ok(Prepared {
            useful_bytes: task.plan.traffic().useful_bytes(),
            outcome,
            values: source.values(),
            module: self.state.load(&source)?,
            views: desc.views.iter().map(|v| task.bound(v).map(|b| b.dat)).collect(),
            maps,
            numbers,
            tables,
            steps: self.steps,
            parts: self.parts,
            combined: task.desc.combined_views(desc).collect(),
            partials,
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

    /// The elements of the subset that the loop runs over, if it does.
    pub(crate) fn elements(&mut self) -> Result<Option<Buffer>> {
        let elements = self.task.inputs.stored_subset().map(|subset| self.state.elements(subset)).transpose()?;
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

    fn keep_bytes(&mut self, what: &str, content: &[u8], granule: usize) -> Result<Buffer> {
        let what = format!("{what} of loop `{}`", self.task.desc.kernel);
        let buffer = self.state.filled_bytes(&what, content, granule)?;
        self.held.push(buffer.clone());
        Ok(buffer)
    }
}
