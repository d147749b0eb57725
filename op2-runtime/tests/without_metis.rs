//! Orderings in a build without METIS.
#![cfg(not(feature = "metis"))]

use op2_runtime::reorder::{MeshShape, Ordering, renumber};

#[test]
fn without_metis_the_error_names_the_feature() {
    let mesh = MeshShape { sets: vec![1], ..MeshShape::default() };
    let error = renumber(&mesh, Ordering::Metis { block: 1 }, None, &mut |_| {}).expect_err("not built");
    assert!(error.to_string().contains("needs the feature `metis` of `op2`"), "{error}");
}
