//! After inference: unknown types are reported, literals get their defaults, every variable is replaced by its type.

use proc_macro2::Span;

use crate::error::Errors;
use crate::ir::{Block, ConstKind, Expr, ExprKind, Func, Len, Lit, LocalId, Scalar, Sugar, Ty, print};

use super::infer::CallSite;
use super::table::{Kind, Table};

/// Replaces all inference variables of a function and of its calls.
pub(super) fn func(
    func: &mut Func,
    mut table: Table,
    mut calls: Vec<CallSite>,
    sigs: &[Func],
    errors: &mut Errors,
) -> Vec<CallSite> {
    if errors.is_empty() {
        unknown_consts(func, &table, errors);
    }
    if errors.is_empty() {
        unknown_locals(func, &table, errors);
        unknown_calls(&calls, &table, sigs, errors);
    }
    table.default_literals();
    func.locals.iter_mut().for_each(|l| l.ty = table.deep(&l.ty));
    func.consts.iter_mut().for_each(|c| c.ty = table.deep(&c.ty));
    func.lent.iter_mut().for_each(|l| l.receiver = table.deep(&l.receiver));
    for call in &mut calls {
        call.floats.iter_mut().for_each(|ty| *ty = table.deep(ty));
        call.lens.iter_mut().for_each(|len| *len = table.len(len));
    }
    let locals: Vec<Ty> = func.locals.iter().map(|l| l.ty.clone()).collect();
    Resolve { table: &table, locals: &locals, errors }.block(&mut func.body);
    calls
}

/// A constant's declaration is invisible, and a guess would silently change results. So its type has to follow from its
/// uses, not from the default of a literal.
fn unknown_consts(func: &Func, table: &Table, errors: &mut Errors) {
    for constant in &func.consts {
        let kinds = table.open_kinds(&constant.ty);
        let Some(kind) = kinds.first() else { continue };
        let path = print::tokens(&constant.path);
        let read = match constant.kind {
            ConstKind::Rust => path.clone(),
            ConstKind::Runtime => format!("{path}.get()"),
        };
        let name = constant.words().pop().unwrap_or_default();
        let message = match (kind, depth(&table.deep(&constant.ty))) {
            (kind, 0) => format!(
                "the type of constant `{path}` does not follow from its uses: state it, `let {}: {} = {read};`",
                name.to_lowercase(),
                if *kind == Kind::Int { "usize" } else { "f64" },
            ),
            (kind, depth) => format!(
                "the type of the elements of constant `{path}` does not follow from its uses: state it, \
                 `let element: {} = {read}{};`",
                if *kind == Kind::Int { "i32" } else { "f64" },
                "[…]".repeat(depth),
            ),
        };
        errors.push(syn::Error::new_spanned(&constant.path, message));
    }
}

/// How many indices lead to an element.
fn depth(ty: &Ty) -> usize {
    match ty {
        Ty::Array(item, _) => 1 + depth(item),
        Ty::Ref(_, inner) => depth(inner),
        _ => 0,
    }
}

fn unknown_locals(func: &Func, table: &Table, errors: &mut Errors) {
    for local in &func.locals {
        let unknown = |kind: &Kind| matches!(kind, Kind::Any | Kind::FloatParam);
        if table.open_kinds(&local.ty).iter().any(unknown) {
            let name = &local.name;
            let message = format!("the type of `{name}` is not known: state it, `let {name}: f64 = …;`");
            errors.at(name.span(), message);
        }
    }
}

fn unknown_calls(calls: &[CallSite], table: &Table, sigs: &[Func], errors: &mut Errors) {
    for call in calls {
        let open = |ty: &Ty| matches!(table.kind(ty), Some(Kind::Any | Kind::FloatParam));
        if call.floats.iter().any(open) && errors.is_empty() {
            let name = sigs.get(call.callee.0).map_or(String::new(), |f| f.name.to_string());
            let message = format!(
                "the float type of this call of `{name}` is not known: state the result's, \
                 `let x: f64 = {name}(…);`, or that of the function, `{name}::<f64>(…)`"
            );
            errors.at(call.span, message);
        }
        let unknown = |len: &Len| matches!(table.len(len), Len::Infer(_));
        if let Some(sig) = sigs.get(call.callee.0)
            && let Some(n) = call.lens.iter().position(unknown)
            && errors.is_empty()
        {
            let (name, param) = (&sig.name, &sig.lens[n]);
            let message = if told_by_types(sig, n) {
                format!(
                    "the length `{param}` of this call of `{name}` is not known here: state the type of an argument, or of \
                     the result, `let x: [f64; 3] = …;`"
                )
            } else {
                let consts = sig.consts_among.iter().enumerate().filter(|(_, is_const)| **is_const);
                let own = consts.map(|(at, _)| at).nth(n);
                let all = (0..sig.consts_among.len()).map(|at| if Some(at) == own { "3" } else { "_" });
                let all = all.collect::<Vec<_>>().join(", ");
                format!("no argument of `{name}` tells its `{param}`: state it, `{name}::<{all}>(…)`")
            };
            errors.at(call.span, message);
        }
    }
}

/// Whether a const parameter is a length in the function's signature.
fn told_by_types(sig: &Func, param: usize) -> bool {
    let len = Len::Param(param);
    sig.ret.has_length(&len) || sig.params.iter().any(|param| param.ty.has_length(&len))
}

/// Writes the types of expressions, and forms that wait for types.
struct Resolve<'a> {
    table: &'a Table,
    /// The types of locals.
    locals: &'a [Ty],
    errors: &'a mut Errors,
}

impl Resolve<'_> {
    fn block(&mut self, b: &mut Block) {
        b.ty = self.table.deep(&b.ty);
        b.exprs_mut().into_iter().for_each(|e| self.expr(e));
    }

    fn expr(&mut self, e: &mut Expr) {
        e.ty = self.table.deep(&e.ty);
        match e.kind {
            ExprKind::Sugar(Sugar::Zero) => self.zero(e),
            ExprKind::Sugar(Sugar::Extent(id)) => self.extent(e, id),
            _ => {}
        }
        let (exprs, blocks) = e.parts_mut();
        exprs.into_iter().for_each(|part| self.expr(part));
        blocks.into_iter().for_each(|b| self.block(b));
    }

    /// The start of an array that a closure makes.
    fn zero(&mut self, e: &mut Expr) {
        let (ty, span) = (e.ty.clone(), e.span);
        *e = zero(&ty, span).unwrap_or_else(|| {
            if self.errors.is_empty() {
                self.errors.at(span, "the closure returns a reference: expected values, `|x| *x`");
            }
            zero(&Ty::Scalar(Scalar::Bool), span).unwrap_or_else(|| e.clone())
        });
    }

    /// The length of an array that a closure makes.
    fn extent(&mut self, e: &mut Expr, id: LocalId) {
        let Ty::Array(_, len) = &self.locals[id.0] else { return };
        e.kind = match len {
            Len::Lit(n) => ExprKind::Lit(Lit::Int(*n as u128)),
            Len::Const(id) => ExprKind::Const(*id),
            Len::Param(n) => ExprKind::Param(*n),
            Len::Infer(_) | Len::Row => {
                if self.errors.is_empty() {
                    let message = "the length of this array is not known here: state its type, `let a: [f64; 3] = …;`";
                    self.errors.at(e.span, message);
                }
                ExprKind::Lit(Lit::Int(0))
            }
        };
    }
}

/// A value of a type; `None` if it has references.
fn zero(ty: &Ty, span: Span) -> Option<Expr> {
    let kind = match ty {
        Ty::Scalar(Scalar::Bool) => ExprKind::Lit(Lit::Bool(false)),
        Ty::Scalar(Scalar::Generic(_)) => ExprKind::FloatLit(Box::new(zero(&Ty::Scalar(Scalar::F64), span)?)),
        Ty::Scalar(scalar) if scalar.is_float() => ExprKind::Lit(Lit::Float("0.0".to_owned())),
        Ty::Scalar(_) => ExprKind::Lit(Lit::Int(0)),
        Ty::Array(item, _) => ExprKind::Repeat(Box::new(zero(item, span)?)),
        Ty::Record(record, _) if record.is_enum() => {
            let number = record.variants.first().map_or(0, |(_, number)| *number);
            let ty = Ty::Scalar(Scalar::U8);
            ExprKind::Tuple(vec![Expr { kind: ExprKind::Lit(Lit::Int(number.into())), ty, span }])
        }
        Ty::Tuple(parts) | Ty::Record(_, parts) => {
            ExprKind::Tuple(parts.iter().map(|part| zero(part, span)).collect::<Option<_>>()?)
        }
        Ty::Unit => ExprKind::Tuple(Vec::new()),
        _ => return None,
    };
    Some(Expr { kind, ty: ty.clone(), span })
}
