//! The progress of reading.

use std::{
    io::{self, IsTerminal as _, Write as _},
    pin::pin,
    sync::atomic::{AtomicUsize, Ordering},
    time::Duration,
};

/// The number of requests, and how many are answered.
#[derive(Debug, Default)]
pub struct Progress {
    done: AtomicUsize,
    total: AtomicUsize,
}

impl Progress {
    /// Answered requests.
    pub fn done(&self) -> usize {
        self.done.load(Ordering::Relaxed)
    }

    /// Requests known to be needed so far.
    pub fn total(&self) -> usize {
        self.total.load(Ordering::Relaxed)
    }

    pub(super) fn plan(&self, requests: usize) {
        self.total.fetch_add(requests, Ordering::Relaxed);
    }

    pub(super) fn finish_one(&self) {
        self.done.fetch_add(1, Ordering::Relaxed);
    }
}

/// Waits for `reading`, and after two seconds shows the progress on one line of a terminal. Failed writes are ignored.
pub async fn with_progress<T>(progress: &Progress, reading: impl Future<Output = T>) -> T {
    let mut reading = pin!(reading);
    if !io::stderr().is_terminal() {
        return reading.await;
    }
    if let Ok(read) = tokio::time::timeout(PATIENCE, &mut reading).await {
        return read;
    }
    loop {
        let (done, total) = (progress.done(), progress.total());
        let filled = (done * WIDTH).checked_div(total).unwrap_or(0).min(WIDTH);
        let bar = format!("{}{}", "#".repeat(filled), ".".repeat(WIDTH - filled));
        show(&format!("\r[{bar}] {done} of {total} requests "));
        if let Ok(read) = tokio::time::timeout(INTERVAL, &mut reading).await {
            show("\r\x1b[K");
            return read;
        }
    }
}

fn show(text: &str) {
    let mut stderr = io::stderr().lock();
    let _ = write!(stderr, "{text}").and_then(|()| stderr.flush());
}

/// Nothing is shown before this time.
const PATIENCE: Duration = Duration::from_secs(2);
/// Interval between updates.
const INTERVAL: Duration = Duration::from_millis(200);
/// Width of the bar in letters.
const WIDTH: usize = 30;
