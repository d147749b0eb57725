//! The checks of a call, and the names in its errors.

use super::state::CallState;
use crate::desc::LoopDesc;
use crate::error::plan::PlanError;
use crate::error::{Error, Fault, LoopError, Result, Site};
use crate::mesh::Mesh;
use crate::mesh::bindings::{Bindings, BoundDat};

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
        match self.fault.take() {
            Some(fault) => Err(fault),
            None => self.check_kinds().and_then(|()| self.check_aliases()),
        }
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
    /// all reach it through maps (the inspector then sees to it that they do not meet).
    fn check_aliases(&self) -> Result<()> {
        for (n, a) in self.bound.dats.iter().enumerate() {
            self.check_entries(a)?;
            for b in &self.bound.dats[..n] {
                let harmless = !a.access.modifies() && !b.access.modifies();
                let combining = a.access == b.access && a.access.combines();
                let separate = a.access == b.access && a.through.is_some() && b.through.is_some();
                if a.dat == b.dat && !(harmless || combining || separate) {
                    let fault = Fault::Aliased {
                        dat: self.context.mesh.dats[a.dat].name.clone(),
                        access: a.access,
                        other: b.arg,
                        other_access: b.access,
                    };
                    return Err(self.error(Some(a.arg), fault));
                }
            }
        }
        Ok(())
    }

    /// A map whose entries the loop writes elsewhere than in the element's own row is not followed.
    fn check_entries(&self, bound: &BoundDat) -> Result<()> {
        let dat = &self.context.mesh.dats[bound.dat];
        match dat.of_map {
            Some(map) if bound.access.modifies() && bound.through.is_some() && self.bound.followed.contains(&map) => {
                Err(self.error(Some(bound.arg), Fault::Followed { map: dat.name.clone(), access: bound.access }))
            }
            _ => Ok(()),
        }
    }

    pub(super) fn error(&self, arg: Option<usize>, fault: Fault) -> Error {
        self.names().error(arg, fault)
    }

    pub(super) fn names(&self) -> Names<'_> {
        Names { desc: self.desc, mesh: &self.context.mesh, bound: &self.bound, set: self.set }
    }
}
