//! Records: fields by name, and values.

use proc_macro2::{Ident, Span};

use crate::ir::{Expr, ExprKind, RecordValue, Ty};
use crate::parse::kernel::unknown_field;

use super::Infer;
use crate::model::table::Kind;

impl Infer<'_> {
    /// `a.name`
    pub(super) fn named_field(&mut self, mut whole: Expr, name: &Ident, span: Span) -> Expr {
        let ty = self.operand(&mut whole);
        let message = match &ty {
            Ty::Record(record, fields) => match record.field(name) {
                Some(n) => {
                    let ty = fields[n].clone();
                    return Expr { kind: ExprKind::Field(Box::new(whole), n), ty, span };
                }
                None => unknown_field(record, &name.to_string()),
            },
            ty if self.table.kind(ty) == Some(Kind::Any) => format!(
                "field `{name}` of a value whose type is not known here: state it where the value is declared, `let x: T = …;`"
            ),
            ty => format!("field `{name}`: expected a record, found {}", self.describe(ty)),
        };
        self.wrong(name.span(), message)
    }

    /// `Prim { rho, u, p }`
    pub(super) fn record(&mut self, value: RecordValue, span: Span) -> Expr {
        let RecordValue { ty, generic, mut items } = value;
        let float = generic.then(|| self.table.fresh(Kind::FloatParam));
        let ty = self.table.open(&ty);
        let ty = match &float {
            Some(float) => self.foreign(&ty, std::slice::from_ref(float), &mut |_, len| len.clone()),
            None => ty,
        };
        if let Ty::Record(_, fields) = &ty {
            items.iter_mut().zip(fields).for_each(|(item, ty)| self.coerce(item, ty));
        }
        Expr { kind: ExprKind::Tuple(items), ty, span }
    }
}
