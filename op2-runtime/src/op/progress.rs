//! A line on the terminal for work that takes long.

use std::io::{IsTerminal, Write, stderr};
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Work shorter than this shows nothing.
const PATIENCE: Duration = Duration::from_secs(1);
/// How often the line changes.
const TICK: Duration = Duration::from_millis(500);

/// Does `work`, which names its stages as they begin. If it takes more than a second and standard error is a terminal,
/// a line there shows the current stage; it disappears at the end.
pub(crate) fn with_line<R>(what: &'static str, work: impl FnOnce(Stages<'_>) -> R) -> R {
    // To start a thread for the line and to wait for its end takes longer than to order a small mesh.
    if !stderr().is_terminal() {
        return work(&mut |_| {});
    }
    let (mut work, mut result) = (Some(work), None);
    watched(what, &mut |stage| result = work.take().map(|work| work(stage)));
    result.expect("the work was done")
}

/// Takes the names of stages.
type Stages<'a> = &'a mut dyn FnMut(&'static str);

/// The content of the line.
struct Line {
    /// The current stage, none when the work is done.
    stage: Mutex<Option<&'static str>>,
    done: Condvar,
}

impl Line {
    fn set(&self, stage: Option<&'static str>) {
        *self.stage.lock().unwrap_or_else(PoisonError::into_inner) = stage;
        self.done.notify_all();
    }
}

/// Ends the line, also where the work panics.
struct End<'a>(&'a Line);

impl Drop for End<'_> {
    fn drop(&mut self) {
        self.0.set(None);
    }
}

fn watched(what: &'static str, work: &mut dyn FnMut(Stages<'_>)) {
    let line = Line { stage: Mutex::new(Some("")), done: Condvar::new() };
    std::thread::scope(|scope| {
        let _end = End(&line);
        // Without a thread the work goes on without the line.
        let _ = std::thread::Builder::new().spawn_scoped(scope, || show(what, &line));
        work(&mut |stage| line.set(Some(stage)));
    });
}

fn show(what: &'static str, line: &Line) {
    let start = Instant::now();
    let mut wait = PATIENCE;
    loop {
        let stage = line.stage.lock().unwrap_or_else(PoisonError::into_inner);
        let waited = line.done.wait_timeout_while(stage, wait, |stage| stage.is_some());
        let Some(stage) = *waited.unwrap_or_else(PoisonError::into_inner).0 else { break };
        draw(&format!("{what}: {stage}, {} s", start.elapsed().as_secs()));
        wait = TICK;
    }
    if wait == TICK {
        draw("");
    }
}

/// Puts a text in place of the line where the cursor is.
fn draw(text: &str) {
    let mut terminal = stderr().lock();
    // The work does not depend on a line that cannot be shown.
    let _ = write!(terminal, "\r\x1b[K{text}").and_then(|()| terminal.flush());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_work_is_done_and_its_result_returned() {
        let work = |patience: u64, stage: &mut dyn FnMut(&'static str)| {
            stage("first");
            std::thread::sleep(Duration::from_millis(patience));
            stage("second");
            patience + 7
        };
        for (patience, expected) in [(0, 7), (1200, 1207)] {
            let mut result = 0;
            watched("testing", &mut |stage| result = work(patience, stage));
            assert_eq!(result, expected);
        }
        assert_eq!(with_line("testing", |stage| work(0, stage)), 7);
    }
}
