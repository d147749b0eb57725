//! Device functions, written on demand.

use super::tables::Known;
use super::{Frame, Gen, Sig, Sink};
use crate::case::{Function, Index, Mode, Scalar, Ty};

/// The most functions of a case.
const MOST: usize = 5;

impl Gen {
    /// A call that returns a value of the type `ty`. Writes a function for it if there is room.
    pub(super) fn called(&mut self, ty: &Ty, depth: usize) -> Option<String> {
        let fits = |sig: &Sig, float: Scalar| {
            sig.sink.is_none()
                && !sig.params.iter().any(|p| matches!(p, Ty::Ref(true, _)))
                && sig.ret.as_ref().is_some_and(|ret| ret.with(float) == *ty)
                && self.can_call(sig)
        };
        let mut known = Vec::new();
        let own = (0..self.here.floats).map(Scalar::Param);
        for float in [Scalar::F64, Scalar::F32].into_iter().chain(own) {
            let found = self.sigs.iter().filter(|sig| fits(sig, float));
            known.extend(found.filter(|sig| sig.generic || float == Scalar::F64).map(|sig| (sig.clone(), float)));
        }
        if (known.is_empty() || self.r.chance(25)) && self.sigs.len() < MOST && self.here.nested < 2 {
            let (sig, float) = self.function_for(ty)?;
            return Some(self.call(&sig, float, depth));
        }
        if known.is_empty() {
            return None;
        }
        let (sig, float) = self.r.pick(&known).clone();
        Some(self.call(&sig, float, depth))
    }

    /// Whether this function has what the other one takes.
    fn can_call(&self, sig: &Sig) -> bool {
        sig.params.iter().all(|param| self.can_make(param))
    }

    fn call(&mut self, sig: &Sig, float: Scalar, depth: usize) -> String {
        self.mark("device function");
        if sig.generic {
            self.mark("generic device function");
        }
        let args: Vec<String> =
            sig.params.iter().map(|p| self.expr(&p.with(float), depth.saturating_sub(1).min(2), true)).collect();
        let lent = matches!(sig.ret, Some(Ty::Ref(..)));
        let stated = match sig.generic && self.r.chance(20) {
            true => {
                self.mark("stated parameters");
                format!("::<{}>", float.name())
            }
            false => String::new(),
        };
        format!("{}{}{stated}({})", if lent { "*" } else { "" }, sig.path, args.join(", "))
    }

    /// A new function that returns this type, and the type argument of this call.
    fn function_for(&mut self, ty: &Ty) -> Option<(Sig, Scalar)> {
        // Without a float the type parameter could not be inferred.
        let (_, param) = seen_by_function(ty)?;
        let found = param.or_else(|| ty.float().filter(|_| self.r.chance(35)));
        let (generic, float) = (found.is_some(), found.unwrap_or(Scalar::F64));
        let ret = if generic { generalised(ty, float, 0) } else { ty.clone() };
        if !self.leaves_out(super::CHOSEN)
            && self.r.chance(12)
            && !ty.is_reference()
            && !matches!(ty, Ty::Scalar(Scalar::Bool))
        {
            return self.choosing(&ret, generic).map(|sig| (sig, float));
        }
        let mut params = Vec::new();
        if generic {
            params.push(Ty::Scalar(Scalar::Param(0)));
        }
        for _ in 0..1 + self.r.below(3) {
            let by_reference = self.r.chance(35);
            let mut param = self.with_floats(generic, |g| g.ty(1));
            if by_reference {
                self.mark("parameter by reference");
                param = Ty::Ref(false, Box::new(param));
            }
            params.push(param);
        }
        self.mark(match ret {
            Ty::Array(..) => "function returning an array",
            Ty::Tuple(_) => "function returning a tuple",
            Ty::Record(_) => "function returning a record",
            _ => "function returning a scalar",
        });
        let sig = self.written(params, Some(ret), generic, None);
        Some((sig, float))
    }

    fn with_floats<T>(&mut self, generic: bool, f: impl FnOnce(&mut Self) -> T) -> T {
        let outer = std::mem::replace(&mut self.here.floats, usize::from(generic));
        let result = f(self);
        self.here.floats = outer;
        result
    }

    /// A function that returns one of its references.
    fn choosing(&mut self, of: &Ty, generic: bool) -> Option<Sig> {
        self.mark("function returning a reference");
        let (path, name, in_module) = self.place_of_function();
        let bound = if generic { ", F: Float" } else { "" };
        let chooses = self.r.chance(50);
        let (more, body) = if chooses { (", c: bool", "if c { a } else { b }") } else { ("", "let _ = b; a") };
        let vis = if in_module { "pub(crate) " } else { "" };
        let text = format!("{vis}fn {name}<'a{bound}>(a: &'a {of}, b: &'a {of}{more}) -> &'a {of} {{ {body} }}");
        let item = syn::parse_str(&text).ok()?;
        self.functions.push(Function { item, in_module });
        let lent = Ty::Ref(false, Box::new(of.clone()));
        let mut params = vec![lent.clone(), lent];
        params.extend(chooses.then_some(Ty::Scalar(Scalar::Bool)));
        // Callers use the value behind the reference.
        let sig = Sig { path: format!("*{path}"), params, ret: Some(of.clone()), generic, sink: None };
        self.sigs.push(sig.clone());
        Some(sig)
    }

    pub(super) fn place_of_function(&mut self) -> (String, String, bool) {
        let name = format!("fun{}", self.functions.len());
        let in_module = self.r.chance(30);
        if in_module {
            self.mark("device function of a module");
        }
        (if in_module { format!("deep::{name}") } else { name.clone() }, name, in_module)
    }

    /// Writes a function and its body.
    fn written(&mut self, mut params: Vec<Ty>, ret: Option<Ty>, generic: bool, sink: Option<(Mode, Ty)>) -> Sig {
        params.extend(self.table_to_lend());
        for node in [false, true] {
            // An element of each kind that the function may have to make.
            let mentioned = params.iter().chain(&ret).any(|ty| ty.has_index_of(node));
            let index = Ty::Index(Index::of(node));
            if mentioned && self.anchor(node).is_some() && !params.contains(&index) {
                params.push(index);
            }
        }
        let nested = self.here.nested + 1;
        // No `return` comes before the changes that the function must make.
        let frame = Frame { budget: 14, floats: usize::from(generic), nested, ..Frame::default() };
        let outer = std::mem::replace(&mut self.here, frame);
        let mut inputs = Vec::new();
        if let Some((mode, ty)) = &sink {
            inputs.push(format!("sink: &mut {ty}"));
            let name = "sink".to_owned();
            let sink = Sink { name, ty: ty.clone(), mode: *mode, entries: None, payload: None, used: false };
            self.here.sinks.push(sink);
        }
        for (n, ty) in params.iter().enumerate().skip(usize::from(sink.is_some())) {
            if let Ty::Ref(_, of) = ty
                && let Ty::Table(nodes, of) = &**of
            {
                let table = Known { name: format!("p{n}"), nodes: *nodes, ty: (**of).clone(), filled: *nodes };
                inputs.push(self.receive_table(table, false));
                continue;
            }
            let anchors = matches!(ty, Ty::Index(index) if !index.may_miss);
            if let Ty::Index(index) = ty
                && anchors
            {
                self.mark("index of a device function");
                self.here.anchors.push((index.node, format!("p{n}")));
            }
            let by_value = !matches!(ty, Ty::Ref(..)) && !anchors && self.r.chance(20);
            inputs.push(format!("{}p{n}: {ty}", if by_value { "mut " } else { "" }));
            self.declare(&format!("p{n}"), ty, by_value || matches!(ty, Ty::Ref(true, _)));
        }
        let count = 1 + self.r.below(3);
        let mut body = self.statements(count, 1);
        self.here.budget = self.here.budget.max(6);
        if sink.is_some() {
            body.push_str(&self.contribute());
        }
        let changed = params.iter().enumerate().find(|(_, p)| matches!(p, Ty::Ref(true, _)));
        if let (Some((n, Ty::Ref(_, of))), None) = (changed, &sink) {
            let value = self.expr(of, 2, false);
            body.push_str(&format!("*p{n} = {value};"));
        }
        self.here.ret = Some(ret.clone());
        let count = self.r.below(3);
        body.push_str(&self.statements(count, 1));
        let result = ret.as_ref().map(|ty| self.expr(ty, 2, false));
        // The functions that the body calls are complete by now, so they come first.
        self.here = outer;
        let (path, name, in_module) = self.place_of_function();
        let vis = if in_module { "pub(crate) " } else { "" };
        let bound = if generic { "<F: Float>" } else { "" };
        let arrow = ret.as_ref().map_or(String::new(), |ty| format!(" -> {ty}"));
        let text =
            format!("{vis}fn {name}{bound}({}){arrow} {{ {body} {} }}", inputs.join(", "), result.unwrap_or_default());
        let item = syn::parse_str(&text).unwrap_or_else(|e| panic!("{e} in\n{text}"));
        self.functions.push(Function { item, in_module });
        let sig = Sig { path, params, ret, generic, sink: sink.map(|(mode, _)| mode) };
        self.sigs.push(sig.clone());
        sig
    }

    /// A statement that calls a function which changes its arguments by reference.
    pub(super) fn call_changing(&mut self) -> String {
        let ty = self.with_floats(false, |g| g.ty(1));
        let vars: Vec<_> = self.visible().into_iter().filter(|v| v.mutable && !v.ty.is_generic()).collect();
        if vars.is_empty() {
            return self.let_scalar(2);
        }
        let of = match self.r.pick(&vars).ty.clone() {
            Ty::Ref(_, of) => *of,
            ty => ty,
        };
        if of.is_reference() || of.has_own_length() {
            return self.let_scalar(2);
        }
        let wanted = Ty::Ref(true, Box::new(of.clone()));
        let fits = |s: &&Sig| s.sink.is_none() && s.ret.is_none() && s.params[0] == wanted && self.can_call(s);
        let known = self.sigs.iter().find(fits).cloned();
        let sig = match known {
            Some(sig) => sig,
            None if self.sigs.len() < MOST && self.here.nested < 2 => self.written(vec![wanted, ty], None, false, None),
            None => return self.assign(),
        };
        let Some(var) = self.mutable_of(&of) else { return self.let_scalar(2) };
        self.mark("parameter by exclusive reference");
        self.here.frozen.push(var.name.clone());
        let rest: Vec<String> = sig.params[1..].iter().map(|p| self.expr(p, 2, true)).collect();
        self.here.frozen.pop();
        let lent = if matches!(var.ty, Ty::Ref(..)) { var.name } else { format!("&mut {}", var.name) };
        format!("{}({lent}, {});", sig.path, rest.join(", "))
    }

    /// A call of a function that contributes to its argument, the place `lent`.
    pub(super) fn contribute_by_call(&mut self, mode: Mode, ty: &Ty, lent: &str) -> Option<String> {
        let (inside, param) = seen_by_function(ty)?;
        let wanted = Ty::Ref(true, Box::new(inside.clone()));
        let fits = |s: &&Sig| s.sink == Some(mode) && s.params[0] == wanted && self.can_call(s);
        let known = self.sigs.iter().find(fits).cloned();
        let generic = param.is_some();
        let sig = match known {
            Some(sig) => sig,
            None if self.sigs.len() < MOST && self.here.nested == 0 => {
                let more = self.with_floats(generic, |g| g.ty(1));
                self.written(vec![wanted, more], None, generic, Some((mode, inside)))
            }
            None => return None,
        };
        self.mark("contribution of a device function");
        let float = param.unwrap_or(Scalar::F64);
        let rest: Vec<String> = sig.params[1..].iter().map(|p| self.expr(&p.with(float), 2, true)).collect();
        Some(format!("{}({lent}, {});", sig.path, rest.join(", ")))
    }
}

/// The type with a type parameter in place of one float type.
pub(super) fn generalised(ty: &Ty, float: Scalar, param: usize) -> Ty {
    let inside = |ty: &Ty| generalised(ty, float, param);
    match ty {
        Ty::Scalar(s) if *s == float && s.is_float() => Ty::Scalar(Scalar::Param(param)),
        Ty::Scalar(s) => Ty::Scalar(*s),
        Ty::Index(_) => ty.clone(),
        Ty::Table(nodes, of) => Ty::Table(*nodes, Box::new(inside(of))),
        Ty::Array(of, len) => Ty::Array(Box::new(inside(of)), *len),
        Ty::Tuple(parts) => Ty::Tuple(parts.iter().map(inside).collect()),
        Ty::Record(record) => Ty::Record(record.with(float, Scalar::Param(param))),
        Ty::Ref(mutable, of) => Ty::Ref(*mutable, Box::new(inside(of))),
    }
}

/// The type as a device function with one type parameter states it, and the parameter of the caller that this one stands
/// for. There is none for a type with both parameters of a kernel, or with its length.
pub(super) fn seen_by_function(ty: &Ty) -> Option<(Ty, Option<Scalar>)> {
    let params: Vec<Scalar> = (0..2).map(Scalar::Param).filter(|&param| ty.mentions(param)).collect();
    match params[..] {
        _ if ty.has_own_length() => None,
        [] => Some((ty.clone(), None)),
        [param] => Some((generalised(ty, param, 0), Some(param))),
        _ => None,
    }
}
