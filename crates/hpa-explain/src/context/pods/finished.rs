//! Pods that have finished but still exist: up to 1.37 they count as pods without metrics, from 1.38 on they are ignored.

use hpa_analysis::selected_pods;
use hpa_engine::{
    model::{Pod, PodPhase},
    trace::PodReason,
};
use hpa_words::amount::names;

use super::without::without;
use crate::{ExplainContext, NoteTopic, NoteView, NoteWeight, pods::displayed_metric};

/// Finished pods that count as pods without metrics, and the decision without them; or that they are ignored.
pub(super) fn notes(cx: &ExplainContext<'_>) -> Vec<NoteView> {
    let Some(groups) = displayed_metric(&cx.facts).and_then(|metric| metric.groups) else {
        return Vec::new();
    };
    let finished = |reason| -> Vec<&Pod> {
        let pods = groups.pods.iter().filter(|pod| pod.reason == reason);
        pods.filter_map(|pod| cx.facts.pod(pod.pod))
            .filter(|pod| pod.phase == PodPhase::Succeeded)
            .collect()
    };
    let ignored = finished(PodReason::Succeeded);
    if !ignored.is_empty() {
        return vec![are_ignored(&ignored)];
    }
    let finished = finished(PodReason::NoSample);
    if finished.is_empty() || finished.len() == selected_pods(cx.facts.observation).len() {
        return Vec::new();
    }
    let Subject { them, .. } = Subject::of(&finished);
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
            "{}: up to Kubernetes 1.37, the HPA counts {them} as 0 before scaling up and as fully used before scaling \
             down. Delete {them}. {then}",
            sentence(&finished)
        ),
        weight: without.weight,
    }]
}

fn are_ignored(finished: &[&Pod]) -> NoteView {
    let Subject { them, .. } = Subject::of(finished);
    NoteView {
        topic: NoteTopic::Pods,
        title: "finished",
        text: format!(
            "{}. From Kubernetes 1.38 on, the HPA ignores {them}.",
            sentence(finished)
        ),
        weight: NoteWeight::Detail,
    }
}

/// `report-x has finished (Succeeded) but still matches the selector`.
fn sentence(finished: &[&Pod]) -> String {
    let named: Vec<&str> = finished.iter().map(|pod| pod.name.as_str()).collect();
    let Subject { has, matches, .. } = Subject::of(finished);
    format!(
        "{} {has} finished (Succeeded) but still {matches} the selector",
        names(&named, 3)
    )
}

/// The words that agree with how many pods there are.
struct Subject {
    has: &'static str,
    matches: &'static str,
    them: &'static str,
}

impl Subject {
    fn of(pods: &[&Pod]) -> Self {
        let [has, matches, them] = if pods.len() == 1 {
            ["has", "matches", "it"]
        } else {
            ["have", "match", "them"]
        };
        Self { has, matches, them }
    }
}
