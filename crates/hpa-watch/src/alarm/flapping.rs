//! The replicas go up and down in turns.

use hpa_analysis::{ReplicaHistory, replica_history};
use hpa_diagnosis::flapping::{Known, OwnRescale, WITHIN, flapping, turns};
use hpa_words::clock::rough;
use jiff::{SignedDuration, Timestamp};

use super::{
    AlarmKind,
    conditions::{AlarmCondition, AlarmContext, most_frequent},
};
use crate::log::Rescaling;

/// Holds while the direction changes often. Observed rescales count, or those in Events from before.
pub(super) fn check(cx: &AlarmContext<'_>) -> Option<AlarmCondition> {
    let (seen, reported) = (Swings::seen(cx), Swings::reported(cx));
    let swings = if seen.turns.len() < reported.turns.len() {
        reported
    } else {
        seen
    };
    let flapping = flapping(&swings.turns, cx.now, cx.is_on(AlarmKind::Flapping))?;
    let displayed = &swings.sizes[swings.sizes.len().saturating_sub(MOST_LISTED)..];
    let by = swings
        .responsible
        .map_or_else(String::new, |why| format!(", because of {why}"));
    Some(AlarmCondition {
        since: Some(swings.since),
        lingers: SignedDuration::ZERO,
        ..cx.condition_of(
            AlarmKind::Flapping,
            format!(
                "{} direction changes in {}: {}{by}",
                flapping.turns,
                rough(cx.now.duration_since(swings.since)),
                chain(displayed)
            ),
        )
    })
}

/// Changes of direction within the time window.
struct Swings {
    turns: Vec<Timestamp>,
    /// The time of the first rescale among them.
    since: Timestamp,
    /// The replicas, each with whether the HPA itself changed the previous number to it.
    sizes: Vec<(i32, bool)>,
    /// The most frequent reason to scale up.
    responsible: Option<String>,
}

impl Swings {
    /// Swings from observed rescales.
    fn seen(cx: &AlarmContext<'_>) -> Self {
        let rescalings: Vec<&Rescaling> = cx
            .hpa
            .log
            .rescalings()
            .filter(|one| one.from != one.to && is_recent(cx, one.at))
            .collect();
        let own = rescalings.iter().map(|one| OwnRescale {
            at: one.at,
            from: one.from,
            to: one.to,
        });
        let own: Vec<OwnRescale> = own.collect();
        let mut sizes: Vec<(i32, bool)> = Vec::new();
        for one in &rescalings {
            if sizes.last().is_none_or(|(size, _)| *size != one.from) {
                sizes.push((one.from, false));
            }
            sizes.push((one.to, true));
        }
        let ups = rescalings.iter().filter(|one| one.from < one.to);
        Self {
            turns: turns(&own, Known::All),
            since: rescalings.first().map_or(cx.now, |first| first.at),
            sizes,
            responsible: most_frequent(ups.filter_map(|one| one.why.as_deref())).map(str::to_owned),
        }
    }

    /// Swings from the Events of the HPA.
    fn reported(cx: &AlarmContext<'_>) -> Self {
        let ReplicaHistory {
            rescales, turns, ..
        } = replica_history(&cx.hpa.latest.assessment.context, cx.now);
        let rescales = || rescales.iter().filter(|one| is_recent(cx, one.at));
        let ups = rescales().filter(|one| one.from.is_some_and(|from| from < one.size));
        let reasons = ups.map(|one| one.reason.as_str());
        Self {
            turns: turns.iter().map(|one| one.at).collect(),
            since: rescales().next().map_or(cx.now, |first| first.at),
            sizes: rescales()
                .map(|one| (one.size, one.from.is_some()))
                .collect(),
            responsible: most_frequent(reasons.filter(|reason| !reason.is_empty()))
                .map(str::to_owned),
        }
    }
}

fn is_recent(cx: &AlarmContext<'_>, at: Timestamp) -> bool {
    cx.now.duration_since(at) <= WITHIN
}

/// `3 → 6 → 9 … 6`: an ellipsis where the HPA itself did not change one number into the next.
fn chain(sizes: &[(i32, bool)]) -> String {
    let mut text = String::new();
    for (index, (size, is_own)) in sizes.iter().enumerate() {
        text.push_str(match (index, is_own) {
            (0, _) => "",
            (_, true) => " → ",
            (_, false) => " … ",
        });
        text.push_str(&size.to_string());
    }
    text
}

/// At most this many sizes are shown.
const MOST_LISTED: usize = 6;
