//! Walking the IR: the direct parts of an expression, in order of evaluation.

use super::{Block, Expr, ExprKind, Len, LoopKind, Stmt, Sugar, Ty};

/// Writes the shared and the exclusive form of a function that lists an expression's parts.
macro_rules! parts {
    ($name:ident, $doc:literal, $iter:ident, $($m:tt)?) => {
        #[doc = $doc]
        pub fn $name(&$($m)? self) -> (Vec<&$($m)? Expr>, Vec<&$($m)? Block>) {
            match &$($m)? self.kind {
                ExprKind::Lit(_) | ExprKind::Local(_) | ExprKind::Const(_)
                | ExprKind::AssocConst(_) | ExprKind::Param(_) | ExprKind::Break(_)
                | ExprKind::Continue(_) | ExprKind::Return(None) => (vec![], vec![]),
                ExprKind::Field(a, _) | ExprKind::Deref(a) | ExprKind::Ref(_, a)
                | ExprKind::Unary(_, a) | ExprKind::Cast(a) | ExprKind::FloatLit(a)
                | ExprKind::Repeat(a) | ExprKind::Return(Some(a)) | ExprKind::Assert(a, _)
                | ExprKind::IsSome(a) | ExprKind::Length(a) => (vec![a], vec![]),
                ExprKind::Index(a, b) | ExprKind::Binary(_, a, b) => (vec![a, b], vec![]),
                ExprKind::Ask(_, table, args) => (std::iter::once(&$($m)? **table).chain(args.$iter()).collect(), vec![]),
                ExprKind::Assign(a, b) | ExprKind::AssignOp(_, a, b) => (vec![b, a], vec![]),
                ExprKind::BestUpdate(a, b, c) => (vec![a, b, c], vec![]),
                ExprKind::Call(_, items) | ExprKind::Intrinsic(_, items)
                | ExprKind::Array(items) | ExprKind::Tuple(items) => {
                    (items.into_iter().collect(), vec![])
                }
                ExprKind::Block(block) => (vec![], vec![block]),
                ExprKind::If(cond, then, other) => {
                    (vec![cond], std::iter::once(then).chain(other).collect())
                }
                ExprKind::IfSome(option, _, then, other) => {
                    (vec![option], std::iter::once(then).chain(other).collect())
                }
                ExprKind::Loop(l) => {
                    let head = match &$($m)? l.kind {
                        LoopKind::For { start, end, .. } => vec![&$($m)? **start, &$($m)? **end],
                        LoopKind::While(cond) => vec![&$($m)? **cond],
                        LoopKind::Forever => vec![],
                    };
                    (head, vec![&$($m)? l.body])
                }
                ExprKind::Sugar(
                    Sugar::Len(a) | Sugar::Owned(a) | Sugar::Part(a, _) | Sugar::Borrow(_, a) | Sugar::Held(a) | Sugar::Named(a, _)
                    | Sugar::Asked(a, _),
                ) => (vec![a], vec![]),
                ExprKind::Sugar(Sugar::Ask(_, table, args)) => {
                    (std::iter::once(&$($m)? **table).chain(args.$iter()).collect(), vec![])
                }
                ExprKind::Sugar(Sugar::Record(value)) => (value.items.$iter().collect(), vec![]),
                ExprKind::Sugar(Sugar::Method(call)) => (call.args.$iter().collect(), vec![]),
                ExprKind::Sugar(Sugar::Stated(call)) => (call.args.$iter().collect(), vec![]),
                ExprKind::Sugar(Sugar::Item(..) | Sugar::Zero | Sugar::Extent(_) | Sugar::NoIndex) => (vec![], vec![]),
                ExprKind::Sugar(Sugar::Each(each)) => {
                    let sources = &$($m)? each.sources;
                    (sources.into_iter().map(|s| &$($m)? s.array).collect(), vec![&$($m)? each.body])
                }
            }
        }
    };
}

/// The same for blocks.
macro_rules! block_parts {
    ($name:ident, $doc:literal, $iter:ident, $as_mut:ident, $($m:tt)?) => {
        #[doc = $doc]
        pub fn $name(&$($m)? self) -> Vec<&$($m)? Expr> {
            let stmts = self.stmts.$iter().filter_map(|stmt| match stmt {
                Stmt::Let { init, .. } => init.$as_mut(),
                Stmt::Expr(e) => Some(e),
            });
            stmts.chain(self.tail.$as_mut().map(|tail| &$($m)? **tail)).collect()
        }
    };
}

impl Expr {
    parts!(parts, "The direct parts: expressions evaluated first, then blocks.", iter,);
    parts!(parts_mut, "[`Expr::parts`], to change them.", iter_mut, mut);

    /// Calls `f` on the expression and on everything inside it, parents first.
    pub fn walk<'a>(&'a self, f: &mut impl FnMut(&'a Expr)) {
        f(self);
        let (exprs, blocks) = self.parts();
        exprs.into_iter().for_each(|e| e.walk(f));
        blocks.into_iter().for_each(|b| b.walk(f));
    }

    /// The same, to change them.
    pub fn walk_mut(&mut self, f: &mut impl FnMut(&mut Expr)) {
        f(self);
        let (exprs, blocks) = self.parts_mut();
        exprs.into_iter().for_each(|e| e.walk_mut(f));
        blocks.into_iter().for_each(|b| b.walk_mut(f));
    }

    /// The local at the root of a place, through indices, fields and dereferences.
    pub fn root(&self) -> Option<super::LocalId> {
        match &self.kind {
            ExprKind::Local(id) => Some(*id),
            ExprKind::Field(a, _)
            | ExprKind::Index(a, _)
            | ExprKind::Deref(a)
            | ExprKind::Sugar(Sugar::Named(a, _)) => a.root(),
            _ => None,
        }
    }

    /// Whether a place is one in a row of any length.
    pub fn is_in_row(&self) -> bool {
        match &self.kind {
            ExprKind::Index(array, _) => matches!(array.ty, Ty::Array(_, Len::Row)) || array.is_in_row(),
            ExprKind::Field(a, _) => a.is_in_row(),
            _ => false,
        }
    }

    /// The local at the root of a place that is borrowed.
    pub fn borrowed_root(&self) -> Option<super::LocalId> {
        match &self.kind {
            ExprKind::Ref(_, place) => place.root(),
            _ => None,
        }
    }
}

impl Block {
    block_parts!(exprs, "The expressions of the statements and of the tail.", iter, as_ref,);
    block_parts!(exprs_mut, "[`Block::exprs`], to change them.", iter_mut, as_mut, mut);

    /// Calls `f` on every expression inside, parents first.
    pub fn walk<'a>(&'a self, f: &mut impl FnMut(&'a Expr)) {
        self.exprs().into_iter().for_each(|e| e.walk(f));
    }

    /// The same, to change them.
    pub fn walk_mut(&mut self, f: &mut impl FnMut(&mut Expr)) {
        self.exprs_mut().into_iter().for_each(|e| e.walk_mut(f));
    }
}
