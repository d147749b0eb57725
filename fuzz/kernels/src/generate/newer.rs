//! Methods of records, closures that make arrays, functions generic over lengths, and lengths as values.

use super::functions::seen_by_function;
use super::{Frame, Gen, Var};
use crate::case::{Function, Index, Len, Record, Scalar, Ty};

/// The most functions of a case that are generic over a length.
const MOST: usize = 2;

/// A device function that is generic over a length, as calls see it.
#[derive(Debug, Clone)]
pub(super) struct Lengthy {
    path: String,
    of: Ty,
}

impl Gen {
    /// An array whose elements a closure makes.
    pub(super) fn array_by_closure(&mut self, of: &Ty, len: Len, depth: usize) -> String {
        self.here.names += 1;
        let name = format!("v{}", self.here.names);
        if self.r.chance(50) {
            self.mark("array::from_fn");
            let ty = Ty::Scalar(Scalar::Usize);
            let counter = Var { name: name.clone(), ty, mutable: false, below: Some(len.number()), open: false };
            let value = self.within(counter, |g| g.expr(of, depth, true));
            return format!("std::array::from_fn::<{of}, {len}, _>(|{name}| {value})");
        }
        self.mark("map");
        let from = Ty::Scalar(self.scalar());
        let array = self.expr(&Ty::Array(Box::new(from.clone()), len), depth, true);
        let element = Var { name: name.clone(), ty: from.clone(), mutable: false, below: None, open: false };
        let value = self.within(element, |g| g.expr(of, depth, true));
        format!("({array}).map(|{name}: {from}| -> {of} {{ {value} }})")
    }

    /// Writes a part of the text in which there is one more variable.
    fn within(&mut self, var: Var, write: impl FnOnce(&mut Self) -> String) -> String {
        self.scoped(|g| {
            g.here.scope.push(var);
            write(g)
        })
    }

    /// A call of a function that is generic over the length of its arrays.
    pub(super) fn called_with_length(&mut self, of: &Ty, len: Len, depth: usize) -> Option<String> {
        // Without an element of the type parameter, nothing would tell what it stands for.
        let (inside, param) = seen_by_function(of)?;
        if of.has_index() && !matches!(of, Ty::Index(_)) {
            return None;
        }
        let known = self.lengthy.iter().find(|lengthy| lengthy.of == inside).cloned();
        let callee = match known {
            Some(callee) => callee,
            None if self.lengthy.len() < MOST && self.here.nested == 0 => self.lengthy(&inside)?,
            None => return None,
        };
        self.mark("generic length");
        let array = Ty::Array(Box::new(of.clone()), len);
        let (a, b) = (self.expr(&array, depth, true), self.expr(&array, depth, true));
        let stated = match self.r.below(4) {
            0 => format!("::<{}{len}>", param.map_or(String::new(), |param| format!("{}, ", param.name()))),
            1 => format!("::<{}{len}>", param.map_or("", |_| "_, ")),
            _ => String::new(),
        };
        Some(format!("{}{stated}(&({a}), {b})", callee.path))
    }

    /// A new function that computes an array from two others, element by element.
    fn lengthy(&mut self, of: &Ty) -> Option<Lengthy> {
        let generic = of.is_generic();
        let nested = self.here.nested + 1;
        let frame = Frame { budget: 10, floats: usize::from(generic), nested, ..Frame::default() };
        let outer = std::mem::replace(&mut self.here, frame);
        self.declare("x", of, false);
        if let Ty::Index(Index { node, may_miss: false }) = of {
            self.here.anchors.push((*node, "x".to_owned()));
        }
        self.declare("y", &Ty::Ref(false, Box::new(of.clone())), false);
        self.declare("k", &Ty::Scalar(Scalar::Usize), false);
        let value = self.expr(of, 2, true);
        self.here = outer;
        let (path, name, in_module) = self.place_of_function();
        let vis = if in_module { "pub(crate) " } else { "" };
        let bound = if generic { "F: Float, " } else { "" };
        let looped = match self.r.below(3) {
            0 => format!("for k in 0..N {{ let (x, y) = (a[k], &b[k]); c[k] = {value}; }}"),
            1 => format!("for (k, (y, c)) in a.iter().zip(c.iter_mut()).enumerate() {{ let x = b[k]; *c = {value}; }}"),
            _ => format!("c = std::array::from_fn(|k| {{ let (x, y) = (b[k], &a[N - 1 - k]); {value} }});"),
        };
        let text = format!(
            "{vis}fn {name}<{bound}const N: usize>(a: &[{of}; N], b: [{of}; N]) -> [{of}; N] {{ let mut c = b; {looped} c }}"
        );
        let item = syn::parse_str(&text).unwrap_or_else(|e| panic!("{e} in\n{text}"));
        self.functions.push(Function { item, in_module });
        let lengthy = Lengthy { path, of: of.clone() };
        self.lengthy.push(lengthy.clone());
        Some(lengthy)
    }

    /// A record by a method.
    pub(super) fn record_by_method(&mut self, record: Record, depth: usize) -> Option<String> {
        let whole = Ty::Record(record);
        let scalar = match record {
            Record::Flat => Scalar::F64,
            Record::Both(float) => float,
            Record::Kind => {
                self.mark("method");
                return Some(format!("({}).next()", self.expr(&whole, depth, true)));
            }
            _ => return None,
        };
        self.mark("method");
        let number = self.expr(&Ty::Scalar(scalar), depth, true);
        Some(match self.r.below(3) {
            0 => {
                self.mark("function of a record");
                format!("{}::start({number})", record.name())
            }
            1 => format!("({}).moved({number})", self.expr(&whole, depth, true)),
            _ => {
                self.mark("method named as one of floats");
                format!("({}).max({})", self.expr(&whole, depth, true), self.expr(&whole, depth, true))
            }
        })
    }

    /// A float by a method of a record in scope.
    pub(super) fn float_by_method(&mut self, s: Scalar) -> Option<String> {
        let record = if s == Scalar::F64 && self.r.chance(50) { Record::Flat } else { Record::Both(s) };
        let held = self.held(&Ty::Record(record), true)?;
        self.mark("method by reference");
        Some(format!("{held}.sum()"))
    }

    /// A statement that changes a record by a method, whose argument may read it.
    pub(super) fn change_by_method(&mut self) -> Option<String> {
        let scalar = |ty: &Ty| match ty {
            Ty::Record(Record::Flat) => Some(Scalar::F64),
            Ty::Record(Record::Both(float)) => Some(*float),
            _ => None,
        };
        let found: Vec<(String, Scalar)> = self
            .visible()
            .into_iter()
            .filter(|var| var.mutable)
            .filter_map(|var| {
                let ty = if let Ty::Ref(true, of) = &var.ty { of } else { &var.ty };
                Some((var.name.clone(), scalar(ty)?))
            })
            .collect();
        if found.is_empty() {
            return None;
        }
        self.mark("method by exclusive reference");
        let (name, scalar) = self.r.pick(&found).clone();
        Some(format!("{name}.scale({});", self.expr(&Ty::Scalar(scalar), 2, true)))
    }

    /// An element of an array whose length is computed.
    pub(super) fn of_computed_length(&mut self, ty: &Ty, depth: usize) -> String {
        self.mark("computed length");
        let (value, at) = (self.expr(ty, depth, true), self.index(Len::NAMED + 1));
        format!("[{value}; NVAR + 1][{at}]")
    }

    /// The length of an array in scope.
    pub(super) fn length(&mut self) -> Option<String> {
        let (var, _, _) = self.some_array(|_| true)?;
        self.mark("len");
        Some(format!("{}.len()", var.name))
    }

    /// A pattern that may not match, after which the function or the round of a loop ends.
    pub(super) fn or_leave(&mut self) -> Option<String> {
        let leave = self.leaving()?;
        self.mark("let else");
        let (value, most) = (self.expr(&Ty::Scalar(Scalar::I32), 2, true), 1 + self.r.below(6));
        Some(format!("let 0..={most} = ({value} & 7) else {{ {leave}; }};"))
    }

    /// What leaves the round of a loop, or the function.
    pub(super) fn leaving(&mut self) -> Option<String> {
        Some(match (self.here.loops.is_empty(), self.here.ret.clone()) {
            (false, _) => (*self.r.pick(&["continue", "break"])).to_owned(),
            (true, Some(Some(ty))) => format!("return {}", self.expr(&ty, 2, false)),
            (true, Some(None)) => "return".to_owned(),
            (true, None) => return None,
        })
    }
}
