//! Answers where zero, minimum or maximum decide before any metric is asked.

use crate::{
    explain::{Story, ladder::disabled},
    trace::{BoundsBranch, DisabledReason},
};

pub(super) fn above_max(story: &Story<'_>) -> Vec<String> {
    vec![
        format!(
            "the target has {} replicas, more than maxReplicas allows: the HPA sets {} at once.",
            story.facts.current().unwrap_or_default(),
            story.facts.max()
        ),
        "No metric, window or policy is asked, not even selectPolicy Disabled.".to_owned(),
    ]
}

pub(super) fn below_min(story: &Story<'_>) -> Vec<String> {
    vec![
        format!(
            "the target has {} replicas, fewer than minReplicas: the HPA sets {} at once.",
            story.facts.current().unwrap_or_default(),
            story.facts.min()
        ),
        "No metric, window or policy is asked.".to_owned(),
    ]
}

pub(super) fn disabled_at_zero(story: &Story<'_>) -> Vec<String> {
    let target = &story.facts.observation.hpa.spec.scale_target;
    let reason = match story.facts.bounds.map(|bounds| bounds.branch) {
        Some(BoundsBranch::Disabled(reason)) => reason,
        _ => DisabledReason::MinReplicasNotZero,
    };
    let why = disabled(reason, story.facts.min());
    vec![
        format!(
            "{}/{} is set to 0 replicas, which pauses the HPA.",
            target.kind, target.name
        ),
        format!("{}.", upper_first(&why)),
        format!(
            "Scale it to {} or more by hand to wake the HPA.",
            story.facts.min().max(1)
        ),
    ]
}

pub(super) fn raised_from_zero(story: &Story<'_>) -> Vec<String> {
    vec![format!(
        "the HPA itself had scaled to 0, and minReplicas is {} now: it is raised to that at once.",
        story.facts.min()
    )]
}

fn upper_first(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| {
        first.to_uppercase().chain(letters).collect()
    })
}
