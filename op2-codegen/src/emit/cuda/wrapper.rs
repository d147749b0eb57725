//! Emits the wrappers of a loop.

use crate::ir::{Combine, Effect};
use crate::lower::{DatArg, Reach, Role};

use super::element::{Element, there};
use super::per_target;
use super::shape::{Cover, Own, Shape, View};
use super::variant::{READS, by, comment, suffix};
use super::writer::Writer;
use crate::emit::device::DeviceKernel;
use op2_core::{EntryPoint, Wrapper};

/// A kernel and its text.
pub(super) type Kernel = (DeviceKernel, String);

/// All wrappers of a loop.
pub(super) fn wrappers(shape: &Shape) -> Vec<Kernel> {
    let (indirect, combines) = (shape.lowered.is_indirect(), shape.combines());
    let wrappers = [
        (Wrapper::Global, true),
        (Wrapper::Atomic, combines),
        (Wrapper::Staged, indirect && !shape.lowered.has_rows()),
        (Wrapper::Combined, combines),
        (Wrapper::Tiled, combines),
        (Wrapper::Scatter, combines),
        (Wrapper::PerTarget, shape.only_cover().is_some()),
    ];
    let mut all: Vec<Kernel> =
        wrappers.into_iter().filter(|(_, there)| *there).map(|(wrapper, _)| loop_over(shape, wrapper)).collect();
    if combines {
        all.extend(gathers(shape));
    }
    all
}

/// The parameters for redirected contributions.
pub(super) fn parts(shape: &Shape) -> impl Iterator<Item = String> {
    redirected(shape).map(|(_, view, _)| format!("{}* {}", view.scalar, view.parts))
}

/// The wrappers that gather redirected contributions.
pub(super) fn gathers(shape: &Shape) -> impl Iterator<Item = Kernel> {
    redirected(shape).map(|(v, view, how)| gather(shape, v, view, how))
}

/// One variant of the loop.
fn loop_over(shape: &Shape, wrapper: Wrapper) -> Kernel {
    let kernel = loop_kernel(shape, wrapper);
    let mut params = frames(shape, wrapper);
    params.extend(common_params(shape));
    if wrapper.redirects() {
        params.extend(parts(shape));
    }
    let mut w = Writer::new(comment(wrapper), &kernel.name, &params);
    start_reductions(shape, &mut w);
    let element = Element { shape, wrapper };
    match wrapper {
        Wrapper::PerTarget => per_target::body(&element, &mut w),
        _ if wrapper.is_staged() => staged(&element, &mut w),
        _ => plain(&element, &mut w),
    }
    reduce(shape, wrapper, &mut w);
    (kernel, w.end())
}

/// A wrapper that runs elements, and its name.
pub(super) fn loop_kernel(shape: &Shape, wrapper: Wrapper) -> DeviceKernel {
    let name = format!("{}_{}", shape.kernel, suffix(wrapper));
    DeviceKernel { entry: EntryPoint::Loop(wrapper), name }
}

/// Declares the results of a thread's reductions, with the neutral element.
pub(super) fn start_reductions(shape: &Shape, w: &mut Writer) {
    for (arg, how) in shape.reductions() {
        w.line(format!("auto {} = op2::start<{}, user::{}>();", arg.name, by(how), arg.alias));
    }
}

/// Ends the reductions of a block.
pub(super) fn reduce(shape: &Shape, wrapper: Wrapper, w: &mut Writer) {
    let own = &shape.own;
    let partials = match wrapper.is_staged() {
        true => format!("{}.partials({})", own.blocks, own.block),
        false => format!("{}.partials()", own.range),
    };
    reduce_as(shape, &partials, w);
}

/// The same of the block whose partial results have this number.
pub(super) fn reduce_as(shape: &Shape, partials: &str, w: &mut Writer) {
    let all: Vec<String> = shape
        .reductions()
        .map(|(arg, how)| format!("op2::reducing<{}>({}, {})", by(how), arg.name, arg.extra))
        .collect();
    if !all.is_empty() {
        w.line(format!("op2::reduce({}, {partials}, {});", shape.own.joining, all.join(", ")));
    }
}

pub(super) fn frames(shape: &Shape, wrapper: Wrapper) -> Vec<String> {
    match wrapper.is_staged() {
        false if wrapper == Wrapper::PerTarget => vec![format!("op2::PerTarget {}", shape.own.each)],
        false => vec![format!("op2::Range {}", shape.own.range)],
        true => {
            let stages = shape.covers.iter().map(|c| format!("op2::Stage<{READS}> {}", c.name));
            std::iter::once(format!("op2::Blocks {}", shape.own.blocks)).chain(stages).collect()
        }
    }
}

/// The parameters that all variants have behind their frames.
pub(super) fn common_params(shape: &Shape) -> Vec<String> {
    let views = shape.views.iter().map(|v| match v.access.modifies() {
        false => format!("const {}* __restrict__ {}", v.scalar, v.name),
        // Two views may be the same dat, so there is no `__restrict__`.
        true => format!("{}* {}", v.scalar, v.name),
    });
    let maps = shape.maps.iter().map(|m| format!("const op2::u32* __restrict__ {m}"));
    let args = || shape.lowered.args.iter().zip(&shape.args);
    let numbers = args().filter_map(|(a, arg)| match a.role {
        Role::Index(_) => Some(format!("const op2::u32* __restrict__ {}", arg.extra)),
        _ => None,
    });
    let tables = args().filter(|(_, arg)| !arg.elements.is_empty());
    let tables =
        tables.flat_map(|(_, arg)| [&arg.extra, &arg.elements]).map(|n| format!("const op2::u32* __restrict__ {n}"));
    let reads = args().filter_map(|(a, arg)| match a.role {
        Role::Read(_) => Some(format!("const user::{} {}", arg.alias, arg.name)),
        _ => None,
    });
    let reductions = shape.reductions().map(|(arg, _)| format!("const op2::Reduced {}", arg.extra));
    let joining = shape.reductions().next().map(|_| format!("const op2::Joining {}", shape.own.joining));
    views.chain(maps).chain(numbers).chain(tables).chain(reads).chain(reductions).chain(joining).collect()
}

/// The body of a wrapper whose threads stride over elements.
fn plain(element: &Element, w: &mut Writer) {
    let own = &element.shape.own;
    let (range, p, e) = (&own.range, &own.position, &own.element);
    w.open(format!("for (auto {p} = {range}.first(); {p} < {range}.end; {p} += op2::threads()) {{"));
    w.line(format!("const auto {e} = {range}.element({p});"));
    w.line(format!("OP2_ELEMENT({e});"));
    element.follow(w);
    element.whole(w);
    w.close();
}

/// The body of a wrapper whose threads run one element of a block each.
fn staged(element: &Element, w: &mut Writer) {
    let (shape, own) = (element.shape, &element.shape.own);
    let block = &own.block;
    element.start_block(w);
    element.find_element(w);
    let mapped = shape.views.iter().filter(|view| view.cover.is_some());
    let (collected, staged): (Vec<&View>, Vec<&View>) = mapped.partition(|v| shape.collects(v).is_some());
    w.line(format!("op2::Arena {};", own.arena));
    staged.iter().for_each(|view| take(shape, view, w));
    collect(shape, &collected, w);
    let turns = shape.lowered.writes_mapped();
    if turns {
        turn_of(shape, w);
    }
    element.look_up(w);
    stage_in(shape, &staged, &collected, w);
    let begun = !turns && element.load_own(|_| true, w);
    w.line(all_read());
    if turns {
        // An element may read values that another one wrote, so the kernel itself runs colour by colour.
        in_turn(shape, w, |w| {
            element.turn_to(begun, w);
            element.whole(w);
        });
    } else {
        w.open(format!("if ({block}.busy()) {{"));
        element.turn_to(begun, w);
        element.load_others(|_| true, w);
        element.run(w);
        w.close();
        if !collected.is_empty() {
            w.line(all_collected());
        }
    }
    stage_out(shape, element.wrapper, w);
}

/// Loads the turn of a thread's element, and the number of turns of its block.
fn turn_of(shape: &Shape, w: &mut Writer) {
    let Own { blocks, block, turn, colours, .. } = &shape.own;
    w.line(format!("const auto {turn} = {blocks}.turn({block});"));
    w.line(format!("const auto {colours} = {blocks}.colours_of({block});"));
}

/// Emits a loop over colours around `what`; all threads reach its barriers.
fn in_turn(shape: &Shape, w: &mut Writer, what: impl FnOnce(&mut Writer)) {
    let Own { turn, colour, colours, .. } = &shape.own;
    w.open(format!("for (op2::u32 {colour} = 0; {colour} < {colours}; {colour} += 1) {{"));
    w.open(format!("if ({turn} == {colour}) {{"));
    what(w);
    w.close();
    w.line("__syncthreads();");
    w.close();
}

/// Begins to fill shared memory, if blocks stage what they read: all lists come first, then all data to which they lead. Targets of views
/// whose contributions are collected are brought near.
pub(super) fn stage_in(shape: &Shape, staged: &[&View], collected: &[&View], w: &mut Writer) {
    let fetched = || staged.iter().filter(|v| matches!(v.access.effect(), Effect::Read | Effect::Rw));
    for View { shared, rows, .. } in fetched() {
        w.line(format!("const auto {rows} = {shared}.rows();"));
    }
    for (cover, _) in by_cover(shape, collected) {
        w.line(format!("{}.fetch();", cover.incoming));
    }
    for View { shared, rows, name, .. } in fetched() {
        w.line(format!("{shared}.fetch({name}, {rows});"));
    }
    for view in staged {
        if let Effect::Combine(how) = view.access.effect() {
            w.line(format!("{}.clear<{}>();", view.shared, by(how)));
        }
    }
    for (cover, views) in by_cover(shape, collected) {
        for view in views {
            let View { shared, name, rows, .. } = view;
            w.line(view.if_there(&format!("{shared}.expect({}, {name}, {rows});", cover.incoming)));
        }
    }
}

/// Allocates shared memory for contributions, and for the lists by which targets find theirs. Loads where the first targets are.
pub(super) fn collect(shape: &Shape, collected: &[&View], w: &mut Writer) {
    let Own { arena, block, .. } = &shape.own;
    for view in collected {
        let Some(cover) = view.cover else { continue };
        let (class, shared, stage) = (&view.class, &view.shared, &shape.covers[cover].name);
        let (count, places, there) = (shape.stored(cover), view.places.class(), when_there(view));
        w.line(format!(
            "const auto {shared} = {arena}.collect<user::{class}, {count}{places}>({stage}, {block}{there});"
        ));
    }
    for (cover, views) in by_cover(shape, collected) {
        let there = there(&views).map(|there| format!(", {there}")).unwrap_or_default();
        let (incoming, stage) = (&cover.incoming, &cover.name);
        w.line(format!("const auto {incoming} = {arena}.incoming({stage}, {block}{there});"));
    }
    for (cover, views) in by_cover(shape, collected) {
        for view in views {
            let View { shared, rows, name, .. } = view;
            let there = if view.optional { format!("!OP2_HAS_{name} ? 0 : ") } else { String::new() };
            w.line(format!("op2::u32 {rows} = {there}{shared}.rows({});", cover.incoming));
            w.line(format!("op2::together({rows});"));
        }
    }
}

/// The covers of some views, with those that use each.
fn by_cover<'a>(shape: &'a Shape, views: &[&'a View]) -> Vec<(&'a Cover, Vec<&'a View>)> {
    let of = |c: usize| views.iter().copied().filter(|view| view.cover == Some(c)).collect();
    let all = shape.covers.iter().enumerate().map(|(c, cover)| (cover, of(c)));
    all.filter(|(_, views): &(_, Vec<_>)| !views.is_empty()).collect()
}

/// The statement that waits until all threads of a block may read what they have staged.
pub(super) fn all_read() -> String {
    format!("{READS}::read();")
}

/// The statement that waits for all contributions of a block.
pub(super) fn all_collected() -> String {
    format!("{READS}::collected();")
}

/// Declares the part of a view that a block reaches, in shared memory if it changes it.
pub(super) fn take(shape: &Shape, view: &View, w: &mut Writer) {
    let Some(cover) = view.cover else { return };
    let (arena, block) = (&shape.own.arena, &shape.own.block);
    let (class, shared, stage) = (&view.class, &view.shared, &shape.covers[cover].name);
    let there = when_there(view);
    let (how, from) = match view.access.modifies() {
        true => ("take", String::new()),
        false => ("read", format!(", {}", view.name)),
    };
    w.line(format!("const auto {shared} = {arena}.{how}<user::{class}>({stage}, {block}{from}{there});"));
}

/// The last argument of functions that allocate nothing for absent views.
fn when_there(view: &View) -> String {
    if view.optional { format!(", OP2_HAS_{}", view.name) } else { String::new() }
}

/// Writes modified views back. Two views may be the same dat, hence the barriers.
fn stage_out(shape: &Shape, wrapper: Wrapper, w: &mut Writer) {
    let changed = shape.views.iter().filter(|v| v.cover.is_some() && v.access.modifies());
    for (n, view) in changed.enumerate() {
        if n > 0 {
            w.line("__syncthreads();");
        }
        flush(shape, view, wrapper, w);
    }
}

/// Writes the modified values of a view back.
pub(super) fn flush(shape: &Shape, view: &View, wrapper: Wrapper, w: &mut Writer) {
    let (shared, name) = (&view.shared, &view.name);
    let Some(how) = view.access.combine().map(by) else { return w.line(format!("{shared}.flush({name});")) };
    let Some(cover) = shape.collects(view) else { return w.line(format!("{shared}.flush<{how}>({name});")) };
    let incoming = &shape.covers[cover].incoming;
    w.line(view.if_there(&match wrapper {
        Wrapper::Combined => format!("{shared}.flush_among<{how}>({incoming}, {name});"),
        Wrapper::Tiled => format!("{shared}.flush_apart<{how}>({incoming}, {name}, {});", view.parts),
        _ => format!("{shared}.flush<{how}>({incoming}, {name});"),
    }));
}

/// The views whose contributions [`Wrapper::Scatter`], [`Wrapper::Tiled`] and loops over pairs redirect: those through maps, and those
/// to ends of pairs, which may lie inside.
pub(super) fn redirected<'a>(shape: &'a Shape) -> impl Iterator<Item = (usize, &'a View, Combine)> + 'a {
    let shared = |dat: &DatArg| dat.is_mapped() || matches!(dat.reach, Reach::End(_));
    let reached = move |v: usize| shape.lowered.dats().any(|(n, _, dat)| shape.args[n].view == Some(v) && shared(dat));
    let views = shape.views.iter().enumerate().filter(move |(v, _)| reached(*v));
    views.filter_map(|(v, view)| Some((v, view, view.access.combine()?)))
}

/// The wrapper that gathers the redirected contributions to a view.
fn gather(shape: &Shape, number: usize, view: &View, how: Combine) -> Kernel {
    let sums = &shape.own.sums;
    let (class, data, parts) = (&view.class, &view.name, &view.parts);
    let name = format!("{}_gather_{data}", shape.kernel);
    let params = [
        format!("op2::Sums {sums}"),
        format!("{}* {data}", view.scalar),
        format!("const {}* __restrict__ {parts}", view.scalar),
    ];
    let mut w = Writer::new(&format!("Combines `{data}` with the contributions kept apart."), &name, &params);
    w.line(format!("op2::gather<{}, user::{class}>({sums}, {data}, {parts});", by(how)));
    (DeviceKernel { entry: EntryPoint::Gather(number), name }, w.end())
}
