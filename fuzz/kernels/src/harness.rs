//! The Rust text that every batch and every printed program contain: meshes, data, settings and comparisons.

/// The harness of the cases, as the text of one module.
pub const HARNESS: &str = concat!(
    include_str!("../harness/mesh.rs"),
    "\n",
    include_str!("../harness/data.rs"),
    "\n",
    include_str!("../harness/indices.rs"),
    "\n",
    include_str!("../harness/settings.rs")
);
