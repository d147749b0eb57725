//! The facts of a loop from which wrappers are written: distinct dats, covers, and names.

use std::collections::HashSet;

use crate::ir::{Access, Combine, FuncId, Scalar, Ty, Unit};
use crate::lower::{Lowered, Reach, Role, literal};
use crate::model::Slot;
use crate::parse::loop_decl::written;

use super::names::{Names, escaped, unique};
use super::stored::{Places, stored};
use super::types::Types;
use super::{CudaParam, CudaPassing};
use crate::emit::device::Stored;

/// A loop as the wrappers see it.
pub(super) struct Shape<'a> {
    pub(super) lowered: &'a Lowered,
    /// The prefix of the wrappers' names.
    pub(super) kernel: String,
    /// Arguments in order.
    pub(super) args: Vec<Arg>,
    pub(super) views: Vec<View>,
    /// Names of the maps' parameters.
    pub(super) maps: Vec<String>,
    /// By [`Lowered::targets`].
    pub(super) targets: Vec<Target>,
    pub(super) covers: Vec<Cover>,
    pub(super) own: Own,
}

/// An argument.
pub(super) struct Arg {
    /// Its local, or the parameter for a global that is read.
    pub(super) name: String,
    /// How the kernel takes it.
    pub(super) passing: CudaPassing,
    /// The value type in `namespace user`.
    pub(super) value: String,
    /// For a global and a shift: an alias of the value type in `namespace user`.
    pub(super) alias: String,
    /// For a dat: its index in [`Shape::views`].
    pub(super) view: Option<usize>,
    /// For a reduction: the parameter for partial results and result. For an index, and for a table that is asked for numbers: the parameter for
    /// the user's numbers. For an optional argument that takes all entries: the local with the pointers. For a contribution of pairs: the
    /// local for the sum over partners.
    pub(super) extra: String,
    /// For a table that is asked for numbers: the parameter for the elements by their numbers.
    pub(super) elements: String,
}

/// A distinct dat.
pub(super) struct View {
    pub(super) name: String,
    pub(super) optional: bool,
    pub(super) access: Access,
    /// The value type in `namespace user`.
    pub(super) value: String,
    /// The scalar of the value, as the global namespace names it.
    pub(super) scalar: String,
    /// Its struct in `namespace user`.
    pub(super) class: String,
    /// The local for the part in shared memory.
    pub(super) shared: String,
    /// The local for the places that are loaded first.
    pub(super) rows: String,
    /// The parameter for redirected contributions.
    pub(super) parts: String,
    /// The local with the sum of a target, where each has a thread.
    pub(super) sum: String,
    pub(super) cover: Option<usize>,
    pub(super) args: Vec<usize>,
    /// How it reads places of contributions, if blocks collect any to it.
    pub(super) places: Places,
}

/// A way through a map.
pub(super) struct Target {
    /// The local for the target's index.
    pub(super) name: String,
    /// The same of the element behind, where each target has a thread.
    pub(super) next: String,
    /// The entry as C++ writes it; none means all.
    pub(super) entry: Option<String>,
    /// The number of entries, if it has all.
    pub(super) len: String,
}

/// Targets that are staged together.
pub(super) struct Cover {
    /// The parameter for its stage.
    pub(super) name: String,
    /// The local for the lists of contributions to each target.
    pub(super) incoming: String,
    /// Indices into [`Lowered::targets`], ascending, each with the local for its place in shared memory.
    pub(super) targets: Vec<(usize, String)>,
    /// Where contributions through each entry are stored; empty if each has its own place.
    pub(super) stored: Vec<Stored>,
}

/// Names of the wrappers' own variables.
pub(super) struct Own {
    pub(super) range: String,
    pub(super) blocks: String,
    pub(super) block: String,
    pub(super) arena: String,
    pub(super) position: String,
    pub(super) element: String,
    pub(super) colour: String,
    pub(super) colours: String,
    pub(super) turn: String,
    pub(super) sums: String,
    pub(super) kept: String,
    pub(super) patches: String,
    pub(super) grid: String,
    pub(super) search: String,
    pub(super) partner: String,
    pub(super) copy: String,
    pub(super) rooms: String,
    pub(super) temporary: String,
    pub(super) joining: String,
    /// Where each target has a thread: the frame, a target, a thread's place in the list of contributions, and the number of the one.
    pub(super) each: String,
    pub(super) target: String,
    pub(super) slot: String,
    pub(super) number: String,
}

impl<'a> Shape<'a> {
    pub(super) fn new(lowered: &'a Lowered, unit: &Unit, names: &Names, params: &[CudaParam]) -> Self {
        let mut pool = Pool { names, used: HashSet::new() };
        let types = Types::new(unit, FuncId(0), names);
        // Names are taken in this order: the user's names that definitions mention, the user's other names, our own.
        let mut views = views(lowered, unit, params, &types, &mut pool);
        let maps: Vec<String> = lowered.maps.iter().map(|m| pool.take(&short_name(&written(&m.map)))).collect();
        let args = args(lowered, unit, params, &views, &mut pool);
        let targets = targets(lowered, params, &maps, &mut pool);
        let mut covers = covers(lowered, &mut views, &maps, &targets, &mut pool);
        share(lowered, &targets, &mut covers, &mut views);
        for view in &mut views {
            view.shared = pool.take(&joined(&view.name, "shared"));
            view.rows = pool.take(&joined(&view.name, "rows"));
            view.parts = pool.take(&joined(&view.name, "parts"));
            view.sum = pool.take(&joined(&view.name, "sum"));
        }
        let kernel = names.funcs[0].clone();
        let own = Own::new(&mut pool);
        Shape { lowered, kernel, args, views, maps, targets, covers, own }
    }

    /// Arguments into which the loop reduces.
    pub(super) fn reductions(&self) -> impl Iterator<Item = (&Arg, Combine)> {
        self.lowered.reductions().map(|(n, _, how)| (&self.args[n], how))
    }

    /// Whether the loop contributes through maps, and the order between elements is free because it writes nothing through a map.
    pub(super) fn combines(&self) -> bool {
        self.lowered.combines_mapped() && !self.lowered.writes_mapped() && !self.lowered.has_rows()
    }

    /// The cover through which the loop makes all of its contributions, if it changes nothing else: then a thread can run all elements of
    /// a target.
    pub(super) fn only_cover(&self) -> Option<usize> {
        let changed = || self.views.iter().filter(|view| view.access.modifies());
        let cover = changed().next()?.cover?;
        let direct = self.lowered.dats().any(|(_, _, dat)| dat.access.modifies() && !dat.is_mapped());
        let only = self.combines() && !direct && self.reductions().next().is_none();
        (only && changed().all(|view| view.cover == Some(cover))).then_some(cover)
    }

    /// The cover through which blocks collect the contributions to a view; none if they do not, or have them combined in turn.
    pub(super) fn collects(&self, view: &View) -> Option<usize> {
        view.cover.filter(|_| self.combines() && view.access.combines())
    }

    /// The first entry of a target in its cover: the sum of the entries before it.
    pub(super) fn offset(&self, cover: usize, target: usize) -> String {
        let before = self.covers[cover].targets.iter().map(|(t, _)| *t).take_while(|t| *t != target);
        self.sum(before)
    }

    /// The number of entries of a cover.
    pub(super) fn entries(&self, cover: usize) -> String {
        self.sum(self.covers[cover].targets.iter().map(|(t, _)| *t))
    }

    /// The number of contributions of an element that blocks store.
    pub(super) fn stored(&self, cover: usize) -> String {
        let stored = &self.covers[cover].stored;
        match stored.iter().map(|of| of.at + 1).max() {
            Some(count) => count.to_string(),
            None => self.entries(cover),
        }
    }

    /// The places of a cover that get values of an argument, and these values; none that repeats another one. Its first target has the
    /// number `first`, and it has `len` ones if it is an array.
    pub(super) fn values(&self, cover: usize, first: &str, len: Option<&str>, name: &str) -> Vec<(usize, String)> {
        let number = |text: &str| text.parse::<usize>().expect("contributions repeat only where arities are numbers");
        let (stored, first, len) = (&self.covers[cover].stored, number(first), len.map(number));
        let is_first = |&n: &usize| stored.iter().position(|of| of.at == stored[first + n].at) == Some(first + n);
        let value = |n| if len.is_some() { format!("{name}.at[{n}]") } else { name.to_owned() };
        (0..len.unwrap_or(1)).filter(is_first).map(|n| (stored[first + n].at, value(n))).collect()
    }

    fn sum(&self, targets: impl Iterator<Item = usize>) -> String {
        let (mut known, mut named) = (0usize, Vec::new());
        for target in targets.map(|t| &self.targets[t]) {
            match (&target.entry, target.len.parse::<usize>()) {
                (Some(_), _) => known += 1,
                (None, Ok(n)) => known += n,
                (None, Err(_)) => named.push(target.len.clone()),
            }
        }
        if known > 0 || named.is_empty() {
            named.push(known.to_string());
        }
        named.join(" + ")
    }
}

impl View {
    /// The value at an index, from global memory.
    pub(super) fn load(&self, at: &str) -> String {
        let View { name, class, .. } = self;
        match self.optional {
            true => format!("op2::load_if<user::{class}>(OP2_HAS_{name}, {name}, {at})"),
            false => format!("op2::load<user::{class}>({name}, {at})"),
        }
    }

    /// A load of the value at `at` in threads for which `busy` holds; the others have none.
    pub(super) fn load_if(&self, busy: &str, at: &str) -> String {
        let View { name, class, .. } = self;
        let there = if self.optional { format!("OP2_HAS_{name} && ") } else { String::new() };
        format!("op2::load_if<user::{class}>({there}{busy}, {name}, {at})")
    }

    /// The statement, unless the argument is absent.
    pub(super) fn if_there(&self, statement: &str) -> String {
        if self.optional { format!("if (OP2_HAS_{}) {statement}", self.name) } else { statement.to_owned() }
    }
}

impl Own {
    fn new(pool: &mut Pool) -> Self {
        Own {
            range: pool.take("range"),
            blocks: pool.take("blocks"),
            block: pool.take("block"),
            arena: pool.take("arena"),
            position: pool.either("p", "position"),
            element: pool.either("e", "element"),
            colour: pool.take("colour"),
            colours: pool.take("colours"),
            turn: pool.take("turn"),
            sums: pool.take("sums"),
            kept: pool.take("kept"),
            patches: pool.take("patches"),
            grid: pool.take("grid"),
            search: pool.take("search"),
            partner: pool.take("partner"),
            copy: pool.take("copy"),
            rooms: pool.take_inside("rooms"),
            temporary: pool.take("left"),
            joining: pool.take("joining"),
            each: pool.take("each"),
            target: pool.take("target"),
            slot: pool.take("slot"),
            number: pool.either("k", "number"),
        }
    }
}

/// Hands out each name once.
struct Pool<'a> {
    names: &'a Names,
    used: HashSet<String>,
}

impl Pool<'_> {
    fn take(&mut self, wish: &str) -> String {
        let name = unique(wish, |name| !self.used.contains(name));
        self.used.insert(name.clone());
        name
    }

    /// The name `first`, or `second` if that is taken.
    fn either(&mut self, first: &str, second: &str) -> String {
        if self.used.contains(first) { self.take(second) } else { self.take(first) }
    }

    /// A name of `namespace user`.
    fn take_inside(&mut self, wish: &str) -> String {
        let name = unique(wish, |name| !self.used.contains(name) && !self.names.is_taken(name));
        self.used.insert(name.clone());
        name
    }
}

/// A name and a suffix, with a single underscore between them.
fn joined(name: &str, what: &str) -> String {
    format!("{}_{what}", name.trim_end_matches('_'))
}

/// The last field of an expression as a name of C++: `m.level[1].q` is `q`.
fn short_name(text: &str) -> String {
    let text = text.trim_start_matches(['&', '*']);
    let last = text.rsplit('.').next().filter(|l| l.starts_with(|c: char| c.is_alphabetic() || c == '_'));
    let word: String = last
        .unwrap_or(text)
        .trim_start_matches("r#")
        .chars()
        .map(|c| if c.is_alphanumeric() { c } else { '_' })
        .collect();
    let word = word.trim_end_matches('_');
    let word = if word.starts_with(|c: char| c.is_ascii_digit()) { format!("v{word}") } else { word.to_string() };
    if word.is_empty() { "dat".to_string() } else { escaped(&word) }
}

fn views(lowered: &Lowered, unit: &Unit, params: &[CudaParam], types: &Types, pool: &mut Pool) -> Vec<View> {
    let mut views: Vec<View> = Vec::new();
    let mut idents: Vec<(String, bool)> = Vec::new();
    for (n, _, dat) in lowered.dats() {
        let key = (dat.view.to_string(), dat.is_optional());
        // An optional argument always has a view of its own, because its dat may be absent.
        let known = idents.iter().position(|k| *k == key).filter(|_| !dat.is_optional());
        if let Some(known) = known {
            let view: &mut View = &mut views[known];
            view.args.push(n);
            // It is written if one of them is.
            if dat.access.modifies() {
                view.access = dat.access;
            }
            continue;
        }
        idents.push(key);
        let name = pool.take(&short_name(&written(&dat.dat)));
        let class = pool.take_inside(&joined(&name, "view"));
        views.push(View {
            name,
            optional: dat.is_optional(),
            access: dat.access,
            value: params[n].value.clone(),
            scalar: scalar(&unit.funcs[0].params[n].ty, types),
            class,
            shared: String::new(),
            rows: String::new(),
            parts: String::new(),
            sum: String::new(),
            cover: None,
            args: vec![n],
            places: Places::Plain,
        });
    }
    views
}

/// The scalar of a dat as the global namespace names it.
fn scalar(ty: &Ty, types: &Types) -> String {
    let scalar = ty.elem().unwrap_or(Scalar::F64);
    let text = types.scalar(scalar);
    match scalar {
        Scalar::F32 | Scalar::F64 | Scalar::Bool => text,
        Scalar::Generic(_) => format!("user::{text}"),
        _ => format!("op2::{text}"),
    }
}

fn args(lowered: &Lowered, unit: &Unit, params: &[CudaParam], views: &[View], pool: &mut Pool) -> Vec<Arg> {
    let numbered = |role: &Role| matches!(role, Role::Dat(dat) if dat.reach == Reach::Whole) && unit.asks_numbers();
    let arg = |(n, param): (usize, &CudaParam)| {
        let name = pool.either(&param.name, &joined(&param.name, "arg"));
        let role = &lowered.args[n].role;
        let alias = match role {
            Role::Read(_) | Role::Reduce(..) | Role::Shift => pool.take_inside(&joined(&param.name, "value")),
            _ => String::new(),
        };
        let extra = match (role, &param.passing) {
            (Role::Reduce(..), _) => pool.take(&joined(&name, "reduced")),
            (Role::Index(_), _) => pool.take(&joined(&name, "numbers")),
            (role, _) if numbered(role) => pool.take(&joined(&name, "numbers")),
            (Role::Dat(dat), _) if lowered.pairs && dat.access.combines() => pool.take(&joined(&name, "sum")),
            (_, CudaPassing::Optional(_)) => pool.take(&joined(&name, "entries")),
            _ => String::new(),
        };
        let elements = if numbered(role) { pool.take(&joined(&name, "elements")) } else { String::new() };
        let view = views.iter().position(|v| v.args.contains(&n));
        Arg { name, passing: param.passing.clone(), value: param.value.clone(), alias, view, extra, elements }
    };
    params.iter().enumerate().map(arg).collect()
}

fn targets(lowered: &Lowered, params: &[CudaParam], maps: &[String], pool: &mut Pool) -> Vec<Target> {
    let target = |(t, target): (usize, &crate::lower::Target)| {
        let map = &maps[target.map];
        let (wish, entry) = match &target.entry {
            None => (joined(map, "all"), None),
            Some(entry) => match literal(entry) {
                Some(i) => (joined(map, &i.to_string()), Some(i.to_string())),
                None => (joined(map, "entry"), Some(format!("OP2_ENTRY_{t}"))),
            },
        };
        let all = |n: &usize| lowered.args[*n].reach() == Some(Reach::All(t));
        let len = (0..params.len()).find(all).and_then(|n| len(&params[n].passing)).unwrap_or_default();
        let name = pool.take(&wish);
        Target { next: pool.take(&joined(&name, "next")), name, entry, len }
    };
    lowered.targets.iter().enumerate().map(target).collect()
}

/// The number of entries that a parameter takes, as the global namespace writes it.
pub(super) fn len(passing: &CudaPassing) -> Option<String> {
    match passing {
        CudaPassing::Entries { len, .. } | CudaPassing::Values { len } => {
            let is_number = len.starts_with(|c: char| c.is_ascii_digit());
            Some(if is_number { len.clone() } else { format!("user::{len}") })
        }
        CudaPassing::Optional(inner) => self::len(inner),
        _ => None,
    }
}

/// Finds contributions through the entries of each cover that repeat each other in all views which are collected through it.
fn share(lowered: &Lowered, targets: &[Target], covers: &mut [Cover], views: &mut [View]) {
    for (c, cover) in covers.iter_mut().enumerate() {
        let collects = |view: &&mut View| view.cover == Some(c) && view.access.combines();
        let collected: Vec<&mut View> = views.iter_mut().filter(collects).collect();
        let slots: Option<Vec<Vec<Slot>>> = collected.iter().map(|view| slots(lowered, targets, cover, view)).collect();
        let found = slots.and_then(|slots| stored(&|a, b| lowered.repeats.sign(a, b), &slots));
        let Some((stored, places)) = found else { continue };
        cover.stored = stored;
        collected.into_iter().zip(places).for_each(|(view, places)| view.places = places);
    }
}

/// The kernel's slots for the entries of a cover; `None` if their number is unknown, or if several arguments contribute through one.
fn slots(lowered: &Lowered, targets: &[Target], cover: &Cover, view: &View) -> Option<Vec<Slot>> {
    let mut all = Vec::new();
    for (t, _) in &cover.targets {
        let mut args = view.args.iter().filter(|n| lowered.args[**n].target() == Some(*t));
        let (&param, None) = (args.next()?, args.next()) else { return None };
        let entries = if targets[*t].entry.is_some() { 1 } else { targets[*t].len.parse().ok()? };
        all.extend((0..entries).map(|entry| Slot { param, entry }));
    }
    Some(all)
}

fn covers(lowered: &Lowered, views: &mut [View], maps: &[String], targets: &[Target], pool: &mut Pool) -> Vec<Cover> {
    let mut covers: Vec<Cover> = Vec::new();
    let mut sets: Vec<Vec<usize>> = Vec::new();
    // Targets whose name is taken by the local for their index in global memory.
    let indices = lowered.args.iter().filter(|arg| matches!(arg.role, Role::Index(_)));
    let mut named: HashSet<usize> = indices.filter_map(|arg| arg.target()).collect();
    for view in views {
        // Nothing is staged beside rows of any length.
        if lowered.has_rows() {
            continue;
        }
        let mut set: Vec<usize> = view.args.iter().filter_map(|n| lowered.args[*n].target()).collect();
        set.sort_unstable();
        set.dedup();
        if set.is_empty() {
            continue;
        }
        let known = sets.iter().position(|s| *s == set);
        view.cover = Some(known.unwrap_or_else(|| {
            let mut from: Vec<&str> = set.iter().map(|t| maps[lowered.targets[*t].map].as_str()).collect();
            from.dedup();
            let stem = from.iter().skip(1).fold(from[0].to_string(), |stem, map| joined(&stem, map));
            let mut local = |t: usize| match named.insert(t) {
                true => targets[t].name.clone(),
                false => pool.take(&joined(&targets[t].name, "local")),
            };
            let locals = set.iter().map(|t| (*t, local(*t))).collect();
            let (name, incoming) = (pool.take(&joined(&stem, "stage")), pool.take(&joined(&stem, "incoming")));
            covers.push(Cover { name, incoming, targets: locals, stored: Vec::new() });
            sets.push(set);
            sets.len() - 1
        }));
    }
    covers
}
