//! A trait of the user's with the name of op2's.

mod kernels {
    pub trait Float: Copy + core::ops::Add<Output = Self> {}
    impl Float for f64 {}

    #[op2::kernel]
    pub fn twice<F: Float>(x: &F, y: &mut F) {
        *y = *x + *x;
    }
}

fn main() {
    kernels::twice(&1.0, &mut 0.0);
}
