//! Hilbert's space-filling curve.

use super::shape::Coordinates;
use crate::error::reorder::ReorderError;

/// The elements in their order along the curve; ties by the old number. In one dimension they are ascending.
///
/// The bounding box of all elements becomes a grid of square cells: 2³² a side in two dimensions, 2²¹ in three. A
/// shorter axis uses fewer of them.
pub(super) fn order(at: &Coordinates<'_>) -> Result<Vec<u32>, ReorderError> {
    let bad = at.values.iter().position(|x| !x.is_finite());
    if let Some(place) = bad {
        let (element, axis) = (place / at.dim, place % at.dim);
        return Err(ReorderError::NotFinite { element, axis, value: at.values[place].to_string() });
    }
    Ok(order_of(at.dim, at.values))
}

/// The same for finite coordinates, `dim` in a row.
pub(crate) fn order_of(dim: usize, values: &[f64]) -> Vec<u32> {
    let mut keys: Vec<(u64, u32)> = match dim {
        1 => values.iter().map(|&x| ascending(x)).zip(0..).collect(),
        2 => keys::<2>(values, 32).zip(0..).collect(),
        _ => keys::<3>(values, 21).zip(0..).collect(),
    };
    keys.sort_unstable();
    keys.into_iter().map(|(_, element)| element).collect()
}

/// Bits that sort like the finite number.
fn ascending(x: f64) -> u64 {
    // Adding 0 turns -0 into +0.
    let bits = (x + 0.0).to_bits();
    if bits >> 63 == 0 { bits | 1 << 63 } else { !bits }
}

/// Positions along the curve of all rows, on a grid of `2^bits` cells a side.
fn keys<const DIM: usize>(values: &[f64], bits: u32) -> impl Iterator<Item = u64> {
    let rows = values.as_chunks::<DIM>().0;
    // Halved, because the difference of two finite numbers may overflow.
    let mut low = [f64::INFINITY; DIM];
    let mut high = [f64::NEG_INFINITY; DIM];
    for row in rows {
        for axis in 0..DIM {
            low[axis] = low[axis].min(row[axis] / 2.0);
            high[axis] = high[axis].max(row[axis] / 2.0);
        }
    }
    let side = (0..DIM).map(|axis| high[axis] - low[axis]).fold(0.0, f64::max);
    let last = ((1_u64 << bits) - 1) as f64;
    rows.iter().map(move |row| {
        let cell = |axis: usize| ((row[axis] / 2.0 - low[axis]) / side * last) as u64;
        // Without extent there is no side to divide by.
        along_curve::<DIM>(std::array::from_fn(|axis| if side > 0.0 { cell(axis) } else { 0 }), bits)
    })
}

/// The position of a grid cell along the curve, after Skilling: Programming the Hilbert curve, AIP Conf. Proc. 707
/// (2004).
fn along_curve<const DIM: usize>(mut x: [u64; DIM], bits: u32) -> u64 {
    // Undo the reflections and exchanges of axes of every level, the coarsest first.
    for level in (1..bits).rev() {
        let bit = 1 << level;
        let below = bit - 1;
        for axis in 0..DIM {
            if x[axis] & bit != 0 {
                x[0] ^= below;
            } else {
                let differing = (x[0] ^ x[axis]) & below;
                x[0] ^= differing;
                x[axis] ^= differing;
            }
        }
    }
    // Decodes the Gray code.
    for axis in 1..DIM {
        x[axis] ^= x[axis - 1];
    }
    let mut flips = 0;
    for level in (1..bits).rev() {
        if x[DIM - 1] >> level & 1 != 0 {
            flips ^= (1 << level) - 1;
        }
    }
    (0..bits).rev().fold(0, |key, level| x.iter().fold(key, |key, v| key << 1 | (v ^ flips) >> level & 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Walks a full grid of `2^bits` cells a side along the curve and checks that every step leads to a neighbour.
    fn unit_steps<const DIM: usize>(bits: u32) {
        let side = 1_u64 << bits;
        let cell = |i: u64| -> [u64; DIM] { std::array::from_fn(|axis| i / side.pow(axis as u32) % side) };
        let values: Vec<f64> = (0..side.pow(DIM as u32)).flat_map(|i| cell(i).map(|x| x as f64 * 0.3 - 7.0)).collect();
        let order = order(&Coordinates { set: 0, dim: DIM, values: &values }).expect("finite");
        for pair in order.windows(2) {
            let (a, b) = (cell(pair[0].into()), cell(pair[1].into()));
            let steps: u64 = a.iter().zip(&b).map(|(a, b)| a.abs_diff(*b)).sum();
            assert_eq!(steps, 1, "{a:?} to {b:?}");
        }
    }

    #[test]
    fn the_curve_makes_unit_steps() {
        (1..7).for_each(unit_steps::<2>);
        (1..5).for_each(unit_steps::<3>);
    }

    #[test]
    fn one_dimension_is_sorted() {
        let values = [3.0, -1.0, 0.0, f64::MAX, -0.0, f64::MIN, -2.5];
        let order = order(&Coordinates { set: 0, dim: 1, values: &values }).expect("finite");
        assert_eq!(order, [5, 6, 1, 2, 4, 0, 3]);
    }

    #[test]
    fn extreme_positions_do_not_overflow() {
        let values = [f64::MIN, 0.0, f64::MAX, 0.0, 0.0, 0.0];
        let order = order(&Coordinates { set: 0, dim: 2, values: &values }).expect("finite");
        assert_eq!(order, [0, 2, 1]);
    }

    #[test]
    fn elements_in_one_place_keep_their_order() {
        assert_eq!(order(&Coordinates { set: 0, dim: 3, values: &[1.5; 12] }), Ok(vec![0, 1, 2, 3]));
        assert_eq!(order(&Coordinates { set: 0, dim: 2, values: &[] }), Ok(vec![]));
    }

    #[test]
    fn what_is_no_position_is_refused() {
        for (value, name) in [(f64::NAN, "NaN"), (f64::INFINITY, "inf"), (f64::NEG_INFINITY, "-inf")] {
            let values = [0.0, 0.0, 0.0, value];
            let error = order(&Coordinates { set: 0, dim: 2, values: &values }).expect_err("not finite");
            assert_eq!(error, ReorderError::NotFinite { element: 1, axis: 1, value: name.to_owned() });
        }
    }
}
