//! A run of the filter, and its comparison with plain loops.

use op2::{Op2, Report};
use op2_apps::settings::Settings;

use crate::filter::{by_loops, by_plain_loops};
use crate::projection::Errors;
use crate::reference::{Method, Outcome};
use crate::task::Task;
use crate::{Fault, Result};

/// The greatest difference to plain loops that rounding explains, relative to the value or 1.
const ALLOWED: f64 = 1e-13;

/// The results of a run.
#[derive(Clone, Debug)]
pub struct Run {
    /// u*, and its cost.
    pub outcome: Outcome,
    /// The errors of u_h and of u*, where they are known.
    pub errors: Option<[Errors; 2]>,
    /// The report on the loop.
    pub report: Report,
}

/// Filters by loops of op2.
///
/// # Errors
/// As [`by_loops`], and [`Fault::NotFinite`].
pub fn run(task: &Task, method: Method, settings: &Settings) -> Result<Run> {
    let mut op = Op2::with(settings.config())?;
    let outcome = by_loops(&mut op, method, task)?;
    let values = &outcome.values;
    if let Some(point) = values.iter().position(|value| !value.is_finite()) {
        return Err(Fault::NotFinite { point, points: values.len(), value: values[point] }.into());
    }
    let errors = task.errors(values);
    Ok(Run { outcome, errors, report: op.report() })
}

/// Compares `found` with plain loops. Returns a line that says how near they are.
///
/// # Errors
/// As [`by_plain_loops`], and [`Fault::Hits`] and [`Fault::Value`].
pub fn check(task: &Task, method: Method, found: &Outcome) -> Result<String> {
    let expected = by_plain_loops(method, task)?;
    compare(found, &expected)?;
    let apart = found.values.iter().zip(&expected.values).map(|(a, b)| off(*a, *b));
    let (worst, seconds) = (apart.fold(0.0, f64::max), expected.seconds);
    Ok(format!(
        "check passed: the same {} hits as plain loops, values within {worst:.1e}; those took {seconds:.3} s on 1 thread",
        found.hits
    ))
}

fn compare(found: &Outcome, expected: &Outcome) -> Result<()> {
    if found.hits != expected.hits {
        return Err(Fault::Hits { found: found.hits, expected: expected.hits }.into());
    }
    let pairs = found.values.iter().zip(&expected.values).map(|(found, expected)| (*found, *expected)).enumerate();
    let worst = pairs.max_by(|(_, a), (_, b)| off(a.0, a.1).total_cmp(&off(b.0, b.1)));
    match worst {
        Some((point, (found, expected))) if off(found, expected) > ALLOWED => {
            Err(Fault::Value { point, found, expected, allowed: ALLOWED * expected.abs().max(1.0) }.into())
        }
        _ => Ok(()),
    }
}

/// The difference, relative to the value or 1; infinite if it is no number.
fn off(found: f64, expected: f64) -> f64 {
    let off = (found - expected).abs() / expected.abs().max(1.0);
    if off.is_nan() { f64::INFINITY } else { off }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_hits_and_other_values_are_told_apart_from_rounding() {
        let outcome = |values: &[f64], hits| Outcome { values: values.to_vec(), tests: 9, hits, seconds: 0.0 };
        let expected = outcome(&[1.0, 50.0], 5);
        let said = |found: Outcome| compare(&found, &expected).map_err(|e| e.to_string());
        assert_eq!(said(outcome(&[1.0 + 9e-14, 50.0 + 4e-12], 5)), Ok(()));
        assert!(
            said(outcome(&[1.0, 50.0], 6))
                .is_err_and(|e| e.starts_with("`--check`: 6 pairs meet in the loops of op2 and 5"))
        );
        for wrong in [50.0 + 6e-12, f64::NAN] {
            let said = said(outcome(&[1.0, wrong], 5)).unwrap_err();
            assert!(
                said.starts_with("`--check`: u* is ") && said.contains("at point 1 by the loops of op2 and 5e1"),
                "{said}"
            );
        }
    }
}
