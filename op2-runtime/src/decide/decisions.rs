//! The decisions about the strategies of loops, for people and programs.

use super::trials::Trial;
use crate::desc::name::LoopOver;
use crate::strategy::Strategy;
use std::fmt;

/// How a loop came to its strategy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "json", derive(serde::Serialize), serde(rename_all = "kebab-case"))]
pub enum How {
    /// From the mesh, or because the loop has no choice: its elements share no targets, or it is too short.
    Predicted,
    /// By the program, or by whoever started it.
    Pinned,
    /// Not yet: its executions are trials.
    Measuring,
    /// By trials in this run.
    Measured,
    /// By trials in an earlier run.
    Remembered,
}

impl How {
    /// How a loop without trials comes to its strategy.
    pub(crate) fn stated(strategy: Strategy) -> Self {
        match strategy {
            Strategy::Predicted | Strategy::Auto => How::Predicted,
            Strategy::Pinned(_) => How::Pinned,
        }
    }
}

/// How a loop resolves races, and why.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "json", derive(serde::Serialize))]
pub struct Decision {
    /// Name of the kernel.
    pub kernel: String,
    /// Where the loop is stated, `file:line`.
    pub location: String,
    /// Name of the set or subset that it runs over.
    pub set: String,
    /// The strategy, as it is written in [`Strategies`](crate::Strategies), where a plan has one; `sequential`, or what a
    /// device does, elsewhere.
    pub strategy: String,
    /// How it was decided.
    pub how: How,
    /// Further remarks.
    #[cfg_attr(feature = "json", serde(skip_serializing_if = "Option::is_none"))]
    pub note: Option<String>,
    /// The times of the candidates, if there were any.
    #[cfg_attr(feature = "json", serde(skip_serializing_if = "Vec::is_empty"))]
    pub trials: Vec<Trial>,
}

/// The decisions of all loops that ran, in the order in which they were first run. A loop has one for each set or subset that it
/// runs over, and several if its maps, dats or flags differ from call to call.
///
/// Prints as a table, with a line for each trial. With the feature `json` it is also `serde::Serialize`.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "json", derive(serde::Serialize))]
pub struct Decisions {
    /// One after the other.
    pub list: Vec<Decision>,
}

impl fmt::Display for How {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            How::Predicted => "predicted",
            How::Pinned => "pinned",
            How::Measuring => "being measured",
            How::Measured => "measured now",
            How::Remembered => "remembered",
        })
    }
}

impl fmt::Display for Decisions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let headings = ["loop", "place", "strategy", "decided"].map(str::to_owned);
        let name = |d: &Decision| words(d).name_among(self.list.iter().map(words));
        let cells = |d: &Decision| [name(d), d.location.clone(), d.strategy.clone(), d.how.to_string()];
        let rows: Vec<[String; 4]> = std::iter::once(headings).chain(self.list.iter().map(cells)).collect();
        let widths: [usize; 4] = std::array::from_fn(|c| rows.iter().map(|r| r[c].chars().count()).max().unwrap_or(0));
        let line = |row: &[String; 4]| {
            let cells: Vec<String> = row.iter().zip(widths).map(|(cell, width)| format!("{cell:<width$}")).collect();
            cells.join("  ").trim_end().to_owned()
        };
        write!(f, "{}\n{}", line(&rows[0]), "-".repeat(widths.iter().sum::<usize>() + 6))?;
        for (row, decision) in rows[1..].iter().zip(&self.list) {
            write!(f, "\n{}", line(row))?;
            if let Some(note) = &decision.note {
                write!(f, "; {note}")?;
            }
            let width = decision.trials.iter().map(|t| t.strategy.chars().count()).max().unwrap_or(0);
            for trial in &decision.trials {
                write!(f, "\n    {:<width$}  {trial}", trial.strategy)?;
            }
        }
        Ok(())
    }
}

/// The loop of a decision.
fn words(decision: &Decision) -> LoopOver<'_> {
    LoopOver { kernel: &decision.kernel, place: &decision.location, set: &decision.set }
}

impl fmt::Display for Trial {
    /// The times in milliseconds.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let milli = |seconds: &f64| format!("{:.3}", seconds * 1e3);
        let times: Vec<String> = self.seconds.iter().map(milli).collect();
        match (&self.refused, times.is_empty()) {
            (Some(reason), _) => write!(f, "not run: {reason}")?,
            (None, true) => return f.write_str("not run: the others took all the time that trials may take"),
            (None, false) => write!(f, "{} ms", times.join(", "))?,
        }
        if self.plan_seconds > 0.0 { write!(f, "; plan {} ms", milli(&self.plan_seconds)) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decisions_print_as_an_aligned_table() {
        let decision = |kernel: &str, strategy: &str, how, note: Option<&str>, trials| Decision {
            kernel: kernel.to_owned(),
            location: "src/main.rs:7".to_owned(),
            set: "edges".to_owned(),
            strategy: strategy.to_owned(),
            how,
            note: note.map(str::to_owned),
            trials,
        };
        let trial = |strategy: &str, seconds: &[f64], plan_seconds, refused: Option<&str>| Trial {
            strategy: strategy.to_owned(),
            seconds: seconds.to_vec(),
            plan_seconds,
            refused: refused.map(str::to_owned),
        };
        let trials = vec![
            trial("blocks:2813", &[0.002, 0.0015], 0.0, None),
            trial("tiles:512", &[0.001], 0.0305, None),
            trial("owner:512", &[], 0.03, Some("50 % of the elements would run twice")),
            trial("scatter:512", &[], 0.0, None),
        ];
        let list = vec![
            decision("res_calc", "tiles:512", How::Measured, Some("best of 2"), trials),
            decision("update", "blocks:256", How::Predicted, None, vec![]),
        ];
        let decisions = Decisions { list };
        let expected = "\
loop      place          strategy    decided
-------------------------------------------------
res_calc  src/main.rs:7  tiles:512   measured now; best of 2
    blocks:2813  2.000, 1.500 ms
    tiles:512    1.000 ms; plan 30.500 ms
    owner:512    not run: 50 % of the elements would run twice; plan 30.000 ms
    scatter:512  not run: the others took all the time that trials may take
update    src/main.rs:7  blocks:256  predicted";
        assert_eq!(decisions.to_string(), expected);
        let mut levels = decisions.clone();
        levels.list[1].set = "coarse".to_owned();
        assert!(levels.to_string().contains("\nupdate  "), "another set of another loop: {levels}");
        levels.list.push(decision("update", "blocks:512", How::Predicted, None, vec![]));
        assert!(levels.to_string().contains("\nupdate over coarse  src/main.rs:7  blocks:256  predicted"), "{levels}");
        assert!(levels.to_string().ends_with("\nupdate over edges   src/main.rs:7  blocks:512  predicted"), "{levels}");
        #[cfg(feature = "json")]
        {
            let json = serde_json::json!(decisions);
            assert_eq!((&json["list"][0]["how"], &json["list"][0]["set"]), (&"measured".into(), &"edges".into()));
            assert_eq!(json["list"][0]["trials"][1]["seconds"][0], 0.001);
        }
    }
}
