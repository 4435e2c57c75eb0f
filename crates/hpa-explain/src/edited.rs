//! An edit of the HPA since its last sync, and what the status shows of the spec before.

use hpa_analysis::{SpecDifference, StatusSpec};
use hpa_words::clock::duration;
use jiff::Timestamp;

use crate::ExplainContext;

/// The edit, if only the status shows it: `the status belongs to another maximum: maxReplicas was 4 and is 20 now`.
pub(super) fn since(cx: &ExplainContext<'_>) -> String {
    let what: Vec<&str> = spec_of_status(cx)
        .differences
        .iter()
        .map(|one| match one {
            SpecDifference::MaxReplicas(_) | SpecDifference::MaxReplicasAtLeast(_) => {
                "another maximum"
            }
            SpecDifference::MinReplicas(_) | SpecDifference::MinReplicasAtMost(_) => {
                "another minimum"
            }
            SpecDifference::BehaviorRemoved | SpecDifference::BehaviorAdded => "another behavior",
            SpecDifference::Metrics => "other metrics",
        })
        .collect();
    let belongs = match differences(cx) {
        Some(was) => format!("the status belongs to {}: {was}", what.join(" and ")),
        None => "the status belongs to another spec".to_owned(),
    };
    format!("{belongs}. The HPA was edited since its last sync")
}

/// An edit for which no sync was due yet.
pub(super) fn pending(cx: &ExplainContext<'_>, at: Timestamp, by: &str) -> String {
    let at = cx.clock.time(at);
    let period = duration(cx.facts.observation.sync_period().value);
    match differences(cx) {
        Some(was) => format!(
            "the HPA was edited at {at} ({by}), since its last sync: {was}. The edit takes effect at its next sync, \
             within {period}"
        ),
        None => format!(
            "the HPA was edited at {at} ({by}), after the controller's last sync: the edit takes effect at its next \
             sync, within {period}"
        ),
    }
}

/// An edit that a sync was due for.
pub(super) fn unanswered(cx: &ExplainContext<'_>, at: Timestamp, by: &str) -> String {
    let at = cx.clock.time(at);
    match differences(cx) {
        Some(was) => format!(
            "the HPA was edited at {at} ({by}), but the status is still that of the spec before: {was}. A sync was \
             due since, so check that kube-controller-manager runs"
        ),
        None => format!(
            "the HPA was edited at {at} ({by}), and the controller has written no status since: it may not have seen \
             the edit yet"
        ),
    }
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
