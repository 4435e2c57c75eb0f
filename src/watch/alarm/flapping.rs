//! Up and down in turns.

use jiff::{SignedDuration, Timestamp};

use super::{
    AlarmKind,
    conditions::{Condition, Cx, most_frequent},
};
use crate::{explain::clock::rough, inference::replica_history, watch::log::Rescaling};

/// Holds while the direction changes often. What was seen counts, or what the Events tell of the time before.
pub(super) fn check(cx: &Cx<'_>) -> Option<Condition> {
    let seen: Vec<Rescaling> = cx.hpa.log.rescalings().cloned().collect();
    let told = || -> Vec<Rescaling> {
        let history = replica_history(&cx.hpa.latest.context);
        let sizes = history.rescales.windows(2);
        sizes
            .map(|pair| Rescaling {
                at: pair[1].at,
                from: pair[0].size,
                to: pair[1].size,
                why: Some(pair[1].reason.clone()).filter(|reason| !reason.is_empty()),
            })
            .collect()
    };
    let seen = Swings::of(cx, seen);
    let swings = if seen.flips < MANY {
        let told = Swings::of(cx, told());
        if seen.flips < told.flips { told } else { seen }
    } else {
        seen
    };
    let is_on = cx.is_on(AlarmKind::Flapping);
    if swings.flips < if is_on { STILL } else { MANY } {
        return None;
    }
    let shown = &swings.sizes[swings.sizes.len().saturating_sub(SHOWN)..];
    let sizes: Vec<String> = shown.iter().map(ToString::to_string).collect();
    let by = swings
        .responsible
        .map_or_else(String::new, |why| format!(", because of {why}"));
    Some(Condition {
        since: Some(swings.since),
        lingers: SignedDuration::ZERO,
        // Twice as many are news.
        level: swings.flips.ilog2(),
        ..cx.condition_of(
            AlarmKind::Flapping,
            format!(
                "{} direction changes in {}: {}{by}",
                swings.flips,
                rough(cx.now.duration_since(swings.since)),
                sizes.join(" → ")
            ),
        )
    })
}

/// Ups and downs within the window.
struct Swings {
    flips: usize,
    /// The first rescaling that belongs to them.
    since: Timestamp,
    sizes: Vec<i32>,
    /// What led up most often, else down.
    responsible: Option<String>,
}

impl Swings {
    fn of(cx: &Cx<'_>, mut rescalings: Vec<Rescaling>) -> Self {
        rescalings.retain(|one| one.from != one.to && cx.now.duration_since(one.at) <= WITHIN);
        let is_up = |one: &Rescaling| one.from < one.to;
        let flips = rescalings
            .windows(2)
            .filter(|pair| is_up(&pair[0]) != is_up(&pair[1]))
            .count();
        let first = rescalings.first().map(|first| first.from);
        let sizes = first
            .into_iter()
            .chain(rescalings.iter().map(|one| one.to))
            .collect();
        let ups = rescalings.iter().filter(|one| is_up(one));
        let responsible = most_frequent(ups.filter_map(|one| one.why.as_deref()));
        Self {
            flips,
            since: rescalings.first().map_or(cx.now, |first| first.at),
            sizes,
            responsible: responsible.map(str::to_owned),
        }
    }
}

/// Changes of direction are counted within that time.
const WITHIN: SignedDuration = SignedDuration::from_mins(30);

/// So many changes of direction are flapping.
const MANY: usize = 3;

/// So many still are.
const STILL: usize = 2;

/// So many sizes are shown.
const SHOWN: usize = 6;
