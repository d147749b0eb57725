//! The kernel of a loop: its parameters, and statements that use them as their accesses allow.

use super::functions::generalised;
use super::missing::Maybe;
use super::rows::Row;
use super::tables::Known;
use super::{Frame, Gen, Sink};
use crate::case::{Arg, Kind, Len, Mode, Over, Scalar, Ty, Via};

impl Gen {
    /// The argument that tells the kernel what its parameter `N` stands for, and that number.
    fn length_argument(&mut self, args: &[Arg]) -> Option<(usize, usize)> {
        let length = |ty: &Ty| match ty {
            Ty::Array(_, Len::Lit(n)) => Some(*n),
            _ => None,
        };
        let lengths = |kind: &Kind| match kind {
            Kind::Dat(at, _, via, None) => [length(&self.dats[*at].ty), via.count()],
            Kind::Index(via, _) | Kind::Element(via) => [None, via.count()],
            Kind::Table(at, _) => [length(&self.dats[*at].ty), None],
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
    pub(super) fn kernel(&mut self, number: usize, args: &[Arg], floats: &[Scalar], over: Over) -> syn::ItemFn {
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
            let count = |via: &Via| via.count().map(|n| if own == Some(n) { Len::Own(n) } else { Len::Lit(n) });
            match &arg.kind {
                Kind::Index(via, s) if via.may_miss() => {
                    let (option, entries) = (format!("Option<{}>", s.name()), count(via));
                    inputs.push(match entries {
                        Some(count) => format!("{name}: [{option}; {count}]"),
                        None => format!("{name}: {option}"),
                    });
                    let maybe = Maybe { name: name.clone(), ty: Ty::Scalar(*s), lent: false, entries };
                    self.here.maybes.push(maybe);
                }
                Kind::Element(via) => inputs.push(self.receive_element(name, *via, count(via), over)),
                Kind::Members(map) => inputs.push(self.receive_members(name, map)),
                Kind::Table(at, flag) => {
                    let (nodes, ty) = (self.dats[*at].nodes, own_length(&seen(&self.dats[*at].ty), own));
                    // There may be nodes without any edge.
                    let filled = nodes || over != Over::Nodes;
                    let table = Known { name: name.clone(), nodes, ty, filled };
                    inputs.push(self.receive_table(table, flag.is_some()));
                }
                Kind::Shift => {
                    let ty = Ty::array(Ty::Scalar(Scalar::F64), 2);
                    inputs.push(format!("{name}: {ty}"));
                    self.declare(name, &ty, false);
                }
                Kind::Index(via, s) => {
                    let ty = arrayed(Ty::Scalar(*s), count(via));
                    inputs.push(format!("{name}: {ty}"));
                    self.declare(name, &ty, false);
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
                    let entries = count(via);
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
                    let entries = count(via);
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
pub(super) fn arrayed(one: Ty, entries: Option<Len>) -> Ty {
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
