//! Runs a program on op2 and on the model, and compares them.

use crate::calls;
use crate::compute;
use crate::config::Setup;
use crate::data;
use crate::handles::{Handles, Row};
use crate::kernels;
use crate::kinds::{self, DatKind, GlobalKind, MapKind};
use crate::model::{Expect, Model};
use crate::step::{Id, Program, Step};
use crate::with_dats;
use op2::{Backend, Config, Error, Isa, Op2, Strategy};
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use tempfile::TempDir;

/// Named counters.
pub type Counts = BTreeMap<String, u64>;

/// A program on which op2 and the model differ.
#[derive(Debug, Clone)]
pub struct Failure {
    /// The failing step, or the number of steps if the final comparison failed.
    pub step: usize,
    /// The difference.
    pub what: String,
    /// A step that shows the difference, if the program has none.
    pub shown_by: Option<Step>,
}

/// A fault that a test plants: calls for which it is true are skipped, as if they had succeeded.
pub type Plant = fn(&Step) -> bool;

/// The beginning of messages about panics.
pub const PANIC: &str = "a panic: ";

/// Runs programs.
pub struct Runner {
    folder: TempDir,
    /// Another `Op2`, and the handles that belong to it.
    _other: Op2,
    foreign: Handles,
    plant: Option<Plant>,
}

/// The message of the last panic.
static SAID: Mutex<String> = Mutex::new(String::new());

/// Records panics instead of printing them.
pub fn listen_to_panics() {
    std::panic::set_hook(Box::new(|panic| {
        *SAID.lock().unwrap_or_else(std::sync::PoisonError::into_inner) = panic.to_string();
    }));
}

impl Runner {
    /// A runner with its own folder for decisions.
    ///
    /// # Errors
    /// Errors of the system or of op2.
    pub fn new(plant: Option<Plant>) -> Result<Self, Box<dyn std::error::Error>> {
        kernels::FACTOR.set(compute::FACTOR)?;
        let mut other = Op2::with(Config::default().backend(Backend::Seq))?;
        let foreign = Handles::foreign(&mut other)?;
        Ok(Runner { folder: tempfile::tempdir()?, _other: other, foreign, plant })
    }

    /// Runs a program and counts what it did.
    ///
    /// # Errors
    /// The first difference.
    pub fn run(&self, program: &Program, counts: &mut Counts) -> Result<(), Failure> {
        let mut at = 0;
        match catch_unwind(AssertUnwindSafe(|| self.run_with_twin(program, counts, &mut at))) {
            Ok(result) => result,
            Err(_) => {
                let said = SAID.lock().unwrap_or_else(std::sync::PoisonError::into_inner).clone();
                Err(Failure { step: at, what: format!("{PANIC}{said}"), shown_by: None })
            }
        }
    }

    /// Runs a program, and where the same bits are promised, again with other instructions and on another number of
    /// threads.
    fn run_with_twin(&self, program: &Program, counts: &mut Counts, at: &mut usize) -> Result<(), Failure> {
        let bits = self.run_steps(program, counts, at)?;
        let setup = &program.setup;
        let pins_auto = |step: &Step| matches!(step, Step::Pin { pin, .. } if pin.strategy == Strategy::Auto);
        let measures = setup.strategy == Strategy::Auto || program.steps.iter().any(pins_auto);
        if setup.backend != Backend::Threads(2) || measures {
            return Ok(());
        }
        let isa = Some(if setup.isa == Some(Isa::Scalar) { Isa::best() } else { Isa::Scalar });
        let twin = Setup { backend: Backend::Threads(3), isa, short_loops: !setup.short_loops, ..setup.clone() };
        let twin = Program { setup: twin, steps: program.steps.clone() };
        count(counts, "twins", 1);
        if self.run_steps(&twin, &mut Counts::new(), at)? == bits {
            return Ok(());
        }
        let what = "3 threads and other instructions leave other bits than 2 threads".to_owned();
        Err(Failure { step: program.steps.len(), what, shown_by: None })
    }

    /// Returns a hash of the bits of all rounded values.
    fn run_steps(&self, program: &Program, counts: &mut Counts, at: &mut usize) -> Result<u64, Failure> {
        let failed = |step, what| Failure { step, what, shown_by: None };
        let op = Op2::with(program.setup.config(self.folder.path()));
        let op = op.map_err(|e| failed(0, format!("the set-up is refused: {e}")))?;
        let mut pair = Pair { op, handles: self.foreign.clone(), model: Model::default(), plant: self.plant, bits: 0 };
        count(counts, "sequences", 1);
        count_setup(counts, program);
        for (n, step) in program.steps.iter().enumerate() {
            *at = n;
            count(counts, "steps", 1);
            count(counts, &format!("step {}", step.name()), 1);
            let refused = pair.step(step, counts).map_err(|what| failed(n, what))?;
            // A refused call must change nothing. This is checked for every other step only, since reading brings data
            // back from a device.
            if refused && n % 2 == 0 {
                pair.compare_all(counts).map_err(|(what, by)| Failure { step: n, what, shown_by: Some(by) })?;
            }
        }
        *at = program.steps.len();
        pair.compare_all(counts).map_err(|(what, by)| Failure { step: *at, what, shown_by: Some(by) })?;
        Ok(pair.bits)
    }
}

/// Adds to a counter.
pub fn count(counts: &mut Counts, what: &str, by: u64) {
    match counts.get_mut(what) {
        Some(known) => *known += by,
        None => _ = counts.insert(what.to_owned(), by),
    }
}

fn count_setup(counts: &mut Counts, program: &Program) {
    let setup = &program.setup;
    let isa = setup.isa.map_or("default".to_owned(), |isa| format!("{isa:?}"));
    for (dimension, value) in [
        ("backend", format!("{:?}", setup.backend)),
        ("strategy", word(&setup.strategy.to_string())),
        ("layout", format!("{:?}", setup.layout).split('(').next().unwrap_or_default().to_owned()),
        ("isa", isa),
        ("ordering", setup.ordering.map_or("default".to_owned(), |ordering| format!("{ordering:?}"))),
        ("shuffled", setup.shuffled.is_some().to_string()),
        ("short_loops", setup.short_loops.to_string()),
        ("verify_plans", setup.verify.to_string()),
        ("ahead", setup.ahead.to_string()),
        ("hardware", format!("{:?}", setup.hardware)),
    ] {
        count(counts, &format!("setup {dimension} {value}"), 1);
    }
}

/// op2 and the model, side by side.
struct Pair {
    op: Op2,
    handles: Handles,
    model: Model,
    plant: Option<Plant>,
    /// A hash of all rounded values so far.
    bits: u64,
}

impl Pair {
    /// Makes a call on both. Returns whether it was refused, as it had to be.
    fn step(&mut self, step: &Step, counts: &mut Counts) -> Result<bool, String> {
        if let Step::Chain(loops) = step {
            return self.chain(step, loops, counts);
        }
        let expect = self.model.step(step);
        if expect == Expect::Skip {
            return Ok(false);
        }
        if self.plant.is_some_and(|loses| loses(step)) {
            return Ok(false);
        }
        for one in step.loops() {
            count(counts, "loops", 1);
            count(counts, &format!("loop {}", one.kind.template().name), 1);
            count(counts, &format!("over a subset {}", one.subset), 1);
        }
        let answer = self.call(step, counts)?;
        agrees(&expect, &answer, counts)
    }

    fn chain(&mut self, step: &Step, loops: &[crate::step::Loop], counts: &mut Counts) -> Result<bool, String> {
        let expected: Vec<Expect> = loops.iter().map(|one| self.model.run(one)).collect();
        if self.plant.is_some_and(|loses| loses(step)) {
            return Ok(false);
        }
        let runs: Vec<bool> = expected.iter().map(|expect| *expect != Expect::Skip).collect();
        count(counts, "loops", loops.len() as u64);
        for one in loops {
            count(counts, &format!("loop {}", one.kind.template().name), 1);
        }
        let answers = calls::chain(&mut self.op, &self.handles, loops, &runs).map_err(|e| format!("the chain: {e}"))?;
        let mut refused = false;
        for ((expect, answer), runs) in expected.iter().zip(&answers).zip(runs) {
            refused |= runs && agrees(expect, answer, counts)?;
        }
        Ok(refused)
    }

    /// Makes the call on op2, and compares values that it returns.
    fn call(&mut self, step: &Step, counts: &mut Counts) -> Result<op2::Result<()>, String> {
        let Pair { op, handles, model, .. } = self;
        let size = |set: Id| model.sets.get(&set).map_or(300, |set| set.size);
        let map_sizes = |map: Id| model.maps.get(&map).map_or((300, 300), |m| (size(m.from), size(m.to)));
        Ok(match *step {
            Step::DeclSet { id, tag, size } => handles.declare_set(op, id, tag, size),
            Step::DeclSubset { id, tag, set, seed, wrong } => {
                handles.declare_subset(op, id, tag, set, &data::elements(size(set), seed, wrong))
            }
            Step::DeclMap { id, kind, from, to, seed, wrong } => {
                let rows = data::entries(kind, size(from), size(to), seed, wrong);
                handles.map(op, id, kind, Some((from, to)), &rows)
            }
            Step::SetMap { map, kind, seed, wrong } => {
                let (from, to) = map_sizes(map);
                handles.map(op, map, kind, None, &data::entries(kind, from, to, seed, wrong))
            }
            Step::DeclDat { id, kind, set, seed, wrong } => {
                handles.declare_dat(op, id, kind, set, &data::values(kind, size(set), seed, wrong))
            }
            Step::DeclFilled { id, kind, set, seed } => handles.declare_filled(op, id, kind, set, seed),
            Step::DeclGlobal { id, kind, seed } => {
                handles.declare_global(op, id, kind, seed);
                Ok(())
            }
            Step::SetData { dat, kind, seed, wrong } => {
                let rows = model.dats.get(&dat).map_or(300, |dat| size(dat.set));
                let values = data::values(kind, rows, seed, wrong);
                with_dats!(handles, kind, |table| op.set_data(table[&dat], &Row::all_of(&values, kind.dim())))
            }
            Step::SetLayout { dat, kind, layout } => {
                count(counts, &format!("layout {layout:?}"), 1);
                with_dats!(handles, kind, |table| op.set_layout(table[&dat], layout))
            }
            Step::Fetch { dat, kind } if !model.dats.contains_key(&dat) => {
                with_dats!(handles, kind, |table| op.fetch(table[&dat]).map(drop))
            }
            Step::Fetch { dat, kind } => {
                self.compare_dat(dat, kind, counts)?;
                Ok(())
            }
            Step::FetchInto { dat, kind, wrong } => {
                let rows = data::rows(model.dats.get(&dat).map_or(300, |dat| size(dat.set)), wrong);
                let mut found = Vec::new();
                let filled = with_dats!(handles, kind, |table| {
                    let mut buffer = Row::all_of(&vec![0.0; rows * kind.dim()], kind.dim());
                    op.fetch_into(table[&dat], &mut buffer)
                        .map(|()| buffer.iter().for_each(|row| row.push_to(&mut found)))
                });
                if filled.is_ok() && model.dats.contains_key(&dat) {
                    self.compare(dat, kind, found, counts)?;
                }
                filled
            }
            Step::Value { dat, kind, element } => {
                let mut found = Vec::new();
                let read = with_dats!(handles, kind, |table| {
                    op.value(table[&dat], element).map(|row| row.push_to(&mut found))
                });
                let all = model.dats.get(&dat).map_or(&[][..], |dat| &dat.values);
                if let (Ok(()), Some(expected)) = (&read, all.chunks(kind.dim()).nth(element)) {
                    let same = sameness(kind, all);
                    if !found.iter().zip(expected).all(|(&a, &b)| same(a, b)) {
                        return Err(format!("dat d{dat}: element {element} is {found:?}, expected {expected:?}"));
                    }
                    count(counts, "comparisons", 1);
                }
                read
            }
            Step::SetValue { dat, kind, element, seed } => {
                let value = data::values(kind, 1, seed, None);
                with_dats!(handles, kind, |table| op.set_value(table[&dat], element, Row::of(&value)))
            }
            Step::Get { global, kind } if !model.globals.contains_key(&global) => {
                handles.global(op, global, kind).map(drop)
            }
            Step::Get { global, kind } => {
                self.compare_global(global, kind, counts)?;
                Ok(())
            }
            Step::Set { global, kind, seed } => handles.set_global(op, global, kind, seed),
            Step::Size { set, tag } => {
                let found = match tag {
                    kinds::Tag::Nodes => op.size(handles.nodes[&set]),
                    kinds::Tag::Edges => op.size(handles.edges[&set]),
                };
                match found {
                    Ok(found) if found != size(set) => return Err(format!("set {set} has {found} elements")),
                    found => found.map(drop),
                }
            }
            Step::Pin { kind, pin } => {
                count(counts, &format!("pin {}", word(&pin.strategy.to_string())), 1);
                if let Some(isa) = pin.isa {
                    count(counts, &format!("pin isa {isa:?}"), 1);
                }
                op.pin(kind.template().name, pin)
            }
            Step::Reorder { ordering } => {
                count(counts, &format!("ordering {}", word(&ordering.to_string())), 1);
                op.reorder(ordering).map(drop)
            }
            Step::ReorderBy { map, kind, ordering } => match kind {
                MapKind::Ends => op.reorder_by(handles.ends[&map], ordering).map(drop),
                MapKind::Corners => op.reorder_by(handles.corners[&map], ordering).map(drop),
                MapKind::Back => op.reorder_by(handles.back[&map], ordering).map(drop),
                _ => op.reorder_by(handles.next[&map], ordering).map(drop),
            },
            Step::FetchMap { map, kind } if !model.maps.contains_key(&map) || model.is_unset(map) => {
                handles.rows(op, map, kind).map(drop)
            }
            Step::FetchMap { map, kind } => {
                self.compare_map(map, kind, counts)?;
                Ok(())
            }
            Step::Fill { dat, kind, seed } => {
                let value = data::values(kind, 1, seed, None);
                with_dats!(handles, kind, |table| op.fill(table[&dat], Row::of(&value)))
            }
            Step::Swap { a, b, kind } => with_dats!(handles, kind, |table| op.swap(table[&a], table[&b])),
            Step::FillMap { map, kind, seed, wrong } => {
                handles.fill_map(op, map, kind, data::target(kind, map_sizes(map).1, seed, wrong))
            }
            Step::SwapMaps { a, b, kind } => handles.swap_maps(op, [a, b], kind),
            Step::Invert { id, map, kind } => handles.invert(op, id, map, kind),
            Step::Select { subset, tag, flags } => {
                let expected = model.subsets.get(&subset).map(|subset| subset.elements.len());
                left(handles.select(op, subset, tag, flags), expected)?
            }
            Step::Scan { counts, into } => op.scan(handles.node_count[&counts], handles.node_count[&into]).map(drop),
            Step::DeclChildren { id, from, to } => handles.declare_children(op, id, from, to),
            Step::Grow { rows, counts } => {
                let expected = model.maps.get(&rows).map(|map| map.children.len());
                left(op.grow(handles.born[&rows], handles.node_count[&counts]), expected)?
            }
            Step::Compact { set, tag, keep } => {
                let expected = model.sets.get(&set).map(|set| set.size);
                left(handles.compact(op, set, tag, keep), expected)?
            }
            Step::SetCoordinates { dat, kind } => match kind {
                DatKind::NodePair => op.set_coordinates(handles.node_pair[&dat]),
                DatKind::EdgeFloat => op.set_coordinates(handles.edge_float[&dat]),
                _ => op.set_coordinates(handles.node_float[&dat]),
            },
            Step::Loop(ref one) => calls::run(op, handles, one),
            Step::Plan(ref one) => calls::plan(op, handles, one),
            Step::Chain(_) => Ok(()),
        })
    }

    fn compare_all(&mut self, counts: &mut Counts) -> Result<(), (String, Step)> {
        let dats: Vec<(Id, DatKind)> = self.model.dats.iter().map(|(id, dat)| (*id, dat.kind)).collect();
        for (dat, kind) in dats {
            self.compare_dat(dat, kind, counts).map_err(|what| (what, Step::Fetch { dat, kind }))?;
        }
        let maps: Vec<(Id, MapKind)> = self
            .model
            .maps
            .iter()
            .filter(|(id, _)| !self.model.is_unset(**id))
            .map(|(id, map)| (*id, map.kind))
            .collect();
        for (map, kind) in maps {
            self.compare_map(map, kind, counts).map_err(|what| (what, Step::FetchMap { map, kind }))?;
        }
        let globals: Vec<(Id, GlobalKind)> = self.model.globals.iter().map(|(id, (kind, _))| (*id, *kind)).collect();
        for (global, kind) in globals {
            self.compare_global(global, kind, counts).map_err(|what| (what, Step::Get { global, kind }))?;
        }
        Ok(())
    }

    fn compare_dat(&mut self, dat: Id, kind: DatKind, counts: &mut Counts) -> Result<(), String> {
        let (op, handles) = (&self.op, &mut self.handles);
        let mut found = Vec::new();
        let fetched: op2::Result<()> = with_dats!(handles, kind, |table| op.fetch(table[&dat]).map(|rows| {
            rows.iter().for_each(|row| row.push_to(&mut found));
        }));
        fetched.map_err(|e| format!("dat d{dat} cannot be fetched: {e}"))?;
        self.compare(dat, kind, found, counts)
    }

    /// Compares the values of a dat with those of the model, which takes over how they are rounded.
    fn compare(&mut self, dat: Id, kind: DatKind, found: Vec<f64>, counts: &mut Counts) -> Result<(), String> {
        count(counts, "comparisons", 1);
        let expected = &mut self.model.dats.get_mut(&dat).expect("it was declared").values;
        if found.len() != expected.len() {
            return Err(format!("dat d{dat} has {} values, expected {}", found.len(), expected.len()));
        }
        let same = sameness(kind, expected);
        if let Some(n) = (0..found.len()).find(|&n| !same(found[n], expected[n])) {
            let (e, c) = (n / kind.dim(), n % kind.dim());
            let (found, expected) = (found[n], expected[n]);
            return Err(format!("dat d{dat}: component {c} of element {e} is {found:?}, expected {expected:?}"));
        }
        if kind == DatKind::NodeSingle {
            let mix = |bits: u64, x: &f64| (bits ^ x.to_bits()).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29);
            self.bits = found.iter().fold(self.bits, mix);
        }
        *expected = found;
        Ok(())
    }

    fn compare_map(&mut self, map: Id, kind: MapKind, counts: &mut Counts) -> Result<(), String> {
        let found = self.handles.rows(&mut self.op, map, kind);
        let found = found.map_err(|e| format!("map m{map} cannot be fetched: {e}"))?;
        count(counts, "comparisons", 1);
        let expected = &self.model.maps[&map].rows;
        if found == *expected { Ok(()) } else { Err(format!("map m{map} is {found:?}, expected {expected:?}")) }
    }

    fn compare_global(&mut self, global: Id, kind: GlobalKind, counts: &mut Counts) -> Result<(), String> {
        let found = self.handles.global(&self.op, global, kind);
        let found = found.map_err(|e| format!("global g{global} cannot be read: {e}"))?;
        count(counts, "comparisons", 1);
        let expected = &self.model.globals[&global].1;
        if found == *expected { Ok(()) } else { Err(format!("global g{global} is {found:?}, expected {expected:?}")) }
    }
}

/// Compares the number of elements that a call has left with the expected one.
fn left(found: op2::Result<usize>, expected: Option<usize>) -> Result<op2::Result<()>, String> {
    match (&found, expected) {
        (Ok(found), Some(expected)) if *found != expected => Err(format!("{found} elements, expected {expected}")),
        _ => Ok(found.map(drop)),
    }
}

/// The comparison of two values of a dat that must have the values `all`: those of kinds that are rounded may differ a little.
fn sameness(kind: DatKind, all: &[f64]) -> impl Fn(f64, f64) -> bool + use<> {
    let largest = all.iter().fold(1.0, |most: f64, x| most.max(x.abs()));
    let rounds = kind == DatKind::NodeSingle;
    // Beyond this, single precision is not comparable.
    move |a, b| a == b || rounds && (largest > 1e30 || (a - b).abs() <= 1e-3 * largest)
}

/// Compares a result with the expected one. Returns whether the call was refused.
fn agrees(expect: &Expect, answer: &op2::Result<()>, counts: &mut Counts) -> Result<bool, String> {
    match (expect, answer) {
        (Expect::Ok | Expect::Either, Ok(())) => Ok(false),
        (Expect::Either, Err(_)) => Ok(true),
        (Expect::Fails(of), Err(error)) => {
            let name = variant(error);
            if !of.contains(&name.as_str()) {
                return Err(format!("refused by `{name}` ({error}), expected {of:?}"));
            }
            count(counts, &format!("error {name}"), 1);
            Ok(true)
        }
        (Expect::Fails(of), Ok(())) => Err(format!("it succeeded, expected {of:?}")),
        (Expect::Ok | Expect::Skip, Err(error)) => Err(format!("refused: {error}")),
        (Expect::Skip, Ok(())) => Ok(false),
    }
}

/// The name of an error's variant; of one that no program here expects, the first word of its message.
fn variant(error: &Error) -> String {
    macro_rules! name {
        ($($variant:ident),*) => {
            match error {
                Error::Loop(inner) => format!("{:?}", inner.fault),
                $(Error::$variant { .. } => stringify!($variant).to_owned(),)*
                other => other.to_string(),
            }
        };
    }
    let text = name!(
        SetTooLarge,
        Rows,
        Buffer,
        Element,
        MapEntry,
        SubsetEntry,
        OtherMesh,
        EmptyBlock,
        DeviceStrategy,
        Reorder,
        OtherSet,
        OtherTarget,
        Kept,
        Total,
        Unset,
        Inverse,
        Children
    );
    let name = text.trim_start_matches("Inspector(");
    name.split([' ', '(', '{']).next().unwrap_or_default().to_owned()
}

fn word(text: &str) -> String {
    text.split(':').next().unwrap_or_default().to_owned()
}
