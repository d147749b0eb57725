//! The wrappers of a loop: what a thread does around the kernel.

use crate::check::usage::Mode;
use crate::lower::{DatArg, Place, Role};

use super::CudaForm;
use super::shape::{Arg, Shape, is_mapped, len, target_of};
use super::writer::{Line, render};

/// The wrappers that have a body of their own around the kernel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Variant {
    Global,
    Atomic,
    Staged,
    Combined,
    Scatter,
}

impl Variant {
    fn suffix(self) -> &'static str {
        match self {
            Variant::Global => "global",
            Variant::Atomic => "atomic",
            Variant::Staged => "staged",
            Variant::Combined => "combined",
            Variant::Scatter => "scatter",
        }
    }

    fn comment(self) -> &'static str {
        match self {
            Variant::Global => "Everything in global memory, by plain loads and stores.",
            Variant::Atomic => "Everything in global memory, contributions by atomics.",
            Variant::Staged => "Blocks of one colour, with what they reach through maps in shared memory.",
            Variant::Combined => "All blocks at once, staged; contributions to what blocks share by atomics.",
            Variant::Scatter => "Everything in global memory, contributions through maps kept apart.",
        }
    }

    fn is_staged(self) -> bool {
        matches!(self, Variant::Staged | Variant::Combined)
    }
}

/// The variants of a loop.
pub(super) fn variants(shape: &Shape) -> Vec<Variant> {
    let (indirect, combines) = (shape.is_indirect(), shape.combines());
    let all = [
        (Variant::Global, true),
        (Variant::Atomic, combines),
        (Variant::Staged, indirect),
        (Variant::Combined, combines),
        (Variant::Scatter, combines),
    ];
    all.into_iter().filter(|(_, there)| *there).map(|(variant, _)| variant).collect()
}

/// The name of a way of combining in the header.
fn by(mode: Mode) -> &'static str {
    match mode {
        Mode::Min => "op2::Min",
        Mode::Max => "op2::Max",
        _ => "op2::Inc",
    }
}

/// A wrapper under construction.
struct Writer<'a> {
    shape: &'a Shape<'a>,
    variant: Variant,
    lines: Vec<Line>,
    depth: usize,
}

/// The text of one variant; its name.
pub(super) fn wrapper(shape: &Shape, variant: Variant) -> (String, String) {
    let mut writer = Writer { shape, variant, lines: Vec::new(), depth: 0 };
    let name = format!("{}_{}", shape.kernel, variant.suffix());
    writer.line(format!("// {}", variant.comment()));
    let mut params = writer.frames();
    params.extend(shared_params(shape));
    if variant == Variant::Scatter {
        params.extend(scattered(shape).map(|v| format!("{}* {}", shape.views[v].scalar, shape.views[v].parts)));
    }
    writer.open(head(&name, &params));
    for (arg, mode) in shape.reductions() {
        writer.line(format!("auto {} = op2::start<{}, user::{}>();", arg.name, by(mode), arg.alias));
    }
    match variant.is_staged() {
        true => writer.staged(),
        false => writer.plain(),
    }
    let partials = match variant.is_staged() {
        true => format!("{}.partials({})", shape.own.blocks, shape.own.block),
        false => format!("{}.partials()", shape.own.range),
    };
    for (arg, mode) in shape.reductions() {
        writer.line(format!("op2::reduce<{}>({}, {}, {partials});", by(mode), arg.name, arg.extra));
    }
    writer.close();
    (name, render(&writer.lines))
}

/// The views that [`Variant::Scatter`] keeps contributions of.
fn scattered<'a>(shape: &'a Shape) -> impl Iterator<Item = usize> + 'a {
    let combined = |v: &usize| shape.views[*v].cover.is_some() && shape.views[*v].mode.combines();
    (0..shape.views.len()).filter(combined)
}

/// The wrappers that add up what [`Variant::Scatter`] left, with their names.
pub(super) fn gathers(shape: &Shape) -> Vec<(String, String)> {
    let gather = |v: usize| {
        let (view, sums) = (&shape.views[v], &shape.own.sums);
        let entries = view.cover.map(|cover| shape.entries(cover)).unwrap_or_default();
        let name = format!("{}_gather_{}", shape.kernel, view.name);
        let params = [
            format!("op2::Sums {sums}"),
            format!("{}* {}", view.scalar, view.name),
            format!("const {}* __restrict__ {}", view.scalar, view.parts),
        ];
        let mut writer = Writer { shape, variant: Variant::Scatter, lines: Vec::new(), depth: 0 };
        writer.line(format!("// Combines `{}` with the contributions kept apart.", view.name));
        writer.open(head(&name, &params));
        let (class, data, parts) = (&view.class, &view.name, &view.parts);
        writer.line(format!("op2::gather<{}, user::{class}>({sums}, {data}, {parts}, {entries});", by(view.mode)));
        writer.close();
        (name, render(&writer.lines))
    };
    scattered(shape).map(gather).collect()
}

/// The wrapper that adds up partial results, with its name.
pub(super) fn finish(shape: &Shape) -> Option<(String, String)> {
    let reductions: Vec<(&Arg, Mode)> = shape.reductions().collect();
    if reductions.is_empty() {
        return None;
    }
    let name = format!("{}_final", shape.kernel);
    let (count, fresh) = (&shape.own.count, &shape.own.fresh);
    let mut params: Vec<String> = Vec::new();
    for (arg, _) in &reductions {
        params.push(format!("const op2::u64* __restrict__ {}", arg.extra));
        params.push(format!("op2::u64* {}", arg.name));
    }
    params.push(format!("op2::u32 {count}"));
    params.push(format!("op2::u32 {fresh}"));
    let mut writer = Writer { shape, variant: Variant::Global, lines: Vec::new(), depth: 0 };
    writer.line("// Combines the partial results of all blocks; by one block.");
    writer.open(head(&name, &params));
    for (n, (arg, mode)) in reductions.iter().enumerate() {
        let (by, alias, partials, result) = (by(*mode), &arg.alias, &arg.extra, &arg.name);
        writer.line(format!("op2::finish<{by}, user::{alias}>({partials}, {result}, {count}, {fresh} >> {n} & 1);"));
    }
    writer.close();
    Some((name, render(&writer.lines)))
}

fn head(name: &str, params: &[String]) -> String {
    format!("extern \"C\" __global__ void __launch_bounds__(OP2_BLOCK) {name}({}) {{", params.join(", "))
}

/// The parameters that all variants have behind their frame.
fn shared_params(shape: &Shape) -> Vec<String> {
    let views = shape.views.iter().map(|v| match v.mode {
        Mode::Read => format!("const {}* __restrict__ {}", v.scalar, v.name),
        _ => format!("{}* {}", v.scalar, v.name),
    });
    let maps = shape.maps.iter().map(|m| format!("const op2::u32* __restrict__ {m}"));
    let reads = shape.lowered.args.iter().zip(&shape.args).filter_map(|(a, arg)| match a.role {
        Role::Read(_) => Some(format!("const user::{} {}", arg.alias, arg.name)),
        _ => None,
    });
    let reductions = shape.reductions().map(|(arg, _)| format!("op2::u64* {}", arg.extra));
    views.chain(maps).chain(reads).chain(reductions).collect()
}

impl Writer<'_> {
    fn line(&mut self, text: impl Into<String>) {
        self.lines.push(Line { depth: self.depth, text: text.into() });
    }

    fn open(&mut self, text: impl Into<String>) {
        self.line(text);
        self.depth += 1;
    }

    fn close(&mut self) {
        self.depth -= 1;
        self.line("}");
    }

    fn frames(&self) -> Vec<String> {
        let own = &self.shape.own;
        match self.variant.is_staged() {
            false => vec![format!("op2::Range {}", own.range)],
            true => {
                let stages = self.shape.covers.iter().map(|c| format!("op2::Stage {}", c.name));
                std::iter::once(format!("op2::Blocks {}", own.blocks)).chain(stages).collect()
            }
        }
    }

    /// A thread takes elements in turn.
    fn plain(&mut self) {
        let (range, p, e) = (&self.shape.own.range, &self.shape.own.position, &self.shape.own.element);
        self.open(format!("for (auto {p} = {range}.first(); {p} < {range}.end; {p} += op2::threads()) {{"));
        self.line(format!("const auto {e} = {range}.element({p});"));
        self.line(format!("OP2_ELEMENT({e});"));
        for t in self.followed() {
            self.follow(t);
        }
        self.gather();
        self.call();
        self.scatter();
        self.close();
    }

    /// A thread takes one element of its block.
    fn staged(&mut self) {
        let shape = self.shape;
        let (blocks, block, arena) = (&shape.own.blocks, &shape.own.block, &shape.own.arena);
        let (colour, turn) = (&shape.own.colour, &shape.own.turn);
        self.line(format!("const auto {block} = {blocks}.block();"));
        self.stage_in(arena);
        self.line("__syncthreads();");
        for cover in &shape.covers {
            for (t, local) in &cover.targets {
                let (stage, k) = (&cover.name, self.offset_in(cover, *t));
                match shape.targets[*t].entry {
                    Some(_) => self.line(format!("const auto {local} = {stage}.at({block}, {k});")),
                    None => {
                        let len = &shape.targets[*t].len;
                        self.line(format!("const auto {local} = {stage}.all<{len}>({block}, {k});"));
                    }
                }
            }
        }
        let mapped = |mode: fn(Mode) -> bool| shape.dats().any(|(_, d)| is_mapped(d) && mode(d.mode));
        if shape.writes_mapped() {
            // What one element leaves another one finds: they come colour by colour, whole.
            self.colours(|w| {
                w.open(format!("if ({turn} == {colour}) {{"));
                w.element();
                w.gather();
                w.call();
                w.scatter();
                w.close();
            });
        } else {
            let kept: Vec<usize> = self.kept().collect();
            for n in &kept {
                self.local(*n);
            }
            self.open(format!("if ({block}.busy()) {{"));
            self.element();
            self.gather();
            self.call();
            self.scatter();
            self.close();
            if mapped(Mode::combines) {
                self.colours(|w| {
                    w.open(format!("if ({turn} == {colour}) {{"));
                    for n in kept {
                        w.back(n);
                    }
                    w.close();
                });
            }
        }
        self.stage_out();
    }

    /// The loop over the colours of a block; all threads come to its barriers.
    fn colours(&mut self, body: impl FnOnce(&mut Self)) {
        let own = &self.shape.own;
        let (blocks, block, colour, turn) = (&own.blocks, &own.block, &own.colour, &own.turn);
        let colours = &own.colours;
        self.line(format!("const auto {turn} = {blocks}.turn({block});"));
        self.line(format!("const auto {colours} = {blocks}.colours_of({block});"));
        self.open(format!("for (op2::u32 {colour} = 0; {colour} < {colours}; {colour} += 1) {{"));
        body(self);
        self.line("__syncthreads();");
        self.close();
    }

    fn offset_in(&self, cover: &super::shape::Cover, target: usize) -> String {
        let index = self.shape.covers.iter().position(|c| c.name == cover.name).unwrap_or_default();
        self.shape.offset(index, target)
    }

    /// Shared memory is dealt out and filled.
    fn stage_in(&mut self, arena: &str) {
        let shape = self.shape;
        self.line(format!("op2::Arena {arena};"));
        for view in &shape.views {
            let Some(cover) = view.cover else { continue };
            let (class, shared, stage, block) =
                (&view.class, &view.shared, &shape.covers[cover].name, &shape.own.block);
            let there = if view.optional { format!(", OP2_HAS_{}", view.name) } else { String::new() };
            self.line(format!("const auto {shared} = {arena}.take<user::{class}>({stage}, {block}{there});"));
        }
        for view in shape.views.iter().filter(|v| v.cover.is_some()) {
            let shared = &view.shared;
            match view.mode {
                Mode::Read | Mode::Rw => self.line(format!("{shared}.fetch({});", view.name)),
                Mode::Write => {}
                mode => self.line(format!("{shared}.clear<{}>();", by(mode))),
            }
        }
    }

    /// What was changed goes back; two views may be of one dat, hence the barriers.
    fn stage_out(&mut self) {
        let mut first = true;
        for view in self.shape.views.iter().filter(|v| v.cover.is_some() && v.mode != Mode::Read) {
            if !std::mem::take(&mut first) {
                self.line("__syncthreads();");
            }
            let (shared, name) = (&view.shared, &view.name);
            match view.mode {
                Mode::Write | Mode::Rw => self.line(format!("{shared}.flush({name});")),
                mode if self.variant == Variant::Combined => {
                    self.line(format!("{shared}.flush_among<{}>({name});", by(mode)));
                }
                mode => self.line(format!("{shared}.flush<{}>({name});", by(mode))),
            }
        }
    }

    /// The element of a thread of a block, and where maps lead whose indices the kernel wants.
    fn element(&mut self) {
        let own = &self.shape.own;
        let (blocks, block, e) = (&own.blocks, &own.block, &own.element);
        if self.needs_element() {
            self.line(format!("const auto {e} = {blocks}.element({block});"));
            self.line(format!("OP2_ELEMENT({e});"));
        } else {
            self.line(format!("OP2_ELEMENT({blocks}.element({block}));"));
        }
        for t in self.followed() {
            self.follow(t);
        }
    }

    /// Whether a staged variant needs the element's number.
    fn needs_element(&self) -> bool {
        self.shape.lowered.args.iter().any(|a| match &a.role {
            Role::Dat(dat) => !is_mapped(dat),
            Role::Index(_) => true,
            _ => false,
        })
    }

    /// The targets to which this variant follows the map.
    fn followed(&self) -> Vec<usize> {
        let needed = |t: &usize| {
            self.shape.lowered.args.iter().any(|a| match &a.role {
                Role::Index(place) => target_of(*place) == Some(*t),
                Role::Dat(dat) if target_of(dat.place) == Some(*t) => match self.variant {
                    Variant::Global | Variant::Atomic => true,
                    Variant::Scatter => !dat.mode.combines(),
                    Variant::Staged | Variant::Combined => false,
                },
                _ => false,
            })
        };
        (0..self.shape.targets.len()).filter(needed).collect()
    }

    fn follow(&mut self, t: usize) {
        let (target, e) = (&self.shape.targets[t], &self.shape.own.element);
        let map = &self.shape.maps[self.shape.lowered.targets[t].map];
        let name = &target.name;
        match &target.entry {
            Some(entry) => self.line(format!("const auto {name} = op2::target({map}, OP2_ROWS_{map}, {entry}, {e});")),
            None => {
                let len = &target.len;
                self.line(format!("const auto {name} = op2::targets<{len}>({map}, OP2_ROWS_{map}, {e});"));
            }
        }
    }

    /// The arguments that a staged variant keeps from the kernel's call until their colour comes.
    fn kept(&self) -> impl Iterator<Item = usize> + use<'_> {
        let keeps = self.variant.is_staged() && !self.shape.writes_mapped();
        self.shape.dats().filter(move |(_, d)| keeps && is_mapped(d) && d.mode.combines()).map(|(n, _)| n)
    }

    /// Declares what the kernel gets.
    fn gather(&mut self) {
        let kept: Vec<usize> = self.kept().collect();
        let dats: Vec<usize> = self.shape.dats().map(|(n, _)| n).collect();
        for n in &dats {
            if !kept.contains(n) {
                self.local(*n);
            }
        }
        for n in dats {
            let arg = &self.shape.args[n];
            let CudaForm::Optional(inner) = &arg.form else { continue };
            if let CudaForm::Entries { mutable, .. } = **inner {
                self.line(format!("const auto {} = {};", arg.extra, each(arg, mutable)));
            }
        }
    }

    /// Where a dat argument is in this variant.
    fn at(&self, n: usize, dat: &DatArg) -> String {
        let Some(t) = target_of(dat.place) else { return self.shape.own.element.clone() };
        match self.variant.is_staged() {
            false => self.shape.targets[t].name.clone(),
            true => {
                let cover = self.shape.args[n].view.and_then(|v| self.shape.views[v].cover);
                let local = cover.and_then(|c| self.shape.covers[c].targets.iter().find(|(u, _)| *u == t));
                local.map(|(_, name)| name.clone()).unwrap_or_default()
            }
        }
    }

    /// Declares the local of a dat argument.
    fn local(&mut self, n: usize) {
        let Some((arg, dat)) = self.dat(n) else { return };
        let Some(view) = arg.view.map(|v| &self.shape.views[v]) else { return };
        let (name, class, at) = (&arg.name, &view.class, self.at(n, dat));
        let value = match len(&arg.form) {
            Some(len) => format!("op2::Arr<user::{class}::Value, {len}>"),
            None => format!("user::{class}::Value"),
        };
        let there = format!("OP2_HAS_{}", view.name);
        let load = match (self.variant.is_staged() && is_mapped(dat), view.optional) {
            (true, true) => format!("{}.load_if({there}, {at})", view.shared),
            (true, false) => format!("{}.load({at})", view.shared),
            (false, true) => format!("op2::load_if<user::{class}>({there}, {}, {at})", view.name),
            (false, false) => format!("op2::load<user::{class}>({}, {at})", view.name),
        };
        match dat.mode {
            Mode::Read => self.line(format!("const auto {name} = {load};")),
            Mode::Rw => self.line(format!("auto {name} = {load};")),
            Mode::Write => self.line(format!("{value} {name};")),
            mode => self.line(format!("auto {name} = op2::neutral<{}, {value}>();", by(mode))),
        }
    }

    fn dat(&self, n: usize) -> Option<(&'_ Arg, &'_ DatArg)> {
        match &self.shape.lowered.args[n].role {
            Role::Dat(dat) => Some((&self.shape.args[n], dat)),
            _ => None,
        }
    }

    fn call(&mut self) {
        let pass: Vec<String> = (0..self.shape.args.len()).map(|n| self.pass(n)).collect();
        self.line(format!("user::{}({});", self.shape.kernel, pass.join(", ")));
    }

    fn pass(&self, n: usize) -> String {
        let arg = &self.shape.args[n];
        let there = || arg.view.map(|v| format!("OP2_HAS_{}", self.shape.views[v].name)).unwrap_or_default();
        match (&self.shape.lowered.args[n].role, &arg.form) {
            (Role::Index(place), _) => {
                let at = match place {
                    Place::Element => &self.shape.own.element,
                    Place::Entry(t) | Place::All(t) => &self.shape.targets[*t].name,
                };
                format!("op2::{}({at})", arg.value)
            }
            (_, CudaForm::Entries { mutable, .. }) => each(arg, *mutable),
            (_, CudaForm::Optional(inner)) => match **inner {
                CudaForm::Entries { .. } => format!("{} ? &{} : nullptr", there(), arg.extra),
                _ => format!("{} ? &{} : nullptr", there(), arg.name),
            },
            _ => arg.name.clone(),
        }
    }

    /// What the kernel left goes where it belongs.
    fn scatter(&mut self) {
        let kept: Vec<usize> = self.kept().collect();
        let dats: Vec<usize> = self.shape.dats().map(|(n, _)| n).collect();
        for n in dats {
            if !kept.contains(&n) {
                self.back(n);
            }
        }
    }

    fn back(&mut self, n: usize) {
        let Some((arg, dat)) = self.dat(n) else { return };
        let Some(view) = arg.view.map(|v| &self.shape.views[v]) else { return };
        let (name, class, data, at) = (&arg.name, &view.class, &view.name, self.at(n, dat));
        let (mapped, shared) = (is_mapped(dat), &view.shared);
        let text = match (dat.mode, self.variant) {
            (Mode::Read, _) => return,
            (Mode::Write | Mode::Rw, Variant::Staged) if mapped => format!("{shared}.store({at}, {name});"),
            (Mode::Write | Mode::Rw, _) => format!("op2::store<user::{class}>({data}, {at}, {name});"),
            (mode, Variant::Staged | Variant::Combined) if mapped => {
                format!("{shared}.combine<{}>({at}, {name});", by(mode))
            }
            (_, Variant::Scatter) if mapped => self.contribution(arg, dat),
            (mode, Variant::Atomic | Variant::Combined) => {
                format!("op2::atomic<{}, user::{class}>({data}, {at}, {name});", by(mode))
            }
            (mode, _) => format!("op2::combine<{}, user::{class}>({data}, {at}, {name});", by(mode)),
        };
        match view.optional {
            true => self.line(format!("if (OP2_HAS_{data}) {text}")),
            false => self.line(text),
        }
    }

    /// A contribution through a map, kept apart.
    fn contribution(&self, arg: &Arg, dat: &DatArg) -> String {
        let own = &self.shape.own;
        let view = arg.view.map(|v| &self.shape.views[v]);
        let found = view.and_then(|v| Some((v, v.cover?, target_of(dat.place)?)));
        let Some((view, cover, t)) = found else { return String::new() };
        let (k, entries) = (self.shape.offset(cover, t), self.shape.entries(cover));
        let (class, parts, range, p, name) = (&view.class, &view.parts, &own.range, &own.position, &arg.name);
        format!("op2::scatter<user::{class}>({parts}, {range}.rows, {entries}, {k}, {p}, {name});")
    }
}

/// The pointers to all entries of an argument.
fn each(arg: &Arg, mutable: bool) -> String {
    let each = if mutable { "each_mut" } else { "each_ref" };
    format!("op2::{each}({})", arg.name)
}
