//! The report as a table of text.

use super::{LoopRow, Report, SearchRow};
use std::fmt;

const COLUMNS: usize = 11;

const HEADINGS: Row<&str> =
    ["loop", "calls", "seconds", "time", "useful GB", "GB/s", "of triad", "plan ms", "blocks", "colours", "strategy"];

/// First and last column are text and stand left, the numbers stand right.
const TEXT_COLUMNS: [usize; 2] = [0, COLUMNS - 1];

type Row<T = String> = [T; COLUMNS];

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.threads == 0 && self.triad_gb_per_s == 0.0 {
            true => writeln!(f, "{}", self.place())?,
            false => writeln!(f, "{}, {} {:.1} GB/s", self.place(), self.yardstick(), self.triad_gb_per_s)?,
        }
        let mut headings = HEADINGS.map(str::to_owned);
        headings[6] = format!("of {}", self.yardstick());
        let rows: Vec<Row> = [headings]
            .into_iter()
            .chain(self.loops.iter().map(|row| cells(self.name(row), row)))
            .chain([self.total()])
            .collect();
        let widths: Row<usize> = std::array::from_fn(|c| rows.iter().map(|r| r[c].chars().count()).max().unwrap_or(0));
        let rule = "-".repeat(widths.iter().sum::<usize>() + 2 * (widths.len() - 1));
        for (i, row) in rows.iter().enumerate() {
            if i == 1 || i + 1 == rows.len() {
                writeln!(f, "{rule}")?;
            }
            let aligned = row.iter().zip(widths).enumerate().map(|(c, (cell, width))| {
                if TEXT_COLUMNS.contains(&c) { format!("{cell:<width$}") } else { format!("{cell:>width$}") }
            });
            let line = aligned.collect::<Vec<_>>().join("  ");
            let end = if i + 1 == rows.len() { "" } else { "\n" };
            write!(f, "{}{end}", line.trim_end())?;
        }
        for (row, note) in self.loops.iter().filter_map(|row| Some((row, row.note.as_ref()?))) {
            write!(f, "\n{} ({}): {note}", self.name(row), row.location)?;
        }
        for (row, search) in self.loops.iter().filter_map(|row| Some((row, row.search?))) {
            write!(f, "\n{} ({}): {search}", self.name(row), row.location)?;
        }
        self.orderings.iter().try_for_each(|row| write!(f, "\n{row}"))?;
        if self.ordering_seconds > 0.0 {
            write!(f, "\nordering: {:.3} s, not in the table", self.ordering_seconds)?;
        }
        self.chains.iter().try_for_each(|row| write!(f, "\n{row}"))?;
        self.ends.iter().try_for_each(|row| write!(f, "\n{row}"))?;
        self.unused.iter().try_for_each(|line| write!(f, "\n{line}"))
    }
}

impl fmt::Display for SearchRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let SearchRow { proposed, met, grids, grid_seconds, grid_bytes, copies_bytes, combine_seconds } = self;
        let (plural, ms, megabytes) =
            (if *grids == 1 { "" } else { "s" }, grid_seconds * 1e3, *grid_bytes as f64 / 1e6);
        write!(
            f,
            "{met} pairs met of {proposed} that the grid proposed; {grids} grid{plural} in {ms:.2} ms, {megabytes:.2} MB"
        )?;
        if *copies_bytes == 0 {
            return Ok(());
        }
        let (ms, megabytes) = (combine_seconds * 1e3, *copies_bytes as f64 / 1e6);
        write!(f, "; {megabytes:.2} MB of copies, added in {ms:.2} ms")
    }
}

impl Report {
    fn total(&self) -> Row {
        let calls: u64 = self.loops.iter().map(|l| l.calls).sum();
        let plan_seconds = super::sum(self.loops.iter().map(|l| l.plan_seconds));
        let share = super::part(self.gb_per_s(), self.triad_gb_per_s);
        [
            "all loops".to_owned(),
            calls.to_string(),
            seconds(self.seconds()),
            String::new(),
            gigabytes(self.loops.iter().map(|l| l.useful_bytes).sum()),
            format!("{:.1}", self.gb_per_s()),
            percent(share),
            format!("{:.2}", plan_seconds * 1e3),
            String::new(),
            String::new(),
            String::new(),
        ]
    }
}

fn cells(name: String, row: &LoopRow) -> Row {
    let count = |n: usize| {
        if row.plans == 0 { "-".to_owned() } else { n.to_string() }
    };
    [
        name,
        row.calls.to_string(),
        seconds(row.seconds),
        percent(row.time_share),
        gigabytes(row.useful_bytes),
        format!("{:.1}", row.gb_per_s),
        percent(row.triad_share),
        format!("{:.2}", row.plan_seconds * 1e3),
        count(row.blocks),
        count(row.colours),
        row.strategy.clone(),
    ]
}

fn seconds(s: f64) -> String {
    format!("{s:.3}")
}

fn gigabytes(bytes: u64) -> String {
    format!("{:.3}", bytes as f64 / 1e9)
}

fn percent(share: f64) -> String {
    format!("{:.1} %", share * 100.0)
}
