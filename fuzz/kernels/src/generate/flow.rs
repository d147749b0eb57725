//! Statements of control flow.

use super::{Gen, Var};
use crate::case::{Len, Scalar, Ty};

impl Gen {
    pub(super) fn branch(&mut self, depth: usize) -> String {
        self.mark("if");
        let condition = self.condition(2);
        let count = 1 + self.r.below(3);
        let then = self.block(count, depth - 1);
        match self.r.below(5) {
            0 | 1 => format!("if {condition} {then}"),
            4 => {
                self.mark("else if");
                let second = self.condition(2);
                let (b, c) = (self.block(2, depth - 1), self.block(1, depth - 1));
                format!("if {condition} {then} else if {second} {b} else {c}")
            }
            _ => format!("if {condition} {then} else {}", self.block(2, depth - 1)),
        }
    }

    /// An index that is in bounds only if a condition holds; other elements must not use it.
    pub(super) fn guarded_index(&mut self, depth: usize) -> String {
        self.mark("index under its condition");
        let index = self.expr(&Ty::Scalar(Scalar::Usize), 2, true);
        self.here.names += 1;
        let (name, most) = (format!("i{}", self.here.names), 1 + self.r.below(3));
        let ty = Ty::Scalar(Scalar::Usize);
        let var = Var { name: name.clone(), ty, mutable: false, below: Some(most), open: false };
        let inside = self.scoped(|g| {
            g.here.scope.push(var);
            g.statements(2, depth - 1)
        });
        format!("let {name} = {index}; if {name} < {most} {{ {inside} }}")
    }

    /// Sometimes a label for a loop.
    pub(super) fn label(&mut self) -> (Option<String>, String) {
        if !self.r.chance(30) {
            return (None, String::new());
        }
        self.here.names += 1;
        let label = format!("'l{}", self.here.names);
        let text = format!("{label}: ");
        (Some(label), text)
    }

    pub(super) fn body(
        &mut self,
        label: Option<String>,
        depth: usize,
        declared: impl IntoIterator<Item = Var>,
    ) -> String {
        self.here.loops.push(label);
        let count = 1 + self.r.below(3);
        let inside = self.scoped(|g| {
            g.here.scope.extend(declared);
            g.statements(count, depth)
        });
        self.here.loops.pop();
        inside
    }

    pub(super) fn for_loop(&mut self, depth: usize) -> String {
        self.mark("for");
        let (label, written) = self.label();
        let types =
            [Scalar::Usize, Scalar::Usize, Scalar::I32, Scalar::U32, Scalar::I64, Scalar::U64, Scalar::I8, Scalar::U16];
        let s = *self.r.pick(&types);
        let name = s.name();
        // A few rounds, whose number may be known at compile time.
        let (range, below) = match self.r.below(6) {
            0 if s == Scalar::Usize => ("0_usize..NVAR".to_owned(), Some(Len::NAMED)),
            0 if self.here.len.is_some() && s == Scalar::I32 => ("0..N as i32".to_owned(), self.here.len),
            1 => {
                self.mark("inclusive range");
                let n = 1 + self.r.below(3);
                (format!("0..={n}_{name}"), Some(n + 1))
            }
            2 => {
                self.mark("reversed range");
                let n = 1 + self.r.below(4);
                (format!("(0..{n}_{name}).rev()"), Some(n))
            }
            3 => {
                self.mark("range that varies");
                let end = self.expr(&Ty::Scalar(s), 1, true);
                (format!("0..({end} & 3)"), Some(3))
            }
            4 => {
                self.mark("range that varies");
                let (a, b) = (self.expr(&Ty::Scalar(s), 1, true), self.expr(&Ty::Scalar(s), 1, true));
                (format!("({a} & 3)..({b} & 3) + 1"), Some(4))
            }
            _ => {
                let n = 1 + self.r.below(4);
                (format!("0..{n}_{name}"), Some(n))
            }
        };
        if self.r.chance(12) {
            let body = self.body(label, depth - 1, None);
            return format!("{written}for _ in {range} {{ {body} }}");
        }
        self.here.names += 1;
        let counter = format!("i{}", self.here.names);
        let below = below.filter(|_| s == Scalar::Usize);
        let var = Var { name: counter.clone(), ty: Ty::Scalar(s), mutable: false, below, open: false };
        let body = self.body(label, depth - 1, Some(var));
        format!("{written}for {counter} in {range} {{ {body} }}")
    }

    /// A counter that ends a loop. No other statement uses it.
    fn fuel(&mut self) -> (String, usize) {
        self.here.names += 1;
        (format!("fuel{}", self.here.names), 2 + self.r.below(5))
    }

    pub(super) fn while_loop(&mut self, depth: usize) -> String {
        self.mark("while");
        let (label, written) = self.label();
        let (fuel, most) = self.fuel();
        let condition = self.condition(2);
        let body = self.body(label, depth - 1, None);
        if self.r.chance(30) {
            self.mark("while let");
            let value = self.expr(&Ty::Scalar(Scalar::I32), 1, true);
            return format!(
                "let mut {fuel} = 0_i32; {written}while let 0..=5 = ({value} & 7) {{ if {fuel} >= {most} {{ break; }} {fuel} += 1; {body} }}"
            );
        }
        format!("let mut {fuel} = 0_i32; {written}while {fuel} < {most} && {condition} {{ {fuel} += 1; {body} }}")
    }

    pub(super) fn endless(&mut self, depth: usize) -> String {
        self.mark("loop");
        let (label, written) = self.label();
        let (fuel, most) = self.fuel();
        let condition = self.condition(2);
        let body = self.body(label, depth - 1, None);
        format!(
            "let mut {fuel} = 0_u32; {written}loop {{ if {fuel} >= {most} || {condition} {{ break; }} {fuel} += 1; {body} }}"
        )
    }

    pub(super) fn leave(&mut self) -> String {
        let word = *self.r.pick(&["break", "continue"]);
        self.mark(word);
        let labels: Vec<String> = self.here.loops.iter().flatten().cloned().collect();
        let condition = self.condition(2);
        if !labels.is_empty() && self.r.chance(60) {
            self.mark("label");
            return format!("if {condition} {{ {word} {}; }}", self.r.pick(&labels));
        }
        format!("if {condition} {{ {word}; }}")
    }

    pub(super) fn leave_function(&mut self) -> String {
        let Some(ret) = self.here.ret.clone() else { return self.let_scalar(2) };
        let condition = self.condition(2);
        match ret {
            Some(ty) => {
                self.mark("return of a value");
                format!("if {condition} {{ return {}; }}", self.expr(&ty, 2, false))
            }
            None => {
                self.mark("return");
                format!("if {condition} {{ return; }}")
            }
        }
    }
}
