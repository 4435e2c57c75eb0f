//! Another writer than the controller changed the replicas.

use hpa_explain::writer_name;
use hpa_words::clock::rough;
use jiff::{SignedDuration, Timestamp};

use super::{
    AlarmKind,
    conditions::{AlarmCondition, AlarmContext},
};

/// Holds for a while after another writer changed the replicas.
pub(super) fn check(cx: &AlarmContext<'_>) -> Option<AlarmCondition> {
    let context = &cx.hpa.latest.assessment.context;
    let is_recent = |at: Timestamp| cx.now.duration_since(at) < REPORTED_FOR;
    let others = context.seen_writes.of_others();
    let recent: Vec<_> = others.filter(|(write, _)| is_recent(write.at)).collect();
    let ((first, _), (last, by)) = (recent.first()?, recent.last()?);
    let by = by.map_or_else(|| "something other than the HPA".to_owned(), writer_name);
    let often = if recent.len() == 1 {
        String::new()
    } else {
        let span = rough(cx.now.duration_since(first.at));
        format!(", {} such changes in {span}", recent.len())
    };
    Some(AlarmCondition {
        since: Some(first.at),
        lingers: SignedDuration::ZERO,
        gist: last.at.to_string(),
        ..cx.condition_of(
            AlarmKind::ForeignWriter,
            format!("{by} set replicas {} → {}{often}", last.from, last.to),
        )
    })
}

/// How long the write is reported.
const REPORTED_FOR: SignedDuration = SignedDuration::from_mins(10);
