//! The report as a picture.
//!
//! The columns have fixed positions: names, bars of bandwidth under a common axis with the triad line, numbers, shares
//! of the time. No text stands at the end of a bar, where it could overlap the line or the next column.

use super::{LoopRow, Report};
use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

const WIDTH: i32 = 960;
const MARGIN: i32 = 28;
/// Where the rows start.
const TOP: i32 = 138;
const ROW: i32 = 32;
const BAR: i32 = 18;
/// Room under the rows for axis and legend.
const BOTTOM: i32 = 66;
/// The bandwidth bars.
const BARS: (i32, i32) = (232, 600);
/// Right edges of the columns of numbers.
const GB_PER_S: i32 = 664;
const OF_TRIAD: i32 = 738;
/// The bars of time, and the right edge of their numbers.
const TIME: (i32, i32) = (766, 856);
const TIME_SHARE: i32 = 932;
/// Characters of a name that fit before the bars.
const NAME: usize = 26;

const INK: RGBColor = RGBColor(32, 38, 46);
const FAINT: RGBColor = RGBColor(107, 114, 128);
const LINES: RGBColor = RGBColor(225, 229, 235);
const BAND: RGBColor = RGBColor(246, 248, 250);
const BLUE: RGBColor = RGBColor(46, 111, 178);
const SAND: RGBColor = RGBColor(224, 160, 76);
const RED: RGBColor = RGBColor(190, 52, 52);

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
type Drawn<'a> = Result<(), DrawingAreaErrorKind<<SVGBackend<'a> as DrawingBackend>::ErrorType>>;

pub(super) fn draw(report: &Report) -> String {
    let mut svg = String::new();
    let height = TOP + ROW * report.loops.len() as i32 + BOTTOM;
    paint(report, &SVGBackend::with_string(&mut svg, (WIDTH as u32, height as u32)).into_drawing_area())
        .expect("drawing into a string has no way to fail");
    svg
}

fn paint<'a>(report: &Report, area: &Area<'a>) -> Drawn<'a> {
    area.fill(&WHITE)?;
    heading(report, area)?;
    let mut loops: Vec<&LoopRow> = report.loops.iter().collect();
    loops.sort_by(|a, b| b.seconds.total_cmp(&a.seconds));
    let bottom = TOP + ROW * loops.len() as i32;
    for y in (0..loops.len() as i32).step_by(2).map(|i| TOP + ROW * i) {
        area.draw(&Rectangle::new([(MARGIN - 8, y), (WIDTH - MARGIN + 8, y + ROW)], BAND.filled()))?;
    }
    let greatest = loops.iter().map(|l| l.gb_per_s).fold(report.triad_gb_per_s, f64::max);
    let axis = Axis::up_to(greatest);
    axis.paint(area, bottom)?;
    for (i, row) in loops.iter().enumerate() {
        paint_row(area, &report.name(row), row, &axis, TOP + ROW * i as i32)?;
    }
    if report.triad_gb_per_s > 0.0 {
        let x = axis.place(report.triad_gb_per_s);
        area.draw(&PathElement::new([(x, TOP - 6), (x, bottom)], RED.stroke_width(2)))?;
        write(
            area,
            &format!("{} {:.1}", report.yardstick(), report.triad_gb_per_s),
            (x, TOP - 20),
            13,
            RED,
            HPos::Center,
        )?;
    }
    area.present()
}

fn heading<'a>(report: &Report, area: &Area<'a>) -> Drawn<'a> {
    write(area, "Parallel loops: useful bandwidth and time", (MARGIN, 34), 22, INK, HPos::Left)?;
    let (gb_per_s, share) = (report.gb_per_s(), super::part(report.gb_per_s(), report.triad_gb_per_s));
    let summary = format!(
        "{}: {:.3} s in loops, {gb_per_s:.1} GB/s, {:.0} % of {}",
        report.place(),
        report.seconds(),
        share * 100.0,
        report.yardstick()
    );
    let of_yardstick = format!("of {}", report.yardstick());
    write(area, &summary, (MARGIN, 62), 15, FAINT, HPos::Left)?;
    let columns = [
        ("loop", MARGIN, HPos::Left),
        ("useful GB/s", BARS.0, HPos::Left),
        ("GB/s", GB_PER_S, HPos::Right),
        (&of_yardstick, OF_TRIAD, HPos::Right),
        ("share of time", TIME.0, HPos::Left),
    ];
    // One line above the label of the triad line, which may stand anywhere over the bars.
    columns.into_iter().try_for_each(|(text, x, at)| write(area, text, (x, TOP - 42), 13, FAINT, at))
}

fn paint_row<'a>(area: &Area<'a>, name: &str, row: &LoopRow, axis: &Axis, y: i32) -> Drawn<'a> {
    let middle = y + ROW / 2;
    let (top, bottom) = (middle - BAR / 2, middle + BAR / 2);
    let bar = |from, to, colour: RGBColor| Rectangle::new([(from, top), (to, bottom)], colour.filled());
    write(area, &shortened(name), (MARGIN, middle), 15, INK, HPos::Left)?;
    area.draw(&bar(BARS.0, axis.place(row.gb_per_s), BLUE))?;
    write(area, &format!("{:.1}", row.gb_per_s), (GB_PER_S, middle), 15, INK, HPos::Right)?;
    write(area, &format!("{:.0} %", row.triad_share * 100.0), (OF_TRIAD, middle), 15, INK, HPos::Right)?;
    area.draw(&bar(TIME.0, TIME.0 + scaled(row.time_share, TIME), SAND))?;
    write(area, &format!("{:.1} %", row.time_share * 100.0), (TIME_SHARE, middle), 15, INK, HPos::Right)
}

/// A name that fits into its column. A long name keeps its beginning and its end, where related names differ.
fn shortened(name: &str) -> String {
    let length = name.chars().count();
    if length <= NAME {
        return name.to_owned();
    }
    let head = name.chars().take(NAME / 2);
    let tail = name.chars().skip(length - (NAME - NAME / 2 - 1));
    head.chain(['…']).chain(tail).collect()
}

/// Pixels of a share of a column.
fn scaled(share: f64, (left, right): (i32, i32)) -> i32 {
    (share.clamp(0.0, 1.0) * f64::from(right - left)).round() as i32
}

/// The axis of the bandwidth bars: from 0, with ticks at 1, 2 or 5 times a power of ten.
struct Axis {
    end: f64,
    step: f64,
}

impl Axis {
    fn up_to(greatest: f64) -> Self {
        let greatest = if greatest > 0.0 && greatest.is_finite() { greatest } else { 1.0 };
        let decade = 10_f64.powf((greatest / 4.0).log10().floor());
        let step = [1.0, 2.0, 5.0, 10.0].map(|m| m * decade).into_iter().find(|s| greatest / s <= 6.0);
        Axis { end: greatest * 1.04, step: step.unwrap_or(greatest) }
    }

    fn place(&self, value: f64) -> i32 {
        BARS.0 + scaled(value / self.end, BARS)
    }

    fn paint<'a>(&self, area: &Area<'a>, bottom: i32) -> Drawn<'a> {
        let decimals = (-self.step.log10().floor()).max(0.0) as usize;
        for tick in (0..).map(|i| f64::from(i) * self.step).take_while(|&t| t <= self.end) {
            let x = self.place(tick);
            area.draw(&PathElement::new([(x, TOP), (x, bottom + 5)], LINES.stroke_width(1)))?;
            write(area, &format!("{tick:.decimals$}"), (x, bottom + 16), 13, FAINT, HPos::Center)?;
        }
        let note = "Useful bytes: every distinct datum once per loop, twice where it is read and written, and every map entry once.";
        write(area, note, (MARGIN, bottom + 46), 12, FAINT, HPos::Left)
    }
}

/// Text with its vertical middle at `place`.
fn write<'a>(area: &Area<'a>, text: &str, place: (i32, i32), size: i32, colour: RGBColor, at: HPos) -> Drawn<'a> {
    let style = ("sans-serif", size).into_font().color(&colour).pos(Pos::new(at, VPos::Center));
    area.draw(&Text::new(text.to_owned(), place, style))
}
