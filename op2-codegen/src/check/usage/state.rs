//! The abstract state at one point of the kernel, and how two paths meet.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::defined::{Defined, Range};
use super::value::{Place, Root, Val};
use crate::ir::LocalId;

/// The knowledge when control reaches a point.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct State {
    /// Per kernel parameter: the components that are certainly written. Shared between states,
    /// because most steps change none of them.
    defined: Vec<Rc<Defined>>,
    /// Per call on the stack, the kernel first: the values of its locals.
    frames: Vec<Vec<Val>>,
    /// Temporaries whose reference was taken.
    temps: BTreeMap<usize, Val>,
    /// Whether control certainly reaches this point, whatever the data are.
    pub(super) certain: bool,
}

impl State {
    /// The state at the entry of a kernel.
    pub(super) fn new(defined: Vec<Defined>) -> Self {
        let defined = defined.into_iter().map(Rc::new).collect();
        State { defined, frames: Vec::new(), temps: BTreeMap::new(), certain: true }
    }

    /// The components of a parameter that are certainly written.
    pub(super) fn defined(&self, param: usize) -> &Defined {
        &self.defined[param]
    }

    /// Takes a parameter as written, because there is nothing to write.
    pub(super) fn fill(&mut self, param: usize) {
        Rc::make_mut(&mut self.defined[param]).fill();
    }

    /// Enters a function with `locals` locals.
    pub(super) fn push_frame(&mut self, locals: usize) {
        self.frames.push(vec![Val::Unset; locals]);
    }

    /// Leaves the innermost function.
    pub(super) fn pop_frame(&mut self) {
        self.frames.pop();
    }

    /// Binds a local of the innermost function.
    pub(super) fn bind(&mut self, local: LocalId, value: Val) {
        if let Some(slot) = self.frames.last_mut().and_then(|frame| frame.get_mut(local.0)) {
            *slot = value;
        }
    }

    /// Keeps a temporary and gives the place where it lies.
    pub(super) fn keep(&mut self, address: usize, value: Val) -> Place {
        self.temps.insert(address, value);
        Place::whole(Root::Temp(address))
    }

    /// The value at a place; data of parameters are unknown values.
    pub(super) fn load(&self, place: &Place) -> Val {
        let root = match place.root {
            Root::Param(_) | Root::Elsewhere => None,
            Root::Local(frame, local) => self.frames.get(frame).and_then(|f| f.get(local.0)),
            Root::Temp(address) => self.temps.get(&address),
        };
        let Some(root) = root else { return Val::Unknown };
        place.path.iter().fold(root.clone(), |value, key| value.at(key))
    }

    /// Assigns `value` at a place; `certain` says that the assignment goes nowhere else.
    pub(super) fn store(&mut self, place: &Place, value: Val, certain: bool) {
        match place.root {
            Root::Param(param) if certain => Rc::make_mut(&mut self.defined[param]).write(&place.path),
            Root::Param(_) | Root::Elsewhere => {}
            Root::Local(frame, local) => {
                if let Some(slot) = self.frames.get_mut(frame).and_then(|f| f.get_mut(local.0)) {
                    slot.put(&place.path, value, certain);
                }
            }
            Root::Temp(address) => {
                if let Some(slot) = self.temps.get_mut(&address) {
                    slot.put(&place.path, value, certain);
                }
            }
        }
    }

    /// Forgets facts that only hold in the present iteration of the loop of `var`.
    pub(super) fn forget(&mut self, var: usize) {
        self.frames.iter_mut().flatten().for_each(|v| v.forget(var));
        self.temps.values_mut().for_each(|v| v.forget(var));
        self.defined.iter_mut().for_each(|d| Rc::make_mut(d).forget(var));
    }

    /// Takes over the components that a loop over `range` wrote at its variable. `iteration` is the state at the end of
    /// any iteration.
    pub(super) fn sweep(&mut self, iteration: &State, var: usize, range: &Range) {
        for (mine, iterated) in self.defined.iter_mut().zip(&iteration.defined) {
            Rc::make_mut(mine).sweep(iterated, var, range);
        }
    }

    fn join(self, other: State) -> State {
        let values = |a: Vec<Val>, b: Vec<Val>| a.into_iter().zip(b).map(|(a, b)| a.join(b)).collect::<Vec<_>>();
        let defined = self.defined.into_iter().zip(other.defined).map(|(a, b)| match Rc::ptr_eq(&a, &b) {
            true => a,
            false => Rc::new(a.meet(&b)),
        });
        let mut temps = self.temps;
        for (address, value) in other.temps {
            let joined = temps.remove(&address).map_or(value.clone(), |old| old.join(value));
            temps.insert(address, joined);
        }
        State {
            defined: defined.collect(),
            frames: self.frames.into_iter().zip(other.frames).map(|(a, b)| values(a, b)).collect(),
            temps,
            certain: self.certain && other.certain,
        }
    }
}

/// The state where two paths meet; a path that ends elsewhere is `None`.
pub(super) fn join(a: Option<State>, b: Option<State>) -> Option<State> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.join(b)),
        (a, b) => a.or(b),
    }
}
