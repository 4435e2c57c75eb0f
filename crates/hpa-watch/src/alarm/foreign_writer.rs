//! Another writer than the controller changed the replicas.

use hpa_words::clock::rough;
use jiff::SignedDuration;

use super::{
    AlarmKind,
    conditions::{AlarmCondition, AlarmContext},
};

/// Holds for a while after another writer changed the replicas.
pub(super) fn check(cx: &AlarmContext<'_>) -> Option<AlarmCondition> {
    let recent: Vec<_> = cx
        .hpa
        .log
        .foreign_writes()
        .filter(|write| cx.now.duration_since(write.at) < REPORTED_FOR)
        .collect();
    let (first, last) = (recent.first()?, recent.last()?);
    let by = last.by.as_deref().unwrap_or("something other than the HPA");
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
