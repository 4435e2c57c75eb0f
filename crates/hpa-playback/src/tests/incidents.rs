//! The reports of incidents.

use jiff::SignedDuration;
use serde_json::json;

use super::cluster::{Cluster, SYNC};

#[test]
fn at_max_the_shortfall_is_reported_until_the_load_goes() {
    let mut cluster = Cluster::with(4);
    cluster.syncs(2, |_| {});
    cluster.load(130);
    cluster.syncs(8, |cluster| cluster.load(130));
    cluster.load(40);
    cluster.syncs(30, |_| {});
    insta::assert_snapshot!(cluster.reported(), @"
    03:07:31 web appeared: STAYS AT 4 by within-tolerance
    03:08:01 web SCALES 4 → 8 by no-behavior-limit [verdict]
    03:08:16 web SCALES 8 → 9 by old-recommendation [rescaled 4 → 8, verdict]
    03:08:31 web STAYS AT 9 by second-pass [rescaled 8 → 9, verdict]
    03:08:46 web STAYS AT 9 by second-pass [ready 4 → 8]
    03:09:01 web STAYS AT 9 by second-pass [ready 8 → 9]
    03:09:16 web SCALES 9 → 10 (maxReplicas) by max-replicas [verdict]
    03:09:16 web ALARM unmet-demand: at max 10, cpu asks for 18 (115 / 60 × 9 pods = 17.3): 8 pods short
    03:09:31 web STAYS AT 10 (maxReplicas) by max-replicas [rescaled 9 → 10, verdict]
    03:10:01 web STAYS AT 10 by stabilization-window [verdict, ready 9 → 10]
    03:10:16 web over unmet-demand after 60 s
    03:12:46 web STAYS AT 10 by stabilization-window [memory observed]
    03:15:01 web SCALES 10 → 7 by metric [verdict]
    03:15:16 web STAYS AT 7 by stabilization-window [rescaled 10 → 7, verdict, ready 10 → 7]
    ");
}

#[test]
fn stuck_rollout_is_reported_with_what_holds_the_pods() {
    let mut cluster = Cluster::with(4);
    cluster.syncs(1, |_| {});
    cluster.gets_ready = false;
    for pod in &mut cluster.pods[2..] {
        pod.ready = None;
        pod.usage = None;
        pod.created = cluster.now;
        pod.waiting = Some("CrashLoopBackOff");
    }
    for pod in &mut cluster.pods[..2] {
        pod.usage = Some(95);
    }
    cluster.syncs(8, |_| {});
    cluster.gets_ready = true;
    cluster.syncs(8, |_| {});
    insta::assert_snapshot!(cluster.reported(), @"
    03:07:31 web appeared: STAYS AT 4 by within-tolerance
    03:07:46 web STAYS AT 4 by direction-guard [verdict, ready 4 → 2]
    03:08:46 web ALARM unready-pods: 2 of 4 pods not ready, 50% (CrashLoopBackOff): web-5d9f-003 and web-5d9f-004
    03:10:01 web STAYS AT 4 by direction-guard [ready 2 → 4]
    03:10:16 web over unready-pods after 150 s
    03:10:31 web SCALES 4 → 7 by metric [verdict]
    03:10:46 web STAYS AT 7 by second-pass [rescaled 4 → 7, verdict]
    03:11:16 web STAYS AT 7 by second-pass [ready 4 → 7]
    ");
}

#[test]
fn outage_of_the_metrics_is_reported_with_its_cause_and_its_effect() {
    let mut cluster = Cluster::with(4);
    cluster.syncs(2, |_| {});
    cluster.has_metrics = false;
    cluster.syncs(4, |_| {});
    cluster.has_metrics = true;
    cluster.syncs(4, |_| {});
    insta::assert_snapshot!(cluster.reported(), @"
    03:07:31 web appeared: STAYS AT 4 by within-tolerance
    03:08:01 web NOT SCALING, stays at 4 by all-metrics-invalid [verdict]
    03:08:01 web ALARM invalid-metric: cpu cannot be read: nothing is scaled (unable to fetch metrics from resource metrics API: the server is currently unable to handle the request (get pods.metrics.k8s.io))
    03:09:01 web STAYS AT 4 by within-tolerance [verdict]
    03:09:16 web over invalid-metric after 75 s
    ");
}

#[test]
fn replicas_set_manually_are_reported_with_the_writer() {
    let mut cluster = Cluster::with(4);
    cluster.syncs(2, |_| {});
    cluster.scale(7);
    cluster.analysis();
    cluster.syncs(50, |_| {});
    insta::assert_snapshot!(cluster.reported(), @r"
03:07:31 web appeared: STAYS AT 4 by within-tolerance
03:08:00 web between [kubectl scale set 4 → 7]
03:08:00 web ALARM foreign-writer: kubectl scale set replicas 4 → 7
03:08:31 web STAYS AT 7 by within-tolerance [ready 4 → 7]
03:12:46 web STAYS AT 7 by within-tolerance [memory observed]
03:18:01 web over foreign-writer after 601 s
");
}

#[test]
fn way_up_again_after_a_write_of_another_is_no_flapping() {
    let mut cluster = Cluster::with(3);
    cluster.has_events = true;
    cluster.behavior = json!({"scaleDown": {"stabilizationWindowSeconds": 0}});
    let loads = |cluster: &mut Cluster, loads: &[i64]| {
        for milli in loads {
            cluster.load(*milli);
            cluster.syncs(1, |_| {});
            cluster.syncs(4, |cluster| cluster.load(60));
        }
    };
    loads(&mut cluster, &[120, 90]);
    cluster.scale(3);
    cluster.analysis();
    loads(&mut cluster, &[120, 90, 53]);
    let reported = cluster.reported();
    let scaled = |line: &str| {
        let (_, change) = line.split_once("[rescaled ")?;
        Some(
            change
                .chars()
                .take_while(|letter| !",]".contains(*letter))
                .collect(),
        )
    };
    let steps: Vec<String> = reported.lines().filter_map(scaled).collect();
    assert_eq!(
        steps,
        ["3 → 6", "6 → 9", "3 → 6", "6 → 9", "9 → 8"],
        "{reported}"
    );
    assert!(reported.contains("kubectl scale set 9 → 3"), "{reported}");
    assert!(!reported.contains("flapping"), "{reported}");
}

#[test]
fn up_and_down_in_turns_is_flapping_because_of_a_metric() {
    let mut cluster = Cluster::with(4);
    cluster.behavior = json!({"scaleDown": {"stabilizationWindowSeconds": 0}});
    cluster.syncs(2, |_| {});
    let mut number = 0;
    cluster.syncs(24, |cluster| {
        number += 1;
        cluster.load(if number / 4 % 2 == 0 { 85 } else { 42 });
    });
    cluster.load(60);
    cluster.syncs(140, |cluster| cluster.load(60));
    insta::assert_snapshot!(cluster.reported(), @"
    03:07:31 web appeared: STAYS AT 4 by within-tolerance
    03:08:16 web SCALES 4 → 6 by metric [verdict]
    03:08:31 web STAYS AT 6 by second-pass [rescaled 4 → 6, verdict]
    03:09:01 web SCALES 6 → 3 by metric [verdict, ready 4 → 6]
    03:09:16 web STAYS AT 3 by rounding [rescaled 6 → 3, verdict, ready 6 → 3]
    03:10:01 web SCALES 3 → 5 by metric [verdict]
    03:10:16 web STAYS AT 5 by direction-guard [rescaled 3 → 5, verdict]
    03:10:46 web STAYS AT 5 by direction-guard [ready 3 → 5]
    03:11:01 web SCALES 5 → 3 by metric [verdict]
    03:11:16 web STAYS AT 3 by rounding [rescaled 5 → 3, verdict, ready 5 → 3]
    03:11:16 web ALARM flapping: 3 direction changes in 2 min: 4 → 6 → 3 → 5 → 3, because of cpu resource utilization above target
    03:12:01 web SCALES 3 → 5 by metric [verdict]
    03:12:16 web STAYS AT 5 by direction-guard [rescaled 3 → 5, verdict]
    03:12:46 web STAYS AT 5 by direction-guard [ready 3 → 5, memory observed]
    03:13:01 web SCALES 5 → 3 by metric [verdict]
    03:13:16 web STAYS AT 3 by rounding [rescaled 5 → 3, verdict, ready 5 → 3]
    03:42:16 web over flapping after 1801 s
    ");
}

#[test]
fn pods_that_no_quota_or_node_allows_are_reported_with_the_reason() {
    let mut cluster = Cluster::with(4);
    cluster.syncs(1, |_| {});
    cluster.quota = Some(
        "pods \"web-5d9f-x\" is forbidden: exceeded quota: small, used: pods=4, limited: pods=4",
    );
    cluster.load(100);
    cluster.syncs(5, |_| {});
    cluster.quota = None;
    cluster.nodes = Some("0/6 nodes are available: 6 Insufficient cpu.");
    cluster.syncs(6, |_| {});
    cluster.nodes = None;
    cluster.load(60);
    cluster.syncs(6, |_| {});
    insta::assert_snapshot!(cluster.reported(), @r#"
    03:07:31 web appeared: STAYS AT 4 by within-tolerance
    03:07:46 web SCALES 4 → 7 by metric [verdict]
    03:08:01 web STAYS AT 7 by rounding [rescaled 4 → 7, verdict]
    03:08:31 web ALARM pods-not-running: 3 of 7 pods not created: the quotas were not read, and the last refusal was: pods "web-5d9f-x" is forbidden: exceeded quota: small, used: pods=4, limited: pods=4
    03:09:01 web ALARM pods-not-running: 3 of 7 pods not created: nothing says why
    03:09:16 web STAYS AT 7 by second-pass [verdict]
    03:09:31 web over pods-not-running after 90 s
    03:09:46 web ALARM pods-not-running: 3 of 7 pods not scheduled: 0/6 nodes are available: 6 Insufficient cpu (web-5d9f-005, web-5d9f-006 and web-5d9f-007)
    03:10:31 web STAYS AT 7 by within-tolerance [verdict]
    03:10:46 web STAYS AT 7 by within-tolerance [ready 4 → 7]
    03:11:01 web over pods-not-running after 106 s
    "#);
}

#[test]
fn controller_that_stops_is_reported_only_once_something_waits_for_it() {
    let mut cluster = Cluster::with(4);
    cluster.syncs(2, |_| {});
    cluster.is_running = false;
    cluster.syncs(10, Cluster::analysis);
    assert_eq!(
        cluster.reported().lines().count(),
        1,
        "nothing waits to be written"
    );
    cluster.load(75);
    cluster.syncs(5, Cluster::analysis);
    cluster.is_running = true;
    cluster.restart();
    cluster.syncs(5, |_| {});
    insta::assert_snapshot!(cluster.reported(), @r#"
    03:11:00 web unclear: status.conditions[0].reason: recomputed "SucceededRescale", recorded "ReadyForNewScale", status.desiredReplicas: recomputed 5, recorded 4
    03:11:15 web unclear: status.conditions[0].reason: recomputed "SucceededRescale", recorded "ReadyForNewScale", status.desiredReplicas: recomputed 5, recorded 4
    03:11:30 web ALARM not-reconciled: not synced for 45 s: its metric is 75%, the status says 60%
    03:11:30 web unclear: status.conditions[0].reason: recomputed "SucceededRescale", recorded "ReadyForNewScale", status.desiredReplicas: recomputed 5, recorded 4
    03:11:45 web unclear: status.conditions[0].reason: recomputed "SucceededRescale", recorded "ReadyForNewScale", status.desiredReplicas: recomputed 5, recorded 4
    03:11:46 web SCALES 4 → 5 by metric [verdict, controller restarted]
    03:12:01 web STAYS AT 5 by second-pass [rescaled 4 → 5, verdict]
    03:12:01 web over not-reconciled after 76 s
    03:12:31 web STAYS AT 5 by second-pass [ready 4 → 5]
    "#);
}

#[test]
fn sample_far_from_the_others_is_reported_with_its_pod() {
    let mut cluster = Cluster::with(6);
    cluster.syncs(1, |_| {});
    cluster.pods[3].usage = Some(900);
    cluster.syncs(3, |_| {});
    cluster.pods[3].usage = Some(5000);
    cluster.syncs(3, |_| {});
    insta::assert_snapshot!(cluster.reported(), @"
    03:07:31 web appeared: STAYS AT 6 by within-tolerance
    03:07:46 web SCALES 6 → 10 (maxReplicas) by max-replicas [verdict]
    03:07:46 web ALARM unmet-demand: at max 10, cpu asks for 20 (200 / 60 × 6 pods = 20): 10 pods short
    03:08:01 web STAYS AT 10 (maxReplicas) by max-replicas [rescaled 6 → 10, verdict]
    03:08:01 web ALARM outlier-sample: web-5d9f-004 has 900m of cpu, 15 times the median of 6 pods (60m): the average is 200m instead of 60m because of it
    03:08:31 web STAYS AT 10 (maxReplicas) by max-replicas [ready 6 → 10]
    03:08:31 web ALARM unmet-demand: at max 10, cpu asks for 89 (530 / 60 × 10 pods = 88.3): 79 pods short
    03:08:46 web ALARM outlier-sample: container app of web-5d9f-004 shows 5000m cpu, 2 times its limit of 2000m
    ");
}

#[test]
fn controller_with_another_tolerance_disagrees_until_its_decisions_are_the_same() {
    let mut cluster = Cluster::with(8);
    cluster.tolerance = 0.3;
    cluster.syncs(2, |_| {});
    cluster.load(72);
    cluster.syncs(3, |_| {});
    cluster.load(60);
    cluster.syncs(4, |_| {});
    insta::assert_snapshot!(cluster.reported(), @r#"
    03:07:31 web appeared: STAYS AT 8 by within-tolerance
    03:08:01 web SCALES 8 → 10 by metric [verdict]
    03:08:01 web ALARM disagreement: the controller did something else: 10 replicas were recomputed, and it decided 8; 1 more field differs
    03:08:01 web differs: status.conditions[0].reason: recomputed "SucceededRescale", recorded "ReadyForNewScale", status.desiredReplicas: recomputed 10, recorded 8
    03:08:45 web unclear: status.conditions[0].reason: recomputed "SucceededRescale", recorded "ReadyForNewScale", status.desiredReplicas: recomputed 10, recorded 8
    03:08:46 web SCALES 8 → 10 by old-recommendation [verdict]
    03:08:46 web unclear: status.conditions[0].reason: recomputed "SucceededRescale", recorded "ReadyForNewScale", status.desiredReplicas: recomputed 10, recorded 8
    03:09:01 web STAYS AT 8 by within-tolerance [verdict]
    03:09:16 web over disagreement after 76 s
    "#);
}

#[test]
fn replicas_set_by_an_unknown_writer_are_reported_after_the_next_sync() {
    let mut cluster = Cluster::with(4);
    cluster.has_writers = false;
    cluster.syncs(1, |_| {});
    cluster.scale(6);
    cluster.analysis();
    assert_eq!(
        cluster.reported().lines().count(),
        1,
        "it may have been the HPA"
    );
    cluster.syncs(3, |_| {});
    // The HPA's own rescale is observed before its status.
    cluster.load(120);
    cluster.meanwhile = Cluster::analysis;
    cluster.syncs(4, |_| {});
    insta::assert_snapshot!(cluster.reported(), @"
    03:08:01 web STAYS AT 6 by within-tolerance [somebody else set 4 → 6]
    03:08:01 web ALARM foreign-writer: something other than the HPA set replicas 4 → 6
    03:08:16 web STAYS AT 6 by within-tolerance [ready 4 → 6]
    03:08:31 web SCALES 6 → 8 by metric [verdict]
    03:08:46 web between [rescaled 6 → 8]
    03:08:46 web SCALES 8 → 10 (maxReplicas) by max-replicas [verdict]
    03:09:01 web between [rescaled 8 → 10]
    03:09:01 web ALARM unmet-demand: at max 10, cpu asks for 12 (72 / 60 × 10 pods = 12): 2 pods short
    03:09:01 web STAYS AT 10 (maxReplicas) by max-replicas [verdict]
    03:09:16 web between [ready 6 → 8]
    ");
}

#[test]
fn two_rescales_within_a_second_are_reported_one_by_one() {
    let mut cluster = Cluster::with(4);
    cluster.syncs(1, |_| {});
    cluster.load(85);
    cluster.syncs(1, |_| {});
    cluster.now -= SYNC - SignedDuration::from_secs(1);
    cluster.analysis();
    cluster.edit_min(9);
    cluster.now += SignedDuration::from_secs(1);
    cluster.analysis();
    cluster.edit_min(2);
    insta::assert_snapshot!(cluster.reported(), @"
    03:07:31 web appeared: STAYS AT 4 by within-tolerance
    03:07:46 web SCALES 4 → 6 by metric [verdict]
    03:07:46 web between [rescaled 4 → 6]
    03:07:46 web SCALES 6 → 9 by below-min [spec edited: min 2 → 9, verdict]
    03:07:47 web between [rescaled 6 → 9]
    03:07:47 web STAYS AT 9 by second-pass [spec edited: min 9 → 2, verdict]
    ");
}

#[test]
fn rescale_whose_status_was_refused_is_reported_on_its_own() {
    let mut cluster = Cluster::with(4);
    cluster.syncs(1, |_| {});
    cluster.load(85);
    cluster.is_status_refused = true;
    cluster.syncs(1, |_| {});
    cluster.is_status_refused = false;
    cluster.analysis();
    cluster.edit_min(9);
    cluster.now += SignedDuration::from_secs(1);
    cluster.analysis();
    insta::assert_snapshot!(cluster.reported(), @"
    03:07:31 web appeared: STAYS AT 4 by within-tolerance
    03:07:46 web SCALES 4 → 6 by metric [verdict]
    03:08:00 web SCALES 6 → 9 by below-min [spec edited: min 2 → 9, verdict]
    03:08:01 web between [rescaled 4 → 6, rescaled 6 → 9]
    ");
}
