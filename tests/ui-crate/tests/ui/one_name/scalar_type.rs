//! A module that calls another type `f64`.

mod kernels {
    #[allow(non_camel_case_types)]
    type f64 = f32;

    #[op2::kernel]
    pub fn tenth(x: &f32, y: &mut f32) {
        let t: f64 = 0.1;
        *y = *x * t as f32;
    }
}

fn main() {
    kernels::tenth(&1.0, &mut 0.0);
}
