//! What the HPA does next if its metrics go on asking for the same number.

use jiff::{SignedDuration, Timestamp};

use super::proposing::proposing;
use crate::{
    engine,
    model::{Direction, Memory, Observation},
    trace::Decision,
};

/// A change that lies ahead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Deserialize, schemars::JsonSchema, serde::Serialize),
    serde(rename_all = "camelCase"),
    schemars(rename = "Change")
)]
pub struct ReplicaChange {
    /// The earliest moment; the controller acts up to one sync period later.
    // At its first reconcile after it.
    pub at: Timestamp,
    /// Replicas before.
    pub from: i32,
    /// Replicas afterwards.
    pub to: i32,
}

/// Works out the changes ahead if the metrics go on asking for `proposal`, by letting the engine decide at every moment
/// at which a recommendation or a scale event expires, and one sync period after every change.
///
/// `current` are the replicas after the reconcile at `now`, and `memory` is what the controller remembers after it.
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
        let expiry = next_expiry(observation, &memory, proposal, at);
        let Some(next) = [after_change, expiry].into_iter().flatten().min() else {
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

/// The next moment at which something that the controller remembers stops to count.
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
        // A recommendation at the very edge of a window still counts without behavior.
        .filter_map(|at| later(at?, SignedDuration::from_nanos(1)))
        .filter(|at| after < *at)
        .min()
}

/// A moment later, unless that is beyond the end of all times.
fn later(at: Timestamp, duration: SignedDuration) -> Option<Timestamp> {
    at.checked_add(duration).ok()
}

/// Nothing that the controller remembers lives longer than the longest window, one hour; and one more for the steps.
const HORIZON: SignedDuration = SignedDuration::from_hours(2);

/// More reconciles than a page can tell of.
const MOST_RECONCILES: usize = 400;

/// `periodSeconds` of the policies that the API server fills in.
const DEFAULT_PERIOD: SignedDuration = SignedDuration::from_secs(15);
