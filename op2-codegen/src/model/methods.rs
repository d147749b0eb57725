//! Methods among the callees of a function. A payload has the methods of all types that it mentions; which of them a
//! function calls, its types tell. Those become callees, under their record and their name.

use std::collections::BTreeSet;

use proc_macro2::Span;
use syn::{Path, parse_quote};

use crate::ir::{ExprKind, Func};
use crate::parse::kernel::{FnKind, mentions};
use crate::payload::{Declared, Payload};

/// The function with the methods that it calls among its callees.
///
/// # Errors
/// Those of [`super::build`].
pub fn with_methods(mut payload: Payload, kind: FnKind) -> syn::Result<Payload> {
    let candidates = candidates(&payload, kind);
    if !candidates.is_empty() {
        let (callees, _) = called(&payload, candidates, kind)?;
        payload.callees.extend(callees);
    }
    without_methods(&mut payload);
    Ok(payload)
}

/// The methods of a record, which may call each other, each with those that it calls.
///
/// # Errors
/// Those of [`super::build`], and methods that call themselves.
pub fn among_themselves(methods: Vec<Payload>) -> syn::Result<Vec<Payload>> {
    let mut open = Vec::new();
    for method in &methods {
        let mut candidates = candidates(method, FnKind::Method);
        let names = mentions(&method.item, FnKind::Method).methods;
        let siblings = methods.iter().filter(|sibling| names.contains(&sibling.item.sig.ident.to_string()));
        candidates.extend(siblings.map(bodiless));
        let (callees, calls) = called(method, candidates, FnKind::Method)?;
        let (own, others) = callees.into_iter().partition(|(_, callee)| callee.method_of == method.method_of);
        open.push(Open { method, own, others, calls });
    }
    let mut done: Vec<Option<Payload>> = open.iter().map(|_| None).collect();
    (0..open.len()).try_for_each(|n| finish(n, &open, &mut done, &mut Vec::new()))?;
    Ok(done.into_iter().flatten().collect())
}

/// A function and the calls in it, by the number of the callee.
type Called = (Vec<(Path, Payload)>, Vec<(u64, Span)>);

/// A method whose calls are known.
struct Open<'a> {
    method: &'a Payload,
    /// Methods of the same record, without bodies.
    own: Vec<(Path, Payload)>,
    others: Vec<(Path, Payload)>,
    calls: Vec<(u64, Span)>,
}

/// Puts the methods that method `n` calls into its payload. `round` are those that wait for it.
fn finish(n: usize, open: &[Open<'_>], done: &mut [Option<Payload>], round: &mut Vec<usize>) -> syn::Result<()> {
    if done[n].is_some() {
        return Ok(());
    }
    round.push(n);
    let Open { method, own, others, .. } = &open[n];
    let mut payload = (*method).clone();
    payload.callees.extend(others.iter().cloned());
    for (path, callee) in own {
        let Some(m) = open.iter().position(|other| other.method.site == callee.site) else { continue };
        if round.contains(&m) {
            return Err(recursion(open, &round[round.iter().position(|k| *k == m).unwrap_or(0)..]));
        }
        finish(m, open, done, round)?;
        payload.callees.extend(done[m].clone().map(|finished| (path.clone(), finished)));
    }
    round.pop();
    without_methods(&mut payload);
    done[n] = Some(payload);
    Ok(())
}

/// Methods that call each other in a circle.
fn recursion(open: &[Open<'_>], circle: &[usize]) -> syn::Error {
    let name = |n: usize| format!("`{}`", open[n].method.item.sig.ident);
    let (first, next) = (circle[0], circle[1 % circle.len()]);
    let through: Vec<String> = circle[1..].iter().map(|n| name(*n)).collect();
    let through = if through.is_empty() { String::new() } else { format!(" through {}", through.join(", ")) };
    let place = open[first].calls.iter().find(|(site, _)| *site == open[next].method.site).map(|(_, span)| *span);
    let message = format!(
        "{} calls itself{through}: recursion is not part of the kernel language, since targets have no stack for it; write a \
         loop",
        name(first)
    );
    syn::Error::new(place.unwrap_or_else(Span::call_site), message)
}

/// The candidates that a function calls, and where.
fn called(payload: &Payload, candidates: Vec<Payload>, kind: FnKind) -> syn::Result<Called> {
    let mut wide = payload.clone();
    wide.callees.extend(candidates.iter().map(|method| (path_of(method), method.clone())));
    let unit = super::build(&wide, kind)?;
    let (mut wanted, mut places): Called = (Vec::new(), Vec::new());
    unit.funcs[0].body.walk(&mut |e| {
        let ExprKind::Call(id, _) = e.kind else { return };
        let Func { name, method_of, .. } = &unit.funcs[id.0];
        let called = candidates.iter().find(|c| c.method_of == *method_of && c.item.sig.ident == *name);
        let Some(method) = called.filter(|_| method_of.is_some()) else { return };
        if wanted.iter().all(|(_, known)| known.site != method.site) {
            wanted.push((path_of(method), method.clone()));
        }
        places.push((method.site, e.span));
    });
    Ok((wanted, places))
}

/// The path under which a method is a callee, which no text of a user has.
fn path_of(method: &Payload) -> Path {
    let (record, name) = (quote::format_ident!("record_{}", method.method_of.unwrap_or(0)), &method.item.sig.ident);
    parse_quote!(#record::#name)
}

/// The method without a body, to find out who calls it.
fn bodiless(method: &Payload) -> Payload {
    let mut method = method.clone();
    method.callees.clear();
    *method.item.block = parse_quote!({ loop {} });
    method
}

/// The methods that a function may call by their names: those of the types that it mentions, of the types in these, and
/// of those that its callees mention.
fn candidates(payload: &Payload, kind: FnKind) -> Vec<Payload> {
    let names = mentions(&payload.item, kind).methods;
    let mut found = Found { names, met: BTreeSet::new(), methods: Vec::new() };
    if !found.names.is_empty() {
        found.types(&payload.types);
        payload.callees.iter().for_each(|(_, callee)| found.types(&callee.types));
    }
    found.methods
}

struct Found {
    names: BTreeSet<String>,
    /// The numbers of the types that were looked through.
    met: BTreeSet<u64>,
    methods: Vec<Payload>,
}

impl Found {
    fn types(&mut self, types: &[(Path, Declared)]) {
        for (_, declared) in types {
            // A method knows its own record without methods.
            if declared.methods.is_empty() || self.met.insert(declared.site) {
                self.types(&declared.types);
                declared.methods.iter().for_each(|method| self.types(&method.types));
                let named =
                    declared.methods.iter().filter(|method| self.names.contains(&method.item.sig.ident.to_string()));
                self.methods.extend(named.cloned());
            }
        }
    }
}

/// Takes the methods out of the types that callees mention: a caller has those of the types in its own signature.
fn without_methods(payload: &mut Payload) {
    payload.callees.iter_mut().for_each(|(_, callee)| callee.types.iter_mut().for_each(|(_, ty)| strip(ty)));
}

fn strip(declared: &mut Declared) {
    declared.methods.clear();
    declared.types.iter_mut().for_each(|(_, ty)| strip(ty));
}
