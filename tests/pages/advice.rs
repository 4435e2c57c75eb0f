//! The first lines never advise what cannot help, and name what does: pods that do not exist, groups of pods, values that
//! the controller replaces, memory that does not fall.

use hpa_engine::model::{
    ContainerResourceSource, ExternalMetricValue, IntermediateOwner, LabelSelector, MetricSpec,
    MetricTarget, Quantity, Reading, ResourceSource, SelectPolicy, Target,
};
use hpa_testing::{World, at, up};

use crate::world::{AsPage, web};

/// The answer in one line.
fn answer(world: &World) -> String {
    world
        .answer()
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
}

fn says(world: &World, parts: &[&str]) {
    let answer = answer(world);
    for part in parts {
        assert!(answer.contains(part), "{part:?} is not in: {answer}");
    }
}

fn never_says(world: &World, parts: &[&str]) {
    let answer = answer(world);
    for part in parts {
        assert!(!answer.contains(part), "{part:?} is in: {answer}");
    }
}

/// The target reports as many pods as exist.
fn exists(mut world: World, pods: i32) -> World {
    if let Reading::Read(scale) = &mut world.observation.scale {
        scale.status_replicas = pods;
    }
    world
}

fn of_kind(mut world: World, kind: &str) -> World {
    kind.clone_into(&mut world.observation.hpa.spec.scale_target.kind);
    world
}

/// Without owners that are known, and with the memory usage of every pod.
fn using_memory(mut world: World, request: &str, usages: &[&str]) -> World {
    let quantity = |text: &str| Quantity::parse(text).unwrap();
    if let Reading::Read(pods) = &mut world.observation.pods {
        for container in pods.iter_mut().flat_map(|pod| &mut pod.containers) {
            let memory = ("memory".to_owned(), quantity(request));
            container.requests.push(memory);
        }
    }
    if let Reading::Read(samples) = &mut world.observation.pod_metrics {
        for (sample, usage) in samples.iter_mut().zip(usages) {
            let memory = ("memory".to_owned(), quantity(usage));
            sample.containers[0].usage.push(memory);
        }
    }
    world
}

/// More series of the first metric: label `service` and value.
fn series(mut world: World, all: &[(&str, &str)]) -> World {
    let values: Vec<ExternalMetricValue> = all
        .iter()
        .map(|(service, value)| ExternalMetricValue {
            labels: vec![("service".to_owned(), (*service).to_owned())],
            timestamp: Some(world.now),
            value: Quantity::parse(value).unwrap(),
        })
        .collect();
    world.observation.external_metrics[0].answer = Reading::Read(values.into());
    world
}

/// All pods started at this time without a readiness probe, and were ready immediately.
fn started(mut world: World, time: &str) -> World {
    if let Reading::Read(pods) = &mut world.observation.pods {
        for pod in pods.iter_mut() {
            pod.created = Some(at(time));
            pod.started = Some(at(time));
            if let Some(ready) = &mut pod.ready {
                ready.last_transition = Some(at(time));
            }
        }
    }
    world.context.target = Some(Target::default());
    world
}

#[test]
fn pods_that_do_not_exist_come_first_whatever_decides() {
    let three = |wanted: i32, cpu: &str| {
        exists(
            web(wanted)
                .bounds(2, 10)
                .utilization("cpu", 50)
                .ready_pods(3, "100m", cpu),
            3,
        )
    };
    for (world, wanted, asks) in [
        (three(6, "95m"), 6, "95 / 50 × 3 pods = 5.7 rounds up to 6"),
        (three(10, "180m"), 10, "180 / 50 × 3 pods = 10.8"),
        (
            three(10, "100m").remembering(&[(10, "10:41:00")]),
            10,
            "CPU is at 100% (target 50%) and asks for 6 replicas",
        ),
        (
            of_kind(three(6, "95m"), "Collector"),
            6,
            "check the operator of Collector/web",
        ),
    ] {
        let exist = format!("Only 3 of {wanted} wanted pods exist.");
        says(&world, &[&exist, "The HPA is not the problem", asks]);
        never_says(&world, &["Nothing to do", "raise maxReplicas", "simulate"]);
        assert!(
            world
                .page()
                .contains(&format!("! {wanted} wanted, 3 created"))
        );
        assert!(!world.page().contains("with maxReplicas"));
    }
}

#[test]
fn pods_that_are_just_being_created_are_not_a_problem_yet() {
    let mut world = exists(
        web(10)
            .bounds(2, 10)
            .utilization("cpu", 50)
            .ready_pods(3, "100m", "180m"),
        3,
    );
    world.observation.hpa.status.last_scale_time = Some(at("10:41:20"));
    says(&world, &["Only 3 of 10 wanted pods exist yet."]);
    never_says(
        &world,
        &["Nothing to do", "raise maxReplicas", "not the problem"],
    );
}

#[test]
fn quota_leads_even_while_the_replicas_have_just_been_set() {
    let mut world = exists(
        web(10)
            .bounds(2, 20)
            .utilization("cpu", 50)
            .ready_pods(7, "100m", "70m"),
        7,
    );
    world.observation.hpa.status.last_scale_time = Some(at("10:41:20"));
    world.context.target = Some(Target {
        kind: "Deployment".to_owned(),
        name: "web".to_owned(),
        intermediate_owners: vec![IntermediateOwner {
            kind: "ReplicaSet".to_owned(),
            name: "web-7f9c".to_owned(),
            owner_kind: "Deployment".to_owned(),
            owner_name: "web".to_owned(),
            failure: Some("pods \"web-7f9c-x\" is forbidden: exceeded quota: pods".to_owned()),
            revision: None,
        }],
        ..Target::default()
    });
    let answer = answer(&world);
    let (quota, decision) = (answer.find("exceeded quota"), answer.find("CPU is at"));
    let is_first = decision.is_none_or(|decision| quota < Some(decision));
    assert!(quota.is_some() && is_first, "{answer}");
    says(&world, &["kubectl describe quota -n shop"]);
}

#[test]
fn pods_without_a_node_come_before_what_the_metrics_ask_for() {
    let mut world = web(10)
        .bounds(2, 20)
        .queue("lag", "120", "10")
        .ready_pods(6, "100m", "50m");
    for name in ["web-90", "web-91", "web-92", "web-93"] {
        world = world.pending(name, "100m", "0/3 nodes are available: 3 Insufficient cpu");
    }
    says(
        &world,
        &[
            "4 of 10 pods are Pending (0/3 nodes are available",
            "Add node capacity",
        ],
    );
    let answer = answer(&world);
    assert!(
        answer.find("4 of 10 pods") < answer.find("lag is at"),
        "{answer}"
    );
}

#[test]
fn replica_that_is_a_group_of_pods_says_why_half_the_target_scales_up() {
    let groups = |cpu: &str| {
        let world = web(2)
            .bounds(1, 10)
            .utilization("cpu", 60)
            .ready_pods(12, "100m", cpu);
        of_kind(world, "PodGroupSet")
    };
    for cpu in ["30m", "75m"] {
        let world = groups(cpu);
        says(
            &world,
            &[
                "multiplies by the 12 pods that the selector matches, not by the 2 replicas: 6 pods for each replica",
                "each new replica adds more pods",
                "one pod for each replica",
            ],
        );
        never_says(&world, &["Nothing to do", "it scales to"]);
        assert!(!world.page().contains("eventually"), "{}", world.page());
    }
    says(&groups("30m"), &["although the load is below the target"]);
    let guarded = groups("30m").without_sample("web-99", "100m");
    never_says(&guarded, &["Nothing to do"]);
    // A Deployment's replica is one pod: more pods are of others or of a rollout.
    never_says(&of_kind(groups("30m"), "Deployment"), &["for each replica"]);
}

#[test]
fn value_that_the_controller_replaces_is_shown_as_it_is() {
    let below = web(3)
        .queue("lag", "-50", "10")
        .ready_pods(3, "100m", "50m");
    let order = series(
        web(3).queue("lag", "0", "10").ready_pods(3, "100m", "50m"),
        &[("a", "-6"), ("b", "7")],
    );
    for (world, value) in [
        (&below, "lag is -50, below 0"),
        (&order, "-6 and 7 in this order"),
    ] {
        says(
            world,
            &[value, "asks for 2147483647", "Fix the query, not the HPA"],
        );
        let at_max = world.clone().bounds(1, 3);
        says(&at_max, &[value]);
        for page in [world.page(), at_max.page()] {
            assert!(!page.contains("922337203685477.5807 per replica"), "{page}");
            assert!(!page.contains("with maxReplicas"), "{page}");
        }
    }
    let huge = web(3).queue("lag", "9P", "10").ready_pods(3, "100m", "50m");
    says(
        &huge,
        &[
            "lag is 9P in total (target 10 per replica)",
            "no number of replicas",
        ],
    );
    let sum = series(huge, &[("a", "9P"), ("b", "9P")]);
    says(&sum, &["more than the controller can count"]);
    // 1.33 computes with the negative sum.
    let mut older = below;
    older.observation.controller.version.value = "1.33".parse().unwrap();
    says(
        &older,
        &["lag is -50, below 0", "Fix the query, not the HPA"],
    );
}

#[test]
fn several_series_say_what_one_alone_would_ask_for() {
    let world = series(
        web(4)
            .queue("requests", "0", "100")
            .ready_pods(4, "100m", "50m"),
        &[("a", "400"), ("b", "400")],
    );
    says(
        &world,
        &[
            "The HPA adds up 2 series of requests: service=a 400 and service=b 400.",
            "alone would ask for 4 replicas",
            "a selector",
        ],
    );
    never_says(&world, &["Nothing to do"]);
    let mut selected = world;
    if let MetricSpec::External(source) = &mut selected.observation.hpa.spec.metrics[0] {
        source.metric.selector = Some(selector("team", "x"));
    }
    never_says(&selected, &["adds up"]);
}

#[test]
fn metrics_of_one_name_are_told_apart_everywhere() {
    let mut world = web(5).bounds(1, 30);
    for (queue, value) in [("q0", "10"), ("q1", "350"), ("q2", "90")] {
        world = world.queue("unacked", value, "40");
        if let Some(MetricSpec::External(source)) = world.observation.hpa.spec.metrics.last_mut() {
            source.metric.selector = Some(selector("queue", queue));
        }
    }
    says(
        &world,
        &[
            "unacked{queue=q1} is at 70 per replica",
            "unacked{queue=q0} asks for 1",
        ],
    );
    let page = world.page();
    for part in [
        "the highest of unacked{queue=q0} 1",
        "without unacked{queue=q1}",
    ] {
        let page = page.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(page.contains(part), "{part:?} is not in: {page}");
    }
    let mut containers = web(4).utilization("cpu", 60);
    for container in ["app", "proxy"] {
        let metric = MetricSpec::ContainerResource(ContainerResourceSource {
            name: "cpu".to_owned(),
            container: container.to_owned(),
            metric_target: MetricTarget {
                target_type: "Utilization".to_owned(),
                average_utilization: Some(60),
                ..MetricTarget::default()
            },
        });
        containers.observation.hpa.spec.metrics.push(metric);
    }
    let resource = MetricSpec::Resource(ResourceSource {
        name: "cpu".to_owned(),
        metric_target: MetricTarget::default(),
    });
    containers.observation.hpa.spec.metrics.push(resource);
    let names = hpa_explain::metric_names(&containers.observation.hpa.spec.metrics);
    let names: Vec<&str> = names.iter().map(|name| name.short.as_str()).collect();
    assert_eq!(
        names,
        [
            "cpu (metric 1)",
            "cpu of container app",
            "cpu of container proxy",
            "cpu (metric 4)"
        ]
    );
}

#[test]
fn memory_that_does_not_fall_is_no_reason_for_a_higher_maximum() {
    let world = |usages: [&str; 5]| {
        let world = web(5)
            .bounds(1, 5)
            .utilization("memory", 90)
            .utilization("cpu", 90)
            .ready_pods(5, "500m", "11m");
        using_memory(world, "256Mi", &usages)
    };
    let idle = world(["326Mi"; 5]);
    says(
        &idle,
        &[
            "Even the leanest of the 5 pods uses 326 MiB, while CPU asks for 1.",
            "Raise the memory request to 363 MiB or more (326 MiB / 90%), or drop the metric.",
        ],
    );
    never_says(&idle, &["raise maxReplicas", "simulate"]);
    assert!(!idle.page().contains("no fewer than"), "{}", idle.page());
    assert!(!idle.page().contains("with maxReplicas"), "{}", idle.page());
    let spread = world(["120Mi", "434Mi", "376Mi", "350Mi", "350Mi"]);
    says(&spread, &["raise maxReplicas"]);
}

#[test]
fn metric_that_is_there_twice_is_to_be_removed() {
    let world = web(3)
        .bounds(1, 12)
        .cpu(60)
        .cpu(60)
        .ready_pods(3, "100m", "99m");
    says(
        &world,
        &["Remove metric 2: it measures the same as metric 1."],
    );
    never_says(
        &world,
        &["the highest recommendation wins", "Nothing to do"],
    );
}

#[test]
fn memory_target_without_its_unit_says_what_it_means() {
    let world = |target: &str| {
        let world = web(2)
            .bounds(1, 10)
            .average("memory", target)
            .ready_pods(2, "100m", "50m");
        using_memory(world, "256Mi", &["163Mi", "163Mi"])
    };
    says(
        &world("325m"),
        &[
            "325m, which is 0.325 bytes per pod: 325Mi was probably meant",
            "Fix: averageValue: 325Mi",
        ],
    );
    says(
        &world("512"),
        &["512 bytes per pod: 512Mi was probably meant"],
    );
    never_says(
        &world("325m"),
        &["it scales to", "0 bytes)", "Nothing to do"],
    );
    says(&world("325Mi"), &["Nothing to do"]);
}

#[test]
fn startup_leads_only_where_the_deciding_metric_reads_it() {
    const STARTUP: &str = "CPU of their startup counts as load";
    let starting = "10:41:05";
    let cpu = started(
        web(4).utilization("cpu", 60).ready_pods(4, "100m", "200m"),
        starting,
    );
    says(
        &cpu,
        &[
            "All 4 pods started in the last 25 s and have no readiness probe",
            STARTUP,
        ],
    );
    let queue = web(4)
        .utilization("cpu", 60)
        .queue("lag", "90", "10")
        .ready_pods(4, "100m", "70m");
    never_says(&started(queue, starting), &[STARTUP]);
    // Minutes later it is the load.
    let flat = web(4).utilization("cpu", 60).ready_pods(4, "100m", "200m");
    never_says(&started(flat, "10:38:00"), &[STARTUP]);
    let bound = started(
        web(4)
            .bounds(2, 4)
            .utilization("cpu", 60)
            .ready_pods(4, "100m", "200m"),
        starting,
    );
    let policy = started(
        web(4)
            .bounds(2, 20)
            .utilization("cpu", 60)
            .ready_pods(4, "100m", "200m")
            .behavior(up().pods(1, 60)),
        starting,
    );
    for (world, first) in [
        (bound, "At maxReplicas 4"),
        (policy, "policy \"1 pod per 60 s\""),
    ] {
        let answer = answer(&world);
        assert!(answer.find(first) < answer.find(STARTUP), "{answer}");
        says(&world, &[first]);
    }
}

/// The startup of new pods has no words of its own at the maximum: it must not hide pods that crash.
#[test]
fn pods_that_crash_lead_whatever_new_pods_use() {
    let started = started(
        web(10)
            .bounds(2, 10)
            .utilization("cpu", 60)
            .ready_pods(8, "100m", "95m"),
        "10:41:05",
    );
    let crashing = ["web-a", "web-b"].iter().fold(started, |world, name| {
        world.never_ready(name, "100m", "10:23:15", "CrashLoopBackOff")
    });
    says(
        &crashing,
        &["2 of 10 pods are in CrashLoopBackOff (web-a and web-b)."],
    );
}

#[test]
fn pod_of_another_owner_that_waits_for_a_node_is_not_lacking() {
    let waits = "0/6 nodes are available: 6 Insufficient cpu.";
    let steady = || {
        web(3)
            .utilization("cpu", 60)
            .ready_pods(3, "100m", "58m")
            .replica_set("web-7f9c", None, None)
    };
    let own = steady().with_replicas(4).pending("web-b", "100m", waits);
    says(&own, &["Pending"]);
    let foreign = steady().pending("job-1", "100m", waits);
    let foreign = foreign.each_pod(|pod| {
        if pod.name == "job-1" {
            pod.owner = None;
        }
    });
    never_says(&foreign, &["Add node capacity"]);
}

#[test]
fn free_direction_is_not_promised_while_a_failing_metric_blocks_it() {
    let world = web(6)
        .utilization("cpu", 60)
        .broken_external()
        .ready_pods(6, "100m", "90m")
        .behavior(up().select(SelectPolicy::Disabled));
    says(
        &world,
        &["scaleUp.selectPolicy is Disabled", "no scale-down either"],
    );
    never_says(&world, &["It still scales down."]);
}

#[test]
fn pods_that_are_ready_without_metrics_do_not_mean_that_the_service_is_down() {
    // Their samples began before they got ready.
    let world = web(2).utilization("cpu", 60).ready_pods(2, "100m", "50m");
    let world = started(world, "10:41:10");
    says(&world, &["Give new pods a minute"]);
    never_says(&world, &["might be down"]);
}

fn selector(key: &str, value: &str) -> LabelSelector {
    LabelSelector {
        match_labels: [(key.to_owned(), value.to_owned())].into(),
        ..LabelSelector::default()
    }
}

/// An HPA that swings, with load for 8 replicas.
fn swinging(max: i32) -> World {
    let world = web(6)
        .bounds(2, max)
        .utilization("cpu", 60)
        .ready_pods(6, "100m", "80m");
    let (up, down) = (
        "cpu resource utilization (percentage of request) above target",
        "All metrics below target",
    );
    world
        .rescaled("10:10:00", 6, up)
        .rescaled("10:16:00", 3, down)
        .rescaled("10:18:00", 6, up)
        .rescaled("10:24:00", 3, down)
        .rescaled("10:26:00", 7, up)
        .rescaled("10:32:00", 4, down)
        .rescaled("10:40:50", 6, up)
}

#[test]
fn what_changes_more_comes_first() {
    const FLAPPING: &str = "The HPA is flapping";
    let first = |world: &World, one: &str, other: &str| {
        let answer = answer(world);
        let (one, other) = (answer.find(one), answer.find(other));
        assert!(one.is_some(), "{answer}");
        assert!(other.is_none() || one < other, "{answer}");
    };
    first(&swinging(20), FLAPPING, "CPU is at 80%");
    // Replicas that are lacking matter more than a number that will be another.
    first(&swinging(6), "At maxReplicas 6", FLAPPING);
    says(&swinging(6), &[FLAPPING]);
    let mut missing = swinging(20);
    if let Reading::Read(scale) = &mut missing.observation.scale {
        scale.spec_replicas = 10;
    }
    first(&missing, "Only 6 of 10 wanted pods exist", FLAPPING);
    // So does a number that is another now.
    let starting = started(swinging(20), "10:41:05");
    first(&starting, "CPU of their startup counts as load", FLAPPING);
}
