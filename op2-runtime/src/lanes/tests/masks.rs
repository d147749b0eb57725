use super::{Check, on_all_widths};
use crate::lanes::{Lanes, Mask, Spread, V, Width, each, each_of};

/// Masks of all patterns of four lanes, repeated.
fn patterns<W: Width>(w: W) -> impl Iterator<Item = (u64, Mask<W>)> {
    (0..16u64).map(move |bits| {
        let bits = (bits * 0x1111) & !(u64::MAX << W::LANES);
        (bits, each(w, |lane| bits >> lane & 1 == 1))
    })
}

#[test]
fn masks_are_flags_lane_by_lane() {
    struct Masks;
    impl Check for Masks {
        fn check<W: Width>(&self, w: W) {
            for (a, x) in patterns(w) {
                assert_eq!((x.any(), x.all()), (a != 0, a.count_ones() as usize == W::LANES));
                for (b, y) in patterns(w) {
                    for lane in 0..W::LANES {
                        let (a, b) = (a >> lane & 1 == 1, b >> lane & 1 == 1);
                        let found = [x & y, x | y, !x, x.differs(y), x.equals(y)].map(|mask| mask.lane(lane));
                        assert_eq!(found, [a & b, a | b, !a, a != b, a == b]);
                    }
                }
            }
            for count in (0..W::LANES + 2).chain([64, 1000]) {
                let first = Mask::first(w, count);
                assert!((0..W::LANES).all(|lane| first.lane(lane) == (lane < count)));
            }
            assert!(Mask::all_of(w).all() && !Mask::none(w).any());
            let mut changed = Mask::none(w);
            changed.set_lane(2, true);
            assert!((0..W::LANES).all(|lane| changed.lane(lane) == (lane == 2)));
        }
    }
    on_all_widths(&Masks);
}

type Mixed = (f64, [f32; 2], bool, i32, ((), usize));

fn mixed(lane: usize, sign: f64) -> Mixed {
    (sign * lane as f64, [lane as f32, sign as f32], lane.is_multiple_of(3), lane as i32 - 4, ((), lane * 2))
}

#[test]
fn lanes_of_all_types_are_selected_and_changed() {
    struct Select;
    impl Check for Select {
        fn check<W: Width>(&self, w: W) {
            let (yes, no) = (each(w, |lane| mixed(lane, 1.0)), each(w, |lane| mixed(lane + 1, -1.0)));
            for (bits, mask) in patterns(w) {
                let found = <Mixed as Spread<W>>::Lanes::select(mask, yes, no);
                for lane in 0..W::LANES {
                    let expected = if bits >> lane & 1 == 1 { mixed(lane, 1.0) } else { mixed(lane + 1, -1.0) };
                    assert_eq!(found.lane(lane), expected);
                }
            }
            let mut changed = mixed(7, 1.0).spread(w);
            changed.set_lane(1, mixed(3, -1.0));
            for lane in 0..W::LANES {
                assert_eq!(changed.lane(lane), if lane == 1 { mixed(3, -1.0) } else { mixed(7, 1.0) });
            }
        }
    }
    on_all_widths(&Select);
}

#[test]
fn what_goes_lane_by_lane_is_called_for_the_lanes_of_the_mask_alone() {
    struct EachOf;
    impl Check for EachOf {
        fn check<W: Width>(&self, w: W) {
            for (bits, mask) in patterns(w) {
                let mut called = 0;
                let found: [(V<W, f64>, Mask<W>); 2] = each_of(w, mask, |lane| {
                    called |= 1 << lane;
                    [(lane as f64, true), (-1.5, lane % 2 == 0)]
                });
                assert_eq!(called, bits);
                for lane in 0..W::LANES {
                    let on = [(lane as f64, true), (-1.5, lane % 2 == 0)];
                    let off = [(0.0, false); 2];
                    assert_eq!(found.lane(lane), if bits >> lane & 1 == 1 { on } else { off });
                }
            }
        }
    }
    on_all_widths(&EachOf);
}
