//! Uses of arguments in kernels: contributions, whole values, optional arguments.

use super::{Gen, Sink};
use crate::case::{Len, Mode, Scalar, Ty};

impl Gen {
    /// A contribution to a place that may only be combined into.
    pub(super) fn contribute(&mut self) -> String {
        let free: Vec<usize> =
            (0..self.here.sinks.len()).filter(|&n| !self.here.frozen.contains(&self.here.sinks[n].name)).collect();
        if free.is_empty() {
            return self.let_scalar(2);
        }
        let at = *self.r.pick(&free);
        self.here.sinks[at].used = true;
        let sink = self.here.sinks[at].clone();
        self.contribution(&sink)
    }

    /// Contributions to the places that got none so far.
    pub(super) fn leave_none_out(&mut self) -> String {
        let mut text = String::new();
        for at in 0..self.here.sinks.len() {
            let sink = self.here.sinks[at].clone();
            {
                self.here.sinks[at].used = true;
                text.push_str(&self.contribution(&sink));
            }
        }
        text
    }

    pub(super) fn contribution(&mut self, sink: &Sink) -> String {
        if let Some(payload) = &sink.payload {
            self.mark("reduction with payload");
            let value = self.unsigned_zero(&sink.ty);
            let payload = self.ordered(payload);
            return format!("{}.update({value}, {payload});", sink.name);
        }
        let name = sink.name.clone();
        let (base, place) = match sink.entries {
            Some(n) if self.r.chance(30) && !matches!(sink.ty, Ty::Scalar(_)) || sink.entries.is_some() => {
                let at = if self.r.chance(75) || self.leaves_out(super::LENT) {
                    self.r.below(n.number()).to_string()
                } else {
                    self.index(n.number())
                };
                (format!("{name}[{at}]"), format!("*{name}[{at}]"))
            }
            _ => (name.clone(), format!("*{name}")),
        };
        // The place may occur twice, or be borrowed, only if its index is a literal.
        let entry_is_literal = !base.contains(' ') && !base.contains('(');
        match self.r.below(10) {
            0 if entry_is_literal => {
                if let Some(call) = self.contribute_by_call(sink.mode, &sink.ty, &base) {
                    return call;
                }
            }
            1 if entry_is_literal && sink.mode == Mode::Inc => return self.by_reference(&base, sink),
            2 | 3 if entry_is_literal && !matches!(sink.ty, Ty::Scalar(_)) => return self.every_component(&base, sink),
            _ => {}
        }
        if matches!(sink.mode, Mode::Min | Mode::Max | Mode::Or) {
            // The place occurs twice, and both must be seen to be the same.
            return self.named_component(sink);
        }
        let (place, scalar) = self.component(base, place, &sink.ty);
        self.combine(sink.mode, &place, scalar)
    }

    fn named_component(&mut self, sink: &Sink) -> String {
        let (mut text, mut at, mut ty) = (String::new(), String::new(), &sink.ty);
        let mut lengths: Vec<usize> = sink.entries.map(Len::number).into_iter().collect();
        let plain = usize::from(sink.entries.is_some() && self.leaves_out(super::LENT));
        while let Ty::Array(of, len) = ty {
            lengths.push(len.number());
            ty = of;
        }
        let scalar = matches!(sink.ty, Ty::Scalar(_));
        for (n, len) in lengths.into_iter().enumerate() {
            let index = if n < plain { self.r.below(len).to_string() } else { self.index(len) };
            if index.chars().all(|c| c.is_ascii_digit()) {
                at.push_str(&format!("[{index}]"));
            } else {
                self.here.names += 1;
                let name = format!("at{}", self.here.names);
                text.push_str(&format!("let {name} = {index}; "));
                at.push_str(&format!("[{name}]"));
            }
        }
        let scalar_type = self.fixed_component(&mut at, ty);
        let star = if scalar { "*" } else { "" };
        format!("{text}{}", self.combine(sink.mode, &format!("{star}{}{at}", sink.name), scalar_type))
    }

    /// A component of the value that `base` refers to.
    fn component(&mut self, base: String, place: String, ty: &Ty) -> (String, Scalar) {
        match ty {
            Ty::Array(of, len) => {
                let at = self.index(len.number());
                let base = format!("{base}[{at}]");
                self.component(base.clone(), base, of)
            }
            Ty::Record(record) => {
                let (field, ty) = self.some_field(*record);
                let base = format!("{base}.{field}");
                self.component(base.clone(), base, &ty)
            }
            ty => (place, ty.elem()),
        }
    }

    /// Appends the way to a scalar in a record, without any index that varies.
    pub(super) fn fixed_component(&mut self, place: &mut String, ty: &Ty) -> Scalar {
        match ty {
            Ty::Record(record) => {
                let (field, ty) = self.some_field(*record);
                place.push_str(&format!(".{field}"));
                self.fixed_component(place, &ty)
            }
            Ty::Array(of, len) => {
                place.push_str(&format!("[{}]", self.r.below(len.number())));
                self.fixed_component(place, of)
            }
            ty => ty.elem(),
        }
    }

    fn every_component(&mut self, base: &str, sink: &Sink) -> String {
        let (mut loops, mut place, mut ty) = (String::new(), base.to_owned(), &sink.ty);
        let mut ends = String::new();
        let scope = self.here.scope.len();
        while let Ty::Array(of, len) = ty {
            self.here.names += 1;
            let counter = format!("i{}", self.here.names);
            loops.push_str(&format!("for {counter} in 0..{len} {{ "));
            ends.push_str(" }");
            place.push_str(&format!("[{counter}]"));
            let number = len.number();
            let ty_of = Ty::Scalar(Scalar::Usize);
            self.here.scope.push(super::Var {
                name: counter,
                ty: ty_of,
                mutable: false,
                below: Some(number),
                open: true,
            });
            ty = of;
        }
        self.mark("loop over components");
        let scalar = self.fixed_component(&mut place, ty);
        let text = self.combine(sink.mode, &place, scalar);
        self.here.scope.truncate(scope);
        format!("{loops}{text}{ends}")
    }

    fn by_reference(&mut self, base: &str, sink: &Sink) -> String {
        self.mark("exclusive reference");
        self.here.names += 1;
        let name = format!("r{}", self.here.names);
        let (text, ty) = match &sink.ty {
            Ty::Array(of, len) => (format!("&mut {base}[{}]", self.r.below(len.number())), (**of).clone()),
            Ty::Record(record) => {
                let (field, ty) = self.some_field(*record);
                (format!("&mut {base}.{field}"), ty)
            }
            ty => (format!("&mut *{base}"), ty.clone()),
        };
        let (place, scalar) = self.component(name.clone(), format!("*{name}"), &ty);
        format!("{{ let {name} = {text}; {} }}", self.combine(sink.mode, &place, scalar))
    }

    /// A statement that combines into a scalar place.
    pub(super) fn combine(&mut self, mode: Mode, place: &str, s: Scalar) -> String {
        let ty = Ty::Scalar(s);
        match mode {
            Mode::Inc => {
                self.mark("inc");
                let value = self.addend(s);
                let op = *self.r.pick(&["+", "-"]);
                // `x -= value` with the least integer wraps, like all integer arithmetic.
                format!("{place} {op}= {value};")
            }
            Mode::Commute => match self.r.below(2) {
                _ if self.by_xor => format!("{place} ^= {};", self.expr(&ty, 2, false)),
                0 => format!("{place} = ({place}).wrapping_add({});", self.expr(&ty, 2, false)),
                _ => format!("{place} = ({place}) + {};", self.expr(&ty, 2, false)),
            },
            Mode::Or => {
                self.mark("or");
                let value = self.expr(&ty, 2, false);
                self.here.names += 1;
                let name = format!("c{}", self.here.names);
                let lazy = if s == Scalar::Bool { "||" } else { "|" };
                match self.r.below(4) {
                    0 => format!("{place} |= {value};"),
                    1 => format!("let {name} = {value}; {place} = {name} | {place};"),
                    2 => format!("let {name} = {value}; {place} = ({place} | {name}) | {name};"),
                    _ => format!("let {name} = {value}; {place} = {place} {lazy} {name};"),
                }
            }
            _ => {
                let (word, less) = if mode == Mode::Min { ("min", "<") } else { ("max", ">") };
                self.mark(word);
                let value = self.unsigned_zero(&ty);
                self.here.names += 1;
                let name = format!("c{}", self.here.names);
                match self.r.below(4) {
                    0 => format!("{place} = ({place}).{word}({value});"),
                    1 => format!("let {name} = {value}; {place} = {name}.{word}({place});"),
                    2 => format!("let {name} = {value}; if {name} {less} {place} {{ {place} = {name}; }}"),
                    _ => format!(
                        "let {name} = {value}; if {place} {}= {name} {{ {place} = {name}; }}",
                        if less == "<" { ">" } else { "<" }
                    ),
                }
            }
        }
    }

    /// A value to be added. In exact cases it is a small multiple of a quarter.
    fn addend(&mut self, s: Scalar) -> String {
        let value = self.expr(&Ty::Scalar(s), 3, true);
        if !s.is_float() {
            return value;
        }
        let known = |digits| Self::known(s, digits);
        let (lo, hi) = (known("-16.0"), known("16.0"));
        match self.exact {
            true => format!("(({value}).max({lo}).min({hi}).round() * {})", known("0.25")),
            false => format!("({value}).max({lo}).min({hi})"),
        }
    }

    /// A value whose zeros have no sign.
    fn unsigned_zero(&mut self, ty: &Ty) -> String {
        let value = self.expr(ty, 3, true);
        match ty.elem() {
            s if s.is_float() => format!("(({value}) + {})", Self::known(s, "0.0")),
            _ => format!("({value})"),
        }
    }

    /// A payload on which the order is total, so that a tie has one winner.
    fn ordered(&mut self, ty: &Ty) -> String {
        match ty {
            Ty::Tuple(parts) => {
                let parts: Vec<_> = parts.iter().map(|part| self.ordered(part)).collect();
                format!("({},)", parts.join(", "))
            }
            Ty::Array(of, len) => {
                let items: Vec<_> = (0..len.number()).map(|_| self.ordered(of)).collect();
                format!("[{}]", items.join(", "))
            }
            ty => {
                let value = self.expr(ty, 2, true);
                match ty.elem() {
                    s if s.is_float() => {
                        format!("(({value}).max({}) + {})", Self::known(s, "-1e6"), Self::known(s, "0.0"))
                    }
                    _ => value,
                }
            }
        }
    }

    /// Statements that define the whole value behind a reference. It can be read afterwards.
    pub(super) fn define(&mut self, name: &str, ty: &Ty, entries: Option<Len>) -> String {
        self.mark("write");
        match entries {
            None => self.define_at(name, &format!("*{name}"), ty),
            Some(n) if matches!(n, Len::Own(_)) || self.r.chance(40) => {
                self.here.names += 1;
                let counter = format!("i{}", self.here.names);
                let inside = self.scoped(|g| {
                    let ty_of = Ty::Scalar(Scalar::Usize);
                    let var = super::Var {
                        name: counter.clone(),
                        ty: ty_of,
                        mutable: false,
                        below: Some(n.number()),
                        open: true,
                    };
                    g.here.scope.push(var);
                    format!("*{name}[{counter}] = {};", g.expr(ty, 2, false))
                });
                format!("for {counter} in 0..{n} {{ {inside} }}")
            }
            Some(n) => (0..n.number())
                .map(|at| self.define_at(&format!("{name}[{at}]"), &format!("*{name}[{at}]"), ty))
                .collect(),
        }
    }

    fn define_at(&mut self, base: &str, place: &str, ty: &Ty) -> String {
        match (ty, self.r.below(6)) {
            (_, 0) => {
                let condition = self.condition(2);
                let (a, b) = (self.expr(ty, 2, false), self.expr(ty, 2, false));
                format!("if {condition} {{ {place} = {a}; }} else {{ {place} = {b}; }}")
            }
            (Ty::Array(of, len), 1 | 2) => {
                self.here.names += 1;
                let counter = format!("i{}", self.here.names);
                let inside = self.scoped(|g| {
                    let (number, ty_of) = (len.number(), Ty::Scalar(Scalar::Usize));
                    let name = counter.clone();
                    g.here.scope.push(super::Var { name, ty: ty_of, mutable: false, below: Some(number), open: true });
                    format!("{base}[{counter}] = {};", g.expr(of, 2, false))
                });
                self.mark("loop over components");
                format!("for {counter} in 0..{len} {{ {inside} }}")
            }
            (Ty::Array(of, Len::Lit(n)), 3 | 4) => {
                (0..*n).map(|at| format!("{base}[{at}] = {};", self.expr(of, 2, false))).collect()
            }
            (Ty::Record(record), 1..4) if !ty.is_enum() => {
                let fields = record.fields();
                fields.iter().map(|(field, ty)| format!("{base}.{field} = {};", self.expr(ty, 2, false))).collect()
            }
            _ => format!("{place} = {};", self.expr(ty, 3, false)),
        }
    }

    /// An `if let` for an optional argument that is read.
    pub(super) fn ask_option(&mut self, depth: usize) -> String {
        let Some((name, ty)) = self.read_option() else { return self.let_scalar(2) };
        self.mark("if let Some");
        let (asked, read) = (self.here.options.clone(), self.here.read_options.clone());
        self.here.names += 1;
        let held = if self.r.chance(50) { name.clone() } else { format!("w{}", self.here.names) };
        self.here.options.retain(|option| *option != held);
        self.here.read_options.retain(|(option, _)| *option != held);
        let inside = self.scoped(|g| {
            g.declare(&held, &ty, false);
            g.statements(2, depth.saturating_sub(1))
        });
        (self.here.options, self.here.read_options) = (asked, read);
        let other = if self.r.chance(50) { format!(" else {}", self.block(1, 0)) } else { String::new() };
        format!("if let Some({held}) = {name} {{ {inside} }}{other}")
    }

    /// An optional argument that is read, and the type inside.
    fn read_option(&mut self) -> Option<(String, Ty)> {
        let held: Vec<(String, Ty)> = self.here.read_options.clone();
        if held.is_empty() { None } else { Some(self.r.pick(&held).clone()) }
    }
}
