//! Tables: all values of a dat, which a kernel asks by indices.

use super::Gen;
use crate::case::{Kind, Mode, Over, Scalar, Ty, Via};

/// A parameter that is a table.
#[derive(Debug, Clone)]
pub(super) struct Known {
    pub(super) name: String,
    /// Whether it is of the nodes, and not of the edges.
    pub(super) nodes: bool,
    /// The type of the values.
    pub(super) ty: Ty,
    /// Whether it has an element in any case.
    pub(super) filled: bool,
}

impl Known {
    /// Whether it is the table that a function asks for.
    pub(super) fn is(&self, wanted: &Ty) -> bool {
        matches!(wanted, Ty::Table(nodes, ty) if *nodes == self.nodes && **ty == self.ty)
    }
}

impl Gen {
    /// A table of nodes or edges as an argument.
    pub(super) fn table_argument(&mut self, over: Over, taken: &mut Vec<(usize, Option<Mode>)>) -> Kind {
        let nodes = self.r.chance(75);
        let ty = self.value_or_row(nodes);
        let at = self.dat(nodes, taken, |_| true, |_| true, ty);
        self.mark(if self.dats[at].ty.has_index() { "table of a map" } else { "table of a dat" });
        taken.push((at, None));
        if let Over::Pairs(..) = over {
            self.mark("table of a loop over pairs");
        }
        let flag = self.flag(Via::Direct);
        if flag.is_some() {
            self.mark("optional table");
        }
        Kind::Table(at, flag)
    }

    /// Brings a table into scope, or one that may be absent. Returns the parameter.
    pub(super) fn receive_table(&mut self, table: Known, optional: bool) -> String {
        let Known { name, nodes, ty, .. } = &table;
        let lent = Ty::Ref(false, Box::new(Ty::Table(*nodes, Box::new(ty.clone()))));
        let param = if optional { format!("{name}: Option<{lent}>") } else { format!("{name}: {lent}") };
        match optional {
            true => {
                self.here.options.push(name.clone());
                self.here.maybe_tables.push(table);
            }
            false => self.here.tables.push(table),
        }
        param
    }

    /// An `if let` of a table that may be absent.
    pub(super) fn ask_table(&mut self, depth: usize) -> Option<String> {
        if self.here.maybe_tables.is_empty() {
            return None;
        }
        let table = self.r.pick(&self.here.maybe_tables).clone();
        self.mark("if let of a table");
        self.here.names += 1;
        let (held, name, known) = (format!("w{}", self.here.names), table.name.clone(), self.here.tables.len());
        let inside = self.scoped(|g| {
            g.here.tables.push(Known { name: held.clone(), ..table });
            g.statements(2, depth.saturating_sub(1))
        });
        self.here.tables.truncate(known);
        let other = if self.r.chance(50) { format!(" else {}", self.block(1, 0)) } else { String::new() };
        Some(format!("if let Some({held}) = {name} {{ {inside} }}{other}"))
    }

    /// A table that a function can take: without the type parameters and the length of the kernel.
    pub(super) fn table_to_lend(&mut self) -> Option<Ty> {
        let tables: Vec<Ty> = self.here.tables.iter().map(|t| Ty::Table(t.nodes, Box::new(t.ty.clone()))).collect();
        let tables: Vec<Ty> = tables.into_iter().filter(|ty| !ty.is_generic() && !ty.has_own_length()).collect();
        if tables.is_empty() || !self.r.chance(50) {
            return None;
        }
        self.mark("table of a device function");
        Some(Ty::Ref(false, Box::new(self.r.pick(&tables).clone())))
    }

    /// The name of this table.
    pub(super) fn lent_table(&mut self, wanted: &Ty) -> String {
        let fits = self.here.tables.iter().filter(|table| table.is(wanted));
        let names: Vec<String> = fits.map(|table| table.name.clone()).collect();
        self.r.pick(&names).clone()
    }

    /// A value of this type in a table.
    pub(super) fn of_table(&mut self, ty: &Ty, depth: usize) -> Option<String> {
        let (table, index) = self.asked(|table| super::places::holds(&table.ty, ty), depth)?;
        self.mark("value of a table");
        Some(self.descend(format!("{}.at({index})", table.name), &table.ty, ty, false))
    }

    /// The number of an element.
    pub(super) fn number_of(&mut self, depth: usize) -> Option<String> {
        let (table, index) = self.asked(|_| true, depth)?;
        self.mark("number of an element");
        Some(format!("{}.number({index})", table.name))
    }

    /// The number of elements.
    pub(super) fn table_length(&mut self) -> Option<String> {
        let table = self.some_table(|_| true)?;
        self.mark("length of a table");
        Some(format!("{}.len()", table.name))
    }

    /// The element with a number.
    pub(super) fn nth(&mut self, node: bool, depth: usize) -> Option<String> {
        let table = self.some_table(|table| table.nodes == node && table.filled)?;
        self.mark("element of a number");
        let (name, number) = (table.name, self.expr(&Ty::Scalar(Scalar::U32), depth, true));
        Some(format!("{name}.nth(({number}) % ({name}.len() as u32))"))
    }

    /// A table, and an index to ask it by.
    fn asked(&mut self, fits: impl Fn(&Known) -> bool, depth: usize) -> Option<(Known, String)> {
        let table = self.some_table(fits)?;
        let index = self.element(table.nodes, depth.saturating_sub(1))?;
        Some((table, index))
    }

    fn some_table(&mut self, fits: impl Fn(&Known) -> bool) -> Option<Known> {
        let tables: Vec<Known> = self.here.tables.iter().filter(|table| fits(table)).cloned().collect();
        if tables.is_empty() { None } else { Some(self.r.pick(&tables).clone()) }
    }
}
