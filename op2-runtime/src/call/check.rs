//! The checks of a call, and the names in its errors.

use super::context::Context;
use super::state::CallState;
use crate::desc::LoopDesc;
use crate::error::plan::PlanError;
use crate::error::{Error, Fault, LoopError, Result, Site};
use crate::mesh::Mesh;
use crate::mesh::bindings::{Bindings, BoundDat};
use op2_core::Access;
use std::ops::Range;

/// The parts of a call that errors name. Lower modules know arguments and elements by number only.
#[derive(Clone, Copy)]
pub(super) struct Names<'a> {
    pub(super) desc: &'static LoopDesc,
    pub(super) mesh: &'a Mesh,
    pub(super) bound: &'a Bindings,
    pub(super) set: usize,
}

impl Names<'_> {
    /// The error for a fault of the loop, or of one of its arguments.
    pub(super) fn error(self, arg: Option<usize>, fault: Fault) -> Error {
        let LoopDesc { kernel, file, line, .. } = *self.desc;
        let arg = arg.map(|n| (n, self.desc.args[n].text));
        Error::Loop(Box::new(LoopError { site: Site { kernel, file, line, arg }, fault }))
    }

    /// The error for a plan that cannot be built.
    pub(super) fn plan_error(self, error: PlanError) -> Error {
        let PlanError::Collision { element, target, first, second } = error else {
            return self.error(None, Fault::Inspector(error));
        };
        let bound =
            self.bound.dats.iter().find(|d| d.arg == second).expect("the inspector names arguments it was given");
        let dat = &self.mesh.dats[bound.dat];
        let target = self.mesh.sets[dat.set].user(target);
        let element = self.mesh.sets[self.set].user(element);
        let dat = dat.name.clone();
        self.error(Some(second), Fault::Collision { dat, access: bound.access, element, target, other: first })
    }

    /// The error for a launch that failed. Elements get the user's numbers.
    pub(super) fn launch_error(self, error: op2_device::Error) -> Error {
        let fault = match error {
            op2_device::Error::Panic { element, panic, .. } => {
                Fault::Panic { element: self.mesh.sets[self.set].user(element as usize), panic }
            }
            other => Fault::Device(other),
        };
        self.error(None, fault)
    }
}

impl CallState<'_> {
    /// Reports the first fault of the bindings, then checks what can be checked without the maps.
    pub(super) fn check(&mut self) -> Result<()> {
        if let Some(fault) = self.fault.take() {
            return Err(fault);
        }
        self.check_kinds()?;
        self.check_aliases()?;
        self.find_apart();
        self.check_defined()
    }

    /// An index of a kind leads into one set: a kernel could write the element of another one to a map, which has more or fewer.
    fn check_kinds(&self) -> Result<()> {
        let sets = &self.context.mesh.sets;
        for (n, &set) in self.bound.indexed.iter().enumerate() {
            let other =
                self.bound.indexed[..n].iter().find(|other| **other != set && sets[**other].kind == sets[set].kind);
            if let Some(&other) = other {
                let [set, other] = [set, other].map(|set| sets[set].name.clone());
                let kind = sets[self.bound.indexed[n]].kind.1;
                return Err(self.error(None, Fault::TwoSets { kind, set, other }));
            }
        }
        Ok(())
    }

    /// One dat in several arguments: either nobody modifies it, or all combine in the same way, or
    /// all reach it through maps (the inspector then sees to it that they do not meet), or they reach elements apart from each other.
    fn check_aliases(&self) -> Result<()> {
        for (n, a) in self.bound.dats.iter().enumerate() {
            self.check_entries(a)?;
            for b in &self.bound.dats[..n] {
                let harmless = !a.access.modifies() && !b.access.modifies();
                let combining = a.access == b.access && a.access.combines();
                let separate = a.access == b.access && a.through.is_some() && b.through.is_some();
                if a.dat == b.dat && !(harmless || combining || separate || self.are_apart(a, b)) {
                    let fault = Fault::Aliased {
                        dat: self.context.mesh.dats[a.dat].name.clone(),
                        access: a.access,
                        other: b.arg,
                        other_access: b.access,
                        why: self.why_not_apart(a, b),
                    };
                    return Err(self.error(Some(a.arg), fault));
                }
            }
        }
        Ok(())
    }

    /// A map whose entries the loop writes elsewhere than in the element's own row, or in rows apart from those of all its elements, is
    /// not followed.
    fn check_entries(&self, bound: &BoundDat) -> Result<()> {
        let dat = &self.context.mesh.dats[bound.dat];
        match dat.of_map {
            Some(map)
                if bound.access.modifies()
                    && bound.through.is_some()
                    && self.bound.followed.contains(&map)
                    && self.extent(bound).start < self.own_end() =>
            {
                Err(self.error(Some(bound.arg), Fault::Followed { map: dat.name.clone(), access: bound.access }))
            }
            _ => Ok(()),
        }
    }

    /// Notes the arguments that lead to children, and apart from all others of their dats. They need no plan: nobody else has these
    /// children.
    fn find_apart(&mut self) {
        for n in 0..self.bound.dats.len() {
            let a = &self.bound.dats[n];
            let mut others = self.bound.dats.iter().enumerate().filter(|(m, b)| *m != n && b.dat == a.dat);
            let apart = self.children_of(a).is_some()
                && others.all(|(_, b)| self.are_apart(a, b) || !(a.access.modifies() || b.access.modifies()));
            self.bound.dats[n].apart = apart;
        }
    }

    /// Fails if the loop needs entries that nobody has written since their elements came into the set.
    fn check_defined(&mut self) -> Result<()> {
        let own = self.own_end();
        for n in 0..self.bound.followed.len() {
            self.check_rows(self.bound.followed[n], own)?;
        }
        for n in 0..self.bound.dats.len() {
            let bound = &self.bound.dats[n];
            if let (Some(map), true) = (self.context.mesh.dats[bound.dat].of_map, bound.access != Access::Write) {
                self.check_rows(map, self.extent(bound).end)?;
            }
        }
        Ok(())
    }

    /// Fails if the rows of the elements of a map before `end` have unset entries.
    fn check_rows(&mut self, map: usize, end: usize) -> Result<()> {
        let Context { mesh, executor, .. } = &mut *self.context;
        let store = &mesh.maps[map];
        if store.defined >= end {
            return Ok(());
        }
        if let Some(device) = executor.device_mut() {
            device.settle_dat(mesh, mesh.maps[map].data)?;
        }
        let Some(element) = executor.install(|| mesh.define(map, end)) else { return Ok(()) };
        let store = &mesh.maps[map];
        let (name, set) = (store.name.clone(), mesh.sets[store.from].name.clone());
        Err(self.error(self.arg_through(map), Fault::Unset { map: name, element, set }))
    }

    /// The first argument that follows a map, or is one.
    pub(super) fn arg_through(&self, map: usize) -> Option<usize> {
        let needs = |bound: &&BoundDat| {
            bound.through.as_ref().is_some_and(|(way, _)| *way == map)
                || self.context.mesh.dats[bound.dat].of_map == Some(map)
        };
        self.bound.dats.iter().find(needs).map(|bound| bound.arg)
    }

    /// The elements that the loop runs over have users' numbers below this one.
    fn own_end(&self) -> usize {
        let mesh = &self.context.mesh;
        self.over().subset.map_or(mesh.sets[self.set].size, |subset| mesh.subsets[subset].reach)
    }

    /// The elements that an argument may reach, by users' numbers.
    fn extent(&self, bound: &BoundDat) -> Range<usize> {
        let mesh = &self.context.mesh;
        match &bound.through {
            Some((map, _)) => self.children_of(bound).unwrap_or(0..mesh.maps[*map].reach),
            None if bound.whole || self.over().pairs.is_some() => 0..mesh.sets[mesh.dats[bound.dat].set].size,
            None => 0..self.own_end(),
        }
    }

    /// The children that an argument leads to, if it does.
    fn children_of(&self, bound: &BoundDat) -> Option<Range<usize>> {
        bound.through.as_ref().and_then(|(map, _)| self.context.mesh.maps[*map].children.clone())
    }

    /// Whether no element that one argument reaches is one of the other's.
    fn are_apart(&self, a: &BoundDat, b: &BoundDat) -> bool {
        let [a, b] = [self.extent(a), self.extent(b)];
        a.is_empty() || b.is_empty() || a.end <= b.start || b.end <= a.start
    }

    /// Why two arguments may meet, if one of them leads to children.
    fn why_not_apart(&self, a: &BoundDat, b: &BoundDat) -> String {
        if self.children_of(a).is_none() && self.children_of(b).is_none() {
            return String::new();
        }
        let [a, b] = [a, b].map(|bound| {
            let Range { start, end } = self.extent(bound);
            let what = match &bound.through {
                Some((map, _)) if self.children_of(bound).is_some() => {
                    format!("children of `{}`", self.context.mesh.maps[*map].name)
                }
                Some((map, _)) => format!("map `{}`, when it was written,", self.context.mesh.maps[*map].name),
                None if bound.whole => "the table".to_owned(),
                None => "the elements of the loop".to_owned(),
            };
            format!("{what} may be any of {start}..{end}")
        });
        format!(
            "; they would be apart if one led to elements from before a growth and the other to the children of that growth, but {a} and {b}"
        )
    }

    pub(super) fn error(&self, arg: Option<usize>, fault: Fault) -> Error {
        self.names().error(arg, fault)
    }

    pub(super) fn names(&self) -> Names<'_> {
        Names { desc: self.desc, mesh: &self.context.mesh, bound: &self.bound, set: self.set }
    }
}
