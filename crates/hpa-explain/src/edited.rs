//! An edit of the HPA since its last sync, and what the status shows of the spec before.

use hpa_analysis::{SpecDifference, StatusSpec};
use hpa_words::clock::duration;
use jiff::{SignedDuration, Timestamp};

use crate::ExplainContext;

/// The edit, if only the status shows it: `the HPA was edited since its last sync: maxReplicas was 4 and is 20 now`.
pub(super) fn since(cx: &ExplainContext<'_>) -> String {
    format!("the HPA was edited since its last sync{}", was(cx))
}

/// An edit for which no sync was due yet.
pub(super) fn pending(cx: &ExplainContext<'_>, at: Timestamp, by: &str) -> String {
    format!(
        "the HPA was edited at {} ({by}), after its last sync{}. That takes effect at the next sync, within {}",
        cx.clock.time(at),
        was(cx),
        duration(cx.facts.observation.sync_period().value)
    )
}

/// An edit that a sync was due for.
pub(super) fn unanswered(cx: &ExplainContext<'_>, at: Timestamp, by: &str) -> String {
    let at = cx.clock.time(at);
    match differences(cx) {
        Some(was) => format!(
            "the HPA was edited at {at} ({by}), but its status is still from before: {was}. A sync was due since, so \
             check that kube-controller-manager runs"
        ),
        None => format!(
            "the HPA was edited at {at} ({by}), and the controller has written no status since: it may not have seen \
             the edit yet"
        ),
    }
}

/// An edit that the controller has not synced although it syncs edits immediately.
pub(super) fn not_synced(cx: &ExplainContext<'_>, edited: Option<&(Timestamp, String)>) -> String {
    let edit = edited.map_or_else(String::new, |(at, by)| {
        format!(" at {} ({by})", cx.clock.time(*at))
    });
    let is_overdue = edited.is_some_and(|(at, _)| AT_ONCE < cx.clock.now.duration_since(*at));
    let overdue = if is_overdue {
        ". It syncs an edit immediately, so check that kube-controller-manager runs"
    } else {
        ""
    };
    format!(
        "the controller has not synced the edit{edit} yet{}{overdue}",
        was(cx)
    )
}

/// `: maxReplicas was 4 and is 20 now`, if the status shows it.
fn was(cx: &ExplainContext<'_>) -> String {
    differences(cx).map_or_else(String::new, |was| format!(": {was}"))
}

/// What the spec of the status had: `maxReplicas was 4 and is 20 now`. None if the status does not show it.
pub(super) fn differences(cx: &ExplainContext<'_>) -> Option<String> {
    let facts = &cx.facts;
    let (min, max) = (facts.min(), facts.max());
    let parts: Vec<String> = spec_of_status(cx)
        .differences
        .iter()
        .map(|one| match one {
            SpecDifference::MaxReplicas(was) => format!("maxReplicas was {was} and is {max} now"),
            SpecDifference::MaxReplicasAtLeast(was) => {
                format!("maxReplicas was {was} or more and is {max} now")
            }
            SpecDifference::MinReplicas(was) => format!("minReplicas was {was} and is {min} now"),
            SpecDifference::MinReplicasAtMost(was) => {
                format!("minReplicas was {was} or less and is {min} now")
            }
            SpecDifference::BehaviorRemoved => "behavior was set and is not now".to_owned(),
            SpecDifference::BehaviorAdded => "behavior was not set and is now".to_owned(),
            SpecDifference::Metrics => "the metrics were others".to_owned(),
        })
        .collect();
    (!parts.is_empty()).then(|| parts.join(", "))
}

fn spec_of_status(cx: &ExplainContext<'_>) -> StatusSpec {
    StatusSpec::of(cx.facts.observation, cx.context, cx.facts.trace.at)
}

/// An immediate sync is over by then.
const AT_ONCE: SignedDuration = SignedDuration::from_secs(10);
