//! Methods: whose a call means, and how its receiver is passed.

use proc_macro2::{Ident, Span};

use crate::ir::{Block, Expr, ExprKind, FuncId, Local, LocalId, MethodCall, Pat, Stmt, Ty};

use super::Infer;
use super::lend::Own;
use super::sugar::{is_place, reference};
use crate::model::table::Kind;

impl Infer<'_> {
    /// `a.name(…)`
    pub(super) fn method(&mut self, call: MethodCall, span: Span) -> Expr {
        let MethodCall { name, mut args, candidates, builtin } = call;
        let Some(receiver) = args.first_mut() else { return self.wrong(span, "a method has a receiver") };
        let written = self.expr(receiver);
        let mut target = self.table.shallow(&written);
        while let Ty::Ref(_, inner) = target {
            target = self.table.shallow(&inner);
        }
        let message = match (&target, builtin) {
            (Ty::Record(record, _), _) => match candidates.iter().find(|(of, _)| *of == record.site) {
                Some((_, id)) => return self.method_of_record(*id, &record.name, written, args, span),
                None => format!("record `{}` has no method `{name}` for kernels", record.name),
            },
            (_, Some(builtin)) => {
                let (wanted, found) = (builtin.operands().len(), args.len() - 1);
                if wanted == found {
                    let ty = self.method_of_scalar(builtin, written, &mut args);
                    return Expr { kind: ExprKind::Intrinsic(builtin, args), ty, span };
                }
                format!("method `{name}` takes {wanted} argument{}, found {found}", if wanted == 1 { "" } else { "s" })
            }
            (ty, None) if self.table.kind(ty) == Some(Kind::Any) => format!(
                "method `{name}` of a value whose type is not known here: state it where the value is declared, `let x: T = …;`"
            ),
            (ty, None) => format!("method `{name}`: expected a record that has it, found {}", self.describe(ty)),
        };
        self.wrong(span, message)
    }

    /// The call of a method whose receiver was visited.
    fn method_of_record(
        &mut self,
        mut id: FuncId,
        record: &Ident,
        written: Ty,
        mut args: Vec<Expr>,
        span: Span,
    ) -> Expr {
        let sigs = self.sigs;
        let sig = &sigs[id.0];
        let Some(own) = sig.params.first().filter(|own| own.name == "self") else {
            let name = &sig.name;
            return self.wrong(span, format!("`{name}` takes no `self`: call it by its path, `{record}::{name}(…)`"));
        };
        let own = match own.ty {
            Ty::Ref(true, _) => Own::Exclusive,
            Ty::Ref(false, _) => Own::Shared,
            _ => Own::Value,
        };
        self.lend(&sig.name.to_string(), &written, own, span);
        let receiver = args.remove(0);
        let (receiver, mut stmts) = self.passed(receiver, written, own);
        let ty = receiver.ty.clone();
        let root = receiver.borrowed_root();
        args.insert(0, receiver);
        let result = self.call((&mut id, &[]), Some(ty), &mut args, span);
        if own == Own::Exclusive && args[1..].iter().any(|arg| may_read(arg, root)) {
            self.arguments_first(&mut args, &mut stmts);
        }
        let call = Expr { kind: ExprKind::Call(id, args), ty: result.clone(), span };
        if stmts.is_empty() {
            return call;
        }
        if result.has_reference() {
            return self
                .wrong(span, "the result borrows from a value without a name: bind the receiver with `let` first");
        }
        let block = Block { stmts, tail: Some(Box::new(call)), ty: result.clone() };
        Expr { kind: ExprKind::Block(block), ty: result, span }
    }

    /// A receiver as it is passed. A value that the method changes gets a place.
    fn passed(&mut self, receiver: Expr, written: Ty, own: Own) -> (Expr, Vec<Stmt>) {
        let place = self.behind(receiver, written);
        let (mut place, ty) = (place.place, place.ty);
        if own == Own::Value {
            return (place, Vec::new());
        }
        let mut stmts = Vec::new();
        if own == Own::Exclusive && !is_place(&place) && place.root().is_none() {
            place = self.kept(place, ty.clone(), true, &mut stmts);
        }
        let span = place.span;
        (reference(own == Own::Exclusive, place, ty, span), stmts)
    }

    /// Rust lends a receiver to a method only after the arguments were computed, which may read it.
    fn arguments_first(&mut self, args: &mut [Expr], stmts: &mut Vec<Stmt>) {
        let Some((receiver, rest)) = args.split_first_mut() else { return };
        let root = receiver.borrowed_root();
        if let ExprKind::Ref(_, place) = &receiver.kind
            && !self.is_fixed_place(place)
            && rest.iter().any(|arg| mentions(arg, root) || !is_quiet(arg))
        {
            let message = "an argument reads what the method changes: bind it with `let` before the call";
            self.errors.once(rest.first().map_or(receiver.span, |arg| arg.span), message);
        }
        for arg in rest {
            let nothing = Expr { kind: ExprKind::Tuple(Vec::new()), ty: Ty::Unit, span: arg.span };
            let value = std::mem::replace(arg, nothing);
            let ty = value.ty.clone();
            *arg = self.kept(value, ty, false, stmts);
        }
    }

    /// A new local that holds a value.
    fn kept(&mut self, value: Expr, ty: Ty, mutable: bool, stmts: &mut Vec<Stmt>) -> Expr {
        let span = value.span;
        let id = LocalId(self.func.locals.len());
        let name = Ident::new("kept", span);
        self.func.locals.push(Local { name, ty: ty.clone(), mutable });
        stmts.push(Stmt::Let { pat: Pat::Local(id), init: Some(value) });
        Expr { kind: ExprKind::Local(id), ty, span }
    }
}

/// Whether an expression may read what a local holds: by its name, or through a reference that was taken before.
fn may_read(e: &Expr, local: Option<LocalId>) -> bool {
    let mut through = false;
    e.walk(&mut |part| through |= matches!(part.kind, ExprKind::Deref(_)) || part.ty.has_reference());
    through || mentions(e, local)
}

/// Whether evaluating an expression changes nothing, as far as can be seen at once.
fn is_quiet(e: &Expr) -> bool {
    let mut quiet = true;
    e.walk(&mut |part| {
        quiet &= !matches!(
            part.kind,
            ExprKind::Ref(true, _)
                | ExprKind::Assign(..)
                | ExprKind::AssignOp(..)
                | ExprKind::Block(_)
                | ExprKind::Loop(_)
        );
    });
    quiet
}

/// Whether an expression mentions a local.
fn mentions(e: &Expr, local: Option<LocalId>) -> bool {
    let mut found = false;
    e.walk(&mut |part| found |= local.is_some() && matches!(part.kind, ExprKind::Local(id) if Some(id) == local));
    found
}
