//! Other HPAs with the same target.

use super::{note, target};
use crate::{
    explain::{
        Story,
        around::{NoteView, NoteWeight},
    },
    model::Autoscaler,
};

/// One warning for each other HPA on the same target.
pub(super) fn notes(story: &Story<'_>) -> Vec<NoteView> {
    story
        .context
        .surroundings
        .autoscalers
        .iter()
        .filter(|other| other.kind == "HorizontalPodAutoscaler")
        .map(|other| note("two HPAs", NoteWeight::Warning, text(story, other)))
        .collect()
}

fn text(story: &Story<'_>, other: &Autoscaler) -> String {
    let (min, max) = (story.facts.min(), story.facts.max());
    let other_min = other.min_replicas.unwrap_or(1);
    let other_max = other.max_replicas.unwrap_or(i32::MAX);
    let wanted = match (other.desired_replicas, other.last_scale) {
        (Some(desired), Some(at)) => {
            format!(
                ", wanted {desired} last and scaled at {}",
                story.clock.time(at)
            )
        }
        (Some(desired), None) => format!(", wanted {desired} last"),
        (None, _) => String::new(),
    };
    let what = format!(
        "HPA {} (min {other_min} · max {other_max}) has the same target {}{wanted}.",
        other.name,
        target(story)
    );
    let effect = if other_max < min || max < other_min {
        " Their bounds don't overlap, so each brings the replicas within its own before the controller sees that there \
         are two: they fight forever."
    } else {
        " Within the bounds of both the controller scales neither; outside of one, that one moves the replicas."
    };
    format!("{what}{effect} Delete one of them.")
}
