//! Reads and recomputes a recording in a separate thread.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, PoisonError},
    thread,
};

use hpa_engine::model::HpaKey;
use hpa_objects::recording::{Note, ReadError, RecordingLine, RecordingReader, Snapshot};
use hpa_playback::{Archive, EarlierComparison, Session};
use hpa_watch::Event;
use jiff::Timestamp;
use tokio::sync::mpsc::{Receiver, Sender, channel};

use crate::{cli::ReplayArgs, commands::controller_flags};

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
            session: Session::of_recordings(),
            hpas: BTreeMap::new(),
            archive,
            sender,
        };
        let lines = match RecordingReader::open(&path) {
            Ok(lines) => lines,
            Err(error) => return loader.send(LoaderResult::Failed(error)),
        };
        for line in lines {
            let line = line.and_then(|line| controller_flags::apply_to_line(&controller, line));
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
    session: Session,
    /// The HPA of each recording. Two recordings of one HPA are shown as two: their times are unrelated.
    hpas: BTreeMap<String, HpaKey>,
    archive: Arc<Mutex<Archive>>,
    sender: Sender<LoaderResult>,
}

impl Loader {
    fn send(&self, loaded: LoaderResult) {
        // The receiver is gone once the screen is closed.
        let _ = self.sender.blocking_send(loaded);
    }

    fn take(&mut self, line: RecordingLine) -> Result<Vec<(Event, Timestamp)>, ReadError> {
        let RecordingLine {
            number,
            mut snapshot,
        } = line;
        let at = snapshot.time;
        let notes = std::mem::take(&mut snapshot.notes);
        let marks = notes
            .into_iter()
            .map(|Note { time, text }| (Event::Marked { note: text }, time));
        if snapshot.hpa_deleted.is_some() {
            let mut events: Vec<(Event, Timestamp)> = marks.collect();
            events.extend(self.gone(&snapshot));
            return Ok(events);
        }
        let pushed = self.session.push(snapshot.clone());
        let pushed = pushed.map_err(|field| ReadError::Field {
            line: number,
            field,
        })?;
        let recording = pushed.reconcile.recording.clone();
        let mut seen = pushed.reconcile.seen();
        seen.hpa = self.hpa_of(recording, seen.hpa);
        let mut archive = self.archive.lock().unwrap_or_else(PoisonError::into_inner);
        let (memory, basis) = (
            &seen.assessment.analysis.memory,
            seen.assessment.analysis.memory_basis,
        );
        // What cannot be archived cannot be explained later; the screen then says so.
        if archive.push(&seen.hpa, &snapshot).is_ok() {
            archive.remember(&seen.hpa, at, memory, basis);
        }
        drop(archive);
        let compared = pushed
            .compared
            .into_iter()
            .filter_map(|compared| self.compared(&compared, at));
        let mut events: Vec<(Event, Timestamp)> = marks.chain(compared).collect();
        events.push((Event::Reconciled(Box::new(seen)), at));
        Ok(events)
    }

    /// The HPA of a snapshot is gone: what its last state shows about its syncs, and that it is gone.
    fn gone(&mut self, last: &Snapshot) -> Vec<(Event, Timestamp)> {
        let at = last.time;
        let compared = self.session.end(last).into_iter();
        let mut events: Vec<(Event, Timestamp)> = compared
            .filter_map(|compared| self.compared(&compared, at))
            .collect();
        let recording = Session::recording_of(last);
        if let Some(hpa) = self.hpas.get(&recording) {
            let mut archive = self.archive.lock().unwrap_or_else(PoisonError::into_inner);
            // What cannot be archived cannot be explained later; the screen then says so.
            let _ = archive.push(hpa, last);
            events.push((Event::Deleted { hpa: hpa.clone() }, at));
        }
        events
    }

    fn compared(&self, compared: &EarlierComparison, now: Timestamp) -> Option<(Event, Timestamp)> {
        let event = Event::Compared {
            hpa: self.hpas.get(&compared.recording)?.clone(),
            at: compared.time,
            agreement: compared.verdict.agreement(),
        };
        Some((event, now))
    }

    fn hpa_of(&mut self, recording: String, hpa: HpaKey) -> HpaKey {
        if let Some(known) = self.hpas.get(&recording) {
            return known.clone();
        }
        let is_taken = self.hpas.values().any(|known| *known == hpa);
        let name = if is_taken {
            format!("{} ({recording})", hpa.name)
        } else {
            hpa.name
        };
        let hpa = HpaKey { name, ..hpa };
        self.hpas.insert(recording, hpa.clone());
        hpa
    }
}

/// Lines that are read ahead of the screen.
const AHEAD: usize = 64;
