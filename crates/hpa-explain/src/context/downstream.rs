//! What happens after the HPA wrote the replicas: pods are created, scheduled and get ready, or something limits them.

mod budgets;
mod capacity;
mod creation;
pub(crate) mod generations;
pub(crate) mod missing;
pub(crate) mod ordered;
mod outliers;
mod own_pods;
mod quotas;
mod replicas;
pub(crate) mod unscheduled;

pub use outliers::impossible_sample;

use super::{NoteTopic, NoteView, NoteWeight};
use crate::ExplainContext;

/// The notes on what happens to the replicas.
pub(super) fn notes(cx: &ExplainContext<'_>) -> Vec<NoteView> {
    let Some(own) = own_pods::of(cx) else {
        return Vec::new();
    };
    [
        replicas::notes(cx, &own),
        creation::notes(cx, &own),
        generations::notes(cx, &own),
        ordered::notes(cx, &own),
        quotas::notes(cx, &own),
        capacity::notes(cx, &own),
        budgets::notes(cx, &own),
        outliers::notes(cx),
    ]
    .concat()
}

/// Whether nothing known keeps more pods from running: no quota, no rejected pod, no full nodes.
pub(crate) fn has_room(cx: &ExplainContext<'_>) -> bool {
    let Some(own) = own_pods::of(cx) else {
        return true;
    };
    let limits = [
        creation::notes(cx, &own),
        quotas::notes(cx, &own),
        capacity::notes(cx, &own),
    ];
    let mut limits = limits.iter().flatten();
    limits.all(|note| note.weight == NoteWeight::Detail)
}

/// A note on what happens to the replicas.
fn note(title: &'static str, weight: NoteWeight, text: String) -> NoteView {
    NoteView {
        topic: NoteTopic::Downstream,
        title,
        text,
        weight,
    }
}

/// The largest number of replicas that may be wanted: `maxReplicas`, or what the metrics ask for beyond it.
fn largest_desired(cx: &ExplainContext<'_>) -> i32 {
    cx.facts.proposal().unwrap_or_default().max(cx.facts.max())
}

/// `max is 20`, and what the metrics ask for if that is more: `max is 20, cpu asks for 32`.
fn max_in_words(cx: &ExplainContext<'_>) -> String {
    let max = cx.facts.max();
    match cx.facts.proposal() {
        Some(proposal) if max < proposal => match cx.facts.winner() {
            Some(_) => format!("max is {max}, {}", cx.proposal_text()),
            None => format!("max is {max}, the metrics ask for {proposal}"),
        },
        _ => format!("max is {max}"),
    }
}
