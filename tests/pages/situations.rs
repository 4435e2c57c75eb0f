//! The usual situations, with numbers that a reader can check.

use crate::world::{AsPage, web};

/// 510 of 600 is 85%; with the other two pods 510 of 800 is 63%; 63 / 60 is 1.05.
#[test]
fn pods_that_are_not_ready_hide_the_load() {
    let page = web(8)
        .at("10:37:15")
        .utilization("cpu", 60)
        .ready_pods(6, "100m", "85m")
        .never_ready("web-7f9c", "100m", "10:23:15", "readiness probe fails")
        .never_ready("web-8d21", "100m", "10:23:15", "readiness probe fails")
        .remembering(&[(8, "10:36:45"), (8, "10:37:00")])
        .status(8, 8, 85, "ReadyForNewScale", "DesiredWithinRange")
        .page();
    insta::assert_snapshot!(page);
}

#[test]
fn the_load_is_gone_and_the_replicas_stay() {
    let page = web(9)
        .utilization("cpu", 60)
        .ready_pods(9, "100m", "24m")
        .remembering(&[(9, "10:36:45"), (9, "10:37:15"), (4, "10:37:30")])
        .status(9, 9, 24, "ScaleDownStabilized", "DesiredWithinRange")
        .page();
    insta::assert_snapshot!(page);
}

#[test]
fn one_broken_metric_holds_everything() {
    let page = web(6)
        .at("09:43:40")
        .bounds(1, 30)
        .utilization("cpu", 60)
        .queue("queue_depth", "28", "10")
        .ready_pods(6, "100m", "50m")
        .with_sidecar("proxy")
        .failing_since("09:12:40")
        .page();
    insta::assert_snapshot!(page);
}

/// The controller leaves the conditions unchanged at zero, so a condition of a woken HPA may have the time when it
/// went to zero.
#[test]
fn a_failure_of_an_hpa_that_may_have_been_at_zero_has_no_begin() {
    let page = |created: &str| {
        let world = web(6).at("09:43:40").utilization("cpu", 60);
        let world = world.ready_pods(6, "100m", "50m").with_sidecar("proxy");
        world.pods_created(created).failing_since("09:12:40").page()
    };
    assert!(page("09:10:00").contains("(since 09:12:40, 31 min)"));
    assert!(!page("09:40:00").contains("(since "));
}

/// 96% of the 18 running pods is 86% of all 20, and 86 / 60 × 20 is 28.7.
#[test]
fn it_wants_more_than_it_may() {
    let why = "0/6 nodes are available: 6 Insufficient cpu.";
    let page = web(20)
        .bounds(4, 20)
        .utilization("cpu", 60)
        .ready_pods(18, "100m", "96m")
        .pending("web-18", "100m", why)
        .pending("web-19", "100m", why)
        .status(20, 20, 96, "ReadyForNewScale", "TooManyReplicas")
        .page();
    insta::assert_snapshot!(page);
}

/// A pod that may use no more than its request reaches at most 100%; 120% with the tolerance needs 133%.
#[test]
fn target_that_limits_keep_out_of_reach_is_the_answer_only_where_they_do() {
    let world = |max: i32, limit: &str| {
        let world = web(3).bounds(2, max).utilization("cpu", 120);
        world.ready_pods(3, "100m", "98m").limits(limit).answer()
    };
    insta::assert_snapshot!(world(10, "100m"), @"
    shop/web → Deployment/web                     STAYS AT 3          min 2 · max 10
    This HPA can never scale up: it needs 133% CPU (target 120%), and the CPU limits
    cap usage at 100%. Now: 98%, so the pods are at their limit. Lower the target to
    89% or less, or raise the limits.
    ");
    for other in [world(10, "133m"), world(3, "100m")] {
        assert!(!other.contains("cannot scale up"), "{other}");
    }
}

/// 515m of 20m is 2575%; 2575 / 20 × 2 is 257.5.
#[test]
fn it_is_faster_than_the_limit() {
    let page = web(2)
        .named("default", "nginx-deployment")
        .bounds(2, 10)
        .utilization("cpu", 20)
        .ready_pods(2, "20m", "515m")
        .remembering(&[(2, "10:41:15")])
        .page();
    insta::assert_snapshot!(page);
}

#[test]
fn there_is_nothing_to_see() {
    let page = web(5)
        .utilization("cpu", 60)
        .ready_pods(5, "100m", "58m")
        .status(5, 5, 58, "ReadyForNewScale", "DesiredWithinRange")
        .page();
    insta::assert_snapshot!(page);
}

#[test]
fn two_hpas_switch_each_other_off() {
    let page = web(6)
        .utilization("cpu", 60)
        .ready_pods(6, "100m", "58m")
        .other_hpa("web-canary", "app=web")
        .page();
    insta::assert_snapshot!(page);
}

/// 68 / 60 is 1.13: outside a tolerance of 0.1, inside one of 0.15.
#[test]
fn the_controller_decides_otherwise() {
    let page = web(6)
        .utilization("cpu", 60)
        .ready_pods(6, "100m", "68m")
        .status(6, 6, 68, "ReadyForNewScale", "DesiredWithinRange")
        .page();
    insta::assert_snapshot!(page);
}
