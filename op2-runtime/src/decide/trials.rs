//! Which strategy is tried next, and which one stays: a state machine that receives seconds and reads no clock.

use crate::strategy::{Pin, Resolution, Strategy};

/// The most that all trials of a loop may cost, in executions of the fastest strategy: the time for the candidates'
/// plans, and the time by which each execution was slower than the fastest. The rest of an execution costs nothing
/// extra, because it does useful work. The documentation promises ten; one is a reserve for wrong estimates.
const BUDGET: f64 = 9.0;
/// The expected time of a first execution, in executions of the fastest.
const EXPECTED: f64 = 1.5;
/// The number of rounds. Each executes all candidates in play once; the first round warms up the memory of their plans.
const ROUNDS: usize = 8;
/// The first candidate stays unless another one takes less than this fraction of its time. Smaller differences are
/// noise.
const CLEAR: f64 = 0.98;

/// After this many rounds, a candidate stays in play if its time is at most this many times that of the fastest.
fn limit(rounds: usize) -> f64 {
    match rounds {
        0 | 1 => 2.0,
        2 | 3 => 1.4,
        _ => 1.1,
    }
}

/// One candidate and its times.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "json", derive(serde::Serialize))]
pub struct Trial {
    /// The strategy, with the instructions if it differs in them, as it is written in overrides.
    pub strategy: String,
    /// Seconds of its executions; the first one warms up the memory of its plan.
    pub seconds: Vec<f64>,
    /// Seconds to build its plan; 0 where the plan was there.
    pub plan_seconds: f64,
    /// Why it was not executed; `None` if it was.
    #[cfg_attr(feature = "json", serde(skip_serializing_if = "Option::is_none"))]
    pub refused: Option<String>,
}

/// The trials of a loop. The first candidate is the predicted strategy.
#[derive(Debug, Clone)]
pub(crate) struct Trials {
    candidates: Vec<Pin>,
    list: Vec<Trial>,
}

impl Trials {
    /// No trials yet. There is at least one candidate.
    pub(crate) fn new(candidates: Vec<Pin>) -> Self {
        let trial = |s: &Pin| Trial { strategy: s.to_string(), seconds: vec![], plan_seconds: 0.0, refused: None };
        Trials { list: candidates.iter().map(trial).collect(), candidates }
    }

    /// The candidate that the next execution follows; none if the best one is found or the budget is spent.
    ///
    /// The first one is executed once before all rounds. In the first round each of the others runs once. Later rounds
    /// are for the candidates in play. The first one always takes part, because the others are compared with it within
    /// a round: the machine may be slower in one round than in another. A candidate does not start if its estimated
    /// cost exceeds the budget.
    pub(crate) fn next(&self) -> Option<usize> {
        let Some(fastest) = self.fastest() else { return self.open().next() };
        let left = BUDGET * fastest - self.cost();
        let plans = self.list.iter().zip(&self.candidates).map(|(t, pin)| t.plan_seconds / effort(pin.strategy));
        let plan = plans.fold(0.0, f64::max);
        let foreseen = |n: &usize| if self.shares_plan(*n) { 0.0 } else { plan * effort(self.candidates[*n].strategy) };
        let foreseen = |n: &usize| foreseen(n) + (EXPECTED - 1.0) * fastest;
        let fresh = self.open().find(|n| self.list[*n].seconds.is_empty() && foreseen(n) < left);
        if fresh.is_some() {
            return if self.rounds(0) == 0 { Some(0) } else { fresh };
        }
        let best_ratio = self.ratios().map(|(_, ratio)| ratio).fold(1.0, f64::min);
        let in_play = |&(n, ratio): &(usize, f64)| self.is_open(n) && ratio <= limit(self.rounds(n)) * best_ratio;
        let rivals: Vec<usize> = self.ratios().filter(in_play).map(|(n, _)| n).collect();
        let next = std::iter::once(0).chain(rivals.iter().copied()).min_by_key(|&n| self.rounds(n))?;
        let affordable = self.time(next).is_some_and(|seconds| seconds - fastest < left);
        (!rivals.is_empty() && self.rounds(next) < ROUNDS && affordable).then_some(next)
    }

    /// Records the seconds that the plan of a candidate took to build.
    pub(crate) fn built(&mut self, candidate: usize, seconds: f64) {
        self.list[candidate].plan_seconds = seconds;
    }

    /// Excludes a candidate from execution.
    pub(crate) fn refuse(&mut self, candidate: usize, reason: String) {
        self.list[candidate].refused = Some(reason);
    }

    /// Records an execution of a candidate.
    pub(crate) fn ran(&mut self, candidate: usize, seconds: f64) {
        self.list[candidate].seconds.push(seconds);
    }

    /// The candidate that stays: the first unless another one is clearly faster, and of those the fastest.
    pub(crate) fn best(&self) -> usize {
        let faster = self.ratios().filter(|&(n, ratio)| self.is_open(n) && ratio < CLEAR);
        faster.min_by(|a, b| a.1.total_cmp(&b.1)).map_or(0, |(n, _)| n)
    }

    pub(crate) fn pin(&self, candidate: usize) -> Pin {
        self.candidates[candidate]
    }

    /// Whether a candidate follows the plan of the first one, and differs in the instructions alone.
    pub(crate) fn shares_plan(&self, candidate: usize) -> bool {
        self.candidates[candidate].strategy == self.candidates[0].strategy
    }

    /// The times of all candidates.
    pub(crate) fn list(&self) -> &[Trial] {
        &self.list
    }

    /// The cost of the trials, in executions of the fastest candidate.
    pub(crate) fn executions_lost(&self) -> f64 {
        self.fastest().map_or(0.0, |fastest| self.cost() / fastest)
    }

    /// Seconds spent beyond those that the fastest strategy would have taken without trials. Neither the first
    /// execution nor its plan is a cost of the trials.
    fn cost(&self) -> f64 {
        let fastest = self.fastest().unwrap_or(0.0);
        let executions = self.list.iter().enumerate().flat_map(|(n, t)| t.seconds.iter().skip(usize::from(n == 0)));
        let lost: f64 = executions.map(|seconds| (seconds - fastest).max(0.0)).sum();
        lost + self.list.iter().skip(1).map(|t| t.plan_seconds).sum::<f64>()
    }

    /// The times of the candidates after the first, relative to the first: the median over rounds. The warm-up round
    /// counts only if there is no other.
    fn ratios(&self) -> impl Iterator<Item = (usize, f64)> {
        let of_first = self.list[0].seconds.get(1..).unwrap_or_default();
        self.list.iter().enumerate().skip(1).filter_map(move |(n, trial)| {
            let ratios: Vec<f64> = trial.seconds.iter().zip(of_first).map(|(own, first)| own / first).collect();
            Some((n, median(warm(&ratios))?))
        })
    }

    /// The seconds of an execution of a candidate.
    fn time(&self, candidate: usize) -> Option<f64> {
        median(warm(&self.list[candidate].seconds))
    }

    /// The seconds of the fastest candidate.
    fn fastest(&self) -> Option<f64> {
        (0..self.list.len()).filter_map(|n| self.time(n)).min_by(f64::total_cmp)
    }

    /// The rounds that a candidate took part in.
    fn rounds(&self, candidate: usize) -> usize {
        self.list[candidate].seconds.len().saturating_sub(usize::from(candidate == 0))
    }

    fn is_open(&self, candidate: usize) -> bool {
        self.list[candidate].refused.is_none()
    }

    /// Candidates that were not refused.
    fn open(&self) -> impl Iterator<Item = usize> {
        (0..self.list.len()).filter(|&n| self.is_open(n))
    }
}

/// All samples but the first, if that leaves any.
fn warm(samples: &[f64]) -> &[f64] {
    if samples.len() > 1 { &samples[1..] } else { samples }
}

/// The sample in the middle, the lower one of two.
fn median(samples: &[f64]) -> Option<f64> {
    let mut sorted = samples.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted.get(sorted.len().saturating_sub(1) / 2).copied()
}

/// The most time that a plan takes relative to a plan of coloured blocks: measured by the benches `plan` and
/// `strategies`, rounded up.
fn effort(strategy: Strategy) -> f64 {
    match strategy.scheme().map(|scheme| scheme.resolution.plan()) {
        Some(Resolution::Colours) => 4.0,
        Some(Resolution::Scatter | Resolution::Tiles) => 9.0,
        Some(Resolution::Owner) => 14.0,
        _ => 1.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::isa::Isa;

    /// Candidates with blocks of 1, 2, … elements.
    fn trials(n: usize) -> Trials {
        Trials::new((1..=n).map(|size| Strategy::blocks(size).into()).collect())
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

    /// How often each candidate was executed.
    fn counts(order: &[usize], n: usize) -> Vec<usize> {
        (0..n).map(|c| order.iter().filter(|&&o| o == c).count()).collect()
    }

    /// As often as the first candidate is executed, if there is another one to the end.
    const ALL: usize = ROUNDS + 1;

    #[test]
    fn the_fastest_stays() {
        let mut all = trials(3);
        let order = run(&mut all, &[&[1.3], &[1.0], &[1.2]], &[0.0; 3]);
        assert_eq!(order[..8], [0, 0, 1, 2, 0, 1, 2, 0]);
        assert_eq!(counts(&order, 3), [ALL, ROUNDS, 4]);
        assert_eq!((all.best(), all.pin(all.best())), (1, Strategy::blocks(2).into()));
    }

    #[test]
    fn one_candidate_is_no_trial_worth() {
        let mut one = trials(1);
        assert_eq!(run(&mut one, &[&[1.0]], &[0.0]), [0]);
        assert_eq!(trials(2).best(), 0, "without executions it is what runs anyway");
    }

    #[test]
    fn the_slow_ones_are_dropped() {
        let mut all = trials(4);
        let order = run(&mut all, &[&[1.0], &[2.1], &[1.05], &[1.39]], &[0.0; 4]);
        assert_eq!(counts(&order, 4), [ALL, 1, ROUNDS, 4], "after how many rounds they are out of play");
        let mut all = trials(2);
        assert_eq!(run(&mut all, &[&[1.0], &[2.1]], &[0.0; 2]), [0, 0, 1], "nobody is left to be compared with");
        assert_eq!(all.best(), 0);
    }

    #[test]
    fn first_executions_say_little() {
        let mut all = trials(2);
        run(&mut all, &[&[5.0, 1.0], &[1.9, 0.95]], &[0.0; 2]);
        assert_eq!(all.best(), 1);
        assert!((all.executions_lost() - (0.95 + 8.0 * 0.05) / 0.95).abs() < 1e-12, "{}", all.executions_lost());
    }

    #[test]
    fn what_is_as_fast_as_the_first_does_not_take_its_place() {
        for (seconds, best) in [(1.0, 0), (0.981, 0), (0.979, 1)] {
            let mut all = trials(3);
            run(&mut all, &[&[1.0], &[seconds], &[1.2]], &[0.0; 3]);
            assert_eq!(all.best(), best, "{seconds}");
        }
    }

    #[test]
    fn single_disturbances_change_nothing() {
        let mut all = trials(2);
        let order = run(&mut all, &[&[1.0, 1.0, 2.9, 1.0, 1.9, 1.0], &[1.0, 0.95, 0.95, 2.9, 0.95]], &[0.0; 2]);
        assert_eq!((counts(&order, 2), all.best()), (vec![ALL, ROUNDS], 1));
    }

    /// The machine gets slower for all while the trials go on, and faster again.
    #[test]
    fn candidates_are_compared_with_the_first_in_the_same_round() {
        let speed = [1.0, 1.0, 1.5, 1.5, 2.0, 2.0, 2.0, 1.0, 1.0];
        let first: Vec<f64> = [1.0].into_iter().chain(speed).collect();
        let second: Vec<f64> =
            speed.iter().enumerate().map(|(i, s)| s * if i % 2 == 1 { 0.97 } else { 0.96 }).collect();
        let mut all = trials(2);
        run(&mut all, &[&first, &second], &[0.0; 2]);
        assert_eq!(all.best(), 1);
        assert_eq!(all.ratios().collect::<Vec<_>>(), [(1, 0.97)]);
    }

    #[test]
    fn the_budget_is_never_exceeded_by_what_can_be_foreseen() {
        for n in 2..=8 {
            let mut all = trials(n);
            let order = run(&mut all, &vec![&[1.0][..]; n], &vec![0.0; n]);
            assert!(all.executions_lost() < BUDGET, "{n} candidates: {order:?}");
            assert_eq!(counts(&order, n)[1..], vec![ROUNDS; n - 1]);
        }
        // Twenty slow candidates do not fit: the rest is not tried.
        let mut all = trials(20);
        let seconds: Vec<&[f64]> = (0..20).map(|n| if n == 0 { &[1.0][..] } else { &[2.2] }).collect();
        assert_eq!(run(&mut all, &seconds, &[0.0; 20]), [0, 0, 1, 2, 3, 4, 5, 6, 7, 8]);
        assert!((all.executions_lost() - 9.6).abs() < 1e-12);
    }

    #[test]
    fn plans_count() {
        // The plan of the first one is needed in any case, but tells what further ones may take.
        let mut all = trials(4);
        assert_eq!(run(&mut all, &[&[1.0][..]; 4], &[9.6, 1.0, 1.0, 1.0]), [0]);
        let mut all = trials(4);
        let order = run(&mut all, &[&[1.0][..]; 4], &[0.5, 3.3, 3.3, 3.3]);
        assert_eq!(counts(&order, 4), [ALL, ROUNDS, ROUNDS, 0]);
        assert_eq!(all.executions_lost(), 6.6);
    }

    #[test]
    fn other_instructions_need_no_plan() {
        let first = Strategy::blocks(1);
        let mut all = Trials::new(vec![first.into(), first.by(Isa::Scalar), Strategy::blocks(2).into()]);
        let order = run(&mut all, &[&[1.0], &[0.9], &[0.5]], &[20.0, 0.0, 20.0]);
        assert_eq!((counts(&order, 3), all.best()), (vec![ALL, ROUNDS, 0], 1));
    }

    /// An expensive candidate is passed over for a cheap one.
    #[test]
    fn plans_of_some_strategies_take_longer() {
        let candidates = [Strategy::blocks(1), Strategy::owner(1), Strategy::tiles(1), Strategy::blocks(2)];
        let mut all = Trials::new(candidates.map(Pin::from).to_vec());
        let order = run(&mut all, &[&[1.0], &[1.0], &[1.5], &[2.5]], &[0.7, 9.0, 5.0, 1.0]);
        assert_eq!(
            (order[..4].to_vec(), counts(&order, 4)[1]),
            (vec![0, 0, 2, 3], 0),
            "there is no time for the owner"
        );
        assert_eq!(all.executions_lost(), 5.0 + 2.0 * 0.5 + 1.0 + 1.5);
    }

    #[test]
    fn one_that_is_much_slower_than_expected_ends_the_trials() {
        let mut all = trials(4);
        assert_eq!(run(&mut all, &[&[1.0], &[12.0], &[0.5], &[0.5]], &[0.0; 4]), [0, 0, 1]);
        assert_eq!(all.best(), 0);
    }

    #[test]
    fn refused_ones_are_passed_over() {
        let mut all = trials(3);
        all.refuse(1, "not today".to_owned());
        let order = run(&mut all, &[&[1.0], &[0.1], &[1.05]], &[0.0; 3]);
        assert_eq!(counts(&order, 3), [ALL, 0, ROUNDS]);
        assert_eq!(all.best(), 0);
        let mut all = trials(2);
        all.ran(0, 1.0);
        all.refuse(1, "nor this one".to_owned());
        assert_eq!(all.next(), None);
        // A device may run out of memory after executions that went well.
        let mut all = trials(2);
        [(0, 1.0), (0, 1.0), (1, 0.5)].into_iter().for_each(|(n, seconds)| all.ran(n, seconds));
        assert_eq!(all.best(), 1);
        all.refuse(1, "no memory left".to_owned());
        assert_eq!((all.best(), all.next()), (0, None));
    }
}
