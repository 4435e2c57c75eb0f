//! Plays a recording, and returns each sync once its outcome is known.

use std::collections::VecDeque;

use hpa_objects::recording::{ReadError, RecordingLine};

use super::{
    evidence::ComparisonVerdict,
    reconcile::Reconcile,
    session::{EarlierComparison, MOST_OPEN, Session},
};

/// Plays the lines of a recording. It stops at an error, because the history would have a gap.
pub struct Player<I> {
    lines: I,
    session: Session,
    /// Syncs, some of which wait for a later status to be compared with.
    waiting: VecDeque<Waiting>,
    failure: Option<ReadError>,
    is_at_end: bool,
}

struct Waiting {
    number: u64,
    reconcile: Reconcile,
    is_settled: bool,
}

impl<I: Iterator<Item = Result<RecordingLine, ReadError>>> Player<I> {
    /// Plays `lines`.
    pub fn new(lines: I) -> Self {
        Self {
            lines,
            session: Session::of_recordings(),
            waiting: VecDeque::new(),
            failure: None,
            is_at_end: false,
        }
    }

    fn take(&mut self, line: RecordingLine) -> Result<(), ReadError> {
        let RecordingLine { number, snapshot } = line;
        if snapshot.hpa_deleted.is_some() {
            for compared in self.session.end(&snapshot) {
                self.settle(compared);
            }
            return Ok(());
        }
        // A line that cannot be played still shows the outcome of earlier ones.
        for compared in self.session.compare_earlier(&snapshot) {
            self.settle(compared);
        }
        let played = self.session.recompute(snapshot);
        let (number, reconcile) = played.map_err(|field| ReadError::Field {
            line: number,
            field,
        })?;
        self.waiting.push_back(Waiting {
            number,
            is_settled: reconcile.predicted.is_none()
                || reconcile.verdict != ComparisonVerdict::NotCompared,
            reconcile,
        });
        Ok(())
    }

    fn settle(&mut self, compared: EarlierComparison) {
        let index = self
            .waiting
            .partition_point(|waiting| waiting.number < compared.number);
        if let Some(waiting) = self
            .waiting
            .get_mut(index)
            .filter(|waiting| waiting.number == compared.number)
        {
            waiting.reconcile.verdict = compared.verdict;
            if let Some(fit) = compared.fit {
                waiting.reconcile.adopt(fit);
            }
            waiting.is_settled = compared.is_final;
        }
    }
}

impl<I: Iterator<Item = Result<RecordingLine, ReadError>>> Iterator for Player<I> {
    type Item = Result<Reconcile, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let may_go = self.is_at_end
                || MOST_OPEN < self.waiting.len()
                || self.waiting.front().is_some_and(|first| first.is_settled);
            if may_go && let Some(first) = self.waiting.pop_front() {
                return Some(Ok(first.reconcile));
            }
            if self.is_at_end {
                return self.failure.take().map(Err);
            }
            let taken = self.lines.next().map(|line| self.take(line?));
            self.is_at_end = !matches!(taken, Some(Ok(())));
            self.failure = taken.and_then(Result::err);
        }
    }
}
