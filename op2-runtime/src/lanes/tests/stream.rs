use super::{Check, on_all_widths};
use crate::lanes::Width;
use crate::lanes::stream::{finish, fits, write};

/// Writes `N` words of 64 bits to every place of an array where they fit.
struct Everywhere<const N: usize>;

impl<const N: usize> Check for Everywhere<N> {
    fn check<W: Width>(&self, w: W) {
        let value: [u64; N] = std::array::from_fn(|n| n as u64 + 1);
        let mut fitted = 0;
        // One array for all places: 16 of its words in a row are aligned in every way.
        let mut to = vec![0_u64; 64];
        for start in 0..16 {
            to.fill(0);
            let place = (&raw mut to[start]).cast();
            if !fits(w, place) {
                continue;
            }
            fitted += 1;
            // SAFETY: the place is in the vector, and fits.
            unsafe { write(w, &value, place) };
            finish();
            assert_eq!(to[start..start + N], value);
            assert!(to[..start].iter().chain(&to[start + N..]).all(|word| *word == 0));
        }
        assert_eq!(fitted > 0, cfg!(target_arch = "x86_64") && N.is_multiple_of(2), "{N} words");
    }
}

#[test]
fn all_words_arrive_and_no_others_change() {
    on_all_widths(&Everywhere::<1>);
    on_all_widths(&Everywhere::<2>);
    on_all_widths(&Everywhere::<4>);
    on_all_widths(&Everywhere::<6>);
    on_all_widths(&Everywhere::<8>);
    on_all_widths(&Everywhere::<24>);
}
