//! Declared types: records with their values, fields and patterns, and aliases.

use proc_macro2::Ident;
use syn::spanned::Spanned;
use syn::{Expr as SynExpr, ExprPath, ExprStruct, FieldPat, GenericArgument, Member, PatStruct, Path, PathArguments};

use std::rc::Rc;

use crate::ir::{
    Block, ConstId, ConstUse, Expr, ExprKind, Func, Len, Lit, Part, Pat, Record, RecordValue, Scalar, Stmt, Sugar, Ty,
    print,
};
use crate::payload::{Declaration, Declared};

use super::declaration;
use super::expr::{hole, named};
use super::nearest::nearest;
use super::path::{first_span, without_arguments};
use super::pattern::part_of;
use super::scope::FnParser;
use super::types::{Position, is_declared};

impl<'a> FnParser<'a> {
    /// The type that a path names; [`Ty::HOLE`] as long as declarations are not known.
    pub(super) fn declared_type(&mut self, path: &Path) -> Ty {
        let Some(declared) = self.declared(path) else { return Ty::HOLE };
        let (word, text) = (declared.item.word(), print::tokens(path));
        match (self.float_argument(path), declared.item.float()) {
            (None, None) => self.instance(declared, path, &Ty::HOLE),
            (Some(float), Some(_)) => self.instance(declared, path, &float),
            (None, Some(name)) => {
                let message = format!("{word} `{text}` lacks its float type `{name}`: write `{text}<f64>`");
                self.wrong_tokens(path, message);
                Ty::HOLE
            }
            (Some(_), None) => {
                let name = declared.item.name().1;
                self.wrong_tokens(path, format!("{word} `{name}` has no type parameters: write `{name}`"));
                Ty::HOLE
            }
        }
    }

    /// `Prim { rho, u, p }`, `Prim { p: 1.0, ..q }`
    pub(super) fn record_value(&mut self, e: &ExprStruct) -> Expr {
        let span = first_span(&e.path);
        let Some(declared) = self.declared(&e.path) else {
            e.fields.iter().for_each(|field| drop(self.expr(&field.expr)));
            return self.placeholder(span);
        };
        let generic = declared.item.float().is_some() && self.float_argument(&e.path).is_none();
        let ty = match generic {
            // `model` finds out what the type parameter stands for.
            true => self.instance(declared, &e.path, &Ty::Scalar(Scalar::Generic(0))),
            false => self.declared_type(&e.path),
        };
        let Ty::Record(record, _) = &ty else { return self.no_record(&e.path) };
        let record = record.clone();
        let mut written = Vec::new();
        let mut items: Vec<Option<Expr>> = record.fields.iter().map(|_| None).collect();
        let mut sorted = e.rest.is_none();
        let mut last = None;
        for field in &e.fields {
            let value = self.expr(&field.expr);
            let Some(n) = self.member(&record, &field.member) else { return self.placeholder(span) };
            if items[n].is_some() {
                self.wrong_tokens(&field.member, format!("field `{}` has a value already", record.fields[n]));
                continue;
            }
            sorted &= last < Some(n);
            last = Some(n);
            items[n] = Some(value);
            written.push(n);
        }
        let (items, stmts) = match sorted && written.len() == items.len() {
            true => (items.into_iter().flatten().collect(), Vec::new()),
            false => self.in_order(e, &record, items, &written),
        };
        let value = hole(ExprKind::Sugar(Sugar::Record(RecordValue { ty, generic, items })), span);
        match stmts.is_empty() {
            true => value,
            false => hole(ExprKind::Block(Block { stmts, tail: Some(Box::new(value)), ty: Ty::HOLE }), span),
        }
    }

    /// The values of all fields, which are computed in the order of the text: first those that are written, then what
    /// stands behind `..`.
    fn in_order(
        &mut self,
        e: &ExprStruct,
        record: &Record,
        mut items: Vec<Option<Expr>>,
        written: &[usize],
    ) -> (Vec<Expr>, Vec<Stmt>) {
        let mut stmts = Vec::new();
        for n in written {
            let Some(value) = items[*n].take() else { continue };
            let span = value.span;
            let id = self.hidden(&record.fields[*n].to_string(), span, Ty::HOLE);
            stmts.push(Stmt::Let { pat: Pat::Local(id), init: Some(value) });
            items[*n] = Some(hole(ExprKind::Local(id), span));
        }
        let base = e.rest.as_ref().map(|rest| {
            let base = self.expr(rest);
            self.held(base, Ty::HOLE, &mut stmts)
        });
        let missing: Vec<String> = record
            .fields
            .iter()
            .zip(&items)
            .filter(|(_, item)| item.is_none())
            .map(|(name, _)| format!("`{name}`"))
            .collect();
        if base.is_none() && !missing.is_empty() {
            let (name, missing) = (&record.name, missing.join(", "));
            self.wrong_tokens(&e.path, format!("record `{name}` lacks a value for {missing}"));
        }
        let span = first_span(&e.path);
        let items = items.into_iter().zip(&record.fields).map(|(item, name)| match (item, &base) {
            (Some(item), _) => item,
            (None, Some(base)) => named(base.clone(), name),
            (None, None) => super::scope::placeholder(span),
        });
        (items.collect(), stmts)
    }

    /// `Kind::Wall`: the value of an enum; `None` if the path is none of a variant.
    pub(super) fn variant(&mut self, e: &ExprPath) -> Option<Expr> {
        let (owner, name) = super::path::variant(e)?;
        if !is_declared(&owner, &self.floats) {
            return None;
        }
        let span = first_span(&e.path);
        let Some(declared) = self.declared(&owner) else { return Some(self.placeholder(span)) };
        let ty = self.instance(declared, &owner, &Ty::HOLE);
        let Ty::Record(record, _) = &ty else { return Some(self.no_record(&owner)) };
        let Some((_, number)) = record.variants.iter().find(|(variant, _)| variant == name) else {
            let names: Vec<String> = record.variants.iter().map(|(name, _)| name.to_string()).collect();
            let hint = match nearest(&name.to_string(), names.iter().map(String::as_str)) {
                Some(near) => format!("; did you mean `{near}`?"),
                None if names.is_empty() => ": it is no enum".to_owned(),
                None => format!(": expected one of `{}`", names.join("`, `")),
            };
            let message = format!("`{}` has no variant `{name}`{hint}", record.name);
            return Some(self.wrong(name.span(), message));
        };
        let number = Expr { kind: ExprKind::Lit(Lit::Int((*number).into())), ty: Ty::Scalar(Scalar::U8), span };
        let value = RecordValue { ty, generic: false, items: vec![number] };
        Some(hole(ExprKind::Sugar(Sugar::Record(value)), span))
    }

    /// The number of the field that a literal or a pattern names.
    fn member(&mut self, record: &Record, member: &Member) -> Option<usize> {
        let name = match member {
            Member::Named(name) => name.clone(),
            Member::Unnamed(index) => Ident::new(&format!("_{}", index.index), index.span),
        };
        let found = record.field(&name);
        if found.is_none() {
            let message = unknown_field(record, &print::tokens(member));
            self.wrong_tokens(member, message);
        }
        found
    }

    /// The patterns in `Prim { rho, u: [a, b, _], .. }`, each with the part of the value that it stands for.
    pub(super) fn fields_of<'p>(&mut self, pat: &'p PatStruct) -> Vec<(&'p syn::Pat, Part)> {
        let Some(declared) = self.declared(&pat.path) else {
            let parts = pat.fields.iter().map(|field| &*field.pat);
            return parts.map(|pat| (pat, Part::Named { index: 0 })).collect();
        };
        let Ty::Record(record, _) = self.instance(declared, &pat.path, &Ty::HOLE) else {
            self.no_record(&pat.path);
            return Vec::new();
        };
        if pat.rest.is_none() && pat.fields.len() < record.fields.len() {
            let of =
                |name: &Ident| pat.fields.iter().any(|field| matches!(&field.member, Member::Named(n) if n == name));
            let missing: Vec<String> =
                record.fields.iter().filter(|name| !of(name)).map(|name| format!("`{name}`")).collect();
            let message = format!("pattern of record `{}` lacks {}: add `..`", record.name, missing.join(", "));
            self.wrong_tokens(&pat.path, message);
        }
        let part = |p: &mut Self, field: &'p FieldPat| {
            // The names of the pattern are bound all the same, so that their uses are not reported as errors.
            let index = p.member(&record, &field.member).unwrap_or(0);
            (&*field.pat, Part::Named { index })
        };
        pat.fields.iter().map(|field| part(self, field)).collect()
    }

    /// The condition under which the pattern of a record matches.
    pub(super) fn fields_match(&mut self, pat: &PatStruct, value: &Expr) -> Option<Expr> {
        let parts = self.fields_of(pat);
        self.all_match(parts, value)
    }

    /// Binds the names in the pattern of a record.
    pub(super) fn bind_fields(
        &mut self,
        pat: &PatStruct,
        value: &Expr,
        role: super::pattern::Role,
        stmts: &mut Vec<Stmt>,
    ) {
        for (part, at) in self.fields_of(pat) {
            self.bind_parts(part, part_of(value, at, part.span()), role, stmts);
        }
    }

    /// The declaration of a record; `None` if it is not known yet, or after an error.
    pub(super) fn declared(&mut self, path: &Path) -> Option<&'a Declared> {
        let types = self.types?;
        let wanted = without_arguments(path);
        let found = types.iter().find(|(path, _)| *path == wanted).map(|(_, declared)| declared);
        match found {
            Some(declared) => self.names.declared(&wanted, declared.site, declared.item.float().is_some()),
            None => {
                let text = print::tokens(&wanted);
                let message = format!(
                    "`{text}` is not known as a type: mark its declaration `#[op2::record]`, or `#[op2::alias]` if it is a `type`"
                );
                self.errors.once(first_span(path), message);
            }
        }
        found
    }

    /// Reports the value or the pattern of a record whose path is an alias of something else.
    pub(super) fn no_record(&mut self, path: &Path) -> Expr {
        let text = print::tokens(path);
        self.errors.once(first_span(path), format!("`{text}` has no fields: it is no record"));
        self.placeholder(first_span(path))
    }

    /// The type argument of a path.
    fn float_argument(&mut self, path: &Path) -> Option<Ty> {
        let PathArguments::AngleBracketed(list) = &path.segments.last()?.arguments else { return None };
        if let [GenericArgument::Type(ty)] = list.args.iter().collect::<Vec<_>>()[..] {
            let float = self.ty(ty, Position::Let);
            if matches!(float, Ty::Infer(_)) || matches!(float, Ty::Scalar(s) if s.is_float()) {
                return Some(float);
            }
        }
        let (text, name) = (print::tokens(list), print::tokens(&without_arguments(path)));
        self.wrong_tokens(list, format!("type arguments `{text}` of `{name}`: expected one float type"));
        Some(Ty::HOLE)
    }

    /// A declared type, its type parameter replaced by `float`. `path` names it here.
    pub(super) fn instance(&mut self, declared: &Declared, path: &Path, float: &Ty) -> Ty {
        // Faults were reported at the declaration.
        let Ok(fields) = declaration::fields(declared) else { return Ty::HOLE };
        let (shown, types) = (without_arguments(path), fields.params.iter().map(|param| &param.ty));
        let mut types: Vec<Ty> = types.map(|ty| self.field_type(ty, &fields, (declared.site, &shown), float)).collect();
        match &declared.item {
            Declaration::Record(item) => {
                let names = item.fields.iter().filter_map(|field| field.ident.clone()).collect();
                let is_generic = declared.item.float().is_some();
                let (name, site, variants) = (item.ident.clone(), declared.site, Vec::new());
                Ty::Record(Rc::new(Record { name, site, is_generic, fields: names, variants }), types)
            }
            Declaration::Enum(item) => {
                let (name, site) = (item.ident.clone(), declared.site);
                let variants = declaration::numbers(item).unwrap_or_default();
                let record = Record { name, site, is_generic: false, fields: Vec::new(), variants };
                Ty::Record(Rc::new(record), types)
            }
            Declaration::Alias(_) => types.remove(0),
        }
    }

    /// The type of a field as one of this function.
    fn field_type(&mut self, ty: &Ty, fields: &Func, of: (u64, &Path), float: &Ty) -> Ty {
        let mut inner = |ty: &Ty| self.field_type(ty, fields, of, float);
        match ty {
            Ty::Scalar(Scalar::Generic(_)) => float.clone(),
            Ty::Array(elem, len) => {
                let elem = inner(elem);
                let len = match len {
                    Len::Const(id) => self.length_of(*id, &fields.consts[id.0], of),
                    len => len.clone(),
                };
                Ty::Array(Box::new(elem), len)
            }
            Ty::Tuple(parts) => Ty::Tuple(parts.iter().map(inner).collect()),
            Ty::Record(record, parts) => Ty::Record(record.clone(), parts.iter().map(inner).collect()),
            ty => ty.clone(),
        }
    }

    /// A length in a record as a constant of this function, under a name that shows both.
    fn length_of(&mut self, id: ConstId, length: &ConstUse, (site, record): (u64, &Path)) -> Len {
        let path = match &length.path {
            SynExpr::Path(path) => {
                let mut shown = record.clone();
                shown.segments.extend(path.path.segments.clone());
                syn::parse_quote!(#shown)
            }
            computed => syn::parse_quote!((#record + #computed)),
        };
        let of_type = length.of_type.or(Some((site, id.0)));
        Len::Const(self.constant_use(ConstUse { path, of_type, ..length.clone() }))
    }
}

/// A field that a record lacks.
pub(crate) fn unknown_field(record: &Record, found: &str) -> String {
    let names: Vec<String> = record.fields.iter().map(Ident::to_string).collect();
    let (name, list) = (&record.name, names.join("`, `"));
    match nearest(found, names.iter().map(String::as_str)) {
        Some(near) => format!("record `{name}` has no field `{found}`; did you mean `{near}`?"),
        None => format!("record `{name}` has no field `{found}`: expected one of `{list}`"),
    }
}
