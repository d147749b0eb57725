//! Rows of integers. A release build meets a fault of the compiler in them that `op2-runtime` has to avoid (`lanes/seal.rs`
//! there); builds whose units are not optimised together do not.

use op2::{Config, Op2, Result, op_par_loop};

op2::sets! { Elements }

/// A number after casts to fewer bits and back.
#[op2::kernel]
pub fn casts(a: &i64, q: &mut [i64; 5]) {
    q[0] = (*a as i32) as i64;
    q[1] = (*a as u32) as i64;
    q[2] = (*a as i32) as u64 as i64;
    q[3] = (*a as u32 as i32) as i64;
    q[4] = (*a as usize as u32) as i64;
}

/// Signed shifts beside masks of bits.
#[op2::kernel]
pub fn shifts(a: &[i64; 2], q: &mut [i64; 6]) {
    q[0] = a[0] & 255;
    q[1] = a[0] >> 1;
    q[2] = a[1] & 4_294_967_295;
    q[3] = (a[1] << 32) >> 32;
    q[4] = a[0] & 65_535;
    q[5] = a[1];
    q[5] >>= 3;
}

/// The same of half as many bits.
#[op2::kernel]
pub fn narrow_shifts(a: &[i32; 4], q: &mut [i32; 8]) {
    q[0] = a[0] & 255;
    q[1] = a[0] >> 1;
    q[2] = a[1] & 65_535;
    q[3] = (a[1] << 16) >> 16;
    q[4] = (a[2] << 16) >> 16;
    q[5] = a[2];
    q[6] = a[0] >> 1;
    q[7] = a[3];
}

/// The same of what all elements share.
#[op2::kernel]
pub fn shared_shifts(a: &[i32; 4], q: &mut [i32; 8]) {
    q[0] = a[0] & 255;
    q[1] = a[0] >> 1;
    q[2] = a[1] & 65_535;
    q[3] = (a[1] << 16) >> 16;
    q[4] = (a[2] << 16) >> 16;
    q[5] = a[2];
    q[6] = a[0];
    q[6] >>= 1;
    q[7] = a[3];
}

/// The results of loops over those kernels.
#[derive(Debug, PartialEq, Eq)]
pub struct Left {
    /// By [`casts`].
    pub casts: Vec<[i64; 5]>,
    /// By [`shifts`].
    pub shifts: Vec<[i64; 6]>,
    /// By [`narrow_shifts`].
    pub narrow: Vec<[i32; 8]>,
    /// By [`shared_shifts`].
    pub shared: Vec<[i32; 8]>,
}

/// Runs a loop over each of the kernels.
///
/// # Errors
/// Those of the loops.
pub fn run(config: Config, wide: &[i64], pairs: &[[i64; 2]], narrow: &[[i32; 4]]) -> Result<Left> {
    let mut op = Op2::with(config)?;
    let set = op.decl_set::<Elements>("elements", wide.len())?;
    let (a, b) = (op.decl_dat("a", set, wide)?, op.decl_dat("b", set, pairs)?);
    let (c, d) = (op.decl_dat("c", set, narrow)?, op.decl_global("d", narrow[0]));
    let (by_casts, by_shifts) = (op.decl_dat_filled("p", set, [0; 5])?, op.decl_dat_filled("q", set, [0; 6])?);
    let (by_narrow, by_shared) = (op.decl_dat_filled("r", set, [0; 8])?, op.decl_dat_filled("s", set, [0; 8])?);
    op_par_loop!(op, casts, set, read(a), write(by_casts))?;
    op_par_loop!(op, shifts, set, read(b), write(by_shifts))?;
    op_par_loop!(op, narrow_shifts, set, read(c), write(by_narrow))?;
    op_par_loop!(op, shared_shifts, set, gbl_read(d), write(by_shared))?;
    Ok(Left {
        casts: op.fetch(by_casts)?,
        shifts: op.fetch(by_shifts)?,
        narrow: op.fetch(by_narrow)?,
        shared: op.fetch(by_shared)?,
    })
}

/// The compiler's fault on its own: [`narrow_shifts`] in plain Rust, with AVX2. -1 stands where rustc 1.95 is wrong.
#[cfg(target_arch = "x86_64")]
pub fn fault(a: &[i32; 4]) -> Option<[i32; 8]> {
    #[inline(never)]
    #[target_feature(enable = "avx2,bmi1,bmi2,fma")]
    fn with_avx2(a: &[i32; 4], q: &mut [i32; 8]) {
        narrow_shifts(a, q);
    }
    let there = is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
        && is_x86_feature_detected!("fma");
    let mut q = [0; 8];
    // SAFETY: the processor has these instructions.
    there.then(|| unsafe { with_avx2(a, &mut q) })?;
    Some(q)
}

/// There are no such instructions.
#[cfg(not(target_arch = "x86_64"))]
pub fn fault(_a: &[i32; 4]) -> Option<[i32; 8]> {
    None
}
