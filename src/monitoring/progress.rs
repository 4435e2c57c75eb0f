//! How far the reading is.

use std::{
    io::{self, IsTerminal as _, Write as _},
    pin::pin,
    sync::atomic::{AtomicUsize, Ordering},
    time::Duration,
};

/// How many requests there are, and how many of them are answered.
#[derive(Debug, Default)]
pub struct Progress {
    done: AtomicUsize,
    total: AtomicUsize,
}

impl Progress {
    /// Requests that are answered.
    pub fn done(&self) -> usize {
        self.done.load(Ordering::Relaxed)
    }

    /// Requests that are known to be needed so far.
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

/// Waits for `reading`, and says from two seconds on how far it is, on one line of a terminal. Nothing is lost if that cannot be written.
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

/// How long nothing is shown.
const PATIENCE: Duration = Duration::from_secs(2);
/// From picture to picture.
const INTERVAL: Duration = Duration::from_millis(200);
/// Letters of the bar.
const WIDTH: usize = 30;
