//! Meshes that cannot be computed on are refused with a reason.

use hydra::mesh::{FAR_FROM_WALLS, Image, Mesh, Shape};
use hydra::physics::Stream;
use hydra::physics::kind::STREAM;
use hydra::solver::{self, Flow, Settings};
use hydra::{Error, Fault};

use crate::images::{Cube, Deformation, SHAPES};

/// The cube turned inside out.
struct Mirrored;

impl Image for Mirrored {
    fn place(&self, [x, y, z]: [f64; 3]) -> [f64; 3] {
        [-x, y, z]
    }

    fn kind(&self, _: [f64; 3]) -> i32 {
        STREAM
    }

    fn distance(&self, _: [f64; 3], _: [f64; 3]) -> f64 {
        FAR_FROM_WALLS
    }
}

#[test]
fn cells_without_volume() {
    for shape in SHAPES {
        let error = Mesh::of_cube(shape, [2, 2, 2], &Mirrored).unwrap_err();
        assert!(matches!(error, Error::Own(Fault::Volume { node: 0, volume }) if volume < 0.0), "{error}");
        let mut mesh = Cube::all(Deformation::Straight, STREAM).mesh(shape, [2, 2, 2]);
        mesh.x.iter_mut().for_each(|x| x[2] = 0.0);
        let error = Flow::<f64>::new(&mesh, &Settings::default()).err().expect("the mesh is flat");
        assert!(matches!(error, Error::Mesh(_)) && error.exit_status() == 2, "{error}");
    }
}

/// A corner that lies between its three neighbours: cells and dual cells have volumes all the same.
#[test]
fn edges_in_a_plane() {
    let mut mesh = Cube::all(Deformation::Straight, STREAM).mesh(Shape::Hexahedra, [2, 2, 2]);
    let corner = mesh.x.iter().position(|x| *x == [0.0; 3]).unwrap();
    mesh.x[corner] = [0.5 / 3.0; 3];
    let errors =
        [Flow::<f64>::new(&mesh, &Settings::default()).err(), Flow::<f32>::new(&mesh, &Settings::default()).err()];
    for error in errors.map(|error| error.expect("the corner is flat")) {
        assert!(matches!(error, Error::Own(Fault::Flat { nodes: 1 })), "{error}");
    }
}

#[test]
fn sizes_that_cannot_be() {
    for bricks in [[0, 1, 1], [2000, 2000, 2000]] {
        let cube = Cube::all(Deformation::Straight, STREAM);
        let error = Mesh::of_cube(Shape::Tetrahedra, bricks, &cube).unwrap_err();
        assert!(matches!(error, Error::Own(Fault::Size(_))) && error.exit_status() == 2, "{error}");
    }
}

#[test]
fn a_flow_that_is_no_number_ends_the_run() {
    let mesh = Cube::all(Deformation::Straight, STREAM).mesh(Shape::Hexahedra, [2, 2, 2]);
    let settings = Settings { case: Stream { mach: 1e200, ..Stream::default() }, ..Settings::default() };
    let error = solver::run(&mesh, &settings, &mut |_| Ok(())).unwrap_err();
    assert!(matches!(error, Error::Diverged { iteration: 1, .. }) && error.exit_status() == 1, "{error}");
}
