//! How long it takes from load to ready pods.

use hpa_engine::trace::Decision;

use super::{NoteTopic, NoteView, NoteWeight};
use crate::{
    DelayView, ExplainContext,
    reaction::{pod_start, reaction, seconds, total},
};

/// How long it takes from load to ready pods: one line if the HPA scales up or needs to, and every cause as a detail.
pub(super) fn notes(cx: &ExplainContext<'_>) -> Vec<NoteView> {
    let delays = reaction(cx);
    let is_decided = cx.facts.choice.is_some();
    let Some((sum, largest)) = total(&delays).filter(|_| is_decided) else {
        return Vec::new();
    };
    let note = |text: String, weight| NoteTopic::Reaction.note("delay", weight, text);
    let parts: Vec<String> = delays
        .iter()
        .filter_map(|delay| Some((delay, delay.takes?)))
        .filter(|(_, takes)| takes.is_positive())
        .map(|(delay, takes)| format!("{} {}", delay.cause, seconds(takes)))
        .collect();
    let start = pod_start::stages(cx);
    let takes = |delay: &DelayView| delay.takes.is_some_and(|takes| takes.is_positive());
    let has_start = start.iter().any(takes);
    let to = if has_start {
        "to ready pods"
    } else {
        "to the decision"
    };
    let weight = if is_measured(cx) {
        NoteWeight::Normal
    } else {
        NoteWeight::Detail
    };
    let mut notes = vec![note(
        format!(
            "up to {} from the load {to}: {}. Slowest: {} ({}).",
            seconds(sum),
            parts.join(", "),
            largest.cause,
            largest.shortened_by
        ),
        weight,
    )];
    notes.extend(
        delays
            .iter()
            .map(|delay| note(cause(delay), NoteWeight::Detail)),
    );
    if start.is_empty() {
        let text = "no pod shows how long its start took.".to_owned();
        notes.push(note(text, NoteWeight::Detail));
    }
    notes
}

/// `sync period up to 15 s (the default); shorter by …`.
fn cause(delay: &DelayView) -> String {
    let takes = delay
        .takes
        .map_or_else(|| "as long as the load takes".to_owned(), seconds);
    // A cause without seconds has nothing to measure.
    let is_measured = delay.is_measured && delay.takes.is_some();
    let measured = if is_measured { "measured, " } else { "" };
    format!(
        "{} {takes} ({measured}{}); shorter by {}.",
        delay.cause, delay.known_from, delay.shortened_by
    )
}

/// Whether the delay matters now: the HPA scales up, or needs to and may.
fn is_measured(cx: &ExplainContext<'_>) -> bool {
    let facts = &cx.facts;
    match facts.trace.decision {
        Decision::Rescale { from, to, .. } => from < to,
        Decision::Hold { current } => {
            current < facts.max() && facts.proposal().is_some_and(|proposal| current < proposal)
        }
        _ => false,
    }
}
