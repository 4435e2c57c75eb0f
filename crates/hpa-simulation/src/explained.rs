//! A run in words: its rescales, and why the HPA cannot scale at its end.

use crate::{RescaleReport, Sync};
use hpa_engine::{
    model::{Context, SnapshotField, SyncInput},
    trace::Decision,
};
use hpa_explain::{FullAnswer, RescaleReason, sync_in_words};
use hpa_words::clock::Clock;
use jiff::{SignedDuration, Timestamp};

/// A run in words.
#[derive(Clone, Debug, Default)]
pub struct ExplainedRun {
    /// The rescales, each with its reason.
    pub rescales: Vec<RescaleReport>,
    /// The last sync, if the HPA does not scale because it cannot, and when the run began.
    failing: Option<(SyncInput, Timestamp)>,
}

impl ExplainedRun {
    /// Adds a sync.
    pub fn take(&mut self, sync: &Sync<'_>, context: &Context) {
        self.rescales.extend(rescale(sync, context));
        let fails = matches!(
            sync.trace.decision,
            Decision::Failed { .. }
                | Decision::Rescale {
                    succeeds: false,
                    ..
                }
        );
        self.failing = fails.then(|| (sync_input(sync, context), start_of(sync)));
    }

    /// Why the HPA cannot scale at the end; none: it can.
    pub fn failure(&self) -> Option<String> {
        let (input, start) = self.failing.as_ref()?;
        let clock = Clock::since(*start, input.now);
        Some(sync_in_words(input, &clock, None, |cx| {
            FullAnswer::of(cx).text()
        }))
    }
}

/// The rescale of a sync, if it has one.
fn rescale(sync: &Sync<'_>, context: &Context) -> Option<RescaleReport> {
    let Decision::Rescale {
        from,
        to,
        succeeds: true,
    } = sync.trace.decision
    else {
        return None;
    };
    let clock = Clock::since(start_of(sync), sync.now);
    let input = sync_input(sync, context);
    Some(RescaleReport {
        at: sync.at,
        from,
        to,
        reason: sync_in_words(&input, &clock, None, RescaleReason::of),
    })
}

/// When the run of a sync began.
pub fn start_of(sync: &Sync<'_>) -> Timestamp {
    sync.now - SignedDuration::from_millis(sync.at)
}

/// A sync of a simulation as the input of an explanation.
pub fn sync_input(sync: &Sync<'_>, context: &Context) -> SyncInput {
    let mut context = context.clone();
    if let Some(target) = &mut context.target {
        target.ready_replicas = sync.observation.ready_replicas();
        target.updated_replicas = None;
    }
    // What was observed at the start is from another time.
    context.hpa_status_written = None;
    context.leader_since = None;
    context.surroundings.downstream.failed_creates.clear();
    let is_simulated = |what: &SnapshotField| what.decides() || *what == SnapshotField::Time;
    context
        .not_read
        .retain(|not_read| !is_simulated(&not_read.what));
    SyncInput {
        observation: sync.observation.clone(),
        context,
        memory: Some(sync.memory.clone()),
        now: sync.now,
    }
}
