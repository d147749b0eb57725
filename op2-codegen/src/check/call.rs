//! The rules that bind a loop to its kernel. A fault that only both together show is reported on the loop's argument,
//! because the kernel may be in another crate, where its tokens have no source position.

use crate::check::usage::{ParamUse, permits, permits_global};
use crate::error::Errors;
use crate::ir::{Access, Best, Combine, Param, Scalar, Ty, Unit};
use crate::parse::alike::alike;
use crate::parse::loop_decl::{Arg, ArgKind, Entry, LoopDecl, Via, Way, written};
use syn::spanned::Spanned;

/// Checks the loop against its kernel, all rules in order.
///
/// # Errors
/// All violations, each with the narrowest span of the loop that shows it.
pub fn check(decl: &LoopDecl, unit: &Unit, usage: &[ParamUse]) -> syn::Result<()> {
    let mut errors = Errors::new();
    let kernel = written(&decl.kernel);
    let params = &unit.funcs[0].params;
    check_count(decl, &kernel, params, &mut errors);
    check_ways(decl, &mut errors);
    if errors.is_empty() {
        for (arg, (param, used)) in decl.args.iter().zip(params.iter().zip(usage)) {
            if check_shape(arg, &kernel, param, &mut errors) {
                check_access(arg, &kernel, param, used, &mut errors);
            }
        }
    }
    // Aliases are checked only if the accesses are correct.
    if errors.is_empty() {
        check_aliases(decl, params, &mut errors);
        check_globals(decl, &mut errors);
    }
    errors.finish(())
}

/// A loop passes as many arguments as the kernel has parameters.
fn check_count(decl: &LoopDecl, kernel: &str, params: &[Param], errors: &mut Errors) {
    let (found, expected) = (decl.args.len(), params.len());
    let count = |n: usize| if n == 1 { "1 argument".to_owned() } else { format!("{n} arguments") };
    if found < expected {
        let missing: Vec<_> = params[found..].iter().map(|p| format!("`{}: {}`", p.name, p.written)).collect();
        let message =
            format!("kernel `{kernel}` takes {}, found {found}: {} missing", count(expected), missing.join(", "));
        errors.at(decl.kernel.span(), message);
    }
    for arg in decl.args.iter().skip(expected) {
        let message = format!(
            "kernel `{kernel}` takes {}, found {found}: remove `{}` or add a parameter",
            count(expected),
            arg.text
        );
        errors.at(arg.word.span(), message);
    }
}

/// Over pairs, every dat and index is one of an end, or all of a dat.
fn check_ways(decl: &LoopDecl, errors: &mut Errors) {
    if !decl.over_pairs() {
        return;
    }
    for arg in &decl.args {
        let (way, text) = match &arg.kind {
            ArgKind::Dat(_, dat, way) => (way, format!("{}({}, ", arg.word, written(dat))),
            ArgKind::Index(way) => (way, format!("{}(", arg.word)),
            ArgKind::Global(..) | ArgKind::Shift => continue,
        };
        if !matches!(way, Way::End(_) | Way::All) {
            let message = format!(
                "`{}` in a loop over pairs: expected the end of the pair that it belongs to, `{text}from)` or `{text}to)`",
                arg.text
            );
            errors.at(arg.word.span(), message);
        }
    }
}

/// The kind of an argument fits the type of its parameter. Says whether it does.
fn check_shape(arg: &Arg, kernel: &str, param: &Param, errors: &mut Errors) -> bool {
    let inner = match (&param.ty, &arg.flag) {
        (Ty::Option(inner), Some(_)) => &**inner,
        // The entry of its map may be missing. A row leaves missing ones out.
        (Ty::Option(inner), None) if arg.kind.map().is_some() && !inner.is_row() => &**inner,
        // Each entry is there if the flag holds and the map leads somewhere.
        (ty @ Ty::Array(item, _), Some(_)) if matches!(**item, Ty::Option(_)) => ty,
        (ty, None) if !matches!(ty, Ty::Option(_)) => ty,
        (_, flag) => {
            let cure = match flag {
                Some(_) => format!("take `Option<{}>`, or pass the argument without `opt`", param.written),
                None if param.ty.is_row() || param.ty.is_table() => {
                    "pass it as `opt(flag, …)`, or take it without `Option`".to_owned()
                }
                None => "pass it as `opt(flag, …)` or through an `OptMap`, or take it without `Option`".to_owned(),
            };
            errors.at(arg.word.span(), mismatch(arg, kernel, param, &cure));
            return false;
        }
    };
    let maybe_missing = arg.flag.is_none() && matches!(param.ty, Ty::Option(_));
    let refused = match &arg.kind {
        ArgKind::Dat(..) | ArgKind::Global(..) if param.indices.is_some() => map_cure(&arg.kind),
        ArgKind::Dat(access, ..) | ArgKind::Global(access, _) => {
            access.combine().and_then(|how| operand_cure(arg, inner, how))
        }
        ArgKind::Index(_) | ArgKind::Shift => None,
    };
    let dropped = match &arg.kind {
        ArgKind::Dat(access, ..) if maybe_missing && access.combines() => {
            Some("take it without `Option`: what goes to a missing element is dropped".to_owned())
        }
        _ => None,
    };
    let cure = refused.or(dropped).or_else(|| match &arg.kind {
        ArgKind::Index(way) => index_cure(inner, way.map()),
        ArgKind::Shift => shift_cure(inner),
        ArgKind::Global(..) if inner.is_table() => Some("a global has no table; take `&V`".to_owned()),
        ArgKind::Global(..) if inner.is_row() => Some("a global has no rows; take `&V`".to_owned()),
        ArgKind::Global(access, _) => reference_cure(inner, *access).or_else(|| best_cure(inner, Some(*access))),
        ArgKind::Dat(access, _, way) => table_cure(inner, *access, way)
            .or_else(|| indices_cure(arg, param, inner))
            .or_else(|| dat_cure(inner, *access, way.map()))
            .or_else(|| best_cure(inner, None)),
    });
    if let Some(cure) = &cure {
        errors.at(arg.word.span(), mismatch(arg, kernel, param, cure));
    }
    cure.is_none()
}

fn mismatch(arg: &Arg, kernel: &str, param: &Param, cure: &str) -> String {
    format!("`{}` does not fit parameter `{}: {}` of kernel `{kernel}`: {cure}", arg.text, param.name, param.written)
}

/// Numbers are added and compared, flags and integers combined by `|`.
fn operand_cure(arg: &Arg, ty: &Ty, how: Combine) -> Option<String> {
    let global = matches!(arg.kind, ArgKind::Global(..));
    let (or, other) = if global { ("gbl_or", "") } else { ("or", "declare it `rw` or `write`, ") };
    if ty.has_enum() {
        let word = &arg.word;
        return Some(format!("an enum cannot be combined by `{word}`; declare it `rw` or `write`, or hold a number"));
    }
    let (scalar, cure) = match (how, ty.elem()?) {
        (Combine::Inc | Combine::Min | Combine::Max, Scalar::Bool) => {
            ("`bool`", format!("combine it by `|` with `{or}`, {other}or hold the flag as `u32`"))
        }
        (Combine::Or, Scalar::F32 | Scalar::F64 | Scalar::Generic(_)) => {
            let other = if global { "" } else { "declare it `rw` or `write`, or " };
            ("a float", format!("{other}hold flags as `bool` or as bits of an integer"))
        }
        _ => return None,
    };
    Some(format!("{scalar} cannot be combined by `{}`; {cure}", arg.word))
}

/// Indices are the values of maps, which are read and written.
fn map_cure(kind: &ArgKind) -> Option<String> {
    match kind {
        ArgKind::Global(..) => Some("maps hold indices, and no global does; take the number as `u32`".to_owned()),
        ArgKind::Dat(access, ..) if access.combines() => {
            Some("indices are not combined; declare it `read`, `write` or `rw`".to_owned())
        }
        _ => None,
    }
}

/// `idx()` goes to an integer by value, or to an index; of all entries of a map, to an array of them.
fn index_cure(ty: &Ty, via: Option<&Via>) -> Option<String> {
    let holds =
        |ty: &Ty| matches!(ty, Ty::Scalar(Scalar::Usize | Scalar::U32 | Scalar::U64 | Scalar::I32 | Scalar::I64));
    let cure = match (via.map(|via| (&via.entry, &via.map)), ty) {
        (Some((Entry::All, map)), ty) if ty.is_row() => format!(
            "the elements of a row are passed as `read({0})`; `idx({0}[..])` goes to an array by value, `[u32; ARITY]` or \
             `[Idx<S>; ARITY]`",
            written(map)
        ),
        (Some((Entry::All, _)), Ty::Array(item, _)) => match &**item {
            Ty::Option(item) if holds(item) => return None,
            item if holds(item) => return None,
            _ => {
                "take the user's numbers by value as `[u32; ARITY]`, of `usize`, `u32`, `u64`, `i32` or `i64`, or the \
                  elements as `[Idx<S>; ARITY]`"
                    .to_owned()
            }
        },
        (Some((Entry::All, _)), _) => "the indices of all entries of a map need an array by value, `[u32; ARITY]` or \
                                       `[Idx<S>; ARITY]`; pass one entry"
            .to_owned(),
        (_, Ty::Array(item, _)) if !matches!(**item, Ty::Ref(..)) => {
            "the kernel takes the indices of all entries of a map; pass `idx(map[..])`".to_owned()
        }
        (_, ty) if holds(ty) => return None,
        _ => "take the user's number by value as `usize`, `u32`, `u64`, `i32` or `i64`, or the element as `Idx<S>`"
            .to_owned(),
    };
    Some(cure)
}

/// `shift()` goes to an array of floats by value.
fn shift_cure(ty: &Ty) -> Option<String> {
    match ty {
        Ty::Array(item, _) if matches!(&**item, Ty::Scalar(s) if s.is_float()) => None,
        _ => Some("take the shift by value, a float for each direction of the space, `[f64; 2]`".to_owned()),
    }
}

/// `read` goes to `&V`, everything else to `&mut V`. With `&mut V` the kernel modifies the data, so the message for
/// `read` names the modification instead.
fn reference_cure(ty: &Ty, access: Access) -> Option<String> {
    match ty {
        Ty::Ref(true, _) => None,
        Ty::Ref(false, _) if access == Access::Read => None,
        Ty::Ref(false, _) => Some("the kernel can only read it; declare it `read`, or take `&mut`".to_owned()),
        Ty::Array(item, _) if matches!(**item, Ty::Ref(..) | Ty::Option(_)) => {
            Some("the kernel takes all entries of a map; pass `map[..]`".to_owned())
        }
        _ => Some("the kernel takes a value, which only `idx()` and `shift()` pass; take a reference".to_owned()),
    }
}

/// `all` goes to a table, and nothing else does.
fn table_cure(ty: &Ty, access: Access, way: &Way) -> Option<String> {
    match (way, ty.is_table()) {
        (Way::All, true) if access != Access::Read => Some("a table is only read; declare it `read`".to_owned()),
        (Way::All, false) => Some("`all` passes a table; take `&Table<S, V>`".to_owned()),
        (Way::Own | Way::Map(_) | Way::End(_), true) => Some("a table has all values; pass `all`".to_owned()),
        _ => None,
    }
}

/// The rows of a map themselves go to a row of indices.
fn indices_cure(arg: &Arg, param: &Param, ty: &Ty) -> Option<String> {
    let ArgKind::Dat(access, rows, Way::Own) = &arg.kind else { return None };
    let Ty::Ref(mutable, row) = ty else { return None };
    if !ty.is_row() {
        return None;
    }
    let of_indices =
        param.indices == Some(Scalar::Idx) && matches!(&**row, Ty::Array(item, _) if **item == Ty::Scalar(Scalar::U32));
    match (of_indices, arg.flag.is_some()) {
        (false, _) => Some(format!(
            "a row belongs to an element by a map: pass `map[..]` of `Rows`, or of a `Map`, or take `&Row<Idx<S>>`, the entries of `{}`",
            written(rows)
        )),
        (true, true) => Some("the entries of a row are always there; pass them without `opt`".to_owned()),
        (true, false) if *mutable || *access != Access::Read => {
            Some("kernels only read which elements a row has; declare it `read`, and take `&Row<Idx<S>>`".to_owned())
        }
        (true, false) => None,
    }
}

/// All entries of a map go to an array of references, one entry to a reference.
fn dat_cure(ty: &Ty, access: Access, via: Option<&Via>) -> Option<String> {
    match (via.map(|v| &v.entry), ty) {
        (Some(Entry::All), ty) if ty.is_row() => reference_cure(ty, access),
        (Some(Entry::One(_)), ty) if ty.is_row() => Some("a row is taken whole: pass `map[..]`".to_owned()),
        // Of indices, as `indices_cure` has checked.
        (None, ty) if ty.is_row() => None,
        (Some(Entry::All), Ty::Array(item, _)) if matches!(**item, Ty::Ref(..)) => reference_cure(item, access),
        (Some(Entry::All), Ty::Array(item, _)) if matches!(**item, Ty::Option(_)) => match &**item {
            Ty::Option(item) if matches!(**item, Ty::Ref(..)) => reference_cure(item, access),
            _ => Some("all entries of a map need an array of references, `[&V; ARITY]`".to_owned()),
        },
        (Some(Entry::All), _) => {
            Some("all entries of a map need an array of references, `[&V; ARITY]`; pass one entry".to_owned())
        }
        _ => reference_cure(ty, access),
    }
}

/// `ArgMin` goes with `gbl_min`, `ArgMax` with `gbl_max`.
fn best_cure(ty: &Ty, global: Option<Access>) -> Option<String> {
    let Ty::Ref(_, inner) = ty else { return None };
    let Ty::ArgBest(best, ..) = **inner else { return None };
    match (best, global) {
        (Best::Min, Some(Access::Min)) | (Best::Max, Some(Access::Max)) => None,
        (Best::Min, _) => Some("pass a global of type `ArgMin` as `gbl_min`".to_owned()),
        (Best::Max, _) => Some("pass a global of type `ArgMax` as `gbl_max`".to_owned()),
    }
}

/// The kernel uses a parameter as the loop declares.
fn check_access(arg: &Arg, kernel: &str, param: &Param, used: &ParamUse, errors: &mut Errors) {
    let (ArgKind::Dat(access, ..) | ArgKind::Global(access, _)) = arg.kind else { return };
    let is_best = matches!(&param.ty, Ty::Ref(_, inner) if matches!(**inner, Ty::ArgBest(..)));
    if is_best {
        return;
    }
    let permitted = match arg.kind {
        ArgKind::Global(..) => permits_global(used, access),
        _ => permits(used, access),
    };
    if let Err(refusal) = permitted {
        let message = format!(
            "`{}` does not fit what kernel `{kernel}` does with `{}`: {} in `{}`; {}",
            arg.text, param.name, refusal.found, refusal.site.text, refusal.cure
        );
        errors.at(arg.word.span(), message);
    }
}

/// One dat in several arguments: all read it, or all combine in the same way, or all reach it
/// through maps with the same access. Anything else depends on the order of the elements. Rows may be those of children, which lie apart
/// from elements that were there before: the call finds out.
fn check_aliases(decl: &LoopDecl, params: &[Param], errors: &mut Errors) {
    let dats: Vec<_> = (decl.args.iter().zip(params))
        .filter_map(|(arg, param)| match &arg.kind {
            ArgKind::Dat(access, dat, way) => Some((arg, *access, dat, way, param.ty.is_row() && way.map().is_some())),
            _ => None,
        })
        .collect();
    for (later, (arg, access, dat, way, by_row)) in dats.iter().enumerate() {
        let mapped = |way: &Way| way.map().is_some();
        let clash = dats[..later].iter().find(|(_, other, other_dat, other_way, other_by_row)| {
            let harmless = *access == Access::Read && *other == Access::Read;
            let same = access == other && (access.combines() || (mapped(way) && mapped(other_way)));
            alike(other_dat, dat) && !(harmless || same || *by_row || *other_by_row)
        });
        let Some((other, .., other_way, _)) = clash else { continue };
        let own = |way: &Way| matches!(way, Way::Own);
        let cure = match !own(way) || !own(other_way) {
            true => {
                "what one element writes another may read, in no defined order; use a second dat, or split the loop"
            }
            false => "the kernel cannot hold it twice; pass it once, as `rw`",
        };
        errors.at(dat.span(), format!("`{}` and `{}` are one dat: {cure}", arg.text, other.text));
    }
}

/// A global that is reduced into appears once.
fn check_globals(decl: &LoopDecl, errors: &mut Errors) {
    let globals: Vec<_> = (decl.args.iter())
        .filter_map(|arg| match &arg.kind {
            ArgKind::Global(access, global) => Some((arg, *access, global)),
            _ => None,
        })
        .collect();
    for (later, (arg, access, global)) in globals.iter().enumerate() {
        let clash = globals[..later]
            .iter()
            .find(|(_, other, g)| alike(g, global) && !(*access == Access::Read && *other == Access::Read));
        if let Some((other, ..)) = clash {
            let message = format!(
                "`{}` and `{}` are one global: a loop reduces into a global once and does not read it meanwhile; \
                 use a second global",
                arg.text, other.text
            );
            errors.at(global.span(), message);
        }
    }
}
