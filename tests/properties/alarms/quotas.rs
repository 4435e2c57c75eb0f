//! Pods that a quota refused: the ReplicaSet keeps the old condition until its controller tries again. Only the quota as
//! it is now raises the alarm, also if the watch starts late.

use hpa_watch::AlarmKind;
use proptest::prelude::*;

use super::world::{OnePod, Quota, Step, World, played, texts_after};

/// Six of these pods are wanted.
fn refused(created: i32, quota: Quota) -> World {
    World {
        replicas: 6,
        written: 6,
        proposal: Some(6),
        created,
        quota: Some(quota),
        ..World::default()
    }
}

/// Whether an alarm is on after a minute of a watch that finds this from its start.
fn is_on(world: &World) -> bool {
    let steps: Vec<(i64, Step)> = (0..5)
        .map(|sync| (sync * 15, Step::Reconciled(world.clone())))
        .collect();
    played(AlarmKind::PodsNotRunning, &steps).contains(&true)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn old_refusal_of_a_quota_is_an_alarm_only_while_the_quota_has_no_room(
        created in 0..=6_i32,
        hard in 0..=9_i32,
    ) {
        let lacks = created < 6;
        prop_assert_eq!(is_on(&refused(created, Quota::Of(hard))), lacks && hard <= created);
        prop_assert!(!is_on(&refused(created, Quota::Deleted)));
        prop_assert_eq!(is_on(&refused(created, Quota::NotRead)), lacks);
    }

    /// It starts and ends with the quota, not with the condition.
    #[test]
    fn alarm_ends_when_the_quota_is_raised_and_comes_back_when_it_is_lowered(
        full in 4..20_i64,
        room in 5..20_i64,
    ) {
        let (no_room, room_for_all) = (refused(4, Quota::Of(4)), refused(4, Quota::Of(30)));
        let steps: Vec<(i64, Step)> = (0..full + room + 4)
            .map(|sync| {
                let has_room = (full..full + room).contains(&sync);
                let world = if has_room { &room_for_all } else { &no_room };
                (sync * 15, Step::Seen(world.clone()))
            })
            .collect();
        let on = played(AlarmKind::PodsNotRunning, &steps);
        let at = |sync: i64| on[usize::try_from(sync).unwrap()];
        prop_assert!(at(full - 1));
        prop_assert!(!at(full + room - 1), "after {room} syncs with room");
        prop_assert!(at(full + room + 3));
    }
}

#[test]
fn alarm_of_quotas_that_cannot_be_read_says_so() {
    let alarm = |quota| {
        let texts = texts_after(AlarmKind::PodsNotRunning, &refused(4, quota), 3);
        texts.into_iter().next_back()
    };
    let unread = alarm(Quota::NotRead).unwrap();
    assert!(
        unread.starts_with(
            "2 of 6 pods not created: the quotas were not read, and the last refusal was: "
        ),
        "{unread}"
    );
    let full = alarm(Quota::Of(4)).unwrap();
    assert!(
        full.starts_with("2 of 6 pods not created: pods \"web-1-x\" is forbidden"),
        "{full}"
    );
    assert_eq!(alarm(Quota::Of(5)), None);
}

/// The condition stays True while `maxReplicas` is raised, and the replicas reach the new one later.
#[test]
fn unmet_demand_is_dated_by_the_rescale_to_the_current_maximum() {
    let limited = |replicas: i32, max: i32, scaled_at: i64| World {
        replicas,
        created: replicas,
        written: replicas,
        max,
        proposal: Some(30),
        scaled_at,
        limited_since: Some(-3000),
        pods: vec![OnePod::READY],
        ..World::default()
    };
    let since = |world: World| super::world::since_after(AlarmKind::UnmetDemand, &[(0, world)]);
    assert_eq!(since(limited(16, 16, -200)), Some(-200));
    assert_eq!(since(limited(6, 6, -3600)), Some(-3000));
    // The status is still of a maximum of 6.
    let mut edited = limited(16, 16, -3600);
    edited.written = 6;
    assert_eq!(since(edited), Some(0));
}
