//! What happens to the replicas, where a cluster can't be made to show it.

use hpa_engine::model::{FailedCreate, PodShare, Quantity, Reading};
use hpa_render::{Style, terminal::PageDetail};
use hpa_testing::{PodFixture, World, at, average, hpa, pod, value};

use crate::world::{AsPage, web};

#[test]
fn everything_that_keeps_replicas_from_serving_is_on_one_page() {
    let why = "0/6 nodes are available: 6 Insufficient cpu.";
    let mut world = web(20)
        .bounds(4, 20)
        .utilization("cpu", 60)
        .ready_pods(16, "500m", "480m")
        .pending("web-16", "500m", why)
        .pending("web-17", "500m", why)
        .replica_set(
            "web-7f9c",
            Some(3),
            Some(
                "pods \"web-7f9c-x2x\" is forbidden: exceeded quota: compute, requested: requests.cpu=500m, \
                 used: requests.cpu=9, limited: requests.cpu=9",
            ),
        )
        .quota("compute", "requests.cpu", "9", "9")
        .nodes(5, "2", false)
        .nodes(1, "1", true)
        .budget("web", PodShare::Pods(4), 18)
        .status(20, 20, 96, "ReadyForNewScale", "TooManyReplicas");
    if let Reading::Read(scale) = &mut world.observation.scale {
        scale.status_replicas = 18;
    }
    insta::assert_snapshot!(world.page());
    let broad = Style {
        width: 200,
        ..Style::plain()
    };
    insta::assert_snapshot!("broad", world.text(PageDetail::default(), broad));
}

/// The ReplicaSet keeps the refusal until it tries again.
#[test]
fn refusal_of_a_quota_that_was_raised_since_is_nothing_to_find() {
    let refusal = "pods \"web-7f9c-x\" is forbidden: exceeded quota: compute, requested: pods=1, used: pods=4, limited: \
                   pods=4";
    let world = |hard: &str| {
        web(6)
            .utilization("cpu", 60)
            .ready_pods(4, "100m", "60m")
            .replica_set("web-7f9c", Some(4), Some(refusal))
            .quota("compute", "pods", hard, "4")
            .status(6, 6, 60, "ReadyForNewScale", "DesiredWithinRange")
    };
    let words = |mut world: World| {
        if let Reading::Read(scale) = &mut world.observation.scale {
            scale.status_replicas = 4;
        }
        let answer = world.answer();
        answer.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let full = words(world("4"));
    let cause =
        "Only 4 of 6 wanted pods exist: quota compute allows only 4 replicas. Raise it to pods=6. ";
    assert!(full.contains(cause), "{full}");
    let raised = words(world("30"));
    let part =
        "A quota refused the others and has room now: ReplicaSet/web-7f9c tries again by itself.";
    assert!(raised.contains(part), "{raised}");
    assert!(!raised.contains("find what stops"), "{raised}");
}

/// Four of six pods exist, and the HPA wants no more than these.
#[test]
fn pods_that_are_missing_do_not_matter_where_the_hpa_scales_down_to_those_that_exist() {
    let refusal = "pods \"web-7f9c-x\" is forbidden: exceeded quota: few, requested: pods=1, used: pods=4, limited: pods=4";
    let mut world = web(6)
        .bounds(4, 10)
        .utilization("cpu", 60)
        .ready_pods(4, "100m", "10m")
        .remembering(&[(4, "10:41:15")])
        .replica_set("web-7f9c", Some(4), Some(refusal))
        .quota("few", "pods", "4", "4");
    if let Reading::Read(scale) = &mut world.observation.scale {
        scale.status_replicas = 4;
    }
    let answer = world.answer();
    assert!(answer.contains("SCALES 6 → 4"), "{answer}");
    for claim in ["Raise the quota", "wanted pods"] {
        assert!(!answer.contains(claim), "{answer}");
    }
}

/// The HPA asks for 8, and a pod takes 1 of the 5.
#[test]
fn quota_that_does_not_allow_what_the_hpa_sets_leads_before_a_pod_is_refused() {
    let words = |hard: &str| {
        let world = web(5)
            .utilization("cpu", 60)
            .ready_pods(5, "100m", "90m")
            .quota("few", "pods", hard, "5");
        let answer = world.answer();
        answer.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let full = words("6");
    let leads = "Quota few allows only 6 of these 8 replicas: raise it to pods=8. CPU is at 90% (target 60%) and asks for 8 \
                 replicas";
    assert!(full.contains(leads), "{full}");
    let enough = words("8");
    assert!(!enough.contains("Quota few"), "{enough}");
}

/// A Value target multiplies by the ready pods: at 115, 5.75 of the 7 replicas are asked for.
#[test]
fn fewer_replicas_can_be_asked_for_above_the_target() {
    let world = |total: &str| {
        hpa("web")
            .bounds(1, 12)
            .with_replicas(7)
            .external(value("100"))
            .series(&[total])
            .ready_pods(5, "100m", "60m")
    };
    let page = |total: &str| world(total).page();
    let down = "at 120 or less and outside the tolerance for 5 min (to 6)";
    assert!(page("123").contains(down), "{}", page("123"));
    assert!(page("115").contains("asks for 6"), "{}", page("115"));
}

/// <https://github.com/kubernetes/kubernetes/issues/138505>
#[test]
fn rollout_is_the_cause_for_every_kind_of_metric_that_counts_pods() {
    let of = |name: &str, set: &str| pod(name).of_replica_set(set).using(&[("cpu", "800m")]);
    let pods = |last: PodFixture| {
        let old = ["web-1", "web-2", "web-3", "web-4"].map(|name| of(name, "web-old"));
        let [a, b, c, d] = old;
        [a, b, c, d, of("web-5", "web-new"), last]
    };
    let last = || of("web-6", "web-new");
    let web = || hpa("web").bounds(2, 20).with_replicas(4);
    let counted =
        "A rollout is running, and the HPA multiplies by the 6 ready pods of both versions";
    let kept = "A rollout is running, and for an average per replica the HPA then takes status.replicas, which is 6 \
                with the pods of both versions; spec.replicas is 4.";
    for (world, words) in [
        (web().utilization("cpu", 60).pods(pods(last())), counted),
        (
            web()
                .external(value("100"))
                .series(&["120"])
                .pods(pods(last())),
            counted,
        ),
        (
            web().utilization("cpu", 40).pods(pods(last().unready())),
            "A rollout is running, and the HPA multiplies by the 6 pods of both versions",
        ),
        (
            web()
                .external(average("100"))
                .series(&["600"])
                .pods(pods(last())),
            kept,
        ),
    ] {
        let mut world =
            world
                .replica_set("web-old", Some(1), None)
                .replica_set("web-new", Some(2), None);
        if let Reading::Read(scale) = &mut world.observation.scale {
            scale.status_replicas = 6;
        }
        let answer = world.answer();
        let in_one_line = answer.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(in_one_line.contains(words), "{answer}");
    }
}

/// Pods that wait for a node are not all: the HPA adds one, and a quota refuses what it goes on to.
#[test]
fn quota_behind_pods_without_a_node_is_named() {
    let world = |hard: &str| {
        hpa("web")
            .bounds(1, 14)
            .with_replicas(1)
            .external(average("100"))
            .series(&["133"])
            .pods([pod("web-1")
                .of_replica_set("web-7f9c")
                .requesting("100m")
                .pending()
                .created("-3m")
                .waiting("0/1 nodes are available: 1 Insufficient cpu.")])
            .quota("few", "pods", hard, "1")
            .answer()
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ")
    };
    let full = world("1");
    assert!(
        full.contains("Add node capacity and raise quota few to pods=2. "),
        "{full}"
    );
    let enough = world("2");
    assert!(
        enough.contains("Add node capacity: the pod that the HPA adds now will wait as well. "),
        "{enough}"
    );
}

/// With sidecars: 500m and 100m make 600m; the hard limit of 9 has room for 15 of them.
#[test]
fn quota_counts_sidecars_and_only_the_pods_of_its_scopes() {
    let world = web(4)
        .utilization("cpu", 60)
        .ready_pods(4, "500m", "300m")
        .each_pod(|pod| {
            let mut sidecar = pod.containers[0].clone();
            sidecar.name = "proxy".to_owned();
            sidecar.requests = vec![("cpu".to_owned(), Quantity::parse("100m").unwrap())];
            sidecar.is_restartable = true;
            pod.init_containers.push(sidecar);
        });
    world
        .clone()
        .quota("compute", "requests.cpu", "9", "2400m")
        .says(
            "warning quota: compute allows 15 replicas, max is 20: 2400m of 9 requests.cpu are used, a pod takes 600m",
        );
    let roomy = world.clone().quota("roomy", "cpu", "100", "2400m");
    roomy.says("detail quota: roomy allows 166 replicas, max is 20");
    let idle = world.clone().quota("idle", "pods", "1", "1");
    idle.says("idle allows 4 replicas");
    idle.of_scope("BestEffort").does_not_say("idle");
    world
        .quota("limits", "limits.memory", "9Gi", "0")
        .says("limits counts limits.memory, and container app of web-03 names none: further pods are refused");
}

#[test]
fn quota_beyond_the_maximum_matters_where_more_is_recommended() {
    let world = web(20)
        .utilization("cpu", 60)
        .ready_pods(20, "100m", "96m")
        .quota("pods", "count/pods", "24", "20");
    world.says(
        "normal quota: pods allows 24 replicas, max is 20, CPU asks for 32 replicas: 20 of 24 count/pods",
    );
}

/// No cluster has this many nodes, but a recording may say so.
#[test]
fn huge_numbers_are_bounds_like_others() {
    web(4)
        .bounds(1, i32::MAX)
        .utilization("cpu", 60)
        .ready_pods(4, "500m", "300m")
        .nodes(usize::MAX, "9E", false)
        .nodes(usize::MAX, "9E", true)
        .budget("web", PodShare::Pods(i32::MAX - 1), 4)
        .says(&format!("nodes: {} nodes", usize::MAX))
        .says("lets no pod be evicted at 2147483646 replicas or fewer");
}

/// minAvailable 90% is 5 of 5, 9 of 9 and 9 of 10.
#[test]
fn budget_in_percent_blocks_up_to_the_size_at_which_it_allows_one() {
    let world = |expected| {
        web(12)
            .utilization("cpu", 60)
            .ready_pods(12, "100m", "58m")
            .budget("web", PodShare::Percent(90), expected)
    };
    world(12).says(
        "detail PDB: web (minAvailable 90%) lets no pod be evicted at 9 replicas or fewer, and minReplicas is 2",
    );
    // The budget covers other pods as well, so the number of replicas alone decides nothing.
    world(30).does_not_say("budget");
}

#[test]
fn empty_stateful_set_is_reported_with_the_event_that_explains_it() {
    let mut world = web(3).utilization("cpu", 60);
    if let Reading::Read(scale) = &mut world.observation.scale {
        scale.status_replicas = 0;
    }
    world.observation.hpa.spec.scale_target.kind = "StatefulSet".to_owned();
    let failed_creates = &mut world.context.surroundings.downstream.failed_creates;
    failed_creates.push(FailedCreate {
        kind: "StatefulSet".to_owned(),
        name: "web".to_owned(),
        message: "create Pod web-0 in StatefulSet web failed error: denied by policy".to_owned(),
        last: Some(at("10:41:00")),
    });
    world
        .says("warning replicas: 3 wanted, 0 created, 0 scheduled, 0 ready")
        .says(
            "warning creation: StatefulSet/web cannot create pods: create Pod web-0 in StatefulSet web failed error: \
             denied by policy (last 30 s ago)",
        );
}

/// A sample of twelve cores under a limit of half a core (kubernetes/kubernetes#134518).
#[test]
fn sample_far_above_the_limit_is_called_wrong() {
    let world = web(4)
        .utilization("cpu", 60)
        .ready_pods(3, "500m", "300m")
        .ready_pods(1, "500m", "12")
        .limits("500m");
    world.says(
        "warning outlier: container app of web-03 shows 12000m cpu, 24 times its limit of 500m: the sample is wrong, \
         and it counts in full",
    );
}
