//! Which components of a parameter are certainly written.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::value::Key;
use crate::ir::{Len, Record, Ty};

/// Length of an array, as far as it is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Size {
    /// A number.
    Lit(u64),
    /// The value of a constant, by its path.
    Const(Rc<str>),
    /// Not known.
    Unknown,
}

/// The indices that a loop runs over, all of them, in any order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Range {
    /// From the first number up to, not including, the second.
    Known(u64, u64),
    /// From 0 up to a constant.
    UpTo(Rc<str>),
    /// Not known.
    Unknown,
}

/// The written components of a value, as a tree that follows its type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Defined {
    /// A scalar, or a value that is only written as a whole.
    Leaf(bool),
    /// An array: the components written in every element, and those known for single elements beyond that.
    Array { size: Size, every: Box<Defined>, at: BTreeMap<Key, Defined> },
    /// A record, field by field.
    Record(Rc<Record>, Vec<Defined>),
    /// A row of any length: values that nobody writes stay as they are, so that nothing is missing, and nothing is known to be there.
    Row,
}

impl Defined {
    /// Nothing written of a value of this type, which may stand behind references; `size` resolves
    /// lengths.
    pub(super) fn new(ty: &Ty, size: &impl Fn(&Len) -> Size) -> Self {
        match ty {
            Ty::Ref(_, inner) | Ty::Option(inner) => Self::new(inner, size),
            Ty::Array(_, Len::Row) => Defined::Row,
            Ty::Array(inner, len) => {
                Defined::Array { size: size(len), every: Box::new(Self::new(inner, size)), at: BTreeMap::new() }
            }
            Ty::Record(record, fields) => {
                Defined::Record(record.clone(), fields.iter().map(|field| Self::new(field, size)).collect())
            }
            _ => Defined::Leaf(false),
        }
    }

    /// Marks everything as written.
    pub(super) fn fill(&mut self) {
        match self {
            Defined::Leaf(written) => *written = true,
            Defined::Array { every, at, .. } => {
                every.fill();
                at.clear();
            }
            Defined::Record(_, fields) => fields.iter_mut().for_each(Defined::fill),
            Defined::Row => {}
        }
    }

    /// Whether all that `path` may lead to is written.
    pub(super) fn covers(&self, path: &[Key]) -> bool {
        match (self, path.split_first()) {
            (Defined::Leaf(written), _) => *written,
            (Defined::Row, _) => false,
            (Defined::Record(_, fields), Some((Key::At(n), rest))) => fields[*n as usize].covers(rest),
            (Defined::Record(_, fields), _) => fields.iter().all(|field| field.covers(&[])),
            (Defined::Array { .. }, None) => self.all_cover(&[]),
            (Defined::Array { .. }, Some((Key::Any, rest))) => self.all_cover(rest),
            (Defined::Array { every, at, .. }, Some((key @ Key::At(_), rest))) => {
                at.get(key).unwrap_or(every).covers(rest)
            }
            (Defined::Array { at, .. }, Some((key, rest))) => {
                at.get(key).is_some_and(|d| d.covers(rest)) || self.all_cover(rest)
            }
        }
    }

    /// Whether `rest` is written in every element of this array.
    fn all_cover(&self, rest: &[Key]) -> bool {
        let Defined::Array { size, every, at } = self else { return self.covers(rest) };
        every.covers(rest)
            || matches!(size, Size::Lit(n) if *n <= at.len() as u64
                && (0..*n).all(|i| at.get(&Key::At(i)).is_some_and(|d| d.covers(rest))))
    }

    /// Marks the target of `path` as written. Does nothing if a step of the path is unknown.
    pub(super) fn write(&mut self, path: &[Key]) {
        match (&mut *self, path.split_first()) {
            (this, None) => this.fill(),
            (_, Some((Key::Any, _))) => {}
            (Defined::Array { every, at, .. }, Some((key, rest))) => {
                if !every.covers(rest) {
                    at.entry(key.clone()).or_insert_with(|| (**every).clone()).write(rest);
                }
            }
            (Defined::Record(_, fields), Some((Key::At(n), rest))) => fields[*n as usize].write(rest),
            // A component of something that is only tracked as a whole; parts of records have numbers.
            (Defined::Leaf(_) | Defined::Record(..) | Defined::Row, Some(_)) => {}
        }
        self.collapse();
    }

    /// Keeps a large array small: when every element is written, none needs to be named.
    fn collapse(&mut self) {
        let complete = match self {
            Defined::Array { size: Size::Lit(n), at, .. } => *n <= at.len() as u64,
            _ => false,
        };
        if complete && self.all_cover(&[]) {
            self.fill();
        }
    }

    /// The components written on both of two paths.
    pub(super) fn meet(&self, other: &Defined) -> Defined {
        self.combine(other, |a, b| a && b)
    }

    fn combine(&self, other: &Defined, rule: fn(bool, bool) -> bool) -> Defined {
        match (self, other) {
            (Defined::Leaf(a), Defined::Leaf(b)) => Defined::Leaf(rule(*a, *b)),
            (Defined::Array { size, every, at }, Defined::Array { every: every2, at: at2, .. }) => {
                let keys = at.keys().chain(at2.keys());
                let merged = keys.map(|key| {
                    let a = at.get(key).unwrap_or(every);
                    let b = at2.get(key).unwrap_or(every2);
                    (key.clone(), a.combine(b, rule))
                });
                Defined::Array {
                    size: size.clone(),
                    at: merged.collect(),
                    every: Box::new(every.combine(every2, rule)),
                }
            }
            (Defined::Record(record, a), Defined::Record(_, b)) => {
                let fields = a.iter().zip(b).map(|(a, b)| a.combine(b, rule));
                Defined::Record(record.clone(), fields.collect())
            }
            (Defined::Row, Defined::Row) => Defined::Row,
            // Both sides follow the same type; a mismatch would be a value of no known shape.
            _ => Defined::Leaf(false),
        }
    }

    /// Forgets the component that the variable of a loop named in the present iteration.
    pub(super) fn forget(&mut self, var: usize) {
        match self {
            Defined::Leaf(_) | Defined::Row => {}
            Defined::Array { every, at, .. } => {
                at.remove(&Key::Var(var));
                every.forget(var);
                at.values_mut().for_each(|d| d.forget(var));
            }
            Defined::Record(_, fields) => fields.iter_mut().for_each(|d| d.forget(var)),
        }
    }

    /// Takes from `iteration`, the state at the end of any iteration of a loop over `range`, the components written at
    /// the loop's variable: the loop wrote them at every index of the range.
    pub(super) fn sweep(&mut self, iteration: &Defined, var: usize, range: &Range) {
        if let (Defined::Record(_, fields), Defined::Record(_, iterated)) = (&mut *self, iteration) {
            return fields.iter_mut().zip(iterated).for_each(|(d, iterated)| d.sweep(iterated, var, range));
        }
        let (Defined::Array { size, every, at }, Defined::Array { every: every2, at: at2, .. }) =
            (&mut *self, iteration)
        else {
            return;
        };
        every.sweep(every2, var, range);
        for (key, iterated) in at2.iter().filter(|(key, _)| **key != Key::Var(var)) {
            at.entry(key.clone()).or_insert_with(|| (**every).clone()).sweep(iterated, var, range);
        }
        let Some(swept) = at2.get(&Key::Var(var)) else { return };
        let add = |d: &Defined| d.combine(swept, |a, b| a || b);
        match (range, &*size) {
            (Range::UpTo(n), Size::Const(len)) if n == len => {
                **every = add(every);
                at.values_mut().for_each(|d| *d = add(d));
            }
            (Range::Known(first, end), Size::Lit(n)) => {
                for i in *first..*end.min(n) {
                    let old = at.get(&Key::At(i)).unwrap_or(every);
                    let new = add(old);
                    at.insert(Key::At(i), new);
                }
            }
            _ => {}
        }
        self.collapse();
    }

    /// A component that is not written, as the user would index it: `[2]`, `[1][0]`; empty when
    /// nothing of the value is written; `None` when all is.
    pub(super) fn missing(&self) -> Option<String> {
        if self.covers(&[]) {
            return None;
        }
        match self {
            Defined::Array { size: Size::Lit(n), every, at } if self.any() => {
                let (i, part) =
                    (0..*n).map(|i| (i, at.get(&Key::At(i)).unwrap_or(every))).find(|(_, d)| !d.covers(&[]))?;
                Some(format!("[{i}]{}", part.missing()?))
            }
            Defined::Array { .. } if self.any() => Some("[..]".to_owned()),
            Defined::Record(record, fields) if self.any() => {
                let (name, part) = record.fields.iter().zip(fields).find(|(_, d)| !d.covers(&[]))?;
                Some(format!(".{name}{}", part.missing()?))
            }
            _ => Some(String::new()),
        }
    }

    /// A constant that indexes a written component.
    pub(super) fn constant(&self) -> Option<&str> {
        let (every, at) = match self {
            Defined::Leaf(_) | Defined::Row => return None,
            Defined::Array { every, at, .. } => (every, at),
            Defined::Record(_, fields) => return fields.iter().find_map(Defined::constant),
        };
        let own = at.keys().find_map(|key| match key {
            Key::Const(name) => Some(&**name),
            _ => None,
        });
        own.or_else(|| every.constant()).or_else(|| at.values().find_map(Defined::constant))
    }

    /// Whether any component is written.
    fn any(&self) -> bool {
        match self {
            Defined::Leaf(written) => *written,
            Defined::Row => false,
            Defined::Array { every, at, .. } => every.any() || at.values().any(Defined::any),
            Defined::Record(_, fields) => fields.iter().any(Defined::any),
        }
    }
}
