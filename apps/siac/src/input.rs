//! Meshes with polynomials and points as JSON, and values as text.
//!
//! | key | value |
//! | --- | --- |
//! | `xy` | vertices; those on opposite sides of the unit square match |
//! | `tri` | the three vertices of each triangle, counter-clockwise, counted from 0 |
//! | `k` | the degree P of the kernel |
//! | `exps` | pairs a, b: the monomials ξᵃηᵇ of the reference triangle (0,0) (1,0) (0,1) ↔ its vertices |
//! | `coef` | for each triangle a coefficient of each monomial |
//! | `points` | the points at which the filter is evaluated |
//! | `h` | the scale of the kernel; without it the longest edge |

use std::io::Read as _;
use std::path::Path;

use op2_apps::error::{Error, Fault};
use op2_apps::flaw::{Flaw, expect_length};
use op2_apps::{file, text};
use serde::{Deserialize, Serialize};

use crate::mesh::{Boundary, Mesh};
use crate::projection::Solution;
use crate::spline::MAX_DEGREE;

/// The greatest total degree of a polynomial in a file.
const MAX_SOLUTION_DEGREE: usize = 16;

/// The task that a file states.
#[derive(Clone, Debug, PartialEq)]
pub struct Input {
    /// The mesh.
    pub mesh: Mesh,
    /// P.
    pub degree: usize,
    /// u_h.
    pub solution: Solution,
    /// Where the filter is evaluated.
    pub points: Vec<[f64; 2]>,
    /// The scale of the kernel, if it is not the longest edge.
    pub h: Option<f64>,
}

/// The file as it stands.
#[derive(Deserialize, Serialize)]
struct Text {
    xy: Vec<[f64; 2]>,
    tri: Vec<[u32; 3]>,
    k: usize,
    exps: Vec<[usize; 2]>,
    coef: Vec<Vec<f64>>,
    points: Vec<[f64; 2]>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    h: Option<f64>,
}

/// Reads the file at `path` and checks all of it but the points and `h`, which [`Stencils`](crate::stencil::Stencils)
/// check.
///
/// # Errors
/// If the file cannot be read, is not of this form, or the filter cannot be applied to its mesh: with the line, or
/// with the triangle or vertex.
pub fn read<F: Fault>(path: &Path, boundary: Boundary) -> Result<Input, Error<F>> {
    let failed = |reason: String| text::Error::File { path: path.into(), reason };
    let mut bytes = Vec::new();
    text::open(path)?.read_to_end(&mut bytes).map_err(|e| failed(e.to_string()))?;
    let text: Text = serde_json::from_slice(&bytes).map_err(|e| failed(e.to_string()))?;
    check_solution(&text)?;
    let Text { xy, tri, k, exps, coef, points, h } = text;
    let mesh = Mesh { vertices: xy, triangles: tri };
    mesh.check(boundary)?;
    Ok(Input { mesh, degree: k, solution: Solution::new(exps, coef.concat()), points, h })
}

/// Writes the file at `path`, completely or not at all.
///
/// # Errors
/// [`file::Error`] with the system's reason.
pub fn write(path: &Path, input: &Input) -> Result<(), file::Error> {
    let exps = input.solution.exponents().to_vec();
    let text = Text {
        xy: input.mesh.vertices.clone(),
        tri: input.mesh.triangles.clone(),
        k: input.degree,
        coef: input.solution.coefficients().chunks(exps.len()).map(<[f64]>::to_vec).collect(),
        exps,
        points: input.points.clone(),
        h: input.h,
    };
    file::write_atomically(path, |out| {
        serde_json::to_writer(&mut *out, &text)?;
        writeln!(out)
    })
}

/// Writes values one per line with 17 digits, from which a reader gets the same bits.
///
/// # Errors
/// [`file::Error`] with the system's reason.
pub fn dump(path: &Path, values: &[f64]) -> Result<(), file::Error> {
    file::write_atomically(path, |out| values.iter().try_for_each(|value| writeln!(out, "{value:.16e}")))
}

fn check_solution(text: &Text) -> Result<(), Flaw> {
    if !(1..=MAX_DEGREE).contains(&text.k) {
        return Err(Flaw::of_mesh(format!(
            "`k` is {}, expected a degree of the kernel from 1 to {MAX_DEGREE}",
            text.k
        )));
    }
    if text.exps.is_empty() {
        return Err(Flaw::of_mesh("`exps` is empty, expected the exponents of at least one monomial"));
    }
    for (n, [a, b]) in text.exps.iter().enumerate() {
        if a.saturating_add(*b) > MAX_SOLUTION_DEGREE {
            return Err(Flaw::of_mesh(format!(
                "`exps` has ({a}, {b}), expected a total degree of at most {MAX_SOLUTION_DEGREE}"
            )));
        }
        if text.exps[..n].contains(&[*a, *b]) {
            return Err(Flaw::of_mesh(format!("`exps` has ({a}, {b}) twice: join the coefficients of both")));
        }
    }
    expect_length("coef", text.coef.len(), "triangles", text.tri.len())?;
    for (number, coef) in text.coef.iter().enumerate() {
        let flaw = |reason| Flaw::at("triangle", number, text.tri.len(), reason);
        if coef.len() != text.exps.len() {
            let reason = format!(
                "it has {} coefficients, expected {}: one for each pair of `exps`",
                coef.len(),
                text.exps.len()
            );
            return Err(flaw(reason));
        }
        if let Some(found) = coef.iter().find(|c| !c.is_finite()) {
            return Err(flaw(format!("a coefficient is {found}, expected finite numbers")));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::mesh::Kind;
    use crate::quadrature::points_of;

    fn task() -> Input {
        let mesh = Kind::Low.mesh(60, 9).unwrap();
        let corners = mesh.corners();
        let solution = Solution::projected(&corners, 2, |x, y| (x - 2.0 * y).exp() / 3.0);
        Input { points: points_of(&corners, 3), mesh, degree: 2, solution, h: Some(0.1) }
    }

    #[test]
    fn a_file_holds_every_bit() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("task.json");
        for input in [task(), Input { h: None, ..task() }] {
            write(&path, &input).unwrap();
            let read = read::<std::convert::Infallible>(&path, Boundary::Periodic).unwrap();
            assert!(read == input);
        }
    }

    #[test]
    fn values_are_read_back_with_the_same_bits() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("values");
        let values = [1.0 / 3.0, -1e-300, 0.1, 12345.6789];
        dump(&path, &values).unwrap();
        let text = fs::read_to_string(&path).unwrap();
        assert_eq!(text.lines().next().unwrap(), "3.3333333333333331e-1");
        let read: Vec<f64> = text.lines().map(|line| line.parse().unwrap()).collect();
        assert_eq!(read, values);
    }

    /// The error for a text of two triangles in which something is replaced.
    fn said(from: &str, to: &str) -> String {
        let good = r#"{"xy": [[0, 0], [1, 0], [0, 1], [1, 1]], "tri": [[0, 1, 3], [0, 3, 2]], "k": 1,
            "exps": [[0, 0], [1, 0]], "coef": [[1, 2], [3, 4.5]], "points": [[0.5, 0.5]], "note": ""}"#;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("bad.json");
        let text = good.replacen(from, to, 1);
        assert!(from.is_empty() || text != good, "`{from}` is not in the text");
        fs::write(&path, text).unwrap();
        match read::<std::convert::Infallible>(&path, Boundary::Periodic) {
            Ok(_) => String::new(),
            Err(e) => e.to_string().replace(&path.display().to_string(), "bad.json"),
        }
    }

    #[test]
    fn bad_files_are_refused_with_what_is_wrong() {
        assert_eq!(said("", ""), "");
        let cases = [
            (("\"tri\"", "\"tris\""), "cannot read `bad.json`: missing field `tri` at line 2"),
            (("4.5", "NaN"), "cannot read `bad.json`: expected value at line 2 column 60"),
            (("4.5", "1e999"), "cannot read `bad.json`: number out of range at line 2"),
            (("0.5]]", "0.5"), "cannot read `bad.json`: "),
            (("\"k\": 1", "\"k\": 4"), "`k` is 4, expected a degree of the kernel from 1 to 3"),
            (("[[0, 0], [1, 0]],", "[[0, 0], [0, 0]],"), "`exps` has (0, 0) twice"),
            (("[1, 0]], \"coef\"", "[9, 9]], \"coef\""), "`exps` has (9, 9), expected a total degree of at most 16"),
            (("[[1, 2], [3, 4.5]]", "[[1, 2]]"), "`coef` has 1 entries, expected 2: one for each of the triangles"),
            (("4.5", "4, 5"), "triangle 1 of 2: it has 3 coefficients, expected 2"),
            (("[0, 3, 2]", "[0, 2, 3]"), "triangle 1 of 2: it is clockwise, with an area of -5e-1"),
            (("[0, 3, 2]", "[0, 3, 4]"), "triangle 1 of 2: vertex 4 is out of range"),
        ];
        for ((from, to), expected) in cases {
            let said = said(from, to);
            assert!(said.starts_with(expected), "{said}\ninstead of\n{expected}");
        }
    }
}
