//! Types of the kernel language.

use syn::{BinOp, Expr, ExprLit, GenericArgument, Ident, Lit, Path, PathArguments, Stmt, Type, TypePath};

use crate::ir::{Best, ConstKind, Len, Scalar, Ty, print};

use super::path::{scalar_named, starts_upper, ungrouped};
use super::scope::FnParser;

/// Where a type stands; it decides which forms are accepted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Position {
    /// A parameter of a kernel: also `Option` and the arg reductions.
    KernelParam,
    /// A parameter or result of a device function, or the target of a cast.
    Device,
    /// `let x: T`: also `_`.
    Let,
}

const SCALARS: &str = "`f32`, `f64`, `i8`, `u8`, `i16`, `u16`, `i32`, `u32`, `i64`, `u64`, `usize` or `bool`";

impl FnParser<'_> {
    /// The type; [`Ty::HOLE`] after an error.
    pub(super) fn ty(&mut self, ty: &Type, position: Position) -> Ty {
        match ty {
            Type::Group(g) => self.ty(&g.elem, position),
            Type::Paren(p) => self.ty(&p.elem, position),
            Type::Path(path) => self.path_type(path, position),
            Type::Array(array) => {
                let elem = self.ty(&array.elem, position);
                Ty::Array(Box::new(elem), self.len(&array.len))
            }
            Type::Tuple(tuple) if tuple.elems.is_empty() => Ty::Unit,
            Type::Tuple(tuple) => Ty::Tuple(tuple.elems.iter().map(|elem| self.ty(elem, position)).collect()),
            Type::Reference(r) => {
                let target = self.row(&r.elem).or_else(|| self.table(&r.elem));
                let target = target.unwrap_or_else(|| self.ty(&r.elem, position));
                Ty::Ref(r.mutability.is_some(), Box::new(target))
            }
            Type::Infer(_) if position == Position::Let => Ty::HOLE,
            _ => {
                let cure = refused_type(ty);
                self.wrong_type(ty, cure)
            }
        }
    }

    /// A row of any length, if it is one: such types stand behind references.
    fn row(&mut self, ty: &Type) -> Option<Ty> {
        let Type::Path(TypePath { qself: None, path, .. }) = ty else { return None };
        let [value] = row_of(path)?[..] else { return None };
        if let Type::Path(TypePath { qself: None, path: inner, .. }) = value
            && row_of(inner).is_some()
        {
            return Some(
                self.wrong_type(
                    value,
                    "a row holds values of a dat; expected a scalar, an array or a record".to_owned(),
                ),
            );
        }
        self.names.row(path);
        Some(Ty::Array(Box::new(self.ty(value, Position::Device)), Len::Row))
    }

    /// A table, if it is one: such types stand behind references.
    fn table(&mut self, ty: &Type) -> Option<Ty> {
        let Type::Path(TypePath { qself: None, path, .. }) = ty else { return None };
        let value = value_of_table(path)?;
        self.names.table(path);
        Some(Ty::Table(Box::new(self.ty(value, Position::Device))))
    }

    /// A length of an array type or of a repeat expression: a literal, a constant, or computed from those.
    pub(super) fn len(&mut self, len: &Expr) -> Len {
        let len = ungrouped(len);
        if let Some(n) = literal(len) {
            return Len::Lit(n);
        }
        if !self.is_length(len) {
            return Len::Lit(0);
        }
        if let Expr::Path(path) = len
            && let Some(param) = self.const_param_named(path)
        {
            return Len::Param(param);
        }
        let usize = Ty::Scalar(Scalar::Usize);
        Len::Const(match len {
            Expr::Path(path) => self.constant(&path.path, ConstKind::Rust, usize),
            len => self.constant_value(syn::parse_quote!((#len)), ConstKind::Rust, usize),
        })
    }

    /// The length that an argument of a path states. The parser of Rust takes a lone name for a type.
    pub(super) fn stated_len(&mut self, argument: &GenericArgument) -> Option<Len> {
        match argument {
            GenericArgument::Const(len) => Some(self.len(in_braces(len))),
            GenericArgument::Type(Type::Path(TypePath { qself: None, path, .. })) => {
                let path = syn::ExprPath { attrs: Vec::new(), qself: None, path: path.clone() };
                Some(self.len(&Expr::Path(path)))
            }
            _ => None,
        }
    }

    /// Whether an expression can be a length; reports why not.
    fn is_length(&mut self, len: &Expr) -> bool {
        match ungrouped(len) {
            e if literal(e).is_some() => return true,
            Expr::Path(path) if self.const_param_named(path).is_some() => return true,
            Expr::Path(path) => {
                let Some(message) = self.not_a_constant(path) else { return true };
                self.wrong_tokens(len, message);
                return false;
            }
            Expr::Binary(b)
                if matches!(b.op, BinOp::Add(_) | BinOp::Sub(_) | BinOp::Mul(_) | BinOp::Div(_) | BinOp::Rem(_)) =>
            {
                for side in [&b.left, &b.right] {
                    if let Expr::Path(path) = ungrouped(side)
                        && self.const_param_named(path).is_some()
                    {
                        let (name, text) = (print::tokens(path), print::tokens(len));
                        let message =
                            format!("array length `{text}`: expected the const parameter `{name}` alone, as in Rust");
                        self.wrong_tokens(len, message);
                        return false;
                    }
                }
                return self.is_length(&b.left) && self.is_length(&b.right);
            }
            _ => {}
        }
        let text = print::tokens(len);
        self.wrong_tokens(
            len,
            format!(
                "array length `{text}`: expected literals and constants of type `usize`, and `+ - * / %` of them; give \
                 other expressions a name: `const LEN: usize = {text};`"
            ),
        );
        false
    }

    fn path_type(&mut self, ty: &TypePath, position: Position) -> Ty {
        let segments = &ty.path.segments;
        if let Some(name) = ty.path.get_ident()
            && ty.qself.is_none()
            && let Some(scalar) = self.scalar(name)
        {
            self.names.scalar(name, scalar);
            return Ty::Scalar(scalar);
        }
        let Some(last) = segments.last() else { return Ty::HOLE };
        if ty.qself.is_none() && index_of(&ty.path) {
            self.names.index(&ty.path);
            return Ty::Scalar(Scalar::Idx);
        }
        let arguments: Vec<&Type> = match &last.arguments {
            PathArguments::AngleBracketed(list) => list.args.iter().filter_map(as_type).collect(),
            _ => Vec::new(),
        };
        let name = last.ident.to_string();
        match (name.as_str(), arguments.as_slice()) {
            ("Option", [Type::Path(inner)]) if inner.qself.is_none() && index_of(&inner.path) => {
                self.names.index(&inner.path);
                Ty::Scalar(Scalar::MaybeIdx)
            }
            ("Option", [inner]) if position == Position::KernelParam => {
                Ty::Option(Box::new(self.ty(inner, Position::KernelParam)))
            }
            ("ArgMin" | "ArgMax", [value, payload]) if position == Position::KernelParam => {
                let best = if name == "ArgMin" { Best::Min } else { Best::Max };
                let value = self.ty(value, Position::Device);
                Ty::ArgBest(best, Box::new(value), Box::new(self.ty(payload, Position::Device)))
            }
            ("Option", _) => self.wrong_type(
                ty,
                "an option is an index that may be missing, `Option<Idx<S>>`, or a parameter of a kernel, `Option<&V>`, which is \
                 asked there with `if let Some(x) = argument` or `argument.unwrap_or(x)`, and its value passed on"
                    .to_string(),
            ),
            ("Row", [value]) => {
                let text = print::tokens(value);
                self.wrong_type(
                    ty,
                    format!("a row of any length stands behind a reference: `&Row<{text}>` or `&mut Row<{text}>`"),
                )
            }
            ("Table", [kind, value]) => {
                let (kind, value) = (print::tokens(kind), print::tokens(value));
                self.wrong_type(ty, format!("a table stands behind a reference: `&Table<{kind}, {value}>`"))
            }
            ("ArgMin" | "ArgMax", _) => {
                self.wrong_type(ty, format!("expected `&mut {name}<V, P>` as a parameter of a kernel"))
            }
            _ if is_declared(&ty.path, &self.floats) && ty.qself.is_none() => self.declared_type(&ty.path),
            _ => self.wrong_type(ty, named_cure(&name)),
        }
    }

    fn wrong_type(&mut self, ty: &impl quote::ToTokens, cure: String) -> Ty {
        let text = print::tokens(ty);
        self.wrong_tokens(ty, format!("type `{text}` is not part of the kernel language: {cure}"));
        Ty::HOLE
    }
}

/// Whether a type is one that the user may have declared: a name of the language, of the standard library, or one that no
/// type has, is none.
pub(crate) fn is_declared(path: &Path, floats: &[&Ident]) -> bool {
    let Some(last) = path.segments.last() else { return false };
    let name = last.ident.to_string();
    let single = path.segments.len() == 1;
    if row_of(path).is_some() || index_of(path) || value_of_table(path).is_some() {
        return false;
    }
    let known =
        single && (scalar_named(&last.ident, floats).is_some() || ["Option", "ArgMin", "ArgMax"].contains(&&*name));
    !known && starts_upper(&last.ident) && standard_cure(&name).is_none()
}

/// The values of `Row<V>`, if a path is one.
fn row_of(path: &Path) -> Option<Vec<&Type>> {
    arguments_of(path, "Row")
}

/// Whether a path is `Idx<S>`.
pub(super) fn index_of(path: &Path) -> bool {
    arguments_of(path, "Idx").is_some_and(|arguments| arguments.len() == 1)
}

/// The values of `Table<S, V>`, if a path is one.
pub(super) fn value_of_table(path: &Path) -> Option<&Type> {
    match arguments_of(path, "Table")?[..] {
        [_, value] => Some(value),
        _ => None,
    }
}

/// The types between `<` and `>` of a type with this name.
fn arguments_of<'a>(path: &'a Path, name: &str) -> Option<Vec<&'a Type>> {
    let last = path.segments.last().filter(|last| last.ident == name)?;
    match &last.arguments {
        PathArguments::AngleBracketed(list) => Some(list.args.iter().filter_map(as_type).collect()),
        _ => None,
    }
}

/// The expression in the braces that a computed argument of a path needs.
fn in_braces(e: &Expr) -> &Expr {
    match e {
        Expr::Block(block) => match &block.block.stmts[..] {
            [Stmt::Expr(inner, None)] => inner,
            _ => e,
        },
        e => e,
    }
}

/// A length of literals alone.
fn literal(len: &Expr) -> Option<usize> {
    match ungrouped(len) {
        Expr::Binary(b) => {
            let (left, right) = (literal(&b.left)?, literal(&b.right)?);
            match b.op {
                BinOp::Add(_) => left.checked_add(right),
                BinOp::Sub(_) => left.checked_sub(right),
                BinOp::Mul(_) => left.checked_mul(right),
                BinOp::Div(_) => left.checked_div(right),
                BinOp::Rem(_) => left.checked_rem(right),
                _ => None,
            }
        }
        Expr::Lit(ExprLit { lit: Lit::Int(int), .. }) if matches!(int.suffix(), "" | "usize") => {
            int.base10_parse().ok()
        }
        _ => None,
    }
}

fn as_type(argument: &GenericArgument) -> Option<&Type> {
    match argument {
        GenericArgument::Type(ty) => Some(ty),
        _ => None,
    }
}

/// The cure for a named type.
fn named_cure(name: &str) -> String {
    standard_cure(name).unwrap_or_else(|| {
        format!(
            "expected {SCALARS}, an array or a tuple of them, or a `#[op2::record]`, whose name begins in upper case"
        )
    })
}

/// The cure for a type of the language or of the standard library that kernels lack.
fn standard_cure(name: &str) -> Option<String> {
    Some(match name {
        "isize" => format!("expected {SCALARS}; use `i32` or `i64`"),
        "i128" | "u128" => format!("expected {SCALARS}; targets have at most 64 bits, use `i64` or `u64`"),
        "f16" | "f128" => format!("expected {SCALARS}"),
        "Vec" | "Box" => "kernels do not allocate; use an array `[T; N]`".to_string(),
        "String" | "str" | "char" => "kernels have no text; use an integer code".to_string(),
        _ => return None,
    })
}

/// The cure for a type of another form.
fn refused_type(ty: &Type) -> String {
    match ty {
        Type::Slice(slice) => {
            let elem = print::tokens(&slice.elem);
            format!("a slice has no length at compile time; use an array `[{elem}; N]`")
        }
        Type::Ptr(_) => "expected a reference `&T` or `&mut T`".to_string(),
        Type::FnPtr(_) | Type::ImplTrait(_) | Type::TraitObject(_) => {
            "calls are resolved at compile time; call a `#[op2::device_fn]` by its path".to_string()
        }
        Type::Infer(_) => format!("state the type; expected {SCALARS}"),
        Type::Never(_) => "a function of a kernel returns".to_string(),
        Type::Macro(_) => "macros are not expanded before the generator; write it out".to_string(),
        _ => format!("expected {SCALARS}, an array or a tuple of them"),
    }
}
