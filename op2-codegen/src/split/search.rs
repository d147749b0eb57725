//! Which data go to which stage.
//!
//! All divisions of the staged data over two stages are tried, those with the least data in the wider stage first; each is
//! cut at least cost. The best one has the least sum of the data of its wider stage and its temporaries. Further stages
//! come from cutting the widest stage again.

use super::cut::{Cut, bytes, cut, kept_type};
use super::hoist::{Needs, hoist};
use super::program::Program;
use super::slice::stages;
use super::{Constraint, Refusal, Stage, StageArg, Temporary};
use crate::ir::{ExprKind, Func};
use std::collections::BTreeSet;

/// More groups of data than this are not divided in all ways, of which there are 2ⁿ.
const MOST_GROUPS: usize = 12;

/// A kernel in contribution stages.
#[derive(Debug, Clone)]
pub struct Parts {
    /// In the order in which they run.
    pub stages: Vec<Stage>,
    /// The temporaries between them.
    pub temporaries: Vec<Temporary>,
    /// For each stage the groups of data that it needs.
    pub needs: Vec<BTreeSet<usize>>,
}

/// A stage that can be split further.
struct Whole {
    func: Func,
    args: Vec<StageArg>,
    constraints: Vec<Constraint>,
}

/// The kernel in `count` contribution stages. `constraints` are those of its parameters, `sizes` the bytes that an element reaches of
/// each group of staged data.
///
/// # Errors
/// Why it has no so many stages.
pub fn parts(func: &Func, constraints: &[Constraint], sizes: &[u32], count: usize) -> Result<Parts, Refusal> {
    let mut returns = false;
    func.body.walk(&mut |e| returns |= matches!(e.kind, ExprKind::Return(_)));
    if returns {
        return Err(Refusal("the kernel returns early".to_owned()));
    }
    let args: Vec<StageArg> = (0..func.params.len()).map(StageArg::Kernel).collect();
    let needs = groups(constraints);
    let mut all =
        Parts { stages: vec![Stage { func: func.clone(), args }], temporaries: Vec::new(), needs: vec![needs] };
    while all.stages.len() < count {
        let widest = (0..all.stages.len()).rev().max_by_key(|s| width(&all.needs[*s], sizes)).unwrap_or(0);
        let stage = all.stages[widest].clone();
        let (halves, temporaries, needs) = bisect(&stage, constraints, sizes, all.temporaries.len())?;
        all.stages.splice(widest..=widest, halves);
        all.needs.splice(widest..=widest, needs);
        all.temporaries.extend(temporaries);
    }
    Ok(all)
}

/// Bytes of some groups.
fn width(groups: &Needs, sizes: &[u32]) -> u32 {
    groups.iter().map(|g| sizes[*g]).sum()
}

fn groups(constraints: &[Constraint]) -> Needs {
    let group = |role: &Constraint| match role {
        Constraint::Staged(group) => Some(*group),
        _ => None,
    };
    constraints.iter().filter_map(group).collect()
}

type Halves = ([Stage; 2], Vec<Temporary>, [Needs; 2]);

/// Cuts a stage in two.
fn bisect(stage: &Stage, constraints: &[Constraint], sizes: &[u32], temporary: usize) -> Result<Halves, Refusal> {
    let role = |arg: &StageArg| match arg {
        StageArg::Kernel(n) => constraints[*n],
        StageArg::Left(_) => Constraint::Free,
        StageArg::Leaves(_) => Constraint::Tied,
    };
    let own: Vec<Constraint> = stage.args.iter().map(role).collect();
    let whole = Whole { func: hoist(&stage.func, &own), args: stage.args.clone(), constraints: own };
    let program = Program::new(&whole.func, &whole.constraints);
    let all: Vec<usize> = groups(&whole.constraints).into_iter().collect();
    if all.len() < 2 {
        return Err(Refusal("its widest stage reads no two dats through maps".to_owned()));
    }
    if all.len() > MOST_GROUPS {
        return Err(Refusal(format!(
            "its widest stage reads {} dats through maps, more than {MOST_GROUPS}",
            all.len()
        )));
    }
    let best = divide(&whole, &program, &all, sizes);
    let (cut, _) =
        best.ok_or_else(|| Refusal("what its widest stage computes needs all that the stage reads".to_owned()))?;
    let temporaries = cut.crossing.iter().filter_map(|id| {
        let ty = kept_type(&whole.func, &program, *id)?;
        let name = whole.func.locals[id.0].name.to_string();
        Some(Temporary { name, ty })
    });
    let temporaries: Vec<Temporary> = temporaries.collect();
    let needs = cut.reads(&program);
    Ok((stages(&whole.func, &program, &cut, &whole.args, temporary), temporaries, needs))
}

/// The best division of the data over two stages, and what it costs.
fn divide(whole: &Whole, program: &Program, all: &[usize], sizes: &[u32]) -> Option<(Cut, u32)> {
    let together: Needs = all.iter().copied().collect();
    let full = width(&together, sizes);
    let of = |bits: u32| -> Needs { (0..all.len()).filter(|n| bits >> n & 1 == 1).map(|n| all[n]).collect() };
    let mut divisions: Vec<(u32, [Needs; 2])> = (1..(1_u32 << all.len()) - 1)
        .map(|bits| [of(bits), of(!bits)])
        .map(|halves| (halves.iter().map(|h| width(h, sizes)).max().unwrap_or(0), halves))
        .collect();
    divisions.sort_by_key(|(widest, _)| *widest);
    let mut best: Option<(Cut, u32)> = None;
    for (widest, halves) in divisions {
        let most = best.as_ref().map_or(full, |(_, cost)| *cost);
        if widest >= most {
            break;
        }
        let Some(found) = priced(whole, program, &halves, sizes).filter(|(_, cost)| *cost < most) else { continue };
        best = Some(shared(whole, program, halves, found, sizes));
    }
    best
}

/// Gives groups to both stages as long as that is cheaper: small ones spare temporaries.
fn shared(whole: &Whole, program: &Program, mut halves: [Needs; 2], mut best: (Cut, u32), sizes: &[u32]) -> (Cut, u32) {
    loop {
        let one_sided = [0, 1].map(|s| halves[s].difference(&halves[1 - s]).map(|g| (1 - s, *g)).collect::<Vec<_>>());
        let tries = one_sided.into_iter().flatten().filter_map(|(side, group)| {
            let mut wider = halves.clone();
            wider[side].insert(group);
            priced(whole, program, &wider, sizes).map(|found| (wider, found))
        });
        let Some((wider, found)) = tries.min_by_key(|(_, found)| found.1).filter(|(_, found)| found.1 < best.1) else {
            return best;
        };
        (halves, best) = (wider, found);
    }
}

/// A cut for a division, and what it costs.
fn priced(whole: &Whole, program: &Program, halves: &[Needs; 2], sizes: &[u32]) -> Option<(Cut, u32)> {
    let cut = cut(&whole.func, program, &halves[0], &halves[1])?;
    let widest = cut.reads(program).iter().map(|needs| width(needs, sizes)).max()?;
    let crossing = cut.crossing.iter().filter_map(|id| kept_type(&whole.func, program, *id)).map(|ty| bytes(&ty));
    let cost = widest + crossing.sum::<u32>();
    Some((cut, cost))
}
