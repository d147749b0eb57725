//! Makes a failing case small: drops loops, arguments and statements, and puts parts in the place of expressions, as long as
//! the case still fails. Several candidates are judged at once, so that they share a compilation.

mod edits;

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use quote::ToTokens;

use crate::case::Case;
use crate::{check, print};

/// How many candidates are judged at once.
pub const WIDTH: usize = 12;

/// Says which of some candidates fail as the case did.
pub type Judge<'a> = dyn FnMut(&[Case]) -> Vec<bool> + 'a;

/// The smallest case that was found to fail, until the time is over or nothing can be left out.
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

/// The length of a case: of the text of its functions, and of what loops pass.
pub fn size(case: &Case) -> usize {
    text(case).len()
}

/// The functions that are reached, and what loops pass, in short.
fn text(case: &Case) -> String {
    let loops = (0..case.loops.len()).map(|n| print::loop_arguments(case, n));
    let mut text: String = loops.collect();
    print::functions(case).iter().for_each(|item| text.push_str(&item.to_token_stream().to_string()));
    text.push_str(if case.chained { "chained" } else { "" });
    text
}

/// Candidates that were not tried yet, from those that leave out most to those that leave out least.
fn next(case: &Case, tried: &mut BTreeSet<String>) -> Vec<Case> {
    let size_now = size(case);
    let candidates = edits::all(case).into_iter().map(|candidate| (text(&candidate), candidate));
    let smaller = |(text, _): &(String, Case)| text.len() < size_now && !tried.contains(text);
    let mut all: Vec<(String, Case)> = candidates.filter(smaller).collect();
    all.sort_by_key(|(text, _)| text.len());
    let mut chosen = Vec::new();
    for (text, candidate) in all {
        if chosen.len() == WIDTH {
            break;
        }
        // An edit may leave what is no Rust, or not of the language.
        if tried.insert(text) && print::parsed(&candidate).is_ok() && check::check(&candidate).is_ok() {
            chosen.push(candidate);
        }
    }
    chosen
}
