//! Checks: one function per rule, called in order; all violations of a stage are reported together.

pub mod call;
pub mod kernel;
pub mod usage;
