//! Fields: values at vertices that follow the mesh.
//!
//! A field is linear on each facet. The mesh changes it in three ways:
//!
//! | change | the field |
//! | --- | --- |
//! | an edge is split | stays the same function: the new vertex has the mean of the edge's ends |
//! | a vertex collapses | is linear between the vertices that stay, which keep their values |
//! | green facets are merged | the same, where the vertex between them goes |
//!
//! So values stay between the least and the greatest ones, functions that are linear all over the domain stay, and splits keep the
//! integral to rounding. Collapses and merges change the integral by as much as the function is curved there:
//! [`Account`] tells it before and after.

use clap::ValueEnum;
use op2_apps::flaw::{Flaw, expect_length};
use serde::Serialize;

use crate::mesh::{Mesh, VERTEX, sum, twice_area};
use crate::outcome::Field;

/// How far values may leave the range of those before, and the integral of split facets be off, relative to the greatest value.
const ROUND: f64 = 1e-12;

/// A function that makes a field. Its domain is the box around the mesh, as the unit square.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Function {
    /// sin 2πx · sin 2πy
    Wave,
    /// 1 + x + 2y, which adaptivity keeps
    Plane,
}

impl Function {
    /// As command lines name it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Wave => "wave",
            Self::Plane => "plane",
        }
    }

    fn at(self, [x, y]: [f64; 2]) -> f64 {
        use std::f64::consts::TAU;
        match self {
            Self::Wave => (TAU * x).sin() * (TAU * y).sin(),
            Self::Plane => 1.0 + x + 2.0 * y,
        }
    }

    /// Its values at the vertices of a mesh.
    pub fn on(self, mesh: &Mesh) -> Field {
        let [least, greatest] = mesh.bounds();
        let unit = |place: &[f64; 2]| [0, 1].map(|k| (place[k] - least[k]) / (greatest[k] - least[k]));
        Field { name: self.name().to_owned(), values: mesh.vertices.iter().map(|place| self.at(unit(place))).collect() }
    }
}

/// A field in three numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Account {
    /// The integral over the domain.
    pub integral: f64,
    /// The least value.
    pub least: f64,
    /// The greatest value.
    pub greatest: f64,
}

impl Account {
    /// The account of a field that is linear on each facet.
    ///
    /// # Panics
    /// If a facet names a vertex that is not there, or a vertex has no value.
    pub fn of(mesh: &Mesh, values: &[f64]) -> Self {
        let mean = |facet: &[u32; 3]| facet.iter().map(|v| values[*v as usize]).sum::<f64>() / 3.0;
        let parts = mesh.facets.iter().enumerate();
        let integral = sum(parts.map(|(n, facet)| 0.5 * twice_area(&mesh.corners(n)) * mean(facet)));
        let [least, greatest] =
            values.iter().fold([f64::INFINITY, f64::NEG_INFINITY], |[a, b], value| [a.min(*value), b.max(*value)]);
        Self { integral, least, greatest }
    }
}

/// Fails unless `after` has a value at each vertex, and all are between the least and the greatest one of `before`.
///
/// # Errors
/// The first vertex with another value.
pub fn within(before: &Field, mesh: &Mesh, after: &Field) -> Result<(), Flaw> {
    expect_length(&after.name, after.values.len(), "vertices", mesh.vertices.len())?;
    let (least, greatest) =
        before.values.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), value| (a.min(*value), b.max(*value)));
    let room = ROUND * greatest.abs().max(least.abs());
    match after.values.iter().position(|value| !(least - room..=greatest + room).contains(value)) {
        None => Ok(()),
        Some(vertex) => {
            let value = after.values[vertex];
            let reason = format!("`{}` is {value} there, expected {least} to {greatest} as before", after.name);
            Err(Flaw::at(VERTEX, vertex, after.values.len(), reason))
        }
    }
}

/// Fails unless both accounts have the same integral, but for rounding; `area` is that of the domain.
///
/// # Errors
/// With both integrals.
pub fn same_integral(name: &str, before: Account, after: Account, area: f64) -> Result<(), Flaw> {
    let scale = area * before.greatest.abs().max(before.least.abs());
    if (before.integral - after.integral).abs() <= ROUND * scale {
        return Ok(());
    }
    Err(Flaw::of_mesh(format!(
        "the integral of `{name}` is {}, expected {} as before",
        after.integral, before.integral
    )))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::Kind;

    #[test]
    fn functions_take_the_box_as_the_unit_square() {
        let mut mesh = Kind::Structured.mesh(200, 0).unwrap();
        mesh.vertices.iter_mut().for_each(|place| *place = [4.0 * place[0] - 1.0, 0.5 * place[1] + 7.0]);
        let plane = Function::Plane.on(&mesh);
        assert_eq!((plane.name.as_str(), plane.values[0], plane.values[120]), ("plane", 1.0, 4.0));
        // The mean of 1 + x + 2y over the unit square is 2½, and the box has an area of 2.
        let account = Account::of(&mesh, &plane.values);
        assert!((account.integral - 5.0).abs() < 1e-13, "{account:?}");
        assert_eq!((account.least, account.greatest), (1.0, 4.0));
        let wave = Function::Wave.on(&mesh);
        assert!(wave.values.iter().all(|value| value.abs() <= 1.0) && wave.values.iter().any(|value| *value > 0.8));
    }

    #[test]
    fn values_beyond_those_before_and_other_integrals_are_told() {
        let mesh = Kind::Structured.mesh(50, 0).unwrap();
        let before = Function::Plane.on(&mesh);
        within(&before, &mesh, &before).unwrap();
        let mut after = before.clone();
        for value in [4.0 + 1e-11, f64::NAN] {
            after.values[7] = value;
            let said = within(&before, &mesh, &after).unwrap_err().to_string();
            assert_eq!(said, format!("vertex 7 of 36: `plane` is {value} there, expected 1 to 4 as before"));
        }
        after.values.pop();
        let said = within(&before, &mesh, &after).unwrap_err().to_string();
        assert_eq!(said, "`plane` has 35 entries, expected 36: one for each of the vertices");
        let [a, b] = [2.5, 2.5 + 1e-11].map(|integral| Account { integral, least: 1.0, greatest: 4.0 });
        same_integral("plane", a, a, 1.0).unwrap();
        let said = same_integral("plane", a, b, 1.0).unwrap_err().to_string();
        assert_eq!(said, "the integral of `plane` is 2.50000000001, expected 2.5 as before");
    }
}
