//! Rows of any length.

use super::{Gen, Var};
use crate::case::{Mode, Scalar, Ty};

/// A parameter that is a row of any length.
#[derive(Debug, Clone)]
pub(super) struct Row {
    pub(super) name: String,
    /// The type of the values.
    pub(super) ty: Ty,
    pub(super) mode: Mode,
    pub(super) optional: bool,
}

impl Gen {
    /// The length of a row.
    pub(super) fn row_length(&mut self) -> Option<String> {
        let rows = self.here.rows.iter().chain(&self.here.row_sinks).filter(|row| !row.optional);
        let names: Vec<String> = rows.map(|row| row.name.clone()).collect();
        if names.is_empty() {
            return None;
        }
        self.mark("length of a row");
        Some(format!("{}.len()", self.r.pick(&names)))
    }

    /// Statements with the values of a row that is read.
    pub(super) fn over_row(&mut self, depth: usize) -> String {
        let rows = self.here.rows.clone();
        let row = self.r.pick(&rows).clone();
        self.here.names += 1;
        let held = format!("w{}", self.here.names);
        let name = row.name.clone();
        self.each(&row, |g, at| {
            let at = match g.r.below(4) {
                0 => format!("{name}.len() - 1 - {at}"),
                _ => at.to_owned(),
            };
            let by_reference = g.r.chance(30);
            g.mark(if by_reference { "reference into a row" } else { "value of a row" });
            let (amp, ty) =
                if by_reference { ("&", Ty::Ref(false, Box::new(row.ty.clone()))) } else { ("", row.ty.clone()) };
            g.declare(&held, &ty, false);
            format!("let {held} = {amp}{name}[{at}]; {}", g.statements(2, depth.saturating_sub(1)))
        })
    }

    /// Contributions to a row.
    pub(super) fn add_to_row(&mut self) -> String {
        let rows = self.here.row_sinks.clone();
        let row = self.r.pick(&rows).clone();
        self.contributions(&row)
    }

    /// Contributions to every row that takes them.
    pub(super) fn leave_no_row_out(&mut self) -> String {
        let rows = self.here.row_sinks.clone();
        rows.iter().map(|row| self.contributions(row)).collect()
    }

    fn contributions(&mut self, row: &Row) -> String {
        self.mark("contribution to a row");
        self.each(row, |g, at| {
            let mut place = format!("{}[{at}]", row.name);
            if row.mode == Mode::Inc && matches!(row.ty, Ty::Scalar(_)) && g.r.chance(15) {
                g.here.names += 1;
                let name = format!("r{}", g.here.names);
                return format!(
                    "let {name} = &mut {place}; {}",
                    g.combine(row.mode, &format!("*{name}"), row.ty.elem())
                );
            }
            let scalar = g.fixed_component(&mut place, &row.ty);
            g.combine(row.mode, &place, scalar)
        })
    }

    /// Changes of a row that is written, or that may be absent.
    pub(super) fn change_row(&mut self, row: &Row) -> String {
        if row.mode.combines() {
            return self.contributions(row);
        }
        self.mark("change of a row");
        self.each(row, |g, at| {
            let (place, mut text) = (format!("{}[{at}]", row.name), String::new());
            if row.mode == Mode::Rw {
                g.here.names += 1;
                let held = format!("w{}", g.here.names);
                text.push_str(&format!("let {held} = {place};"));
                g.declare(&held, &row.ty, false);
            }
            let (place, ty) = match &row.ty {
                Ty::Array(of, len) if g.r.chance(40) => {
                    (format!("{place}[{}]", g.r.below(len.number())), (**of).clone())
                }
                ty => (place, ty.clone()),
            };
            let value = g.expr(&ty, 2, false);
            match g.r.chance(40) {
                // op2 may know the condition, and the row has to be changed.
                true => {
                    let (asked, other) = (g.condition(1), g.expr(&ty, 1, false));
                    text.push_str(&format!("if {asked} {{ {place} = {value}; }} else {{ {place} = {other}; }}"));
                }
                false => text.push_str(&format!("{place} = {value};")),
            }
            text
        })
    }

    /// Statements for each entry of a row, or for one of them, if it is there.
    fn each(&mut self, row: &Row, inside: impl FnOnce(&mut Self, &str) -> String) -> String {
        self.here.names += 1;
        let (name, at) = (&row.name, format!("i{}", self.here.names));
        let options = self.here.options.clone();
        // Its length may be asked inside.
        let rows = (self.here.rows.clone(), self.here.row_sinks.clone());
        if row.optional {
            self.here.options.retain(|option| option != name);
            let there = self.here.rows.iter_mut().chain(&mut self.here.row_sinks);
            there.filter(|other| other.name == *name).for_each(|other| other.optional = false);
        }
        let kind = self.r.below(4);
        let constant = self.r.below(3);
        let text = self.scoped(|g| {
            let var = Var { name: at.clone(), ty: Ty::Scalar(Scalar::Usize), mutable: false, below: None, open: false };
            g.here.scope.push(var);
            inside(g, &at)
        });
        let text = match kind {
            0 => format!("for {at} in (0..{name}.len()).rev() {{ {text} }}"),
            1 => format!("if {name}.len() > {constant} {{ let {at} = {constant}_usize; {text} }}"),
            _ => format!("for {at} in 0..{name}.len() {{ {text} }}"),
        };
        self.here.options = options;
        (self.here.rows, self.here.row_sinks) = rows;
        match row.optional {
            true => format!("if let Some({name}) = {name} {{ {text} }}"),
            false => text,
        }
    }
}
