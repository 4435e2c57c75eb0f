//! Every kind of metric, target and event.

use super::{CPU, json, manifest, number, of_kind, points};

const OBJECT: &str = "  - type: Object
    object:
      describedObject: {apiVersion: v1, kind: Service, name: web}
      metric: {name: hits}
      target: ";
const EXTERNAL: &str = "  - type: External
    external:
      metric: {name: queue}
      target: ";

#[test]
fn each_kind_of_metric_brings_the_replicas_that_its_load_needs() {
    let object = |target: &str| format!("{OBJECT}{target}");
    let external = |target: &str| format!("{EXTERNAL}{target}");
    let pods = "  - {type: Pods, pods: {metric: {name: requests}, target: {type: AverageValue, averageValue: 10}}}";
    let container = "  - {type: ContainerResource, containerResource: {name: cpu, container: main, target: {type: Utilization, averageUtilization: 60}}}";
    let value = "  - {type: Resource, resource: {name: cpu, target: {type: AverageValue, averageValue: 120m}}}";
    let memory = "  - {type: Resource, resource: {name: memory, target: {type: Utilization, averageUtilization: 80}}}";
    for (name, metrics, arguments, replicas) in [
        (
            "utilization",
            CPU.to_owned(),
            vec!["--load", "700m..1440m/2m"],
            11..=13,
        ),
        (
            "average value",
            value.to_owned(),
            vec!["--load", "700m..1440m/2m"],
            11..=13,
        ),
        (
            "container",
            container.to_owned(),
            vec!["--load", "700m..1440m/2m"],
            11..=13,
        ),
        (
            "memory",
            memory.to_owned(),
            vec!["--load", "1Gi..2Gi/2m"],
            // Pods do not release memory, so there are more than the load needs.
            10..=17,
        ),
        (
            "pods",
            pods.to_owned(),
            vec!["--load", "60..120/2m"],
            12..=12,
        ),
        (
            "object",
            object("{type: AverageValue, averageValue: 10}"),
            vec!["--load", "60..120/2m"],
            12..=12,
        ),
        (
            "external",
            external("{type: AverageValue, averageValue: 10}"),
            vec!["--load", "60..120/2m"],
            12..=12,
        ),
        (
            "two",
            format!("{CPU}\n{pods}"),
            vec!["--load", "cpu=700m,requests=60..150/2m"],
            15..=15,
        ),
    ] {
        let simulation = json(&manifest(&metrics, ""), &arguments);
        let last = points(&simulation, 1190.0, 1200.0)[0];
        let found = last["replicas"].as_i64().unwrap();
        assert!(replicas.contains(&found), "{name}: {last}");
    }
}

#[test]
fn a_queue_is_worked_off_by_the_pods_that_are_ready() {
    let queue = format!("{EXTERNAL}{{type: AverageValue, averageValue: 20}}");
    let simulation = json(
        &manifest(&queue, ""),
        &["--load", "60", "--service-rate", "queue=5"],
    );
    // Six pods process 30 a second of 60, so the queue grows until there are more pods.
    let highest = points(&simulation, 0.0, 1200.0)
        .iter()
        .map(|point| number(&point["perPod"]))
        .fold(0.0, f64::max);
    assert!(20.0 < highest, "{highest}");
    let last = points(&simulation, 1190.0, 1200.0)[0];
    assert!(12 <= last["replicas"].as_i64().unwrap(), "{last}");
}

#[test]
fn an_idle_queue_brings_the_target_to_zero_and_work_brings_it_back() {
    let queue = format!("{EXTERNAL}{{type: AverageValue, averageValue: 20}}");
    let zero = manifest(&queue, "").replace("minReplicas: 2", "minReplicas: 0");
    let simulation = json(&zero, &["--load", "spike:0..100/2m@12m"]);
    let idle = points(&simulation, 690.0, 720.0)[0];
    assert_eq!(idle["replicas"], 0, "{idle}");
    let busy = points(&simulation, 800.0, 830.0)[0];
    assert_eq!(busy["replicas"], 5, "{busy}");
}

#[test]
fn pods_of_a_stateful_set_start_one_after_the_other() {
    let ready_after = |kind: &str| {
        let simulation = json(&of_kind(kind, CPU, ""), &["--load", "2", "--start", "30s"]);
        let points = points(&simulation, 0.0, 1200.0);
        let full = points
            .iter()
            .find(|point| point["ready"].as_i64() >= Some(14))
            .unwrap();
        number(&full["seconds"])
    };
    let (together, ordered) = (ready_after("Deployment"), ready_after("StatefulSet"));
    // Eight more pods, each half a minute after the previous one.
    assert!(together + 120.0 < ordered, "{together} s, {ordered} s");
}

#[test]
fn events_happen_at_their_time() {
    let web = manifest(CPU, "");
    let with = |event: &str| {
        json(
            &web,
            &["--load", "700m", "--start", "30s", "--event", event],
        )
    };
    let least_ready = |simulation: &serde_json::Value, from, to| {
        let points = points(simulation, from, to);
        points
            .iter()
            .map(|point| point["ready"].as_i64().unwrap())
            .min()
            .unwrap()
    };
    for (event, least) in [
        ("5m: kill 3", 3..=3),
        ("5m: crash 2 2m", 4..=4),
        ("5m: unready 2 1m", 4..=4),
        // At most a quarter is missing, and at most a quarter is surplus.
        ("5m: rollout", 5..=5),
    ] {
        let simulation = with(event);
        assert_eq!(least_ready(&simulation, 60.0, 295.0), 6, "{event}");
        assert!(
            least.contains(&least_ready(&simulation, 300.0, 420.0)),
            "{event}: {}",
            least_ready(&simulation, 300.0, 420.0)
        );
    }
    let scaled = with("5m: scale 4");
    assert_eq!(points(&scaled, 300.0, 305.0)[0]["replicas"], 4);
    assert!(
        points(&scaled, 390.0, 420.0)[0]["replicas"].as_i64() > Some(4),
        "the HPA scales up again"
    );

    let failing = json(
        &web,
        &["--load", "700m..2/10s", "--event", "0: metric-fails 6m"],
    );
    assert!(
        points(&failing, 0.0, 350.0)
            .iter()
            .all(|point| point["replicas"] == 6)
    );
    assert_eq!(points(&failing, 600.0, 620.0)[0]["replicas"], 17);
}

#[test]
fn pods_beyond_the_room_of_the_nodes_wait() {
    let web = manifest(CPU, "");
    let at = |nodes: &str, seconds: f64| {
        let simulation = json(&web, &["--load", "2", "--start", "20s", "--nodes", nodes]);
        points(&simulation, seconds, seconds + 10.0)[0]["ready"]
            .as_i64()
            .unwrap()
    };
    assert_eq!(at("8", 1190.0), 8);
    assert_eq!(at("8,+3m", 150.0), 8);
    assert!(at("8,+3m", 1190.0) > 14);
}
