//! `--record`: writes a recording in parallel with watching.
//!
//! A separate thread compresses and writes, so that a slow disk delays neither the screen nor the controller's next
//! sync. A failed write is reported once; the next snapshot tries again, and success is reported.

use std::{
    iter, mem,
    path::Path,
    sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel},
    thread::{self, JoinHandle},
};

use hpa_objects::recording::{BeginError, Note, RotatingWriter, Snapshot, WriteError};
use jiff::Timestamp;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

/// Writes snapshots to a file.
pub(in crate::commands) struct WatchRecorder {
    lines: SyncSender<Snapshot>,
    news: UnboundedReceiver<String>,
    thread: JoinHandle<Result<Recorded, WriteError>>,
    /// The user's notes since the last snapshot.
    notes: Vec<Note>,
    /// Snapshots that did not fit into the queue.
    dropped: usize,
}

/// The result of a recording.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Recorded {
    /// Snapshots in the recording.
    pub(super) written: usize,
    /// Snapshots that could not be written.
    pub(super) lost: usize,
}

impl WatchRecorder {
    /// Starts a recording at `path`, which must not exist.
    pub(super) fn begin(path: &Path, max_size: Option<u64>) -> Result<Self, BeginError> {
        Self::begin_keeping(path, max_size, || Ok(()))
    }

    /// Starts a recording; `keep` frees space after each write.
    pub(in crate::commands) fn begin_keeping(
        path: &Path,
        max_size: Option<u64>,
        keep: impl Fn() -> Result<(), WriteError> + Send + 'static,
    ) -> Result<Self, BeginError> {
        let writer = RotatingWriter::begin(path, max_size)?;
        let (lines, queue) = sync_channel(LONGEST_QUEUE);
        let (report, news) = unbounded_channel();
        let thread = thread::spawn(move || write(writer, &queue, &report, &keep));
        Ok(Self {
            lines,
            news,
            thread,
            notes: Vec::new(),
            dropped: 0,
        })
    }

    /// Writes a snapshot.
    pub(super) fn write(&mut self, mut snapshot: Snapshot) {
        snapshot.notes = mem::take(&mut self.notes);
        if let Err(TrySendError::Full(snapshot) | TrySendError::Disconnected(snapshot)) =
            self.lines.try_send(snapshot)
        {
            self.dropped += 1;
            self.notes = snapshot.notes;
        }
    }

    /// Keeps the user's note for the next snapshot.
    pub(super) fn note(&mut self, time: Timestamp, text: &str) {
        self.notes.push(Note {
            time,
            text: text.to_owned(),
        });
    }

    /// Whether there are notes that no snapshot contains yet.
    pub(super) fn has_notes(&self) -> bool {
        !self.notes.is_empty()
    }

    /// Waits for a message to the user: that nothing can be written any more, or that it can again. Cancel-safe.
    pub(super) async fn next(&mut self) -> String {
        match self.news.recv().await {
            Some(news) => news,
            None => std::future::pending().await,
        }
    }

    /// Ends the recording.
    pub(super) fn finish(self) -> Result<Recorded, WriteError> {
        let Self {
            lines,
            thread,
            dropped,
            ..
        } = self;
        drop(lines);
        let mut recorded = thread
            .join()
            .expect("writing returns its errors and does not panic")?;
        recorded.lost += dropped;
        Ok(recorded)
    }
}

/// Writes the snapshots in the queue, until its sender is gone.
fn write(
    mut writer: RotatingWriter,
    queue: &Receiver<Snapshot>,
    report: &UnboundedSender<String>,
    keep: &dyn Fn() -> Result<(), WriteError>,
) -> Result<Recorded, WriteError> {
    let mut recorded = Recorded::default();
    let mut is_broken = false;
    let mut missing = 0;
    while let Ok(first) = queue.recv() {
        let mut result = Ok(());
        // All waiting snapshots are written to disk together.
        for snapshot in iter::once(first).chain(queue.try_iter()) {
            match writer.write(&snapshot) {
                Ok(()) => recorded.written += 1,
                Err(error) => {
                    missing += 1;
                    recorded.lost += 1;
                    result = Err(error);
                }
            }
        }
        let result = result.and_then(|()| writer.sync()).and_then(|()| keep());
        let was_broken = mem::replace(&mut is_broken, result.is_err());
        let news = match result {
            Ok(()) if was_broken => format!(
                "recording resumed; {} snapshots are missing",
                mem::take(&mut missing)
            ),
            Err(error) if !was_broken => format!(
                "RECORDING STOPPED: {error}: {}; the file so far is readable, and watch continues",
                error.source
            ),
            _ => continue,
        };
        // At the end the receiver is gone; the result of `finish` then reports it.
        let _ = report.send(news);
    }
    writer.finish()?;
    Ok(recorded)
}

/// Most snapshots that wait for a slow disk.
const LONGEST_QUEUE: usize = 256;
