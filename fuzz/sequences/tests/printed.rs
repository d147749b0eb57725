//! Compiles and runs a printed program, written by the test `programs_are_printed_as_they_are_run`.
#![allow(missing_docs, unreachable_pub, unused_variables, clippy::all, reason = "a machine wrote it")]

include!("printed/program.txt");
