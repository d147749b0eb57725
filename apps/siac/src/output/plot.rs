//! The errors before and after as a picture.

use std::fmt::Write as _;
use std::path::Path;

use op2_apps::file::{self, write_atomically};

use super::Case;
use super::vtk::greatest_errors;
use crate::mesh::twice_area;
use crate::projection::Corners;

/// Pixels along a side of each square.
const SIDE: usize = 200;
/// Units of the picture for a pixel.
const SCALE: usize = 2;
/// Steps of the colours.
const STEPS: usize = 32;
/// The colours of the least and the greatest errors, and those between.
const COLOURS: [[f64; 3]; 4] = [[20.0, 24.0, 66.0], [32.0, 112.0, 160.0], [120.0, 190.0, 140.0], [250.0, 226.0, 90.0]];

/// Draws the greatest error at the points of each triangle, before and after, on one logarithmic scale, into the SVG file at `path`.
///
/// # Errors
///
/// [`file::Error`] if the file cannot be written, or errors are not known.
pub fn write(path: &Path, case: &Case) -> Result<(), file::Error> {
    write_atomically(path, |out| {
        let errors = greatest_errors(case).ok_or_else(|| std::io::Error::other("the errors are not known"))?;
        out.write_all(draw(&case.task.corners, &errors).as_bytes())
    })
}

fn draw(corners: &[Corners], errors: &[Vec<f64>; 2]) -> String {
    let range = decades(errors.iter().flatten());
    let (panel, margin) = (SIDE * SCALE, 40);
    let (width, height) = (2 * panel + 3 * margin, panel + 3 * margin);
    let mut picture = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" font-family=\"sans-serif\" font-size=\"15\" \
         fill=\"#222b38\">\n<rect width=\"{width}\" height=\"{height}\" fill=\"white\"/>\n"
    );
    for (n, (errors, name)) in errors.iter().zip(["before the filter", "after the filter"]).enumerate() {
        let left = margin + n * (panel + margin);
        let _ = writeln!(picture, "<text x=\"{left}\" y=\"{}\">|error| {name}</text>", margin - 12);
        let _ = writeln!(
            picture,
            "<g transform=\"translate({left} {margin}) scale({SCALE})\" fill=\"none\" shape-rendering=\"crispEdges\">"
        );
        squares(&mut picture, &raster(corners, errors), range);
        picture.push_str("</g>\n");
    }
    legend(&mut picture, [margin, panel + 3 * margin / 2], 2 * panel + margin, range);
    picture + "</svg>\n"
}

/// The value of the triangle in which the middle of each pixel lies, row by row from the top.
fn raster(corners: &[Corners], values: &[f64]) -> Vec<f64> {
    let mut pixels = vec![f64::NAN; SIDE * SIDE];
    let side = SIDE as f64;
    for (triangle, value) in corners.iter().zip(values) {
        let span = |k: usize| {
            let places = triangle.map(|v| v[k] * side - 0.5);
            let (least, greatest) = places.iter().fold((side, 0.0_f64), |(a, b), c| (a.min(*c), b.max(*c)));
            least.ceil().max(0.0) as usize..=(greatest.floor().min(side - 1.0).max(0.0) as usize)
        };
        for row in span(1) {
            for column in span(0) {
                let at = [column, row].map(|n| (n as f64 + 0.5) / side);
                if holds(triangle, at) {
                    pixels[(SIDE - 1 - row) * SIDE + column] = *value;
                }
            }
        }
    }
    pixels
}

fn holds([a, b, c]: &Corners, at: [f64; 2]) -> bool {
    [[*a, *b, at], [*b, *c, at], [*c, *a, at]].iter().all(|triangle| twice_area(triangle) >= 0.0)
}

/// A path for each colour, of a line for each run of pixels in a row.
fn squares(picture: &mut String, pixels: &[f64], range: [f64; 2]) {
    let mut paths = vec![String::new(); STEPS];
    for (y, row) in pixels.chunks(SIDE).enumerate() {
        let mut x = 0;
        for run in row.chunk_by(|a, b| step(*a, range) == step(*b, range)) {
            if let Some(step) = step(run[0], range) {
                let _ = write!(paths[step], "M{x} {y}.5h{}", run.len());
            }
            x += run.len();
        }
    }
    for (step, path) in paths.iter().enumerate().filter(|(_, path)| !path.is_empty()) {
        let _ = writeln!(picture, "<path stroke=\"{}\" d=\"{path}\"/>", colour(step));
    }
}

fn legend(picture: &mut String, [left, top]: [usize; 2], width: usize, range: [f64; 2]) {
    let part = width as f64 / STEPS as f64;
    for step in 0..STEPS {
        let x = left as f64 + part * step as f64;
        let _ = writeln!(
            picture,
            "<rect x=\"{x:.2}\" y=\"{top}\" width=\"{:.2}\" height=\"14\" fill=\"{}\"/>",
            part + 0.5,
            colour(step)
        );
    }
    let decades = (range[1] - range[0]) as usize;
    for decade in 0..=decades {
        let x = left as f64 + width as f64 * decade as f64 / decades as f64;
        let exponent = range[0] + decade as f64;
        let _ = writeln!(picture, "<text x=\"{x:.2}\" y=\"{}\" text-anchor=\"middle\">1e{exponent}</text>", top + 32);
    }
}

/// The step of a value on the logarithmic scale; `None` if the pixel lies in no triangle.
fn step(value: f64, [low, high]: [f64; 2]) -> Option<usize> {
    if value.is_nan() {
        return None;
    }
    let along = (value.log10() - low) / (high - low);
    Some(((along * STEPS as f64).max(0.0) as usize).min(STEPS - 1))
}

fn colour(step: usize) -> String {
    let along = step as f64 / (STEPS - 1) as f64 * (COLOURS.len() - 1) as f64;
    let n = (along as usize).min(COLOURS.len() - 2);
    let part = along - n as f64;
    let [r, g, b] = [0, 1, 2].map(|k| (COLOURS[n][k] + part * (COLOURS[n + 1][k] - COLOURS[n][k])).round() as u8);
    format!("#{r:02x}{g:02x}{b:02x}")
}

/// The exponents of the whole powers of ten around all values, at most eight apart.
fn decades<'a>(values: impl Iterator<Item = &'a f64>) -> [f64; 2] {
    let positive = values.filter(|v| **v > 0.0 && v.is_finite());
    let (least, greatest) = positive.fold((f64::INFINITY, 0.0_f64), |(a, b), v| (a.min(*v), b.max(*v)));
    if greatest == 0.0 {
        return [-1.0, 0.0];
    }
    let high = greatest.log10().ceil();
    [least.log10().floor().clamp(high - 8.0, high - 1.0), high]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::Kind;

    #[test]
    fn every_pixel_has_the_colour_of_its_triangle() {
        let corners = Kind::Low.mesh(300, 4).unwrap().corners();
        let centre = |t: &Corners| 10.0_f64.powf(-4.0 * (t[0][0] + t[1][0] + t[2][0]) / 3.0);
        let values: Vec<f64> = corners.iter().map(centre).collect();
        let pixels = raster(&corners, &values);
        assert!(pixels.iter().all(|v| !v.is_nan()));
        // Values fall from left to right.
        assert!(pixels.chunks(SIDE).all(|row| row[0] > 0.5 && row[SIDE - 1] < 2e-4), "{:?}", &pixels[..SIDE]);
        let picture = draw(&corners, &[values.clone(), values]);
        assert!(picture.starts_with("<svg") && picture.ends_with("</svg>\n"));
        assert!(picture.contains("before the filter") && picture.contains(">1e-4<"), "{}", &picture[..2000]);
    }

    #[test]
    fn scales_have_one_decade_or_more() {
        assert_eq!(decades([].iter()), [-1.0, 0.0]);
        assert_eq!(decades([0.0, 1e-3, f64::INFINITY].iter()), [-4.0, -3.0]);
        assert_eq!(decades([1e-30, 0.5].iter()), [-8.0, 0.0]);
        assert_eq!(step(0.0, [-3.0, 0.0]), Some(0));
        assert_eq!(step(1.0, [-3.0, 0.0]), Some(STEPS - 1));
    }
}
