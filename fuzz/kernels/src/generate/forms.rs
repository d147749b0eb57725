//! Forms that op2's model writes out: patterns of arrays, `match`, loops over arrays.

use super::{Gen, Var};
use crate::case::{Len, Scalar, Ty};

impl Gen {
    /// `match` as a statement.
    pub(super) fn matching(&mut self, depth: usize) -> String {
        self.mark("match");
        self.arms(|g| g.block(2, depth - 1))
    }

    /// `match` as a value.
    pub(super) fn let_match(&mut self) -> String {
        self.mark("value of a match");
        let ty = self.scalar_or_index();
        let value = self.arms(|g| g.expr(&ty, 2, false));
        let name = self.name();
        self.declare(&name, &ty, false);
        format!("let {name}: {ty} = {value};")
    }

    fn arms(&mut self, mut body: impl FnMut(&mut Self) -> String) -> String {
        let s =
            *self.r.pick(&[Scalar::I32, Scalar::Usize, Scalar::U32, Scalar::I64, Scalar::U64, Scalar::U8, Scalar::I16]);
        let value = format!("{} & 7", self.expr(&Ty::Scalar(s), 2, true));
        let pair = self.r.chance(35);
        let value = if pair { format!("({value}, {})", self.condition(1)) } else { value };
        let mut text = format!("match {value} {{ ");
        for _ in 0..1 + self.r.below(3) {
            let bound = self.r.chance(35);
            self.here.names += 1;
            let name = format!("v{}", self.here.names);
            let number = match self.r.below(5) {
                _ if bound => name.clone(),
                0 => self.r.below(8).to_string(),
                1 => format!("{} | {}", self.r.below(4), 4 + self.r.below(4)),
                2 => format!("{}..={}", self.r.below(4), 4 + self.r.below(3)),
                3 => format!("{}..{}", self.r.below(4), 4 + self.r.below(3)),
                _ => format!("{}.. | 0", 2 + self.r.below(5)),
            };
            let second = *self.r.pick(&["true", "false", "_"]);
            let pattern = if pair { format!("({number}, {second})") } else { number };
            let arm = self.scoped(|g| {
                if bound {
                    g.declare(&name, &Ty::Scalar(s), false);
                }
                let guard = if g.r.chance(40) { format!(" if {}", g.condition(2)) } else { String::new() };
                format!("{pattern}{guard} => {}, ", body(g))
            });
            text.push_str(&arm);
        }
        let last = self.scoped(|g| body(g));
        format!("{text}_ => {last} }}")
    }

    /// The elements of an array, each under a name.
    pub(super) fn array_pattern(&mut self) -> String {
        // The length of a pattern has to be known.
        let fits = |v: &Var| !matches!(v.ty, Ty::Ref(true, _)) && !v.ty.has_own_length();
        let Some((var, item, len)) = self.some_array(fits) else {
            return self.let_scalar(2);
        };
        self.mark("array pattern");
        let referred = matches!(var.ty, Ty::Ref(..));
        let by_reference = referred && self.r.chance(60);
        let names: Vec<String> = (0..len.number())
            .map(|_| {
                if self.r.chance(15) {
                    return "_".to_owned();
                }
                self.here.names += 1;
                let name = format!("v{}", self.here.names);
                let ty = if by_reference { Ty::Ref(false, Box::new(item.clone())) } else { item.clone() };
                self.declare(&name, &ty, false);
                name
            })
            .collect();
        let star = if referred && !by_reference { "*" } else { "" };
        format!("let [{}] = {star}{};", names.join(", "), var.name)
    }

    /// A loop over the elements of an array, or of two side by side.
    pub(super) fn for_each(&mut self, depth: usize) -> String {
        let Some((var, item, len)) = self.some_array(|_| true) else { return self.let_scalar(2) };
        self.mark("for over an array");
        let (label, written) = self.label();
        let mut vars = Vec::new();
        let mut declare = |g: &mut Self, ty: Ty, mutable: bool, below: Option<usize>| {
            g.here.names += 1;
            let name = format!("v{}", g.here.names);
            vars.push(Var { name: name.clone(), ty, mutable, below, open: false });
            name
        };
        let lent = |mutable| Ty::Ref(mutable, Box::new(item.clone()));
        let name = &var.name;
        let (pattern, items, frozen) = match self.r.below(9) {
            0 if !matches!(var.ty, Ty::Ref(..)) => (declare(self, item.clone(), false, None), name.clone(), Vec::new()),
            1 => (declare(self, item.clone(), false, None), format!("{name}.iter().copied()"), vec![name.clone()]),
            2 | 7 | 8 if var.mutable => {
                self.mark("for over what it changes");
                (declare(self, lent(true), true, None), format!("{name}.iter_mut()"), vec![name.clone()])
            }
            3 | 5 | 6 => match self.some_array(|v| v.name != *name) {
                Some((other, second, _)) => {
                    self.mark("for over two arrays");
                    let (a, b) = (declare(self, lent(false), false, None), declare(self, second, false, None));
                    (
                        format!("({a}, &{b})"),
                        format!("{name}.iter().zip({}.iter())", other.name),
                        vec![name.clone(), other.name],
                    )
                }
                None => (declare(self, lent(false), false, None), format!("{name}.iter().rev()"), vec![name.clone()]),
            },
            4 => (declare(self, lent(false), false, None), format!("{name}.iter().rev()"), vec![name.clone()]),
            _ => {
                self.mark("numbered elements");
                let v = declare(self, lent(false), false, None);
                let i = declare(self, Ty::Scalar(Scalar::Usize), false, Some(len.number()));
                let rev = if self.r.chance(30) { ".rev()" } else { "" };
                (format!("({i}, {v})"), format!("{name}.iter().enumerate(){rev}"), vec![name.clone()])
            }
        };
        let before = self.here.frozen.len();
        self.here.frozen.extend(frozen);
        let body = self.body(label, depth - 1, vars);
        self.here.frozen.truncate(before);
        format!("{written}for {pattern} in {items} {{ {body} }}")
    }

    /// An array in scope whose elements are no references, or a reference to one.
    pub(super) fn some_array(&mut self, fits: impl Fn(&Var) -> bool) -> Option<(Var, Ty, Len)> {
        let vars: Vec<(Var, Ty, Len)> = self
            .visible()
            .into_iter()
            .filter(|v| !v.open && fits(v))
            .filter_map(|v| {
                let whole = match &v.ty {
                    Ty::Ref(_, of) => &**of,
                    ty => ty,
                };
                match whole {
                    Ty::Array(item, len) if !item.is_reference() => Some((v.clone(), (**item).clone(), *len)),
                    _ => None,
                }
            })
            .collect();
        if vars.is_empty() { None } else { Some(self.r.pick(&vars).clone()) }
    }
}
