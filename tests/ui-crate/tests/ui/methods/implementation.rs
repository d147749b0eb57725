//! Forms of `impl` that are none of a record's methods.
mod flow {
    #[op2::record(methods)]
    pub struct State {
        pub rho: f64,
    }

    #[op2::device_fn]
    impl State {
        const SCALE: f64 = 2.0;

        fn len(&self) -> usize {
            1
        }

        fn twice(&self) -> f64 {
            let text = "2";
            2.0 * self.rho
        }

        fn boxed(self: Box<Self>) -> f64 {
            self.rho
        }

        const fn two() -> f64 {
            2.0
        }

        #[cfg(feature = "fast")]
        fn fast(&self) -> f64 {
            self.rho
        }
    }
}

#[op2::device_fn]
impl flow::State {
    fn half(&self) -> f64 {
        0.5 * self.rho
    }
}

#[op2::device_fn]
impl std::ops::Neg for flow::State {
    type Output = f64;
    fn neg(self) -> f64 {
        -self.rho
    }
}

#[op2::kernel]
impl flow::State {
    fn third(&self) -> f64 {
        self.rho / 3.0
    }
}

fn main() {}
