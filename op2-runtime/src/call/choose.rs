//! How a call chooses its strategy under [`Strategy::Auto`].

use super::context::Context;
use super::run::{Attempt, Decided};
use super::state::CallState;
use crate::decide::candidates::{candidates, objection};
use crate::decide::fingerprint::{self, Fingerprint, Machine};
use crate::decide::trials::Trials;
use crate::decide::{Choice, How, LoopKey, Measuring, Ready, State};
use crate::desc::{ArgDesc, LoopDesc};
use crate::error::{Error, Fault, Result};
use crate::inspect::Elements;
use crate::isa::Isa;
use crate::mesh::bindings::BoundDat;
use crate::plan::cache::Settings;
use crate::plan::key::Wanted;
use crate::plan::key::{Inputs, PlanKey, StoredMap};
use crate::plan::{self, Race};
use crate::report::log;
use crate::strategy::{Pin, Strategy};
use op2_cache::Key;
use rustc_hash::FxHashMap;
use std::time::Instant;

/// Loops shorter than this many nanoseconds are not tried: they are too short to be measured.
const SHORT: u64 = 50_000;

impl CallState<'_> {
    /// The decision under [`Strategy::Auto`]. If it is a trial, tell [`CallState::tried`] how long it took.
    /// `isa` are the instructions if some are stated; otherwise they are tried too.
    pub(super) fn chosen(&mut self, isa: Option<Isa>) -> Result<Decided> {
        let key = LoopKey { desc: std::ptr::from_ref(self.desc).addr(), plan: self.key(Wanted::Predicted), isa };
        let choice = match self.context.chooser.find(&key) {
            Some(known) => known,
            None => {
                let new = self.consider(&key.plan, isa)?;
                self.start_choice(key, new)
            }
        };
        match &self.context.chooser.choices[choice].state {
            State::Settled(pin) => Ok(Decided::on_host(*pin, None)),
            State::Measuring(_) => self.attempt(choice),
        }
    }

    /// Records the seconds of a trial.
    pub(super) fn tried(&mut self, attempt: Attempt, seconds: f64) -> Result<()> {
        let Some(open) = self.measuring(attempt.choice) else { return Ok(()) };
        open.trials.ran(attempt.candidate, seconds);
        if open.trials.next().is_none() {
            self.settle(attempt.choice)?;
        }
        Ok(())
    }

    /// Starts the choice for a loop that is called for the first time: from a decision on disk, or with trials.
    fn consider(&mut self, key: &PlanKey, isa: Option<Isa>) -> Result<Choice> {
        let stats = self.stats_index();
        let with = |strategy| Pin { strategy, isa };
        let predicted = || Choice::settled(stats, with(Strategy::Predicted), How::Predicted, Vec::new());
        let races = !self.inputs(key).shape().is_free();
        if !races && (isa.is_some() || !self.may_run_in_lanes()) {
            return Ok(predicted());
        }
        let start = Instant::now();
        let about = self.fingerprint(key, isa);
        let recalled = self.context.chooser.memory().recall(&about);
        self.stats().add_plan_seconds(start.elapsed().as_secs_f64());
        if let Some((pin, trials)) = recalled.filter(|(pin, _)| self.follows(key, *pin, isa)) {
            let choice = Choice::settled(stats, pin, How::Remembered, trials);
            let inspected = self.inspected(Wanted::of(pin.strategy))?;
            self.stats().shows(inspected.plan.as_deref(), choice.note.as_deref());
            return Ok(choice);
        }
        let found = self.known(Wanted::Predicted).is_some();
        let start = Instant::now();
        let inspected = self.inspected(Wanted::Predicted)?;
        let seconds = start.elapsed().as_secs_f64();
        let plan = inspected.plan.as_deref().expect("a wanted plan is built");
        let short = self.nanoseconds(&inspected) < self.context.short_loops.max(SHORT);
        if short {
            return Ok(predicted());
        }
        let rival = if isa.is_none() { self.rival(&inspected) } else { None };
        let strategies = match plan.race() {
            Race::Coloured => candidates(&self.inputs(key).shape(), plan, self.desc.reduces()),
            Race::Impossible | Race::Disproved => vec![Strategy::Predicted],
        };
        let mut pins: Vec<Pin> = strategies.into_iter().map(with).collect();
        // Second, because it needs no plan.
        pins.splice(1..1, rival.map(|isa| pins[0].strategy.by(isa)));
        if pins.len() < 2 {
            return Ok(predicted());
        }
        let mut trials = Trials::new(pins);
        if !found {
            trials.built(0, seconds);
        }
        let mut plans = vec![Ready::Not; trials.list().len()];
        plans[0] = if found { Ready::Found } else { Ready::Built };
        // Keeps the plan under the key of its scheme too, so that every winner is looked up in the same way.
        let first = self.key(Wanted::of(trials.pin(0).strategy));
        self.context.plans.share(first, &inspected);
        let state = State::Measuring(Box::new(Measuring { trials, plans, about }));
        Ok(Choice { stats: Some(stats), state, how: How::Measuring, note: None, trials: Vec::new() })
    }

    /// Keeps a new choice; returns its number.
    pub(super) fn start_choice(&mut self, key: LoopKey, new: Choice) -> usize {
        log::chose(self.stats(), &new);
        self.context.chooser.insert(key, new)
    }

    /// The candidate whose turn it is; the best one if there are no more trials.
    fn attempt(&mut self, choice: usize) -> Result<Decided> {
        while let Some(open) = self.measuring(choice)
            && let Some(candidate) = open.trials.next()
        {
            let (pin, ready) = (open.trials.pin(candidate), open.plans[candidate]);
            if ready == Ready::Not && !self.build(choice, candidate)? {
                continue;
            }
            let inspected = self.inspected(Wanted::of(pin.strategy))?;
            self.stats().shows(inspected.plan.as_deref(), Some("being measured"));
            return Ok(Decided::on_host(pin, Some(Attempt { choice, candidate })));
        }
        Ok(Decided::on_host(self.settle(choice)?, None))
    }

    /// Builds the plan of a candidate. Returns false if the plan is not worth an execution.
    fn build(&mut self, choice: usize, candidate: usize) -> Result<bool> {
        let Some(open) = self.measuring(choice) else { return Ok(false) };
        if open.trials.shares_plan(candidate) {
            open.plans[candidate] = Ready::Found;
            return Ok(true);
        }
        let wanted = Wanted::of(open.trials.pin(candidate).strategy);
        let key = self.key(wanted);
        let found = self.known(wanted).is_some();
        let start = Instant::now();
        let built = self.inspected(wanted);
        let seconds = start.elapsed().as_secs_f64();
        let threads = self.context.executor.backend().on_host().map_or(1, |(_, threads)| threads);
        let reason = match &built {
            Ok(inspected) => inspected.plan.as_deref().and_then(|plan| objection(plan, threads)),
            // The first plan has found the faults of the loop itself; this one concerns the candidate alone.
            Err(Error::Loop(e)) if matches!(e.fault, Fault::Inspector(_)) => Some(e.fault.to_string()),
            Err(e) => return Err(e.clone()),
        };
        if reason.is_some() && !found {
            self.context.plans.remove(&key);
        }
        let Some(open) = self.measuring(choice) else { return Ok(false) };
        if !found {
            open.trials.built(candidate, seconds);
        }
        open.plans[candidate] = if found { Ready::Found } else { Ready::Built };
        let Some(reason) = reason else { return Ok(true) };
        open.trials.refuse(candidate, reason);
        Ok(false)
    }

    /// Ends the trials of a loop: the best strategy stays, is remembered, and the plans of all others go.
    fn settle(&mut self, choice: usize) -> Result<Pin> {
        let losers = self.measuring(choice).map_or_else(Vec::new, |open| {
            let best = Wanted::of(open.trials.pin(open.trials.best()).strategy);
            let wanted = |n| Wanted::of(open.trials.pin(n).strategy);
            let built = (0..open.plans.len()).filter(|&n| open.plans[n] == Ready::Built && wanted(n) != best);
            built.map(|n| (n, wanted(n))).collect()
        });
        for (n, wanted) in losers {
            self.context.plans.remove(&self.key(wanted));
            if n == 0 {
                self.context.plans.remove(&self.key(Wanted::Predicted));
            }
        }
        let (pin, note) = self.close(choice);
        let inspected = self.inspected(Wanted::of(pin.strategy))?;
        self.stats().shows(inspected.plan.as_deref(), Some(&note));
        Ok(pin)
    }

    /// Stores the best strategy; returns it with the text for reports.
    pub(super) fn close(&mut self, choice: usize) -> (Pin, String) {
        let settled = State::Settled(Pin::default());
        let state = std::mem::replace(&mut self.context.chooser.choices[choice].state, settled);
        let State::Measuring(open) = state else {
            unreachable!("trials end once");
        };
        let Measuring { trials, about, .. } = *open;
        let pin = trials.pin(trials.best());
        let executed = trials.list().iter().filter(|t| !t.seconds.is_empty()).count();
        let mut note = format!("best of {executed}; trials cost {:.1} executions", trials.executions_lost());
        if let Err(reason) = self.context.chooser.memory().keep(&about, pin, trials.list()) {
            note += &format!("; not remembered: {reason}");
            log::forgets(self.stats(), &reason);
        }
        let stats = self.stats_index();
        let Context { chooser, stats: all, .. } = &mut *self.context;
        let choice = &mut chooser.choices[choice];
        choice.trials = trials.list().to_vec();
        (choice.state, choice.how, choice.note) = (State::Settled(pin), How::Measured, Some(note.clone()));
        log::chose(&all[stats], choice);
        (pin, note)
    }

    pub(super) fn measuring(&mut self, choice: usize) -> Option<&mut Measuring> {
        match &mut self.context.chooser.choices[choice].state {
            State::Settled(_) => None,
            State::Measuring(open) => Some(open),
        }
    }

    /// Whether the loop can follow what a file states, and may if these instructions are asked for.
    fn follows(&self, key: &PlanKey, pin: Pin, isa: Option<Isa>) -> bool {
        let fits = |scheme| plan::fit(&self.inputs(key).shape(), scheme, self.desc.reduces()).1.is_none();
        let strategy = pin.strategy == Strategy::Predicted || pin.strategy.host_plan().is_some_and(fits);
        strategy && isa.is_none_or(|isa| pin.isa == Some(isa)) && pin.isa.is_none_or(|isa| isa <= self.context.widest)
    }

    /// The loops that a decision under this key holds for.
    pub(super) fn fingerprint(&mut self, key: &PlanKey, isa: Option<Isa>) -> Fingerprint {
        let machine = self.machine_in_words();
        let mut hashes = std::mem::take(&mut self.context.chooser.maps);
        let inputs = self.inputs(key);
        let (over, mesh) = (loop_in_words(self.desc, inputs, isa), mesh_in_words(inputs, &mut hashes));
        self.context.chooser.maps = hashes;
        Fingerprint { machine, over, mesh }
    }

    fn machine_in_words(&mut self) -> Machine {
        let context = &*self.context;
        let (name, threads) = context.executor.name();
        let executor = if threads == 0 { name.to_owned() } else { format!("{name} {threads}") };
        let Settings { hardware, verify: _, ahead_from } = context.plans.settings();
        let ahead = ahead_from.map_or("never".to_owned(), |bytes| format!("from {bytes} bytes"));
        let isa = context.isa.map_or_else(|| format!("scalar or {}", context.widest), |isa| isa.to_string());
        let settings = format!("{isa}, {hardware:?}, rows ahead {ahead}, short below {} ns", context.short_loops);
        context.chooser.machine.get_or_init(|| Machine::here(executor, settings)).clone()
    }
}

fn loop_in_words(desc: &LoopDesc, inputs: Inputs<'_>, isa: Option<Isa>) -> fingerprint::Loop {
    let dats = inputs.dats();
    let maps = maps_of(inputs);
    // Numbers dats and maps by their order in this loop, so that other declarations do not matter.
    let number = |map: usize| maps.iter().position(|&other| other == map).unwrap_or(0);
    let value = |bound: &BoundDat| {
        let store = inputs.dat(bound);
        let dat = dats.iter().position(|other| other.dat == bound.dat).unwrap_or(0);
        let (elem, bytes, layout, rows) = (store.elem, store.bytes, store.layout(), inputs.rows(bound));
        let through = bound.through.as_ref().map(|(map, used)| format!(" through {used:?} of map {}", number(*map)));
        format!(": dat {dat}, {bytes} bytes of {elem:?}, {layout:?}, {rows} rows{}", through.unwrap_or_default())
    };
    let arg = |(n, arg): (usize, &ArgDesc)| {
        let bound = dats.iter().find(|b| b.arg == n).map(value);
        format!("{} ({:?}){}", arg.text, arg.kind, bound.unwrap_or_default())
    };
    let args = desc.args.iter().enumerate().map(arg).collect();
    fingerprint::Loop { kernel: desc.kernel.to_owned(), flops: desc.flops, isa: isa.map(|isa| isa.to_string()), args }
}

fn mesh_in_words(inputs: Inputs<'_>, hashes: &mut FxHashMap<usize, (u32, Key)>) -> fingerprint::Mesh {
    let listed = |list: &[u32]| fingerprint::hash(list);
    let elements = match inputs.elements() {
        Elements::All(n) => format!("{n} elements"),
        Elements::Pieces(pieces) => format!("{} pieces {}", pieces.len() - 1, listed(pieces)),
        Elements::Subset(list) => format!("{} of a set {}", list.len(), listed(list)),
    };
    let map = |map| {
        let StoredMap { number, version, store, entries, .. } = inputs.stored_map(map);
        let known = hashes.get(&number).filter(|known| known.0 == version).map(|known| known.1);
        let hash = known.unwrap_or_else(|| fingerprint::hash(entries));
        hashes.insert(number, (version, hash));
        let starts = store.offsets.as_deref().map(|offsets| format!(" from {}", fingerprint::hash(offsets)));
        format!("{}: rows of {}{}, {hash}", store.name, store.arity, starts.unwrap_or_default())
    };
    fingerprint::Mesh { elements, maps: maps_of(inputs).into_iter().map(map).collect() }
}

/// The maps that a loop goes through, each once, those of indices behind those of dats.
fn maps_of(inputs: Inputs<'_>) -> Vec<usize> {
    let of_dats = inputs.dats().iter().filter_map(|b| Some(b.through.as_ref()?.0));
    let of_indices = inputs.more().map_or(&[][..], |more| &more.indices).iter().map(|index| index.1);
    let mut maps = Vec::new();
    for map in of_dats.chain(of_indices) {
        if !maps.contains(&map) {
            maps.push(map);
        }
    }
    maps
}
