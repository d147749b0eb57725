//! Locals that only name something: what a pattern or a loop holds, and references to its parts. Where nothing can
//! change in between, the place itself is written instead of the name, so that `for x in a` becomes the loop over
//! indices that a user would write, and later stages see one form.

use std::collections::{HashMap, HashSet};

use crate::ir::{Block, Expr, ExprKind, Func, LocalId, Pat, Stmt, Sugar, Ty};

use super::Infer;

/// The expressions that these locals stand for.
#[derive(Debug, Default)]
pub(super) struct Held {
    stands_for: HashMap<LocalId, Expr>,
    /// Those whose declaration stays, because an index in it may be out of bounds: Rust checks it there, whether or not
    /// the name is used.
    checked: HashSet<LocalId>,
}

/// How a local is declared that may be one of them.
pub(super) enum Form {
    /// It holds a whole.
    Whole(LocalId),
    /// It names a part, or the number of a round.
    Part(LocalId),
    /// It names a part, and can be made to name another.
    Changeable(LocalId),
}

impl Infer<'_> {
    /// How `let pat = init` declares such a local, seen before `init` is written out.
    pub(super) fn held_form(&self, pat: &Pat, init: &Expr) -> Option<Form> {
        let Pat::Local(id) = *pat else { return None };
        match &init.kind {
            ExprKind::Sugar(Sugar::Part(..)) if self.func.locals[id.0].mutable => Some(Form::Changeable(id)),
            _ if self.func.locals[id.0].mutable => None,
            ExprKind::Sugar(Sugar::Held(_) | Sugar::Owned(_)) => Some(Form::Whole(id)),
            ExprKind::Sugar(Sugar::Part(..) | Sugar::Item(..)) => Some(Form::Part(id)),
            ExprKind::Local(counter) if self.is_counter(*counter) => Some(Form::Part(id)),
            _ => None,
        }
    }

    /// Notes the expression that the local stands for, if it cannot change.
    pub(super) fn hold(&mut self, form: Option<Form>, init: &Expr) {
        let known = |id| self.held.stands_for.contains_key(&id);
        let fixed = Fixed { func: self.func, known: &known };
        let (id, stays) = match form {
            None => return,
            Some(Form::Whole(id)) if self.may_panic(init) => {
                self.held.checked.insert(id);
                (id, matches!(init.kind, ExprKind::Ref(..)) && fixed.value(init))
            }
            Some(Form::Whole(id)) => (id, fixed.value(init)),
            // Rust lends the parts of a pattern side by side; written as indices, they would be lent one after the other.
            Some(Form::Changeable(id)) => {
                if matches!(init.kind, ExprKind::Ref(true, _)) {
                    let name = &self.func.locals[id.0].name;
                    let message = format!(
                        "`mut {name}` takes a mutable reference out of a pattern: expected `{name}` without `mut`"
                    );
                    self.errors.at(init.span, message);
                }
                return;
            }
            // A part by value is read once, as the text says; a reference to a part is only another name of its place.
            Some(Form::Part(id)) => match &init.kind {
                ExprKind::Ref(_, place) => (id, fixed.place(place)),
                ExprKind::Local(_) => (id, true),
                _ => (id, false),
            },
        };
        if stays {
            self.held.stands_for.insert(id, init.clone());
        }
    }
}

impl Infer<'_> {
    /// Whether a place stays the same, whatever is computed before it is used.
    pub(super) fn is_fixed_place(&self, e: &Expr) -> bool {
        let known = |id| self.held.stands_for.contains_key(&id);
        Fixed { func: self.func, known: &known }.place(e) && !self.may_panic(e)
    }

    /// Whether an index in a place may be out of bounds: any but a literal, which the compiler sees, and the counter of a
    /// loop over an array.
    fn may_panic(&self, e: &Expr) -> bool {
        match &e.kind {
            ExprKind::Index(a, i) => {
                let safe = match self.held.meaning(i).kind {
                    ExprKind::Lit(_) => true,
                    ExprKind::Local(id) => self.is_counter(id),
                    _ => false,
                };
                !safe || self.may_panic(a)
            }
            ExprKind::Field(a, _) | ExprKind::Deref(a) | ExprKind::Ref(_, a) => self.may_panic(a),
            _ => false,
        }
    }
}

/// Tells values and places that stay the same between a declaration and the uses of the declared name.
struct Fixed<'a> {
    func: &'a Func,
    /// Locals that stand for something fixed.
    known: &'a dyn Fn(LocalId) -> bool,
}

impl Fixed<'_> {
    /// A value that stays the same.
    fn value(&self, e: &Expr) -> bool {
        match &e.kind {
            ExprKind::Local(id) => !self.func.locals[id.0].mutable || (self.known)(*id),
            ExprKind::Const(_) | ExprKind::Param(_) | ExprKind::Lit(_) => true,
            ExprKind::Ref(_, a) => self.place(a),
            ExprKind::Field(a, _) => self.value(a),
            ExprKind::Index(a, i) | ExprKind::Binary(_, a, i) => self.value(a) && self.value(i),
            // The target of a mutable reference can be written in between.
            ExprKind::Deref(a) => matches!(a.ty, Ty::Ref(false, _)) && self.value(a),
            _ => false,
        }
    }

    /// A place that stays the same, whatever is written to it.
    fn place(&self, e: &Expr) -> bool {
        match &e.kind {
            ExprKind::Local(_) => true,
            ExprKind::Field(a, _) => self.place(a),
            ExprKind::Index(a, i) => self.place(a) && self.value(i),
            ExprKind::Deref(a) => self.value(a),
            _ => false,
        }
    }
}

impl Held {
    /// The expression that the user wrote, if this is one of the locals.
    pub(super) fn meaning<'e>(&'e self, e: &'e Expr) -> &'e Expr {
        match e.kind {
            ExprKind::Local(id) => self.stands_for.get(&id).unwrap_or(e),
            _ => e,
        }
    }

    /// Writes the expressions in the place of the locals.
    pub(super) fn write_out(&self, block: &mut Block) {
        if !self.stands_for.is_empty() {
            self.block(block);
        }
    }

    fn block(&self, block: &mut Block) {
        let named =
            |pat: &Pat| matches!(pat, Pat::Local(id) if self.stands_for.contains_key(id) && !self.checked.contains(id));
        block.stmts.retain(|stmt| !matches!(stmt, Stmt::Let { pat, .. } if named(pat)));
        block.exprs_mut().into_iter().for_each(|e| self.expr(e));
    }

    fn expr(&self, e: &mut Expr) {
        while let ExprKind::Local(id) = e.kind
            && let Some(meaning) = self.stands_for.get(&id)
        {
            // Errors point to where the name is used.
            let span = e.span;
            *e = meaning.clone();
            e.walk_mut(&mut |part| part.span = span);
        }
        let (exprs, blocks) = e.parts_mut();
        exprs.into_iter().for_each(|part| self.expr(part));
        blocks.into_iter().for_each(|block| self.block(block));
        if let ExprKind::Deref(inner) = &mut e.kind
            && let ExprKind::Ref(_, place) = &mut inner.kind
        {
            let nothing = Expr { kind: ExprKind::Tuple(Vec::new()), ty: Ty::Unit, span: e.span };
            *e = std::mem::replace(&mut **place, nothing);
        }
    }
}
