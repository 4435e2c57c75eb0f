//! The first lines: what is wrong, why, and what to do, for a reader who has no time.

use crate::world::{World, web};

#[test]
fn pinned_hpa_names_the_pods_that_are_not_ready() {
    insta::assert_snapshot!(pinned(2).never_ready("web-7f9c", "100m", "10:23:15", "readiness probe fails").answer(), @"
    shop/web → Deployment/web               STAYS AT 3 (minReplicas)   min 3 · max 3
    1 of 3 pods is not ready. Check web-7f9c: not ready since it started 18 min ago
    (readiness probe fails). The HPA stays at 3 whatever the load is: minReplicas
    and maxReplicas are both 3.
      kubectl describe pod web-7f9c -n shop
    ");
}

#[test]
fn pinned_hpa_whose_pods_are_ready_never_scales() {
    insta::assert_snapshot!(pinned(3).answer(), @"
    shop/web → Deployment/web               STAYS AT 3 (minReplicas)   min 3 · max 3
    minReplicas and maxReplicas are both 3, so the HPA never scales: CPU is at 25%
    (target 80%) and asks for 1 replica. Nothing to do.
    ");
    let busy = web(3)
        .bounds(3, 3)
        .utilization("cpu", 60)
        .pods(3, "100m", "90m");
    insta::assert_snapshot!(busy.answer(), @"
    shop/web → Deployment/web               STAYS AT 3 (maxReplicas)   min 3 · max 3
    minReplicas and maxReplicas are both 3, so it cannot scale up: CPU is at 90%
    (target 60%) and asks for 5 replicas. All 3 pods are ready: if this load is
    expected, raise maxReplicas (to 5 at this load).
      kubectl hpa simulate web -n shop --set maxReplicas=5
    ");
}

#[test]
fn pods_that_are_not_ready_come_before_a_higher_maximum() {
    let world = web(4)
        .bounds(2, 4)
        .utilization("cpu", 60)
        .pods(3, "100m", "120m")
        .never_ready("web-7f9c", "100m", "10:23:15", "readiness probe fails");
    insta::assert_snapshot!(world.answer(), @"
    shop/web → Deployment/web               STAYS AT 4 (maxReplicas)   min 2 · max 4
    At maxReplicas: CPU is at 120% (target 60%) and asks for 6 replicas, but the
    maximum is 4. 1 of 4 pods is not ready. Before you raise maxReplicas, check
    web-7f9c: not ready since it started 18 min ago (readiness probe fails).
      kubectl describe pod web-7f9c -n shop
    ");
}

#[test]
fn pods_that_count_though_they_are_not_ready_are_not_called_ready() {
    let answer = web(4)
        .bounds(2, 4)
        .utilization("cpu", 60)
        .pods(3, "100m", "120m")
        .not_ready("web-7f9c", "100m", "10:13:15", "10:20:00", "110m")
        .answer();
    assert!(!answer.contains("pods are ready"), "{answer}");
    assert!(!answer.contains("simulate"), "{answer}");
}

/// An idle HPA of 3 replicas that are its minimum and its maximum.
fn pinned(ready: usize) -> World {
    web(3)
        .bounds(3, 3)
        .utilization("cpu", 80)
        .pods(ready, "100m", "25m")
}

#[test]
fn answer_says_that_nothing_is_to_be_done_only_where_all_is_well() {
    let ends = |world: &World| world.answer().ends_with("Nothing to do.");
    let calm = || web(5).utilization("cpu", 60).pods(5, "100m", "58m");
    let rising = || web(5).utilization("cpu", 60).pods(5, "100m", "90m");
    for world in [
        calm(),
        rising(),
        web(2).utilization("cpu", 60).pods(2, "100m", "5m"),
    ] {
        assert!(ends(&world), "{}", world.answer());
    }
    let unready = |world: World| world.never_ready("web-7f9c", "100m", "10:23:15", "");
    let not_well = [
        unready(web(6).utilization("cpu", 60).pods(5, "100m", "58m")),
        rising().bounds(2, 5),
        rising().write_refused("exceeded quota"),
        calm().other_hpa("web-canary"),
        calm().with_sidecar("proxy"),
        web(4)
            .queue("queue_depth", "39", "10")
            .pods(3, "100m", "50m")
            .pending("web-9", "100m", "0/6 nodes are available"),
        // A warning further down.
        web(3)
            .utilization("cpu", 110)
            .pods(3, "100m", "95m")
            .limits("120m"),
    ];
    for world in not_well {
        assert!(!ends(&world), "{}", world.answer());
    }
}
