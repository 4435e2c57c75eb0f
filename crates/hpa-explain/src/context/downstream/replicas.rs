//! How many pods are wanted, created, scheduled and ready, and why some have no node.

use hpa_words::amount::{count, names};

use super::{missing::is_stuck, own_pods::OwnPods};
use crate::{
    ExplainContext,
    answer::are_unready_named,
    note::{NoteTopic, NoteView, NoteWeight},
};

/// How many pods are wanted, created, scheduled and ready.
pub(super) fn notes(cx: &ExplainContext<'_>, own: &OwnPods<'_>) -> Vec<NoteView> {
    let (created, ready) = (own.active.len(), own.ready());
    let without_node = own.without_node();
    let scheduled = created - without_node.len();
    let mut text = format!(
        "{} wanted, {created} created, {scheduled} scheduled, {ready} ready",
        own.desired,
    );
    if 0 < own.terminating {
        text += &format!(", {} more terminating", own.terminating);
    }
    let is_settled = usize::try_from(own.desired).is_ok_and(|desired| desired == created)
        && created == ready
        && own.terminating == 0;
    // The answer names pods that have a node but are not ready where they decide.
    let is_reported = created == scheduled
        && usize::try_from(own.desired).is_ok_and(|desired| desired == created)
        && own.terminating == 0
        && are_unready_named(cx);
    let weight = if is_settled || is_reported {
        NoteWeight::Detail
    } else if without_node.is_empty() && !is_stuck(cx) {
        NoteWeight::Normal
    } else {
        NoteWeight::Warning
    };
    let mut notes = vec![NoteTopic::Downstream.note("replicas", weight, text)];
    notes.extend(unscheduled(&without_node));
    notes
}

/// Pods without a node, grouped by reason, the largest group first.
fn unscheduled(pods: &[&hpa_engine::model::Pod]) -> Vec<NoteView> {
    let mut groups: Vec<(&str, Vec<&str>)> = Vec::new();
    for pod in pods {
        let why = pod
            .waiting
            .as_deref()
            .unwrap_or("the scheduler has not said why yet")
            .trim_end_matches('.');
        match groups.iter_mut().find(|(reason, _)| *reason == why) {
            Some((_, names)) => names.push(&pod.name),
            None => groups.push((why, vec![&pod.name])),
        }
    }
    groups.sort_by_key(|(_, names)| std::cmp::Reverse(names.len()));
    groups
        .iter()
        .map(|(why, pods)| {
            let have = if pods.len() == 1 { "has" } else { "have" };
            let text = format!(
                "{} {have} no node ({}): {why}",
                count(pods.len(), "pod"),
                names(pods, 2)
            );
            NoteTopic::Downstream.note("", NoteWeight::Warning, text)
        })
        .collect()
}
