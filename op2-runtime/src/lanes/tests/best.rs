use super::{Check, on_all_widths};
use crate::data::reduce::{ArgMax, ArgMin};
use crate::lanes::{Arg, Best, Mask, Spread, V, Width, each};

type Payload = (u32, [f32; 2]);

/// Candidates with ties, NaNs, both zeros and infinities, the same for every width.
fn candidate(round: usize, lane: usize) -> (f64, Payload) {
    const VALUES: [f64; 9] = [1.0, f64::NAN, 0.0, -0.0, 1.0, f64::INFINITY, -2.5, f64::NEG_INFINITY, 1.0];
    let mixed = (round * 7 + lane * 5) % 31;
    (VALUES[mixed % VALUES.len()], (100 - (mixed % 4) as u32, [(mixed % 3) as f32, 1.0]))
}

/// Runs the candidates in lanes and one by one; `masked` leaves some lanes out.
fn compare<W: Width, A>(w: W, masked: bool, none: A, update: impl Fn(&mut A, f64, Payload))
where
    A: Arg<Value = f64, Payload = Payload> + PartialEq + std::fmt::Debug,
{
    let mut best = Best::<W, A>::start(w);
    let mut expected = vec![none; W::LANES];
    for round in 0..40 {
        // The first rounds have no candidates, so that lanes stay without one.
        let takes = |lane: usize| !masked || (round > 2 && !(round + lane).is_multiple_of(3) && lane != 1);
        let value: V<W, f64> = each(w, |lane| candidate(round, lane).0);
        let payload: <Payload as Spread<W>>::Lanes = each(w, |lane| candidate(round, lane).1);
        let mask: Mask<W> = each(w, takes);
        best.update(masked.then_some(mask), value, payload);
        for (lane, expected) in expected.iter_mut().enumerate().filter(|(lane, _)| takes(*lane)) {
            let (value, payload) = candidate(round, lane);
            update(expected, value, payload);
        }
        let found: Vec<A> = (0..W::LANES).map(|lane| best.lane(lane)).collect();
        assert_eq!(found, expected, "round {round}");
    }
}

#[test]
fn arg_reductions_of_lanes_are_those_of_single_elements() {
    struct Args;
    impl Check for Args {
        fn check<W: Width>(&self, w: W) {
            for masked in [false, true] {
                compare(w, masked, ArgMin::none(), ArgMin::update);
                compare(w, masked, ArgMax::none(), ArgMax::update);
            }
        }
    }
    on_all_widths(&Args);
}
