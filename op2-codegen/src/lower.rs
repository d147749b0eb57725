//! From a checked loop to the steps of one element: which maps are followed, which views are bound,
//! what is gathered before the kernel, passed to it, and scattered behind it. Nothing in here is
//! particular to a target.

use crate::ir::{Access, Best, Combine, Len, Param, Scalar, Ty, Unit};
use crate::parse::alike::alike;
use crate::parse::loop_decl::{Arg, ArgKind, Entry, LoopDecl, Via, written};
use crate::split::{self, Forms};
use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{format_ident, quote};
use syn::ext::IdentExt;
use syn::{Expr, Path};

/// A loop, lowered.
pub struct Lowered {
    /// The `Op2`.
    pub op: Expr,
    /// The kernel.
    pub kernel: Path,
    /// Its name, for reports.
    pub kernel_name: String,
    /// The set or subset.
    pub set: Expr,
    /// Distinct maps, in order of first use.
    pub maps: Vec<MapUse>,
    /// Distinct ways through them.
    pub targets: Vec<Target>,
    /// Arguments in order.
    pub args: Vec<Argument>,
    /// Floating-point operations per element.
    pub flops: u32,
    /// The loop in stages.
    pub forms: Forms,
}

/// A map that the loop goes through.
pub struct MapUse {
    /// The user's expression.
    pub map: Expr,
    /// Local name for its view.
    pub var: Ident,
    /// First argument that uses it.
    pub arg: usize,
    /// Where that argument mentions it.
    pub span: Span,
}

/// One entry of a map, or all of them.
pub struct Target {
    /// Index into [`Lowered::maps`].
    pub map: usize,
    /// The entry; none means all.
    pub entry: Option<Expr>,
    /// Local name for its index, where that is no literal.
    pub var: Ident,
    /// Local name for where it leads.
    pub at: Ident,
    /// First argument that takes it.
    pub arg: usize,
}

/// The way of one argument through a map, as the user wrote it.
pub struct Through {
    /// The map.
    pub map: Expr,
    /// The entry; none means all.
    pub entry: Option<Expr>,
    /// Where it leads: an index into [`Lowered::targets`].
    pub target: usize,
}

/// An argument, lowered.
pub struct Argument {
    /// As written by the user, for messages.
    pub text: String,
    /// Where its word (`read`, `inc` …) stands.
    pub span: Span,
    /// The kernel's name for it.
    pub var: Ident,
    /// The value type that the kernel wants, where it can be named outside the kernel's module.
    pub holds: Option<TokenStream>,
    /// What it is.
    pub role: Role,
    /// Its way through a map, if it has one.
    pub through: Option<Through>,
}

/// What an argument is.
pub enum Role {
    /// A dat.
    Dat(Box<DatArg>),
    /// A global that is read.
    Read(Expr),
    /// A global that is reduced into.
    Reduce(Combine, Expr),
    /// The index of an element.
    Index(Place),
}

/// A dat argument.
pub struct DatArg {
    /// The user's expression.
    pub dat: Expr,
    /// Access.
    pub access: Access,
    /// Which element of it.
    pub place: Place,
    /// The flag of `opt`.
    pub flag: Option<Expr>,
    /// The view to use: of this argument, or of an earlier one with the same dat.
    pub view: Ident,
    /// The argument that binds the view, if it is an earlier one.
    pub shares: Option<usize>,
}

/// Which element an argument means.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// The element of the loop.
    Element,
    /// Where [`Lowered::targets`] leads, one entry.
    Entry(usize),
    /// Where [`Lowered::targets`] leads, all entries.
    All(usize),
}

/// Lowers a checked loop.
pub fn lower(decl: LoopDecl, unit: &Unit, flops: u32) -> Lowered {
    let kernel_name = decl.kernel.segments.last().map(|s| s.ident.to_string()).unwrap_or_default();
    let mut lowered = Lowered {
        op: decl.op,
        kernel: decl.kernel,
        kernel_name,
        set: decl.set,
        maps: Vec::new(),
        targets: Vec::new(),
        args: Vec::new(),
        flops,
        forms: Forms::default(),
    };
    for (n, (arg, param)) in decl.args.into_iter().zip(&unit.funcs[0].params).enumerate() {
        // The suffixes keep the kernel's names apart from those that `emit` uses for itself, and
        // `mixed_site` all of them from the names of the user's scope.
        let name = match param.name.unraw() {
            name if name == "_" => format_ident!("unused{n}"),
            name => distinct(name, n, &unit.funcs[0].params),
        };
        lowered.argument(n, arg, &name, &param.ty);
    }
    lowered.forms = split::forms(&lowered.args, unit);
    lowered
}

impl Lowered {
    fn argument(&mut self, n: usize, arg: Arg, name: &Ident, ty: &Ty) {
        let var = format_ident!("{name}_arg", span = Span::mixed_site());
        let span = arg.word.span();
        let (role, via) = match arg.kind {
            ArgKind::Index(via) => (None, via),
            ArgKind::Global(access, global) => match access.combine() {
                Some(how) => (Some(Role::Reduce(how, global)), None),
                None => (Some(Role::Read(global)), None),
            },
            ArgKind::Dat(access, dat, via) => {
                let (view, shares) = self.view(&dat, name, arg.flag.is_some());
                let dat = DatArg { dat, access, place: Place::Element, flag: arg.flag, view, shares };
                (Some(Role::Dat(Box::new(dat))), via)
            }
        };
        let (place, through) = self.place(n, via);
        let role = match role {
            None => Role::Index(place),
            Some(Role::Dat(dat)) => Role::Dat(Box::new(DatArg { place, ..*dat })),
            Some(role) => role,
        };
        self.args.push(Argument { text: arg.text, span, var, holds: value_tokens(ty), role, through });
    }

    /// Two arguments on one dat share a view, so that the loop keeps one address instead of two: the view's name, and
    /// which argument binds it if it is not this one.
    fn view(&self, dat: &Expr, name: &Ident, optional: bool) -> (Ident, Option<usize>) {
        let earlier = self.args.iter().enumerate().find_map(|(n, a)| match &a.role {
            Role::Dat(d) if d.flag.is_none() && d.shares.is_none() && alike(&d.dat, dat) => Some((n, &d.view)),
            _ => None,
        });
        match earlier {
            Some((n, view)) if !optional => (view.clone(), Some(n)),
            _ => (format_ident!("{name}_view", span = Span::mixed_site()), None),
        }
    }

    fn place(&mut self, arg: usize, via: Option<Box<Via>>) -> (Place, Option<Through>) {
        let Some(via) = via else { return (Place::Element, None) };
        let Via { map, entry, span } = *via;
        let number = self.map(arg, &map, span);
        let name = self.maps[number].var.clone();
        let (entry, var) = match entry {
            Entry::All => (None, format_ident!("{name}_all", span = Span::mixed_site())),
            Entry::One(index) => match literal(&index) {
                Some(i) => (Some(*index), format_ident!("{name}_{i}", span = Span::mixed_site())),
                None => (Some(*index), format_ident!("{name}_of{arg}", span = Span::mixed_site())),
            },
        };
        let target = self.target(arg, number, entry.as_ref(), var);
        let place = if entry.is_none() { Place::All(target) } else { Place::Entry(target) };
        (place, Some(Through { map, entry, target }))
    }

    /// The number of a way through a map: that of an earlier argument, or a new one with local names after `var`.
    fn target(&mut self, arg: usize, map: usize, entry: Option<&Expr>, var: Ident) -> usize {
        let same = |t: &Target| {
            t.map == map
                && match (&t.entry, entry) {
                    (Some(a), Some(b)) => match (literal(a), literal(b)) {
                        (None, None) => alike(a, b),
                        (a, b) => a == b,
                    },
                    (a, b) => a.is_none() && b.is_none(),
                }
        };
        self.targets.iter().position(same).unwrap_or_else(|| {
            let at = format_ident!("{var}_at", span = Span::mixed_site());
            self.targets.push(Target { map, entry: entry.cloned(), var, at, arg });
            self.targets.len() - 1
        })
    }

    fn map(&mut self, arg: usize, map: &Expr, span: Span) -> usize {
        self.maps.iter().position(|m| alike(&m.map, map)).unwrap_or_else(|| {
            let var = format_ident!("{}_map", short_name(&written(map)), span = Span::mixed_site());
            // Different expressions may flatten to one name.
            let var = if self.maps.iter().any(|m| m.var == var) {
                format_ident!("{var}{arg}", span = Span::mixed_site())
            } else {
                var
            };
            self.maps.push(MapUse { map: map.clone(), var, arg, span });
            self.maps.len() - 1
        })
    }
}

/// The name of parameter `n`, or another one where an earlier parameter has it: macros may write both.
fn distinct(name: Ident, n: usize, params: &[Param]) -> Ident {
    let met = |params: &[Param], name: &Ident| params.iter().any(|p| p.name.unraw() == *name);
    if !met(&params[..n], &name) {
        return name;
    }
    let mut other = format_ident!("{name}{n}");
    while met(params, &other) {
        other = format_ident!("{other}_");
    }
    other
}

/// A name for an expression: its last field, as far as that can be part of a name.
fn short_name(text: &str) -> String {
    let last = text.rsplit('.').next().filter(|l| l.starts_with(|c: char| c.is_alphabetic())).unwrap_or(text);
    let plain: String = last.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    plain.trim_matches('_').to_owned()
}

/// The number of a literal index.
pub fn literal(index: &Expr) -> Option<usize> {
    match index {
        Expr::Lit(syn::ExprLit { lit: syn::Lit::Int(int), .. }) => int.base10_parse().ok(),
        _ => None,
    }
}

/// The value type behind a parameter's references, unless it mentions a generic or a constant: those
/// have names in the kernel's module only.
fn value_tokens(ty: &Ty) -> Option<TokenStream> {
    match ty {
        Ty::Ref(_, inner) | Ty::Option(inner) => value_tokens(inner),
        Ty::Array(item, _) if matches!(**item, Ty::Ref(..)) => value_tokens(item),
        Ty::Array(item, Len::Lit(n)) => {
            let item = value_tokens(item)?;
            let n = Literal::usize_unsuffixed(*n);
            Some(quote!([#item; #n]))
        }
        Ty::Scalar(scalar) => {
            let name = match scalar {
                Scalar::F32 => "f32",
                Scalar::F64 => "f64",
                Scalar::I32 => "i32",
                Scalar::U32 => "u32",
                Scalar::I64 => "i64",
                Scalar::U64 => "u64",
                Scalar::Bool => "bool",
                Scalar::Usize => "usize",
                Scalar::Generic => return None,
            };
            let name = Ident::new(name, Span::mixed_site());
            // By its full path, since a user may have a type of that name.
            Some(quote!(::core::primitive::#name))
        }
        Ty::Tuple(parts) => {
            let parts: Option<Vec<_>> = parts.iter().map(value_tokens).collect();
            let parts = parts?;
            Some(quote!((#(#parts,)*)))
        }
        Ty::ArgBest(best, value, payload) => {
            let (value, payload) = (value_tokens(value)?, value_tokens(payload)?);
            Some(match best {
                Best::Min => quote!(__op2::ArgMin<#value, #payload>),
                Best::Max => quote!(__op2::ArgMax<#value, #payload>),
            })
        }
        _ => None,
    }
}
