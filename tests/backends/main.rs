//! The same test body on every backend: each test computes something by loops of op2 in all configurations (backend ×
//! strategy × layout) and compares with the same computation in plain Rust.

mod chain;
mod changes;
mod constants;
mod device;
mod device_redirect;
mod direct;
mod entries;
mod errors;
mod forms;
mod generic;
mod globals;
mod index;
mod indirect;
mod lanes;
mod levels;
mod maps;
mod narrow;
mod off;
mod optional;
mod or;
mod panics;
mod plans;
mod records;
mod redirect;
mod references;
mod reorder;
mod reuse;
mod stages;
mod subsets;
mod support;
mod tables;
mod threads;
mod types;
mod values;
mod written;
