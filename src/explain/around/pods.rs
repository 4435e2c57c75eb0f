//! The pods behind the selector: their requests, their owners, their start, and what their percentages mean.

mod finished;
mod not_down;
mod others;
mod percentages;
mod requests;
mod starting;
mod without;

use super::NoteView;
use crate::{
    explain::{Story, pods::shown_metric},
    model::{Pod, Selector, label_selector::Wording},
};

/// The pods behind the selector.
pub(super) fn notes(story: &Story<'_>) -> Vec<NoteView> {
    [
        requests::notes(story),
        others::notes(story),
        finished::notes(story),
        starting::notes(story),
        percentages::notes(story),
        not_down::notes(story),
    ]
    .concat()
}

/// The pods that the selector matches, also where no metric came as far as sorting them.
fn selected<'a>(story: &Story<'a>) -> Vec<&'a Pod> {
    let facts = &story.facts;
    if let Some(groups) = shown_metric(facts).and_then(|metric| metric.groups) {
        return groups
            .pods
            .iter()
            .filter_map(|pod| facts.pod(pod.pod))
            .collect();
    }
    let wording = Wording::of(facts.observation.controller.version.value);
    let selector = facts
        .observation
        .scale
        .read()
        .filter(|scale| !scale.selector.is_empty())
        .and_then(|scale| Selector::parse(&scale.selector, wording).ok());
    match (selector, facts.observation.pods.read()) {
        (Some(selector), Some(pods)) => pods
            .iter()
            .filter(|pod| selector.matches(&pod.labels))
            .collect(),
        _ => Vec::new(),
    }
}
