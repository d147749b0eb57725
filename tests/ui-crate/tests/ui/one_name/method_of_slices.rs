//! Traits in scope that have a method of slices for arrays.

pub trait Count {
    fn len(&self) -> usize;
}

impl Count for [f64; 4] {
    fn len(&self) -> usize {
        99
    }
}

pub trait Walk<'a> {
    fn iter(self) -> core::slice::Iter<'a, f64>;
}

impl<'a> Walk<'a> for &'a [f64; 2] {
    fn iter(self) -> core::slice::Iter<'a, f64> {
        self[..1].iter()
    }
}

const NDIM: usize = 2;

#[op2::kernel]
fn counts(a: &[f64; 4], b: &mut f64) {
    *b += a.len() as f64;
}

#[op2::kernel]
fn sums(a: &[f64; NDIM], c: &[f64; 3], b: &mut f64) {
    for x in a.iter() {
        *b += *x;
    }
    *b += c.len() as f64;
}

mod padding {
    const NDIM: usize = 3;

    #[op2::device_fn]
    pub fn padded(x: f64) -> [f64; NDIM + 1] {
        [x; NDIM + 1]
    }
}

#[op2::kernel]
fn counts_of_a_result(b: &mut f64) {
    let row = padding::padded(*b);
    *b += row.len() as f64;
}

fn main() {}
