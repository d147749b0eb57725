//! The costs of loops: calls, seconds, useful bytes, bandwidth next to the machine's triad, plans.

mod chains;
pub(crate) mod log;
mod orderings;
pub(crate) mod passes;
#[cfg(feature = "pictures")]
mod picture;
mod table;
#[cfg(test)]
mod tests;

use crate::desc::name::LoopOver;
use crate::device::Outcome;
use crate::isa::Isa;
use crate::plan::{Lines, Plan};
use crate::strategy::Scheme;
pub use chains::{ChainRow, ChainedRow, EndRow};
pub use orderings::OrderingRow;

/// The running statistics of one loop over one set or subset. Every execution calls [`LoopStats::record`], which only adds.
#[derive(Debug, Clone, PartialEq)]
pub struct LoopStats {
    name: String,
    location: String,
    set: String,
    calls: u64,
    /// Those of executions that were waited for.
    seconds: f64,
    /// The other ones, on a device; how many of them were timed, and their seconds.
    launched: u64,
    samples: u64,
    sampled_seconds: f64,
    useful_bytes: u64,
    flops: u64,
    saved_bytes: u64,
    plans: u64,
    plan_seconds: f64,
    blocks: usize,
    colours: usize,
    strategy: String,
    /// The scheme of the last plan, if there was one.
    scheme: Option<Scheme>,
    note: Option<String>,
    /// On the host, the number of contribution stages that it runs in, and the number asked for.
    stages: (usize, usize),
    /// Why it runs in fewer stages than asked for, if it does.
    fewer: Option<String>,
    /// The instructions that it runs by.
    isa: Isa,
    /// Whether it prefetches rows behind maps.
    ahead: bool,
    /// Why it runs element by element although vector instructions were asked for, if it does.
    single: Option<String>,
    /// On the host, the cache lines that an element reaches.
    lines: Lines,
    /// The search of a loop over pairs.
    search: Option<SearchRow>,
    /// Operations of one of its pairs.
    pair_flops: u64,
    /// On devices, the seconds of one execution by the model.
    estimate: Option<f64>,
}

impl LoopStats {
    /// Empty statistics for the loop of kernel `name`, stated at `location` (`file:line`), over the set or subset called `set`.
    pub fn new(name: impl Into<String>, location: impl Into<String>, set: impl Into<String>) -> Self {
        LoopStats {
            name: name.into(),
            location: location.into(),
            set: set.into(),
            calls: 0,
            seconds: 0.0,
            launched: 0,
            samples: 0,
            sampled_seconds: 0.0,
            useful_bytes: 0,
            flops: 0,
            saved_bytes: 0,
            plans: 0,
            plan_seconds: 0.0,
            blocks: 0,
            colours: 0,
            strategy: "sequential".to_owned(),
            scheme: None,
            note: None,
            stages: (0, 0),
            fewer: None,
            isa: Isa::Scalar,
            ahead: false,
            single: None,
            lines: Lines::default(),
            search: None,
            pair_flops: 0,
            estimate: None,
        }
    }

    /// Adds one execution: its seconds, without those of the inspector, and its useful bytes.
    #[inline]
    pub fn record(&mut self, seconds: f64, useful_bytes: u64) {
        self.calls += 1;
        self.seconds += seconds;
        self.useful_bytes += useful_bytes;
    }

    /// Adds the operations of one execution.
    #[inline]
    pub fn computed(&mut self, flops: u64) {
        self.flops += flops;
    }

    /// Forgets all executions and the time of inspections. The loop's plan stays in the statistics.
    pub(crate) fn restart(&mut self) {
        (self.calls, self.seconds, self.plan_seconds) = (0, 0.0, 0.0);
        (self.launched, self.samples, self.sampled_seconds) = (0, 0, 0.0);
        (self.useful_bytes, self.saved_bytes, self.flops) = (0, 0, 0);
        self.search = None;
    }

    /// Adds one inspection and its plan; `None` if the loop runs without a plan. Blocks, colours and strategy are those
    /// of the last plan; `note` says why it differs from the one asked for.
    pub fn inspected(&mut self, seconds: f64, plan: Option<&Plan>, note: Option<&str>) {
        self.plans += u64::from(plan.is_some());
        self.plan_seconds += seconds;
        self.shows(plan, note);
    }
}

impl LoopStats {
    /// From now on the loop runs with this plan, which need not be new.
    pub(crate) fn shows(&mut self, plan: Option<&Plan>, note: Option<&str>) {
        if let Some(plan) = plan {
            self.blocks = plan.blocks();
            self.colours = plan.colours();
            self.strategy = plan.scheme().in_words();
            self.scheme = Some(plan.scheme());
            self.note = note.map(str::to_owned);
        }
    }

    /// From now on the loop runs in `found` contribution stages where `asked` were asked for; `why` gives the reason.
    #[inline]
    pub(crate) fn in_stages(&mut self, found: usize, asked: usize, why: impl FnOnce() -> String) {
        if self.stages != (found, asked) {
            self.stages = (found, asked);
            self.fewer = (found < asked).then(why);
            log::in_stages(self);
        }
    }

    /// From now on the loop runs by these instructions; `why` gives the reason if it runs element by element.
    #[inline]
    pub(crate) fn by(&mut self, isa: Isa, asked: Isa, why: impl FnOnce() -> Option<String>) {
        let single = isa != asked;
        if self.isa != isa || self.single.is_some() != single {
            self.isa = isa;
            self.single = if single { why() } else { None };
            if let Some(why) = &self.single {
                log::one_at_a_time(self, why);
            }
        }
    }

    /// From now on the loop prefetches rows behind maps, or does not.
    #[inline]
    pub(crate) fn asks_ahead(&mut self, ahead: bool) {
        self.ahead = ahead;
    }

    /// From now on an element reaches these cache lines.
    #[inline]
    pub(crate) fn reaches(&mut self, lines: Lines) {
        self.lines = lines;
    }

    /// Adds useful bytes of an execution that were already in the cache, because an earlier loop of the pass had
    /// touched them.
    pub(crate) fn saved(&mut self, bytes: u64) {
        self.saved_bytes += bytes;
    }

    /// From now on the loop runs by overlapped tiles; `seconds` are those of making them, if that was now.
    pub(crate) fn in_patches(&mut self, size: usize, count: usize, seconds: Option<f64>, note: Option<&str>) {
        self.plans += u64::from(seconds.is_some());
        self.plan_seconds += seconds.unwrap_or(0.0);
        (self.blocks, self.colours) = (count, 1);
        self.strategy = format!("overlapped tiles of {size}");
        self.note = note.map(str::to_owned);
    }

    /// Patches belong to this many devices, which exchange so many bytes in an execution.
    pub(crate) fn on_devices(&mut self, devices: usize, exchanged: usize) {
        let megabytes = exchanged as f64 / 1e6;
        self.strategy = format!("{} on {devices} devices, {megabytes:.3} MB exchanged", self.strategy);
    }

    /// Adds the making of a grid, in which pairs are looked for.
    pub(crate) fn made_grid(&mut self, seconds: f64, bytes: usize) {
        let search = self.search.get_or_insert_default();
        search.grids += 1;
        search.grid_seconds += seconds;
        search.grid_bytes = bytes;
    }

    /// Adds an execution over pairs: the useful bytes of the elements inside. Each pair takes so many operations.
    pub(crate) fn searched(&mut self, inside_bytes: u64, pair_flops: u64) {
        self.useful_bytes += inside_bytes;
        self.pair_flops = pair_flops;
    }

    /// Adds the pairs of executions: the candidates and those that met.
    pub(crate) fn met(&mut self, [proposed, met]: [u64; 2]) {
        let search = self.search.get_or_insert_default();
        search.proposed += proposed;
        search.met += met;
        self.flops += met * self.pair_flops;
    }

    /// Adds the copies of an execution by overlapped tiles, and the seconds that adding them to their targets took.
    pub(crate) fn combined(&mut self, bytes: usize, seconds: f64) {
        let search = self.search.get_or_insert_default();
        search.copies_bytes = bytes;
        search.combine_seconds += seconds;
    }

    /// Sets the note about the strategy.
    pub(crate) fn noted(&mut self, note: &str) {
        self.note = Some(note.to_owned());
    }

    /// Adds seconds that went into finding a plan.
    pub(crate) fn add_plan_seconds(&mut self, seconds: f64) {
        self.plan_seconds += seconds;
    }

    /// Name of the kernel, and where the loop is stated.
    pub(crate) fn place(&self) -> (&str, &str) {
        (&self.name, &self.location)
    }

    /// Name of the set or subset that it runs over.
    pub(crate) fn set(&self) -> &str {
        &self.set
    }

    /// The strategy that the loop follows now, and the note about it.
    pub(crate) fn plan_now(&self) -> (String, Option<String>) {
        let strategy = match (self.scheme, self.stages.0) {
            (Some(scheme), stages @ 1..) => scheme.in_stages(stages).to_string(),
            (Some(scheme), _) => scheme.to_string(),
            (None, _) => self.strategy.clone(),
        };
        (strategy, self.told())
    }

    /// The note about the strategy.
    fn told(&self) -> Option<String> {
        let layout = self.lines.note();
        let all: Vec<&str> =
            [&self.note, &self.fewer, &self.single, &layout].into_iter().flatten().map(String::as_str).collect();
        (!all.is_empty()).then(|| all.join("; "))
    }

    /// The strategy, with the number of stages or the vector instructions.
    fn followed(&self) -> String {
        let Self { strategy, stages, isa, ahead, .. } = self;
        match stages.0 {
            0 if *ahead => format!("{strategy}, {isa}, rows ahead"),
            0 if *isa != Isa::Scalar => format!("{strategy}, {isa}"),
            0 => strategy.clone(),
            1 => format!("{strategy}, 1 stage and updates"),
            n => format!("{strategy}, {n} stages and updates"),
        }
    }

    /// Adds one execution on a device, which runs on; its useful bytes.
    pub(crate) fn launched(&mut self, useful_bytes: u64) {
        self.calls += 1;
        self.launched += 1;
        self.useful_bytes += useful_bytes;
    }

    /// Adds the seconds of one of these executions.
    pub(crate) fn sampled(&mut self, seconds: f64) {
        self.samples += 1;
        self.sampled_seconds += seconds;
    }

    /// Seconds of all executions. Of those on a device that were not timed, each took as long as the timed ones on average.
    fn seconds(&self) -> f64 {
        let of_each = if self.samples == 0 { 0.0 } else { self.sampled_seconds / self.samples as f64 };
        self.seconds + self.launched as f64 * of_each
    }

    /// Adds one preparation for a device and its outcome.
    pub(crate) fn prepared(&mut self, seconds: f64, outcome: &Outcome) {
        self.plans += 1;
        self.plan_seconds += seconds;
        self.note.clone_from(&outcome.note);
        self.resumes(outcome, true);
    }

    /// Whether the loop runs by this preparation on a device.
    pub(crate) fn runs_by(&self, outcome: &Outcome) -> bool {
        (self.blocks, self.colours) == (outcome.blocks, outcome.colours) && self.strategy == outcome.strategy
    }

    /// From now on the loop runs by an earlier preparation; `noted` if its note stays.
    pub(crate) fn resumes(&mut self, outcome: &Outcome, noted: bool) {
        (self.blocks, self.colours) = (outcome.blocks, outcome.colours);
        self.estimate = outcome.estimate;
        self.strategy.clone_from(&outcome.strategy);
        if !noted {
            self.note.clone_from(&outcome.note);
        }
    }
}

/// One loop over one set or subset in a [`Report`]. A loop that runs over several, such as the levels of a multigrid, has a row
/// for each.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "json", derive(serde::Serialize))]
pub struct LoopRow {
    /// Name of the kernel.
    pub name: String,
    /// Where the loop is stated, `file:line`.
    pub location: String,
    /// Name of the set or subset.
    pub set: String,
    /// Executions.
    pub calls: u64,
    /// Seconds of all executions, without inspections. A GPU times some of them, and the others count as their average.
    pub seconds: f64,
    /// Part of the seconds of all loops, 0 to 1.
    pub time_share: f64,
    /// Bytes that all executions moved at least; see [`crate::plan::Traffic`].
    pub useful_bytes: u64,
    /// Floating-point operations of all executions on the host, counted in the kernel's text: a division and a square
    /// root count as one each, and of an `if` the longer branch counts.
    pub flops: u64,
    /// Useful bytes that were already in the cache, because an earlier loop of the pass had touched them; see
    /// [`Op2::chain`](crate::Op2::chain).
    pub saved_bytes: u64,
    /// Useful bytes per second, in 1e9.
    pub gb_per_s: f64,
    /// `gb_per_s` as a part of the machine's triad bandwidth; above 1 where data comes from a
    /// cache.
    pub triad_share: f64,
    /// Plans built.
    pub plans: u64,
    /// Seconds of the inspector.
    pub plan_seconds: f64,
    /// Blocks of the last plan; 0 without one.
    pub blocks: usize,
    /// Colours of the last plan; 0 without one.
    pub colours: usize,
    /// Scheme of the last plan, or `sequential`.
    pub strategy: String,
    /// Why the strategy differs from the one asked for, if it does.
    #[cfg_attr(feature = "json", serde(skip_serializing_if = "Option::is_none"))]
    pub note: Option<String>,
    /// On devices, the seconds that the last execution should take by the model of GPUs with which strategies are predicted.
    #[cfg_attr(feature = "json", serde(skip_serializing_if = "Option::is_none"))]
    pub estimated_seconds: Option<f64>,
    /// Of a loop over pairs, how they were found.
    #[cfg_attr(feature = "json", serde(skip_serializing_if = "Option::is_none"))]
    pub search: Option<SearchRow>,
}

/// How the pairs of a loop were found, in all its executions.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
#[cfg_attr(feature = "json", derive(serde::Serialize))]
pub struct SearchRow {
    /// Candidates that the grid proposed.
    pub proposed: u64,
    /// Pairs whose boxes met.
    pub met: u64,
    /// Grids made: one, and one more whenever the dats of the rule had changed.
    pub grids: u64,
    /// Seconds that making them took. The seconds of the loop have the search in them.
    pub grid_seconds: f64,
    /// Bytes of the last one.
    pub grid_bytes: usize,
    /// Bytes of the copies that overlapped tiles add to, in the last execution; 0 without tiles.
    pub copies_bytes: usize,
    /// Seconds that adding copies to their targets took. The seconds of the loop have them in them.
    pub combine_seconds: f64,
}

/// The costs of a program's loops, in the order in which they were first run.
///
/// Prints as a table; `to_json`, with the feature `json`, writes it as JSON, and `to_svg`, with the feature `pictures`, as a picture.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "json", derive(serde::Serialize))]
pub struct Report {
    /// Name of the executor.
    pub backend: String,
    /// Its threads; 0 for a device.
    pub threads: usize,
    /// Bandwidth of `a[i] = b[i] + s * c[i]` on this machine with these threads, measured in the same
    /// process, in GB/s: 24 bytes are counted per element, as in STREAM. Of a GPU, the bandwidth of a copy in its
    /// memory; 0 for the emulator, whose times say nothing.
    pub triad_gb_per_s: f64,
    /// The loops.
    pub loops: Vec<LoopRow>,
    /// The order of the mesh: one row for each part that was renumbered, or is so large that its order matters.
    #[cfg_attr(feature = "json", serde(skip_serializing_if = "Vec::is_empty"))]
    pub orderings: Vec<OrderingRow>,
    /// Seconds that new numbers took. They are not part of the loops' seconds.
    pub ordering_seconds: f64,
    /// Loops that ran in one pass.
    #[cfg_attr(feature = "json", serde(skip_serializing_if = "Vec::is_empty"))]
    pub chains: Vec<ChainRow>,
    /// Loops that a chain called one after the other and did not run in one pass.
    #[cfg_attr(feature = "json", serde(skip_serializing_if = "Vec::is_empty"))]
    pub ends: Vec<EndRow>,
    /// Strategies stated for loops that never ran, a line each: perhaps a misspelt name. See
    /// [`Strategies`](crate::Strategies).
    #[cfg_attr(feature = "json", serde(skip_serializing_if = "Vec::is_empty"))]
    pub unused: Vec<String>,
}

impl Report {
    /// Draws up the report of `loops`. Loops that never ran are left out.
    pub fn new<'a>(
        backend: impl Into<String>,
        threads: usize,
        triad_gb_per_s: f64,
        loops: impl IntoIterator<Item = &'a LoopStats>,
    ) -> Report {
        let ran: Vec<&LoopStats> = loops.into_iter().filter(|l| l.calls > 0).collect();
        let all_seconds = sum(ran.iter().map(|l| l.seconds()));
        let loops = ran.into_iter().map(|stats| row(stats, all_seconds, triad_gb_per_s)).collect();
        Report {
            backend: backend.into(),
            threads,
            triad_gb_per_s,
            loops,
            orderings: Vec::new(),
            ordering_seconds: 0.0,
            chains: Vec::new(),
            ends: Vec::new(),
            unused: Vec::new(),
        }
    }

    /// All fields as JSON: `backend`, `threads`, `triad_gb_per_s`, `loops` with the fields of [`LoopRow`], `ordering_seconds`, and
    /// `orderings`, `chains`, `ends` and `unused` where there are any. Needs the feature `json`.
    #[cfg(feature = "json")]
    pub fn to_json(&self) -> serde_json::Value {
        serde_json::json!(self)
    }

    /// A picture: per loop its useful bandwidth as a bar next to the triad line, and its share of
    /// the time, the most expensive loop on top. An SVG document of 960 pixels width. Needs the feature `pictures`.
    #[cfg(feature = "pictures")]
    pub fn to_svg(&self) -> String {
        picture::draw(self)
    }

    /// Seconds of all loops, without inspections.
    pub fn seconds(&self) -> f64 {
        sum(self.loops.iter().map(|l| l.seconds))
    }

    /// Useful bytes of all loops per second of all loops, in 1e9.
    pub fn gb_per_s(&self) -> f64 {
        let bytes: u64 = self.loops.iter().map(|l| l.useful_bytes).sum();
        part(bytes as f64 / 1e9, self.seconds())
    }
}

impl Report {
    /// The name of a row: that of its kernel, and that of its set where the loop ran over several.
    fn name(&self, row: &LoopRow) -> String {
        fn words(row: &LoopRow) -> LoopOver<'_> {
            LoopOver { kernel: &row.name, place: &row.location, set: &row.set }
        }
        words(row).name_among(self.loops.iter().map(words))
    }

    /// Where the loops ran.
    fn place(&self) -> String {
        match self.threads {
            0 => self.backend.clone(),
            1 => format!("{} on 1 thread", self.backend),
            n => format!("{} on {n} threads", self.backend),
        }
    }

    /// The bandwidth that others are compared to.
    fn yardstick(&self) -> &'static str {
        if self.threads == 0 { "copy" } else { "triad" }
    }
}

fn row(stats: &LoopStats, all_seconds: f64, triad: f64) -> LoopRow {
    let seconds = stats.seconds();
    let gb_per_s = part(stats.useful_bytes as f64 / 1e9, seconds);
    LoopRow {
        name: stats.name.clone(),
        location: stats.location.clone(),
        set: stats.set.clone(),
        calls: stats.calls,
        seconds,
        time_share: part(seconds, all_seconds),
        useful_bytes: stats.useful_bytes,
        flops: stats.flops,
        saved_bytes: stats.saved_bytes,
        gb_per_s,
        triad_share: part(gb_per_s, triad),
        plans: stats.plans,
        plan_seconds: stats.plan_seconds,
        blocks: stats.blocks,
        colours: stats.colours,
        strategy: stats.followed(),
        note: stats.told(),
        estimated_seconds: stats.estimate,
        search: stats.search,
    }
}

/// The sum of an empty list is 0 here, where `Iterator::sum` gives -0.
fn sum(values: impl Iterator<Item = f64>) -> f64 {
    values.fold(0.0, |sum, value| sum + value)
}

/// `some / whole`; 0 if `whole` is 0.
fn part(some: f64, whole: f64) -> f64 {
    if whole > 0.0 { some / whole } else { 0.0 }
}
