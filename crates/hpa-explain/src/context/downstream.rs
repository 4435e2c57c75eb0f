//! What happens after the HPA wrote the replicas: pods are created, scheduled and get ready, or something limits them.

mod budgets;
mod capacity;
mod creation;
pub(crate) mod generations;
pub(crate) mod missing;
pub(crate) mod ordered;
mod outliers;
mod own_pods;
pub(crate) mod quotas;
mod replicas;
pub(crate) mod unscheduled;

use super::{NoteView, NoteWeight};
use crate::ExplainContext;

pub use outliers::impossible_sample;

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
