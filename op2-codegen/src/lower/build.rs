//! The way from a checked loop to [`Lowered`]: finds shared views, maps and entries, and names everything.

use super::{Argument, DatArg, Lowered, MapUse, Reach, Role, Target, Through, literal, value};
use crate::ir::{Len, Param, Ty, Unit};
use crate::model::{flops, repeats};
use crate::parse::alike::alike;
use crate::parse::loop_decl::{Arg, ArgKind, Entry, LoopDecl, Via, Way, written};
use proc_macro2::{Ident, Span};
use quote::format_ident;
use syn::Expr;
use syn::ext::IdentExt;
use syn::spanned::Spanned;

/// Lowers a checked loop.
pub fn lower(decl: LoopDecl, unit: &Unit) -> Lowered {
    let kernel_name = decl.kernel.segments.last().map(|s| s.ident.to_string()).unwrap_or_default();
    let pairs = decl.over_pairs();
    let mut lowered = Lowered {
        op: decl.op,
        kernel: decl.kernel,
        kernel_name,
        set: decl.set,
        maps: Vec::new(),
        targets: Vec::new(),
        pairs,
        args: Vec::new(),
        lens: Vec::new(),
        flops: flops(unit),
        repeats: repeats(unit),
    };
    for (n, (arg, param)) in decl.args.into_iter().zip(&unit.funcs[0].params).enumerate() {
        // The suffixes distinguish the kernel's names from those that `emit` uses itself; `mixed_site` separates all of
        // them from the names in the user's scope.
        let name = match param.name.unraw() {
            name if name == "_" => format_ident!("unused{n}"),
            name => distinct(name, n, &unit.funcs[0].params),
        };
        lowered.argument(n, arg, &name, param);
    }
    lowered.lens = (0..unit.funcs[0].lens.len()).map(|len| lowered.telling(len)).collect();
    lowered
}

impl Lowered {
    fn argument(&mut self, n: usize, arg: Arg, name: &Ident, param: &Param) {
        let ty = &param.ty;
        let var = format_ident!("{name}_arg", span = Span::mixed_site());
        let (span, has_flag) = (arg.word.span(), arg.flag.is_some());
        let (role, way) = match arg.kind {
            ArgKind::Index(way) => (None, way),
            // A row of indices: the rows themselves, and not what they lead to.
            ArgKind::Dat(_, rows, Way::Own) if ty.is_row() => {
                let via = Via { span: rows.span(), map: rows, entry: Entry::All };
                (None, Way::Map(Box::new(via)))
            }
            ArgKind::Shift => (Some(Role::Shift), Way::Own),
            ArgKind::Global(access, global) => match access.combine() {
                Some(how) => (Some(Role::Reduce(how, global)), Way::Own),
                None => (Some(Role::Read(global)), Way::Own),
            },
            ArgKind::Dat(access, dat, way) => {
                let (view, shares) = self.view(&dat, name, ty, arg.flag.is_some());
                let dat =
                    DatArg { dat, access, reach: Reach::Element, flag: arg.flag, by_element: false, view, shares };
                (Some(Role::Dat(Box::new(dat))), way)
            }
        };
        let (reach, through) = self.reach(n, way, ty);
        let combines = matches!(&role, Some(Role::Dat(dat)) if dat.access.combines());
        let may_miss = match ty {
            // Contributions to missing elements are dropped, so an option tells of the flag alone.
            Ty::Option(_) => !has_flag || (matches!(reach, Reach::Entry(_)) && !combines),
            ty => takes_options(ty),
        };
        let role = match role {
            None => Role::Index(reach),
            Some(Role::Dat(dat)) => Role::Dat(Box::new(DatArg { reach, by_element: may_miss, ..*dat })),
            Some(role) => role,
        };
        self.args.push(Argument {
            text: arg.text,
            span,
            var,
            ty: ty.clone(),
            indices: param.indices,
            may_miss,
            role,
            through,
        });
    }

    /// Two arguments on one dat share a view, so that the loop keeps one address instead of two: the view's name, and
    /// which argument binds it if it is not this one. A view has one type: those of which one is told by a parameter of the
    /// kernel are different ones where generic code sees them.
    fn view(&self, dat: &Expr, name: &Ident, ty: &Ty, optional: bool) -> (Ident, Option<usize>) {
        // A table is bound as such.
        let fits = |a: &Argument| same_parameters(a.value(), value(ty)) && !a.ty.is_table() && !ty.is_table();
        let earlier = self.args.iter().enumerate().find_map(|(n, a)| match &a.role {
            Role::Dat(d) if d.flag.is_none() && d.shares.is_none() && alike(&d.dat, dat) && fits(a) => {
                Some((n, &d.view))
            }
            _ => None,
        });
        match earlier {
            Some((n, view)) if !optional => (view.clone(), Some(n)),
            _ => (format_ident!("{name}_view", span = Span::mixed_site()), None),
        }
    }

    fn reach(&mut self, arg: usize, way: Way, ty: &Ty) -> (Reach, Option<Through>) {
        let via = match way {
            Way::Own => return (Reach::Element, None),
            Way::End(end) => return (Reach::End(end), None),
            Way::All => return (Reach::Whole, None),
            Way::Map(via) => via,
        };
        let Via { map, entry, span } = *via;
        let by_rows = ty.is_row();
        let arity = if matches!(entry, Entry::All) && !by_rows { arity(ty) } else { None };
        let number = self.map(arg, &map, by_rows, arity, span);
        let name = self.maps[number].var.clone();
        let (entry, var) = match entry {
            Entry::All => (None, format_ident!("{name}_all", span = Span::mixed_site())),
            Entry::One(index) => match literal(&index) {
                Some(i) => (Some(*index), format_ident!("{name}_{i}", span = Span::mixed_site())),
                None => (Some(*index), format_ident!("{name}_of{arg}", span = Span::mixed_site())),
            },
        };
        let target = self.target(arg, number, entry.as_ref(), var);
        let reach = match entry {
            Some(_) => Reach::Entry(target),
            None if by_rows => Reach::Row(target),
            None => Reach::All(target),
        };
        (reach, Some(Through { map, entry, target }))
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

    /// The number of a map. As views, one whose rows are taken as wholes in one place only counts as two, and one whose arity is a parameter of the kernel in one place only counts as two.
    fn map(&mut self, arg: usize, map: &Expr, by_rows: bool, arity: Option<Option<usize>>, span: Span) -> usize {
        let fits = |m: &MapUse| m.by_rows == by_rows && (m.arity.is_none() || arity.is_none() || m.arity == arity);
        let known = self.maps.iter().position(|m| alike(&m.map, map) && fits(m));
        if let Some(number) = known {
            let map = &mut self.maps[number];
            map.arity = map.arity.or(arity);
            return number;
        }
        let var = format_ident!("{}_map", short_name(&written(map)), span = Span::mixed_site());
        // Different expressions may flatten to one name.
        let taken = self.maps.iter().any(|m| m.var == var);
        let var = if taken { format_ident!("{var}{arg}", span = Span::mixed_site()) } else { var };
        self.maps.push(MapUse { map: map.clone(), var, by_rows, arity, arg, span });
        self.maps.len() - 1
    }
}

/// Whether a parameter is an array of options.
fn takes_options(ty: &Ty) -> bool {
    matches!(ty, Ty::Array(item, _) if matches!(**item, Ty::Option(_)))
}

/// The parameter of the kernel that is the number of entries which an argument of this type takes, if it takes all of a map.
fn arity(ty: &Ty) -> Option<Option<usize>> {
    match ty {
        Ty::Option(inner) => arity(inner),
        Ty::Array(_, Len::Param(n)) => Some(Some(*n)),
        Ty::Array(..) => Some(None),
        _ => None,
    }
}

/// Whether two types of values of one dat have the kernel's parameters in the same places.
fn same_parameters(a: &Ty, b: &Ty) -> bool {
    match (a, b) {
        (Ty::Array(a, Len::Param(n)), Ty::Array(b, Len::Param(m))) => n == m && same_parameters(a, b),
        (Ty::Array(_, Len::Param(_)), _) | (_, Ty::Array(_, Len::Param(_))) => false,
        (Ty::Array(a, _), Ty::Array(b, _)) => same_parameters(a, b),
        (Ty::Scalar(a), Ty::Scalar(b)) => a == b,
        (Ty::Tuple(a), Ty::Tuple(b)) | (Ty::Record(_, a), Ty::Record(_, b)) => {
            a.iter().zip(b).all(|(a, b)| same_parameters(a, b))
        }
        // A map with one entry is a dat of both.
        (Ty::Array(..), Ty::Scalar(index)) | (Ty::Scalar(index), Ty::Array(..)) if index.is_index() => false,
        // The compiler reports all other differences.
        _ => true,
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
