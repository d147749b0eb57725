//! Operators and casts. Arithmetic that C++ leaves undefined or defines otherwise than Rust goes
//! through functions of the header; the rest is written with C++'s operators.

use crate::ir::{Binary, Expr, ExprKind, Lit, Scalar, Unary};

use super::body::Body;
use super::expr::{Want, plain, scalar};
use super::literal;
use super::value::{Prec, Value};

impl Body<'_> {
    pub(super) fn unary(&mut self, e: &Expr, op: Unary, a: &Expr) -> Option<Value> {
        let ty = scalar(&e.ty);
        if let (Unary::Neg, ExprKind::Lit(Lit::Int(n))) = (op, &a.kind) {
            let text = literal::negative(ty, *n);
            let prec = if text.starts_with('-') { Prec::Unary } else { Prec::Primary };
            return Some(Value { text, prec, stable: true, fixed: true });
        }
        let a = self.value(a)?;
        if op == Unary::Neg && !ty.is_float() {
            return Some(Value::computed(format!("op2::neg({})", a.text), Prec::Primary, a.stable));
        }
        let symbol = match (op, ty) {
            (Unary::Neg, _) => "-",
            (Unary::Not, Scalar::Bool) => "!",
            (Unary::Not, _) => "~",
        };
        // `--a` would be another operator.
        let operand = if a.text.starts_with('-') { format!("({})", a.text) } else { a.operand(Prec::Unary) };
        if is_narrow(ty) {
            return Some(Value::computed(cut(ty, &format!("{symbol}{operand}")), Prec::Primary, a.stable));
        }
        Some(Value::computed(format!("{symbol}{operand}"), Prec::Unary, a.stable))
    }

    pub(super) fn binary(&mut self, op: Binary, a: &Expr, b: &Expr) -> Option<Value> {
        if op.is_lazy() {
            return self.lazy(op, a, b);
        }
        let values = self.operands(&[(a, Want::Value), (b, Want::Value)])?;
        let [left, right] = values.as_slice() else { return None };
        let stable = left.stable && right.stable;
        let (text, prec) = operation(op, (a, left), (b, right));
        Some(Value::computed(text, prec, stable))
    }

    /// `a && b`, `a || b`: `b` is evaluated only if `a` leaves it open.
    fn lazy(&mut self, op: Binary, a: &Expr, b: &Expr) -> Option<Value> {
        let left = self.value(a)?;
        let and = op == Binary::And;
        let (lines, right) = self.buffered(|body| body.inside(|body| body.value(b)));
        if let (true, Some(right)) = (lines.is_empty(), &right) {
            let prec = if and { Prec::And } else { Prec::Or };
            // `a && b || c` is clearer with brackets.
            let inner = |v: &Value| if v.prec == Prec::And && !and { Prec::Unary } else { prec };
            let text = format!("{} {} {}", left.operand(inner(&left)), op.symbol(), right.operand(inner(right)));
            return Some(Value::computed(text, prec, left.stable && right.stable));
        }
        let name = self.fresh("decided");
        self.line(format!("bool {name} = {};", left.text));
        self.line(format!("if ({}{name}) {{", if and { "" } else { "!" }));
        self.lines.extend(lines);
        if let Some(right) = right {
            self.inside(|body| body.line(format!("{name} = {};", right.text)));
        }
        self.line("}");
        Some(Value::primary(name))
    }

    pub(super) fn cast(&mut self, e: &Expr, a: &Expr) -> Option<Value> {
        let value = self.value(a)?;
        let (from, to) = (scalar(&a.ty), scalar(&e.ty));
        if from == to {
            return Some(value);
        }
        let ty = self.types.scalar(to);
        let text = match from.is_float() && to.is_int() {
            true => format!("op2::cast<{ty}>({})", value.text),
            false => format!("{ty}({})", value.text),
        };
        Some(Value::computed(text, Prec::Primary, value.stable))
    }

    /// `F::lit(c)`
    pub(super) fn float_lit(&mut self, e: &Expr, a: &Expr) -> Option<Value> {
        let value = self.value(a)?;
        if scalar(&e.ty) == Scalar::F64 {
            return Some(value);
        }
        let text = format!("{}({})", self.types.of(&e.ty), value.text);
        Some(Value::computed(text, Prec::Primary, value.stable))
    }

    /// `a += b`
    pub(super) fn assign_op(&mut self, op: Binary, a: &Expr, b: &Expr) -> Option<()> {
        let values = self.operands(&[(b, Want::Value), (a, Want::Place)])?;
        let [right, place] = values.as_slice() else { return None };
        let text = match in_place(op, scalar(&a.ty), b) {
            true => format!("{} {}= {};", place.text, op.symbol(), plain(b).unwrap_or_else(|| right.text.clone())),
            false => format!("{} = {};", place.text, operation(op, (a, place), (b, right)).0),
        };
        self.line(text);
        Some(())
    }
}

/// The text of an operation that is not lazy, and how tightly it binds.
fn operation(op: Binary, (a, left): (&Expr, &Value), (b, right): (&Expr, &Value)) -> (String, Prec) {
    let ty = scalar(&a.ty);
    let prec = precedence(op);
    match (op, ty) {
        (Binary::BitXor, Scalar::Bool) => {
            return (format!("{} != {}", left.operand(Prec::Shift), right.operand(Prec::Shift)), Prec::Equal);
        }
        (Binary::BitAnd | Binary::BitOr, Scalar::Bool) => {
            let text = format!("bool({} {} {})", left.operand(Prec::Unary), op.symbol(), right.operand(Prec::Unary));
            return (text, Prec::Primary);
        }
        _ if !has_operator(op, ty, b) => {
            return (format!("op2::{}({}, {})", function(op), left.text, right.text), Prec::Primary);
        }
        _ => {}
    }
    // Operands of bit operations and shifts get brackets, since few readers know how tightly these bind.
    let bits = matches!(op, Binary::BitAnd | Binary::BitOr | Binary::BitXor | Binary::Shl | Binary::Shr);
    let (at_left, at_right) = match prec {
        _ if bits => (Prec::Unary, Prec::Unary),
        Prec::Product => (Prec::Product, Prec::Unary),
        Prec::Sum => (Prec::Sum, Prec::Product),
        // A comparison of comparisons gets brackets, too.
        _ => (Prec::Shift, Prec::Shift),
    };
    // A literal takes the type of the other operand.
    let literals = plain(a).is_some() && plain(b).is_some();
    let text = |e: &Expr, v: &Value, prec| match plain(e) {
        Some(digits) if !literals => digits,
        _ => v.operand(prec),
    };
    let text = format!("{} {} {}", text(a, left, at_left), op.symbol(), text(b, right, at_right));
    if is_narrow(ty) && !op.is_comparison() { (cut(ty, &text), Prec::Primary) } else { (text, prec) }
}

/// Whether C++ computes with an `int` instead of values of this type.
fn is_narrow(ty: Scalar) -> bool {
    ty.is_int() && ty.bits() < Scalar::I32.bits()
}

/// A value that C++ computed as an `int`, as one of its type again.
fn cut(ty: Scalar, text: &str) -> String {
    format!("{}({text})", ty.name())
}

/// Whether C++'s operator does the same as Rust's.
fn has_operator(op: Binary, ty: Scalar, right: &Expr) -> bool {
    let literal = match right.kind {
        ExprKind::Lit(Lit::Int(n)) => Some(n),
        _ => None,
    };
    let bits = ty.bits().map_or(64, u128::from);
    match op {
        Binary::Rem if ty.is_float() => false,
        _ if ty.is_float() => true,
        // Overflow wraps. The product of two `u16` may be too great for an `int`.
        Binary::Add | Binary::Sub | Binary::Mul => !ty.is_signed() && !is_narrow(ty),
        // A literal divisor is neither 0 nor -1.
        Binary::Div | Binary::Rem => literal.is_some_and(|n| n != 0),
        Binary::Shl => !ty.is_signed() && literal.is_some_and(|n| n < bits),
        Binary::Shr => literal.is_some_and(|n| n < bits),
        _ => true,
    }
}

/// Whether `a op= b` of C++ does the same as Rust's.
fn in_place(op: Binary, ty: Scalar, right: &Expr) -> bool {
    ty != Scalar::Bool && has_operator(op, ty, right)
}

/// The function of the header for an operator.
fn function(op: Binary) -> &'static str {
    match op {
        Binary::Add => "add",
        Binary::Sub => "sub",
        Binary::Mul => "mul",
        Binary::Div => "div",
        Binary::Shl => "shl",
        Binary::Shr => "shr",
        _ => "rem",
    }
}

fn precedence(op: Binary) -> Prec {
    match op {
        Binary::Mul | Binary::Div | Binary::Rem => Prec::Product,
        Binary::Add | Binary::Sub => Prec::Sum,
        Binary::Shl | Binary::Shr => Prec::Shift,
        Binary::Lt | Binary::Le | Binary::Gt | Binary::Ge => Prec::Less,
        Binary::Eq | Binary::Ne => Prec::Equal,
        Binary::BitAnd => Prec::BitAnd,
        Binary::BitXor => Prec::BitXor,
        Binary::BitOr => Prec::BitOr,
        Binary::And => Prec::And,
        Binary::Or => Prec::Or,
    }
}
