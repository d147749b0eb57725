//! Type inference of one function: unification in the order of the text, as Rust does it.
//! Dereferences that Rust inserts become explicit on the way.

mod held;
mod lend;
mod method;
mod ops;
mod record;
mod stated;
mod sugar;

use std::collections::HashSet;

use proc_macro2::Span;

use crate::error::Errors;
use crate::ir::{
    Block, ConstId, ConstUse, Expr, ExprKind, Func, FuncId, Len, Lit, LocalId, Loop, LoopId, LoopKind, Param, Pat,
    Scalar, Stated, Stmt, Ty, print,
};

use super::mismatch;
use super::table::{Kind, Table};

/// A call found in the body: the function and what stands for its parameters.
/// `ExprKind::Call` holds the index into the list of them until `instance` places the callee.
#[derive(Debug)]
pub(super) struct CallSite {
    pub(super) callee: FuncId,
    pub(super) floats: Vec<Ty>,
    /// The lengths for its const parameters.
    pub(super) lens: Vec<Len>,
    pub(super) span: Span,
}

/// Infers the types of one function.
pub(super) struct Infer<'a> {
    pub(super) table: Table,
    pub(super) func: &'a mut Func,
    /// All functions of the unit as parsed, for their signatures.
    pub(super) sigs: &'a [Func],
    pub(super) calls: Vec<CallSite>,
    pub(super) errors: &'a mut Errors,
    /// Loops that a `break` leaves.
    broken: HashSet<LoopId>,
    /// Loops over arrays round the current place.
    each: Vec<sugar::Round>,
    /// Locals that only name a place or a value that cannot change.
    held: held::Held,
}

impl<'a> Infer<'a> {
    pub(super) fn new(func: &'a mut Func, sigs: &'a [Func], errors: &'a mut Errors) -> Self {
        let table = Table::default();
        Infer {
            table,
            func,
            sigs,
            calls: Vec::new(),
            errors,
            broken: HashSet::new(),
            each: Vec::new(),
            held: held::Held::default(),
        }
    }

    /// Visits the whole function; afterwards the table knows all types that can be known.
    pub(super) fn run(&mut self) {
        for i in 0..self.func.locals.len() {
            self.func.locals[i].ty = self.table.open(&self.func.locals[i].ty);
        }
        for i in 0..self.func.consts.len() {
            self.func.consts[i].ty = self.table.open(&self.func.consts[i].ty);
        }
        let nothing = Block { stmts: Vec::new(), tail: None, ty: Ty::Unit };
        let mut body = std::mem::replace(&mut self.func.body, nothing);
        let ret = self.func.ret.clone();
        self.coerce_block(&mut body, &ret);
        self.held.write_out(&mut body);
        self.func.body = body;
    }

    pub(super) fn local(&self, id: LocalId) -> Ty {
        self.func.locals.get(id.0).map_or(Ty::Unit, |l| l.ty.clone())
    }

    pub(super) fn describe(&self, ty: &Ty) -> String {
        mismatch::describe(&self.table, self.func, ty)
    }

    fn expect(&mut self, e: &Expr, expected: &Ty, found: &Ty) {
        if self.table.unify(expected, found).is_err() {
            let message = mismatch::message(&self.table, self.func, e, expected, found);
            self.errors.at(e.span, message);
        }
    }

    /// Infers `e` and makes it a value of type `expected`, with the conversions between
    /// references that Rust inserts.
    pub(super) fn coerce(&mut self, e: &mut Expr, expected: &Ty) {
        let found = self.expr(e);
        self.adjust(e, found, expected);
    }

    fn adjust(&mut self, e: &mut Expr, mut found: Ty, expected: &Ty) {
        let expected = self.table.shallow(expected);
        found = self.table.shallow(&found);
        if found == Ty::Never {
            return;
        }
        if let (Ty::Ref(wanted, target), Ty::Ref(given, _)) = (&expected, &found) {
            let (wanted, mut given) = (*wanted, *given);
            let target = self.table.shallow(target);
            let deep_target = matches!(target, Ty::Ref(..) | Ty::Infer(_));
            while let Ty::Ref(m, inner) = found.clone()
                && let Ty::Ref(inner_m, _) = self.table.shallow(&inner)
                && !deep_target
            {
                wrap_deref(e, self.table.shallow(&inner));
                given = m && inner_m;
                found = self.table.shallow(&inner);
            }
            if given
                && !wanted
                && let Ty::Ref(_, inner) = found
            {
                wrap_deref(e, (*inner).clone());
                found = Ty::Ref(false, inner);
                wrap_ref(e, found.clone());
            }
        }
        self.expect(e, &expected, &found);
    }

    /// A block as a value of type `expected`.
    fn coerce_block(&mut self, block: &mut Block, expected: &Ty) {
        let found = self.stmts(block);
        match &mut block.tail {
            Some(tail) => {
                self.adjust(tail, found.clone(), expected);
                block.ty = if found == Ty::Never { found } else { expected.clone() };
            }
            None => {
                block.ty = found.clone();
                let is_unit = self.table.unify(expected, &Ty::Unit).is_ok();
                if found != Ty::Never && !is_unit {
                    let span = block.stmts.last().map_or(self.func.name.span(), stmt_span);
                    let expected = self.describe(expected);
                    let message = format!(
                        "expected {expected}, found `()`: a block gives the value of its last \
                         expression, which has no `;`"
                    );
                    self.errors.at(span, message);
                }
            }
        }
    }

    /// A block as a value of whatever type it has.
    pub(super) fn block(&mut self, block: &mut Block) -> Ty {
        block.ty = self.stmts(block);
        block.ty.clone()
    }

    /// Visits a block; the type of its tail, `()` or `!`.
    fn stmts(&mut self, block: &mut Block) -> Ty {
        let mut diverges = false;
        for stmt in &mut block.stmts {
            match stmt {
                Stmt::Let { pat, init } => {
                    let ty = self.pat(pat);
                    if let Some(init) = init {
                        let form = self.held_form(pat, init);
                        self.coerce(init, &ty);
                        diverges |= init.ty == Ty::Never;
                        self.hold(form, init);
                    }
                }
                Stmt::Expr(e) => diverges |= self.expr(e) == Ty::Never,
            }
        }
        match &mut block.tail {
            Some(tail) => {
                let ty = self.expr(tail);
                if diverges && self.table.shallow(&ty) == Ty::Unit { Ty::Never } else { ty }
            }
            None if diverges => Ty::Never,
            None => Ty::Unit,
        }
    }

    fn pat(&mut self, pat: &Pat) -> Ty {
        match pat {
            Pat::Wild => self.table.fresh(Kind::Any),
            Pat::Local(id) => self.local(*id),
            Pat::Tuple(parts) => Ty::Tuple(parts.iter().map(|p| self.pat(p)).collect()),
        }
    }

    /// Infers one expression and notes its type in it.
    pub(super) fn expr(&mut self, e: &mut Expr) -> Ty {
        let stated = e.ty.clone();
        let known = if stated == Ty::HOLE { stated.clone() } else { self.table.open(&stated) };
        let mut kind = std::mem::replace(&mut e.kind, ExprKind::Tuple(Vec::new()));
        let found = self.kind(&mut kind, &known, e.span);
        e.kind = kind;
        if known != Ty::HOLE && found != Ty::Never {
            self.expect(e, &known, &found);
        }
        e.ty = found.clone();
        found
    }

    fn kind(&mut self, kind: &mut ExprKind, known: &Ty, span: Span) -> Ty {
        match kind {
            ExprKind::Lit(Lit::Int(_)) => self.table.fresh(Kind::Int),
            ExprKind::Lit(Lit::Float(_)) => self.table.fresh(Kind::Float),
            ExprKind::Lit(Lit::Bool(_)) => Ty::Scalar(Scalar::Bool),
            ExprKind::Local(id) => self.use_local(*id, span),
            ExprKind::Const(id) => self.func.consts[id.0].ty.clone(),
            ExprKind::AssocConst(_) | ExprKind::Param(_) => known.clone(),
            ExprKind::Field(a, i) => self.field(a, *i),
            ExprKind::Index(a, i) => self.index(a, i),
            ExprKind::Deref(a) => self.deref(a),
            ExprKind::Ref(mutable, a) => self.borrow(*mutable, a),
            ExprKind::Unary(_, a) => self.operand(a),
            ExprKind::Binary(op, a, b) => self.binary(*op, a, b, span),
            ExprKind::Cast(a) => {
                let ty = self.expr(a);
                ops::number_of_variant(a, &self.table.shallow(&ty));
                known.clone()
            }
            ExprKind::Assign(a, b) => self.assign(a, b),
            ExprKind::AssignOp(op, a, b) => self.assign_op(*op, a, b, span),
            ExprKind::Call(id, args) => self.call((id, &[]), None, args, span),
            ExprKind::Intrinsic(i, args) => self.intrinsic(*i, args),
            ExprKind::FloatLit(a) => {
                self.coerce(a, &Ty::Scalar(Scalar::F64));
                known.clone()
            }
            ExprKind::Assert(holds, _) => {
                self.coerce(holds, &Ty::Scalar(Scalar::Bool));
                Ty::Unit
            }
            ExprKind::BestUpdate(best, value, payload) => self.update(best, value, payload),
            ExprKind::Array(items) => {
                let elem = self.table.fresh(Kind::Any);
                items.iter_mut().for_each(|item| self.coerce(item, &elem));
                Ty::Array(Box::new(elem), Len::Lit(items.len()))
            }
            ExprKind::Repeat(a) => {
                let elem = self.expr(a);
                Ty::Array(Box::new(elem), self.table.fresh_len())
            }
            ExprKind::Tuple(items) if items.is_empty() => Ty::Unit,
            ExprKind::Tuple(items) => Ty::Tuple(items.iter_mut().map(|e| self.expr(e)).collect()),
            _ => self.control(kind, span),
        }
    }

    /// An option, which only a parameter and its elements are.
    fn option(&mut self, option: &mut Expr) {
        option.ty = match &mut option.kind {
            ExprKind::Index(array, index) => self.index(array, index),
            ExprKind::Local(id) => self.local(*id),
            _ => return,
        };
    }

    fn control(&mut self, kind: &mut ExprKind, span: Span) -> Ty {
        match kind {
            ExprKind::Block(block) => self.block(block),
            ExprKind::If(cond, then, other) => {
                self.coerce(cond, &Ty::Scalar(Scalar::Bool));
                self.branches(then, other.as_mut(), span)
            }
            ExprKind::IsSome(option) => {
                self.option(option);
                Ty::Scalar(Scalar::Bool)
            }
            ExprKind::IfSome(option, _, then, other) => {
                self.option(option);
                self.branches(then, other.as_mut(), span)
            }
            ExprKind::Loop(l) => self.looping(l),
            ExprKind::Sugar(_) => self.sugar(kind, span),
            ExprKind::Break(id) => {
                self.broken.insert(*id);
                Ty::Never
            }
            ExprKind::Return(value) => {
                let ret = self.func.ret.clone();
                match value {
                    Some(value) => self.coerce(value, &ret),
                    None if ret == Ty::Unit => {}
                    None => {
                        let ret = self.describe(&ret);
                        let message = format!("expected {ret} after `return`, found no value");
                        self.errors.at(span, message);
                    }
                }
                Ty::Never
            }
            _ => Ty::Never,
        }
    }

    fn branches(&mut self, then: &mut Block, other: Option<&mut Block>, span: Span) -> Ty {
        let first = self.block(then);
        let Some(other) = other else {
            if first != Ty::Never && self.table.unify(&Ty::Unit, &first).is_err() {
                let found = self.describe(&first);
                let message = format!(
                    "`if` without `else` gives no value, found {found}: add `else`, or `;` after \
                     the value"
                );
                self.errors.at(span, message);
            }
            return Ty::Unit;
        };
        let second = self.block(other);
        match (&first, &second) {
            (Ty::Never, _) => second,
            (_, Ty::Never) => first,
            _ => {
                if self.table.unify(&first, &second).is_err() {
                    let (a, b) = (self.describe(&first), self.describe(&second));
                    let message = format!("the branches differ: the first gives {a}, the second {b}");
                    self.errors.at(span, message);
                }
                first
            }
        }
    }

    fn looping(&mut self, l: &mut Loop) -> Ty {
        match &mut l.kind {
            LoopKind::For { var, start, end, .. } => {
                let from = self.operand(start);
                let to = self.operand(end);
                if self.table.unify(&from, &to).is_err() {
                    let (a, b) = (self.describe(&from), self.describe(&to));
                    let message = format!("`for` counts integers of one type, found a range from {a} to {b}");
                    self.errors.at(end.span, message);
                }
                let var = self.local(*var);
                self.expect(start, &var, &from);
            }
            LoopKind::While(cond) => self.coerce(cond, &Ty::Scalar(Scalar::Bool)),
            LoopKind::Forever => {}
        }
        self.coerce_block(&mut l.body, &Ty::Unit);
        let endless = matches!(l.kind, LoopKind::Forever) && !self.broken.contains(&l.id);
        if endless { Ty::Never } else { Ty::Unit }
    }

    fn use_local(&mut self, id: LocalId, span: Span) -> Ty {
        let ty = self.local(id);
        let name = &self.func.locals[id.0].name;
        match &ty {
            Ty::Option(_) => {
                let message = format!(
                    "`{name}` is an optional argument, not a value: use \
                     `if let Some(x) = {name} {{ … }}`"
                );
                self.errors.at(span, message);
                self.table.fresh(Kind::Any)
            }
            Ty::Ref(_, inner) if matches!(**inner, Ty::ArgBest(..)) => {
                let message = format!(
                    "`{name}` is a reduction with payload, not a value: use \
                     `{name}.update(value, payload)`"
                );
                self.errors.at(span, message);
                self.table.fresh(Kind::Any)
            }
            _ => ty,
        }
    }

    /// A call, and what it states for the function's parameters. A receiver among the arguments was visited: it has this
    /// type.
    fn call(
        &mut self,
        (id, stated): (&mut FuncId, &[(Stated, Span)]),
        receiver: Option<Ty>,
        args: &mut [Expr],
        span: Span,
    ) -> Ty {
        let sigs = self.sigs;
        let Some(sig) = sigs.get(id.0) else { return self.table.fresh(Kind::Any) };
        let floats: Vec<Ty> = sig.floats.iter().map(|_| self.table.fresh(Kind::FloatParam)).collect();
        let lens: Vec<Len> = sig.lens.iter().map(|_| self.table.fresh_len()).collect();
        self.state(sig, stated, (&floats, &lens), span);
        let site = FuncId(self.calls.len());
        self.calls.push(CallSite { callee: *id, floats: floats.clone(), lens: lens.clone(), span });
        *id = site;
        if args.len() != sig.params.len() {
            // Of a method, the receiver is not counted.
            let own = usize::from(receiver.is_some());
            let (wanted, found) = (sig.params.len().saturating_sub(own), args.len().saturating_sub(own));
            let written = |param: &Param| format!("`{}: {}`", param.name, param.written);
            let missing: Vec<String> = sig.params.iter().skip(args.len()).map(written).collect();
            let cure = match missing.is_empty() {
                true => format!("remove the last {}", found - wanted),
                false => format!("{} missing", missing.join(", ")),
            };
            let plural = if wanted == 1 { "" } else { "s" };
            let message = format!("`{}` takes {wanted} argument{plural}, found {found}: {cure}", sig.name);
            self.errors.at(span, message);
        }
        let mut receiver = receiver;
        for (arg, param) in args.iter_mut().zip(&sig.params) {
            let ty = self.foreign(&param.ty, &floats, &mut |table, len| match len {
                Len::Param(n) => lens[*n].clone(),
                _ => table.fresh_len(),
            });
            match receiver.take() {
                Some(found) => self.adjust(arg, found, &ty),
                None => self.coerce(arg, &ty),
            }
        }
        let mut imported = Vec::new();
        let ret = self.foreign(&sig.ret, &floats, &mut |_, len| match len {
            Len::Param(n) => lens[*n].clone(),
            Len::Const(id) => {
                imported.push(*id);
                Len::Const(*id)
            }
            len => len.clone(),
        });
        let ids: Vec<(ConstId, ConstId)> =
            imported.into_iter().map(|from| (from, self.import(&sig.consts[from.0], site, from))).collect();
        rename_lens(ret, &ids)
    }

    /// A type of another function's signature: its type parameters replaced by `floats`, its
    /// constants and const parameters by what `len` makes of them.
    fn foreign(&mut self, ty: &Ty, floats: &[Ty], len: &mut impl FnMut(&mut Table, &Len) -> Len) -> Ty {
        match ty {
            Ty::Scalar(Scalar::Generic(n)) if usize::from(*n) < floats.len() => floats[usize::from(*n)].clone(),
            Ty::Array(t, n) => {
                let n = match n {
                    Len::Const(_) | Len::Param(_) => len(&mut self.table, n),
                    n => n.clone(),
                };
                Ty::Array(Box::new(self.foreign(t, floats, len)), n)
            }
            Ty::Tuple(parts) => Ty::Tuple(parts.iter().map(|t| self.foreign(t, floats, len)).collect()),
            Ty::Record(r, fields) => {
                Ty::Record(r.clone(), fields.iter().map(|t| self.foreign(t, floats, len)).collect())
            }
            Ty::Ref(m, t) => Ty::Ref(*m, Box::new(self.foreign(t, floats, len))),
            _ => ty.clone(),
        }
    }

    /// The constant of a callee that is a length in its result type, as one of this function.
    fn import(&mut self, constant: &ConstUse, site: FuncId, id: ConstId) -> ConstId {
        let origin = Some((site, id));
        self.func.consts.push(ConstUse { origin, ..constant.clone() });
        ConstId(self.func.consts.len() - 1)
    }
}

fn rename_lens(ty: Ty, ids: &[(ConstId, ConstId)]) -> Ty {
    match ty {
        Ty::Array(t, Len::Const(id)) => {
            let to = ids.iter().find(|(from, _)| *from == id).map_or(id, |(_, to)| *to);
            Ty::Array(Box::new(rename_lens(*t, ids)), Len::Const(to))
        }
        Ty::Array(t, n) => Ty::Array(Box::new(rename_lens(*t, ids)), n),
        Ty::Tuple(parts) => Ty::Tuple(parts.into_iter().map(|t| rename_lens(t, ids)).collect()),
        Ty::Record(r, fields) => Ty::Record(r, fields.into_iter().map(|t| rename_lens(t, ids)).collect()),
        Ty::Ref(m, t) => Ty::Ref(m, Box::new(rename_lens(*t, ids))),
        ty => ty,
    }
}

/// `*e` in the place of `e`.
pub(super) fn wrap_deref(e: &mut Expr, ty: Ty) {
    wrap(e, ExprKind::Deref, ty);
}

fn wrap_ref(e: &mut Expr, ty: Ty) {
    wrap(e, |inner| ExprKind::Ref(false, inner), ty);
}

fn wrap(e: &mut Expr, kind: impl FnOnce(Box<Expr>) -> ExprKind, ty: Ty) {
    let nothing = Expr { kind: ExprKind::Tuple(Vec::new()), ty: Ty::Unit, span: e.span };
    let inner = std::mem::replace(e, nothing);
    e.kind = kind(Box::new(inner));
    e.ty = ty;
}

fn stmt_span(stmt: &Stmt) -> Span {
    match stmt {
        Stmt::Let { pat: _, init: Some(e) } | Stmt::Expr(e) => e.span,
        Stmt::Let { .. } => Span::call_site(),
    }
}

/// The text of a place, for messages.
pub(super) fn place_name(func: &Func, e: &Expr) -> String {
    match (e.root(), &e.kind) {
        (Some(id), _) => func.locals[id.0].name.to_string(),
        (None, ExprKind::Const(id)) => print::tokens(&func.consts[id.0].path),
        _ => "value".to_string(),
    }
}
