//! Since when a condition of the HPA holds for its current reason.

use hpa_engine::model::{Condition, Context, Observation, Pod};
use jiff::{SignedDuration, Timestamp};

use super::{rescale_events::Proof, selected_pods};

/// When the condition got its current status, if its reason is known to be the same since then. At zero replicas the
/// controller does not touch the conditions, and a later failure keeps their transition times. So either there were
/// pods all the time, or an Event of that reason is as old.
pub fn condition_since(
    observation: &Observation,
    context: &Context,
    condition: &Condition,
) -> Option<Timestamp> {
    let since = condition.last_transition_time?;
    let had_pods = selected_pods(observation)
        .into_iter()
        .filter_map(|pod: &Pod| pod.created.or(pod.started))
        .any(|created| created <= since);
    let has_event = || {
        let events = context.events.iter();
        let of_reason = events.filter(|event| event.reason == condition.reason);
        let first = of_reason.filter_map(|event| Proof::of(event).first).min();
        first.is_some_and(|first| first.duration_since(since) <= WRITTEN_TOGETHER)
    };
    (had_pods || has_event()).then_some(since)
}

/// A sync emits its Event before it writes its status; both times are whole seconds.
const WRITTEN_TOGETHER: SignedDuration = SignedDuration::from_secs(2);
