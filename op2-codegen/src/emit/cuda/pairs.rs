//! Emits the wrappers of a loop over pairs.
//!
//! Only the type of a handle tells which side is outside, so the text has the wrappers for both, and `OP2_FROM_OUTSIDE` leaves one. Where
//! the kernel writes a value of one side, only this side can be outside.

use crate::ir::Effect;
use crate::lower::{Argument, DatArg, Reach, Role};
use crate::parse::loop_decl::End;

use super::CudaPassing;
use super::element::{declare_table, there};
use super::shape::{Arg, Shape, View};
use super::variant::by;
use super::wrapper::{common_params, gathers, parts, reduce_as, start_reductions};
use super::writer::Writer;
use crate::emit::device::DeviceKernel;
use op2_core::EntryPoint;

/// The kernels of a loop over pairs, and their text.
pub(super) fn wrappers(shape: &Shape) -> (Vec<DeviceKernel>, Vec<String>) {
    let outsides: Vec<End> = End::ALL.into_iter().filter(|end| may_be_outside(shape, *end)).collect();
    let writes = outsides.len() < 2;
    // The partners of an element take turns if each finds what the one before left.
    let ways = if writes { &[Way::Single][..] } else { &[Way::Shared, Way::Single] };
    let named = |way: &Way| DeviceKernel { entry: way.entry(), name: format!("{}_{}", shape.kernel, way.suffix()) };
    let mut kernels: Vec<DeviceKernel> = ways.iter().map(named).collect();
    let of = |outside: End| -> String {
        let one = |(way, kernel): (&Way, &DeviceKernel)| Pair { shape, outside, way: *way }.wrapper(&kernel.name);
        ways.iter().zip(&kernels).map(one).collect::<Vec<_>>().join("\n")
    };
    let mut texts: Vec<String> = match outsides[..] {
        [from, to] => vec![format!("#if OP2_FROM_OUTSIDE\n\n{}\n#else\n\n{}\n#endif\n", of(from), of(to))],
        _ => outsides.into_iter().map(of).collect(),
    };
    for (kernel, text) in (!writes).then(|| gathers(shape)).into_iter().flatten() {
        kernels.push(kernel);
        texts.push(text);
    }
    (kernels, texts)
}

/// Whether the elements of this end can be outside: the kernel writes no value of the other one.
fn may_be_outside(shape: &Shape, end: End) -> bool {
    let writes = |dat: &DatArg| matches!(dat.access.effect(), Effect::Write | Effect::Rw);
    !shape.lowered.dats().any(|(.., dat)| writes(dat) && dat.reach != Reach::End(end))
}

/// How threads share pairs.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    /// The threads of a block share the partners of one element.
    Shared,
    /// A thread runs all partners of an element.
    Single,
}

impl Way {
    fn entry(self) -> EntryPoint {
        match self {
            Way::Shared => EntryPoint::Shared,
            Way::Single => EntryPoint::Single,
        }
    }

    fn suffix(self) -> &'static str {
        match self {
            Way::Shared => "pairs",
            Way::Single => "pairs_single",
        }
    }

    fn comment(self) -> &'static str {
        match self {
            Way::Shared => "Blocks whose threads share the partners of an element; contributions inside go to copies.",
            Way::Single => "A thread for each element outside; contributions inside go by atomics.",
        }
    }

    /// The header's search.
    fn search(self) -> &'static str {
        match self {
            Way::Shared => "SharedSearch",
            Way::Single => "SingleSearch",
        }
    }
}

/// The pairs of a thread in one wrapper.
struct Pair<'a> {
    shape: &'a Shape<'a>,
    outside: End,
    way: Way,
}

/// A dat argument with its names, its lowered form and its view.
#[derive(Clone, Copy)]
struct Parts<'a> {
    arg: &'a Arg,
    dat: &'a DatArg,
    view: &'a View,
}

impl<'a> Pair<'a> {
    fn wrapper(&self, name: &str) -> String {
        let (shape, own) = (self.shape, &self.shape.own);
        let frame = match self.way {
            Way::Shared => format!("op2::Patches {}", own.patches),
            Way::Single => format!("op2::Range {}", own.range),
        };
        let mut params = vec![frame, format!("op2::Grid<OP2_DIMENSIONS> {}", own.grid)];
        params.extend(common_params(shape));
        params.extend((self.way == Way::Shared).then(|| parts(shape)).into_iter().flatten());
        let mut w = Writer::new(self.way.comment(), name, &params);
        start_reductions(shape, &mut w);
        let (search, from_outside) = (self.way.search(), self.outside == End::From);
        w.line(format!("op2::{search}<OP2_DIMENSIONS, {from_outside}> {}({});", own.search, own.grid));
        for Parts { arg, view, .. } in self.all().filter(|d| d.dat.reach == Reach::Whole) {
            declare_table(arg, view, &mut w);
        }
        self.clear(&mut w);
        self.elements(&mut w);
        w.line(format!("{}.count();", own.search));
        let block = match self.way {
            Way::Shared => "blockIdx.x".to_owned(),
            Way::Single => format!("{}.partials()", own.range),
        };
        reduce_as(shape, &block, &mut w);
        w.end()
    }

    /// Initializes the copies of what lies inside.
    fn clear(&self, w: &mut Writer) {
        let patches = &self.shape.own.patches;
        let mut known: Vec<&str> = Vec::new();
        for Parts { dat, view, .. } in self.copied() {
            let Some(how) = dat.access.combine().filter(|_| !known.contains(&view.name.as_str())) else { continue };
            known.push(&view.name);
            let clear = format!("{patches}.clear<{}, user::{}>({});", by(how), view.class, view.parts);
            w.line(view.if_there(&clear));
        }
        if !known.is_empty() {
            w.line("__syncthreads();");
        }
    }

    /// The loop over the elements of a block, or of a thread.
    fn elements(&self, w: &mut Writer) {
        let own = &self.shape.own;
        let (p, e, search, range, patches) = (&own.position, &own.element, &own.search, &own.range, &own.patches);
        match self.way {
            Way::Shared => {
                w.open(format!("for (auto {p} = {patches}.first(); {p} < {patches}.end(); {p} += 1) {{"));
                w.line(format!("const auto {e} = {patches}.element({p});"));
            }
            Way::Single => {
                w.open(format!("for (auto {p} = {range}.first(); {p} < {range}.end; {p} += op2::threads()) {{"));
                w.line(format!("const auto {e} = {range}.element({p});"));
            }
        }
        w.line(format!("OP2_ELEMENT({e});"));
        self.outer().for_each(|dat| self.start(dat, w));
        w.line(format!("{search}.begin({e});"));
        match self.way {
            Way::Shared => {
                w.open(format!("while ({search}.next_image()) {{"));
                self.partners(w);
                if self.copied().next().is_some() {
                    // An element inside occurs once in an image.
                    w.line("__syncthreads();");
                }
                w.close();
            }
            Way::Single => self.partners(w),
        }
        self.outer().for_each(|dat| self.hand_in(dat, w));
        w.close();
    }

    /// The loop over a thread's partners of an element.
    fn partners(&self, w: &mut Writer) {
        let own = &self.shape.own;
        let (search, partner, copy, patches) = (&own.search, &own.partner, &own.copy, &own.patches);
        w.open(format!("while ({search}.next_partner()) {{"));
        let mut reached = self.shape.lowered.args.iter().filter_map(Argument::reach);
        if reached.any(|reach| reach == self.inside()) {
            w.line(format!("const auto {partner} = {search}.partner;"));
        }
        for Parts { arg, view, .. } in self.inner().filter(|d| !d.dat.access.combines()) {
            w.line(format!("const auto {} = {};", arg.name, view.load(partner)));
        }
        let combined = || self.all().filter_map(|parts| Some((parts, parts.dat.access.combine().map(by)?)));
        for (Parts { arg, view, .. }, how) in combined() {
            w.line(format!("auto {} = op2::neutral<{how}, user::{}::Value>();", arg.name, view.class));
        }
        let pass: Vec<String> = (0..self.shape.args.len()).map(|n| self.pass(n)).collect();
        w.line(format!("user::{}({});", self.shape.kernel, pass.join(", ")));
        let copied: Vec<&View> = self.copied().map(|parts| parts.view).collect();
        match there(&copied) {
            _ if copied.is_empty() => {}
            None => w.line(format!("const auto {copy} = {patches}.copy({search});")),
            Some(there) => w.line(format!("const auto {copy} = {patches}.copy_if({there}, {search});")),
        }
        for (Parts { arg, dat, view }, how) in combined() {
            let (name, class, data) = (&arg.name, &view.class, &view.name);
            w.line(view.if_there(&match (dat.reach == Reach::End(self.outside), self.way) {
                (true, _) => format!("op2::absorb<{how}>({}, {name});", arg.extra),
                (false, Way::Shared) => {
                    format!("{patches}.combine<{how}, user::{class}>({}, {copy}, {name});", view.parts)
                }
                (false, Way::Single) => format!("op2::atomic<{how}, user::{class}>({data}, {partner}, {name});"),
            }));
        }
        w.close();
    }

    /// Declares the local for a value outside: what the kernel gets, or the sum over partners.
    fn start(&self, Parts { arg, dat, view }: Parts, w: &mut Writer) {
        let load = view.load(&self.shape.own.element);
        w.line(match dat.access.effect() {
            Effect::Read => format!("const auto {} = {load};", arg.name),
            // An element without partners keeps its value.
            Effect::Write | Effect::Rw => format!("auto {} = {load};", arg.name),
            Effect::Combine(how) => {
                format!("auto {} = op2::neutral<{}, user::{}::Value>();", arg.extra, by(how), view.class)
            }
        });
    }

    /// Stores or combines a value outside.
    fn hand_in(&self, Parts { arg, dat, view }: Parts, w: &mut Writer) {
        let (e, class, data) = (&self.shape.own.element, &view.class, &view.name);
        let (name, sum) = (&arg.name, &arg.extra);
        let adds_inside = self.inner().any(|d| d.dat.access.combines());
        w.line(view.if_there(&match (dat.access.effect(), self.way) {
            (Effect::Read, _) => return,
            (Effect::Write | Effect::Rw, _) => format!("op2::store<user::{class}>({data}, {e}, {name});"),
            (Effect::Combine(how), Way::Shared) => {
                format!("op2::combine_total<{}, user::{class}>({data}, {e}, {sum});", by(how))
            }
            // It may be the dat into which other threads combine.
            (Effect::Combine(how), Way::Single) if adds_inside => {
                format!("op2::atomic<{}, user::{class}>({data}, {e}, {sum});", by(how))
            }
            (Effect::Combine(how), Way::Single) => {
                format!("op2::combine<{}, user::{class}>({data}, {e}, {sum});", by(how))
            }
        }));
    }

    /// An argument as it is passed to the kernel.
    fn pass(&self, n: usize) -> String {
        let (arg, own) = (&self.shape.args[n], &self.shape.own);
        match (&self.shape.lowered.args[n].role, &arg.passing) {
            (Role::Index(reach), _) => {
                let at = if *reach == Reach::End(self.outside) { &own.element } else { &own.partner };
                format!("op2::{}(op2::number({}, {at}))", arg.value, arg.extra)
            }
            (Role::Shift, _) => format!("op2::shift_as<user::{}>({}.shift)", arg.alias, own.search),
            (_, CudaPassing::Optional(_)) => {
                let view = arg.view.map(|v| self.shape.views[v].name.as_str()).unwrap_or_default();
                format!("OP2_HAS_{view} ? &{} : nullptr", arg.name)
            }
            _ => arg.name.clone(),
        }
    }

    /// The contributions inside that go to copies.
    fn copied(&self) -> impl Iterator<Item = Parts<'a>> {
        let shared = self.way == Way::Shared;
        self.inner().filter(move |d| shared && d.dat.access.combines())
    }

    fn outer(&self) -> impl Iterator<Item = Parts<'a>> + use<'a> {
        let outside = Reach::End(self.outside);
        self.all().filter(move |d| d.dat.reach == outside)
    }

    fn inner(&self) -> impl Iterator<Item = Parts<'a>> + use<'a> {
        let inside = self.inside();
        self.all().filter(move |d| d.dat.reach == inside)
    }

    /// The way to a partner.
    fn inside(&self) -> Reach {
        Reach::End(self.outside.other())
    }

    fn all(&self) -> impl Iterator<Item = Parts<'a>> + use<'a> {
        let shape = self.shape;
        shape.lowered.dats().filter_map(move |(n, _, dat)| {
            let arg = &shape.args[n];
            Some(Parts { arg, dat, view: &shape.views[arg.view?] })
        })
    }
}
