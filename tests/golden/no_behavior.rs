//! docs/dev/controller.md 12.3: limits and stabilization without `behavior`. Upstream:
//! `TestConvertDesiredReplicasWithRules` and `TestNormalizeDesiredReplicas`.

use hpa_engine::trace::{BoundsBranch, LimitReason, Step};

use crate::support::{all_versions, limited, stabilized};
use hpa_testing::{World, average, hpa};

/// An HPA whose metric asks for exactly `replicas`, with an empty memory.
fn proposing(replicas: i32, hpa: World, current: i32) -> World {
    hpa.external(average("1"))
        .with_replicas(current)
        .tolerance(0.0)
        .series(&[&replicas.to_string()])
        .remembering(&[])
}

#[test]
fn one_step_is_limited_by_minimum_maximum_and_twice_the_replicas() {
    for (current, desired, min, max, result, reason) in [
        (5, 7, 3, 8, 7, LimitReason::DesiredWithinRange),
        (3, 1, 2, 8, 2, LimitReason::TooFewReplicas),
        (1, 0, 0, 10, 0, LimitReason::DesiredWithinRange),
        (8, 1000, 1, 10, 10, LimitReason::TooManyReplicas),
        (3, 1000, 1, 2000, 6, LimitReason::ScaleUpLimit),
        (1, 1000, 1, 2000, 4, LimitReason::ScaleUpLimit),
    ] {
        let situation = proposing(desired, hpa("web").min(min).max(max), current);
        for minor in all_versions() {
            let trace = situation.clone().kube(minor).decide();
            let limit = limited(&trace);
            let context = format!("1.{minor}: {current} → {desired}");
            assert_eq!(limit.stabilized, desired, "{context}");
            assert_eq!((limit.desired, limit.reason), (result, reason), "{context}");
        }
    }
}

/// A row of upstream's test of the limit alone. A whole reconcile does not get that far.
#[test]
fn replicas_above_the_maximum_are_cut_before_any_limit() {
    let mut situation = proposing(1000, hpa("web").max(10), 20);
    let trace = situation.sync();
    let branch = trace.steps.iter().find_map(|step| match step {
        Step::CompareBounds(bounds) => Some(bounds.branch),
        _ => None,
    });
    assert_eq!(branch, Some(BoundsBranch::AboveMax));
    assert_eq!(trace.outcome.unwrap().scale_to, Some(10));
    assert_eq!(situation.memory().recommendations, Some(Vec::new()));
}

#[test]
fn highest_recommendation_of_the_window_counts_and_one_outdated_slot_is_reused() {
    let check = |situation: World, result: i32, remembered: &[i32]| {
        for minor in all_versions() {
            let mut situation = situation.clone().kube(minor);
            let trace = situation.sync();
            assert_eq!(stabilized(&trace).stabilized, result, "1.{minor}");
            let kept = situation.memory.unwrap().recommendations.unwrap();
            let kept: Vec<i32> = kept.iter().map(|seen| seen.replicas).collect();
            assert_eq!(kept, remembered, "1.{minor}");
        }
    };
    let proposing = |replicas| proposing(replicas, hpa("web"), 100);
    check(proposing(5), 5, &[5]);
    check(
        proposing(3).remembering(&[(4, "2m"), (5, "1m")]),
        5,
        &[4, 5, 3],
    );
    check(
        proposing(3).remembering(&[(1, "2m"), (2, "1m")]),
        3,
        &[1, 2, 3],
    );
    check(
        proposing(3).remembering(&[(10, "10m"), (9, "9m")]),
        3,
        &[10, 3],
    );
    check(
        proposing(3).remembering(&[(10, "10m"), (4, "1m"), (5, "2m"), (9, "9m")]),
        5,
        &[10, 4, 5, 3],
    );
}

#[test]
fn recommendation_at_the_edge_of_the_window_still_counts() {
    for (age, result) in [("5m", 7), ("5m 1ns", 3)] {
        let trace = proposing(3, hpa("web"), 3)
            .remembering(&[(7, age)])
            .decide();
        assert_eq!(stabilized(&trace).stabilized, result, "{age}");
    }
}
