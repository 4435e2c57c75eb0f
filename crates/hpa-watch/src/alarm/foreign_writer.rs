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
    Some(since(cx, first.at, last.at, text))
}

/// The first read may show a write that nobody saw.
fn undone(cx: &AlarmContext<'_>) -> Option<AlarmCondition> {
    let context = &cx.hpa.latest.assessment.context;
    let (observation, decision) = (cx.facts.observation, &cx.facts.trace.decision);
    let UndoneWrite { write, had, .. } = undone_now(observation, context, decision, cx.now)?;
    let at = write.at.unwrap_or(write.hpa_scaled);
    let by = writer_name(&write.by);
    let text = format!("{by} set replicas {had} → {}", write.replicas);
    Some(since(cx, at, at, text))
}

fn since(cx: &AlarmContext<'_>, first: Timestamp, last: Timestamp, text: String) -> AlarmCondition {
    AlarmCondition {
        since: Some(first),
        lingers: SignedDuration::ZERO,
        gist: last.to_string(),
        ..cx.condition_of(AlarmKind::ForeignWriter, text)
    }
}
