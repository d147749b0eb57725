//! Generates random programs. The model runs along, so that most calls are valid, and some are wrong on purpose.

use crate::config::{self, Setup};
use crate::kinds::{Arg, DatKind, GlobalKind, Kind, MapKind, Slot, Tag, Way};
use crate::model::{Expect, Model, map_of};
use crate::random::Random;
use crate::step::{FOREIGN, Id, Loop, Program, Step, Wrong};
use op2::{Backend, Strategy};

/// The program of a seed. One in `emulated` runs on the emulator; none if that is 0.
pub fn program(seed: u64, emulated: usize) -> Program {
    let mut random = Random::new(seed);
    let setup = Setup::random(&mut random, emulated);
    let on_device = setup.backend == Backend::CudaEmu;
    let largest = if on_device { 70 } else { 220 };
    let length = 5 + random.below(if on_device { 15 } else { 36 });
    Program { setup, steps: steps(random, length, largest, (on_device, true)) }
}

/// A program with `length` different calls after the declarations, on sets of a few elements, for the sequential
/// executor.
pub fn small_program(seed: u64, length: usize) -> Program {
    Program { setup: Setup::plain(), steps: steps(Random::new(seed), length, 5, (false, false)) }
}

fn steps(random: Random, length: usize, largest: usize, (on_device, repeats): (bool, bool)) -> Vec<Step> {
    let mut all = Generator {
        random,
        model: Model::default(),
        next: 0,
        steps: Vec::new(),
        largest,
        on_device,
        called: Vec::new(),
        repeats,
    };
    all.declarations();
    for _ in 0..length {
        all.any();
    }
    all.steps
}

struct Generator {
    random: Random,
    model: Model,
    next: Id,
    steps: Vec<Step>,
    largest: usize,
    on_device: bool,
    /// Loops that were called before, and whether to call them again, so that kept plans are used.
    called: Vec<Loop>,
    repeats: bool,
}

impl Generator {
    fn push(&mut self, step: Step) {
        match &step {
            Step::Chain(loops) => loops.iter().for_each(|one| _ = self.model.run(one)),
            step => _ = self.model.step(step),
        }
        self.steps.push(step);
    }

    fn id(&mut self) -> Id {
        self.next += 1;
        self.next
    }

    /// Small seeds, which are easy to read.
    fn seed(&mut self) -> u64 {
        self.random.word() % 1000
    }

    fn wrong(&mut self) -> Option<Wrong> {
        self.random.once_in(12).then(|| self.random.one(&[Wrong::Longer, Wrong::Shorter, Wrong::Beyond]))
    }

    fn size(&mut self) -> usize {
        let size = match self.random.below(10) {
            0 => 0,
            1 => 1,
            2 => self.random.below(4),
            3..6 => 4 + self.random.below(20),
            _ => 20 + self.random.below(self.largest),
        };
        size.min(self.largest)
    }

    fn declarations(&mut self) {
        for tag in [Tag::Nodes, Tag::Edges] {
            for _ in 0..1 + usize::from(self.random.once_in(4)) {
                let (id, size) = (self.id(), self.size());
                self.push(Step::DeclSet { id, tag, size });
            }
        }
        for kind in
            [MapKind::Ends, MapKind::Ends, MapKind::Corners, MapKind::Back, MapKind::Next, MapKind::Next, MapKind::Near]
        {
            self.declare_map(kind);
        }
        if self.random.once_in(2) {
            let children = self.declare_children();
            children.into_iter().for_each(|step| self.push(step));
        }
        for _ in 0..self.random.below(5) {
            let inverse = self.invert();
            inverse.into_iter().for_each(|step| self.push(step));
        }
        for kind in DatKind::ALL.into_iter().chain([
            DatKind::NodeFloat,
            DatKind::EdgeFloat,
            DatKind::NodeSingle,
            DatKind::NodeCount,
        ]) {
            self.declare_dat(kind);
        }
        for kind in GlobalKind::ALL.into_iter().chain([GlobalKind::Float]) {
            let (id, seed) = (self.id(), self.seed());
            self.push(Step::DeclGlobal { id, kind, seed });
        }
    }

    fn set_of(&mut self, tag: Tag) -> Option<Id> {
        let all: Vec<Id> = self.model.sets.iter().filter(|(_, set)| set.tag == tag).map(|(id, _)| *id).collect();
        (!all.is_empty()).then(|| self.random.one(&all))
    }

    fn foreign(&mut self, id: Id) -> Id {
        if self.random.once_in(60) { FOREIGN } else { id }
    }

    fn declare_map(&mut self, kind: MapKind) {
        let (from, to) = kind.tags();
        let (Some(from), Some(to)) = (self.set_of(from), self.set_of(to)) else { return };
        let (id, from, to, seed, wrong) = (self.id(), self.foreign(from), self.foreign(to), self.seed(), self.wrong());
        self.push(Step::DeclMap { id, kind, from, to, seed, wrong });
    }

    fn declare_dat(&mut self, kind: DatKind) {
        let Some(set) = self.set_of(kind.tag()) else { return };
        let (id, set, seed, wrong) = (self.id(), self.foreign(set), self.seed(), self.wrong());
        let filled = self.random.once_in(4);
        self.push(match filled {
            true => Step::DeclFilled { id, kind, set, seed },
            false => Step::DeclDat { id, kind, set, seed, wrong },
        });
    }

    fn any(&mut self) {
        let step = match self.random.below(98) {
            0 => self.declare_something(),
            1..4 => self.set_map(),
            4..8 => self.set_data(),
            8..11 => self.set_layout(),
            11..19 => self.dat().map(|(dat, kind)| Step::Fetch { dat, kind }),
            19..23 => self.global().map(|(global, kind)| Step::Get { global, kind }),
            23..26 => self.global().map(|(global, kind)| Step::Set { global, kind, seed: self.seed() }),
            26 => self.set_of(Tag::Nodes).map(|set| Step::Size { set: self.foreign(set), tag: Tag::Nodes }),
            27..30 => Some(self.pin()),
            30 | 31 => Some(Step::Reorder { ordering: config::ordering(&mut self.random) }),
            32 => self
                .map()
                .filter(|(_, kind)| *kind != MapKind::Near && !kind.has_rows())
                .map(|(map, kind)| Step::ReorderBy { map, kind, ordering: config::ordering(&mut self.random) }),
            33 => self.coordinates(),
            34 | 35 => self.one_loop().map(Step::Plan),
            36..40 => {
                let length = 2 + self.random.below(4);
                let loops: Vec<Loop> = (0..length).filter_map(|_| self.one_loop()).collect();
                Some(Step::Chain(loops))
            }
            40 => self.dat().map(|(dat, kind)| Step::FetchInto { dat, kind, wrong: self.wrong() }),
            41 | 42 => self.element().map(|(dat, kind, element)| Step::Value { dat, kind, element }),
            43 | 44 => self.element().map(|(dat, kind, element)| {
                let seed = self.seed();
                Step::SetValue { dat, kind, element, seed }
            }),
            45 | 46 => self.map().map(|(map, kind)| Step::FetchMap { map, kind }),
            47 => self.dat().map(|(dat, kind)| Step::Fill { dat, kind, seed: self.seed() }),
            48 | 49 => self.swap(),
            50 | 51 => self.swap_maps(),
            52..55 => self.select(),
            55 | 56 => self.scan(),
            57..60 => self.compact(),
            60 | 61 => self.declare_children(),
            62..65 => self.grow(),
            65 | 66 => self.fill_map(),
            67 | 68 => self.invert(),
            _ => self.one_loop().map(Step::Loop),
        };
        if let Some(step) = step {
            self.push(step);
        }
    }

    fn declare_something(&mut self) -> Option<Step> {
        match self.random.below(4) {
            0 => {
                let (id, tag, size) = (self.id(), self.random.one(&[Tag::Nodes, Tag::Edges]), self.size());
                return Some(Step::DeclSet { id, tag, size });
            }
            1 => {
                let kind = self.random.one(&MapKind::ALL);
                self.declare_map(kind);
            }
            _ => {
                let kind = self.random.one(&DatKind::ALL);
                self.declare_dat(kind);
            }
        }
        None
    }

    fn dat(&mut self) -> Option<(Id, DatKind)> {
        let all: Vec<(Id, DatKind)> = self.model.dats.iter().map(|(id, dat)| (*id, dat.kind)).collect();
        let (id, kind) = (!all.is_empty()).then(|| self.random.one(&all))?;
        Some((self.foreign(id), kind))
    }

    /// A dat and an element of its set, or rarely one behind the last.
    fn element(&mut self) -> Option<(Id, DatKind, usize)> {
        let (dat, kind) = self.dat()?;
        let size = self.model.dats.get(&dat).map_or(1, |dat| self.model.sets[&dat.set].size);
        let element = if self.random.once_in(12) { size } else { self.random.below(size) };
        Some((dat, kind, element))
    }

    fn map(&mut self) -> Option<(Id, MapKind)> {
        let all: Vec<(Id, MapKind)> = self.model.maps.iter().map(|(id, map)| (*id, map.kind)).collect();
        let (id, kind) = (!all.is_empty()).then(|| self.random.one(&all))?;
        Some((self.foreign(id), kind))
    }

    fn global(&mut self) -> Option<(Id, GlobalKind)> {
        let all: Vec<(Id, GlobalKind)> = self.model.globals.iter().map(|(id, (kind, _))| (*id, *kind)).collect();
        let (id, kind) = (!all.is_empty()).then(|| self.random.one(&all))?;
        Some((self.foreign(id), kind))
    }

    /// Another dat of a kind, usually of the same set.
    fn partner(&mut self, dat: Id, kind: DatKind) -> Option<Id> {
        let of_kind = self.model.dats.iter().filter(|(_, other)| other.kind == kind);
        let all: Vec<Id> = of_kind.map(|(id, _)| *id).collect();
        let set = self.model.dats.get(&dat).map(|dat| dat.set);
        let good: Vec<Id> = all.iter().copied().filter(|id| Some(self.model.dats[id].set) == set).collect();
        self.pick(&good, &all)
    }

    fn swap(&mut self) -> Option<Step> {
        let (a, kind) = self.dat()?;
        Some(Step::Swap { a, b: self.partner(a, kind)?, kind })
    }

    fn swap_maps(&mut self) -> Option<Step> {
        let (a, kind) = self.map().filter(|(_, kind)| !kind.has_rows())?;
        let all: Vec<Id> = self.model.maps.iter().filter(|(_, map)| map.kind == kind).map(|(id, _)| *id).collect();
        Some(Step::SwapMaps { a, b: self.random.one(&all), kind })
    }

    fn fill_map(&mut self) -> Option<Step> {
        let (map, kind) = self.map().filter(|(_, kind)| !kind.has_rows())?;
        Some(Step::FillMap { map, kind, seed: self.seed(), wrong: self.wrong() })
    }

    fn invert(&mut self) -> Option<Step> {
        let (map, kind) = self.map()?;
        Some(Step::Invert { id: self.id(), map, kind })
    }

    /// A dat of flags, usually on this set.
    fn flags(&mut self, tag: Tag, set: Id) -> Option<Id> {
        let kind = DatKind::flags(tag);
        let all: Vec<Id> = self.model.dats.iter().filter(|(_, dat)| dat.kind == kind).map(|(id, _)| *id).collect();
        let good: Vec<Id> = all.iter().copied().filter(|id| self.model.dats[id].set == set).collect();
        self.pick(&good, &all).map(|id| self.foreign(id))
    }

    fn select(&mut self) -> Option<Step> {
        let tag = self.random.one(&[Tag::Nodes, Tag::Edges]);
        let set = self.set_of(tag)?;
        let subset = self.subset(tag, set)?;
        Some(Step::Select { subset: self.foreign(subset), tag, flags: self.flags(tag, set)? })
    }

    fn scan(&mut self) -> Option<Step> {
        let set = self.set_of(Tag::Nodes)?;
        let counts = self.flags(Tag::Nodes, set)?;
        Some(Step::Scan { counts, into: self.partner(counts, DatKind::NodeCount)? })
    }

    /// Usually with flags by which some elements leave that nothing needs, if there are any such.
    fn compact(&mut self) -> Option<Step> {
        let tag = self.random.one(&[Tag::Nodes, Tag::Edges]);
        let set = self.set_of(tag)?;
        let (keep, kind) = (self.flags(tag, set)?, DatKind::flags(tag));
        let step = Step::Compact { set: self.foreign(set), tag, keep };
        for _ in 0..if self.random.once_in(4) { 0 } else { 8 } {
            let seed = self.seed();
            let flags = Step::SetData { dat: keep, kind, seed, wrong: None };
            let mut model = self.model.clone();
            let done = model.step(&flags) == Expect::Ok && model.step(&step) == Expect::Ok;
            if done && (3..self.model.sets[&set].size).contains(&model.sets[&set].size) {
                self.push(flags);
                break;
            }
        }
        Some(step)
    }

    fn declare_children(&mut self) -> Option<Step> {
        let (from, to) = (self.set_of(Tag::Nodes)?, self.set_of(Tag::Edges)?);
        Some(Step::DeclChildren { id: self.id(), from: self.foreign(from), to: self.foreign(to) })
    }

    /// Sets stay small.
    fn grow(&mut self) -> Option<Step> {
        let all: Vec<Id> = self.model.maps.iter().filter(|(_, m)| m.kind == MapKind::Born).map(|(id, _)| *id).collect();
        let rows = (!all.is_empty()).then(|| self.random.one(&all))?;
        let (from, to) = (self.model.maps[&rows].from, self.model.maps[&rows].to);
        let counts = self.flags(Tag::Nodes, from)?;
        let total = self.model.dats.get(&counts).map_or(0.0, |dat| dat.values.iter().sum());
        let size = self.model.sets[&to].size as f64 + total;
        // The call refuses a total that is too large.
        let fits = size <= 2.0 * self.largest as f64 || total > f64::from(u32::MAX);
        fits.then(|| Step::Grow { rows: self.foreign(rows), counts })
    }

    fn set_map(&mut self) -> Option<Step> {
        // No call sets rows of any length here.
        let (map, kind) = self.map().filter(|(_, kind)| !kind.has_rows() || self.random.once_in(4))?;
        Some(Step::SetMap { map, kind, seed: self.seed(), wrong: self.wrong() })
    }

    fn set_data(&mut self) -> Option<Step> {
        let (dat, kind) = self.dat()?;
        Some(Step::SetData { dat, kind, seed: self.seed(), wrong: self.wrong() })
    }

    fn set_layout(&mut self) -> Option<Step> {
        let (dat, kind) = self.dat()?;
        Some(Step::SetLayout { dat, kind, layout: config::layout(&mut self.random, self.on_device) })
    }

    fn pin(&mut self) -> Step {
        let kind = self.random.one(Kind::ALL);
        let pin = match self.random.once_in(20) {
            true => Strategy::blocks(0).into(),
            false => config::pin(&mut self.random, self.on_device),
        };
        Step::Pin { kind, pin }
    }

    fn coordinates(&mut self) -> Option<Step> {
        let fits = |kind: &DatKind| matches!(kind, DatKind::NodePair | DatKind::NodeFloat | DatKind::EdgeFloat);
        self.dat().filter(|(_, kind)| fits(kind)).map(|(dat, kind)| Step::SetCoordinates { dat, kind })
    }

    /// A loop that was called before, or a new one.
    fn one_loop(&mut self) -> Option<Loop> {
        if self.repeats && !self.called.is_empty() && self.random.once_in(2) {
            let again = self.random.below(self.called.len());
            let mut one = self.called[again].clone();
            one.flags[0] ^= self.random.once_in(8);
            return Some(one);
        }
        let one = self.new_loop()?;
        // Only a few, so that each is called often.
        if self.model.clone().run(&one) == Expect::Ok && self.called.len() < 5 {
            self.called.push(one.clone());
        }
        Some(one)
    }

    /// A loop whose handles usually fit.
    fn new_loop(&mut self) -> Option<Loop> {
        let kind = self.random.one(Kind::ALL);
        let template = kind.template();
        let set = self.set_of(template.over)?;
        let (over, subset) = match template.subset && self.random.once_in(3) {
            true => (self.subset(template.over, set)?, true),
            false => (set, false),
        };
        let mut slots = vec![FOREIGN; template.slots.len()];
        for (n, slot) in template.slots.iter().enumerate() {
            if let Slot::Map(kind) = slot {
                // Entries of children are those of a map on their set.
                let through = template.args.iter().find_map(|arg| match *arg {
                    Arg::Dat(map, _, way) if map == n => map_of(way),
                    _ => None,
                });
                let own = through.and_then(|way| self.model.maps.get(&slots[way])).map_or(set, |map| map.to);
                let fits = |from: Id| from == own;
                let all: Vec<Id> = self.model.maps.iter().filter(|(_, m)| m.kind == *kind).map(|(id, _)| *id).collect();
                let good: Vec<Id> = all.iter().copied().filter(|id| fits(self.model.maps[id].from)).collect();
                slots[n] = self.pick(&good, &all)?;
            }
        }
        for (n, slot) in template.slots.iter().enumerate() {
            slots[n] = match slot {
                Slot::Map(_) => slots[n],
                Slot::Global(kind) => {
                    let of_kind = self.model.globals.iter().filter(|(_, (k, _))| k == kind);
                    let all: Vec<Id> = of_kind.map(|(id, _)| *id).collect();
                    let mut good = all.clone();
                    if !self.random.once_in(8) {
                        good.retain(|id| !slots[..n].contains(id));
                    }
                    self.pick(&good, &all)?
                }
                Slot::Dat(kind) => {
                    let home = home(&self.model, template.args, n, &slots, set);
                    let of_kind = self.model.dats.iter().filter(|(_, dat)| dat.kind == *kind);
                    let all: Vec<Id> = of_kind.map(|(id, _)| *id).collect();
                    let lives = |id: &Id| self.model.dats[id].set == home;
                    let mut good: Vec<Id> = all.iter().copied().filter(lives).collect();
                    // A dat in two slots would usually be refused, so this is rare.
                    if !self.random.once_in(8) {
                        good.retain(|id| !slots[..n].contains(id));
                    }
                    self.pick(&good, &all)?
                }
            };
        }
        if self.random.once_in(60) {
            let n = self.random.below(slots.len());
            slots[n] = FOREIGN;
        }
        let entry = if self.random.once_in(10) { 2 } else { self.random.below(2) };
        let flags = [self.random.once_in(2), self.random.once_in(2)];
        Some(Loop { kind, over: self.foreign(over), subset, slots, flags, entry })
    }

    /// One of the handles that fit, or rarely any one.
    fn pick(&mut self, good: &[Id], all: &[Id]) -> Option<Id> {
        let from = if good.is_empty() || self.random.once_in(40) { all } else { good };
        (!from.is_empty()).then(|| self.random.one(from))
    }

    /// A subset of the set. Declares one if there is none.
    fn subset(&mut self, tag: Tag, set: Id) -> Option<Id> {
        let all: Vec<Id> =
            self.model.subsets.iter().filter(|(_, subset)| subset.set == set).map(|(id, _)| *id).collect();
        if !all.is_empty() && !self.random.once_in(4) {
            return Some(self.random.one(&all));
        }
        let (id, seed, wrong, set) = (self.id(), self.seed(), self.wrong(), self.foreign(set));
        self.push(Step::DeclSubset { id, tag, set, seed, wrong });
        self.model.subsets.contains_key(&id).then_some(id)
    }
}

/// The set on which the dat of a slot must be. Of a table, it is that of the other indices.
fn home(model: &Model, args: &[Arg], slot: usize, slots: &[Id], set: Id) -> Id {
    if args.iter().any(|arg| matches!(arg, Arg::Table(table) if *table == slot)) {
        let entries = args.iter().find_map(|arg| match arg {
            Arg::Dat(map, ..) => model.maps.get(&slots[*map]),
            _ => None,
        });
        return entries.map_or(set, |map| map.to);
    }
    let way = args.iter().find_map(|arg| match *arg {
        Arg::Dat(dat, _, way) | Arg::Opt(_, dat, _, way) if dat == slot => Some(way),
        _ => None,
    });
    let map = map_of(way.unwrap_or(Way::Direct)).and_then(|map| model.maps.get(&slots[map]));
    map.map_or(set, |map| map.to)
}
