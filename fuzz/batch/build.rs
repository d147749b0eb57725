//! Tells whether there are programs: `OP2_FUZZ_BATCH` names their folder.

fn main() {
    println!("cargo::rustc-check-cfg=cfg(has_programs)");
    println!("cargo::rerun-if-env-changed=OP2_FUZZ_BATCH");
    if std::env::var_os("OP2_FUZZ_BATCH").is_some() {
        println!("cargo::rustc-cfg=has_programs");
    }
}
