//! An embedded language for unstructured-mesh computation.

pub use op2_macros::{device_fn, kernel, op_par_loop, op_plan};
pub use op2_runtime::*;

/// All that an application needs.
pub mod prelude {
    pub use crate::{
        ArgMax, ArgMin, Backend, Config, Constant, Dat, Float, Global, Layout, Map, Op2, Set, Strategy, Subset,
    };
    pub use op2_macros::{op_par_loop, op_plan};
}

#[doc(hidden)]
pub mod __private {
    pub use op2_macros::{function_step, par_loop_step, plan_step};
    pub use op2_runtime::private::*;
    #[doc(hidden)]
    #[macro_export]
    macro_rules! __faulty {
        ($($any:tt)*) => {
            ::core::result::Result::Ok::<(), $crate::Error>(())
        };
    }
    pub use __faulty as faulty;
}

/// Declares the kinds of sets.
#[macro_export]
macro_rules! sets {
    ($vis:vis $($name:ident),* $(,)?) => {$(
        #[doc = concat!("Tag of the sets of kind `", stringify!($name), "`.")]
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        $vis enum $name {}
        impl $crate::SetTag for $name {
            const NAME: &'static str = stringify!($name);
        }
    )*};
}

/// Declares constants whose value is fixed at run time.
#[macro_export]
macro_rules! constants {
    ($($(#[$doc:meta])* $vis:vis static $name:ident: $ty:ty;)*) => {$(
        $(#[$doc])*
        $vis static $name: $crate::Constant<$ty> = $crate::Constant::new(stringify!($name));
    )*};
}
