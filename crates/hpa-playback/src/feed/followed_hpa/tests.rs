//! One HPA between syncs, by what happens to it.

use hpa_objects::recording::wire::{Controller, Hpa};
use serde_json::json;

use super::*;

fn at(millis: i64) -> Timestamp {
    Timestamp::from_millisecond(millis).unwrap()
}

fn snapshot(millis: i64, desired: i32) -> Snapshot {
    let mut hpa: Hpa = serde_json::from_str(
        r#"{"metadata": {"name": "web", "namespace": "shop"},
            "spec": {"scaleTargetRef": {"kind": "Deployment", "name": "web"}, "maxReplicas": 9}}"#,
    )
    .unwrap();
    hpa.status.desired_replicas = desired;
    let controller = Controller {
        version: "1.36".to_owned(),
        ..Controller::default()
    };
    Snapshot::new("shop/web".to_owned(), at(millis), controller, hpa)
}

/// An HPA with a write observed at 4 s, and a period of 15 s.
fn following() -> FollowedHpa {
    let period = Input::assumed(SignedDuration::from_secs(15));
    let mut following = FollowedHpa::new(snapshot(0, 0), period, false, at(0));
    assert_eq!(following.next(), None, "nothing was polled yet");
    following.refresh(snapshot(20, 0));
    let found = following.note_write(snapshot(4_000, 2), at(4_000));
    assert_eq!(found.unwrap().time, at(3_990));
    following.note_displayed(at(4_000));
    following
}

fn status(desired: i32) -> Outcome {
    Outcome {
        status: snapshot(0, desired).hpa.status,
        ..Outcome::default()
    }
}

#[test]
fn hpa_is_looked_at_before_its_sync_and_settled_after_it() {
    let mut following = following();
    assert_eq!(following.next(), Some((at(18_940), Due::Preview)));
    following.refresh(snapshot(18_940, 2));
    following.previewed(Some(&status(2)));
    assert_eq!(following.next(), Some((at(22_000), Due::Settle)));
    let found = following.note_no_write(snapshot(22_000, 2), at(22_000));
    assert_eq!(found.unwrap().time, at(18_940), "nothing says when it was");
    following.note_displayed(at(22_000));
    assert_eq!(following.next(), Some((at(33_940), Due::Preview)));
}

#[test]
fn write_that_must_come_is_waited_for() {
    let mut following = following();
    following.previewed(Some(&status(3)));
    assert_eq!(following.next(), Some((at(29_500), Due::Settle)));
    let found = following.note_write(snapshot(19_800, 3), at(19_800));
    assert_eq!(found.unwrap().time, at(19_790));
    assert_eq!(following.beat().unwrap().sync, at(19_800));
}

#[test]
fn sync_that_writes_nothing_where_it_must_was_none() {
    let mut following = following();
    let mut predicted = status(2);
    predicted.status.current_replicas = 5;
    following.previewed(Some(&predicted));
    assert_eq!(following.next(), Some((at(29_500), Due::Settle)));
    assert_eq!(
        following.note_no_write(snapshot(29_500, 2), at(29_500)),
        None
    );
    following.note_displayed(at(29_500));
    assert_eq!(following.next(), Some((at(33_940), Due::Preview)));
    let mut later = self::following();
    later.previewed(Some(&predicted));
    assert_eq!(later.note_no_write(snapshot(29_500, 2), at(29_500)), None);
    // The controller is running, so the sync happened, and found something else.
    let missed = later.take_missed(at(33_000)).unwrap();
    assert_eq!(missed.time, at(4_000));
    assert_eq!(later.take_missed(at(33_000)), None);
    assert_eq!(following.take_missed(at(60_000)), None);
}

#[test]
fn what_changes_after_the_sync_is_not_what_it_found() {
    let mut following = following();
    following.previewed(Some(&status(3)));
    following.note_change(at(18_970));
    assert_eq!(following.next(), Some((at(18_970), Due::Refresh)));
    following.refresh(snapshot(18_970, 2));
    following.note_change(at(19_001));
    assert_eq!(following.next(), Some((at(29_500), Due::Settle)));
    assert!(following.may_be_over(at(19_001)));
    let found = following.note_write(snapshot(19_010, 3), at(19_010));
    assert_eq!(found.unwrap().time, at(19_000));
}

#[test]
fn scale_that_the_sync_has_written_is_not_what_it_found() {
    let with_replicas = |millis, replicas| {
        let mut snapshot = snapshot(millis, 2);
        let scale = json!({"spec": {"replicas": replicas}, "status": {"replicas": 2}});
        snapshot.scale = serde_json::from_value(scale).unwrap();
        snapshot
    };
    let write = || {
        let mut after = snapshot(18_960, 3);
        after.hpa.status.current_replicas = 2;
        after
    };
    // The sync comes early, and its write of the scale is observed before that of the status.
    let mut following = following();
    following.refresh(with_replicas(10_000, 2));
    following.refresh(with_replicas(18_950, 3));
    let found = following.note_write(write(), at(18_960)).unwrap();
    assert_eq!(found.time, at(18_949));
    assert_eq!(replicas(&found), Some(2));
    // The status comes seconds after the scale, and the new scale was read meanwhile.
    let mut following = self::following();
    following.refresh(with_replicas(10_000, 2));
    following.refresh(with_replicas(18_950, 3));
    following.refresh(with_replicas(19_950, 3));
    let mut after = write();
    after.time = at(21_900);
    let found = following.note_write(after, at(21_900)).unwrap();
    assert_eq!(replicas(&found), Some(2));
    assert!(found.time < at(18_950), "{}", found.time);
    // Another writer has scaled before the sync.
    let mut following = self::following();
    following.refresh(with_replicas(10_000, 7));
    following.refresh(with_replicas(10_500, 2));
    let found = following.note_write(write(), at(18_960)).unwrap();
    assert_eq!(replicas(&found), Some(2));
}

#[test]
fn status_of_a_rescale_is_waited_for_a_period_and_no_longer() {
    let with_replicas = |millis, replicas| {
        let mut snapshot = snapshot(millis, 2);
        let scale = json!({"spec": {"replicas": replicas}, "status": {"replicas": 2}});
        snapshot.scale = serde_json::from_value(scale).unwrap();
        snapshot
    };
    let mut following = following();
    following.refresh(with_replicas(10_000, 2));
    following.refresh_scaled(with_replicas(18_950, 3));
    assert!(following.has_just_scaled(at(18_950)));
    assert!(following.has_just_scaled(at(33_949)));
    assert!(!following.has_just_scaled(at(33_950)));
    following.note_write(with_replicas(19_000, 3), at(19_000));
    assert!(!following.has_just_scaled(at(19_000)));
}

fn of_generation(millis: i64, desired: i32, generation: i64, observed: i64) -> Snapshot {
    let mut snapshot = snapshot(millis, desired);
    snapshot.hpa.metadata.generation = Some(generation);
    snapshot.hpa.status.observed_generation = Some(observed);
    snapshot
}

/// The same under Kubernetes 1.37, with a spec that the controller has seen.
fn following_of_1_37() -> FollowedHpa {
    let period = Input::assumed(SignedDuration::from_secs(15));
    let mut following = FollowedHpa::new(snapshot(0, 0), period, true, at(0));
    following.refresh(snapshot(20, 0));
    following
        .note_write(of_generation(4_000, 2, 1, 1), at(4_000))
        .unwrap();
    following.note_displayed(at(4_000));
    following
}

#[test]
fn an_edit_is_synced_at_once_and_the_next_sync_in_turn_comes_as_before() {
    let mut following = following_of_1_37();
    let edited = of_generation(10_000, 2, 2, 1);
    assert!(following.has_other_spec(&edited));
    assert_eq!(following.edit(edited.clone(), at(10_000)), None);
    assert!(!following.has_other_spec(&edited));
    following.previewed(Some(&status(5)));
    assert_eq!(following.next(), Some((at(20_500), Due::Settle)));
    let found = following
        .note_write(of_generation(10_040, 5, 2, 2), at(10_040))
        .unwrap();
    assert_eq!(found.hpa, edited.hpa);
    assert_eq!(found.time, at(10_030));
    assert_eq!(following.beat().unwrap().sync, at(4_000));
    following.note_displayed(at(10_040));
    assert_eq!(following.next(), Some((at(18_940), Due::Preview)));
}

#[test]
fn an_edit_right_before_a_sync_leaves_that_sync_in_its_turn() {
    let mut following = following_of_1_37();
    following.edit(of_generation(18_900, 2, 2, 1), at(18_900));
    following.note_write(of_generation(18_930, 2, 2, 2), at(18_930));
    following.note_displayed(at(18_930));
    assert_eq!(following.next(), Some((at(18_940), Due::Preview)));
}

#[test]
fn an_edit_after_a_sync_that_wrote_nothing_settles_that_sync() {
    let mut following = following_of_1_37();
    following.refresh(of_generation(18_940, 2, 1, 1));
    following.previewed(Some(&status(2)));
    let mut expected = following.status.clone();
    expected.desired_replicas = 2;
    following.previewed(Some(&Outcome {
        status: expected,
        ..Outcome::default()
    }));
    let found = following.edit(of_generation(19_500, 2, 2, 1), at(19_500));
    assert_eq!(found.unwrap().time, at(18_940));
    let found = following.note_write(of_generation(19_540, 4, 2, 2), at(19_540));
    assert_eq!(found.unwrap().time, at(19_530));
    following.note_displayed(at(19_540));
    assert_eq!(following.next(), Some((at(33_940), Due::Preview)));
}

#[test]
fn a_new_hpa_is_synced_at_once_and_that_begins_its_turns() {
    let period = Input::assumed(SignedDuration::from_secs(15));
    let made = snapshot(0, 0);
    let mut following = FollowedHpa::new(made.clone(), period, true, at(0));
    let found = following.note_write(of_generation(50, 2, 1, 1), at(50));
    assert_eq!(found.unwrap().hpa, made.hpa);
    assert_eq!(following.beat().unwrap().sync, at(50));
}

#[test]
fn an_edit_that_was_only_seen_with_its_status_is_a_sync_of_which_nothing_is_known() {
    let mut following = following_of_1_37();
    let found = following.note_write(of_generation(10_040, 5, 2, 2), at(10_040));
    assert_eq!(found, None);
    assert_eq!(following.beat().unwrap().sync, at(4_000));
}

#[test]
fn changes_between_syncs_are_shown_once_per_second() {
    let mut following = following();
    following.note_change(at(4_300));
    assert_eq!(following.next(), Some((at(4_500), Due::Refresh)));
    following.refresh(snapshot(4_500, 2));
    assert_eq!(following.next(), Some((at(5_000), Due::Show)));
    following.note_displayed(at(5_000));
    assert_eq!(following.next(), Some((at(18_940), Due::Preview)));
}

#[test]
fn write_that_is_heard_of_after_an_outage_says_when_it_was() {
    let mut following = following();
    let mut after = snapshot(300_000, 3);
    after.hpa_status_written = Some(at(274_000));
    assert_eq!(following.note_write(after, at(300_000)), None);
    assert_eq!(following.beat().unwrap().sync, at(274_500));
    following.note_displayed(at(300_000));
    assert_eq!(following.next(), Some((at(289_440), Due::Preview)));
}
