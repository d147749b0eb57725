//! Abstract values: the analysis's knowledge of a value at a point of the kernel.
//!
//! Only values that determine a place are tracked: integers that index, references, and aggregates of both. Everything else is
//! [`Val::Unknown`].

use std::rc::Rc;

use crate::ir::{LocalId, Ty};

/// One step from an array or a tuple to a component.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Key {
    /// A known index, or a tuple field.
    At(u64),
    /// An index that is a constant of the user, by the path of the constant.
    Const(Rc<str>),
    /// The variable of a loop that is walked once for all its iterations.
    Var(usize),
    /// An index of which nothing is known.
    Any,
}

/// Where a place begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Root {
    /// The data behind a parameter of the kernel.
    Param(usize),
    /// A local of the call at this depth (0 is the kernel).
    Local(usize, LocalId),
    /// A temporary whose reference was taken, by the address of its expression. No function is
    /// twice on the stack, because recursion is refused, so the address identifies it.
    Temp(usize),
    /// An object without data of the kernel's arguments, such as a constant.
    Elsewhere,
}

/// A place in memory: a root and the way from it to a component.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) root: Root,
    pub(super) path: Vec<Key>,
}

impl Place {
    /// The whole of `root`.
    pub(super) fn whole(root: Root) -> Self {
        Place { root, path: Vec::new() }
    }
}

/// An abstract value.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Val {
    /// Not bound, or not reached: joined with another value it is that value.
    Unset,
    /// Any value that holds no reference to tracked data.
    Unknown,
    /// An integer of any type.
    Int(i128),
    /// A truth value.
    Bool(bool),
    /// A constant of the user.
    Const(Rc<str>),
    /// The variable of a loop that is walked once for all its iterations.
    Var(usize),
    /// A reference that leads to one of these places.
    Ref(Vec<Place>),
    /// An array or a tuple, element by element.
    Agg(Vec<Val>),
    /// An array whose elements all are this value.
    Each(Box<Val>),
    /// The references of a parameter `[&V; N]` or `[&mut V; N]`: one for each entry of a map.
    Entries(usize),
}

impl Val {
    /// A reference to one place.
    pub(super) fn reference(root: Root) -> Self {
        Val::Ref(vec![Place::whole(root)])
    }

    /// The value of the kernel's parameter `p` of this type.
    pub(super) fn of_param(p: usize, ty: &Ty) -> Self {
        match ty {
            Ty::Ref(..) => Val::reference(Root::Param(p)),
            Ty::Array(item, _) if matches!(&**item, Ty::Ref(..)) => Val::Entries(p),
            Ty::Array(item, _) if matches!(&**item, Ty::Option(inner) if matches!(**inner, Ty::Ref(..))) => {
                Val::Entries(p)
            }
            Ty::Option(inner) => Val::of_param(p, inner),
            _ => Val::Unknown,
        }
    }

    /// The step that indexing by this value takes.
    pub(super) fn key(&self) -> Key {
        match self {
            Val::Int(i) => u64::try_from(*i).map_or(Key::Any, Key::At),
            Val::Const(name) => Key::Const(name.clone()),
            Val::Var(var) => Key::Var(*var),
            _ => Key::Any,
        }
    }

    /// A value that covers those of both paths.
    pub(super) fn join(self, other: Val) -> Val {
        match (self, other) {
            (Val::Unset, v) | (v, Val::Unset) => v,
            (Val::Ref(mut a), Val::Ref(b)) => {
                for place in b {
                    if !a.contains(&place) {
                        a.push(place);
                    }
                }
                Val::Ref(a)
            }
            (Val::Ref(a), Val::Unknown) | (Val::Unknown, Val::Ref(a)) => {
                Val::Ref(a).join(Val::reference(Root::Elsewhere))
            }
            (Val::Agg(a), Val::Agg(b)) if a.len() == b.len() => {
                Val::Agg(a.into_iter().zip(b).map(|(a, b)| a.join(b)).collect())
            }
            (Val::Agg(a), Val::Unknown) | (Val::Unknown, Val::Agg(a)) => {
                Val::Agg(a.into_iter().map(|v| v.join(Val::Unknown)).collect())
            }
            (Val::Each(a), Val::Each(b)) => Val::each(a.join(*b)),
            (Val::Each(a), b @ (Val::Agg(_) | Val::Unknown)) | (b @ (Val::Agg(_) | Val::Unknown), Val::Each(a)) => {
                Val::each(a.join(b.element()))
            }
            (a, b) if a == b => a,
            _ => Val::Unknown,
        }
    }

    /// An array of which every element is `value`.
    pub(super) fn each(value: Val) -> Val {
        match value {
            Val::Unknown => Val::Unknown,
            value => Val::Each(Box::new(value)),
        }
    }

    /// A value that covers every element of an aggregate.
    fn element(&self) -> Val {
        match self {
            Val::Agg(vals) if vals.is_empty() => Val::Unknown,
            Val::Agg(vals) => vals.iter().cloned().fold(Val::Unset, Val::join),
            Val::Each(value) => (**value).clone(),
            _ => Val::Unknown,
        }
    }

    /// The component at `key`.
    pub(super) fn at(&self, key: &Key) -> Val {
        match (self, key) {
            (Val::Unset, _) => Val::Unset,
            (Val::Entries(param), key) => Val::Ref(vec![Place { root: Root::Param(*param), path: vec![key.clone()] }]),
            (Val::Agg(vals), Key::At(i)) => {
                usize::try_from(*i).ok().and_then(|i| vals.get(i)).cloned().unwrap_or(Val::Unknown)
            }
            _ => self.element(),
        }
    }

    /// Puts `value` at the end of `path`; where `certain` is false, or a step of the path is not a
    /// known one, the old value remains possible.
    pub(super) fn put(&mut self, path: &[Key], value: Val, certain: bool) {
        let Some((key, rest)) = path.split_first() else {
            let old = std::mem::replace(self, Val::Unset);
            *self = if certain { value } else { old.join(value) };
            return;
        };
        match (self, key) {
            (Val::Agg(vals), Key::At(i)) => {
                if let Some(slot) = usize::try_from(*i).ok().and_then(|i| vals.get_mut(i)) {
                    slot.put(rest, value, certain);
                }
            }
            (Val::Agg(vals), _) => {
                vals.iter_mut().for_each(|slot| slot.put(rest, value.clone(), false));
            }
            (this @ Val::Each(_), _) => {
                let mut element = this.element();
                element.put(rest, value, false);
                *this = Val::each(element);
            }
            _ => {}
        }
    }

    /// Forgets facts that only hold in the present iteration of the loop of `var`.
    pub(super) fn forget(&mut self, var: usize) {
        match self {
            Val::Var(v) if *v == var => *self = Val::Unknown,
            Val::Ref(places) => {
                for key in places.iter_mut().flat_map(|place| &mut place.path) {
                    if *key == Key::Var(var) {
                        *key = Key::Any;
                    }
                }
            }
            Val::Agg(vals) => vals.iter_mut().for_each(|v| v.forget(var)),
            Val::Each(value) => value.forget(var),
            _ => {}
        }
    }
}
