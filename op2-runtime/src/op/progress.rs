//! A line on the terminal for work that takes long.

use indicatif::{ProgressBar, ProgressStyle};
use std::io::{IsTerminal, stderr};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// Work shorter than this shows nothing.
const PATIENCE: Duration = Duration::from_secs(1);
/// How often the line changes.
const TICK: Duration = Duration::from_millis(100);

/// Does `work`, which names its stages as they begin. If it takes more than a second and standard error is a terminal,
/// a line there shows the current stage; it disappears at the end.
pub(crate) fn with_line<R>(what: &'static str, work: impl FnOnce(&mut dyn FnMut(&'static str)) -> R) -> R {
    // To start a thread for the line and to wait for its end takes longer than to order a small mesh.
    if stderr().is_terminal() { watched(what, work) } else { work(&mut |_| {}) }
}

fn watched<R>(what: &'static str, work: impl FnOnce(&mut dyn FnMut(&'static str)) -> R) -> R {
    let (sender, stages) = channel();
    std::thread::scope(|scope| {
        scope.spawn(move || show(what, &stages));
        // The line ends with the sender, which goes with this closure.
        let mut stage = move |name| {
            // Fails if the thread could not be started. The work goes on without the line.
            let _ = sender.send(name);
        };
        work(&mut stage)
    })
}

fn show(what: &'static str, stages: &Receiver<&'static str>) {
    let start = Instant::now();
    let mut stage = "";
    loop {
        match stages.recv_timeout(PATIENCE.saturating_sub(start.elapsed())) {
            Ok(name) => stage = name,
            Err(RecvTimeoutError::Timeout) => break,
            Err(RecvTimeoutError::Disconnected) => return,
        }
    }
    let style = ProgressStyle::with_template("{spinner} {prefix}: {msg}, {elapsed}").expect("the template is sound");
    let line = ProgressBar::new_spinner().with_style(style).with_prefix(what).with_elapsed(start.elapsed());
    line.set_message(stage);
    line.enable_steady_tick(TICK);
    stages.iter().for_each(|stage| line.set_message(stage));
    line.finish_and_clear();
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
        assert_eq!(watched("testing", |stage| work(0, stage)), 7);
        assert_eq!(watched("testing", |stage| work(1200, stage)), 1207);
        assert_eq!(with_line("testing", |stage| work(0, stage)), 7);
    }
}
