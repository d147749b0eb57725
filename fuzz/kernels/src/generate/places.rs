//! The scope: values to read, places to assign, indices.

use super::{Gen, LENT, TABLE, Var};
use crate::case::Record;
use crate::case::{Scalar, Ty};

/// Whether a value of type `ty` contains one of type `want`.
pub(super) fn holds(ty: &Ty, want: &Ty) -> bool {
    ty == want
        || match ty {
            Ty::Scalar(_) | Ty::Index(_) | Ty::Table(..) => false,
            Ty::Array(of, _) | Ty::Ref(_, of) => holds(of, want),
            Ty::Tuple(parts) => parts.iter().any(|part| holds(part, want)),
            Ty::Record(record) => record.fields().iter().any(|(_, ty)| holds(ty, want)),
        }
}

impl Gen {
    /// An expression for something in scope of the type `want`.
    pub(super) fn held(&mut self, want: &Ty, strict: bool) -> Option<String> {
        let mut vars = self.visible();
        if !strict {
            vars.extend(self.constant_vars());
        }
        let fits = |v: &&Var| holds(&v.ty, want) && !(strict && v.open);
        let found: Vec<&Var> = vars.iter().filter(fits).collect();
        if found.is_empty() {
            return None;
        }
        // There are many constants, so locals are preferred.
        let own = found.iter().filter(|v| !v.name.contains(char::is_uppercase)).count();
        let of = if own > 0 && self.r.chance(85) { own } else { found.len() };
        let var = found[self.r.below(of)].clone();
        if var.name.contains("get()") {
            self.mark("run-time constant");
        } else if var.name.contains(char::is_uppercase) {
            self.mark(if var.name.contains("::") { "constant of a module" } else { "constant" });
        }
        let constant = var.name.contains(char::is_uppercase);
        Some(self.descend(var.name.clone(), &var.ty, want, constant))
    }

    pub(super) fn descend(&mut self, text: String, ty: &Ty, want: &Ty, constant: bool) -> String {
        if ty == want {
            return text;
        }
        match ty {
            Ty::Scalar(_) | Ty::Index(_) | Ty::Table(..) => text,
            Ty::Ref(_, of) if **of == *want => {
                self.mark("dereference");
                format!("(*{text})")
            }
            Ty::Ref(_, of) => self.descend(text, of, want, constant),
            Ty::Array(of, len) => {
                let plain = (constant && self.leaves_out(TABLE)) || (of.is_reference() && self.leaves_out(LENT));
                let at = if plain { self.r.below(len.number()).to_string() } else { self.index(len.number()) };
                if constant && !at.chars().all(|c| c.is_ascii_digit()) {
                    self.mark("table by an index");
                }
                self.descend(format!("{text}[{at}]"), of, want, constant)
            }
            Ty::Tuple(parts) => {
                let fits: Vec<usize> = (0..parts.len()).filter(|&n| holds(&parts[n], want)).collect();
                let n = *self.r.pick(&fits);
                self.mark("field");
                self.descend(format!("{text}.{n}"), &parts[n], want, constant)
            }
            Ty::Record(record) => {
                let fits: Vec<_> = record.fields().into_iter().filter(|(_, ty)| holds(ty, want)).collect();
                let (name, ty) = self.r.pick(&fits).clone();
                self.mark("field of a record");
                self.descend(format!("{text}.{name}"), &ty, want, constant)
            }
        }
    }

    /// An index into an array of this length, of type `usize`.
    pub(super) fn index(&mut self, len: usize) -> String {
        let counters: Vec<Var> = self.visible().into_iter().filter(|v| v.below.is_some_and(|b| b <= len)).collect();
        if !counters.is_empty() && self.r.chance(60) {
            self.mark("index by a counter");
            return self.r.pick(&counters).name.clone();
        }
        if self.here.budget <= 0 || self.r.chance(55) {
            return self.r.below(len).to_string();
        }
        self.mark("index that varies");
        self.here.budget -= 1;
        match self.r.below(3) {
            0 => format!("{} % {len}", self.expr(&Ty::Scalar(Scalar::Usize), 1, true)),
            1 if len.is_power_of_two() => {
                let from = *self.r.pick(&[Scalar::I32, Scalar::U32, Scalar::I64, Scalar::U64]);
                format!("({} & {}) as usize", self.expr(&Ty::Scalar(from), 1, true), len - 1)
            }
            _ => {
                let from = self.int();
                format!("({} as usize) % {len}", self.expr(&Ty::Scalar(from), 1, true))
            }
        }
    }

    /// A place that may be assigned, and its type.
    pub(super) fn place(&mut self, scalar: bool) -> Option<(String, Ty)> {
        let vars: Vec<Var> = self.visible().into_iter().filter(|v| v.mutable).collect();
        if vars.is_empty() {
            return None;
        }
        let var = self.r.pick(&vars).clone();
        let (text, ty) = self.part(var.name.clone(), &var.ty, scalar);
        Some((text, ty))
    }

    fn part(&mut self, text: String, ty: &Ty, scalar: bool) -> (String, Ty) {
        let stop = !scalar && self.r.chance(25);
        match ty {
            Ty::Scalar(_) | Ty::Index(_) => (text, ty.clone()),
            Ty::Ref(_, of) if stop || matches!(**of, Ty::Scalar(_) | Ty::Index(_) | Ty::Record(Record::Kind)) => {
                (format!("*{text}"), (**of).clone())
            }
            // Goes on to a part behind the reference.
            Ty::Ref(_, of) => self.inner_part(text, of, scalar),
            Ty::Array(of, _) if stop && !of.is_reference() => (text, ty.clone()),
            Ty::Record(Record::Kind) => (text, ty.clone()),
            Ty::Tuple(_) | Ty::Record(_) if stop => (text, ty.clone()),
            _ => self.inner_part(text, ty, scalar),
        }
    }

    fn inner_part(&mut self, text: String, ty: &Ty, scalar: bool) -> (String, Ty) {
        match ty {
            Ty::Array(of, len) => {
                let plain = of.is_reference() && self.leaves_out(LENT);
                let at = if plain { self.r.below(len.number()).to_string() } else { self.index(len.number()) };
                self.part(format!("{text}[{at}]"), of, scalar)
            }
            Ty::Tuple(parts) => {
                let n = self.r.below(parts.len());
                self.part(format!("{text}.{n}"), &parts[n], scalar)
            }
            Ty::Record(record) => {
                let (name, ty) = self.some_field(*record);
                self.part(format!("{text}.{name}"), &ty, scalar)
            }
            _ => self.part(text, ty, scalar),
        }
    }

    /// A local of the type `ty` that is not borrowed and may be assigned.
    pub(super) fn mutable_of(&mut self, ty: &Ty) -> Option<Var> {
        let fits = |v: &Var| v.mutable && (v.ty == *ty || matches!(&v.ty, Ty::Ref(true, of) if **of == *ty));
        let vars: Vec<Var> = self.visible().into_iter().filter(fits).collect();
        if vars.is_empty() { None } else { Some(self.r.pick(&vars).clone()) }
    }
}
