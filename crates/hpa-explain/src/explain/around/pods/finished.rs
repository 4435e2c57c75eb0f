//! Pods that have finished but still exist.

use super::without::without;
use crate::{
    explain::{
        ExplainContext, NoteTopic, NoteView, NoteWeight, amount::names, pods::displayed_metric,
    },
    inference::selected_pods,
    model::{Pod, PodPhase},
    trace::{PodClass, PodReason},
};

/// Finished pods that count as pods without metrics, and the decision without them.
pub(super) fn notes(cx: &ExplainContext<'_>) -> Vec<NoteView> {
    let Some(groups) = displayed_metric(&cx.facts).and_then(|metric| metric.groups) else {
        return Vec::new();
    };
    let finished: Vec<&Pod> = groups
        .pods
        .iter()
        .filter(|pod| pod.class == PodClass::Missing && pod.reason == PodReason::NoSample)
        .filter_map(|pod| cx.facts.pod(pod.pod))
        .filter(|pod| pod.phase == PodPhase::Succeeded)
        .collect();
    if finished.is_empty() || finished.len() == selected_pods(cx.facts.observation).len() {
        return Vec::new();
    }
    let named: Vec<&str> = finished.iter().map(|pod| pod.name.as_str()).collect();
    let (has, match_the, them) = if finished.len() == 1 {
        ("has", "matches the", "it")
    } else {
        ("have", "match the", "them")
    };
    let without = without(cx, &finished);
    let then = if without.weight == NoteWeight::Detail {
        format!("Without {them} the decision is the same.")
    } else {
        format!("Without {them}: {}.", without.text)
    };
    vec![NoteView {
        topic: NoteTopic::Pods,
        title: "finished",
        text: format!(
            "{} {has} finished (Succeeded) but still {match_the} selector: the HPA counts {them} as idle before scaling up \
             and as fully used before scaling down. Delete {them}. {then}",
            names(&named, 3)
        ),
        weight: without.weight,
    }]
}
