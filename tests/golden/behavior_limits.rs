//! docs/dev/controller.md 12.5: rate limits with `behavior`. Upstream: `TestScalingWithRules` and the tests of
//! `calculateScaleUpLimitWithScalingRules` and `calculateScaleDownLimitWithBehaviors`.

use std::ops::RangeInclusive;

use hpa_engine::{
    model::SelectPolicy,
    trace::{
        LimitPath,
        LimitReason::{
            self, DesiredWithinRange, ScaleDownLimit, ScaleUpLimit, TooFewReplicas, TooManyReplicas,
        },
    },
};

use crate::support::{all_versions, limited, since, until};
use hpa_testing::{Rules, World, average, down, duration, hpa, up};

/// An HPA whose metric asks for exactly `desired` without a window that holds it back.
fn proposing(hpa: World, current: i32, desired: i32) -> World {
    hpa.external(average("1"))
        .with_replicas(current)
        .tolerance(0.0)
        .series(&[&desired.to_string()])
        .remembering(&[])
}

/// A step from 1 to 1000 replicas, with these rules.
fn step(rules: Rules, current: i32, desired: i32) -> World {
    proposing(hpa("web").behavior(rules), current, desired)
}

#[track_caller]
fn check(versions: RangeInclusive<u32>, situation: &World, result: i32, reason: LimitReason) {
    for minor in versions {
        let trace = situation.clone().kube(minor).decide();
        let limit = limited(&trace);
        assert_eq!((limit.desired, limit.reason), (result, reason), "1.{minor}");
    }
}

#[test]
fn policies_limit_a_step_up() {
    for (rules, current, desired, result, reason) in [
        (up(), 10, 50, 20, ScaleUpLimit),
        (
            up().pods(100, 60).percent(100, 60),
            10,
            500,
            110,
            ScaleUpLimit,
        ),
        (up().pods(2, 60).percent(100, 60), 10, 500, 20, ScaleUpLimit),
        (up().pods(100, 60), 10, 50, 50, DesiredWithinRange),
        (up().pods(30, 60), 10, 50, 40, ScaleUpLimit),
        (up().percent(200, 60), 10, 50, 30, ScaleUpLimit),
    ] {
        check(
            all_versions(),
            &step(rules, current, desired),
            result,
            reason,
        );
    }
    let of_2000 = proposing(hpa("web").max(2000).behavior(up().percent(1, 60)), 3, 1000);
    check(all_versions(), &of_2000, 4, ScaleUpLimit);
    let small_range = proposing(hpa("web").min(100).max(150).behavior(up()), 100, 1000);
    check(all_versions(), &small_range, 150, TooManyReplicas);
}

#[test]
fn policies_limit_a_step_down() {
    for (rules, current, desired, result, reason) in [
        (
            down().pods(20, 60).percent(1, 60),
            100,
            2,
            80,
            ScaleDownLimit,
        ),
        (
            down().pods(2, 60).percent(1, 60),
            100,
            2,
            98,
            ScaleDownLimit,
        ),
        (down().pods(100, 60), 10, 0, 1, TooFewReplicas),
        (down().pods(5, 60), 10, 2, 5, ScaleDownLimit),
        (down().percent(50, 60), 10, 5, 5, DesiredWithinRange),
    ] {
        check(
            all_versions(),
            &step(rules, current, desired),
            result,
            reason,
        );
    }
    let min_5 = proposing(hpa("web").min(5).behavior(down().percent(100, 60)), 10, 2);
    check(all_versions(), &min_5, 5, TooFewReplicas);
}

#[test]
fn select_policy_min_takes_the_smallest_change_and_disabled_none() {
    let limit_of = |rules: Rules, current, desired| {
        let trace = step(rules, current, desired).decide();
        match limited(&trace).path {
            LimitPath::Behavior { limit, .. } => limit,
            LimitPath::NoBehavior { .. } => panic!("the HPA has behavior"),
        }
    };
    let min = |rules: Rules| rules.pods(2, 60).percent(50, 60).select(SelectPolicy::Min);
    assert_eq!(limit_of(min(up()), 1, 100), Some(2));
    assert_eq!(limit_of(min(down()), 5, 1), Some(3));
    let disabled = |rules: Rules| rules.select(SelectPolicy::Disabled);
    assert_eq!(limit_of(disabled(up()), 5, 100), Some(5));
    assert_eq!(limit_of(disabled(down()), 5, 1), Some(5));
}

#[test]
fn earlier_steps_up_count_against_the_policies() {
    let after =
        |rules, max| proposing(hpa("web").max(max).behavior(rules), 100, 500).scaled_up(&[1, 5, 9]);
    for (rules, max, result, reason) in [
        (up().pods(300, 60), 200, 200, TooManyReplicas),
        (up().percent(10_000, 60), 200, 200, TooManyReplicas),
        (up().pods(5, 120), 1000, 100, ScaleUpLimit),
        (up().pods(150, 120), 1000, 235, ScaleUpLimit),
        (up().percent(200, 120), 1000, 255, ScaleUpLimit),
    ] {
        check(all_versions(), &after(rules, max), result, reason);
    }
}

#[test]
fn earlier_steps_down_count_against_the_policies() {
    let after = |rules, current, desired, changes: &[i32]| {
        step(rules, current, desired).scaled_down(changes)
    };
    for (situation, result, reason) in [
        (
            after(down().pods(5, 120), 100, 2, &[1, 5, 9]),
            100,
            ScaleDownLimit,
        ),
        (
            after(down().pods(115, 120), 100, 0, &[1, 5, 9]),
            1,
            TooFewReplicas,
        ),
        (
            after(down().percent(50, 120), 100, 0, &[2, 4, 6]),
            56,
            ScaleDownLimit,
        ),
        (
            after(down().percent(10, 120), 100, 0, &[10, 10, 10]),
            100,
            ScaleDownLimit,
        ),
        (
            after(down().percent(1000, 120), 10, 5, &[10, 10, 10]),
            5,
            DesiredWithinRange,
        ),
        (after(down(), 10, 5, &[1, 5, 9]), 5, DesiredWithinRange),
    ] {
        check(all_versions(), &situation, result, reason);
    }
}

#[test]
fn steps_the_other_way_count_from_1_26_on() {
    let above = step(up().percent(300, 300), 6, 24)
        .scaled_up(&[4])
        .scaled_down(&[2]);
    check(until(25), &above, 8, ScaleUpLimit);
    check(since(26), &above, 16, ScaleUpLimit);
    let below = step(down().percent(50, 180), 10, 1)
        .scaled_up(&[2])
        .scaled_down(&[4]);
    check(until(25), &below, 7, ScaleDownLimit);
    check(since(26), &below, 6, ScaleDownLimit);
}

#[test]
fn step_at_the_start_of_a_period_has_left_it() {
    for (age, result) in [("60s", 20), ("59s 999ms", 10)] {
        let mut situation = step(up().percent(100, 60), 10, 500).scaled_up(&[5]);
        situation.memory().scale_up_events[0].at = situation.now - duration(age);
        check(all_versions(), &situation, result, ScaleUpLimit);
    }
}
