//! What a person sees and does while runs work: a bar, and Ctrl-C.

use std::{
    io::{self, IsTerminal as _, Write as _},
    sync::atomic::{AtomicBool, AtomicUsize, Ordering},
    thread,
    time::{Duration, Instant},
};

use anyhow::Context as _;
use hpa_simulation::Budget;

use crate::process::{runtime::runtime, stop::StopSignal};

/// Waits for Ctrl-C, or for the end.
pub(super) fn watch_signals(budget: &Budget, is_over: &AtomicBool) {
    let listen = || -> anyhow::Result<()> {
        runtime()?.block_on(async {
            let mut stop = StopSignal::listen().context("cannot listen for signals")?;
            loop {
                tokio::select! {
                    () = stop.wait() => {
                        budget.stop();
                        break;
                    }
                    () = tokio::time::sleep(Duration::from_millis(20)) => {
                        if is_over.load(Ordering::Relaxed) {
                            break;
                        }
                    }
                }
            }
            stop.let_go();
            Ok(())
        })
    };
    // Without a handler, Ctrl-C ends the process as usual.
    let _ = listen();
}

/// Width of the bar in letters.
const WIDTH: usize = 30;

/// Shows a progress line on a terminal after two seconds.
pub(super) fn show_progress(done: &AtomicUsize, tasks: usize, is_over: &AtomicBool) {
    if !io::stderr().is_terminal() {
        return;
    }
    let begun = Instant::now();
    let mut is_open = false;
    while !is_over.load(Ordering::Relaxed) {
        if Duration::from_secs(2) <= begun.elapsed() {
            is_open = true;
            let done = done.load(Ordering::Relaxed);
            let filled = done * WIDTH / tasks;
            let bar: String = (0..WIDTH)
                .map(|cell| if cell < filled { '#' } else { '.' })
                .collect();
            let mut err = io::stderr().lock();
            let _ = write!(err, "\r[{bar}] {done} of {tasks} runs ").and_then(|()| err.flush());
        }
        thread::sleep(Duration::from_millis(100));
    }
    if is_open {
        let mut err = io::stderr().lock();
        let _ = write!(err, "\r\x1b[K").and_then(|()| err.flush());
    }
}
