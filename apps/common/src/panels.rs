//! Values on triangles as two pictures side by side, on one logarithmic scale.

use std::fmt::Write as _;
use std::path::Path;

use crate::file::{self, write_atomically};

/// The places of the corners of a triangle, counter-clockwise.
pub type Triangle = [[f64; 2]; 3];

/// Pixels along the longer side of the domain.
const SIDE: usize = 300;
/// Units of the picture for a pixel.
const SCALE: usize = 2;
/// Units of the picture around a panel.
const MARGIN: usize = 40;
/// Steps of the colours.
const STEPS: usize = 32;
/// The colours of the least and the greatest values, and those between.
const COLOURS: [[f64; 3]; 4] = [[20.0, 24.0, 66.0], [32.0, 112.0, 160.0], [120.0, 190.0, 140.0], [250.0, 226.0, 90.0]];

/// One of the two pictures.
#[derive(Clone, Copy, Debug)]
pub struct Panel<'a> {
    /// The line above it.
    pub title: &'a str,
    /// The triangles.
    pub triangles: &'a [Triangle],
    /// The value of each triangle; values that a logarithm lacks have the colour of the least one.
    pub values: &'a [f64],
    /// Whether the sides of triangles are drawn.
    pub outlines: bool,
}

/// Draws both panels into the SVG file at `path`. A pixel has the colour of the triangle in which its middle lies, and none
/// outside of all.
///
/// # Errors
///
/// [`file::Error`] if the file cannot be written.
pub fn write(path: &Path, panels: &[Panel; 2]) -> Result<(), file::Error> {
    write_atomically(path, |out| out.write_all(draw(panels).as_bytes()))
}

fn draw(panels: &[Panel; 2]) -> String {
    let range = decades(panels.iter().flat_map(|panel| panel.values));
    let frame = Frame::around(panels.iter().flat_map(|panel| panel.triangles.as_flattened()));
    let [panel_width, panel_height] = frame.pixels.map(|pixels| SCALE * pixels);
    let (width, height) = (2 * panel_width + 3 * MARGIN, panel_height + 3 * MARGIN);
    let mut picture = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" font-family=\"sans-serif\" font-size=\"15\" \
         fill=\"#222b38\">\n<rect width=\"{width}\" height=\"{height}\" fill=\"white\"/>\n"
    );
    for (n, panel) in panels.iter().enumerate() {
        let left = MARGIN + n * (panel_width + MARGIN);
        let _ = writeln!(picture, "<text x=\"{left}\" y=\"{}\">{}</text>", MARGIN - 12, panel.title);
        let _ = writeln!(
            picture,
            "<g transform=\"translate({left} {MARGIN}) scale({SCALE})\" fill=\"none\" shape-rendering=\"crispEdges\">"
        );
        squares(&mut picture, &frame.raster(panel), frame.pixels[0], range);
        picture.push_str("</g>\n");
        if panel.outlines {
            let _ = writeln!(picture, "<g transform=\"translate({left} {MARGIN})\">");
            outlines(&mut picture, &frame, panel.triangles);
            picture.push_str("</g>\n");
        }
    }
    legend(&mut picture, [MARGIN, panel_height + 3 * MARGIN / 2], 2 * panel_width + MARGIN, range);
    picture + "</svg>\n"
}

/// The box around all triangles, in pixels.
struct Frame {
    least: [f64; 2],
    /// Pixels for a unit of length.
    scale: f64,
    /// Pixels in x and y.
    pixels: [usize; 2],
}

impl Frame {
    fn around<'a>(places: impl Iterator<Item = &'a [f64; 2]>) -> Self {
        let [least, greatest] =
            places.fold([[f64::INFINITY; 2], [f64::NEG_INFINITY; 2]], |[least, greatest], place| {
                [[0, 1].map(|k| least[k].min(place[k])), [0, 1].map(|k| greatest[k].max(place[k]))]
            });
        let extent = [0, 1].map(|k| (greatest[k] - least[k]).max(0.0));
        let longer = extent[0].max(extent[1]);
        let scale = if longer > 0.0 { SIDE as f64 / longer } else { 1.0 };
        Self { least, scale, pixels: extent.map(|side| ((side * scale).round() as usize).clamp(1, SIDE)) }
    }

    /// A place in pixels, from the upper left corner.
    fn at(&self, place: [f64; 2]) -> [f64; 2] {
        let [x, y] = [0, 1].map(|k| (place[k] - self.least[k]) * self.scale);
        [x, self.pixels[1] as f64 - y]
    }

    /// The value of the triangle in which the middle of each pixel lies, row by row from the top; NaN if it lies in none.
    fn raster(&self, panel: &Panel) -> Vec<f64> {
        let [columns, rows] = self.pixels;
        let mut pixels = vec![f64::NAN; columns * rows];
        for (triangle, value) in panel.triangles.iter().zip(panel.values) {
            let corners = triangle.map(|place| self.at(place));
            let span = |k: usize| {
                let (least, greatest) = corners
                    .iter()
                    .fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), c| (a.min(c[k] - 0.5), b.max(c[k] - 0.5)));
                let last = self.pixels[k] as f64 - 1.0;
                least.ceil().max(0.0) as usize..(greatest.floor().min(last) + 1.0).max(0.0) as usize
            };
            for row in span(1) {
                for column in span(0) {
                    if holds(&corners, [column, row].map(|n| n as f64 + 0.5)) {
                        pixels[row * columns + column] = *value;
                    }
                }
            }
        }
        pixels
    }
}

/// Whether a triangle holds a place. Both are in pixels, where y points down and triangles are clockwise.
fn holds([a, b, c]: &Triangle, at: [f64; 2]) -> bool {
    let side = |a: &[f64; 2], b: &[f64; 2]| (b[0] - a[0]) * (at[1] - a[1]) - (b[1] - a[1]) * (at[0] - a[0]);
    side(a, b) <= 0.0 && side(b, c) <= 0.0 && side(c, a) <= 0.0
}

/// A path for each colour, of a line for each run of pixels in a row.
fn squares(picture: &mut String, pixels: &[f64], columns: usize, range: [f64; 2]) {
    let mut paths = vec![String::new(); STEPS];
    for (y, row) in pixels.chunks(columns).enumerate() {
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

/// One path along the sides of all triangles.
fn outlines(picture: &mut String, frame: &Frame, triangles: &[Triangle]) {
    picture.push_str("<path fill=\"none\" stroke=\"#222b38\" stroke-width=\"0.3\" d=\"");
    for triangle in triangles {
        let [a, b, c] = triangle.map(|place| frame.at(place).map(|c| SCALE as f64 * c));
        let _ = write!(picture, "M{:.2} {:.2}L{:.2} {:.2}L{:.2} {:.2}z", a[0], a[1], b[0], b[1], c[0], c[1]);
    }
    picture.push_str("\"/>\n");
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

    /// A rectangle of width 4 and height 2 away from the origin, in cells of two triangles.
    fn rectangle() -> Vec<Triangle> {
        let at = |i: usize, j: usize| [10.0 + 0.1 * i as f64, -3.0 + 0.1 * j as f64];
        let cells = (0..20).flat_map(|j| (0..40).map(move |i| (i, j)));
        let cut = |(i, j)| [[at(i, j), at(i + 1, j), at(i, j + 1)], [at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)]];
        cells.flat_map(cut).collect()
    }

    fn panel<'a>(triangles: &'a [Triangle], values: &'a [f64], outlines: bool) -> Panel<'a> {
        Panel { title: "sizes", triangles, values, outlines }
    }

    #[test]
    fn every_pixel_has_the_colour_of_its_triangle() {
        let triangles = rectangle();
        // Values fall from left to right; those below the middle are a tenth.
        let value = |t: &Triangle| {
            10.0_f64.powf(-(t[0][0] - 10.0)) * if t.iter().any(|place| place[1] < -2.0 - 1e-9) { 0.1 } else { 1.0 }
        };
        let values: Vec<f64> = triangles.iter().map(value).collect();
        let frame = Frame::around(triangles.as_flattened().iter());
        assert_eq!(frame.pixels, [SIDE, SIDE / 2]);
        let pixels = frame.raster(&panel(&triangles, &values, false));
        assert!(pixels.iter().all(|v| !v.is_nan()));
        let rows: Vec<&[f64]> = pixels.chunks(SIDE).collect();
        assert!(rows.iter().all(|row| row[0] > 500.0 * row[SIDE - 1]));
        assert!(rows[0][0] > 0.7 && rows[SIDE / 2 - 1][0] < 0.2, "rows go from the top");
        // Without a cell, its pixels are of no triangle.
        let hole = frame.raster(&panel(&triangles[2..], &values[2..], false));
        let pixels_of_a_cell = (SIDE as f64 / 40.0).powi(2);
        let missing = hole.iter().filter(|v| v.is_nan()).count() as f64;
        assert!((missing / pixels_of_a_cell - 1.0).abs() < 0.2, "{missing}");
        assert!(hole[(SIDE / 2 - 1) * SIDE].is_nan());
    }

    #[test]
    fn pictures_have_titles_a_legend_and_outlines_if_asked_for() {
        let triangles = rectangle();
        let values: Vec<f64> = (0..triangles.len()).map(|n| 10.0_f64.powf(-3.9 * n as f64 / 1600.0)).collect();
        let picture = draw(&[panel(&triangles, &values, false), panel(&triangles[..10], &values, true)]);
        assert!(picture.starts_with("<svg") && picture.ends_with("</svg>\n"));
        assert_eq!(picture.matches(">sizes<").count(), 2);
        assert!(picture.contains(">1e-4<") && picture.contains(">1e0<"), "{}", &picture[..2000]);
        assert_eq!(picture.matches("zM").count(), 9);
    }

    #[test]
    fn nothing_to_draw_is_drawn() {
        let picture = draw(&[panel(&[], &[], true), panel(&[[[1.0; 2]; 3]], &[1.0], true)]);
        assert!(picture.ends_with("</svg>\n") && !picture.contains("NaN"), "{picture}");
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
