//! Launches on their way to the driver. A sequence that repeats is started as one graph.
//!
//! A launch goes to the driver at once until the sequence of launches between two waits has come for the second time, or until the
//! launches of a program that never waits repeat. From then on, launches that follow the sequence are held back, and the last one starts
//! all of them. Their parameters may be others every time. If something else comes, what was held back is started launch by launch. So
//! a graph changes neither the work nor its order.

use super::driver::{Answer, Handle};
use super::graph::{Graph, Launching, Shape};
use std::sync::Arc;

/// The most launches of a graph, for which the GPU waits while they are collected. Longer sequences become several graphs.
const MOST: usize = 64;
/// The fewest launches of a graph that is a part of what lies between two waits: the more of them, the more it saves.
const LEAST: usize = 8;
/// Sequences that are remembered.
const SEQUENCES: usize = 16;
/// The number of launches without a wait after which their period is looked for.
const WINDOW: usize = 4 * MOST;

/// The last kernel that a call has handed to the driver, if there was one.
pub(super) type Handed = Option<Arc<str>>;

/// The launches of a stream.
pub(super) struct Queue {
    /// All launches since the last wait.
    trace: Vec<Shape>,
    /// How many of them were started singly, and how often the driver was called for the others.
    singly: usize,
    replays: usize,
    /// Those that are held back.
    held: Vec<Launching>,
    /// The most recent ones last.
    known: Vec<Sequence>,
    /// Graphs of sequences that were forgotten; they may still run.
    retired: Vec<Graph>,
    /// Whether the driver has graphs.
    graphs: bool,
}

/// Launches between two waits.
struct Traced {
    launches: Vec<Shape>,
    singly: usize,
    replays: usize,
}

/// A sequence of launches.
struct Sequence {
    shapes: Vec<Shape>,
    /// Whether it has come more than once.
    repeats: bool,
    /// Made when it is complete for the first time after that.
    graph: Option<Graph>,
}

impl Sequence {
    fn begins_with(&self, held: &[Launching]) -> bool {
        self.shapes.len() >= held.len() && self.shapes.iter().zip(held).all(|(shape, launch)| *shape == launch.shape)
    }
}

impl Queue {
    pub(super) fn new() -> Self {
        Queue {
            trace: Vec::new(),
            singly: 0,
            replays: 0,
            held: Vec::new(),
            known: Vec::new(),
            retired: Vec::new(),
            graphs: true,
        }
    }

    /// Starts a launch, at once or with those that follow.
    pub(super) fn start(&mut self, stream: Handle, launch: Launching) -> Answer<Handed> {
        if self.trace.len() == WINDOW {
            self.find_period();
        }
        self.trace.push(launch.shape);
        self.held.push(launch);
        match self.longest() {
            Some(sequence) if self.known[sequence].shapes.len() > self.held.len() => Ok(None),
            Some(sequence) => self.replay(stream, sequence),
            None => self.begin_anew(stream),
        }
    }

    /// Starts what is held back. The next sequence begins with the next launch.
    pub(super) fn end(&mut self, stream: Handle) -> Answer<Handed> {
        let released = self.release(stream);
        let Traced { launches, singly, replays } = self.trace_anew();
        let whole = launches.len();
        if singly + replays > whole.div_ceil(MOST) {
            let period = (LEAST..whole).find(|n| whole.is_multiple_of(*n) && repeats(&launches, *n));
            self.learn(&launches[..period.unwrap_or(whole)], period.is_some());
        }
        released
    }

    /// The same, but nothing is learnt from the launches before.
    pub(super) fn interrupt(&mut self, stream: Handle) -> Answer<Handed> {
        let released = self.release(stream);
        self.trace_anew();
        released
    }

    /// All that was started is done.
    pub(super) fn done(&mut self) {
        self.retired.clear();
    }

    /// Forgets sequences with this kernel.
    pub(super) fn forget(&mut self, function: Handle) {
        let uses = |sequence: &mut Sequence| sequence.shapes.iter().any(|shape| shape.is_of(function));
        self.retired.extend(self.known.extract_if(.., uses).filter_map(|sequence| sequence.graph));
    }

    /// Begins another trace, and returns the one so far.
    fn trace_anew(&mut self) -> Traced {
        let (launches, singly) = (std::mem::take(&mut self.trace), std::mem::take(&mut self.singly));
        Traced { launches, singly, replays: std::mem::take(&mut self.replays) }
    }

    /// Looks for a period in many launches without a wait.
    fn find_period(&mut self) {
        let Traced { launches, singly, .. } = self.trace_anew();
        if singly == 0 {
            return;
        }
        // Launches within an iteration repeat, too, but not for half of the time.
        let recent = &launches[WINDOW / 2..];
        match (LEAST..=WINDOW / 4).find(|n| repeats(recent, *n)) {
            Some(period) => self.learn(&recent[recent.len() - period..], true),
            None => self.learn(&launches, false),
        }
    }

    /// Remembers launches that follow each other, and that they repeat if they were known before.
    fn learn(&mut self, launches: &[Shape], repeats: bool) {
        for shapes in launches.chunks(MOST).filter(|shapes| shapes.len() > 1) {
            let known = self.known.iter().position(|sequence| sequence.shapes == shapes).map(|n| self.known.remove(n));
            let repeats = repeats || known.is_some();
            let new = Sequence { shapes: shapes.to_vec(), repeats, graph: known.and_then(|known| known.graph) };
            if self.known.len() == SEQUENCES {
                self.retired.extend(self.known.remove(0).graph);
            }
            self.known.push(new);
        }
    }

    /// The longest sequence that repeats and begins with what is held back.
    fn longest(&self) -> Option<usize> {
        let fits = |sequence: &Sequence| sequence.repeats && sequence.begins_with(&self.held);
        let fitting = (0..self.known.len()).filter(|n| self.graphs && fits(&self.known[*n]));
        fitting.max_by_key(|n| self.known[*n].shapes.len())
    }

    /// Starts what is held back, unless another sequence begins with the last launch of it.
    fn begin_anew(&mut self, stream: Handle) -> Answer<Handed> {
        let Some(last) = self.held.pop() else { return Ok(None) };
        let before = self.release(stream);
        self.held.push(last);
        match self.longest() {
            Some(_) => before,
            None => Ok(self.release(stream)?.or(before?)),
        }
    }

    /// Starts what is held back.
    fn release(&mut self, stream: Handle) -> Answer<Handed> {
        let whole = |sequence: &Sequence| sequence.repeats && sequence.shapes.len() == self.held.len();
        match self.known.iter().position(|known| self.graphs && whole(known) && known.begins_with(&self.held)) {
            Some(sequence) => self.replay(stream, sequence),
            None => self.start_singly(stream),
        }
    }

    /// Starts a sequence that is complete by its graph.
    fn replay(&mut self, stream: Handle, sequence: usize) -> Answer<Handed> {
        let Sequence { graph, .. } = &mut self.known[sequence];
        let made = match graph {
            Some(known) => known.update(&mut self.held).map(|()| known),
            none => Graph::new(&mut self.held).map(|new| none.insert(new)),
        };
        if made.and_then(|graph| graph.start(stream)).is_err() {
            // If the driver has failed, single launches fail, too, and tell why.
            self.graphs = false;
            self.retired.extend(self.known.drain(..).filter_map(|sequence| sequence.graph));
            return self.start_singly(stream);
        }
        self.replays += 1;
        let last = self.held.pop().map(|launch| launch.kernel);
        self.held.clear();
        Ok(last)
    }

    /// Starts what is held back launch by launch.
    fn start_singly(&mut self, stream: Handle) -> Answer<Handed> {
        self.singly += self.held.len();
        let mut last = None;
        for mut launch in self.held.drain(..) {
            launch.start(stream)?;
            last = Some(launch.kernel);
        }
        Ok(last)
    }
}

/// Whether each launch equals the one `period` later.
fn repeats(launches: &[Shape], period: usize) -> bool {
    launches[period..] == launches[..launches.len() - period]
}
