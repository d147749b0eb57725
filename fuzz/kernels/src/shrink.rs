//! Makes a failing case small: drops loops, arguments and statements, and replaces expressions by their parts, as long
//! as the case still fails. Several candidates are tried at once, so that they share a compilation.

mod edits;

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use quote::ToTokens;

use crate::case::Case;
use crate::{check, print};

/// The number of candidates that are tried at once.
pub const WIDTH: usize = 12;

/// The number of edits among which the smallest results are looked for.
const AT_A_TIME: usize = 48;

/// Tells which candidates fail in the same way as the case.
pub type Judge<'a> = dyn FnMut(&[Case]) -> Vec<bool> + 'a;

/// The smallest failing case found until the time is over or nothing can be left out.
pub fn shrink(case: &Case, time: Duration, judge: &mut Judge<'_>) -> Case {
    let start = Instant::now();
    let mut best = case.clone();
    let mut tried = BTreeSet::new();
    while start.elapsed() < time {
        let candidates = next(&best, &mut tried);
        if candidates.is_empty() {
            break;
        }
        let verdicts = judge(&candidates);
        let failing = candidates.into_iter().zip(verdicts).filter(|(_, fails)| *fails).map(|(case, _)| case);
        if let Some(smallest) = failing.min_by_key(size) {
            best = smallest;
        }
    }
    best
}

/// The length of a case: that of its functions and of the loops' arguments, as text.
pub fn size(case: &Case) -> usize {
    text(case).len()
}

/// The functions that are reached and the loops' arguments, as text.
fn text(case: &Case) -> String {
    let loops = (0..case.loops.len()).map(|n| print::loop_arguments(case, n));
    let mut text: String = loops.collect();
    print::functions(case).iter().for_each(|item| text.push_str(&item.to_token_stream().to_string()));
    text.push_str(if case.chained { "chained" } else { "" });
    text
}

/// Candidates that were not tried yet. Edits are looked at some at a time, the smallest results of these first: there are thousands,
/// and most edits of expressions leave no program.
fn next(case: &Case, tried: &mut BTreeSet<String>) -> Vec<Case> {
    let size_now = size(case);
    let edits = edits::all(case);
    let mut chosen = Vec::new();
    for some in edits.chunks(AT_A_TIME) {
        let candidates = some.iter().filter_map(|edit| edit.applied(case));
        let mut sized: Vec<(String, Case)> = candidates.map(|candidate| (text(&candidate), candidate)).collect();
        sized.retain(|(text, _)| text.len() < size_now && !tried.contains(text));
        sized.sort_by_key(|(text, _)| text.len());
        for (text, candidate) in sized {
            // An edit may leave text that is not Rust, or not of the kernel language.
            if tried.insert(text) && check::check(&candidate).is_ok() && print::parsed(&candidate).is_ok() {
                chosen.push(candidate);
            }
            if chosen.len() == WIDTH {
                return chosen;
            }
        }
    }
    chosen
}
