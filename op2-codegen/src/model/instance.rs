//! Instances of generic device functions: one per float type that a unit calls it with.

use crate::error::Errors;
use crate::ir::{ExprKind, Func, FuncId, Scalar, Ty, Unit};

use super::infer::{CallSite, Infer};
use super::{resolve, verify};

/// A function as parsed, and the type of its type parameter.
type Key = (FuncId, Option<Scalar>);

/// Infers the types of all functions that the first one reaches.
pub(super) fn instantiate(parsed: &Unit) -> syn::Result<Unit> {
    let mut errors = Errors::new();
    let generic = |id: usize| parsed.funcs.get(id).is_some_and(|f| f.generic.is_some());
    let mut keys: Vec<Key> = vec![(FuncId(0), generic(0).then_some(Scalar::Generic))];
    let mut funcs: Vec<Func> = Vec::new();
    while let Some(&(source, float)) = keys.get(funcs.len()) {
        let Some(source_func) = parsed.funcs.get(source.0) else { break };
        let mut func = source_func.clone();
        if let Some(scalar) = float.filter(|s| *s != Scalar::Generic) {
            substitute(&mut func, scalar);
        }
        // A second instance would repeat the errors of the first.
        let mut own = Errors::new();
        let calls = typed(&mut func, &parsed.funcs, &mut own);
        place_calls(&mut func, &calls, &mut keys, &parsed.funcs);
        let repeated = keys[..funcs.len()].iter().any(|(id, _)| *id == source);
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
fn place_calls(func: &mut Func, calls: &[CallSite], keys: &mut Vec<Key>, sigs: &[Func]) {
    let ids: Vec<FuncId> = calls
        .iter()
        .map(|call| {
            let generic = sigs.get(call.callee.0).is_some_and(|f| f.generic.is_some());
            let float = match &call.float {
                Some(Ty::Scalar(scalar)) if generic => Some(*scalar),
                _ => None,
            };
            let key = (call.callee, float);
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

/// Replaces the type parameter.
fn substitute(func: &mut Func, scalar: Scalar) {
    func.generic = None;
    func.params.iter_mut().for_each(|p| replace(&mut p.ty, scalar));
    func.locals.iter_mut().for_each(|l| replace(&mut l.ty, scalar));
    replace(&mut func.ret, scalar);
    func.body.walk_mut(&mut |e| replace(&mut e.ty, scalar));
}

fn replace(ty: &mut Ty, scalar: Scalar) {
    match ty {
        Ty::Scalar(s) if *s == Scalar::Generic => *s = scalar,
        Ty::Array(t, _) | Ty::Ref(_, t) | Ty::Option(t) => replace(t, scalar),
        Ty::Tuple(parts) | Ty::Record(_, parts) => parts.iter_mut().for_each(|t| replace(t, scalar)),
        Ty::ArgBest(_, v, p) => {
            replace(v, scalar);
            replace(p, scalar);
        }
        Ty::Unit | Ty::Never | Ty::Scalar(_) | Ty::Infer(_) => {}
    }
}
