//! The state of parsing one function: locals with their scopes, constants, loops.

use proc_macro2::{Ident, Span};
use syn::{ItemFn, Lifetime, Path};

use crate::error::Errors;
use crate::ir::{ConstId, ConstKind, ConstUse, Expr, ExprKind, FuncId, Lit, Local, LocalId, LoopId, Ty, print};

use super::FnKind;
use super::names::Names;
use crate::payload::{Declared, Payload};

/// Parses one function.
pub(super) struct FnParser<'a> {
    pub(super) errors: &'a mut Errors,
    pub(super) kind: FnKind,
    /// The function's own name, to see recursion. A path that calls a method has two names.
    pub(super) own: Option<&'a Ident>,
    /// The float type parameters.
    pub(super) floats: Vec<&'a Ident>,
    /// The const parameters.
    pub(super) lens: Vec<Ident>,
    pub(super) callees: &'a Callees,
    /// Declared types by the path that names them; `None` before they have answered.
    pub(super) types: Option<&'a [(Path, Declared)]>,
    pub(super) locals: Vec<Local>,
    pub(super) consts: Vec<ConstUse>,
    /// Visible names, innermost scope last; within a scope the latest binding wins.
    scopes: Vec<Vec<LocalId>>,
    /// Enclosing loops, innermost last.
    loops: Vec<(Option<String>, LoopId)>,
    loop_count: usize,
    /// How many closures are round the current place.
    pub(super) closures: usize,
    /// For the compiler to confirm.
    pub(super) names: Names,
}

/// The functions that a function may call.
#[derive(Default)]
pub(super) struct Callees {
    /// Device functions by the text of the path that calls them.
    pub(super) functions: Vec<(String, FuncId)>,
    /// Methods by the number of their record and by their name.
    pub(super) methods: Vec<(u64, String, FuncId)>,
}

impl Callees {
    /// Adds a function that is called by `path`, or a method.
    pub(super) fn add(&mut self, path: &Path, callee: &Payload, id: FuncId) {
        match callee.method_of {
            Some(record) => self.methods.push((record, callee.item.sig.ident.to_string(), id)),
            None => self.functions.push((print::tokens(path), id)),
        }
    }
}

/// The names of the type parameters.
pub(super) fn type_params(item: &ItemFn) -> Vec<&Ident> {
    item.sig.generics.type_params().map(|p| &p.ident).collect()
}

impl<'a> FnParser<'a> {
    pub(super) fn new(item: &'a ItemFn, kind: FnKind, callees: &'a Callees, errors: &'a mut Errors) -> Self {
        FnParser {
            errors,
            kind,
            own: (kind != FnKind::Method).then_some(&item.sig.ident),
            floats: type_params(item),
            lens: Vec::new(),
            callees,
            types: None,
            locals: Vec::new(),
            consts: Vec::new(),
            scopes: vec![Vec::new()],
            loops: Vec::new(),
            loop_count: 0,
            closures: 0,
            names: Names::default(),
        }
    }

    /// The same, knowing the types that the function mentions.
    pub(super) fn knowing(self, types: &'a [(Path, Declared)]) -> Self {
        FnParser { types: Some(types), ..self }
    }

    /// Reports an error and stands in for the expression that has it. `parse` then fails, so later stages never see
    /// this literal.
    pub(super) fn wrong(&mut self, span: Span, message: impl std::fmt::Display) -> Expr {
        self.errors.at(span, message);
        placeholder(span)
    }

    /// The same over the whole extent of some tokens.
    pub(super) fn wrong_tokens(&mut self, tokens: &impl quote::ToTokens, message: impl std::fmt::Display) -> Expr {
        let error = syn::Error::new_spanned(tokens, message);
        let span = error.span();
        self.errors.push(error);
        placeholder(span)
    }

    /// Runs `inside` with a scope of its own.
    pub(super) fn scoped<T>(&mut self, inside: impl FnOnce(&mut Self) -> T) -> T {
        self.scopes.push(Vec::new());
        self.names.open();
        let value = inside(self);
        self.names.close();
        self.scopes.pop();
        value
    }

    /// A new local, visible from here on.
    pub(super) fn bind(&mut self, name: &Ident, ty: Ty, mutable: bool) -> LocalId {
        let id = self.declare(name.clone(), ty, mutable);
        self.names.bind(name, id);
        if let Some(scope) = self.scopes.last_mut() {
            scope.push(id);
        }
        id
    }

    /// A new local that no name of the user's text means.
    pub(super) fn hidden(&mut self, name: &str, span: Span, ty: Ty) -> LocalId {
        self.declare(Ident::new(name, span), ty, false)
    }

    /// The same, which changes.
    pub(super) fn hidden_mutable(&mut self, name: &str, span: Span, ty: Ty) -> LocalId {
        self.declare(Ident::new(name, span), ty, true)
    }

    fn declare(&mut self, name: Ident, ty: Ty, mutable: bool) -> LocalId {
        self.locals.push(Local { name, ty, mutable });
        LocalId(self.locals.len() - 1)
    }

    /// The local that `name` means here.
    pub(super) fn lookup(&self, name: &Ident) -> Option<LocalId> {
        let visible = self.scopes.iter().rev().flat_map(|scope| scope.iter().rev());
        let mut found = visible.copied().filter(|id| self.locals[id.0].name == *name);
        let id = found.next()?;
        if found.next().is_some() {
            self.names.ambiguous(name, id);
        }
        Some(id)
    }

    /// The names visible here, for suggestions.
    pub(super) fn visible(&self) -> Vec<String> {
        self.scopes.iter().flatten().map(|id| self.locals[id.0].name.to_string()).collect()
    }

    /// The constant of that path; `ty` is [`Ty::HOLE`] unless the place of use fixes it.
    pub(super) fn constant(&mut self, path: &Path, kind: ConstKind, ty: Ty) -> ConstId {
        let path = syn::ExprPath { attrs: Vec::new(), qself: None, path: path.clone() };
        self.constant_value(syn::Expr::Path(path), kind, ty)
    }

    /// The same of a constant, or of an expression of constants in parentheses.
    pub(super) fn constant_value(&mut self, path: syn::Expr, kind: ConstKind, ty: Ty) -> ConstId {
        self.constant_use(ConstUse { path, of_type: None, kind, ty, origin: None })
    }

    /// A use of a constant, which may have been used before.
    pub(super) fn constant_use(&mut self, new: ConstUse) -> ConstId {
        let (text, ty) = (print::tokens(&new.path), new.ty.clone());
        let same = |c: &ConstUse| c.kind == new.kind && c.of_type == new.of_type && print::tokens(&c.path) == text;
        let known = self.consts.iter().position(same);
        let id = known.unwrap_or_else(|| {
            self.consts.push(new);
            self.consts.len() - 1
        });
        if ty != Ty::HOLE {
            self.consts[id].ty = ty;
        }
        ConstId(id)
    }

    /// Runs `inside` as the body of a new loop.
    pub(super) fn in_loop<T>(&mut self, label: Option<&syn::Label>, inside: impl FnOnce(&mut Self, LoopId) -> T) -> T {
        // The compiler also distinguishes labels by the macro that wrote them.
        let name = label.map(|l| l.name.ident.to_string());
        if let Some(label) = label
            && self.loops.iter().any(|(outer, _)| *outer == name)
        {
            let message = format!("label `{}` is that of a loop round this one, too: rename one of them", label.name);
            self.errors.at(label.name.span(), message);
        }
        let id = LoopId(self.loop_count);
        self.loop_count += 1;
        self.loops.push((name, id));
        let value = inside(self, id);
        self.loops.pop();
        value
    }

    /// Runs `inside` as the body of a closure, which no jump leaves. The loop that it becomes is its argument.
    pub(super) fn in_closure<T>(&mut self, inside: impl FnOnce(&mut Self, LoopId) -> T) -> T {
        let id = LoopId(self.loop_count);
        self.loop_count += 1;
        let outer = std::mem::take(&mut self.loops);
        self.closures += 1;
        let value = inside(self, id);
        self.closures -= 1;
        self.loops = outer;
        value
    }

    /// The loop that `break` or `continue` leaves; `Err` is the message.
    pub(super) fn target(&self, keyword: &str, label: Option<&Lifetime>) -> Result<LoopId, String> {
        let found = match label {
            None => self.loops.last(),
            Some(label) => self.loops.iter().rev().find(|(l, _)| l.as_deref() == Some(&*label.ident.to_string())),
        };
        match (found, label) {
            (Some((_, id)), _) => Ok(*id),
            (None, Some(label)) => {
                Err(format!("`{keyword}` names the loop `{label}`, found no enclosing loop of that label"))
            }
            (None, None) => Err(format!("`{keyword}` outside of a loop")),
        }
    }
}

pub(super) fn placeholder(span: Span) -> Expr {
    Expr { kind: ExprKind::Lit(Lit::Bool(false)), ty: Ty::HOLE, span }
}
