//! Expressions of any type.

use super::Gen;
use crate::case::{Len, Scalar, Ty};

impl Gen {
    /// An expression of the type `ty`. If `strict`, it tells its type by itself, because nothing else does.
    pub(super) fn expr(&mut self, ty: &Ty, depth: usize, strict: bool) -> String {
        if let Ty::Ref(false, of) = ty
            && let Ty::Table(..) = **of
        {
            return self.lent_table(of);
        }
        let leaf = depth == 0 || !self.spend();
        let held = if self.r.chance(if leaf { 90 } else { 25 }) { self.held(ty, strict) } else { None };
        if let Some(held) = held {
            return held;
        }
        if self.r.chance(10)
            && let Some(value) = self.or_other(ty, depth)
        {
            return value;
        }
        if !leaf
            && self.r.chance(20)
            && let Some(value) = self.of_table(ty, depth)
        {
            return value;
        }
        if let Some(value) = self.count_of_table(ty, depth) {
            return value;
        }
        match ty {
            Ty::Scalar(Scalar::Usize) if self.here.len.is_some() && self.r.chance(8) => "N".to_owned(),
            Ty::Scalar(Scalar::Usize) if self.r.chance(10) && self.row_length().is_some() => {
                self.row_length().unwrap_or_default()
            }
            Ty::Scalar(Scalar::Usize) if leaf && self.r.chance(30) => match self.length() {
                Some(length) => length,
                None => self.leaf(Scalar::Usize, strict),
            },
            Ty::Scalar(s) if leaf => self.leaf(*s, strict),
            Ty::Scalar(_) if self.r.chance(3) => self.of_computed_length(ty, depth - 1),
            Ty::Scalar(s) => match self.r.weighted(&[68, 8, 5, 9, 10]) {
                1 => self.choice(ty, depth, strict),
                2 => self.braces(ty, depth, strict),
                3 => self.called(ty, depth).unwrap_or_else(|| self.composed(*s, depth, strict)),
                4 => self.literal(*s, strict),
                _ => self.composed(*s, depth, strict),
            },
            _ => self.aggregate(ty, depth, strict),
        }
    }

    /// The number of an element, or of all elements.
    fn count_of_table(&mut self, ty: &Ty, depth: usize) -> Option<String> {
        if self.here.tables.is_empty() || !self.r.chance(10) {
            return None;
        }
        match ty {
            Ty::Scalar(Scalar::U32) => self.number_of(depth),
            Ty::Scalar(Scalar::Usize) => self.table_length(),
            _ => None,
        }
    }

    fn composed(&mut self, s: Scalar, depth: usize, strict: bool) -> String {
        match s {
            Scalar::Bool => self.of_bool(depth),
            _ if s.is_float() => self.of_float(s, depth, strict),
            _ => self.of_int(s, depth, strict),
        }
    }

    /// A short expression: a value in scope, cast if necessary, or a literal.
    fn leaf(&mut self, s: Scalar, strict: bool) -> String {
        if s == Scalar::Bool || s.is_param() || self.r.chance(30) {
            return self.literal(s, strict);
        }
        let others = [
            Scalar::F64,
            Scalar::F32,
            Scalar::I32,
            Scalar::Usize,
            Scalar::U32,
            Scalar::I64,
            Scalar::U64,
            Scalar::U8,
            Scalar::I16,
        ];
        for _ in 0..3 {
            let from = *self.r.pick(&others);
            if let Some(held) = self.held(&Ty::Scalar(from), true) {
                self.mark("cast");
                return format!("(({held}) as {})", s.name());
            }
        }
        self.literal(s, strict)
    }

    fn aggregate(&mut self, ty: &Ty, depth: usize, strict: bool) -> String {
        let inner = depth.saturating_sub(1);
        // References that a block or a branch borrows do not outlive it.
        if depth > 0 && !ty.is_reference() {
            match self.r.weighted(&[70, 8, 5, 17]) {
                1 => return self.choice(ty, depth, strict),
                2 => return self.braces(ty, depth, strict),
                3 => {
                    if let Some(call) = self.called(ty, depth) {
                        return call;
                    }
                }
                _ => {}
            }
        }
        if let (Ty::Array(of, len), true) = (ty, depth > 0)
            && !of.is_reference()
        {
            match self.r.weighted(&[70, 18, 12]) {
                1 => return self.array_by_closure(of, *len, inner),
                2 => {
                    if let Some(call) = self.called_with_length(of, *len, inner) {
                        return call;
                    }
                }
                _ => {}
            }
        }
        match ty {
            Ty::Array(of, len @ (Len::Named | Len::Own(_))) => {
                self.mark("repeated value");
                format!("[{}; {len}]", self.expr(of, inner, strict))
            }
            Ty::Array(of, Len::Lit(n)) if self.r.chance(30) => {
                self.mark("repeated value");
                format!("[{}; {n}]", self.expr(of, inner, strict))
            }
            Ty::Array(of, len) => {
                self.mark("array value");
                let items: Vec<_> = (0..len.number()).map(|_| self.expr(of, inner, strict)).collect();
                format!("[{}]", items.join(", "))
            }
            Ty::Tuple(parts) => {
                let parts: Vec<_> = parts.iter().map(|part| self.expr(part, inner, strict)).collect();
                format!("({},)", parts.join(", "))
            }
            Ty::Record(record) => match depth > 0 && self.r.chance(35) {
                true => self.record_by_method(*record, inner),
                false => None,
            }
            .unwrap_or_else(|| self.record_value(*record, inner, strict)),
            Ty::Ref(false, of) => {
                let held = self.lendable(of);
                held.unwrap_or_else(|| format!("&({})", self.expr(of, inner, true)))
            }
            Ty::Index(index) => self.index_value(*index, depth, strict),
            // Exclusive references are borrowed by separate statements.
            Ty::Ref(true, _) | Ty::Scalar(_) | Ty::Table(..) => unreachable!("asked for a value"),
        }
    }

    /// A reference to something that is never assigned.
    pub(super) fn lendable(&mut self, of: &Ty) -> Option<String> {
        let fits = |v: &super::Var| !v.mutable && (v.ty == *of || matches!(&v.ty, Ty::Ref(false, to) if **to == *of));
        let vars: Vec<_> = self.visible().into_iter().filter(fits).collect();
        if vars.is_empty() {
            return None;
        }
        let var = self.r.pick(&vars).clone();
        self.mark("reference");
        Some(if var.ty == *of { format!("&{}", var.name) } else { var.name })
    }

    /// `if` as an expression.
    fn choice(&mut self, ty: &Ty, depth: usize, strict: bool) -> String {
        self.mark("if as a value");
        let condition = self.condition(depth - 1);
        let then = self.scoped(|g| g.tail(ty, depth - 1, strict));
        let other = self.scoped(|g| g.tail(ty, depth - 1, strict));
        if self.r.chance(15) {
            self.mark("else if");
            let (second, third) = (self.condition(depth - 1), self.scoped(|g| g.tail(ty, depth - 1, strict)));
            return format!("(if {condition} {{ {then} }} else if {second} {{ {other} }} else {{ {third} }})");
        }
        format!("(if {condition} {{ {then} }} else {{ {other} }})")
    }

    fn braces(&mut self, ty: &Ty, depth: usize, strict: bool) -> String {
        self.mark("block");
        let inside = self.scoped(|g| {
            let first = g.let_scalar(depth - 1);
            format!("{first} {}", g.expr(ty, depth - 1, strict))
        });
        format!("({{ {inside} }})")
    }

    /// The value of a block, sometimes after a statement.
    fn tail(&mut self, ty: &Ty, depth: usize, strict: bool) -> String {
        if depth > 0 && self.r.chance(20) {
            let first = self.let_scalar(depth);
            return format!("{first} {}", self.expr(ty, depth, strict));
        }
        self.expr(ty, depth, strict)
    }

    /// A condition of a branch, never a bare constant, which would decide the branch.
    pub(super) fn condition(&mut self, depth: usize) -> String {
        if self.r.chance(80) { self.comparison(depth) } else { self.of_bool(depth.max(1)) }
    }

    fn comparison(&mut self, depth: usize) -> String {
        if self.r.chance(12)
            && let Some(compared) = self.compared_enums()
        {
            return compared;
        }
        if self.r.chance(15)
            && let Some(compared) = self.compared_indices(depth.min(1))
        {
            return compared;
        }
        self.mark("comparison");
        let s = self.scalar();
        let depth = depth.min(2);
        let (a, b) = (self.expr(&Ty::Scalar(s), depth, true), self.expr(&Ty::Scalar(s), depth, false));
        let op = *self.r.pick(&["==", "!=", "<", "<=", ">", ">="]);
        format!("(({a}) {op} ({b}))")
    }

    fn of_bool(&mut self, depth: usize) -> String {
        let bool = Ty::Scalar(Scalar::Bool);
        match self.r.weighted(&[45, 20, 8, 10, 10, 7]) {
            0 => self.comparison(depth - 1),
            1 => {
                self.mark("logic");
                let (a, b) = (self.expr(&bool, depth - 1, true), self.expr(&bool, depth - 1, true));
                format!("({a} {} {b})", self.r.pick(&["&&", "||"]))
            }
            2 => {
                self.mark("not");
                format!("(!{})", self.expr(&bool, depth - 1, true))
            }
            3 => {
                self.mark("bits of flags");
                let (a, b) = (self.expr(&bool, depth - 1, true), self.expr(&bool, depth - 1, true));
                format!("({a} {} {b})", self.r.pick(&["&", "|", "^"]))
            }
            4 => {
                let s = self.float();
                let a = self.expr(&Ty::Scalar(s), depth - 1, true);
                match *self.r.pick(&["is_finite", "is_infinite", "is_nan", "is_sign_negative"]) {
                    "is_sign_negative" => format!("(({a}).max({})).is_sign_negative()", Self::known(s, "-1e9")),
                    name => format!("({a}).{name}()"),
                }
            }
            5 if !self.here.maybes.is_empty() => self.is_there().unwrap_or_default(),
            _ if !self.here.options.is_empty() => {
                let option = self.r.pick(&self.here.options).clone();
                self.mark("is_some");
                format!("{option}.{}()", self.r.pick(&["is_some", "is_none"]))
            }
            _ => self.literal(Scalar::Bool, true),
        }
    }
}
