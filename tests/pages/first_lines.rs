//! The first lines: what is wrong, why, and what to do, for a reader without time.

use hpa_testing::{World, up};

use crate::world::{AsPage, web};

#[test]
fn pinned_hpa_names_the_pods_that_are_not_ready() {
    insta::assert_snapshot!(pinned(2).never_ready("web-7f9c", "100m", "10:23:15", "readiness probe fails").answer(), @"
    shop/web → Deployment/web                 STAYS AT 3 (min = max)   min 3 · max 3
    minReplicas and maxReplicas are both 3, so the HPA never scales: CPU is at 25%
    (target 80%) and asks for 1 replica (25 / 80 × 2 ready pods = 0.6). 1 of 3 pods
    is not ready, and the HPA leaves it out. Check web-7f9c: not ready since it
    started 18 min ago (readiness probe fails).
      kubectl describe pod web-7f9c -n shop
    ");
}

#[test]
fn pinned_hpa_whose_pods_are_ready_never_scales() {
    insta::assert_snapshot!(pinned(3).answer(), @"
    shop/web → Deployment/web                 STAYS AT 3 (min = max)   min 3 · max 3
    minReplicas and maxReplicas are both 3, so the HPA never scales: CPU is at 25%
    (target 80%) and asks for 1 replica (25 / 80 × 3 pods = 0.9). Nothing to do: the
    ready pods meet this load.
    ");
    let busy = web(3)
        .bounds(3, 3)
        .utilization("cpu", 60)
        .ready_pods(3, "100m", "90m");
    insta::assert_snapshot!(busy.answer(), @"
    shop/web → Deployment/web                 STAYS AT 3 (min = max)   min 3 · max 3
    At minReplicas = maxReplicas = 3: CPU is at 90% (target 60%) and asks for 5
    replicas (90 / 60 × 3 pods = 4.5). All 3 pods are ready: if this load is
    expected, raise maxReplicas. To try 5 (nothing is written):
      kubectl hpa simulate web -n shop --set maxReplicas=5
    ");
}

#[test]
fn pods_that_are_not_ready_come_before_a_higher_maximum() {
    let world = web(4)
        .bounds(2, 4)
        .utilization("cpu", 60)
        .ready_pods(3, "100m", "120m")
        .never_ready("web-7f9c", "100m", "10:23:15", "readiness probe fails");
    insta::assert_snapshot!(world.answer(), @"
    shop/web → Deployment/web               STAYS AT 4 (maxReplicas)   min 2 · max 4
    At maxReplicas 4: CPU is at 120% (target 60%), but 1 of 4 pods is not ready,
    which counts as 0% for a scale-up: 90% on average, which asks for 6 replicas (90
    / 60 × 4 pods = 6). Before raising maxReplicas to 6, check web-7f9c: not ready
    since it started 18 min ago (readiness probe fails).
      kubectl describe pod web-7f9c -n shop
    ");
}

#[test]
fn pods_that_count_though_they_are_not_ready_are_not_called_ready() {
    let answer = web(4)
        .bounds(2, 4)
        .utilization("cpu", 60)
        .ready_pods(3, "100m", "120m")
        .not_ready("web-7f9c", "100m", "10:13:15", "10:20:00", "110m")
        .answer();
    assert!(!answer.contains("pods are ready"), "{answer}");
    assert!(!answer.contains("simulate"), "{answer}");
}

/// An idle HPA whose 3 replicas are its minimum and maximum.
fn pinned(ready: usize) -> World {
    web(3)
        .bounds(3, 3)
        .utilization("cpu", 80)
        .ready_pods(ready, "100m", "25m")
}

#[test]
fn answer_says_that_nothing_is_to_be_done_only_where_all_is_well() {
    let ends = |world: &World| world.answer().contains("Nothing to do: ");
    let calm = || web(5).utilization("cpu", 60).ready_pods(5, "100m", "58m");
    let rising = || web(5).utilization("cpu", 60).ready_pods(5, "100m", "90m");
    for world in [
        calm(),
        rising(),
        web(2).utilization("cpu", 60).ready_pods(2, "100m", "5m"),
    ] {
        assert!(ends(&world), "{}", world.answer());
    }
    let unready = |world: World| world.never_ready("web-7f9c", "100m", "10:23:15", "");
    let not_well = [
        unready(web(6).utilization("cpu", 60).ready_pods(5, "100m", "58m")),
        rising().bounds(2, 5),
        rising().refused_write("Forbidden", "exceeded quota"),
        calm().other_hpa("web-canary", "app=web"),
        calm().with_sidecar("proxy"),
        web(4)
            .queue("queue_depth", "39", "10")
            .ready_pods(3, "100m", "50m")
            .pending("web-9", "100m", "0/6 nodes are available"),
        // A warning further down the page.
        web(3)
            .utilization("cpu", 110)
            .ready_pods(3, "100m", "95m")
            .limits("120m"),
    ];
    for world in not_well {
        assert!(!ends(&world), "{}", world.answer());
    }
}

#[test]
fn policy_that_is_used_up_says_when_it_goes_on_and_where_it_ends() {
    let above = "cpu resource utilization (percentage of request) above target";
    let held = |rules| {
        web(6)
            .bounds(2, 100)
            .utilization("cpu", 60)
            .ready_pods(6, "100m", "600m")
            .behavior(rules)
            .rescaled("10:41:00", 6, above)
            .status(6, 6, 600, "ReadyForNewScale", "ScaleUpLimit")
            .remembering(&[(60, "10:41:15")])
            .changed(&[(2, "30s")])
            .answer()
    };
    let even = held(up().pods(2, 60)).replace('\n', " ");
    let first = " is used up until 10:42:00 (2 pods were added in the last 60 s); after that 8, then 2 more each minute, 60 at about ";
    assert!(even.contains(first), "{even}");
    let growing = held(up().percent(50, 60)).replace('\n', " ");
    let first = "; after that 9, 14 at 10:43:00, 21 at 10:44:00, eventually 60.";
    assert!(growing.contains(first), "{growing}");
}

#[test]
fn new_pods_are_waited_for_and_older_ones_are_looked_at() {
    let world = |started, why| {
        web(1)
            .bounds(1, 20)
            .utilization("cpu", 60)
            .never_ready("web-a", "100m", started, why)
    };
    let old = world("10:35:00", "ContainerCreating")
        .pods_created("10:35:00")
        .answer();
    let said = "Check web-a: not ready since it started 6 min ago (ContainerCreating).";
    assert!(old.replace('\n', " ").contains(said), "{old}");
    assert!(!old.contains("a minute"), "{old}");
    let new = world("10:41:15", "ContainerCreating")
        .pods_created("10:41:15")
        .answer();
    let said = "The only pod is not ready (15 s), so the HPA has no CPU usage to scale on.";
    assert!(new.replace('\n', " ").contains(said), "{new}");
    let new = new.replace('\n', " ");
    assert!(
        new.contains("Give new pods a minute, then check web-a."),
        "{new}"
    );
    // A known problem is not normal.
    let stuck = world("10:41:15", "CrashLoopBackOff")
        .pods_created("10:41:15")
        .answer();
    assert!(!stuck.contains("a minute"), "{stuck}");
}

#[test]
fn pod_without_a_node_is_the_cause_where_its_metric_cannot_be_read() {
    let answer = web(2)
        .utilization("cpu", 60)
        .pending("web-a", "100m", "0/6 nodes are available")
        .answer();
    let words = answer.replace('\n', " ");
    let cause = "The only pod is Pending (0/6 nodes are available). Add node capacity: until a pod runs, there is nothing to \
                 measure. CPU cannot be read, so the HPA cannot scale up or down.";
    assert!(words.contains(cause), "{answer}");
    assert!(
        answer.ends_with("\n  kubectl describe pod web-a -n shop"),
        "{answer}"
    );
}
