//! From a checked loop to the steps of one element: which maps are followed, which views are bound,
//! what is gathered before the kernel, passed to it, and scattered behind it. Nothing in here is
//! particular to a target.

use crate::check::usage::Mode;
use crate::ir::{Best, Len, Scalar, Ty, Unit};
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
}

/// What an argument is.
pub enum Role {
    /// A dat.
    Dat(Box<DatArg>),
    /// A global that is read.
    Read(Expr),
    /// A global that is reduced into.
    Reduce(Mode, Expr),
    /// The index of an element.
    Index(Place),
}

/// A dat argument.
pub struct DatArg {
    /// The user's expression.
    pub dat: Expr,
    /// Access.
    pub mode: Mode,
    /// Which element of it.
    pub place: Place,
    /// The flag of `opt`.
    pub flag: Option<Expr>,
    /// The view to use: of this argument, or of an earlier one with the same dat.
    pub view: Ident,
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
            name => name,
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
        let role = match arg.kind {
            ArgKind::Index(via) => Role::Index(self.place(n, via)),
            ArgKind::Global(Mode::Read, global) => Role::Read(global),
            ArgKind::Global(mode, global) => Role::Reduce(mode, global),
            ArgKind::Dat(mode, dat, via) => {
                let place = self.place(n, via);
                let view = self.view(&dat, name, arg.flag.is_some());
                Role::Dat(Box::new(DatArg { dat, mode, place, flag: arg.flag, view }))
            }
        };
        self.args.push(Argument { text: arg.text, span, var, holds: value_tokens(ty), role });
    }

    /// Two arguments on one dat share a view, so that the loop keeps one address instead of two.
    fn view(&self, dat: &Expr, name: &Ident, optional: bool) -> Ident {
        let earlier = self.args.iter().find_map(|a| match &a.role {
            Role::Dat(d) if d.flag.is_none() && written(&d.dat) == written(dat) => Some(&d.view),
            _ => None,
        });
        match earlier {
            Some(view) if !optional => view.clone(),
            _ => format_ident!("{name}_view", span = Span::mixed_site()),
        }
    }

    fn place(&mut self, arg: usize, via: Option<Box<Via>>) -> Place {
        let Some(via) = via else { return Place::Element };
        let Via { map, entry, span } = *via;
        let map = self.map(arg, map, span);
        let name = self.maps[map].var.clone();
        let (entry, var) = match entry {
            Entry::All => (None, format_ident!("{name}_all", span = Span::mixed_site())),
            Entry::One(index) => match literal(&index) {
                Some(i) => (Some(*index), format_ident!("{name}_{i}", span = Span::mixed_site())),
                None => (Some(*index), format_ident!("{name}_of{arg}", span = Span::mixed_site())),
            },
        };
        let all = entry.is_none();
        let same = |t: &Target| t.map == map && t.entry.as_ref().map(written) == entry.as_ref().map(written);
        let index = self.targets.iter().position(same).unwrap_or_else(|| {
            let at = format_ident!("{var}_at", span = Span::mixed_site());
            self.targets.push(Target { map, entry, var, at });
            self.targets.len() - 1
        });
        if all { Place::All(index) } else { Place::Entry(index) }
    }

    fn map(&mut self, arg: usize, map: Expr, span: Span) -> usize {
        let text = written(&map);
        self.maps.iter().position(|m| written(&m.map) == text).unwrap_or_else(|| {
            let var = format_ident!("{}_map", short_name(&text), span = Span::mixed_site());
            // Different expressions may flatten to one name.
            let var = if self.maps.iter().any(|m| m.var == var) {
                format_ident!("{var}{arg}", span = Span::mixed_site())
            } else {
                var
            };
            self.maps.push(MapUse { map, var, arg, span });
            self.maps.len() - 1
        })
    }
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
                Best::Min => quote!(::op2::ArgMin<#value, #payload>),
                Best::Max => quote!(::op2::ArgMax<#value, #payload>),
            })
        }
        _ => None,
    }
}
