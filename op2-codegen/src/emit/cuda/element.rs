//! The code around the kernel for one element: it follows maps, prepares the kernel's arguments, and stores or combines the
//! results.

use crate::ir::{Combine, Effect};
use crate::lower::{DatArg, Reach, Role};

use super::CudaPassing;
use super::shape::{Arg, Own, Shape, Target, View, len};
use super::stored::Places;
use super::variant::{READS, by};
use super::writer::Writer;
use crate::emit::device::Stored;
use op2_core::Wrapper;

/// The element of a thread in one variant of the loop.
pub(super) struct Element<'a> {
    pub(super) shape: &'a Shape<'a>,
    pub(super) wrapper: Wrapper,
}

/// A dat argument with its names, its lowered form and its view.
#[derive(Clone, Copy)]
struct DatParts<'a> {
    arg: &'a Arg,
    dat: &'a DatArg,
    view: &'a View,
    /// Whether the kernel takes options, because entries of the map may be missing.
    may_miss: bool,
}

impl<'a> Element<'a> {
    /// Declares the arguments, calls the kernel, and stores or combines the results.
    pub(super) fn whole(&self, w: &mut Writer) {
        self.load(w);
        self.run(w);
    }

    /// Declares the arguments.
    pub(super) fn load(&self, w: &mut Writer) {
        self.dats().for_each(|dat| self.declare(dat, w));
    }

    /// Declares those of some arguments that lead to the element itself and have values, before threads meet: they come with what these
    /// wait for. In threads without an element, values are none. Whether there are any: the element has begun then.
    pub(super) fn load_own(&self, of: impl Fn(usize) -> bool, w: &mut Writer) -> bool {
        let (block, e) = (&self.shape.own.block, &self.shape.own.element);
        let busy = format!("{block}.busy()");
        let dats: Vec<_> = self.some(of).filter(|dat| is_own(*dat)).collect();
        if dats.is_empty() {
            return false;
        }
        // Faults of these loads name the element.
        w.line(format!("if ({busy}) OP2_ELEMENT({e});"));
        for DatParts { arg, view, .. } in &dats {
            w.line(format!("auto {} = {};", arg.name, view.load_if(&busy, e)));
        }
        let names: Vec<&str> = dats.iter().map(|dat| dat.arg.name.as_str()).collect();
        w.line(format!("op2::together({});", names.join(", ")));
        true
    }

    /// Declares the other ones of these arguments.
    pub(super) fn load_others(&self, of: impl Fn(usize) -> bool, w: &mut Writer) {
        self.some(of).filter(|dat| !is_own(*dat)).for_each(|dat| self.declare(dat, w));
    }

    /// Has the values of those of `args` come together that threads load from global memory.
    pub(super) fn gather(&self, args: impl Iterator<Item = usize>, w: &mut Writer) {
        let comes = |dat: &DatParts<'_>| has_values(*dat) && (dat.dat.is_mapped() || !self.wrapper.is_staged());
        let names: Vec<&str> =
            args.filter_map(|n| self.dat(n)).filter(comes).map(|dat| dat.arg.name.as_str()).collect();
        if !names.is_empty() {
            let of = if self.wrapper.is_staged() { READS } else { "op2" };
            w.line(format!("{of}::together({});", names.join(", ")));
        }
    }

    /// Calls the kernel, and stores or combines the results.
    pub(super) fn run(&self, w: &mut Writer) {
        let all: Vec<usize> = (0..self.shape.args.len()).collect();
        self.gather(all.iter().copied(), w);
        self.point_to(&all, w);
        let pass: Vec<String> = all.iter().map(|n| self.pass(*n)).collect();
        w.line(format!("user::{}({});", self.shape.kernel, pass.join(", ")));
        self.dats().for_each(|dat| self.hand_in(dat, w));
    }

    /// Declares rows of indices, the pointers to all entries of optional arguments among those of `args`, and the numbers of elements that may be missing.
    pub(super) fn point_to(&self, args: &[usize], w: &mut Writer) {
        for n in args {
            if let Role::Index(Reach::Row(t)) = self.shape.lowered.args[*n].role {
                let (name, e) = (&self.shape.args[*n].name, &self.shape.own.element);
                let map = &self.shape.maps[self.shape.lowered.targets[t].map];
                w.line(format!("const auto {name} = op2::indices({map}, OP2_ROWS_{map}, OP2_ARITY_{map}, {e});"));
            }
            if let (Role::Index(reach), true) =
                (&self.shape.lowered.args[*n].role, self.shape.lowered.args[*n].may_miss)
            {
                w.line(format!("const auto {} = {};", self.shape.args[*n].name, self.number(*n, *reach)));
            }
        }
        for arg in args.iter().map(|n| &self.shape.args[*n]) {
            if let CudaPassing::Optional(inner) = &arg.passing
                && let CudaPassing::Entries { mutable, .. } = **inner
            {
                w.line(format!("const auto {} = {};", arg.extra, each(arg, mutable)));
            }
        }
    }

    /// Declares the local of an argument, if it is a dat.
    pub(super) fn declare_arg(&self, n: usize, w: &mut Writer) {
        self.dat(n).into_iter().for_each(|dat| self.declare(dat, w));
    }

    /// Stores or combines the kernel's result for an argument.
    pub(super) fn hand_in_arg(&self, n: usize, w: &mut Writer) {
        self.dat(n).into_iter().for_each(|dat| self.hand_in(dat, w));
    }

    /// Declares the block of a thread.
    pub(super) fn start_block(&self, w: &mut Writer) {
        let (blocks, block) = (&self.shape.own.blocks, &self.shape.own.block);
        let of = if self.wrapper.starts_all_blocks() { "block_of_all" } else { "block" };
        w.line(format!("const auto {block} = {blocks}.{of}();"));
    }

    /// Declares the element of a thread of a block, if its number matters.
    pub(super) fn find_element(&self, w: &mut Writer) {
        let Own { blocks, block, element: e, .. } = &self.shape.own;
        if self.is_named() {
            w.line(format!("const auto {e} = {blocks}.element({block});"));
        }
    }

    /// Begins that element unless it has `begun`, and follows the maps whose indices the kernel takes.
    pub(super) fn turn_to(&self, begun: bool, w: &mut Writer) {
        let Own { blocks, block, element: e, .. } = &self.shape.own;
        if !self.is_named() {
            w.line(format!("OP2_ELEMENT({blocks}.element({block}));"));
            return;
        }
        if !begun {
            w.line(format!("OP2_ELEMENT({e});"));
        }
        self.follow(w);
    }

    /// Whether the number of an element of a block matters.
    fn is_named(&self) -> bool {
        self.shape.lowered.args.iter().any(|arg| match &arg.role {
            Role::Dat(dat) => !dat.is_mapped(),
            Role::Index(_) => true,
            _ => false,
        })
    }

    /// Follows the maps that this variant needs.
    pub(super) fn follow(&self, w: &mut Writer) {
        for (target, call) in self.entries(&self.shape.own.element, &|map| format!("OP2_ROWS_{map}")) {
            w.line(format!("const auto {} = {call};", target.name));
        }
    }

    /// The targets that this variant needs, and the call that looks each up in row `at` of its map. `rows` gives the number of rows of a map.
    pub(super) fn entries(&self, at: &str, rows: &dyn Fn(&str) -> String) -> Vec<(&'a Target, String)> {
        let mut entries = Vec::new();
        for (t, target) in self.shape.targets.iter().enumerate() {
            let mut args = self.shape.lowered.args.iter();
            let by_index = args.any(|arg| matches!(arg.role, Role::Index(_)) && arg.target() == Some(t));
            let by_dats: Vec<&View> = self.dats().filter(|d| self.follows(*d, t)).map(|d| d.view).collect();
            let by_rows = self.shape.lowered.map_of(t).by_rows;
            if by_rows || (!by_index && by_dats.is_empty()) {
                continue;
            }
            let there = if by_index { None } else { there(&by_dats) };
            let map = &self.shape.maps[self.shape.lowered.targets[t].map];
            let rows = rows(map);
            let call = match (&target.entry, there) {
                (Some(entry), None) => format!("target({map}, {rows}, {entry}, {at})"),
                (Some(entry), Some(there)) => format!("target_if({there}, {map}, {rows}, {entry}, {at})"),
                (None, None) => format!("targets<{}>({map}, {rows}, {at})", target.len),
                (None, Some(there)) => format!("targets_if<{}>({there}, {map}, {rows}, {at})", target.len),
            };
            entries.push((target, format!("op2::{call}")));
        }
        entries
    }

    /// Whether this variant follows a map for an argument.
    fn follows(&self, DatParts { dat, .. }: DatParts, t: usize) -> bool {
        let used = match self.wrapper {
            Wrapper::Global | Wrapper::Atomic => true,
            Wrapper::Scatter | Wrapper::PerTarget => !dat.access.combines(),
            Wrapper::Staged | Wrapper::StagedAtomic | Wrapper::Combined | Wrapper::Tiled => false,
        };
        used && dat.reach.target() == Some(t)
    }

    /// Looks up the indices of the targets of a thread's element.
    pub(super) fn look_up(&self, w: &mut Writer) {
        let block = &self.shape.own.block;
        // Where all entries are found anew if the block is far.
        let mut far = Vec::new();
        for (c, cover) in self.shape.covers.iter().enumerate() {
            let width = self.shape.entries(c);
            for (t, local) in &cover.targets {
                let uses = |d: &DatParts| d.view.cover == Some(c) && d.dat.reach.target() == Some(*t);
                let views: Vec<&View> = self.dats().filter(uses).map(|d| d.view).collect();
                let misses = misses(&views);
                let (stage, k, target) = (&cover.name, self.shape.offset(c, *t), &self.shape.targets[*t]);
                let if_there = there(&views).map(|there| format!("if ({there}) ")).unwrap_or_default();
                w.line(match &target.entry {
                    Some(_) => format!("op2::u32 {local} = 0;"),
                    None => format!("op2::Arr<op2::u32, {}> {local}{{}};", target.len),
                });
                w.line(format!("{if_there}{stage}.find<{width}>({block}, {misses}, {k}, {local});"));
                far.push(format!("{if_there}{stage}.find_far<{width}>({block}, {k}, {local});"));
            }
        }
        if !far.is_empty() {
            w.open(format!("if ({READS}::far({block})) {{"));
            w.line("OP2_RARE;");
            far.into_iter().for_each(|line| w.line(line));
            w.close();
        }
    }

    fn dat(&self, n: usize) -> Option<DatParts<'a>> {
        let dat = self.shape.lowered.args[n].dat()?;
        let arg = &self.shape.args[n];
        let may_miss = self.shape.lowered.args[n].may_miss;
        Some(DatParts { arg, dat, view: &self.shape.views[arg.view?], may_miss })
    }

    fn dats(&self) -> impl Iterator<Item = DatParts<'a>> + use<'a> {
        let this = Element { ..*self };
        (0..self.shape.args.len()).filter_map(move |n| this.dat(n))
    }

    fn some(&self, of: impl Fn(usize) -> bool) -> impl Iterator<Item = DatParts<'a>> {
        (0..self.shape.args.len()).filter(move |n| of(*n)).filter_map(|n| self.dat(n))
    }

    /// The index of an argument whose kernel takes options, missing if the argument is absent.
    fn maybe_at(&self, parts: DatParts) -> String {
        let (at, view) = (self.at(parts), parts.view);
        let of = if self.wrapper.is_staged() { READS } else { "op2" };
        match view.optional {
            true => format!("op2::only<{of}::missing>(OP2_HAS_{}, {at})", view.name),
            false => at.to_owned(),
        }
    }

    /// The local with the index of an argument: as blocks read it if the wrapper has blocks, else in global memory.
    fn at(&self, DatParts { dat, view, .. }: DatParts) -> &'a str {
        let Some(t) = dat.reach.target() else { return &self.shape.own.element };
        let staged = view.cover.filter(|_| self.wrapper.is_staged()).map(|c| &self.shape.covers[c].targets);
        let local = staged.and_then(|targets| targets.iter().find(|(target, _)| *target == t));
        local.map_or(&self.shape.targets[t].name, |(_, name)| name)
    }

    /// The index in global memory of an argument, from its index in a block.
    fn target(&self, parts: DatParts) -> String {
        let (block, at) = (&self.shape.own.block, self.at(parts));
        let stage = parts.view.cover.map(|c| self.shape.covers[c].name.as_str());
        format!("{}.target({block}, {at})", stage.unwrap_or_default())
    }

    /// Declares the local that the kernel gets for an argument.
    fn declare(&self, parts: DatParts, w: &mut Writer) {
        let DatParts { arg, dat, view, .. } = parts;
        if let Reach::Row(t) = dat.reach {
            return self.declare_row(parts, t, w);
        }
        if dat.reach == Reach::Whole {
            return declare_table(arg, view, w);
        }
        let (name, class, at) = (&arg.name, &view.class, self.at(parts));
        let value = match len(&arg.passing) {
            Some(len) => format!("op2::Arr<user::{class}::Value, {len}>"),
            None => format!("user::{class}::Value"),
        };
        let staged = self.wrapper.is_staged() && dat.is_mapped();
        let load = match (staged, view.optional) {
            (true, _) if parts.may_miss => format!("{}.load_maybe({})", view.shared, self.maybe_at(parts)),
            (false, _) if parts.may_miss => {
                format!("op2::load_maybe<user::{class}>({}, {})", view.name, self.maybe_at(parts))
            }
            (true, true) => format!("{}.load_if(OP2_HAS_{}, {at})", view.shared, view.name),
            (true, false) => format!("{}.load({at})", view.shared),
            (false, _) => view.load(at),
        };
        match dat.access.effect() {
            // `together` changes nothing of it.
            Effect::Read | Effect::Rw => w.line(format!("auto {name} = {load};")),
            Effect::Write => w.line(format!("{value} {name};")),
            Effect::Combine(how) => w.line(format!("auto {name} = op2::neutral<{}, {value}>();", by(how))),
        }
    }

    /// Declares the row that the kernel gets. It leads into global memory, also for contributions: elements that share a target take
    /// turns.
    fn declare_row(&self, DatParts { arg, dat, view, .. }: DatParts, target: usize, w: &mut Writer) {
        let (name, class, data) = (&arg.name, &view.class, &view.name);
        let (map, e) = (&self.shape.maps[self.shape.lowered.targets[target].map], &self.shape.own.element);
        let constant = if dat.access.modifies() { "" } else { "const " };
        let rest = format!("{data}, {map}, OP2_ROWS_{map}, OP2_ARITY_{map}, {e});");
        w.line(match view.optional {
            true => format!("{constant}auto {name} = op2::row_if<user::{class}>(OP2_HAS_{data}, {rest}"),
            false => format!("{constant}auto {name} = op2::row<user::{class}>({rest}"),
        });
        if let Effect::Combine(how @ (Combine::Min | Combine::Max)) = dat.access.effect() {
            w.line(format!("op2::without_nan<{}>({name});", by(how)));
        }
    }

    /// The argument as it is passed to the kernel.
    pub(super) fn pass(&self, n: usize) -> String {
        let arg = &self.shape.args[n];
        if let Some(parts) = self.dat(n).filter(|parts| parts.may_miss) {
            let maybe = if self.wrapper.is_staged() { format!("maybe_here<{READS}>") } else { "maybe".to_owned() };
            return format!("op2::{maybe}({}, {})", self.maybe_at(parts), arg.name);
        }
        let there = || arg.view.map(|v| format!("OP2_HAS_{}", self.shape.views[v].name)).unwrap_or_default();
        match (&self.shape.lowered.args[n].role, &arg.passing) {
            (Role::Index(Reach::Row(_)), _) => arg.name.clone(),
            (Role::Index(reach), _) if self.shape.lowered.args[n].may_miss => {
                format!("op2::maybe({}, {})", self.reached(*reach), arg.name)
            }
            (Role::Index(reach), _) => self.number(n, *reach),
            (_, CudaPassing::Entries { mutable, .. }) => each(arg, *mutable),
            (_, CudaPassing::Optional(inner)) => match **inner {
                CudaPassing::Entries { .. } => format!("{} ? &{} : nullptr", there(), arg.extra),
                _ => format!("{} ? &{} : nullptr", there(), arg.name),
            },
            _ => arg.name.clone(),
        }
    }

    /// The local with the index in global memory of what an index argument reaches.
    fn reached(&self, reach: Reach) -> &'a str {
        reach.target().map_or(&self.shape.own.element, |t| &self.shape.targets[t].name)
    }

    /// The user's number, or numbers, that the kernel gets as an index.
    fn number(&self, n: usize, reach: Reach) -> String {
        let Arg { value, extra, .. } = &self.shape.args[n];
        let at = self.reached(reach);
        match reach {
            Reach::All(_) => format!("op2::numbers<op2::{value}>({extra}, {at})"),
            _ => format!("op2::{value}(op2::number({extra}, {at}))"),
        }
    }

    /// Stores or combines the kernel's result for an argument.
    fn hand_in(&self, parts: DatParts, w: &mut Writer) {
        let DatParts { arg, dat, view, .. } = parts;
        if dat.takes_row() {
            return;
        }
        let (name, class, data, shared, at) = (&arg.name, &view.class, &view.name, &view.shared, self.at(parts));
        let mapped = dat.is_mapped();
        let own_row = !mapped && !self.wrapper.is_staged();
        let text = match (dat.access.effect(), self.wrapper) {
            (Effect::Read, _) => return,
            (Effect::Write | Effect::Rw, Wrapper::Staged) if mapped => format!("{shared}.store({at}, {name});"),
            (Effect::Write | Effect::Rw, _) if own_row => {
                format!("op2::store_own<user::{class}>({data}, {at}, {}, {name});", self.side_by_side())
            }
            (Effect::Write | Effect::Rw, _) => format!("op2::store<user::{class}>({data}, {at}, {name});"),
            (Effect::Combine(how), Wrapper::Staged | Wrapper::Combined | Wrapper::Tiled) if mapped => {
                match self.shape.collects(view) {
                    Some(cover) => return self.collect(parts, cover, how, w),
                    None => format!("{shared}.combine<{}>({at}, {name});", by(how)),
                }
            }
            (Effect::Combine(_), Wrapper::Scatter) if mapped => self.redirect(parts),
            (Effect::Combine(how), Wrapper::PerTarget) => return self.keep(parts, how, w),
            (Effect::Combine(how), Wrapper::StagedAtomic) if mapped => {
                let target = self.target(parts);
                format!("op2::atomic<{}, user::{class}>({data}, {target}, {name});", by(how))
            }
            (Effect::Combine(how), Wrapper::Atomic | Wrapper::StagedAtomic | Wrapper::Combined) => {
                format!("op2::atomic<{}, user::{class}>({data}, {at}, {name});", by(how))
            }
            (Effect::Combine(how), _) if own_row => {
                let together = self.side_by_side();
                format!("op2::combine_own<{}, user::{class}>({data}, {at}, {together}, {name});", by(how))
            }
            (Effect::Combine(how), _) => format!("op2::combine<{}, user::{class}>({data}, {at}, {name});", by(how)),
        };
        w.line(view.if_there(&text));
    }

    /// Whether all threads of a wave have elements side by side.
    fn side_by_side(&self) -> String {
        format!("op2::side_by_side({}, {})", self.shape.own.range, self.shape.own.position)
    }

    /// Leaves a contribution with those of the block. Of arguments that reach the same target, all but the first join it. One that repeats
    /// another one is not stored.
    fn collect(&self, DatParts { arg, dat, view, .. }: DatParts, cover: usize, how: Combine, w: &mut Writer) {
        let Some(t) = dat.reach.target() else { return };
        let (shared, name, k) = (&view.shared, &arg.name, self.shape.offset(cover, t));
        let stored = &self.shape.covers[cover].stored;
        if !stored.is_empty() {
            for (at, value) in self.shape.values(cover, &k, len(&arg.passing).as_deref(), name) {
                w.line(view.if_there(&format!("{shared}.put({at}, {value});")));
            }
            return;
        }
        let first = view.args.iter().find(|n| self.shape.lowered.args[**n].target() == Some(t));
        w.line(view.if_there(&match first.is_some_and(|n| self.shape.args[*n].name == *name) {
            true => format!("{shared}.put({k}, {name});"),
            false => format!("{shared}.join<{}>({k}, {name});", by(how)),
        }));
    }

    /// Adds the contribution to the target of a thread.
    fn keep(&self, DatParts { arg, dat, view, .. }: DatParts, how: Combine, w: &mut Writer) {
        let Some((cover, t)) = view.cover.zip(dat.reach.target()) else { return };
        let (first, sum, name) = (self.shape.offset(cover, t), &view.sum, &arg.name);
        let values = len(&arg.passing);
        let stored = &self.shape.covers[cover].stored;
        let (of, number) = (format!("{}, user::{}", by(how), view.class), &self.shape.own.number);
        if stored.is_empty() {
            w.line(view.if_there(&format!("op2::keep_of<{of}>({sum}, {number}, {first}, {name});")));
            return;
        }
        for (of_place, value) in self.shape.values(cover, &first, values.as_deref(), name) {
            let of_these = |which: &dyn Fn(&Stored) -> bool| {
                let these = (0..stored.len()).filter(|&k| stored[k].at == of_place && which(&stored[k]));
                these.map(|k| format!("{number} == {k}")).collect::<Vec<_>>().join(" || ")
            };
            let here = match stored.iter().all(|of| of.at == of_place) {
                true => "true".to_owned(),
                false => of_these(&|_| true),
            };
            let turned = of_these(&|of| of.turned);
            w.line(view.if_there(&match view.places == Places::Turned && !turned.is_empty() {
                true => format!("op2::keep_turned<{of}>({sum}, {here}, {turned}, {value});"),
                false => format!("op2::keep<{of}>({sum}, {here}, {value});"),
            }));
        }
    }

    /// Redirects a contribution through a map to the array of [`Wrapper::Scatter`].
    fn redirect(&self, DatParts { arg, dat, view, .. }: DatParts) -> String {
        let own = &self.shape.own;
        let Some((cover, t)) = view.cover.zip(dat.reach.target()) else { return String::new() };
        let (k, entries) = (self.shape.offset(cover, t), self.shape.entries(cover));
        let (class, parts, range, p, name) = (&view.class, &view.parts, &own.range, &own.position, &arg.name);
        format!("op2::scatter<user::{class}>({parts}, {range}.rows, {entries}, {k}, {p}, {name});")
    }
}

/// Whether an argument has values of its own that threads load.
fn has_values(DatParts { dat, .. }: DatParts) -> bool {
    !matches!(dat.reach, Reach::Row(_) | Reach::Whole) && matches!(dat.access.effect(), Effect::Read | Effect::Rw)
}

/// The same, of the element itself.
fn is_own(dat: DatParts) -> bool {
    has_values(dat) && !dat.dat.is_mapped()
}

/// Declares a table. An absent one has no elements.
pub(super) fn declare_table(arg: &Arg, view: &View, w: &mut Writer) {
    let (name, class, data) = (&arg.name, &view.class, &view.name);
    let numbers = match arg.elements.is_empty() {
        true => String::new(),
        false => format!(", {}, {}", arg.extra, arg.elements),
    };
    w.line(format!("const auto {name} = op2::table<user::{class}>({data}, OP2_SIZE_{data}{numbers});"));
}

/// Whether entries through which all of these views are reached may be missing: one that is present knows.
fn misses(views: &[&View]) -> String {
    let asks = |view: &View| format!("user::{}::misses()", view.class);
    if let Some(view) = views.iter().find(|view| !view.optional) {
        return asks(view);
    }
    let mut all: Vec<String> = views.iter().copied().map(asks).collect();
    all.dedup();
    all.join(" || ")
}

/// The condition that an argument of one of these views is present; `None` if one always is.
pub(super) fn there(views: &[&View]) -> Option<String> {
    let mut names: Vec<String> = views.iter().map(|view| format!("OP2_HAS_{}", view.name)).collect();
    names.dedup();
    views.iter().all(|view| view.optional).then(|| names.join(" || "))
}

/// The pointers to all entries of an argument.
fn each(arg: &Arg, mutable: bool) -> String {
    let each = if mutable { "each_mut" } else { "each_ref" };
    format!("op2::{each}({})", arg.name)
}
