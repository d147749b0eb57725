//! Expressions: the order of evaluation is Rust's, left to right. An expression that C++ has, too, stays an expression;
//! every other one becomes statements ahead of it. A value that was evaluated before such statements is stored in a variable if
//! they could change it.

use crate::ir::{Expr, ExprKind, FuncId, Len, Lit, LocalId, Scalar, Ty};

use super::body::{Body, Storage};
use super::literal;
use super::simple::has_place;
use super::value::{Prec, Value};

/// The use of an operand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Want {
    Value,
    /// A place to assign to.
    Place,
}

impl Body<'_> {
    /// The value of an expression; `None` if control never comes back from it.
    pub(super) fn value(&mut self, e: &Expr) -> Option<Value> {
        match &e.kind {
            ExprKind::Call(id, args) => self.called(*id, args),
            _ => self.root(e),
        }
    }

    /// As [`Body::value`], but a call stays inside the statement even when it has side effects: the caller guarantees that the
    /// statement evaluates nothing after it.
    pub(super) fn root(&mut self, e: &Expr) -> Option<Value> {
        match &e.kind {
            ExprKind::Lit(lit) => Some(Value::primary(lit_text(lit, &e.ty))),
            ExprKind::AssocConst(constant) => {
                let (scalar, ty) = (scalar(&e.ty), self.types.of(&e.ty));
                Some(Value::primary(literal::assoc(*constant, scalar, &ty)))
            }
            ExprKind::Local(id) => Some(self.local(*id)),
            ExprKind::Param(n) => Some(Value::primary(self.types.len(&Len::Param(*n)))),
            ExprKind::Const(_) | ExprKind::Field(..) | ExprKind::Index(..) | ExprKind::Deref(_) => {
                let place = self.place(e, false)?;
                let pointer = matches!(e.ty, Ty::Ref(..)) && !matches!(e.kind, ExprKind::Const(_));
                Some(if pointer { Value::behind(&place) } else { place })
            }
            // What is read from a row of any length has no place of its type.
            ExprKind::Ref(false, a) if a.is_in_row() => {
                let value = self.value(a)?;
                Some(self.hold(&value, &a.ty))
            }
            ExprKind::Ref(_, a) => self.place(a, true),
            ExprKind::IsSome(option) => {
                let text = format!("{} != nullptr", self.option(option)?);
                Some(Value::computed(text, Prec::Equal, true))
            }
            ExprKind::Length(row) => {
                let row = self.place(row, false)?;
                Some(Value::primary(format!("{}.len()", row.operand(Prec::Primary))))
            }
            ExprKind::Ask(question, table, args) => {
                let asked = std::iter::once((&**table, Want::Place)).chain(wanted(args));
                let values = self.operands(&asked.collect::<Vec<_>>())?;
                let (table, args) = values.split_first()?;
                let list: Vec<&str> = args.iter().map(|v| v.text.as_str()).collect();
                let text = format!("{}.{}({})", table.operand(Prec::Primary), question.name(), list.join(", "));
                Some(Value::computed(text, Prec::Primary, args.iter().all(|v| v.stable)))
            }
            ExprKind::Unary(op, a) => self.unary(e, *op, a),
            ExprKind::Binary(op, a, b) => self.binary(*op, a, b),
            ExprKind::Cast(a) => self.cast(e, a),
            ExprKind::FloatLit(a) => self.float_lit(e, a),
            ExprKind::Call(id, args) => self.call(*id, args),
            ExprKind::Intrinsic(i, args) => {
                let args = self.operands(&wanted(args))?;
                let list: Vec<&str> = args.iter().map(|v| v.text.as_str()).collect();
                let text = format!("op2::{}({})", i.name(), list.join(", "));
                Some(Value::computed(text, Prec::Primary, args.iter().all(|v| v.stable)))
            }
            ExprKind::Array(items) => self.array(e, items),
            ExprKind::Repeat(a) => {
                let value = self.value(a)?;
                let Ty::Array(elem, len) = &e.ty else { return Some(value) };
                let (ty, len) = (self.types.of(elem), self.types.len(len));
                let text = format!("op2::repeat<{ty}, {len}>({})", value.stored(elem));
                Some(Value::computed(text, Prec::Primary, value.settled(elem)))
            }
            ExprKind::Tuple(items) if items.is_empty() => Some(Value::primary("Unit{}")),
            ExprKind::Tuple(items) => self.tuple(e, items),
            _ => self.control_value(e),
        }
    }

    /// A local as a value: a reference as the place that it leads to.
    fn local(&self, id: LocalId) -> Value {
        let (slot, stable) = (self.slot(id), !self.mutable(id));
        let name = Value { stable, fixed: true, ..Value::primary(slot.name.clone()) };
        if slot.storage == Storage::Pointer { Value::behind(&name) } else { name }
    }

    /// The place that an expression names. A value without a place gets one if `hold`, so that a
    /// reference can lead to it.
    pub(super) fn place(&mut self, e: &Expr, hold: bool) -> Option<Value> {
        match &e.kind {
            ExprKind::Local(id) => {
                let stable = !self.mutable(*id);
                Some(Value { stable, ..Value::primary(self.slot(*id).name.clone()) })
            }
            ExprKind::Const(id) => Some(Value::primary(self.names.consts[self.id.0][id.0].clone())),
            ExprKind::Deref(a) => {
                let target = self.value(a)?;
                Some(Value { stable: target.fixed && self.lasting(e), ..target })
            }
            ExprKind::Field(a, i) => {
                let base = self.place(a, hold)?;
                let text = format!("op2::get<{i}>({})", base.text);
                Some(Value { text, prec: Prec::Primary, ..base })
            }
            ExprKind::Index(a, i) => self.element(a, i, hold),
            _ => {
                let value = self.value(e)?;
                Some(if hold { self.hold(&value, &e.ty) } else { as_stored(value, &e.ty) })
            }
        }
    }

    fn element(&mut self, array: &Expr, index: &Expr, hold: bool) -> Option<Value> {
        let base = self.place(array, hold)?;
        let (lines, found) = self.buffered(|b| b.value(index));
        let base = match lines.is_empty() || base.fixed {
            true => base,
            // The place of a value in a row is itself a value.
            false if array.is_in_row() => {
                let name = self.fresh("at");
                self.line(format!("const auto {name} = {};", base.text));
                Value::primary(name)
            }
            false if has_place(array) || hold => self.pinned(&base),
            false => self.keep(&base, &array.ty, "array"),
        };
        self.lines.extend(lines);
        let found = found?;
        let index = plain(index).unwrap_or(found.text);
        let text = format!("{}[{index}]", base.operand(Prec::Primary));
        let (stable, fixed) = (base.stable && found.stable, base.fixed && found.stable);
        Some(Value { text, prec: Prec::Primary, stable, fixed })
    }

    /// A place whose address no later statement changes.
    fn pinned(&mut self, place: &Value) -> Value {
        let name = self.fresh("at");
        self.line(format!("auto* const {name} = {};", place.pointer()));
        Value::behind(&Value::primary(name))
    }

    /// Whether the place that an expression names is never changed while the function runs: the target of a shared reference
    /// that is a parameter.
    fn lasting(&self, e: &Expr) -> bool {
        match &e.kind {
            ExprKind::Local(id) => !self.mutable(*id) && self.func.params.iter().any(|p| p.local == *id),
            ExprKind::Field(a, _) | ExprKind::Index(a, _) => self.lasting(a),
            ExprKind::Deref(a) => matches!(a.ty, Ty::Ref(false, _)) && self.lasting(a),
            _ => false,
        }
    }

    /// Evaluates several expressions one after the other.
    pub(super) fn operands(&mut self, items: &[(&Expr, Want)]) -> Option<Vec<Value>> {
        let found: Vec<_> = items
            .iter()
            .map(|(e, want)| {
                self.buffered(|b| match want {
                    Want::Value => b.value(e),
                    Want::Place => b.place(e, false),
                })
            })
            .collect();
        let last = found.iter().rposition(|(lines, _)| !lines.is_empty()).unwrap_or(0);
        let mut values = Vec::new();
        for (n, ((lines, value), (e, _))) in found.into_iter().zip(items).enumerate() {
            self.lines.extend(lines);
            let value = value?;
            // The assignment to a place comes last, so only values must be stored.
            let keep = n < last && !value.settled(&e.ty);
            values.push(if keep { self.keep(&value, &e.ty, "before") } else { value });
        }
        Some(values)
    }

    /// A call as an operand. A call with side effects becomes a statement of its own.
    fn called(&mut self, id: FuncId, args: &[Expr]) -> Option<Value> {
        let value = self.call(id, args)?;
        let func = &self.unit.funcs[id.0];
        if func.ret == Ty::Unit {
            self.line(format!("{};", value.text));
            return Some(Value::primary("Unit{}"));
        }
        let changes = func.params.iter().any(|p| p.ty.has_exclusive());
        if !changes {
            return Some(value);
        }
        // Lengths in the result's type have names that only the callee knows, so `auto` infers the type.
        let name = self.fresh("result");
        self.line(format!("const auto {name} = {};", value.stored(&func.ret)));
        let kept = Value::primary(name);
        Some(if matches!(func.ret, Ty::Ref(..)) { Value::behind(&kept) } else { kept })
    }

    /// The text of a call. A returned reference becomes the place to which it leads.
    fn call(&mut self, id: FuncId, args: &[Expr]) -> Option<Value> {
        let values = self.operands(&wanted(args))?;
        let params = &self.unit.funcs[id.0].params;
        let list: Vec<String> = values
            .iter()
            .zip(args)
            .zip(params)
            .map(|((value, arg), param)| match &param.ty {
                Ty::Ref(..) => value.text.clone(),
                ty => plain(arg).unwrap_or_else(|| value.stored(ty)),
            })
            .collect();
        let text = format!("{}({})", self.names.funcs[id.0], list.join(", "));
        let call = Value::computed(text, Prec::Primary, false);
        Some(if matches!(self.unit.funcs[id.0].ret, Ty::Ref(..)) { Value::behind(&call) } else { call })
    }

    fn array(&mut self, e: &Expr, items: &[Expr]) -> Option<Value> {
        let values = self.operands(&wanted(items))?;
        let parts: Vec<String> =
            values.iter().zip(items).map(|(v, item)| plain(item).unwrap_or_else(|| v.stored(&item.ty))).collect();
        let parts: Vec<&str> = parts.iter().zip(items).map(|(part, item)| self.types.untold(&item.ty, part)).collect();
        let ty = self.types.of(&e.ty);
        let text = match parts.is_empty() {
            true => format!("{ty}{{}}"),
            false => format!("{ty}{{{{{}}}}}", parts.join(", ")),
        };
        let stable = values.iter().zip(items).all(|(v, item)| v.settled(&item.ty));
        Some(Value::computed(text, Prec::Primary, stable))
    }

    fn tuple(&mut self, e: &Expr, items: &[Expr]) -> Option<Value> {
        let types = e.ty.parts()?;
        let values = self.operands(&wanted(items))?;
        let parts: Vec<String> = values.iter().zip(types).map(|(v, ty)| v.stored(ty)).collect();
        let text = format!("op2::tup<{}>({})", self.types.list(types), parts.join(", "));
        let stable = values.iter().zip(types).all(|(v, ty)| v.settled(ty));
        Some(Value::computed(text, Prec::Primary, stable))
    }
}

/// All expressions, each used as a value.
pub(super) fn wanted(items: &[Expr]) -> Vec<(&Expr, Want)> {
    items.iter().map(|e| (e, Want::Value)).collect()
}

/// The scalar of an expression's type.
pub(super) fn scalar(ty: &Ty) -> Scalar {
    match ty {
        Ty::Scalar(s) => *s,
        _ => Scalar::I32,
    }
}

fn lit_text(lit: &Lit, ty: &Ty) -> String {
    match lit {
        Lit::Bool(value) => value.to_string(),
        Lit::Int(n) => literal::int(scalar(ty), *n),
        Lit::Float(digits) => literal::float(scalar(ty), digits),
    }
}

/// An integer literal without a suffix, for places where the context determines the type.
pub(super) fn plain(e: &Expr) -> Option<String> {
    match e.kind {
        ExprKind::Lit(Lit::Int(n)) if n <= i32::MAX as u128 => Some(n.to_string()),
        _ => None,
    }
}

/// A reference as the pointer that stores it.
fn as_stored(value: Value, ty: &Ty) -> Value {
    if !matches!(ty, Ty::Ref(..)) {
        return value;
    }
    let text = value.pointer();
    let prec = if text.starts_with('&') { Prec::Unary } else { Prec::Primary };
    Value { text, prec, stable: value.fixed, fixed: value.fixed }
}
