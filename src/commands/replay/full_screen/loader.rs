//! Reads and recomputes a recording in a separate thread.

use std::{
    sync::{Arc, Mutex, PoisonError},
    thread,
};

use hpa_objects::recording::{ReadError, RecordingLine, RecordingReader};
use hpa_playback::{Archive, RecordedEvents};
use hpa_watch::Event;
use jiff::Timestamp;
use tokio::sync::mpsc::{Receiver, Sender, channel};

use crate::cli::ReplayArgs;

/// A result of reading the file.
#[derive(Debug)]
pub(super) enum LoaderResult {
    /// Events of one line with their times, in order; the last one is of the line's own time.
    Events(Vec<(Event, Timestamp)>),
    /// The recording ends in a partial line; everything before it was read.
    Interrupted(ReadError),
    /// Reading failed.
    Failed(ReadError),
}

/// Starts reading. The snapshots go into the archive, with the controller's history.
pub(super) fn load(
    args: &ReplayArgs,
    archive: &Arc<Mutex<Archive>>,
) -> Result<Receiver<LoaderResult>, ReadError> {
    let controller = args.controller.clone();
    let path = args.path().to_owned();
    let archive = Arc::clone(archive);
    // A missing file is reported before the screen opens.
    if path.as_os_str() != "-" {
        RecordingReader::open(&path)?;
    }
    let (sender, receiver) = channel(AHEAD);
    thread::spawn(move || {
        let mut loader = Loader {
            recorded: RecordedEvents::default(),
            archive,
            sender,
        };
        let lines = match RecordingReader::open(&path) {
            Ok(lines) => lines,
            Err(error) => return loader.send(LoaderResult::Failed(error)),
        };
        for line in lines {
            let line = line.and_then(|line| controller.apply_to_line(line));
            let loaded = match line.and_then(|line| loader.take(line)) {
                Ok(events) => LoaderResult::Events(events),
                Err(error @ ReadError::Interrupted { .. }) => LoaderResult::Interrupted(error),
                Err(error) => LoaderResult::Failed(error),
            };
            let is_over = !matches!(loaded, LoaderResult::Events(_)) || loader.sender.is_closed();
            loader.send(loaded);
            // After an error the history would have a gap.
            if is_over {
                return;
            }
        }
    });
    Ok(receiver)
}

struct Loader {
    recorded: RecordedEvents,
    archive: Arc<Mutex<Archive>>,
    sender: Sender<LoaderResult>,
}

impl Loader {
    fn send(&self, loaded: LoaderResult) {
        // The receiver is gone once the screen is closed.
        let _ = self.sender.blocking_send(loaded);
    }

    fn take(&mut self, line: RecordingLine) -> Result<Vec<(Event, Timestamp)>, ReadError> {
        let mut snapshot = line.snapshot.clone();
        snapshot.notes.clear();
        let events = self.recorded.take(line)?;
        let mut archive = self.archive.lock().unwrap_or_else(PoisonError::into_inner);
        // What cannot be archived cannot be explained later; the screen then says so.
        match events.last() {
            Some((Event::Reconciled(seen), at)) => {
                let analysis = &seen.assessment.analysis;
                if archive.push(&seen.hpa, &snapshot).is_ok() {
                    archive.remember(&seen.hpa, *at, &analysis.memory, analysis.memory_basis);
                }
            }
            Some((Event::Deleted { hpa }, _)) => {
                let _ = archive.push(hpa, &snapshot);
            }
            _ => {}
        }
        drop(archive);
        Ok(events)
    }
}

/// Lines that are read ahead of the screen.
const AHEAD: usize = 64;
