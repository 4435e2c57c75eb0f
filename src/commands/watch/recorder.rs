//! `--record`: what is seen, written beside the watching.
//!
//! A thread of its own compresses and writes, so that a slow disk holds up neither the screen nor the controller's
//! next sync. If writing fails, that is told once; it is tried again with each snapshot, and told when it works again.

use std::{
    iter, mem,
    path::Path,
    sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel},
    thread::{self, JoinHandle},
};

use jiff::Timestamp;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

use crate::recording::{BeginError, Note, RotatingWriter, Snapshot, WriteError};

/// Writes what is seen to a file.
pub(in crate::commands) struct WatchRecorder {
    lines: SyncSender<Snapshot>,
    news: UnboundedReceiver<String>,
    thread: JoinHandle<Result<Recorded, WriteError>>,
    /// What the user noted since the last snapshot.
    notes: Vec<Note>,
    /// Snapshots that found no room in the queue.
    dropped: usize,
}

/// What came of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Recorded {
    /// Snapshots in the recording.
    pub(super) written: usize,
    /// Snapshots that could not be written.
    pub(super) lost: usize,
}

impl WatchRecorder {
    /// Begins a recording at `path`, where nothing may be yet.
    pub(super) fn begin(path: &Path, max_size: Option<u64>) -> Result<Self, BeginError> {
        Self::begin_keeping(path, max_size, || Ok(()))
    }

    /// The same, with `keep` to make room after each write.
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

    /// Keeps what the user noted, for the next snapshot.
    pub(super) fn note(&mut self, time: Timestamp, text: &str) {
        self.notes.push(Note {
            time,
            text: text.to_owned(),
        });
    }

    /// Whether something was noted that no snapshot has yet.
    pub(super) fn has_notes(&self) -> bool {
        !self.notes.is_empty()
    }

    /// Waits for something that the user should know: that nothing can be written any more, and that it can again.
    /// Loses nothing if it is dropped.
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

/// Writes what comes through the queue, until its other end is gone.
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
        // All that waits goes to the disk together.
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
                "the recording goes on; missing in between: {} snapshots",
                mem::take(&mut missing)
            ),
            Err(error) if !was_broken => format!(
                "NOTHING IS RECORDED ANY MORE: {error}: {}; what is there can be read, and watching goes on",
                error.source
            ),
            _ => continue,
        };
        // At the end nobody listens any more; what `finish` gives tells it then.
        let _ = report.send(news);
    }
    writer.finish()?;
    Ok(recorded)
}

/// Snapshots that wait for a slow disk.
const LONGEST_QUEUE: usize = 256;
