//! A module that bears its kernel's name, and contains one that bears its device function's. The program of this package has the
//! same file, and another constant.

const COMPONENTS: usize = crate::STRETCHED;

pub mod stretched {
    //! A module that bears its device function's name.

    /// A component, stretched as the crate says.
    #[op2::device_fn]
    pub fn stretched<F: op2::Float>(x: F) -> F {
        x * F::lit(crate::STRETCH)
    }
}

use stretched::stretched;

/// Stretches all components, whose number the crate says.
#[op2::kernel]
pub fn stretch(x: &mut [f64; COMPONENTS]) {
    for c in 0..COMPONENTS {
        x[c] = stretched(x[c]);
    }
}
