//! Entries of maps that may be missing: options that a kernel asks.

use super::{Gen, LENT};
use crate::case::{Len, Ty};

/// A parameter that is an option, or an array of them.
#[derive(Debug, Clone)]
pub(super) struct Maybe {
    pub(super) name: String,
    /// The type of the value.
    pub(super) ty: Ty,
    /// Whether it is an option of a reference.
    pub(super) lent: bool,
    /// The entries of an array.
    pub(super) entries: Option<Len>,
}

impl Gen {
    /// A value of an option, or another one of its type.
    pub(super) fn or_other(&mut self, ty: &Ty, depth: usize) -> Option<String> {
        let found: Vec<Maybe> = self.here.maybes.iter().filter(|maybe| maybe.ty == *ty).cloned().collect();
        if found.is_empty() || depth == 0 {
            return None;
        }
        let maybe = self.r.pick(&found).clone();
        let (place, other) = (self.place_of(&maybe), self.expr(ty, depth - 1, true));
        self.mark("unwrap_or");
        Some(match (maybe.lent, self.r.chance(50)) {
            (false, _) => format!("{place}.unwrap_or({other})"),
            (true, true) => format!("{place}.copied().unwrap_or({other})"),
            (true, false) => format!("(*{place}.unwrap_or(&({other})))"),
        })
    }

    /// Whether an option is there.
    pub(super) fn is_there(&mut self) -> Option<String> {
        let maybes = self.here.maybes.clone();
        if maybes.is_empty() {
            return None;
        }
        let maybe = self.r.pick(&maybes).clone();
        self.mark("is_some of an entry");
        let place = self.place_of(&maybe);
        Some(format!("{place}.{}()", self.r.pick(&["is_some", "is_none"])))
    }

    /// An `if let` of an option.
    pub(super) fn ask_entry(&mut self, depth: usize) -> Option<String> {
        let maybes = self.here.maybes.clone();
        if maybes.is_empty() {
            return None;
        }
        let maybe = self.r.pick(&maybes).clone();
        self.mark("if let of an entry");
        let place = self.place_of(&maybe);
        self.here.names += 1;
        let held = format!("w{}", self.here.names);
        let ty = if maybe.lent { Ty::Ref(false, Box::new(maybe.ty)) } else { maybe.ty };
        let inside = self.scoped(|g| {
            g.declare(&held, &ty, false);
            g.statements(2, depth.saturating_sub(1))
        });
        let other = if self.r.chance(50) { format!(" else {}", self.block(1, 0)) } else { String::new() };
        Some(format!("if let Some({held}) = {place} {{ {inside} }}{other}"))
    }

    fn place_of(&mut self, maybe: &Maybe) -> String {
        let Some(len) = maybe.entries else { return maybe.name.clone() };
        let at = match self.leaves_out(LENT) {
            true => self.r.below(len.number()).to_string(),
            false => self.index(len.number()),
        };
        format!("{}[{at}]", maybe.name)
    }
}
