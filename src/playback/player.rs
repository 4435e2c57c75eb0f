//! Plays a recording: reconcile by reconcile, with the controller's memory carried along.

use std::collections::{BTreeMap, VecDeque};

use jiff::Timestamp;

use super::{
    evidence::{Captured, Verdict, compare_capture, compare_outcome, compare_status},
    followed::{Followed, Step},
};
use crate::{
    model::{Context, Memory, Observation},
    recording::{InvalidField, Line, Outcome, ReadError, Snapshot},
    trace::Trace,
};

/// One recomputed reconcile.
#[derive(Clone, Debug)]
pub(crate) struct Reconcile {
    /// Name of the recording.
    pub(crate) recording: String,
    /// The controller's clock, or the captor's.
    pub(crate) time: Timestamp,
    /// Where the recording is.
    pub(crate) phase: Phase,
    /// Whether it was recorded in the controller itself.
    pub(crate) is_from_inside: bool,
    /// What the controller may remember before, the most probable first.
    pub(crate) memories: Vec<Memory>,
    /// Whether it may remember something that none of these have.
    pub(crate) has_unseen: bool,
    /// What the controller read.
    pub(crate) observation: Observation,
    /// What is known beside it.
    pub(crate) context: Context,
    /// The recomputed reconcile.
    pub(crate) trace: Trace,
    /// What it comes to, unless something that decides was not recorded.
    pub(crate) predicted: Option<Outcome>,
    /// What the recording says that it came to.
    pub(crate) recorded: Option<Outcome>,
    /// What the comparison came to.
    pub(crate) verdict: Verdict,
}

/// Where a recording is at a reconcile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Phase {
    /// The recording begins with the start of the controller.
    Begin,
    /// There are reconciles before.
    Continued,
    /// The recording begins while the controller runs already.
    JoinedLate,
    /// The controller has started again.
    Restarted,
}

/// Plays the lines of a recording. After an error nothing more comes, because the memory would have a hole.
pub(crate) struct Player<I> {
    lines: I,
    recordings: BTreeMap<String, Followed>,
    /// Reconciles of which some wait for a later status to be compared with.
    waiting: VecDeque<Waiting>,
    failure: Option<ReadError>,
    is_at_end: bool,
}

struct Waiting {
    reconcile: Reconcile,
    is_settled: bool,
}

impl<I: Iterator<Item = Result<Line, ReadError>>> Player<I> {
    /// Plays `lines`.
    pub(crate) fn new(lines: I) -> Self {
        Self {
            lines,
            recordings: BTreeMap::new(),
            waiting: VecDeque::new(),
            failure: None,
            is_at_end: false,
        }
    }

    fn take(&mut self, line: Line) -> Result<(), ReadError> {
        let Line { number, snapshot } = line;
        let field = |field| ReadError::Field {
            line: number,
            field,
        };
        for waiting in &mut self.waiting {
            waiting.settle(&snapshot);
        }
        let waiting = self.recompute(snapshot).map_err(field)?;
        self.waiting.push_back(waiting);
        Ok(())
    }

    fn recompute(&mut self, snapshot: Snapshot) -> Result<Waiting, InvalidField> {
        let observation = snapshot.observation()?;
        let context = snapshot.context();
        let name = recording_name(&snapshot);
        let started = snapshot.controller_started;
        let phase = match (self.recordings.contains_key(&name), started) {
            (false, false) => Phase::JoinedLate,
            (false, true) => Phase::Begin,
            (true, false) => Phase::Continued,
            (true, true) => Phase::Restarted,
        };
        let followed = self
            .recordings
            .entry(name.clone())
            .or_insert_with(|| Followed::begin(&snapshot, &observation, &context));
        let Step {
            memories,
            has_unseen,
            trace,
        } = followed.step(&snapshot, &observation, &context);
        let predicted = trace.outcome.as_ref().map(Outcome::from);
        let verdict = match (&predicted, &snapshot.outcome) {
            (Some(predicted), Some(recorded)) => compare_outcome(predicted, recorded),
            _ => Verdict::NotCompared,
        };
        Ok(Waiting {
            is_settled: predicted.is_none() || verdict != Verdict::NotCompared,
            reconcile: Reconcile {
                recording: name,
                time: snapshot.time,
                phase,
                is_from_inside: followed.is_from_inside(),
                memories,
                has_unseen,
                observation,
                context,
                trace,
                predicted,
                recorded: snapshot.outcome,
                verdict,
            },
        })
    }
}

/// What tells recordings apart.
fn recording_name(snapshot: &Snapshot) -> String {
    let hpa = &snapshot.hpa.metadata;
    match (snapshot.metadata.name.as_str(), &hpa.namespace) {
        ("", Some(namespace)) => format!("{namespace}/{}", hpa.name),
        (name, _) => name.to_owned(),
    }
}

impl Waiting {
    /// Compares with what a later snapshot shows, unless that is done.
    fn settle(&mut self, later: &Snapshot) {
        let reconcile = &mut self.reconcile;
        let Some(predicted) = reconcile.predicted.as_ref().filter(|_| !self.is_settled) else {
            return;
        };
        if reconcile.recording != recording_name(later) {
            // Recordings one after another: no line of this one comes any more.
            self.is_settled = later.controller_started;
            return;
        }
        if reconcile.is_from_inside {
            reconcile.verdict = compare_status(predicted, later);
            self.is_settled = true;
            return;
        }
        let captured = Captured {
            observation: &reconcile.observation,
            memories: &reconcile.memories,
            has_unseen: reconcile.has_unseen,
            time: reconcile.time,
            predicted,
        };
        let verdict = compare_capture(&captured, later);
        let period = reconcile.observation.controller.sync_period.value;
        let elapsed = later.time.duration_since(reconcile.time);
        let agrees = verdict == Verdict::Agrees;
        // Further away, the controller has reconciled several times since.
        let is_near = elapsed <= period * 2;
        if agrees || (is_near && reconcile.verdict == Verdict::NotCompared) {
            reconcile.verdict = verdict;
        }
        // Up to one period may pass before the controller looks, and its reconcile takes time.
        self.is_settled = agrees || period + period / 2 < elapsed;
    }
}

impl<I: Iterator<Item = Result<Line, ReadError>>> Iterator for Player<I> {
    type Item = Result<Reconcile, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let may_go = self.is_at_end
                || LONGEST_WAIT < self.waiting.len()
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

/// So many reconciles of other HPAs may lie between two of the same one.
const LONGEST_WAIT: usize = 2_000;
