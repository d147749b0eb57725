//! With the feature `cuda`, cust asks the linker for a library `cuda`. This adds an empty one to the search path for
//! machines without CUDA: see `src/cuda/gpu/driver.rs`.

use std::env::var;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if var("CARGO_FEATURE_CUDA").is_ok() {
        let package = var("CARGO_MANIFEST_DIR").expect("cargo tells the folder of the package");
        println!("cargo::rustc-link-search=native={package}/link/lib64");
    }
}
