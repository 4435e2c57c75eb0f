//! How the replicas went, as far as the Events of the HPA tell: its own rescales, changes of direction, and what others
//! must have done in between.

use jiff::Timestamp;

use super::rescales::{Cause, Rescaled, parse, rescales};
use crate::model::{Context, KubeEvent};

/// How the replicas went.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReplicaHistory {
    /// The rescales that the Events tell, oldest first. Equal ones are kept as one Event with a count, its first and its
    /// last time: those between are not here.
    pub rescales: Vec<Rescaled>,
    /// The rescales at which the direction changed.
    pub turns: Vec<Rescaled>,
    /// How often the HPA set a number that only makes sense if something else had changed it before.
    pub undone: Vec<Undone>,
}

/// A number that the HPA set again although nothing of its own came between.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Undone {
    /// The replicas that the HPA had set.
    pub before: i32,
    /// The replicas that it set afterwards.
    pub size: i32,
    /// When it had set the first.
    pub from: Timestamp,
    /// When it set the second.
    pub at: Timestamp,
    /// How often at least.
    pub times: i32,
}

/// Works out how the replicas went from the Events of an HPA.
pub fn replica_history(context: &Context) -> ReplicaHistory {
    let events: Vec<(&KubeEvent, i32)> = context
        .events
        .iter()
        .filter(|event| event.reason == "SuccessfulRescale")
        .filter_map(|event| Some((event, parse(&event.message)?.0)))
        .collect();
    let rescales = rescales(context);
    ReplicaHistory {
        turns: turns(&rescales),
        undone: undone(&rescales, &events),
        rescales,
    }
}

fn turns(rescales: &[Rescaled]) -> Vec<Rescaled> {
    let mut last_is_up = None;
    let mut turns = Vec::new();
    for pair in rescales.windows(2) {
        let is_up = match pair[0].size.cmp(&pair[1].size) {
            std::cmp::Ordering::Less => true,
            std::cmp::Ordering::Greater => false,
            std::cmp::Ordering::Equal => continue,
        };
        if last_is_up.is_some_and(|last| last != is_up) {
            turns.push(pair[1].clone());
        }
        last_is_up = Some(is_up);
    }
    turns
}

/// Where a number makes no sense after the one before: the same again, or fewer because a metric was above its target.
fn undone(rescales: &[Rescaled], events: &[(&KubeEvent, i32)]) -> Vec<Undone> {
    let mut found: Vec<Undone> = Vec::new();
    for pair in rescales.windows(2) {
        let [before, after] = pair else {
            continue;
        };
        let is_again = before.size == after.size;
        let is_up_to_fewer = after.cause == Cause::AboveTarget && after.size < before.size;
        // Of two in one second nobody knows which came first.
        let is_in_order = before.at < after.at;
        if !(is_in_order && (is_again || is_up_to_fewer)) || may_hide_others(before, after, events)
        {
            continue;
        }
        // An Event with a count has its first and its last time only.
        let times = events
            .iter()
            .find(|(event, size)| {
                is_again
                    && *size == after.size
                    && event.first == Some(before.at)
                    && event.last == Some(after.at)
            })
            .map_or(1, |(event, _)| event.count.saturating_sub(1).max(1));
        found.push(Undone {
            before: before.size,
            size: after.size,
            from: before.at,
            at: after.at,
            times,
        });
    }
    found
}

/// Whether an Event of another number may have happened between the two without being kept with its time.
fn may_hide_others(before: &Rescaled, after: &Rescaled, events: &[(&KubeEvent, i32)]) -> bool {
    events.iter().any(|(event, size)| {
        (*size != before.size || *size != after.size)
            && 2 < event.count
            && event.first.is_none_or(|first| first < after.at)
            && event.last.is_none_or(|last| before.at < last)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: i64) -> Timestamp {
        Timestamp::from_second(1_800_000_000 + seconds).unwrap()
    }

    fn event(message: &str, count: i32, first: i64, last: i64) -> KubeEvent {
        KubeEvent {
            reason: "SuccessfulRescale".to_owned(),
            message: message.to_owned(),
            count,
            first: Some(at(first)),
            last: Some(at(last)),
            ..KubeEvent::default()
        }
    }

    fn history(events: Vec<KubeEvent>) -> ReplicaHistory {
        replica_history(&Context {
            events,
            ..Context::default()
        })
    }

    const ABOVE: &str = "cpu resource utilization (percentage of request) above target";

    #[test]
    fn same_number_set_again_means_that_somebody_else_changed_it() {
        let six = format!("New size: 6; reason: {ABOVE}");
        let found = history(vec![event(&six, 3, 0, 90)]).undone;
        assert_eq!(found.len(), 1);
        assert_eq!((found[0].size, found[0].times), (6, 2));
        // The HPA itself went down in between.
        let three = "New size: 3; reason: All metrics below target";
        let own = history(vec![event(&six, 2, 0, 90), event(three, 1, 45, 45)]);
        assert_eq!(own.undone, []);
        assert_eq!(own.turns.len(), 1);
        // It may have done so as often as the counts say, at times that are not kept.
        let often = history(vec![event(&six, 3, 0, 120), event(three, 3, 30, 150)]);
        assert_eq!(often.undone, []);
    }

    #[test]
    fn way_up_to_fewer_than_before_means_that_somebody_else_took_some_away() {
        let ten = format!("New size: 10; reason: {ABOVE}");
        let six = format!("New size: 6; reason: {ABOVE}");
        let found = history(vec![event(&ten, 1, 0, 0), event(&six, 1, 60, 60)]).undone;
        assert_eq!((found[0].before, found[0].size), (10, 6));
    }
}
