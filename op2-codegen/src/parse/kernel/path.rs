//! Paths: which local, constant or function a name means.

use proc_macro2::Ident;
use syn::{ExprPath, Path, PathArguments};

use crate::ir::{AssocConst, ConstKind, Expr, ExprKind, Scalar, Ty, print};

use super::declaration::is_variant;
use super::nearest::nearest;
use super::scope::FnParser;

/// The meaning of the path of a call.
pub(super) enum CallTarget<'p> {
    /// `f64::max`, `F::lit`, `usize::from`: the scalar and the name.
    Scalar(Scalar, &'p Ident),
    /// `Prim::new`: the type and the name.
    Associated(Path, &'p Ident),
    /// `Idx::of`, `Table::of`, `Row::of`, which tests of kernels call: the cure for a kernel.
    OfTests(&'static str),
    /// `Some`, `Vector`
    Constructor,
    /// `std::mem::swap`
    Standard,
    /// Anything else.
    Device,
}

/// Classifies the path of a call; `floats` are the function's type parameters.
pub(super) fn call_target<'p>(path: &'p Path, floats: &[&Ident]) -> CallTarget<'p> {
    let segments: Vec<&Ident> = path.segments.iter().map(|s| &s.ident).collect();
    if let [.., owner, name] = segments.as_slice()
        && *name == "of"
        && let Some(cure) = made_by_run_time(owner)
    {
        return CallTarget::OfTests(cure);
    }
    match segments.as_slice() {
        [first, name] if scalar_named(first, floats).is_some() => {
            CallTarget::Scalar(scalar_named(first, floats).unwrap_or(Scalar::F64), name)
        }
        [first, _, ..] if is_standard(first) => CallTarget::Standard,
        [.., owner, name] if is_type_name(owner, floats) => CallTarget::Associated(owner_of(path), name),
        [.., name] if starts_upper(name) => CallTarget::Constructor,
        _ => CallTarget::Device,
    }
}

/// Where a kernel gets the values of a type from that only the run time makes.
fn made_by_run_time(owner: &Ident) -> Option<&'static str> {
    const TYPES: [(&str, &str); 3] = [
        (
            "Idx",
            "only the run time makes indices, so that each leads to an element; take it as a parameter, from `idx()` or from \
             a map that is read as data, or ask a table, `table.nth(number)`",
        ),
        ("Table", "only the run time makes tables; take it as a parameter, `&Table<S, V>`, from `read(dat, all)`"),
        ("Row", "only the run time makes rows; take it as a parameter, `&Row<V>`, from `read(dat, map[..])`"),
    ];
    TYPES.into_iter().find(|(name, _)| owner == name).map(|(_, cure)| cure)
}

/// The path without type arguments, which identifies device functions.
pub fn without_arguments(path: &Path) -> Path {
    let mut path = path.clone();
    path.segments.iter_mut().for_each(|s| s.arguments = PathArguments::None);
    path
}

/// The enum and the variant of a path such as `Kind::Wall`.
pub(super) fn variant(e: &ExprPath) -> Option<(Path, &Ident)> {
    let last = &e.path.segments.last().filter(|_| e.qself.is_none() && e.path.segments.len() > 1)?.ident;
    let owner = owner_of(&e.path);
    let is_type = owner.segments.last().is_some_and(|owner| starts_upper(&owner.ident));
    (is_type && is_variant(&last.to_string())).then_some((owner, last))
}

/// The path without its last name.
fn owner_of(path: &Path) -> Path {
    let mut owner = path.clone();
    owner.segments.pop();
    owner.segments.pop_punct();
    owner
}

/// The expression inside parentheses and the invisible groups of macros.
pub(super) fn ungrouped(mut e: &syn::Expr) -> &syn::Expr {
    loop {
        match e {
            syn::Expr::Paren(p) => e = &p.expr,
            syn::Expr::Group(g) => e = &g.expr,
            _ => return e,
        }
    }
}

pub(super) fn scalar_named(name: &Ident, floats: &[&Ident]) -> Option<Scalar> {
    match floats.iter().position(|float| *float == name).and_then(|n| u8::try_from(n).ok()) {
        Some(n) => Some(Scalar::Generic(n)),
        None => Scalar::from_name(&name.to_string()),
    }
}

fn is_standard(name: &Ident) -> bool {
    ["std", "core", "alloc"].iter().any(|s| name == s)
}

fn is_type_name(name: &Ident, floats: &[&Ident]) -> bool {
    const OTHERS: [&str; 5] = ["i128", "u128", "isize", "char", "str"];
    starts_upper(name) || scalar_named(name, floats).is_some() || OTHERS.iter().any(|other| name == other)
}

pub(super) fn starts_upper(name: &Ident) -> bool {
    name.to_string().trim_start_matches("r#").starts_with(|c: char| c.is_uppercase())
}

impl FnParser<'_> {
    /// The scalar that a single name means as a type.
    pub(super) fn scalar(&self, name: &Ident) -> Option<Scalar> {
        scalar_named(name, &self.floats)
    }

    /// A path as a value.
    pub(super) fn path(&mut self, e: &ExprPath) -> Expr {
        if let Some(name) = self.plain_name(e)
            && let Some(id) = self.lookup(name)
        {
            return Expr { kind: ExprKind::Local(id), ty: Ty::HOLE, span: name.span() };
        }
        if let Some(param) = self.const_param_named(e) {
            return Expr { kind: ExprKind::Param(param), ty: Ty::Scalar(Scalar::Usize), span: first_span(&e.path) };
        }
        if e.path.is_ident("None") && e.qself.is_none() {
            return self.no_index(first_span(&e.path));
        }
        if let Some(variant) = self.variant(e) {
            return variant;
        }
        if let Some(message) = self.not_a_constant(e) {
            return self.wrong_tokens(e, message);
        }
        if let Some(found) = self.associated(&e.path) {
            return match found {
                Ok((scalar, constant)) => {
                    self.names.constant(&e.path, scalar, constant.digits().is_some());
                    Expr { kind: ExprKind::AssocConst(constant), ty: Ty::Scalar(scalar), span: first_span(&e.path) }
                }
                Err(message) => self.wrong_tokens(e, message),
            };
        }
        let id = self.constant(&e.path, ConstKind::Rust, Ty::HOLE);
        Expr { kind: ExprKind::Const(id), ty: Ty::HOLE, span: first_span(&e.path) }
    }

    /// The name of a path that is a single one.
    pub(super) fn plain_name<'e>(&self, e: &'e ExprPath) -> Option<&'e Ident> {
        if e.qself.is_none() { e.path.get_ident() } else { None }
    }

    /// The const parameter that a path means.
    pub(super) fn const_param_named(&self, e: &ExprPath) -> Option<usize> {
        let name = self.plain_name(e)?;
        self.lens.iter().position(|param| param == name)
    }

    /// Why a path that is no local cannot be a constant either.
    pub(super) fn not_a_constant(&self, e: &ExprPath) -> Option<String> {
        let text = print::tokens(e);
        if e.qself.is_some() || e.path.segments.iter().any(|s| !s.arguments.is_none()) {
            return Some(format!(
                "path `{text}` is not part of the kernel language: expected a constant without \
                 type arguments, such as `f64::EPSILON`"
            ));
        }
        let last = e.path.segments.last()?.ident.to_string();
        if !last.contains(|c: char| c.is_lowercase()) {
            return None;
        }
        Some(if text == "self" {
            "`self` is not part of the kernel language: a kernel is a free function".to_string()
        } else if last.starts_with(|c: char| c.is_uppercase()) {
            format!(
                "`{text}` is not part of the kernel language: expected a constant in upper case, or a variant of a \
                 `#[op2::record] enum` with the enum's name before it, `Kind::{last}`"
            )
        } else {
            let visible = self.visible();
            let hint = nearest(&last, visible.iter().map(String::as_str))
                .map_or(String::new(), |name| format!("; did you mean `{name}`?"));
            format!(
                "`{text}` is neither a local nor a constant in upper case: functions are not \
                 values, and statics are passed as arguments{hint}"
            )
        })
    }

    /// A constant of a scalar type or of the standard library: `None` when the path is neither.
    fn associated(&self, path: &Path) -> Option<Result<(Scalar, AssocConst), String>> {
        let names: Vec<&Ident> = path.segments.iter().map(|s| &s.ident).collect();
        let (names, standard) = match names.as_slice() {
            [first, rest @ ..] if is_standard(first) => (rest, true),
            all => (all, false),
        };
        let (scalar, constant) = match names {
            [ty, name] => {
                let scalar = self.scalar(ty)?;
                let name = name.to_string();
                let math = (matches!(scalar, Scalar::Generic(_))).then(|| AssocConst::math(&name)).flatten();
                (scalar, AssocConst::limit(&name).or(math).filter(|c| has(scalar, *c)))
            }
            [ty, consts, name] if *consts == "consts" => {
                let scalar = self.scalar(ty)?;
                (scalar, AssocConst::math(&name.to_string()).filter(|_| scalar.is_float()))
            }
            _ if standard => return Some(Err(unknown_constant(path, &|_| true))),
            _ => return None,
        };
        let math = names.len() == 3;
        let fits = |c: AssocConst| {
            if math { c.digits().is_some() } else { c.digits().is_none() && has(scalar, c) }
        };
        Some(constant.map(|c| (scalar, c)).ok_or_else(|| unknown_constant(path, &fits)))
    }
}

/// Whether the scalar type has the constant.
fn has(scalar: Scalar, constant: AssocConst) -> bool {
    let both = matches!(constant, AssocConst::Min | AssocConst::Max);
    scalar.is_float() || (both && scalar.is_int())
}

fn unknown_constant(path: &Path, fits: &dyn Fn(AssocConst) -> bool) -> String {
    let text = print::tokens(path);
    let names: Vec<&str> = AssocConst::ALL.iter().filter(|c| fits(**c)).map(|c| c.name()).collect();
    let last = path.segments.last().map(|s| s.ident.to_string()).unwrap_or_default();
    match nearest(&last, names.iter().copied()) {
        Some(name) => format!("constant `{text}` is not part of the kernel language; the nearest one is `{name}`"),
        None => {
            format!("constant `{text}` is not part of the kernel language: expected one of `{}`", names.join("`, `"))
        }
    }
}

pub(super) fn first_span(path: &Path) -> proc_macro2::Span {
    path.segments.first().map_or_else(proc_macro2::Span::call_site, |s| s.ident.span())
}
