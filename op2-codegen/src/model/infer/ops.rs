//! Inference of operators, places and library functions.

use proc_macro2::Span;

use crate::ir::{Binary, Domain, Expr, ExprKind, Intrinsic, Operand, Outcome, Scalar, Ty};

use super::lend::Own;
use super::{Infer, place_name, wrap_deref};
use crate::model::mismatch;
use crate::model::table::Kind;

impl Infer<'_> {
    /// An operand of an operator: references are followed, as `impl Add<&f64> for f64` does.
    pub(super) fn operand(&mut self, e: &mut Expr) -> Ty {
        let ty = self.expr(e);
        self.dereferenced(e, ty)
    }

    /// Makes the dereferences explicit that Rust inserts before `.` and `[`.
    fn dereferenced(&mut self, e: &mut Expr, ty: Ty) -> Ty {
        let mut ty = self.table.shallow(&ty);
        while let Ty::Ref(_, inner) = ty {
            ty = self.table.shallow(&inner);
            wrap_deref(e, ty.clone());
        }
        ty
    }

    pub(super) fn field(&mut self, a: &mut Expr, index: usize) -> Ty {
        match self.operand(a) {
            Ty::Tuple(parts) if index < parts.len() => parts[index].clone(),
            ty => {
                let found = self.describe(&ty);
                let name = place_name(self.func, a);
                let message = format!(
                    "field `.{index}` of `{name}`: expected a tuple of more than {index} parts, \
                     found {found}"
                );
                self.errors.at(a.span, message);
                self.table.fresh(Kind::Any)
            }
        }
    }

    pub(super) fn index(&mut self, a: &mut Expr, i: &mut Expr) -> Ty {
        let array = self.operand(a);
        let found = self.expr(i);
        if self.table.unify(&Ty::Scalar(Scalar::Usize), &found).is_err() {
            let cure = match (self.table.kind(&found), self.table.shallow(&found)) {
                (Some(_), _) => "",
                (None, Ty::Scalar(s)) if s.is_index() => {
                    ": an index of an element leads into a table, `table.at(index)`"
                }
                (None, _) => ": write `[i as usize]`",
            };
            let found = self.describe(&found);
            self.errors.at(i.span, format!("expected an index of type `usize`, found {found}{cure}"));
        }
        // Inferring the index may have determined the type, as in `TABLE[TABLE[0]]`.
        let array = self.table.shallow(&array);
        match array {
            Ty::Array(elem, _) => *elem,
            Ty::Infer(_) if self.table.kind(&array) == Some(Kind::Any) => {
                let elem = self.table.fresh(Kind::Any);
                let len = self.table.fresh_len();
                // An unknown type can become an array, so that this cannot fail.
                let _ = self.table.unify(&array, &Ty::Array(Box::new(elem.clone()), len));
                elem
            }
            ty => {
                let found = self.describe(&ty);
                let name = place_name(self.func, a);
                let cure = if ty.is_table() {
                    format!(": ask the table by an index, `{name}.at(index)`")
                } else {
                    String::new()
                };
                self.errors.at(a.span, format!("index of `{name}`: expected an array, found {found}{cure}"));
                self.table.fresh(Kind::Any)
            }
        }
    }

    pub(super) fn deref(&mut self, a: &mut Expr) -> Ty {
        let ty = self.expr(a);
        match self.table.shallow(&ty) {
            Ty::Ref(_, inner) => *inner,
            // It was reported why.
            ty if self.table.kind(&ty) == Some(Kind::Any) && !self.errors.is_empty() => ty,
            ty => {
                let found = self.describe(&ty);
                self.errors.at(a.span, format!("`*` of {found}: expected a reference, remove the `*`"));
                self.table.fresh(Kind::Any)
            }
        }
    }

    pub(super) fn borrow(&mut self, mutable: bool, a: &mut Expr) -> Ty {
        let ty = self.expr(a);
        if mutable && matches!(root(a).kind, ExprKind::Const(_)) {
            let name = place_name(self.func, root(a));
            let message = format!("`&mut` of the constant `{name}`: copy it with `let mut` first");
            self.errors.at(a.span, message);
        }
        Ty::Ref(mutable, Box::new(ty))
    }

    pub(super) fn binary(&mut self, op: Binary, a: &mut Expr, b: &mut Expr, span: Span) -> Ty {
        let bool = Ty::Scalar(Scalar::Bool);
        if op.is_lazy() {
            self.coerce(a, &bool);
            self.coerce(b, &bool);
            return bool;
        }
        let left = self.operand(a);
        let right = self.operand(b);
        if op.is_shift() {
            return left;
        }
        self.same_operands(op, &left, (b, &right), span);
        if matches!(op, Binary::Eq | Binary::Ne) {
            number_of_variant(a, &self.table.shallow(&left));
            number_of_variant(b, &self.table.shallow(&right));
        }
        if op.is_comparison() {
            bool
        } else if self.table.kind(&left).is_some() {
            // After a mismatch, report the literal instead of the whole operation.
            right
        } else {
            left
        }
    }

    /// The two operands of an operator have one type.
    fn same_operands(&mut self, op: Binary, left: &Ty, right: (&Expr, &Ty), span: Span) {
        if *left == Ty::Never || *right.1 == Ty::Never || self.table.unify(left, right.1).is_ok() {
            return;
        }
        let (a, b) = (self.describe(left), self.describe(right.1));
        // Report the literal, wherever it stands, because the user can change it.
        let literal_left = self.table.kind(left).is_some();
        let (to, from) = if literal_left { (right.1, left) } else { (left, right.1) };
        let cure = mismatch::cure(&self.table, self.func, right.0, to, from);
        let message = format!("`{}` between {a} and {b}, expected operands of one type{cure}", op.symbol());
        self.errors.at(span, message);
    }

    pub(super) fn assign(&mut self, a: &mut Expr, b: &mut Expr) -> Ty {
        let target = self.expr(a);
        let target = self.table.shallow(&target);
        let value = self.expr(b);
        if let Ty::Ref(true, inner) = &target
            && !matches!(self.table.shallow(&value), Ty::Ref(..) | Ty::Never)
            && self.table.kind(&value) != Some(Kind::Any)
        {
            self.assign_through(a, inner);
            return Ty::Unit;
        }
        self.adjust(b, value, &target);
        Ty::Unit
    }

    fn assign_through(&mut self, a: &Expr, inner: &Ty) {
        let name = place_name(self.func, a);
        let ty = self.describe(inner);
        let message = format!("`{name}` is a reference to {ty}: write through it, `*{name} = …`");
        self.errors.at(a.span, message);
    }

    pub(super) fn assign_op(&mut self, op: Binary, a: &mut Expr, b: &mut Expr, span: Span) -> Ty {
        let target = self.expr(a);
        let target = self.table.shallow(&target);
        let value = self.operand(b);
        if let Ty::Ref(_, inner) = &target {
            let name = place_name(self.func, a);
            let ty = self.describe(inner);
            let op = op.symbol();
            let message = format!("`{name}` is a reference to {ty}: write through it, `*{name} {op}= …`");
            self.errors.at(a.span, message);
        } else if !op.is_shift() {
            self.same_operands(op, &target, (b, &value), span);
        }
        Ty::Unit
    }

    pub(super) fn intrinsic(&mut self, intrinsic: Intrinsic, args: &mut [Expr]) -> Ty {
        let Some(receiver) = args.first_mut() else { return Ty::Unit };
        let written = self.expr(receiver);
        self.method_of_scalar(intrinsic, written, args)
    }

    /// The same, its receiver visited.
    pub(super) fn method_of_scalar(&mut self, intrinsic: Intrinsic, written: Ty, args: &mut [Expr]) -> Ty {
        let Some((receiver, rest)) = args.split_first_mut() else { return Ty::Unit };
        self.lend(intrinsic.name(), &written, Own::Value, receiver.span);
        let ty = self.dereferenced(receiver, written);
        if self.table.kind(&ty) == Some(Kind::Any) {
            let kind = match intrinsic.domain() {
                Domain::Float => Kind::FloatParam,
                Domain::Int => Kind::Int,
                Domain::Signed | Domain::Number => Kind::Any,
            };
            let wanted = self.table.fresh(kind);
            // An unknown type can become whatever the domain asks for.
            let _ = self.table.unify(&ty, &wanted);
        }
        for (operand, arg) in intrinsic.operands().iter().zip(rest) {
            let wanted = match operand {
                Operand::Same => ty.clone(),
                Operand::I32 => Ty::Scalar(Scalar::I32),
                Operand::U32 => Ty::Scalar(Scalar::U32),
            };
            self.coerce(arg, &wanted);
        }
        match (intrinsic.outcome(), self.table.shallow(&ty)) {
            (Outcome::Bool, _) => Ty::Scalar(Scalar::Bool),
            (Outcome::U32, _) => Ty::Scalar(Scalar::U32),
            (Outcome::Unsigned, Ty::Scalar(s)) => Ty::Scalar(s.unsigned()),
            (Outcome::Unsigned | Outcome::Same, _) => ty,
        }
    }

    pub(super) fn update(&mut self, best: &mut Expr, value: &mut Expr, payload: &mut Expr) -> Ty {
        let ty = match &best.kind {
            ExprKind::Local(id) => self.local(*id),
            _ => Ty::Unit,
        };
        if let Ty::Ref(true, inner) = &ty
            && let Ty::ArgBest(_, wanted_value, wanted_payload) = &**inner
        {
            self.coerce(value, wanted_value);
            self.coerce(payload, wanted_payload);
        } else {
            self.errors.at(
                best.span,
                "`update` belongs to a reduction with payload: expected a parameter of type \
                 `&mut ArgMin<V, P>` or `&mut ArgMax<V, P>`",
            );
        }
        best.ty = ty;
        Ty::Unit
    }
}

/// The number that stands for the variant, if the type is an enum.
pub(super) fn number_of_variant(e: &mut Expr, ty: &Ty) {
    if let Ty::Record(record, _) = ty
        && record.is_enum()
    {
        super::wrap(e, |whole| ExprKind::Field(whole, 0), Ty::Scalar(Scalar::U8));
    }
}

/// The expression at the root of a place.
fn root(e: &Expr) -> &Expr {
    match &e.kind {
        ExprKind::Field(a, _) | ExprKind::Index(a, _) | ExprKind::Deref(a) => root(a),
        _ => e,
    }
}
