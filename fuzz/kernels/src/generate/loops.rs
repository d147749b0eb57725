//! Loops: their arguments and kernels.

use super::functions::generalised;
use super::missing::Maybe;
use super::rows::Row;
use super::{Frame, Gen, Sink};
use crate::case::{
    Arg, Dat, FROM_EDGES, FROM_NODES, Global, Kind, Len, Loop, MapOf, Mode, Over, ROWS_FROM_EDGES, ROWS_FROM_NODES,
    Scalar, Ty, Via,
};

impl Gen {
    /// A loop with its own kernel.
    pub(super) fn one_loop(&mut self, number: usize) -> Loop {
        let floats = self.type_arguments();
        let over = *self.r.pick(&[Over::Edges, Over::Edges, Over::Edges, Over::Some, Over::Nodes]);
        self.mark(match over {
            Over::Edges | Over::Nodes => "loop over a set",
            Over::Some => "loop over a subset",
        });
        let (inputs, outputs) = (1 + self.r.below(3), 1 + self.r.below(3));
        let mut args: Vec<Arg> = Vec::new();
        let mut taken = Vec::new();
        for _ in 0..inputs {
            let kind = self.input(over, &mut taken);
            self.push(&mut args, kind);
        }
        for _ in 0..outputs {
            let kind = self.output(over, &mut taken);
            self.push(&mut args, kind);
        }
        for &float in &floats {
            self.tells_its_type(&mut args, over, float, &mut taken);
        }
        // Arguments come in any order.
        for at in (1..args.len()).rev() {
            args.swap(at, self.r.below(at + 1));
        }
        let kernel = self.kernel(number, &args, &floats);
        Loop { kernel, args, over }
    }

    /// The float types that the type parameters of the next kernel stand for.
    fn type_arguments(&mut self) -> Vec<Scalar> {
        let mut floats = vec![Scalar::F64, Scalar::F32];
        if self.r.chance(50) {
            floats.reverse();
        }
        floats.truncate(self.r.weighted(&[76, 15, 9]));
        if floats.len() > 1 {
            self.mark("kernel of two float types");
        }
        floats
    }

    fn push(&mut self, args: &mut Vec<Arg>, kind: Kind) {
        let prefix = match kind {
            Kind::Dat(..) => "d",
            Kind::Global(..) | Kind::Best(..) => "g",
            Kind::Index(..) => "e",
        };
        let name = format!("{prefix}{}", args.len());
        args.push(Arg { name, kind });
    }

    /// An argument that is never optional, from which the type parameter is inferred.
    fn tells_its_type(
        &mut self,
        args: &mut Vec<Arg>,
        over: Over,
        float: Scalar,
        taken: &mut Vec<(usize, Option<Mode>)>,
    ) {
        self.mark("generic kernel");
        let (nodes, ty) = (over == Over::Nodes, Ty::Scalar(float));
        let at = self.dats.len();
        self.dats.push(Dat { name: format!("dat{at}"), nodes, ty });
        taken.push((at, None));
        self.push(args, Kind::Dat(at, Mode::Read, Via::Direct, None));
    }

    fn via(&mut self, over: Over, injective: bool) -> Via {
        let rows: &[MapOf] = if over == Over::Nodes { &ROWS_FROM_NODES } else { &ROWS_FROM_EDGES };
        let rows: Vec<MapOf> = rows.iter().filter(|m| !injective || m.injective).copied().collect();
        if !rows.is_empty() && self.r.chance(18) {
            self.mark("row");
            return Via::Row(*self.r.pick(&rows));
        }
        let maps: &[MapOf] = if over == Over::Nodes { &FROM_NODES } else { &FROM_EDGES };
        let maps: Vec<MapOf> = maps.iter().filter(|m| !injective || m.injective).copied().collect();
        if maps.is_empty() || self.r.chance(30) {
            self.mark("direct");
            return Via::Direct;
        }
        let map = *self.r.pick(&maps);
        if map.optional {
            self.mark("entry that may be missing");
        }
        // An array of options is not changed.
        if !(map.optional && injective) && self.r.chance(45) {
            self.mark("all entries");
            return Via::All(map);
        }
        let computed = self.r.chance(20);
        self.mark(if computed { "computed entry" } else { "one entry" });
        Via::One(map, self.r.below(map.arity), computed)
    }

    /// A dat for an argument: an existing one, or a new one.
    fn dat(
        &mut self,
        over: Over,
        via: Via,
        taken: &[(usize, Option<Mode>)],
        ok: impl Fn(&Ty) -> bool,
        may: impl Fn(usize) -> bool,
        ty: Ty,
    ) -> usize {
        let nodes = over == Over::Nodes || via != Via::Direct;
        let fits = |n: &usize| {
            let dat = &self.dats[*n];
            dat.nodes == nodes && ok(&dat.ty) && may(*n) && taken.iter().all(|(other, _)| other != n)
        };
        let known: Vec<usize> = (0..self.dats.len()).filter(fits).collect();
        // In inexact cases no loop reads sums, which are rounded.
        if !known.is_empty() && self.exact && self.r.chance(60) {
            return *self.r.pick(&known);
        }
        let at = self.dats.len();
        self.dats.push(Dat { name: format!("dat{at}"), nodes, ty });
        at
    }

    fn flag(&mut self, via: Via) -> Option<usize> {
        let flag = (!via.may_miss() && self.r.chance(15)).then(|| self.r.below(3));
        if flag.is_some() {
            self.mark("optional argument");
        }
        flag
    }

    fn input(&mut self, over: Over, taken: &mut Vec<(usize, Option<Mode>)>) -> Kind {
        match self.r.weighted(&[70, 12, 18]) {
            0 => {
                let via = self.via(over, false);
                let again: Vec<usize> = taken.iter().filter(|(_, mode)| mode.is_none()).map(|(n, _)| *n).collect();
                let nodes = over == Over::Nodes || via != Via::Direct;
                let again: Vec<usize> = again.into_iter().filter(|&n| self.dats[n].nodes == nodes).collect();
                let flag = self.flag(via);
                if !again.is_empty() && self.r.chance(25) {
                    return Kind::Dat(*self.r.pick(&again), Mode::Read, via, flag);
                }
                self.mark("read");
                let ty = self.value(true);
                let at = self.dat(over, via, taken, |_| true, |_| true, ty);
                taken.push((at, None));
                Kind::Dat(at, Mode::Read, via, flag)
            }
            1 => {
                self.mark("gbl_read");
                let (at, ty) = (self.globals.len(), self.value(false));
                self.globals.push(Global { name: format!("glo{at}"), ty, best: None });
                Kind::Global(at, Mode::Read)
            }
            _ => {
                let via = match self.via(over, false) {
                    Via::All(map) => Via::One(map, self.r.below(map.arity), false),
                    Via::Row(_) => Via::Direct,
                    via => via,
                };
                self.mark(if via == Via::Direct { "idx()" } else { "idx(map[i])" });
                let ty =
                    *self.r.pick(&[Scalar::Usize, Scalar::Usize, Scalar::U32, Scalar::I32, Scalar::U64, Scalar::I64]);
                Kind::Index(via, ty)
            }
        }
    }

    fn output(&mut self, over: Over, taken: &mut Vec<(usize, Option<Mode>)>) -> Kind {
        match self.r.weighted(&[18, 16, 34, 7, 7, 6, 9, 5, 5, 9, 8, 4]) {
            pick @ (0 | 1) => {
                let mode = if pick == 0 { Mode::Write } else { Mode::Rw };
                let via = self.via(over, true);
                let ty = self.value(true);
                self.modified(over, via, mode, ty, |_| true, taken)
            }
            pick @ 2..=4 => {
                let mode = [Mode::Inc, Mode::Min, Mode::Max][pick - 2];
                let again: Vec<usize> = taken.iter().filter(|(_, held)| *held == Some(mode)).map(|(n, _)| *n).collect();
                let via = self.via(over, false);
                let nodes = over == Over::Nodes || via != Via::Direct;
                let again: Vec<usize> = again.into_iter().filter(|&n| self.dats[n].nodes == nodes).collect();
                if !again.is_empty() && self.r.chance(40) {
                    self.mark("one dat in several arguments");
                    let flag = self.flag(via);
                    return Kind::Dat(*self.r.pick(&again), mode, via, flag);
                }
                let ty = self.value(false);
                self.modified(over, via, mode, ty, |ty| ty.elem() != Scalar::Bool && !ty.is_enum(), taken)
            }
            5 => {
                self.mark("rw that commutes");
                let via = self.via(over, false);
                let ty = match self.r.below(3) {
                    0 => Ty::array(Ty::Scalar(Scalar::I64), 2),
                    1 => Ty::Scalar(*self.r.pick(&[Scalar::I32, Scalar::U8, Scalar::I16])),
                    _ => Ty::Scalar(Scalar::U64),
                };
                let alone = matches!(via, Via::All(_) | Via::Row(_)) || via.may_miss();
                // An element must not reach one target twice, and what is changed through a missing entry is an option.
                let via = if alone { Via::Direct } else { via };
                self.modified(over, via, Mode::Commute, ty, |ty| ty.elem().is_int() && !ty.is_enum(), taken)
            }
            pick @ 6..=8 => {
                let mode = [Mode::Inc, Mode::Min, Mode::Max][pick - 6];
                self.mark(["gbl_inc", "gbl_min", "gbl_max"][pick - 6]);
                let (at, ty) = (self.globals.len(), self.value(false));
                self.globals.push(Global { name: format!("glo{at}"), ty, best: None });
                Kind::Global(at, mode)
            }
            10 => {
                let (via, ty) = (self.via(over, false), self.flags_or_bits());
                self.modified(over, via, Mode::Or, ty, |ty| !ty.elem().is_float() && !ty.is_enum(), taken)
            }
            11 => {
                self.mark("gbl_or");
                let (at, ty) = (self.globals.len(), self.flags_or_bits());
                self.globals.push(Global { name: format!("glo{at}"), ty, best: None });
                Kind::Global(at, Mode::Or)
            }
            _ => {
                let greatest = self.r.chance(50);
                self.mark(if greatest { "ArgMax" } else { "ArgMin" });
                let ty = Ty::Scalar(*self.r.pick(&[Scalar::F64, Scalar::F32, Scalar::I32, Scalar::U64, Scalar::U16]));
                let payload = match self.r.below(5) {
                    0 | 1 => Ty::Scalar(*self.r.pick(&[Scalar::Usize, Scalar::U32, Scalar::I32, Scalar::I8])),
                    2 => Ty::array(Ty::Scalar(Scalar::F64), 2),
                    3 => Ty::Scalar(Scalar::F64),
                    _ => Ty::Tuple(vec![Ty::Scalar(Scalar::I64), Ty::Scalar(Scalar::F32)]),
                };
                let at = self.globals.len();
                self.globals.push(Global { name: format!("glo{at}"), ty, best: Some((greatest, payload)) });
                Kind::Best(at, greatest)
            }
        }
    }

    /// A value that `or` combines.
    fn flags_or_bits(&mut self) -> Ty {
        let flags_or_bits =
            [Scalar::Bool, Scalar::Bool, Scalar::U8, Scalar::I16, Scalar::I32, Scalar::U32, Scalar::I64, Scalar::U64];
        let scalar = *self.r.pick(&flags_or_bits);
        if self.r.chance(60) { Ty::Scalar(scalar) } else { Ty::array(Ty::Scalar(scalar), 2) }
    }

    fn modified(
        &mut self,
        over: Over,
        via: Via,
        mode: Mode,
        ty: Ty,
        ok: impl Fn(&Ty) -> bool,
        taken: &mut Vec<(usize, Option<Mode>)>,
    ) -> Kind {
        self.mark(mode.word());
        let flag = self.flag(via);
        // A dat that is combined into is not changed in other ways, which would leave inexact sums and signed zeros.
        let role = if mode.combines() { mode } else { Mode::Rw };
        let roles = self.roles.clone();
        let at = self.dat(over, via, taken, ok, |n| roles.iter().all(|&(dat, other)| dat != n || other == role), ty);
        self.roles.push((at, role));
        taken.push((at, Some(mode)));
        Kind::Dat(at, mode, via, flag)
    }

    /// The argument that tells the kernel what its parameter `N` stands for, and that number.
    fn length_argument(&mut self, args: &[Arg]) -> Option<(usize, usize)> {
        let length = |ty: &Ty| match ty {
            Ty::Array(_, Len::Lit(n)) => Some(*n),
            _ => None,
        };
        let lengths = |kind: &Kind| match kind {
            Kind::Dat(at, _, via, None) => [length(&self.dats[*at].ty), via.count()],
            Kind::Global(at, _) => [length(&self.globals[*at].ty), None],
            _ => [None, None],
        };
        let all = args
            .iter()
            .enumerate()
            .flat_map(|(n, arg)| lengths(&arg.kind).into_iter().flatten().map(move |len| (n, len)));
        let all: Vec<_> = all.collect();
        if all.is_empty() || !self.r.chance(25) {
            return None;
        }
        self.mark("length of a kernel");
        Some(*self.r.pick(&all))
    }

    /// Writes the kernel for these arguments.
    fn kernel(&mut self, number: usize, args: &[Arg], floats: &[Scalar]) -> syn::ItemFn {
        let budget = 30 + self.r.below(70) as isize;
        let told = self.length_argument(args);
        let len = told.map(|(_, len)| len);
        self.here = Frame { budget, floats: floats.len(), len, ..Frame::default() };
        let seen = |ty: &Ty| {
            let params = floats.iter().enumerate();
            params.fold(ty.clone(), |ty, (n, &float)| generalised(&ty, float, n))
        };
        let (mut inputs, mut later, mut asked, mut rows) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for (n, arg) in args.iter().enumerate() {
            let name = &arg.name;
            // Others of the same length may state it as a number.
            let own = len.filter(|_| told.is_some_and(|(by, _)| by == n) || self.r.chance(60));
            match &arg.kind {
                Kind::Index(via, s) if via.may_miss() => {
                    inputs.push(format!("{name}: Option<{}>", s.name()));
                    let maybe = Maybe { name: name.clone(), ty: Ty::Scalar(*s), lent: false, entries: None };
                    self.here.maybes.push(maybe);
                }
                Kind::Index(_, s) => {
                    inputs.push(format!("{name}: {}", s.name()));
                    self.declare(name, &Ty::Scalar(*s), false);
                }
                Kind::Best(at, greatest) => {
                    let global = self.globals[*at].clone();
                    let payload = global.best.map(|(_, payload)| payload).expect("it has a payload");
                    let (ty, shown) = (seen(&global.ty), seen(&payload));
                    let word = if *greatest { "ArgMax" } else { "ArgMin" };
                    inputs.push(format!("{name}: &mut {word}<{ty}, {shown}>"));
                    let sink = Sink {
                        name: name.clone(),
                        ty,
                        mode: Mode::Max,
                        entries: None,
                        payload: Some(shown),
                        used: false,
                    };
                    self.here.sinks.push(sink);
                }
                Kind::Global(at, mode) => {
                    let ty = own_length(&seen(&self.globals[*at].ty), own);
                    let lent = Ty::Ref(*mode != Mode::Read, Box::new(ty.clone()));
                    inputs.push(format!("{name}: {lent}"));
                    self.receive(name, &ty, *mode, None, &mut later);
                }
                Kind::Dat(at, mode @ (Mode::Read | Mode::Rw | Mode::Write), via, _) if via.may_miss() => {
                    let ty = own_length(&seen(&self.dats[*at].ty), own);
                    let entries = via.count().map(|n| if own == Some(n) { Len::Own(n) } else { Len::Lit(n) });
                    let option = format!("Option<{}>", Ty::Ref(*mode != Mode::Read, Box::new(ty.clone())));
                    inputs.push(match entries {
                        Some(count) => format!("{name}: [{option}; {count}]"),
                        None => format!("{name}: {option}"),
                    });
                    match mode {
                        Mode::Read => self.here.maybes.push(Maybe { name: name.clone(), ty, lent: true, entries }),
                        _ => asked.push((name.clone(), ty, *mode, None)),
                    }
                }
                Kind::Dat(at, mode, Via::Row(_), flag) => {
                    let ty = own_length(&seen(&self.dats[*at].ty), own);
                    let lent = format!("&{}op2::Row<{ty}>", if *mode == Mode::Read { "" } else { "mut " });
                    inputs.push(match flag {
                        None => format!("{name}: {lent}"),
                        Some(_) => format!("{name}: Option<{lent}>"),
                    });
                    let row = Row { name: name.clone(), ty, mode: *mode, optional: flag.is_some() };
                    match mode {
                        Mode::Read => self.here.rows.push(row),
                        mode if mode.combines() && flag.is_none() => self.here.row_sinks.push(row),
                        _ => rows.push(row),
                    }
                    if flag.is_some() {
                        self.here.options.push(name.clone());
                    }
                }
                Kind::Dat(at, mode, via, flag) => {
                    let ty = own_length(&seen(&self.dats[*at].ty), own);
                    let entries = via.count().map(|n| if own == Some(n) { Len::Own(n) } else { Len::Lit(n) });
                    let mut lent = Ty::Ref(*mode != Mode::Read, Box::new(ty.clone())).to_string();
                    if let Some(count) = entries {
                        lent = format!("[{lent}; {count}]");
                    }
                    match flag {
                        None => {
                            inputs.push(format!("{name}: {lent}"));
                            self.receive(name, &ty, *mode, entries, &mut later);
                        }
                        Some(_) => {
                            inputs.push(format!("{name}: Option<{lent}>"));
                            self.here.options.push(name.clone());
                            if *mode == Mode::Read {
                                let whole = Ty::Ref(false, Box::new(ty));
                                let whole = arrayed(whole, entries);
                                self.here.read_options.push((name.clone(), whole));
                            } else {
                                asked.push((name.clone(), ty, *mode, entries));
                            }
                        }
                    }
                }
            }
        }
        let body = self.body_of(later, asked, rows);
        let mut params: Vec<&str> = ["F: Float", "G: Float"][..floats.len()].to_vec();
        params.extend(len.map(|_| "const N: usize"));
        let text = format!("fn ker{number}<{}>({}) {{ {body} }}", params.join(", "), inputs.join(", "));
        syn::parse_str(&text).unwrap_or_else(|e| panic!("{e} in\n{text}"))
    }

    /// Brings an argument that is never optional into scope.
    fn receive(
        &mut self,
        name: &str,
        ty: &Ty,
        mode: Mode,
        entries: Option<Len>,
        later: &mut Vec<(String, Ty, Option<Len>)>,
    ) {
        let whole = |mutable: bool| arrayed(Ty::Ref(mutable, Box::new(ty.clone())), entries);
        match mode {
            Mode::Read => self.declare(name, &whole(false), false),
            Mode::Rw => self.declare(name, &whole(true), true),
            Mode::Write => later.push((name.to_owned(), ty.clone(), entries)),
            _ => {
                let sink = Sink { name: name.to_owned(), ty: ty.clone(), mode, entries, payload: None, used: false };
                self.here.sinks.push(sink);
            }
        }
    }

    /// The body: first statements, definitions, and early exits.
    fn body_of(
        &mut self,
        later: Vec<(String, Ty, Option<Len>)>,
        asked: Vec<(String, Ty, Mode, Option<Len>)>,
        rows: Vec<Row>,
    ) -> String {
        let mut text = String::new();
        let rw: Vec<_> = self.here.scope.iter().filter(|v| v.mutable).cloned().collect();
        let count = 1 + self.r.below(4);
        text.push_str(&self.statements(count, 2));
        // Definitions and optional arguments must be written, however long the rest has become.
        self.here.budget = self.here.budget.max(12);
        for (name, ty, entries) in later {
            text.push_str(&self.define(&name, &ty, entries));
            let one = Ty::Ref(true, Box::new(ty));
            self.declare(&name, &arrayed(one, entries), true);
        }
        for (name, ty, mode, entries) in asked {
            self.here.budget = self.here.budget.max(6);
            self.here.options.retain(|option| *option != name);
            text.push_str(&self.ask_to_change(&name, &ty, mode, entries));
        }
        for row in rows {
            self.here.budget = self.here.budget.max(6);
            self.here.options.retain(|option| *option != row.name);
            text.push_str(&self.change_row(&row));
        }
        self.here.budget = self.here.budget.max(6);
        let mut ends = self.leave_none_out();
        ends.push_str(&self.leave_no_row_out());
        for var in rw {
            let (place, ty) = match &var.ty {
                Ty::Array(of, _) => (format!("*{}[0]", var.name), (**of).clone()),
                ty => (format!("*{}", var.name), ty.clone()),
            };
            let Ty::Ref(_, of) = ty else { continue };
            ends.push_str(&format!("{place} = {};", self.expr(&of, 3, false)));
        }
        text.push_str(&ends);
        self.here.ret = Some(None);
        let count = self.r.below(4);
        text.push_str(&self.statements(count, 2));
        text
    }

    /// An `if let` for an optional argument that is changed. There is one for each, since it moves the argument.
    fn ask_to_change(&mut self, name: &str, ty: &Ty, mode: Mode, entries: Option<Len>) -> String {
        self.mark("if let Some");
        let inside = self.scoped(|g| {
            let mut text = String::new();
            match mode {
                Mode::Write => text.push_str(&g.define(name, ty, entries)),
                Mode::Rw => {
                    let one = Ty::Ref(true, Box::new(ty.clone()));
                    g.declare(name, &arrayed(one, entries), true);
                    let first = if entries.is_some() { format!("*{name}[0]") } else { format!("*{name}") };
                    text.push_str(&format!("{first} = {};", g.expr(ty, 2, false)));
                }
                _ => {
                    let sink =
                        Sink { name: name.to_owned(), ty: ty.clone(), mode, entries, payload: None, used: false };
                    g.here.sinks.push(sink);
                }
            }
            text.push_str(&g.statements(2, 1));
            let own = g.here.sinks.last().filter(|s| s.name == name).cloned();
            if let Some(own) = own {
                text.push_str(&g.contribution(&own));
            }
            text
        });
        format!("if let Some({name}) = {name} {{ {inside} }}")
    }
}

/// References to all entries of a map, or the one reference.
fn arrayed(one: Ty, entries: Option<Len>) -> Ty {
    entries.map_or(one.clone(), |len| Ty::Array(Box::new(one), len))
}

/// The type with the kernel's parameter `N` in place of this length.
fn own_length(ty: &Ty, own: Option<usize>) -> Ty {
    match ty {
        Ty::Array(of, len) => {
            let len = if own.is_some_and(|n| *len == Len::Lit(n)) { Len::Own(len.number()) } else { *len };
            Ty::Array(Box::new(own_length(of, own)), len)
        }
        ty => ty.clone(),
    }
}
