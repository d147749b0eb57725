//! The history of the residual as a picture.

use std::ops::Range;
use std::path::Path;

use plotters::coord::types::RangedCoordf64;
use plotters::prelude::*;

use crate::file::{self, write_atomically};

const SIZE: (u32, u32) = (900, 560);
const INK: RGBColor = RGBColor(0x22, 0x2b, 0x38);
const PALE: RGBColor = RGBColor(0xe3, 0xe7, 0xec);
const COLOURS: [RGBColor; 2] = [RGBColor(0xd0, 0x6a, 0x1c), RGBColor(0x1f, 0x5f, 0xa8)];

/// A picture of this width cannot show more points; longer histories are thinned out.
const MOST_POINTS: usize = 2000;

/// One value per iteration, the first after iteration 1.
#[derive(Clone, Debug)]
pub struct Curve {
    /// The name in the legend.
    pub name: &'static str,
    /// The values; those that a logarithmic scale cannot show are left out.
    pub values: Vec<f64>,
}

/// Draws `curves` over the iterations, on a logarithmic scale, into the SVG file at `path`. The second one lies above
/// the first.
///
/// # Errors
///
/// [`file::Error`] if the file cannot be written.
pub fn write(path: &Path, title: &str, label: &str, curves: &[Curve; 2]) -> Result<(), file::Error> {
    write_atomically(path, |out| {
        let picture = draw(title, label, curves).map_err(|e| std::io::Error::other(e.to_string()))?;
        out.write_all(picture.as_bytes())
    })
}

type Failure = DrawingAreaErrorKind<std::io::Error>;

fn draw(title: &str, label: &str, curves: &[Curve; 2]) -> Result<String, Failure> {
    let mut picture = String::new();
    {
        let area = SVGBackend::with_string(&mut picture, SIZE).into_drawing_area();
        area.fill(&WHITE)?;
        let points = [points(&curves[0].values), points(&curves[1].values)];
        let last = curves[0].values.len().max(1) as f64;
        let mut chart = ChartBuilder::on(&area)
            .margin(24)
            .caption(title, ("sans-serif", 22, &INK))
            .x_label_area_size(52)
            .y_label_area_size(76)
            .build_cartesian_2d(0.0..last, decades(points.iter().flatten()).log_scale())?;
        mesh_lines(&mut chart, label)?;
        for ((points, colour), curve) in points.into_iter().zip(COLOURS).zip(curves) {
            let style = colour.stroke_width(2);
            let line = chart.draw_series(LineSeries::new(points, style))?;
            line.label(curve.name).legend(move |(x, y)| PathElement::new([(x, y), (x + 24, y)], style));
        }
        chart
            .configure_series_labels()
            .position(SeriesLabelPosition::UpperRight)
            .legend_area_size(32)
            .margin(14)
            .label_font(("sans-serif", 15, &INK))
            .background_style(WHITE.mix(0.9))
            .border_style(PALE)
            .draw()?;
        area.present()?;
    }
    Ok(picture)
}

type Chart<'a, 'b> =
    ChartContext<'a, SVGBackend<'b>, Cartesian2d<RangedCoordf64, plotters::coord::combinators::LogCoord<f64>>>;

fn mesh_lines(chart: &mut Chart, label: &str) -> Result<(), Failure> {
    chart
        .configure_mesh()
        .bold_line_style(PALE)
        .light_line_style(TRANSPARENT)
        .axis_style(INK)
        .x_labels(11)
        .y_labels(10)
        .x_label_formatter(&|x| format!("{x}"))
        .y_label_formatter(&|y| scientific(*y))
        .x_desc("iteration")
        .y_desc(label)
        .label_style(("sans-serif", 15, &INK))
        .axis_desc_style(("sans-serif", 16, &INK))
        .draw()
}

/// The points of a curve that a logarithmic scale can show, at most [`MOST_POINTS`] and the last one.
fn points(values: &[f64]) -> Vec<(f64, f64)> {
    let step = values.len().div_ceil(MOST_POINTS).max(1);
    let chosen = |k: usize| k.is_multiple_of(step) || k + 1 == values.len();
    let points = values.iter().enumerate().filter(|(k, _)| chosen(*k));
    points.map(|(k, &v)| ((k + 1) as f64, v)).filter(|&(_, v)| v > 0.0 && v.is_finite()).collect()
}

/// The whole powers of ten around all values; one decade if there are none.
fn decades<'a>(points: impl Iterator<Item = &'a (f64, f64)>) -> Range<f64> {
    let (least, greatest) =
        points.fold((f64::INFINITY, 0.0_f64), |(least, greatest), &(_, v)| (least.min(v), greatest.max(v)));
    if greatest == 0.0 {
        return 0.1..1.0;
    }
    let low = least.log10().floor();
    let high = greatest.log10().ceil().max(low + 1.0);
    // The exponents of doubles end at 308, where a whole power of ten above may not exist.
    10.0_f64.powf(low.max(-307.0))..10.0_f64.powf(high.min(308.0))
}

/// A power of ten as a reader of diagrams expects it, `10⁻⁴`.
fn scientific(value: f64) -> String {
    const DIGITS: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    let exponent = value.log10();
    let whole = exponent.round();
    if (exponent - whole).abs() > 1e-9 {
        return format!("{value:.0e}");
    }
    let raised = format!("{whole:.0}");
    let raised = raised.chars().map(|c| c.to_digit(10).map_or('⁻', |d| DIGITS[d as usize]));
    std::iter::once("10".to_owned()).chain(raised.map(String::from)).collect()
}
