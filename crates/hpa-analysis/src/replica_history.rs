//! How the replicas changed, from the Events of the HPA: its own rescales, changes of direction, and what other writers
//! must have done in between.

use hpa_engine::model::{Context, Direction};
use jiff::Timestamp;

use super::rescale_events::{RescaleCause, RescaleEvents, Rescaled};

/// How the replicas changed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReplicaHistory {
    /// The rescales with proved time and size, oldest first. There may be others in between.
    pub rescales: Vec<Rescaled>,
    /// The rescales at which the HPA changed direction. Excludes turns that another writer caused.
    pub turns: Vec<Rescaled>,
    /// Sizes that the HPA set which only make sense if another writer had changed the number before.
    pub undone: Vec<Undone>,
}

/// A number that the HPA set again, without a rescale of its own in between.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Undone {
    /// The replicas that the HPA had set before.
    pub before: i32,
    /// The replicas that it set afterwards.
    pub size: i32,
    /// When it set `before`.
    pub from: Timestamp,
    /// When it set `size`.
    pub at: Timestamp,
    /// Minimum number of times.
    pub times: i32,
}

/// Derives how the replicas changed from the Events that exist at `now`.
pub fn replica_history(context: &Context, now: Timestamp) -> ReplicaHistory {
    let events = RescaleEvents::of(context, now);
    ReplicaHistory {
        turns: turns(&events.rescales),
        undone: undone(&events),
        rescales: events.rescales,
    }
}

/// Rescales missing from the Events can only add turns.
fn turns(rescales: &[Rescaled]) -> Vec<Rescaled> {
    let mut last = None;
    let mut turns = Vec::new();
    for pair in rescales.windows(2) {
        let [before, after] = pair else { continue };
        let by_size = Direction::between(before.size, after.size);
        let Some(direction) = after.direction().or(by_size) else {
            continue;
        };
        let is_turn = last
            .replace(direction)
            .is_some_and(|last| last != direction);
        if is_turn && after.fits_after(before.size) {
            turns.push(after.clone());
        }
    }
    turns
}

/// Finds numbers that make no sense after the previous one: the same again, or fewer because a metric was above its
/// target.
fn undone(events: &RescaleEvents) -> Vec<Undone> {
    let mut found: Vec<Undone> = Vec::new();
    for pair in events.rescales.windows(2) {
        let [before, after] = pair else {
            continue;
        };
        let is_again = before.size == after.size;
        let is_up_to_fewer = after.cause == RescaleCause::AboveTarget && after.size < before.size;
        // The order of two within one second is unknown.
        let is_in_order = before.at < after.at;
        let between = is_again.then_some(after.size);
        if !(is_in_order && (is_again || is_up_to_fewer)) || events.may_hide(before, after, between)
        {
            continue;
        }
        found.push(Undone {
            before: before.size,
            size: after.size,
            from: before.at,
            at: after.at,
            times: if is_again {
                events.repeats(before, after)
            } else {
                1
            },
        });
    }
    found
}

#[cfg(test)]
mod tests {
    use hpa_engine::model::KubeEvent;

    use super::*;
    use crate::testing::{at, rescale_event};

    fn history(events: Vec<KubeEvent>) -> ReplicaHistory {
        let context = Context {
            events,
            ..Context::default()
        };
        replica_history(&context, at(600))
    }

    const ABOVE: &str = "cpu resource utilization (percentage of request) above target";

    #[test]
    fn same_number_set_again_means_that_another_writer_changed_it() {
        let six = format!("New size: 6; reason: {ABOVE}");
        let found = history(vec![rescale_event(&six, 3, 0, 90)]).undone;
        assert_eq!(found.len(), 1);
        assert_eq!((found[0].size, found[0].times), (6, 2));
        // The HPA itself scaled down in between.
        let three = "New size: 3; reason: All metrics below target";
        let own = history(vec![
            rescale_event(&six, 2, 0, 90),
            rescale_event(three, 1, 45, 45),
        ]);
        assert_eq!(own.undone, []);
        assert_eq!(own.turns.len(), 1);
        // The counts allow that it did so as often, at times that are not kept.
        let often = history(vec![
            rescale_event(&six, 3, 0, 120),
            rescale_event(three, 3, 30, 150),
        ]);
        assert_eq!(often.undone, []);
    }

    #[test]
    fn missing_events_prove_nothing_where_they_may_be_combined_dropped_or_forgotten() {
        let six = format!("New size: 6; reason: {ABOVE}");
        let combined = format!("(combined from similar events): New size: 7; reason: {ABOVE}");
        let found = history(vec![
            rescale_event(&six, 2, 0, 90),
            rescale_event(&combined, 2, 60, 120),
        ]);
        assert_eq!(found.undone, []);
        // The first time of a combined Event was for another size.
        let steps = history(vec![rescale_event(&combined, 3, 60, 180)]);
        assert_eq!(steps.undone, []);
        assert_eq!(steps.rescales.len(), 1);
        assert_eq!((steps.rescales[0].at, steps.rescales[0].size), (at(180), 7));
        let mut many = vec![rescale_event(&six, 2, 0, 90)];
        many.push(KubeEvent {
            reason: "FailedGetResourceMetric".to_owned(),
            count: 40,
            ..KubeEvent::default()
        });
        assert_eq!(history(many).undone, []);
        let forgotten = history(vec![rescale_event(&six, 2, -3_600, 500)]);
        assert_eq!(forgotten.undone, []);
    }

    #[test]
    fn write_of_another_is_no_change_of_direction() {
        let up =
            |size: i32, at| rescale_event(&format!("New size: {size}; reason: {ABOVE}"), 1, at, at);
        let down = rescale_event("New size: 8; reason: All metrics below target", 1, 200, 200);
        let found = history(vec![up(6, 0), up(9, 30), up(6, 90), up(9, 120), down]);
        let turns: Vec<i32> = found.turns.iter().map(|turn| turn.size).collect();
        assert_eq!(turns, [8]);
        let from: Vec<Option<i32>> = found.rescales.iter().map(|one| one.from).collect();
        assert_eq!(from, [None, Some(6), None, Some(6), Some(9)]);
    }

    #[test]
    fn way_up_to_fewer_than_before_means_that_another_writer_took_some_away() {
        let ten = format!("New size: 10; reason: {ABOVE}");
        let six = format!("New size: 6; reason: {ABOVE}");
        let found = history(vec![
            rescale_event(&ten, 1, 0, 0),
            rescale_event(&six, 1, 60, 60),
        ])
        .undone;
        assert_eq!((found[0].before, found[0].size), (10, 6));
    }
}
