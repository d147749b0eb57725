//! Boxes of elements, from the values of a dat.

use super::Extent;

/// A value of a dat that says where an element is, in `D` dimensions: a point `[f64; D]`, or several points `[[f64; D]; N]`, such as
/// the corners of a triangle, whose box holds all of them. `f32` does as well.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no place in {D} dimensions",
    label = "expected a point `[f64; {D}]`, or the corners `[[f64; {D}]; N]` of an element",
    note = "the dats of `Within::boxes` hold a point per element, or several points whose box counts, of `f64` or `f32`, in 2 or 3 dimensions"
)]
// `Value` is no supertrait: a bound `[F; 2]: Bounds<2>` of a generic function would hide what is known of the value otherwise.
pub trait Bounds<const D: usize> {
    /// The lower and the upper corner of the box of all points; NaN where a coordinate is NaN.
    fn extent(&self) -> [[f64; D]; 2];
}

macro_rules! bounds {
    ($($d:literal $t:ident),*) => {$(
        impl Bounds<$d> for [$t; $d] {
            fn extent(&self) -> Extent<$d> {
                [self.map(f64::from); 2]
            }
        }

        impl<const N: usize> Bounds<$d> for [[$t; $d]; N] {
            fn extent(&self) -> Extent<$d> {
                // `min` and `max` would drop a NaN.
                let by = |better: fn(f64, f64) -> bool, c: usize| {
                    let values = self.iter().map(|point| f64::from(point[c]));
                    values.reduce(|a, b| if better(a, b) || a.is_nan() { a } else { b }).unwrap_or(f64::NAN)
                };
                [std::array::from_fn(|c| by(|a, b| a < b, c)), std::array::from_fn(|c| by(|a, b| a > b, c))]
            }
        }
    )*};
}
bounds!(2 f64, 3 f64, 2 f32, 3 f32);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boxes_hold_all_points() {
        let corners = [[1.0, -2.0], [0.5, 3.0], [2.0, 0.0]];
        assert_eq!(corners.extent(), [[0.5, -2.0], [2.0, 3.0]]);
        assert_eq!([1.5_f32, -0.5, 2.0].extent(), [[1.5, -0.5, 2.0]; 2]);
        assert_eq!([[4.0, 5.0]].extent(), [[4.0, 5.0]; 2]);
    }

    #[test]
    fn a_nan_is_kept() {
        for at in 0..3 {
            let mut corners = [[0.0, 1.0], [1.0, 1.0], [0.0, 2.0]];
            corners[at][0] = f64::NAN;
            let [low, high] = corners.extent();
            assert!(low[0].is_nan() && high[0].is_nan() && low[1] == 1.0 && high[1] == 2.0, "{at}");
        }
    }
}
