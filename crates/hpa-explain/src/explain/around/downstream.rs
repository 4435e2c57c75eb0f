//! What becomes of the replicas: pods that are created, scheduled and ready, and what limits them.

mod budgets;
mod capacity;
mod creation;
mod generations;
mod ordered;
mod outliers;
mod own_pods;
mod quotas;
mod replicas;

pub use outliers::impossible_sample;

use super::{NoteView, NoteWeight, Topic};
use crate::explain::Story;

/// What becomes of the replicas.
pub(super) fn notes(story: &Story<'_>) -> Vec<NoteView> {
    let Some(own) = own_pods::of(story) else {
        return Vec::new();
    };
    [
        replicas::notes(story, &own),
        creation::notes(story, &own),
        generations::notes(story, &own),
        ordered::notes(story, &own),
        quotas::notes(story, &own),
        capacity::notes(story, &own),
        budgets::notes(story, &own),
        outliers::notes(story),
    ]
    .concat()
}

/// A note about what becomes of the replicas.
fn note(title: &'static str, weight: NoteWeight, text: String) -> NoteView {
    NoteView {
        topic: Topic::Downstream,
        title,
        text,
        weight,
    }
}

/// The largest number of replicas that somebody may want: the maximum, or what the metrics ask for beyond it.
fn most_wanted(story: &Story<'_>) -> i32 {
    story
        .facts
        .asked()
        .unwrap_or_default()
        .max(story.facts.max())
}

/// `max is 20`, and what the metrics ask for if that is more: `max is 20, cpu asks for 32`.
fn max_in_words(story: &Story<'_>) -> String {
    let max = story.facts.max();
    match story.facts.asked() {
        Some(asked) if max < asked => match story.facts.winner() {
            Some(_) => format!("max is {max}, {}", story.asks()),
            None => format!("max is {max}, the metrics ask for {asked}"),
        },
        _ => format!("max is {max}"),
    }
}
