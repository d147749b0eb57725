//! The generator of op2: from the text of kernels and loops to code, as a plain library so that tests
//! can call it.
//!
//! ```text
//! tokens ── parse ──> IR with holes ── model ──> typed IR ── check ──> ── lower ──> steps ── emit ──> tokens
//!           parse ──> loop declaration ────────────────────┘
//! ```
//!
//! | stage | what it does | where |
//! | --- | --- | --- |
//! | parse | grammar of loops; accepted subset of Rust, names resolved | [`parse`] |
//! | model | types of all expressions and literals | [`model`] |
//! | check | one function per rule: kernel alone, loop against kernel | [`check`] |
//! | lower | maps, views, what is gathered, passed and scattered | [`lower`] |
//! | vary | what differs between the elements of a vector | [`vary`] |
//! | split | stages that each need less of the data, as functions of the IR | [`split`] |
//! | emit | binding, CPU bodies, stages in Rust, CUDA C++, static description | [`emit`] |
//!
//! [`expand`] drives the stages. Errors are collected within a stage ([`error::Errors`]) and end it.
//! Loops that reach `emit` were checked, so emission cannot fail. Output is deterministic.
//!
#![doc = include_str!("kernel-language.md")]
//!

pub mod check;
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
