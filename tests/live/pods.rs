//! Which pods count, and as what.

use serde_json::{Value, json};

use crate::{
    cluster::{eventually, succeed},
    manifest::{deployment, hpa, stray_pod},
    namespace::namespace,
};

#[test]
fn unready_pods_count_as_idle_on_the_way_up() {
    let namespace = namespace("unready");
    namespace.apply([
        deployment("web", 8)
            .pods("cpu", "85m")
            .pods("start-age", "1m")
            .object(),
        hpa("web").bounds(2, 20).cpu(60).object(),
    ]);
    for pod in &namespace.list("pods")[..2] {
        namespace.annotate_pod(pod, "ready", "false");
    }
    let decision =
        namespace.decides("8 → 8: ReadyForNewScale ValidMetricFound !DesiredWithinRange");
    assert_eq!(
        decision.status("/currentMetrics/0/resource/current/averageUtilization"),
        85
    );
    decision.page_says(["85%", "63%", "2 of 8 pods"]);
}

/// 9 pods at 140% and 3 that crash are 105% of 12, and 105 / 60 × 12 is 21.
#[test]
fn crash_loop_at_the_maximum_is_named_before_the_maximum() {
    let namespace = namespace("crashing");
    namespace.apply([
        deployment("web", 12)
            .pods("cpu", "140m")
            .pods("start-age", "1m")
            .pods("reason", "CrashLoopBackOff")
            .object(),
        hpa("web").bounds(2, 12).cpu(60).object(),
    ]);
    for pod in &namespace.list("pods")[..3] {
        namespace.annotate_pod(pod, "ready", "false");
    }
    let decision = namespace.decides("12 → 12: ReadyForNewScale ValidMetricFound TooManyReplicas");
    decision.page_says([
        "3 of 12 pods are in CrashLoopBackOff",
        "Fix these pods before you raise maxReplicas.",
        "105% on average, which asks for 21 replicas",
    ]);
}

#[test]
fn missing_pods_count_against_the_direction() {
    let namespace = namespace("missing");
    namespace.apply([
        deployment("web", 4).pods("cpu", "90m").object(),
        hpa("web").cpu(60).down_at_once().object(),
    ]);
    for pod in &namespace.list("pods")[..2] {
        namespace.annotate_pod(pod, "no-metrics", "true");
    }
    // As 0% on the way up: (90 + 90 + 0 + 0) / 4 is below the target.
    namespace.decides("4 → 4: ReadyForNewScale ValidMetricFound !DesiredWithinRange");
    // As 100% on the way down: (20 + 20 + 100 + 100) / 4 is the target.
    namespace.annotate_pods("web", "cpu", "20m");
    let decision =
        namespace.decides("4 → 4: ReadyForNewScale ValidMetricFound !DesiredWithinRange");
    assert_eq!(
        decision.status("/currentMetrics/0/resource/current/averageUtilization"),
        20
    );
}

#[test]
fn pods_without_a_node_damp_the_next_step() {
    let namespace = namespace("pending");
    namespace.apply([
        deployment("web", 3)
            .pods("cpu", "90m")
            .pods("room", "3")
            .object(),
        hpa("web").cpu(60).object(),
    ]);
    namespace.decides("3 → 5: SucceededRescale ValidMetricFound !DesiredWithinRange");
    let decision =
        namespace.decides("5 → 5: ReadyForNewScale ValidMetricFound !DesiredWithinRange");
    decision.page_says(["2 of 5 pods", "Insufficient cpu"]);
}

#[test]
fn failed_and_terminating_pods_do_not_count() {
    let namespace = namespace("ignored");
    namespace.apply([
        deployment("web", 4).pods("cpu", "90m").object(),
        stray_pod("failed", "web", &[("phase", "Failed")]),
        stray_pod("going", "web", &[("cpu", "10m"), ("stop-after", "1h")]),
        hpa("web").cpu(60).object(),
    ]);
    namespace.run(["delete", "pod", "going", "--wait=false"]);
    namespace.decides("4 → 6: SucceededRescale ValidMetricFound !DesiredWithinRange");
}

#[test]
fn pods_of_others_count_if_the_selector_matches() {
    let namespace = namespace("foreign");
    namespace.apply([
        deployment("web", 4).pods("cpu", "90m").object(),
        stray_pod("job-1", "web", &[("cpu", "1m")]),
        stray_pod("job-2", "web", &[("cpu", "1m")]),
        hpa("web").cpu(60).object(),
    ]);
    namespace.decides("4 → 4: ReadyForNewScale ValidMetricFound !DesiredWithinRange");
}

#[test]
fn pods_that_just_started_have_no_usable_cpu_sample() {
    let namespace = namespace("starting");
    let workload = deployment("web", 2)
        .pods("cpu", "90m")
        .pods("start-age", "0s")
        .pods("metrics-window", "4m");
    namespace.apply([workload.object(), hpa("web").cpu(60).object()]);
    let decision = namespace.decides("2 → 2: SucceededGetScale !FailedGetResourceMetric");
    assert_eq!(
        decision.status("/conditions/1/message"),
        "the HPA was unable to compute the replica count: failed to get cpu utilization: did not receive metrics \
         for targeted pods (pods might be unready)"
    );
}

#[test]
fn old_pods_that_lost_readiness_still_count() {
    let namespace = namespace("lost-readiness");
    namespace.apply([
        deployment("web", 4).pods("cpu", "90m").object(),
        hpa("web").cpu(60).object(),
    ]);
    namespace.annotate_pods("web", "ready", "false");
    namespace.decides("4 → 6: SucceededRescale ValidMetricFound !DesiredWithinRange");
}

#[test]
fn finished_pods_count_as_missing() {
    let namespace = namespace("finished");
    namespace.apply([
        deployment("web", 2).pods("cpu", "20m").object(),
        stray_pod("done", "web", &[("phase", "Succeeded")]),
        hpa("web").cpu(60).down_at_once().object(),
    ]);
    // (20 + 20 + 100) / 3 = 46%, 46 / 60 × 3 pods, rounded up, are more than there are.
    namespace.decides("2 → 2: ReadyForNewScale ValidMetricFound !DesiredWithinRange");
}

/// A recording with whole answers needs them as JSON; every other list of pods and ReplicaSets is requested as protobuf.
#[test]
fn pods_and_their_owners_are_the_same_in_json_and_in_protobuf() {
    let namespace = namespace("formats");
    let mut web = deployment("web", 4)
        .pods("cpu", "85m")
        .pods("start-age", "1m")
        .pods("reason", "CrashLoopBackOff")
        .object();
    web["spec"]["template"]["metadata"]["annotations"]["helm.sh/hook"] = json!("test");
    let spec = &mut web["spec"]["template"]["spec"];
    spec["resources"] = json!({"requests": {"cpu": "1", "memory": "1Gi"}});
    spec["initContainers"] = json!([
        {"name": "mesh", "image": "example.com/mesh", "restartPolicy": "Always", "resources": {"requests": {"memory": "1536Ki"}}},
        {"name": "setup", "image": "example.com/setup", "resources": {"limits": {"memory": "64Mi"}}},
    ]);
    spec["containers"][0]["readinessProbe"] =
        json!({"tcpSocket": {"port": 80}, "initialDelaySeconds": 3, "periodSeconds": 7});
    namespace.apply([
        web,
        hpa("web").cpu(60).object(),
        stray_pod("stray", "web", &[]),
    ]);
    let pods = namespace.list("pods");
    let is_owned = |pod: &&Value| pod["metadata"]["ownerReferences"].is_array();
    let owned = pods.iter().find(is_owned).unwrap();
    namespace.annotate_pod(owned, "ready", "false");
    let capture = |arguments: &[&str]| -> Value {
        let mut command = namespace.kubectl(["hpa", "capture", "web"]);
        serde_json::from_str(&succeed(command.args(arguments))).unwrap()
    };
    eventually("both formats show the same", || {
        let (protobuf, json) = (capture(&[]), capture(&["--no-redact"]));
        let answers = json["answers"].as_array().unwrap();
        let is_of_pods = |answer: &&Value| answer["path"].as_str().unwrap().contains("/pods?");
        assert!(answers.iter().any(|answer| is_of_pods(&answer)));
        let owners = "/target/intermediateOwners";
        let has_all = protobuf["pods"]
            .as_array()
            .is_some_and(|all| all.len() == 5);
        let is_same =
            protobuf["pods"] == json["pods"] && protobuf.pointer(owners) == json.pointer(owners);
        let text = protobuf.to_string();
        let parts = [
            "CrashLoopBackOff",
            "mesh",
            "1536Ki",
            "periodSeconds",
            "helm.sh/hook",
        ];
        (has_all && is_same && parts.iter().all(|part| text.contains(part))).then_some(())
    });
}
