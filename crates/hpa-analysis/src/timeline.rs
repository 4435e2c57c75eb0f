//! What the HPA does next if its metrics keep recommending the same replicas.

use hpa_engine::{
    engine,
    model::{Direction, Memory, Observation},
    trace::Decision,
};
use jiff::{SignedDuration, Timestamp};

use super::proposing::proposing;

/// A future change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Deserialize, schemars::JsonSchema, serde::Serialize),
    serde(rename_all = "camelCase"),
    schemars(rename = "Change")
)]
pub struct ReplicaChange {
    /// The earliest time; the controller acts up to one sync period later.
    // The first sync after it.
    pub at: Timestamp,
    /// Replicas before.
    pub from: i32,
    /// Replicas afterwards.
    pub to: i32,
}

/// The future changes if the metrics keep recommending `proposal`. Runs the engine one sync period after every change,
/// and otherwise at every time at which a recommendation or a scale event expires.
///
/// `current` is the number of replicas after the sync at `now`; `memory` is what the controller remembers after it.
pub fn timeline(
    observation: &Observation,
    memory: &Memory,
    now: Timestamp,
    current: i32,
    proposal: i32,
    has_changed: bool,
) -> Vec<ReplicaChange> {
    let sync_period = observation.sync_period().value;
    let mut memory = memory.clone();
    let mut current = current;
    let mut after_change = later(now, sync_period).filter(|_| has_changed);
    let mut at = now;
    let mut changes = Vec::new();
    for _ in 0..MOST_RECONCILES {
        // What expires right after a change is seen by the next sync, not before it.
        let expiry = || next_expiry(observation, &memory, proposal, at);
        let Some(next) = after_change.or_else(expiry) else {
            break;
        };
        if later(now, HORIZON).is_some_and(|horizon| horizon < next) {
            break;
        }
        at = next;
        let observation = proposing(observation, current, proposal);
        let trace = engine::decide(&observation, &mut memory, at);
        after_change = None;
        if let Decision::Rescale { from, to, .. } = trace.decision {
            changes.push(ReplicaChange { at, from, to });
            current = to;
            after_change = later(at, sync_period);
        }
    }
    changes
}

/// The next time at which an entry of the history no longer counts.
pub(super) fn next_expiry(
    observation: &Observation,
    memory: &Memory,
    proposal: i32,
    after: Timestamp,
) -> Option<Timestamp> {
    let windows = Direction::BOTH.map(|direction| observation.window(direction));
    let recommendations = memory
        .recommendations
        .iter()
        .flatten()
        .filter(|one| one.replicas != proposal)
        .flat_map(|one| windows.map(|window| later(one.at, window)));
    let periods: Vec<SignedDuration> = Direction::BOTH
        .into_iter()
        .filter_map(|direction| observation.hpa.spec.rules(direction))
        .flat_map(|rules| rules.policies.iter().flatten())
        .map(|policy| SignedDuration::from_secs(policy.period_seconds.into()))
        .chain([DEFAULT_PERIOD])
        .collect();
    let events = memory
        .scale_up_events
        .iter()
        .chain(&memory.scale_down_events)
        .flat_map(|event| periods.iter().map(|period| later(event.at, *period)));
    recommendations
        .chain(events)
        // Without behavior, a recommendation at the exact edge of a window still counts.
        .filter_map(|at| later(at?, SignedDuration::from_nanos(1)))
        .filter(|at| after < *at)
        .min()
}

/// Adds `duration`, unless that exceeds the range of [`Timestamp`].
fn later(at: Timestamp, duration: SignedDuration) -> Option<Timestamp> {
    at.checked_add(duration).ok()
}

/// Entries live at most as long as the longest window, one hour; and one more hour for the steps.
const HORIZON: SignedDuration = SignedDuration::from_hours(2);

/// More syncs than a report can show.
const MOST_RECONCILES: usize = 400;

/// `periodSeconds` of the API server's default policies.
const DEFAULT_PERIOD: SignedDuration = SignedDuration::from_secs(15);
