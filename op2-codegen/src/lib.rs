//! The generator of op2: from the text of kernels and loops to code, as a plain library so that tests
//! can call it.
//!
//! ```text
//! payload ── parse ──> IR with holes ── model ──> typed IR ──┐
//! loop ───── parse ──> declaration ───────────────────────── check ──> lower ──> split ──> vary ──> emit ──> tokens
//! ```
//!
//! | stage | what it does | where |
//! | --- | --- | --- |
//! | parse | grammar of loops; accepted subset of Rust, names resolved | [`parse`] |
//! | model | types of all expressions and literals | [`model`] |
//! | check | one function per rule: kernel alone, loop against kernel | [`check`] |
//! | lower | maps, views, what is gathered, passed and scattered | [`lower`] |
//! | split | stages that each need less of the data, as functions of the IR | [`split`] |
//! | vary | what differs between the elements of a vector | [`vary`] |
//! | emit | binding, CPU bodies, stages in Rust, a text for each other target, static description | [`emit`] |
//!
//! [`expand`] drives the stages, each once per loop. Errors are collected within a stage ([`error::Errors`]) and end it.
//! [`declare`] has the macros that declare things. The input of `emit` was checked, so emission cannot fail. Output is deterministic. The documentation of the crate `op2` has the kernel
//! language.

pub mod check;
pub mod declare;
pub mod emit;
pub mod error;
pub mod expand;
pub mod ir;
pub mod lower;
pub mod model;
pub mod parse;
pub mod payload;
pub mod root;
pub mod split;
pub mod vary;
