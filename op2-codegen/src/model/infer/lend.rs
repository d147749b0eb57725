//! The ways in which Rust looks for a method before it comes to the one that is meant.

use proc_macro2::Span;

use crate::ir::{Lent, Ty};

use super::Infer;

/// How a method takes its receiver.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Own {
    /// `self`
    Value,
    /// `&self`
    Shared,
    /// `&mut self`
    Exclusive,
    /// As a slice, which Rust makes of an array last.
    Slice,
}

impl Infer<'_> {
    /// Notes the ways in which Rust looks for a method before it comes to the one that is meant.
    pub(super) fn lend(&mut self, method: &str, written: &Ty, own: Own, span: Span) {
        let mut ty = self.table.shallow(written);
        loop {
            let next = match &ty {
                Ty::Ref(_, inner) => Some(self.table.shallow(inner)),
                _ => None,
            };
            let is_last = next.as_ref().is_some_and(|next| !matches!(next, Ty::Ref(..)));
            let ways = match (&ty, own) {
                (Ty::Ref(false, _), Own::Shared) | (Ty::Ref(true, _), Own::Exclusive) if is_last => return,
                (Ty::Ref(..), _) | (_, Own::Slice) => 3,
                (_, Own::Value) => 0,
                (_, Own::Shared) => 1,
                (_, Own::Exclusive) => 2,
            };
            if ways > 0 {
                self.func.lent.push(Lent { method: method.to_owned(), receiver: ty, ways, span });
            }
            match next {
                Some(next) => ty = next,
                None => return,
            }
        }
    }
}
