//! The measurements, for people: a table for each loop, and whether the goals are reached.

use super::measure::{Family, LOOPS, Results, Row, UNTUNED, best};
use op2_apps::flags::Layout;
use std::fmt;

/// The share of the floor that is the goal, and how many times the best strategy's time `auto` may take.
const FLOOR_GOAL: f64 = 0.60;
const AUTO_GOAL: f64 = 1.02;

impl fmt::Display for Results {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Results { device, nodes, edges, ordering, copy_gb_per_s: copy, .. } = self;
        writeln!(f, "{device}, {nodes} nodes, {edges} edges, ordering {ordering}, copy {copy:.0} GB/s")?;
        for (name, _) in LOOPS {
            self.table(name, f)?;
            self.splitting(name, f)?;
            self.verdicts(name, f)?;
        }
        match *copy > 0.0 {
            true => Ok(()),
            false => writeln!(f, "\nthe emulator's times say nothing: no goal is compared"),
        }
    }
}

impl Results {
    /// The rows of a loop that followed their strategy.
    fn of<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a Row> {
        self.rows.iter().filter(move |row| row.name == name && row.milliseconds.is_some())
    }

    fn bytes(&self, name: &str) -> f64 {
        self.least_bytes.iter().find(|(known, _)| *known == name).map_or(0.0, |(_, bytes)| *bytes as f64)
    }

    /// The time of the floor as a share of `milliseconds`.
    fn of_floor(&self, name: &str, milliseconds: f64) -> f64 {
        match self.copy_gb_per_s > 0.0 {
            true => self.gb_per_s(name, milliseconds) / self.copy_gb_per_s,
            false => 0.0,
        }
    }

    fn gb_per_s(&self, name: &str, milliseconds: f64) -> f64 {
        self.bytes(name) / (milliseconds * 1e6)
    }

    fn table(&self, name: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "\n{name}: {:.1} MB at least", self.bytes(name) / 1e6)?;
        writeln!(
            f,
            "\n| strategy | layout | untuned, ms | best block | tuned, ms | model, ms | GB/s | of the floor | to the best |"
        )?;
        writeln!(f, "| --- | --- | --- | --- | --- | --- | --- | --- | --- |")?;
        let all = best(self.of(name)).and_then(|row| row.milliseconds).unwrap_or(f64::NAN);
        let mut seen: Vec<(Family, Layout)> = Vec::new();
        for Row { family, layout, .. } in self.of(name) {
            if seen.contains(&(*family, *layout)) {
                continue;
            }
            seen.push((*family, *layout));
            let same = || self.of(name).filter(|row| (row.family, row.layout) == (*family, *layout));
            let untuned = same().find(|row| row.block == UNTUNED).and_then(|row| row.milliseconds);
            let untuned = untuned.map_or("-".to_owned(), |ms| format!("{ms:.3}"));
            let Some((row, ms)) = best(same()).and_then(|row| Some((row, row.milliseconds?))) else { continue };
            let (block, model) = (row.block, row.model_milliseconds);
            let model = model.map_or("-".to_owned(), |ms| format!("{ms:.3}"));
            let (rate, share) = (self.gb_per_s(name, ms), 100.0 * self.of_floor(name, ms));
            let family = family.name();
            writeln!(
                f,
                "| {family} | {layout:?} | {untuned} | {block} | {ms:.3} | {model} | {rate:.0} | {share:.0} % | {:.2} |",
                ms / all
            )?;
        }
        for row in self.rows.iter().filter(|row| row.name == name) {
            if let Some(note) = &row.note {
                let asked = row.family.strategy(row.block);
                writeln!(f, "left out: `{asked}` in {:?}: {note}", row.layout)?;
            }
        }
        Ok(())
    }

    /// The gain by stages, in one block size and in the best ones.
    fn splitting(&self, name: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let gain = |tuned: bool| {
            let time = |split: bool| {
                let rows =
                    self.of(name).filter(|row| row.family.is_split() == split && (tuned || row.block == UNTUNED));
                best(rows).and_then(|row| row.milliseconds)
            };
            match (time(false), time(true)) {
                (Some(whole), Some(split)) => format!("{:.2}", whole / split),
                // Only forms in stages fit, or only the unsplit loop does.
                (None, Some(_)) => "all at once does not fit".to_owned(),
                _ => "no stages".to_owned(),
            }
        };
        writeln!(f, "splitting, time all at once over time in stages: untuned {}, tuned {}", gain(false), gain(true))
    }

    fn verdicts(&self, name: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let is_gpu = self.copy_gb_per_s > 0.0;
        let verdict = |reached: bool| match (is_gpu, reached) {
            (false, _) => "",
            (true, true) => ", reached",
            (true, false) => ", missed",
        };
        for chosen in self.chosen.iter().filter(|c| c.name == name) {
            let (asked, layout, ran, to_best) = (&chosen.asked, chosen.layout, &chosen.ran, chosen.to_best);
            write!(f, "{asked} in {layout:?}: {ran}, {:.3} ms, {to_best:.3} of the best", chosen.milliseconds)?;
            match asked.as_str() {
                "auto" => writeln!(f, ", goal {AUTO_GOAL:.2}{}", verdict(to_best <= AUTO_GOAL))?,
                _ => writeln!(f)?,
            }
        }
        if let Some(ms) = best(self.of(name)).and_then(|row| row.milliseconds).filter(|_| is_gpu) {
            let share = self.of_floor(name, ms);
            writeln!(f, "share of the floor: {share:.2}, goal {FLOOR_GOAL:.2}{}", verdict(share >= FLOOR_GOAL))?;
        }
        Ok(())
    }
}

impl Family {
    /// Its name in texts of strategies, without a block size.
    fn name(self) -> String {
        self.strategy(1).to_string().replacen(":1", "", 1)
    }
}
