//! Writes out the forms of [`Sugar`]: parts of patterns, loops over arrays, lengths.

use proc_macro2::Span;

use crate::ir::{
    Binary, Each, Expr, ExprKind, Intrinsic, Len, Lit, LocalId, Loop, LoopId, LoopKind, NO_INDEX, Part, Question,
    Scalar, Sugar, Taken, Ty,
};

use super::lend::Own;
use super::{Infer, place_name, wrap_deref};
use crate::model::table::Kind;

/// A loop over arrays whose body is visited.
pub(super) struct Round {
    id: LoopId,
    counter: LocalId,
    sources: Vec<Side>,
}

/// One of its arrays.
struct Side {
    array: Place,
    how: Taken,
}

/// A value without the references before it.
pub(super) struct Place {
    /// The place of the value itself.
    pub(super) place: Expr,
    pub(super) ty: Ty,
    /// Whether it was reached through references, and whether all of them are mutable.
    through: Option<bool>,
}

impl Infer<'_> {
    pub(super) fn sugar(&mut self, kind: &mut ExprKind, span: Span) -> Ty {
        let nothing = ExprKind::Tuple(Vec::new());
        let ExprKind::Sugar(sugar) = std::mem::replace(kind, nothing) else { return Ty::Unit };
        let written = match sugar {
            Sugar::Len(array) => self.length(*array, span),
            Sugar::Borrow(mutable, array) => self.borrowed(mutable, *array, span),
            Sugar::Held(mut value) => {
                self.expr(&mut value);
                *value
            }
            Sugar::Owned(mut array) => {
                let ty = self.expr(&mut array);
                self.lend("map", &ty, Own::Value, span);
                self.behind(*array, ty).place
            }
            Sugar::Zero => {
                let ty = self.table.fresh(Kind::Any);
                Expr { kind: ExprKind::Sugar(Sugar::Zero), ty, span }
            }
            Sugar::Extent(id) => Expr { kind: ExprKind::Sugar(Sugar::Extent(id)), ty: Ty::Scalar(Scalar::Usize), span },
            Sugar::Part(value, part) => self.part(*value, part, span),
            Sugar::Named(whole, name) => self.named_field(*whole, &name, span),
            Sugar::Record(value) => self.record(value, span),
            Sugar::Method(call) => self.method(call, span),
            Sugar::Stated(call) => self.stated_call(call, span),
            Sugar::Ask(question, table, args) => self.ask(question, *table, args, span),
            Sugar::Asked(value, by) => self.asked(*value, by, span),
            Sugar::NoIndex => {
                Expr { kind: ExprKind::Lit(Lit::Int(u128::from(NO_INDEX))), ty: Ty::Scalar(Scalar::MaybeIdx), span }
            }
            Sugar::Item(id, n) => self.item(id, n, span),
            Sugar::Each(each) => self.each_round(each, span),
        };
        *kind = written.kind;
        written.ty
    }

    /// The counters of the loops over arrays round the current place.
    pub(super) fn is_counter(&self, id: LocalId) -> bool {
        self.each.iter().any(|round| round.counter == id)
    }

    /// Infers a value and follows its references.
    fn followed(&mut self, mut value: Expr) -> Place {
        let ty = self.expr(&mut value);
        self.behind(value, ty)
    }

    /// Follows the references of a value.
    pub(super) fn behind(&mut self, mut value: Expr, ty: Ty) -> Place {
        let mut ty = self.table.shallow(&ty);
        let mut through = None;
        while let Ty::Ref(mutable, inner) = ty {
            through = Some(mutable && through.unwrap_or(true));
            ty = self.table.shallow(&inner);
            wrap_deref(&mut value, ty.clone());
        }
        Place { place: value, ty, through }
    }

    /// The array whose method of slices is called; a trait in scope could have one of that name, too.
    fn receiver(&mut self, method: &str, mut array: Expr) -> Place {
        let (ty, span) = (self.expr(&mut array), array.span);
        // A row has methods of its own, which Rust finds first.
        let known = self.table.deep(&ty);
        if !known.is_row() && !known.is_table() {
            self.lend(method, &ty, Own::Slice, span);
        }
        self.behind(array, ty)
    }

    /// A method of a table.
    fn ask(&mut self, question: Question, table: Expr, mut args: Vec<Expr>, span: Span) -> Expr {
        let table = self.followed(table);
        let Ty::Table(value) = table.ty else {
            let (name, found) = (question.name(), self.describe(&table.ty));
            let message = format!("method `{name}`: expected a table, `&Table<S, V>`, found {found}");
            return self.wrong(span, message);
        };
        let ty = match question {
            Question::At => {
                self.coerce(&mut args[0], &Ty::Scalar(Scalar::Idx));
                *value
            }
            Question::Len => Ty::Scalar(Scalar::Usize),
            Question::Nth => {
                self.coerce(&mut args[0], &Ty::Scalar(Scalar::U32));
                Ty::Scalar(Scalar::Idx)
            }
            Question::Number => {
                self.coerce(&mut args[0], &Ty::Scalar(Scalar::Idx));
                Ty::Scalar(Scalar::U32)
            }
        };
        Expr { kind: ExprKind::Ask(question, Box::new(table.place), args), ty, span }
    }

    /// A value that is an index, or none.
    fn asked(&mut self, value: Expr, by: &str, span: Span) -> Expr {
        let asked = self.followed(value);
        if self.table.unify(&Ty::Scalar(Scalar::MaybeIdx), &asked.ty).is_err() {
            let found = self.describe(&asked.ty);
            let message = format!(
                "{by}: expected an index that may be missing, `Option<Idx<S>>`, or a parameter that is an option, found {found}"
            );
            return self.wrong(span, message);
        }
        Expr { ty: Ty::Scalar(Scalar::MaybeIdx), ..asked.place }
    }

    fn length(&mut self, array: Expr, span: Span) -> Expr {
        let array = self.receiver("len", array);
        if let Ty::Table(_) = array.ty {
            let kind = ExprKind::Ask(Question::Len, Box::new(array.place), Vec::new());
            return Expr { kind, ty: Ty::Scalar(Scalar::Usize), span };
        }
        let Ty::Array(_, len) = &array.ty else {
            if self.table.kind(&array.ty) == Some(Kind::Any) {
                return self.unknown_length(&array.place, span);
            }
            let message = format!("method `len`: expected an array, found {}", self.describe(&array.ty));
            return self.wrong(span, message);
        };
        if !is_place(&array.place) {
            return self
                .wrong(span, "method `len` of a value: expected a variable or a part of one; bind it with `let`");
        }
        match self.table.len(len) {
            Len::Infer(_) => self.unknown_length(&array.place, span),
            Len::Row => {
                let kind = ExprKind::Length(Box::new(array.place));
                Expr { kind, ty: Ty::Scalar(Scalar::Usize), span }
            }
            len => count(&len, span),
        }
    }

    fn borrowed(&mut self, mutable: bool, array: Expr, span: Span) -> Expr {
        let method = if mutable { "iter_mut" } else { "iter" };
        let Place { place, ty, .. } = self.receiver(method, array);
        if !matches!(ty, Ty::Array(..)) {
            let message = format!("method `{method}`: expected an array, found {}", self.describe(&ty));
            return self.wrong(span, message);
        }
        reference(mutable, place, ty, span)
    }

    /// What a pattern binds to a part of a value.
    fn part(&mut self, value: Expr, part: Part, span: Span) -> Expr {
        let Place { place, ty, through } = self.followed(value);
        match part {
            Part::Field { index, of } => {
                let parts = match &ty {
                    Ty::Tuple(parts) if parts.len() == of => parts.clone(),
                    Ty::Infer(_) if self.table.kind(&ty) == Some(Kind::Any) => {
                        let parts: Vec<Ty> = (0..of).map(|_| self.table.fresh(Kind::Any)).collect();
                        // An unknown type can become a tuple.
                        let _ = self.table.unify(&ty, &Ty::Tuple(parts.clone()));
                        parts
                    }
                    _ => {
                        let found = self.describe(&ty);
                        return self
                            .wrong(span, format!("pattern of {of} parts: expected a tuple of as many, found {found}"));
                    }
                };
                let kind = ExprKind::Field(Box::new(place), index);
                taken(kind, parts[index].clone(), through, span)
            }
            Part::Named { index } => match &ty {
                Ty::Record(_, fields) if index < fields.len() => {
                    taken(ExprKind::Field(Box::new(place), index), fields[index].clone(), through, span)
                }
                _ => {
                    let found = self.describe(&ty);
                    self.wrong(span, format!("pattern of a record: expected one, found {found}"))
                }
            },
            Part::Element { index, of } => {
                self.element(place, &ty, through, (usize_literal(index, span), Some(of), span))
            }
            Part::FromStart { index, of } => {
                self.at_least(&ty, of, span);
                self.element(place, &ty, through, (usize_literal(index, span), None, span))
            }
            Part::FromEnd { back, of } => {
                let index = self.at_least(&ty, of, span).map(|len| from_end(&len, back, span));
                let index = index.unwrap_or_else(|| usize_literal(0, span));
                self.element(place, &ty, through, (index, None, span))
            }
        }
    }

    fn element(
        &mut self,
        place: Expr,
        ty: &Ty,
        through: Option<bool>,
        (index, of, span): (Expr, Option<usize>, Span),
    ) -> Expr {
        let (elem, len) = match ty {
            Ty::Array(elem, len) => ((**elem).clone(), len.clone()),
            Ty::Infer(_) if self.table.kind(ty) == Some(Kind::Any) => {
                let (elem, len) = (self.table.fresh(Kind::Any), self.table.fresh_len());
                // An unknown type can become an array.
                let _ = self.table.unify(ty, &Ty::Array(Box::new(elem.clone()), len.clone()));
                (elem, len)
            }
            _ => {
                let found = self.describe(ty);
                return self.wrong(span, format!("array pattern: expected an array, found {found}"));
            }
        };
        if let Some(of) = of
            && self.table.unify_len(&len, &Len::Lit(of)).is_err()
        {
            let found = self.describe(ty);
            return self.wrong(span, format!("array pattern of {of} elements: expected as many, found {found}"));
        }
        taken(ExprKind::Index(Box::new(place), Box::new(index)), elem, through, span)
    }

    /// The length of an array that a pattern with `..` matches. Whether a constant is large enough, the compiler sees.
    fn at_least(&mut self, ty: &Ty, of: usize, span: Span) -> Option<Len> {
        let len = match ty {
            Ty::Array(_, len) => self.table.len(len),
            _ => return None,
        };
        match len {
            Len::Lit(n) if n < of => {}
            Len::Infer(_) | Len::Row => {}
            len => return Some(len),
        }
        let found = self.describe(ty);
        let message = format!(
            "array pattern with `..` beside {of} elements: expected an array of as many or more, found {found}"
        );
        self.errors.once(span, message);
        None
    }

    fn item(&mut self, id: LoopId, n: usize, span: Span) -> Expr {
        let Some(round) = self.each.iter().rev().find(|round| round.id == id) else {
            return placeholder(Ty::Unit, span);
        };
        let Side { array, how } = &round.sources[n];
        let Ty::Array(elem, _) = &array.ty else { return placeholder(self.table.fresh(Kind::Any), span) };
        let counter = Expr { kind: ExprKind::Local(round.counter), ty: Ty::Scalar(Scalar::Usize), span };
        let kind = ExprKind::Index(Box::new(array.place.clone()), Box::new(counter));
        if *how == Taken::Copied && array.through.is_none() {
            return self.wrong(span, "`.copied()` of elements that are no references: remove it");
        }
        taken(kind, (**elem).clone(), array.through.filter(|_| *how == Taken::AsItIs), span)
    }

    fn each_round(&mut self, each: Each, span: Span) -> Expr {
        let Each { id, counter, sources, made, reversed, mut body } = each;
        let (mut sides, mut lens) = (Vec::new(), Vec::new());
        for source in sources {
            let place = source.array.span;
            let array = self.followed(source.array);
            match &array.ty {
                Ty::Array(_, len) => match self.table.len(len) {
                    Len::Infer(_) => {
                        self.unknown_length(&array.place, place);
                    }
                    Len::Row => {
                        let name = self.name_of(&array.place);
                        let what = if made.is_some() { "method `map`: " } else { "" };
                        let message = format!(
                            "{what}`{name}` is a row of any length: go over its indices, `for i in 0..{name}.len()`"
                        );
                        self.errors.at(place, message);
                    }
                    len => lens.push(len),
                },
                ty if self.table.kind(ty) == Some(Kind::Any) => {
                    self.unknown_length(&array.place, place);
                }
                ty => {
                    let found = self.describe(ty);
                    let message = match made {
                        Some(_) => format!("method `map`: expected an array, found {found}"),
                        None => format!(
                            "`for` over {found}: expected a range `0..N`, an array, a reference to one, or `.iter()` of one"
                        ),
                    };
                    self.errors.at(place, message);
                }
            }
            sides.push(Side { array, how: source.taken });
        }
        if let Some(made) = made {
            self.makes(made, lens.first());
        }
        self.each.push(Round { id, counter, sources: sides });
        self.coerce_block(&mut body, &Ty::Unit);
        self.each.pop();
        let end = match made {
            Some(made) => Expr { kind: ExprKind::Sugar(Sugar::Extent(made)), ty: Ty::Scalar(Scalar::Usize), span },
            None => shortest(&lens, span),
        };
        let (start, end) = (Box::new(usize_literal(0, span)), Box::new(end));
        let kind = LoopKind::For { var: counter, start, end, inclusive: false, reversed };
        Expr { kind: ExprKind::Loop(Loop { id, kind, body }), ty: Ty::Unit, span }
    }

    /// The array that a loop makes is one, as long as its source.
    fn makes(&mut self, made: LocalId, len: Option<&Len>) {
        let len = len.cloned().unwrap_or_else(|| self.table.fresh_len());
        let array = Ty::Array(Box::new(self.table.fresh(Kind::Any)), len);
        // A stated type was parsed as an array.
        let _ = self.table.unify(&self.local(made), &array);
    }

    /// The name of the place that the user wrote, which a local of a loop may stand for.
    fn name_of(&self, place: &Expr) -> String {
        let mut place = place;
        while let ExprKind::Deref(inner) | ExprKind::Ref(_, inner) = &self.held.meaning(place).kind {
            place = inner;
        }
        place_name(self.func, self.held.meaning(place))
    }

    fn unknown_length(&mut self, array: &Expr, span: Span) -> Expr {
        let name = place_name(self.func, self.held.meaning(array));
        let message = format!(
            "the length of `{name}` is not known here, since the macro sees no declaration: state its type, \
             `let values: [f64; N] = {name};`"
        );
        self.wrong(span, message)
    }

    pub(super) fn wrong(&mut self, span: Span, message: impl std::fmt::Display) -> Expr {
        self.errors.once(span, message);
        placeholder(self.table.fresh(Kind::Any), span)
    }
}

/// The part that a pattern or a round takes: by value, or by reference where the whole is reached through one. A mutable
/// reference inside the whole is lent on.
fn taken(kind: ExprKind, ty: Ty, through: Option<bool>, span: Span) -> Expr {
    let part = Expr { kind, ty: ty.clone(), span };
    match (through, ty) {
        (Some(mutable), ty) => reference(mutable, part, ty, span),
        (None, Ty::Ref(mutable, inner)) => {
            let target = Expr { kind: ExprKind::Deref(Box::new(part)), ty: (*inner).clone(), span };
            reference(mutable, target, *inner, span)
        }
        (None, _) => part,
    }
}

pub(super) fn reference(mutable: bool, place: Expr, ty: Ty, span: Span) -> Expr {
    Expr { kind: ExprKind::Ref(mutable, Box::new(place)), ty: Ty::Ref(mutable, Box::new(ty)), span }
}

fn placeholder(ty: Ty, span: Span) -> Expr {
    Expr { kind: ExprKind::Lit(Lit::Bool(false)), ty, span }
}

fn usize_literal(n: usize, span: Span) -> Expr {
    Expr { kind: ExprKind::Lit(Lit::Int(n as u128)), ty: Ty::Scalar(Scalar::Usize), span }
}

fn count(len: &Len, span: Span) -> Expr {
    match len {
        Len::Const(id) => Expr { kind: ExprKind::Const(*id), ty: Ty::Scalar(Scalar::Usize), span },
        Len::Lit(n) => usize_literal(*n, span),
        Len::Param(n) => Expr { kind: ExprKind::Param(*n), ty: Ty::Scalar(Scalar::Usize), span },
        Len::Infer(_) | Len::Row => usize_literal(0, span),
    }
}

/// The index of an element counted from the end.
fn from_end(len: &Len, back: usize, span: Span) -> Expr {
    match len {
        Len::Lit(n) => usize_literal(n.saturating_sub(back), span),
        len => {
            let (len, back) = (Box::new(count(len, span)), Box::new(usize_literal(back, span)));
            Expr { kind: ExprKind::Binary(Binary::Sub, len, back), ty: Ty::Scalar(Scalar::Usize), span }
        }
    }
}

/// The smallest of some lengths, each of them once.
fn shortest(lens: &[Len], span: Span) -> Expr {
    let literal = lens.iter().filter_map(|len| if let Len::Lit(n) = len { Some(*n) } else { None }).min();
    let mut all: Vec<Len> = literal.map(Len::Lit).into_iter().collect();
    for len in lens.iter().filter(|len| matches!(len, Len::Const(_) | Len::Param(_))) {
        if !all.contains(len) {
            all.push(len.clone());
        }
    }
    let counts = all.iter().map(|len| count(len, span));
    let min =
        |a, b| Expr { kind: ExprKind::Intrinsic(Intrinsic::Min, vec![a, b]), ty: Ty::Scalar(Scalar::Usize), span };
    counts.reduce(min).unwrap_or_else(|| usize_literal(0, span))
}

/// Whether an expression computes nothing.
pub(super) fn is_place(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Local(_) | ExprKind::Const(_) | ExprKind::Param(_) => true,
        ExprKind::Field(a, _) | ExprKind::Deref(a) | ExprKind::Ref(_, a) => is_place(a),
        ExprKind::Index(a, i) => {
            is_place(a) && matches!(i.kind, ExprKind::Lit(_) | ExprKind::Local(_) | ExprKind::Const(_))
        }
        _ => false,
    }
}
