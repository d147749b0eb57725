//! A line on the terminal for work that takes long.

use std::io::{IsTerminal, Write, stderr};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// Work shorter than this shows nothing.
const PATIENCE: Duration = Duration::from_secs(1);
/// How often the line changes.
const TICK: Duration = Duration::from_millis(500);

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
    loop {
        draw(&format!("{what}: {stage}, {} s", start.elapsed().as_secs()));
        match stages.recv_timeout(TICK) {
            Ok(name) => stage = name,
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => break,
        }
    }
    draw("");
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
        assert_eq!(watched("testing", |stage| work(0, stage)), 7);
        assert_eq!(watched("testing", |stage| work(1200, stage)), 1207);
        assert_eq!(with_line("testing", |stage| work(0, stage)), 7);
    }
}
