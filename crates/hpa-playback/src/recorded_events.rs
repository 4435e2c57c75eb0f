//! What happened in a recording, as `watch` would have seen it.

use std::{collections::BTreeMap, mem};

use hpa_engine::model::HpaKey;
use hpa_objects::recording::{Note, ReadError, RecordingLine, Snapshot};
use hpa_watch::Event;
use jiff::Timestamp;

use crate::{EarlierComparison, Session};

/// Turns the lines of a recording into events.
#[derive(Debug)]
pub struct RecordedEvents {
    session: Session,
    /// The HPA of each recording. Two recordings of one HPA are shown as two: their times are unrelated.
    hpas: BTreeMap<String, HpaKey>,
}

impl Default for RecordedEvents {
    fn default() -> Self {
        Self {
            session: Session::of_recordings(),
            hpas: BTreeMap::new(),
        }
    }
}

impl RecordedEvents {
    /// The events of one line with their times, in order; the last one is of the line's own time.
    pub fn take(&mut self, line: RecordingLine) -> Result<Vec<(Event, Timestamp)>, ReadError> {
        let RecordingLine {
            number,
            mut snapshot,
        } = line;
        let at = snapshot.time;
        let notes = mem::take(&mut snapshot.notes);
        let marks = notes
            .into_iter()
            .map(|Note { time, text }| (Event::Marked { note: text }, time));
        if snapshot.hpa_deleted.is_some() {
            let mut events: Vec<(Event, Timestamp)> = marks.collect();
            events.extend(self.gone(&snapshot));
            return Ok(events);
        }
        let pushed = self.session.push(snapshot);
        let pushed = pushed.map_err(|field| ReadError::Field {
            line: number,
            field,
        })?;
        let recording = pushed.reconcile.recording.clone();
        let mut seen = pushed.reconcile.seen();
        seen.hpa = self.hpa_of(recording, seen.hpa);
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
        if let Some(hpa) = self.hpas.get(&Session::recording_of(last)) {
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
