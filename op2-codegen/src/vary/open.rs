//! Opens the options that differ from element to element: in lanes, some elements have an entry of a map that others lack.
//!
//! An option is written as two parameters: the value, which is any where nothing is there, and a flag. The flags come behind all other
//! parameters. Asking an option becomes a branch on its flag, which lanes take as they take any other. An argument that is present or
//! absent for all elements stays an option.

use crate::ir::{Block, Expr, ExprKind, Func, FuncId, Local, LocalId, Param, Pat, Scalar, Stmt, Ty, Unit};
use proc_macro2::{Ident, Span};
use quote::format_ident;

/// The unit with these parameters of its kernel opened.
pub fn opened(unit: &Unit, may_miss: &[bool]) -> Unit {
    let mut unit = unit.clone();
    let kernel = &mut unit.funcs[FuncId(0).0];
    let opened: Vec<LocalId> =
        kernel.params.iter().zip(may_miss).filter(|(_, may_miss)| **may_miss).map(|(param, _)| param.local).collect();
    let flags = opened.iter().map(|local| (*local, open_parameter(kernel, *local))).collect();
    Opening { flags }.block(&mut kernel.body);
    unit
}

/// Gives a parameter the type without options, and adds one for the flags, whose local it returns.
fn open_parameter(kernel: &mut Func, local: LocalId) -> LocalId {
    let inside = |ty: &Ty, with: fn(&Ty) -> Ty| match ty {
        Ty::Array(item, len) => Ty::Array(Box::new(with(item)), len.clone()),
        ty => with(ty),
    };
    let whole = kernel.locals[local.0].ty.clone();
    let value = inside(&whole, |option| match option {
        Ty::Option(inner) => (**inner).clone(),
        ty => ty.clone(),
    });
    let flags = inside(&whole, |_| Ty::Scalar(Scalar::Bool));
    let name = &kernel.locals[local.0].name;
    let name: Ident = format_ident!("{name}_there", span = Span::mixed_site());
    kernel.locals[local.0].ty = value.clone();
    kernel.params.iter_mut().filter(|param| param.local == local).for_each(|param| param.ty = value.clone());
    let flag = LocalId(kernel.locals.len());
    kernel.locals.push(Local { name: name.clone(), ty: flags.clone(), mutable: false });
    kernel.params.push(Param { local: flag, name, ty: flags, written: String::new(), indices: None });
    flag
}

struct Opening {
    /// The opened parameters, each with its flag.
    flags: Vec<(LocalId, LocalId)>,
}

impl Opening {
    fn block(&self, block: &mut Block) {
        block.exprs_mut().into_iter().for_each(|e| self.expr(e));
    }

    fn expr(&self, e: &mut Expr) {
        let (exprs, blocks) = e.parts_mut();
        exprs.into_iter().for_each(|part| self.expr(part));
        blocks.into_iter().for_each(|block| self.block(block));
        match &mut e.kind {
            ExprKind::IsSome(option) => {
                if let Some(flag) = self.flag(option) {
                    e.kind = flag.kind;
                }
            }
            ExprKind::IfSome(option, binding, then, other) => {
                let Some(flag) = self.flag(option) else { return };
                let init = Some(value(option));
                then.stmts.insert(0, Stmt::Let { pat: Pat::Local(*binding), init });
                let (then, other) = (then.clone(), other.take());
                e.kind = ExprKind::If(Box::new(flag), then, other);
            }
            _ => {}
        }
    }

    /// The flag of an option that is opened.
    fn flag(&self, option: &Expr) -> Option<Expr> {
        let root = option.root()?;
        let (_, flag) = self.flags.iter().find(|(local, _)| *local == root)?;
        let bool = Ty::Scalar(Scalar::Bool);
        Some(match &option.kind {
            ExprKind::Index(array, index) => {
                let Ty::Array(_, len) = &array.ty else { return None };
                let ty = Ty::Array(Box::new(bool.clone()), len.clone());
                let flags = Expr { kind: ExprKind::Local(*flag), ty, span: array.span };
                Expr { kind: ExprKind::Index(Box::new(flags), index.clone()), ty: bool, span: option.span }
            }
            _ => Expr { kind: ExprKind::Local(*flag), ty: bool, span: option.span },
        })
    }
}

/// The value of an option: a number, or the reference, lent on.
fn value(option: &Expr) -> Expr {
    let Ty::Option(inner) = &option.ty else { return option.clone() };
    let kind = match &option.kind {
        ExprKind::Index(array, index) => {
            let ty = match &array.ty {
                Ty::Array(_, len) => Ty::Array(inner.clone(), len.clone()),
                ty => ty.clone(),
            };
            ExprKind::Index(Box::new(Expr { ty, ..(**array).clone() }), index.clone())
        }
        kind => kind.clone(),
    };
    let taken = Expr { kind, ty: (**inner).clone(), span: option.span };
    let Ty::Ref(mutable, target) = &**inner else { return taken };
    let place = Expr { kind: ExprKind::Deref(Box::new(taken)), ty: (**target).clone(), span: option.span };
    Expr { kind: ExprKind::Ref(*mutable, Box::new(place)), ty: (**inner).clone(), span: option.span }
}
