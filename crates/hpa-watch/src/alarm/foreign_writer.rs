//! Another writer than the controller changed the replicas.

use hpa_diagnosis::other_writer::{SeenWriter, UndoneWrite, seen_writer, undone_now};
use hpa_explain::writer_name;
use hpa_words::clock::rough;
use jiff::{SignedDuration, Timestamp};

use super::{
    AlarmKind,
    conditions::{AlarmCondition, AlarmContext},
};

/// Holds for a while after another writer changed the replicas: that was seen, or the read shows it.
pub(super) fn check(cx: &AlarmContext<'_>) -> Option<AlarmCondition> {
    let context = &cx.hpa.latest.assessment.context;
    let Some(SeenWriter {
        first,
        last,
        times,
        by,
    }) = seen_writer(context, cx.now)
    else {
        return undone(cx);
    };
    let by = by.map_or_else(|| "something other than the HPA".to_owned(), writer_name);
    let often = if times == 1 {
        String::new()
    } else {
        let span = rough(cx.now.duration_since(first.at));
        format!(", {times} such changes in {span}")
    };
    let text = format!("{by} set replicas {} → {}{often}", last.from, last.to);
    Some(since(cx, Some(first.at), last.at.to_string(), text))
}

/// The first read may show a write that nobody saw.
fn undone(cx: &AlarmContext<'_>) -> Option<AlarmCondition> {
    let context = &cx.hpa.latest.assessment.context;
    let (observation, decision) = (cx.facts.observation, &cx.facts.trace.decision);
    let UndoneWrite { write, had, .. } = undone_now(observation, context, decision, cx.now)?;
    let at = write.latest();
    let by = writer_name(&write.by);
    let text = format!("{by} set replicas {had} → {}", write.replicas);
    let gist = at.map_or_else(String::new, |at| at.to_string());
    Some(since(cx, at, gist, text))
}

fn since(
    cx: &AlarmContext<'_>,
    first: Option<Timestamp>,
    gist: String,
    text: String,
) -> AlarmCondition {
    AlarmCondition {
        since: first,
        lingers: SignedDuration::ZERO,
        gist,
        ..cx.condition_of(AlarmKind::ForeignWriter, text)
    }
}
