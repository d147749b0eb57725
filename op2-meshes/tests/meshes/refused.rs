//! The limits of the builders, and their messages beyond.

use op2_meshes::{Error, MIN_SPACING, plane, space};

#[test]
fn no_cells() {
    let error = plane::quads(0, 3).build().unwrap_err();
    assert_eq!(error, Error::Empty { size: "nx" });
    assert_eq!(error.to_string(), "`nx` is 0, expected at least 1: a mesh has at least one cell in each direction");
    assert_eq!(plane::triangles(3, 0).periodic().build().unwrap_err(), Error::Empty { size: "ny" });
    assert_eq!(space::tetrahedra(3, 3, 0).build().unwrap_err(), Error::Empty { size: "nz" });
}

#[test]
fn too_few_for_periodic() {
    let error = space::hexahedra(3, 2, 3).periodic().build().unwrap_err();
    assert_eq!(error, Error::TooFewForPeriodic { size: "ny", found: 2 });
    assert_eq!(
        error.to_string(),
        "`ny` of a periodic mesh is 2, expected at least 3: with fewer, two cells would meet twice; take more cells or \
         leave out `periodic`"
    );
    assert_eq!(plane::quads(1, 3).periodic().build().unwrap_err(), Error::TooFewForPeriodic { size: "nx", found: 1 });
}

#[test]
fn ratios_that_make_no_mesh() {
    for found in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let error = plane::quads(2, 2).graded([1.0, found]).build().unwrap_err();
        assert!(matches!(error, Error::Ratio { direction: 1, .. }), "{error}");
    }
    let error = plane::quads(2, 2).graded([-1.0, 1.0]).build().unwrap_err();
    assert_eq!(error.to_string(), "`ratios[0]` is -1, expected a finite number above 0; 1 makes equal spacings");
}

#[test]
fn spacings_that_vanish() {
    let error = plane::quads(100, 1).graded([2.0, 1.0]).build().unwrap_err();
    assert_eq!(error, Error::TooFine { direction: 0, found: 2.0, cells: 100 });
    assert_eq!(
        error.to_string(),
        "`ratios[0]` is 2, which makes the finest of 100 spacings shorter than 1e-12 of the mesh, expected 1e-12 or \
         more; take a ratio nearer to 1 or fewer cells"
    );
    for ratio in [1e-300, 1e300, f64::MIN_POSITIVE, f64::MAX] {
        let error = plane::quads(3, 1).graded([ratio, 1.0]).build().unwrap_err();
        assert_eq!(error, Error::TooFine { direction: 0, found: ratio, cells: 3 });
    }
    // The only spacing is the whole length.
    assert!(plane::quads(1, 1).graded([1e300, 1e-300]).build().is_ok());
}

/// 2³⁹ is the greatest power of two below 1 / `MIN_SPACING`.
#[test]
fn finest_spacings_grow_as_they_should() {
    for ratio in [2.0, 0.5f64] {
        let mesh = plane::quads(39, 1).graded([ratio, 1.0]).build().unwrap();
        let x: Vec<f64> = mesh.x[..40].iter().map(|x| x[0]).collect();
        let spacings: Vec<f64> = x.windows(2).map(|pair| pair[1] - pair[0]).collect();
        assert_eq!((x[0], x[39]), (0.0, 1.0));
        assert!(spacings.iter().all(|&spacing| spacing > MIN_SPACING));
        assert!(spacings.windows(2).all(|pair| (pair[1] / pair[0] - ratio).abs() < 1e-3), "{spacings:?}");
    }
}

/// Too large meshes are refused before anything is allocated.
#[test]
fn more_than_can_be_numbered() {
    let max = usize::MAX;
    assert_eq!(plane::quads(1 << 16, 1 << 16).build().unwrap_err(), Error::TooLarge { set: "nodes" });
    assert_eq!(plane::quads(50_000, 50_000).build().unwrap_err(), Error::TooLarge { set: "edges" });
    assert_eq!(plane::triangles(46_340, 46_341).build().unwrap_err(), Error::TooLarge { set: "edges" });
    assert_eq!(space::hexahedra(1200, 1200, 1200).build().unwrap_err(), Error::TooLarge { set: "edges" });
    assert_eq!(space::tetrahedra(900, 900, 900).build().unwrap_err(), Error::TooLarge { set: "edges" });
    assert_eq!(space::tetrahedra(750, 750, 750).build().unwrap_err(), Error::TooLarge { set: "faces" });
    assert_eq!(space::tetrahedra(max, max, max).periodic().build().unwrap_err(), Error::TooLarge { set: "nodes" });
    assert_eq!(
        plane::quads(50_000, 50_000).build().unwrap_err().to_string(),
        "the mesh would have more than 4294967295 edges, expected at most 4294967295 as numbers are 32 bits wide; take \
         fewer cells"
    );
}
