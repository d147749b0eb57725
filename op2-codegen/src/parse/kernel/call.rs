//! Calls: device functions, library functions by path, methods.

use proc_macro2::{Ident, Span};
use syn::spanned::Spanned;
use syn::{ExprCall, ExprMethodCall, ExprPath, GenericArgument, Path, PathArguments, Type};

use crate::ir::{ConstKind, Expr, ExprKind, Intrinsic, Question, Scalar, Stated, StatedCall, Sugar, Ty, print};

use super::closure;
use super::expr::hole;
use super::nearest::nearest;
use super::path::{CallTarget, call_target, first_span, scalar_named, ungrouped, without_arguments};
use super::refuse::method_cure;
use super::scope::FnParser;
use super::types::Position;

impl FnParser<'_> {
    pub(super) fn call(&mut self, e: &ExprCall) -> Expr {
        if let Some(closure) = closure::of_from_fn(e) {
            return self.array_of(e, closure);
        }
        let args: Vec<Expr> = e.args.iter().map(|arg| self.expr(arg)).collect();
        let syn::Expr::Path(func) = ungrouped(&e.func) else {
            return self.wrong_tokens(
                &e.func,
                "call of an expression is not part of the kernel language: call a \
                 `#[op2::device_fn]` by its path",
            );
        };
        if let Some(name) = self.plain_name(func)
            && self.lookup(name).is_some()
        {
            let message = format!(
                "`{name}` is a local: functions are not values in the kernel language, call a \
                 `#[op2::device_fn]` by its path"
            );
            return self.wrong(name.span(), message);
        }
        self.call_path(func, args)
    }

    fn call_path(&mut self, func: &ExprPath, mut args: Vec<Expr>) -> Expr {
        let text = print::tokens(func);
        if func.path.is_ident("Some") && func.qself.is_none() {
            let span = first_span(&func.path);
            if !self.count("Some", "constructor", 1, &args, span) {
                return self.placeholder(span);
            }
            return self.some_index(args.remove(0), span);
        }
        if func.qself.is_some() {
            let message = format!("path `{text}` is not part of the kernel language: write `f64::max(a, b)`");
            return self.wrong_tokens(func, message);
        }
        match call_target(&func.path, &self.floats) {
            CallTarget::Scalar(scalar, name) => {
                if Intrinsic::from_name(&name.to_string()).is_some() {
                    self.names.function(&func.path, scalar);
                }
                self.scalar_call(scalar, name, args)
            }
            CallTarget::Device => self.device_call(&func.path, args),
            CallTarget::Standard => self.wrong_tokens(
                func,
                format!(
                    "function `{text}` is not part of the kernel language: expected a scalar \
                     method (`a.max(b)`) or a `#[op2::device_fn]`"
                ),
            ),
            CallTarget::Associated(owner, name) => self.associated_call(func, &owner, name, args),
            CallTarget::OfTests(cure) => {
                let message =
                    format!("`{}` is for tests of kernels: {cure}", print::tokens(&without_arguments(&func.path)));
                self.wrong_tokens(func, message)
            }
            CallTarget::Constructor => self.wrong_tokens(
                func,
                format!(
                    "constructor `{text}` is not part of the kernel language: use tuples and \
                     arrays of scalars"
                ),
            ),
        }
    }

    fn device_call(&mut self, path: &Path, args: Vec<Expr>) -> Expr {
        let text = print::tokens(&without_arguments(path));
        let known = self.callees.functions.iter().find(|(callee, _)| *callee == text);
        if let Some((_, id)) = known {
            let callee = *id;
            let kind = match self.stated(path) {
                stated if stated.is_empty() => ExprKind::Call(callee, args),
                stated => ExprKind::Sugar(Sugar::Stated(StatedCall { callee, stated, args })),
            };
            return hole(kind, first_span(path));
        }
        let message = if self.own.is_some_and(|own| path.is_ident(own)) {
            format!(
                "recursion of `{text}` is not part of the kernel language: targets have no stack \
                 for it, use a loop"
            )
        } else {
            format!("`{text}` is not known as a device function: mark it `#[op2::device_fn]`")
        };
        self.wrong_tokens(path, message)
    }

    /// `f64` and `3` of `name::<f64, 3>`.
    fn stated(&mut self, path: &Path) -> Vec<(Stated, Span)> {
        let Some(PathArguments::AngleBracketed(list)) = path.segments.last().map(|last| &last.arguments) else {
            return Vec::new();
        };
        list.args.iter().map(|argument| (self.stated_argument(argument), argument.span())).collect()
    }

    fn stated_argument(&mut self, argument: &GenericArgument) -> Stated {
        match argument {
            GenericArgument::Type(Type::Infer(_)) => Stated::Open,
            GenericArgument::Type(ty) if self.is_scalar(ty) => match self.ty(ty, Position::Device) {
                Ty::Scalar(scalar) => Stated::Float(scalar),
                _ => Stated::Open,
            },
            argument => match self.stated_len(argument) {
                Some(len) => Stated::Len(len),
                None => {
                    let text = print::tokens(argument);
                    let message = format!("argument `{text}` of a call: expected a float type, a length, or `_`");
                    self.wrong_tokens(argument, message);
                    Stated::Open
                }
            },
        }
    }

    fn is_scalar(&self, ty: &Type) -> bool {
        matches!(ty, Type::Path(path) if path.path.get_ident().is_some_and(|name| scalar_named(name, &self.floats).is_some()))
    }

    /// `f64::max(a, b)`, `f64::from(x)`, `F::lit(c)`.
    fn scalar_call(&mut self, scalar: Scalar, name: &Ident, mut args: Vec<Expr>) -> Expr {
        let span = name.span();
        let function = name.to_string();
        match function.as_str() {
            "lit" if matches!(scalar, Scalar::Generic(_)) => {
                if !self.count(&function, "function", 1, &args, span) {
                    return self.placeholder(span);
                }
                let arg = args.remove(0);
                typed(ExprKind::FloatLit(Box::new(arg)), scalar, span)
            }
            "from" if !matches!(scalar, Scalar::Generic(_)) => {
                if !self.count(&function, "function", 1, &args, span) {
                    return self.placeholder(span);
                }
                let arg = args.remove(0);
                typed(ExprKind::Cast(Box::new(arg)), scalar, span)
            }
            _ => match Intrinsic::from_name(&function) {
                Some(intrinsic) => {
                    let wanted = intrinsic.operands().len() + 1;
                    if !self.count(&function, "function", wanted, &args, span) {
                        return self.placeholder(span);
                    }
                    // The type in the path is that of the first operand.
                    if args[0].ty == Ty::HOLE {
                        args[0].ty = Ty::Scalar(scalar);
                    }
                    hole(ExprKind::Intrinsic(intrinsic, args), span)
                }
                None => {
                    let message = self.unknown_method(&function, "function");
                    self.wrong(span, message)
                }
            },
        }
    }

    pub(super) fn method(&mut self, e: &ExprMethodCall) -> Expr {
        if let syn::Expr::MethodCall(best) = ungrouped(&e.receiver)
            && best.method == "best"
            && best.args.is_empty()
        {
            let message = "a kernel does not read a reduction: it calls `update(value, payload)`, and the program asks `best()` \
                           of what `op.get` returns";
            return self.wrong(best.method.span(), message);
        }
        if let Some(call) = self.method_of_option(e) {
            return call;
        }
        let name = e.method.to_string();
        let span = e.method.span();
        if Intrinsic::from_name(&name).is_none()
            && (super::each::HEADS.contains(&name.as_str()) || super::each::head(&e.receiver).is_some())
        {
            return self.refuse_chain(e);
        }
        if let Some(turbofish) = &e.turbofish {
            let message = format!("type arguments of `{name}` are not part of the kernel language");
            return self.wrong_tokens(turbofish, message);
        }
        if let Some(special) = self.special_method(e, &name, span) {
            return special;
        }
        if name == "map" {
            return self.map(e);
        }
        if let Some(call) = self.method_of_record(e) {
            return call;
        }
        let Some(intrinsic) = Intrinsic::from_name(&name) else {
            let message = self.unknown_method(&name, "method");
            return self.wrong(span, message);
        };
        let mut args = vec![self.expr(&e.receiver)];
        args.extend(e.args.iter().map(|arg| self.expr(arg)));
        if !self.count(&name, "method", intrinsic.operands().len(), &args[1..], span) {
            return self.placeholder(span);
        }
        hole(ExprKind::Intrinsic(intrinsic, args), span)
    }

    /// Methods that are no scalar functions: of run-time constants, arrays and arg reductions.
    fn special_method(&mut self, e: &ExprMethodCall, name: &str, span: Span) -> Option<Expr> {
        match (name, ungrouped(&e.receiver)) {
            ("get", syn::Expr::Path(path)) if e.args.is_empty() => {
                if self.plain_name(path).is_some_and(|name| self.lookup(name).is_some()) {
                    return None;
                }
                if let Some(message) = self.not_a_constant(path) {
                    return Some(self.wrong_tokens(path, message));
                }
                let id = self.constant(&path.path, ConstKind::Runtime, Ty::HOLE);
                Some(hole(ExprKind::Const(id), first_span(&path.path)))
            }
            ("len", _) if e.args.is_empty() => {
                let array = Box::new(self.expr(&e.receiver));
                Some(hole(ExprKind::Sugar(Sugar::Len(array)), span))
            }
            ("update", _) => {
                let best = Box::new(self.expr(&e.receiver));
                let mut args: Vec<Expr> = e.args.iter().map(|arg| self.expr(arg)).collect();
                if !self.count(name, "method", 2, &args, span) {
                    return Some(self.placeholder(span));
                }
                let payload = Box::new(args.remove(1));
                let value = Box::new(args.remove(0));
                Some(hole(ExprKind::BestUpdate(best, value, payload), span))
            }
            _ => self.question(e, name, span),
        }
    }

    /// A method of a table; one that a record has by this name takes precedence.
    fn question(&mut self, e: &ExprMethodCall, name: &str, span: Span) -> Option<Expr> {
        let asked =
            [Question::At, Question::Nth, Question::Number].into_iter().find(|question| question.name() == name)?;
        if self.callees.methods.iter().any(|(_, method, _)| *method == name) {
            return None;
        }
        let table = Box::new(self.expr(&e.receiver));
        let args: Vec<Expr> = e.args.iter().map(|arg| self.expr(arg)).collect();
        if !self.count(name, "method", 1, &args, span) {
            return Some(self.placeholder(span));
        }
        Some(hole(ExprKind::Sugar(Sugar::Ask(asked, table, args)), span))
    }

    /// Reports a wrong number of arguments.
    fn count(&mut self, name: &str, kind: &str, wanted: usize, args: &[Expr], span: Span) -> bool {
        if args.len() != wanted {
            let plural = if wanted == 1 { "" } else { "s" };
            let found = args.len();
            let message = format!("{kind} `{name}` takes {wanted} argument{plural}, found {found}");
            self.errors.at(span, message);
        }
        args.len() == wanted
    }

    fn unknown_method(&self, name: &str, kind: &str) -> String {
        let refused = format!("{kind} `{name}` is not part of the kernel language");
        if let Some(cure) = method_cure(name) {
            return format!("{refused}: {cure}");
        }
        let of_records = self.names_of_methods();
        let known = Intrinsic::ALL.iter().map(|i| i.name()).chain(of_records.iter().map(String::as_str));
        match nearest(name, known) {
            Some(near) => format!("{refused}; the nearest one is `{near}`"),
            None => format!(
                "{refused}: expected a method of the scalar types, such as `sqrt`, one of a `#[op2::record(methods)]`, or \
                 a call of a `#[op2::device_fn]`"
            ),
        }
    }
}

fn typed(kind: ExprKind, scalar: Scalar, span: Span) -> Expr {
    Expr { kind, ty: Ty::Scalar(scalar), span }
}
