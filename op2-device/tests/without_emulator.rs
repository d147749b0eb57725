//! The error of a build without the emulator.
#![cfg(not(feature = "emulator"))]

use op2_device::{Error, Options, emulator};

#[test]
fn the_feature_is_named() {
    let error = emulator(Options::default()).map(|_| ()).expect_err("it was not built");
    assert_eq!(error, Error::NoEmulator);
    assert!(error.to_string().contains("enable the feature `emulator` of `op2`"), "{error}");
}
