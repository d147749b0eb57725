//! C++ expressions under construction.

use crate::ir::Ty;

/// How tightly an expression's outermost operator binds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Prec {
    /// `c ? a : b`
    Choice,
    Or,
    And,
    BitOr,
    BitXor,
    BitAnd,
    Equal,
    Less,
    Shift,
    Sum,
    Product,
    /// `-a`, `*p`
    Unary,
    /// Names, literals, calls, `a[i]`.
    Primary,
}

/// An expression of C++ without side effects. Where the IR has a reference, this is the place that
/// it leads to, so that references are written as in Rust: `x1[0]` whether `x1` is one or not.
#[derive(Debug, Clone)]
pub(super) struct Value {
    pub(super) text: String,
    pub(super) prec: Prec,
    /// No statement between here and its use can change its value.
    pub(super) stable: bool,
    /// The same for its address.
    pub(super) fixed: bool,
}

impl Value {
    /// A name, a literal or anything else that needs no brackets and never changes.
    pub(super) fn primary(text: impl Into<String>) -> Value {
        Value { text: text.into(), prec: Prec::Primary, stable: true, fixed: true }
    }

    /// An expression of other values; it is stable if they are.
    pub(super) fn computed(text: String, prec: Prec, stable: bool) -> Value {
        Value { text, prec, stable, fixed: stable }
    }

    /// The text as an operand of an operator that binds like `prec`.
    pub(super) fn operand(&self, prec: Prec) -> String {
        if self.prec < prec { format!("({})", self.text) } else { self.text.clone() }
    }

    /// The place behind a pointer that is written `text`.
    pub(super) fn behind(pointer: &Value) -> Value {
        let text = match pointer.text.strip_prefix('&') {
            Some(place) if pointer.prec == Prec::Unary => return Value { text: place.to_string(), ..pointer.clone() },
            _ => format!("*{}", pointer.operand(Prec::Unary)),
        };
        Value { text, prec: Prec::Unary, stable: false, fixed: pointer.stable }
    }

    /// The pointer to a place.
    pub(super) fn pointer(&self) -> String {
        match self.text.strip_prefix('*') {
            Some(pointer) if self.prec == Prec::Unary => pointer.to_string(),
            _ => format!("&{}", self.operand(Prec::Unary)),
        }
    }

    /// The text of the value as it is stored: for references the pointer.
    pub(super) fn stored(&self, ty: &Ty) -> String {
        if matches!(ty, Ty::Ref(..)) { self.pointer() } else { self.text.clone() }
    }

    /// Whether no later statement can change a value of that type.
    pub(super) fn settled(&self, ty: &Ty) -> bool {
        if matches!(ty, Ty::Ref(..)) { self.fixed } else { self.stable }
    }
}
