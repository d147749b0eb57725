//! Instances of generic device functions: one per float type and per lengths that a unit calls it with.

use proc_macro2::Ident;

use crate::error::Errors;
use crate::ir::{ConstId, ConstUse, Expr, ExprKind, Func, FuncId, Len, Lit, Scalar, Stated, Sugar, Ty, Unit};

use super::infer::{CallSite, Infer};
use super::{resolve, verify};

/// A function as parsed, and what stands for its parameters.
#[derive(Clone, PartialEq)]
struct Key {
    source: FuncId,
    floats: Vec<Scalar>,
    lens: Vec<Length>,
}

/// The length for a const parameter.
#[derive(Clone, Copy, PartialEq)]
enum Length {
    Number(usize),
    /// A constant of a function of the unit.
    Const(FuncId, ConstId),
    /// One of the first function's own const parameters.
    Param(usize),
}

/// Infers the types of all functions that the first one reaches.
pub(super) fn instantiate(parsed: &Unit) -> syn::Result<Unit> {
    let mut errors = Errors::new();
    // The first function keeps its parameters.
    let first = Key { source: FuncId(0), floats: Vec::new(), lens: Vec::new() };
    let mut keys: Vec<Key> = vec![first];
    let mut funcs: Vec<Func> = Vec::new();
    while let Some(Key { source, floats, lens }) = keys.get(funcs.len()).cloned() {
        let Some(mut func) = parsed.funcs.get(source.0).cloned() else { break };
        if let Some(kernel) = funcs.first() {
            with_floats(&mut func, &floats, &kernel.floats);
        }
        let origins = with_lengths(&mut func, &lens, &funcs);
        // A second instance would repeat the errors of the first.
        let mut own = Errors::new();
        let calls = typed(&mut func, &parsed.funcs, &mut own);
        place_calls((&mut func, FuncId(funcs.len())), &calls, &mut keys);
        for (id, origin) in origins {
            func.consts[id.0].origin = Some(origin);
        }
        let repeated = keys[..funcs.len()].iter().any(|key| key.source == source);
        if let Err(error) = own.finish(())
            && !repeated
        {
            errors.push(error);
        }
        funcs.push(func);
    }
    errors.finish(Unit { funcs })
}

/// Infers and checks one function; its calls, resolved.
fn typed(func: &mut Func, sigs: &[Func], errors: &mut Errors) -> Vec<CallSite> {
    let mut infer = Infer::new(func, sigs, errors);
    infer.run();
    let (table, calls) = (infer.table, infer.calls);
    let calls = resolve::func(func, table, calls, sigs, errors);
    if errors.is_empty() {
        verify::func(func, errors);
    }
    calls
}

/// Gives every call the instance that it calls.
fn place_calls((func, own): (&mut Func, FuncId), calls: &[CallSite], keys: &mut Vec<Key>) {
    let ids: Vec<FuncId> = calls
        .iter()
        .map(|call| {
            let floats = call.floats.iter().filter_map(|ty| match ty {
                Ty::Scalar(scalar) => Some(*scalar),
                _ => None,
            });
            let lens = call.lens.iter().filter_map(|len| match len {
                Len::Lit(n) => Some(Length::Number(*n)),
                Len::Const(id) => Some(Length::Const(own, *id)),
                Len::Param(n) => Some(Length::Param(*n)),
                Len::Infer(_) | Len::Row => None,
            });
            let key = Key { source: call.callee, floats: floats.collect(), lens: lens.collect() };
            let known = keys.iter().position(|k| *k == key);
            FuncId(known.unwrap_or_else(|| {
                keys.push(key);
                keys.len() - 1
            }))
        })
        .collect();
    func.body.walk_mut(&mut |e| {
        if let ExprKind::Call(id, _) = &mut e.kind
            && let Some(to) = ids.get(id.0)
        {
            *id = *to;
        }
    });
    for constant in &mut func.consts {
        if let Some((site, _)) = &mut constant.origin
            && let Some(to) = ids.get(site.0)
        {
            *site = *to;
        }
    }
}

/// Replaces the type parameters. Where one of the kernel's own takes their place, the function has all of these.
fn with_floats(func: &mut Func, floats: &[Scalar], kernel: &[Ident]) {
    if floats.len() < func.floats.len() {
        // The call has faults.
        return;
    }
    let depends = floats.iter().any(|float| matches!(float, Scalar::Generic(_)));
    func.floats = if depends { kernel.to_vec() } else { Vec::new() };
    types(func, &mut |ty| replace(ty, floats));
    stated(func, &mut |what| {
        if let Stated::Float(scalar) = what {
            replace_float(scalar, floats);
        }
    });
}

/// Calls `f` on all types that a function states.
fn types(func: &mut Func, f: &mut dyn FnMut(&mut Ty)) {
    func.params.iter_mut().for_each(|p| f(&mut p.ty));
    func.locals.iter_mut().for_each(|l| f(&mut l.ty));
    f(&mut func.ret);
    func.body.walk_mut(&mut |e| f(&mut e.ty));
}

/// Calls `f` on all that calls of a function state.
fn stated(func: &mut Func, f: &mut dyn FnMut(&mut Stated)) {
    func.body.walk_mut(&mut |e| {
        if let ExprKind::Sugar(Sugar::Stated(call)) = &mut e.kind {
            call.stated.iter_mut().for_each(|(what, _)| f(what));
        }
    });
}

fn replace_float(scalar: &mut Scalar, floats: &[Scalar]) {
    if let Scalar::Generic(n) = *scalar
        && let Some(float) = floats.get(usize::from(n))
    {
        *scalar = *float;
    }
}

fn replace(ty: &mut Ty, floats: &[Scalar]) {
    match ty {
        Ty::Scalar(s) => replace_float(s, floats),
        Ty::Array(t, _) | Ty::Ref(_, t) | Ty::Option(t) | Ty::Table(t) => replace(t, floats),
        Ty::Tuple(parts) | Ty::Record(_, parts) => parts.iter_mut().for_each(|t| replace(t, floats)),
        Ty::ArgBest(_, v, p) => {
            replace(v, floats);
            replace(p, floats);
        }
        Ty::Unit | Ty::Never | Ty::Infer(_) => {}
    }
}

/// Replaces the const parameters. A caller's constant becomes one of this function; the result says where those come from.
/// Where one of the kernel's own takes the place of any, the function has all of these.
fn with_lengths(func: &mut Func, lens: &[Length], funcs: &[Func]) -> Vec<(ConstId, (FuncId, ConstId))> {
    if lens.is_empty() || lens.len() < func.lens.len() {
        // There are none, or the call has faults.
        return Vec::new();
    }
    let mut origins = Vec::new();
    let lens: Vec<Len> = lens
        .iter()
        .map(|len| match *len {
            Length::Param(n) => Len::Param(n),
            Length::Number(n) => Len::Lit(n),
            Length::Const(owner, theirs) => {
                let id = ConstId(func.consts.len());
                let constant = &funcs[owner.0].consts[theirs.0];
                func.consts.push(ConstUse { origin: None, ..constant.clone() });
                origins.push((id, (owner, theirs)));
                Len::Const(id)
            }
        })
        .collect();
    let depends = lens.iter().any(|len| matches!(len, Len::Param(_)));
    func.lens = funcs.first().filter(|_| depends).map_or(Vec::new(), |kernel| kernel.lens.clone());
    types(func, &mut |ty| replace_lens(ty, &lens));
    stated(func, &mut |what| {
        if let Stated::Len(len) = what {
            replace_len(len, &lens);
        }
    });
    func.body.walk_mut(&mut |e| value_of_len(e, &lens));
    origins
}

fn replace_len(len: &mut Len, lens: &[Len]) {
    if let Len::Param(n) = len {
        *len = lens[*n].clone();
    }
}

fn replace_lens(ty: &mut Ty, lens: &[Len]) {
    match ty {
        Ty::Array(t, len) => {
            replace_len(len, lens);
            replace_lens(t, lens);
        }
        Ty::Ref(_, t) | Ty::Option(t) | Ty::Table(t) => replace_lens(t, lens),
        Ty::Tuple(parts) | Ty::Record(_, parts) => parts.iter_mut().for_each(|t| replace_lens(t, lens)),
        Ty::ArgBest(_, v, p) => {
            replace_lens(v, lens);
            replace_lens(p, lens);
        }
        Ty::Unit | Ty::Never | Ty::Scalar(_) | Ty::Infer(_) => {}
    }
}

fn value_of_len(e: &mut Expr, lens: &[Len]) {
    if let ExprKind::Param(n) = e.kind {
        e.kind = match lens[n] {
            Len::Lit(n) => ExprKind::Lit(Lit::Int(n as u128)),
            Len::Const(id) => ExprKind::Const(id),
            Len::Param(m) => ExprKind::Param(m),
            Len::Infer(_) | Len::Row => return,
        };
    }
}
