//! Which strategy is tried next, and which one stays: a state machine that is told seconds and reads no clock.

use crate::strategy::Strategy;
use serde::{Deserialize, Serialize};

/// What all trials of a loop may take, in executions of the best strategy; plans of the candidates count.
const BUDGET: f64 = 10.0;
/// A candidate whose first execution took this many times what the best takes is not tried again.
const HOPELESS: f64 = 1.5;
/// Candidates this close to the best are executed a third time, because two executions do not tell them apart.
const CLOSE: f64 = 1.1;

/// One candidate and how it did.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Trial {
    /// The strategy, as it is written in overrides.
    pub strategy: String,
    /// Seconds of its executions; the first one warms up the memory of its plan.
    pub seconds: Vec<f64>,
    /// Seconds to build its plan; 0 where the plan was there.
    pub plan_seconds: f64,
    /// Why it was not executed, where it was not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refused: Option<String>,
}

/// The trials of a loop. The first candidate is what runs without any.
#[derive(Debug, Clone)]
pub(crate) struct Trials {
    candidates: Vec<Strategy>,
    list: Vec<Trial>,
}

impl Trials {
    /// No trials yet. There is at least one candidate.
    pub(crate) fn new(candidates: Vec<Strategy>) -> Self {
        let trial = |s: &Strategy| Trial { strategy: s.to_string(), seconds: vec![], plan_seconds: 0.0, refused: None };
        Trials { list: candidates.iter().map(trial).collect(), candidates }
    }

    /// The candidate that the next execution follows; none if the best one is found or the budget is spent.
    ///
    /// Each one is executed once, so that all have a chance before any has a second one; then those that are not
    /// [`HOPELESS`] once more; then those that are [`CLOSE`] to each other. What the next execution is going to take is
    /// estimated, and it does not start if that exceeds the budget.
    pub(crate) fn next(&self) -> Option<usize> {
        let Some(best) = self.best_seconds() else { return self.open().next() };
        let left = BUDGET * best - self.spent();
        let plans = self.list.iter().zip(&self.candidates).map(|(t, s)| t.plan_seconds / effort(*s));
        let plan = plans.fold(0.0, f64::max);
        let affordable = |n: &usize| match self.time(*n) {
            Some(seconds) => seconds < left,
            None => plan * effort(self.candidates[*n]) + HOPELESS * best < left,
        };
        let fresh = self.open().find(|n| self.time(*n).is_none() && affordable(n));
        let again = |runs: usize, factor: f64| {
            let good = |n: &usize| self.time(*n).is_some_and(|seconds| seconds <= factor * best);
            let rivals: Vec<usize> = self.open().filter(good).collect();
            let next = rivals.iter().copied().find(|&n| self.list[n].seconds.len() < runs);
            next.filter(|_| rivals.len() > 1)
        };
        fresh.or_else(|| again(2, HOPELESS).or_else(|| again(3, CLOSE)).filter(affordable))
    }

    /// The plan of a candidate took this long to build.
    pub(crate) fn built(&mut self, candidate: usize, seconds: f64) {
        self.list[candidate].plan_seconds = seconds;
    }

    /// A candidate is not to be executed.
    pub(crate) fn refuse(&mut self, candidate: usize, reason: String) {
        self.list[candidate].refused = Some(reason);
    }

    /// A candidate was executed.
    pub(crate) fn ran(&mut self, candidate: usize, seconds: f64) {
        self.list[candidate].seconds.push(seconds);
    }

    /// The fastest candidate, of equal ones the first; the very first before any was executed.
    pub(crate) fn best(&self) -> usize {
        let executed = (0..self.list.len()).filter_map(|n| Some((n, self.time(n)?)));
        executed.min_by(|a, b| a.1.total_cmp(&b.1)).map_or(0, |(n, _)| n)
    }

    pub(crate) fn strategy(&self, candidate: usize) -> Strategy {
        self.candidates[candidate]
    }

    /// The accounts of all candidates.
    pub(crate) fn list(&self) -> &[Trial] {
        &self.list
    }

    /// Seconds of all executions, and of the plans that would not have been built without trials.
    pub(crate) fn spent(&self) -> f64 {
        let executions: f64 = self.list.iter().flat_map(|t| &t.seconds).sum();
        executions + self.list.iter().skip(1).map(|t| t.plan_seconds).sum::<f64>()
    }

    /// The least that an execution of a candidate took.
    fn time(&self, candidate: usize) -> Option<f64> {
        self.list[candidate].seconds.iter().copied().min_by(f64::total_cmp)
    }

    fn best_seconds(&self) -> Option<f64> {
        self.time(self.best())
    }

    /// Candidates that were not refused.
    fn open(&self) -> impl Iterator<Item = usize> {
        (0..self.list.len()).filter(|&n| self.list[n].refused.is_none())
    }
}

/// About how long a plan takes, next to one in coloured blocks: what the bench `plan` shows, rounded up.
fn effort(strategy: Strategy) -> f64 {
    match strategy {
        Strategy::Colours { .. } => 4.0,
        Strategy::Scatter { .. } | Strategy::Tiles { .. } => 6.0,
        Strategy::Owner { .. } => 9.0,
        _ => 1.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Candidates with blocks of 1, 2, … elements.
    fn trials(n: usize) -> Trials {
        Trials::new((1..=n).map(|size| Strategy::Blocks { size }).collect())
    }

    /// Runs trials with made-up seconds of each candidate's executions, the last of which repeats, and of its plan.
    /// Returns the candidates in the order of execution.
    fn run(trials: &mut Trials, seconds: &[&[f64]], plans: &[f64]) -> Vec<usize> {
        let mut order = Vec::new();
        while let Some(n) = trials.next() {
            let runs = order.iter().filter(|&&m| m == n).count();
            if runs == 0 {
                trials.built(n, plans[n]);
            }
            trials.ran(n, *seconds[n].get(runs).unwrap_or(seconds[n].last().unwrap()));
            order.push(n);
            assert!(order.len() < 100, "trials do not end");
        }
        order
    }

    #[test]
    fn the_fastest_stays() {
        let mut all = trials(3);
        assert_eq!(run(&mut all, &[&[1.4], &[1.0], &[1.3]], &[0.0; 3]), [0, 1, 2, 0, 1, 2]);
        assert_eq!((all.best(), all.strategy(all.best())), (1, Strategy::Blocks { size: 2 }));
    }

    #[test]
    fn one_candidate_is_no_trial_worth() {
        let mut one = trials(1);
        assert_eq!(run(&mut one, &[&[1.0]], &[0.0]), [0]);
        assert_eq!(trials(2).best(), 0, "without executions it is what runs anyway");
    }

    #[test]
    fn hopeless_candidates_are_dropped_after_one_execution() {
        let mut all = trials(3);
        assert_eq!(run(&mut all, &[&[1.0], &[1.6], &[1.49]], &[0.0; 3]), [0, 1, 2, 0, 2]);
        let mut all = trials(2);
        assert_eq!(run(&mut all, &[&[1.0], &[1.51]], &[0.0; 2]), [0, 1], "nobody is left to be compared with");
        assert_eq!(all.best(), 0);
    }

    #[test]
    fn a_slow_first_execution_may_be_made_up_for() {
        let mut all = trials(2);
        assert_eq!(run(&mut all, &[&[1.3, 1.3], &[1.5, 0.9]], &[0.0; 2]), [0, 1, 0, 1]);
        assert_eq!(all.best(), 1);
    }

    #[test]
    fn close_ones_are_executed_a_third_time_and_ties_go_to_the_first() {
        let mut all = trials(3);
        assert_eq!(run(&mut all, &[&[1.0], &[1.0], &[1.4]], &[0.0; 3]), [0, 1, 2, 0, 1, 2, 0, 1]);
        assert_eq!(all.best(), 0);
        let mut all = trials(2);
        assert_eq!(run(&mut all, &[&[1.0, 1.0, 1.0], &[1.2, 1.05, 0.98]], &[0.0; 2]), [0, 1, 0, 1, 0, 1]);
        assert_eq!(all.best(), 1);
    }

    #[test]
    fn the_budget_is_never_exceeded_by_what_can_be_foreseen() {
        for n in 2..=8 {
            let mut all = trials(n);
            let order = run(&mut all, &vec![&[1.0][..]; n], &vec![0.0; n]);
            assert!(all.spent() < BUDGET, "{n} candidates: {order:?}");
            assert!((1..n).all(|c| order.contains(&c)), "{n} candidates: everyone had a chance");
        }
        // Fifteen candidates do not fit: the rest is not tried, and the first ones are not executed again.
        let mut all = trials(15);
        assert_eq!(run(&mut all, &[&[1.0][..]; 15], &[0.0; 15]), (0..9).collect::<Vec<_>>());
        assert_eq!(all.list().iter().filter(|t| t.seconds.is_empty()).count(), 6);
    }

    #[test]
    fn plans_count() {
        // The plan of the first one is needed in any case, but tells what further ones may take.
        let mut all = trials(4);
        assert_eq!(run(&mut all, &[&[1.0][..]; 4], &[9.0, 1.0, 1.0, 1.0]), [0]);
        let mut all = trials(4);
        assert_eq!(run(&mut all, &[&[1.0][..]; 4], &[0.5, 3.0, 3.0, 3.0]), [0, 1, 2]);
        assert_eq!(all.spent(), 9.0);
        // What is left may still tell those apart that have their plans.
        let mut all = trials(3);
        assert_eq!(run(&mut all, &[&[1.0][..]; 3], &[0.5, 5.0, 5.0]), [0, 1, 0, 1]);
    }

    /// What is dear is passed over for what is cheap.
    #[test]
    fn plans_of_some_strategies_take_longer() {
        let mut all = Trials::new(vec![
            Strategy::Blocks { size: 1 },
            Strategy::Owner { size: 1 },
            Strategy::Tiles { size: 1 },
            Strategy::Blocks { size: 2 },
        ]);
        let order = run(&mut all, &[&[1.0], &[1.0], &[1.0], &[1.6]], &[1.0, 9.0, 5.0, 1.0]);
        assert_eq!((order, all.spent()), (vec![0, 2, 3], 9.6), "there is no time for the owner");
        let mut all =
            Trials::new(vec![Strategy::Blocks { size: 1 }, Strategy::Owner { size: 1 }, Strategy::Blocks { size: 2 }]);
        assert_eq!(run(&mut all, &[&[1.0], &[1.0], &[1.2]], &[1.0, 9.0, 1.0]), [0, 2, 0, 2]);
    }

    #[test]
    fn one_that_is_much_slower_than_expected_ends_the_trials() {
        let mut all = trials(4);
        assert_eq!(run(&mut all, &[&[1.0], &[9.0], &[0.5], &[0.5]], &[0.0; 4]), [0, 1]);
        assert_eq!(all.best(), 0);
    }

    #[test]
    fn refused_ones_are_passed_over() {
        let mut all = trials(3);
        all.refuse(1, "not today".to_owned());
        assert_eq!(run(&mut all, &[&[1.0], &[0.1], &[1.2]], &[0.0; 3]), [0, 2, 0, 2]);
        assert_eq!(all.best(), 0);
        let mut all = trials(2);
        all.ran(0, 1.0);
        all.refuse(1, "nor this one".to_owned());
        assert_eq!(all.next(), None);
    }
}
