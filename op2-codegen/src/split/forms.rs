//! The forms of a loop: its kernel in one contribution stage, in two, and so on.

use super::cut::bytes;
use super::{Constraint, Parts, Refusal, parts};
use crate::ir::{Combine, Effect, Func, Ty, Unit};
use crate::lower::{Argument, Lowered, Role};
use crate::model::{Flops, flops};
use proc_macro2::Ident;

/// More contribution stages than this are not tried: each one fetches data again.
const MOST_STAGES: usize = 3;

/// The forms of a loop beside the one that does all at once.
#[derive(Debug, Clone, Default)]
pub struct Forms {
    /// With one contribution stage, with two, and so on; the updates come after the last stage.
    pub list: Vec<Form>,
    /// Why there are no more, if there are fewer than the maximum.
    pub end: Option<Refusal>,
}

/// One of them.
#[derive(Debug, Clone)]
pub struct Form {
    /// Its contribution stages.
    pub parts: Parts,
    /// Floating-point operations of all of them, per element.
    pub flops: Flops,
}

/// The forms of a loop.
pub fn forms(lowered: &Lowered, unit: &Unit) -> Forms {
    let mut list = Vec::new();
    let obstacle = if lowered.writes_mapped() {
        Some("elements that write through maps must take turns")
    } else if lowered.args.iter().any(Argument::writes_indices) {
        Some("the kernel writes entries of a map, which stages would follow again")
    } else if lowered.has_rows() {
        Some("the kernel takes rows of any length")
    } else if !lowered.combines_mapped() {
        Some("the loop adds to nothing through maps")
    } else {
        None
    };
    if let Some(reason) = obstacle {
        return Forms { list, end: Some(Refusal(reason.to_owned())) };
    }
    let (constraints, sizes) = constraints(&lowered.args, unit);
    for count in 1..=MOST_STAGES {
        match parts(&unit.funcs[0], &constraints, &sizes, count) {
            Ok(parts) => {
                list.push(Form { flops: Flops::sum(parts.stages.iter().map(|s| flops_of(&s.func, unit))), parts })
            }
            Err(refusal) => return Forms { list, end: Some(refusal) },
        }
    }
    Forms { list, end: None }
}

fn flops_of(stage: &Func, unit: &Unit) -> Flops {
    flops(&Unit { funcs: std::iter::once(stage).chain(&unit.funcs[1..]).cloned().collect() })
}

/// The constraint of each parameter, and the bytes that an element reaches in each dat that it reads through maps.
fn constraints(args: &[Argument], unit: &Unit) -> (Vec<Constraint>, Vec<u32>) {
    let mut views: Vec<Ident> = Vec::new();
    let mut sizes: Vec<u32> = Vec::new();
    let mut constraint = |(arg, ty): (&Argument, &Ty)| match &arg.role {
        Role::Read(_) | Role::Index(_) | Role::Shift => Constraint::Free,
        Role::Reduce(..) => Constraint::Tied,
        Role::Dat(dat) => match dat.access.effect() {
            Effect::Read if dat.is_mapped() => {
                let group = views.iter().position(|v| *v == dat.view).unwrap_or(views.len());
                if group == views.len() {
                    views.push(dat.view.clone());
                    sizes.push(0);
                }
                sizes[group] += bytes(ty);
                Constraint::Staged(group)
            }
            Effect::Read => Constraint::Free,
            Effect::Combine(Combine::Inc) => Constraint::Added,
            Effect::Combine(_) | Effect::Write | Effect::Rw => Constraint::Tied,
        },
    };
    let params = unit.funcs[0].params.iter().map(|p| &p.ty);
    let constraints = args.iter().zip(params).map(&mut constraint).collect();
    (constraints, sizes)
}
