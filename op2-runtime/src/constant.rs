//! Constants whose value is fixed at run time, before the first loop that uses them.

use crate::error::{Error, Result};
use crate::value::Value;
use std::sync::OnceLock;

/// A run-time constant, declared by `op2::constants!`, set once, read in kernels by `.get()`.
///
/// ```
/// use op2_runtime::Constant;
/// static QINF: Constant<[f64; 4]> = Constant::new("QINF");
/// QINF.set([1.0, 0.4, 0.0, 2.5])?;
/// assert_eq!(QINF.get()[1], 0.4);
/// assert!(QINF.set([2.0; 4]).is_err());
/// # Ok::<(), op2_runtime::Error>(())
/// ```
#[derive(Debug)]
pub struct Constant<V> {
    name: &'static str,
    value: OnceLock<V>,
}

impl<V: Value> Constant<V> {
    /// A constant without a value yet.
    pub const fn new(name: &'static str) -> Self {
        Constant { name, value: OnceLock::new() }
    }

    /// Gives the constant its value. Setting the same value again is allowed.
    ///
    /// # Errors
    /// [`Error::ConstantChanged`] if it has another value.
    pub fn set(&self, value: V) -> Result<()> {
        let old = *self.value.get_or_init(|| value);
        if old == value {
            return Ok(());
        }
        Err(Error::ConstantChanged { name: self.name, old: format!("{old:?}"), new: format!("{value:?}") })
    }

    /// Whether the constant has its value.
    pub fn is_set(&self) -> bool {
        self.value.get().is_some()
    }

    /// The value.
    ///
    /// # Panics
    /// If it was never set. Loops do not come this far: they refuse to start.
    #[inline(always)]
    pub fn get(&self) -> V {
        match self.value.get() {
            Some(value) => *value,
            None => unset(self.name),
        }
    }
}

/// What a loop needs to know of a run-time constant, whatever its type.
pub trait ConstantState: Sync {
    /// Name of the constant.
    fn name(&self) -> &'static str;
    /// Whether it has its value.
    fn has_value(&self) -> bool;
}

impl<V: Value> ConstantState for Constant<V> {
    fn name(&self) -> &'static str {
        self.name
    }

    fn has_value(&self) -> bool {
        self.is_set()
    }
}

/// The constants that a function of the kernel language mentions: its own, and those of the device
/// functions that it calls. The macros leave it beside the function, where the names are in scope.
pub struct Captured {
    /// Run-time constants mentioned in the function itself.
    pub own: &'static [&'static dyn ConstantState],
    /// What the called device functions mention.
    pub callees: &'static [&'static Captured],
}

impl Captured {
    /// The name of a constant that has no value yet, if there is one.
    pub fn unset(&self) -> Option<&'static str> {
        let own = self.own.iter().find(|c| !c.has_value()).map(|c| c.name());
        own.or_else(|| self.callees.iter().find_map(|c| c.unset()))
    }
}

#[cold]
fn unset(name: &str) -> ! {
    panic!("constant `{name}` has no value: call `{name}.set(…)` before the first loop that uses it")
}
