//! A glob import brings a device function, and the kernel's module has a function of its name.

mod functions {
    #[op2::device_fn]
    pub fn scaled(x: f64) -> f64 {
        0.5 * x
    }
}

mod kernels {
    use super::functions::*;

    fn scaled(x: f64) -> f64 {
        2.0 * x
    }

    #[op2::kernel]
    pub fn scale(x: &mut f64) {
        *x = scaled(*x);
    }
}

fn main() {
    kernels::scale(&mut 1.0);
}
