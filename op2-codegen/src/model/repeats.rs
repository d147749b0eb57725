//! Contributions of a kernel that repeat others: both ends of an edge get one flux, or one the flux and the other its opposite.
//!
//! Found by the text: statements that follow each other add the same value to the same component of two parameters, or subtract it from one of
//! them, and nothing else is done with these. So no rounding differs, and the sums of both are the same to the last bit, but for the
//! sign of zeros.

use std::collections::{BTreeMap, HashSet};

use crate::ir::{Binary, Block, Expr, ExprKind, Func, Lit, LocalId, Scalar, Ty, Unary, Unit, print};

/// Where a kernel leaves a contribution: a parameter, and which of its references if it is an array of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Slot {
    /// The parameter's number.
    pub param: usize,
    /// The reference; 0 if the parameter is one itself.
    pub entry: usize,
}

/// The sign of a contribution that repeats another one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sign {
    /// It is the same.
    Same,
    /// It is the opposite.
    Opposite,
}

/// Contributions that repeat each other.
#[derive(Debug, Clone, Default)]
pub struct Repeats {
    /// For each slot the additions to it, by the number of the run that they are part of: statements that follow each other.
    slots: BTreeMap<Slot, BTreeMap<usize, Vec<Add>>>,
    /// Parameters of floats.
    floats: HashSet<usize>,
}

/// An addition to a slot: which component, the value as text, and whether it is subtracted.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Add {
    component: String,
    value: String,
    minus: bool,
}

/// The contributions of a kernel that repeat each other.
pub fn repeats(unit: &Unit) -> Repeats {
    let Some(func) = unit.funcs.first() else { return Repeats::default() };
    let mut walk = Walk { unit, func, runs: 0, slots: BTreeMap::new(), others: HashSet::new() };
    walk.block(&func.body);
    let Walk { mut slots, others, .. } = walk;
    slots.retain(|slot, _| !others.contains(&func.params[slot.param].local));
    let is_float = |ty: &Ty| matches!(ty.elem(), Some(Scalar::F32 | Scalar::F64 | Scalar::Generic(_)));
    let floats = (0..func.params.len()).filter(|n| is_float(&func.params[*n].ty)).collect();
    Repeats { slots, floats }
}

impl Repeats {
    /// How the contribution to `b` repeats that to `a`, if it does. Opposites of integers may not exist, so none of them are found.
    pub fn sign(&self, a: Slot, b: Slot) -> Option<Sign> {
        let (of_a, of_b) = (self.slots.get(&a)?, self.slots.get(&b)?);
        let repeats = |turned: bool| {
            let alike = |(a, b): (&Add, &Add)| {
                a.component == b.component && a.value == b.value && (a.minus != b.minus) == turned
            };
            let runs = |(a, b): (&Vec<Add>, &Vec<Add>)| a.len() == b.len() && a.iter().zip(b).all(alike);
            of_a.keys().eq(of_b.keys()) && of_a.values().zip(of_b.values()).all(runs)
        };
        let floats = self.floats.contains(&a.param) && self.floats.contains(&b.param);
        match (repeats(false), floats && repeats(true)) {
            (true, _) => Some(Sign::Same),
            (_, true) => Some(Sign::Opposite),
            _ => None,
        }
    }
}

struct Walk<'a> {
    unit: &'a Unit,
    func: &'a Func,
    /// Runs so far.
    runs: usize,
    slots: BTreeMap<Slot, BTreeMap<usize, Vec<Add>>>,
    /// Locals with which something else is done.
    others: HashSet<LocalId>,
}

impl Walk<'_> {
    fn block(&mut self, block: &Block) {
        self.runs += 1;
        for e in block.exprs() {
            match self.add(e) {
                Some((slot, add)) => {
                    self.slots.entry(slot).or_default().entry(self.runs).or_default().push(add);
                }
                // It may change what the next values depend on.
                None => {
                    self.other(e);
                    self.runs += 1;
                }
            }
        }
        // Statements behind the block begin another run.
        self.runs += 1;
    }

    /// Something else is done with all locals of an expression, except for additions in its blocks.
    fn other(&mut self, e: &Expr) {
        if let ExprKind::Local(id) = e.kind {
            self.others.insert(id);
        }
        let (exprs, blocks) = e.parts();
        exprs.into_iter().for_each(|e| self.other(e));
        blocks.into_iter().for_each(|block| self.block(block));
    }

    /// The addition that an expression is, if its value changes nothing, and depends on nothing that the kernel adds to.
    fn add(&self, e: &Expr) -> Option<(Slot, Add)> {
        let ExprKind::AssignOp(op @ (Binary::Add | Binary::Sub), place, value) = &e.kind else { return None };
        let (slot, component) = self.slot(place)?;
        let (mut value, mut minus) = (&**value, *op == Binary::Sub);
        while let ExprKind::Unary(Unary::Neg, inner) = &value.kind {
            (value, minus) = (inner, !minus);
        }
        is_constant(value).then(|| (slot, Add { component, value: self.text(value), minus }))
    }

    /// The slot of a place, and the component in it.
    fn slot(&self, place: &Expr) -> Option<(Slot, String)> {
        let mut steps = Vec::new();
        let mut at = place;
        loop {
            match &at.kind {
                ExprKind::Local(id) => {
                    let param = self.func.params.iter().position(|p| p.local == *id)?;
                    let entry: String =
                        if matches!(self.func.params[param].ty, Ty::Array(..)) { steps.pop()? } else { "0".to_owned() };
                    return Some((Slot { param, entry: entry.parse().ok()? }, steps.join(".")));
                }
                ExprKind::Deref(inner) => at = inner,
                ExprKind::Field(whole, n) => (at, _) = (whole, steps.push(n.to_string())),
                ExprKind::Index(array, index) => {
                    let step = match &index.kind {
                        ExprKind::Lit(Lit::Int(n)) => n.to_string(),
                        _ => is_constant(index).then(|| format!("[{}]", self.text(index)))?,
                    };
                    (at, _) = (array, steps.push(step));
                }
                _ => return None,
            }
        }
    }

    fn text(&self, e: &Expr) -> String {
        print::expr(self.unit, self.func, e)
    }
}

/// Whether statements that only add to parameters leave the value of an expression as it is, and its evaluation changes nothing.
fn is_constant(e: &Expr) -> bool {
    let mut constant = true;
    e.walk(&mut |part| {
        constant &= !leads_to_changes(&part.ty)
            && match &part.kind {
                ExprKind::Lit(_)
                | ExprKind::Local(_)
                | ExprKind::Const(_)
                | ExprKind::Param(_)
                | ExprKind::AssocConst(_)
                | ExprKind::Field(..)
                | ExprKind::Index(..)
                | ExprKind::Deref(_)
                | ExprKind::Ref(false, _)
                | ExprKind::Unary(..)
                | ExprKind::Binary(..)
                | ExprKind::Cast(_)
                | ExprKind::FloatLit(_)
                | ExprKind::Intrinsic(..)
                | ExprKind::Call(..)
                | ExprKind::Length(_)
                | ExprKind::Ask(..)
                | ExprKind::Array(_)
                | ExprKind::Repeat(_)
                | ExprKind::Tuple(_) => true,
                // Those that change something, and those with blocks, in which statements may.
                ExprKind::Ref(true, _)
                | ExprKind::Assign(..)
                | ExprKind::AssignOp(..)
                | ExprKind::Assert(..)
                | ExprKind::BestUpdate(..)
                | ExprKind::IsSome(_)
                | ExprKind::Block(_)
                | ExprKind::If(..)
                | ExprKind::IfSome(..)
                | ExprKind::Loop(_)
                | ExprKind::Break(_)
                | ExprKind::Continue(_)
                | ExprKind::Return(_)
                | ExprKind::Sugar(_) => false,
            };
    });
    constant
}

/// Whether a type has a reference through which something can be changed.
fn leads_to_changes(ty: &Ty) -> bool {
    match ty {
        Ty::Ref(mutable, inner) => *mutable || leads_to_changes(inner),
        Ty::Array(inner, _) | Ty::Option(inner) | Ty::Table(inner) => leads_to_changes(inner),
        Ty::Tuple(parts) | Ty::Record(_, parts) => parts.iter().any(leads_to_changes),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::usage::tests::unit;

    /// How the second of two parameters `a` and `b`, or of the two references of `a`, repeats the first.
    fn sign(source: &str) -> Option<Sign> {
        let unit = unit(source);
        let of = |name: &str, entry| {
            let param = unit.funcs[0].params.iter().position(|p| p.name == name)?;
            Some(Slot { param, entry })
        };
        let a = of("a", 0).expect("a parameter");
        repeats(&unit).sign(a, of("b", 0).unwrap_or(Slot { entry: 1, ..a }))
    }

    #[test]
    fn ends_of_an_edge_get_one_flux() {
        let table = [
            ("fn k(x: &f64, a: &mut f64, b: &mut f64) { *a += *x; *b += *x; }", Sign::Same),
            ("fn k(x: &f64, a: &mut f64, b: &mut f64) { *a -= *x; *b -= *x; }", Sign::Same),
            ("fn k(x: &f64, a: &mut f64, b: &mut f64) { *a += *x; *b -= *x; }", Sign::Opposite),
            ("fn k(x: &f64, a: &mut f64, b: &mut f64) { *b += -*x; *a += *x; }", Sign::Opposite),
            (
                "fn k(x: &f64, a: &mut [f64; 2], b: &mut [f64; 2]) { for n in 0..2 { a[n] += *x; b[n] -= *x; } }",
                Sign::Opposite,
            ),
            (
                "fn k(x: &f64, a: [&mut [f64; 2]; 2]) { a[0][0] += *x; a[0][1] += 1.0; a[1][0] += *x; a[1][1] += 1.0; }",
                Sign::Same,
            ),
            (
                "fn k(x: &f64, a: &mut f64, b: &mut f64) { if *x > 0.0 { *a += *x; *b -= *x; } *a += 1.0; *b -= 1.0; }",
                Sign::Opposite,
            ),
            (
                "fn k(x: &[f64; 2], a: &mut f64, b: &mut f64) { *a += x[0].sqrt().max(1.0); *b -= x[0].sqrt().max(1.0); }",
                Sign::Opposite,
            ),
            ("fn k(n: &i32, a: &mut i32, b: &mut i32) { *a += *n; *b += *n; }", Sign::Same),
        ];
        for (source, expected) in table {
            assert_eq!(sign(source), Some(expected), "{source}");
        }
    }

    #[test]
    fn lookalikes_are_told_apart() {
        let table = [
            // Other values, signs, components, numbers and orders of additions.
            "fn k(x: &f64, y: &f64, a: &mut f64, b: &mut f64) { *a += *x; *b += *y; }",
            "fn k(x: &f64, a: &mut f64, b: &mut f64) { *a += *x; *b += *x; *a += *x; *b -= *x; }",
            "fn k(x: &f64, a: &mut [f64; 2], b: &mut [f64; 2]) { a[0] += *x; b[1] += *x; }",
            "fn k(x: &f64, a: &mut f64, b: &mut f64) { *a += *x; *b += *x; *b += *x; }",
            "fn k(x: &f64, a: &mut f64, b: &mut f64) { *a += *x; *a += 1.0; *b += 1.0; *b += *x; }",
            "fn k(x: &f64, a: &mut f64, b: &mut f64) { *a += *x; if *x > 0.0 { *b += *x; } }",
            "fn k(x: &f64, a: &mut f64, b: &mut f64) { for n in 0..2 { *a += *x; } *b += *x; }",
            // One name, two variables; one variable, two values.
            "fn k(x: &f64, a: &mut f64, b: &mut f64) { let t = *x; *a += t; let t = 2.0 * *x; *b += t; }",
            "fn k(x: &f64, a: &mut f64, b: &mut f64) { let mut t = *x; *a += t; t += 1.0; *b += t; }",
            // Something else is done with one of them.
            "fn k(x: &f64, a: &mut f64, b: &mut f64) { *a += *x; *b += *x; twice(b); }
             fn twice(b: &mut f64) { *b += 1.0; }",
            "fn k(x: &f64, to: &u32, a: [&mut f64; 2]) { let k = *to as usize; *a[k] += *x; *a[1 - k] += *x; }",
            // The first addition changes the value of the second one.
            "fn k(p: &mut f64, a: &mut f64, b: &mut f64) { *a += *p; *p += 1.0; *b += *p; }",
            "fn k(x: &f64, a: &mut f64, b: &mut f64) { let mut t = *x; *a += next(&mut t); *b += next(&mut t); }
             fn next(t: &mut f64) -> f64 { *t += 1.0; *t }",
            // The smallest integer has no opposite.
            "fn k(n: &i32, a: &mut i32, b: &mut i32) { *a += *n; *b -= *n; }",
            "fn k(x: &f64, a: &mut f64, b: &mut f64) { }",
        ];
        for source in table {
            assert_eq!(sign(source), None, "{source}");
        }
    }
}
