//! What happens to the replicas that the HPA asks for: quotas, nodes, budgets, rollouts, ordered starts.

use serde_json::{Value, json};

use crate::{
    cluster::eventually,
    manifest::{average, deployment, hpa},
    namespace::{free_namespace, namespace},
    releases::version,
};

#[test]
fn quota_that_refuses_pods_is_reported_with_its_numbers() {
    let namespace = namespace("quota");
    namespace.apply([quota("compute", json!({"requests.cpu": "300m"}))]);
    namespace.wait_for_quota("compute");
    namespace.apply([
        deployment("web", 2).pods("cpu", "90m").object(),
        hpa("web").bounds(1, 6).cpu(60).object(),
    ]);
    let decision =
        namespace.decides("2 → 3: SucceededRescale ValidMetricFound !DesiredWithinRange");
    decision.page_says([
        "! compute allows 3 replicas, max is 6: 200m of 300m requests.cpu are used, a pod takes 100m",
    ]);

    namespace.stop_settling();
    namespace.decides("3 → 5: SucceededRescale ValidMetricFound !DesiredWithinRange");
    eventually("the ReplicaSet says why it has too few pods", || {
        let set = namespace.list("replicasets").pop()?;
        set["status"]["conditions"][0]["message"]
            .as_str()
            .filter(|message| message.contains("exceeded quota"))
            .map(drop)
    });
    // Three pods at 90% of 60% ask for 5, which is what spec.replicas has already.
    let decision =
        namespace.decides("5 → 5: ReadyForNewScale ValidMetricFound !DesiredWithinRange");
    decision.page_says([
        "5 wanted, 3 created, 3 scheduled, 3 ready",
        "cannot create pods: ",
        "exceeded quota: compute, requested: requests.cpu=100m, used: requests.cpu=300m, limited: requests.cpu=300m",
        "! compute allows 3 replicas, max is 6",
    ]);
}

#[test]
fn pods_without_a_node_are_reported_with_what_the_nodes_could_hold() {
    let namespace = namespace("nodes");
    // Of a node's 1Ti two pods take 800Gi.
    namespace.apply([
        deployment("web", 2)
            .container("cache", json!({"cpu": "100m", "memory": "400Gi"}))
            .pods("cpu", "180m")
            .pods("room", "2")
            .object(),
        hpa("web").bounds(1, 6).cpu(60).object(),
    ]);
    namespace.decides("2 → 3: SucceededRescale ValidMetricFound !DesiredWithinRange");
    let decision =
        namespace.decides("3 → 3: ReadyForNewScale ValidMetricFound !DesiredWithinRange");
    decision.page_says([
        "! 3 wanted, 3 created, 2 scheduled, 2 ready",
        "0/1 nodes are available: 1 Insufficient cpu",
        "! 1 node: none takes the 1 waiting pod, says the scheduler (1 Insufficient cpu); by requests alone, it would hold at most 2 pods of 200m cpu and 409800Mi memory when empty; max is 6",
    ]);
}

#[test]
fn budget_that_holds_up_drains_at_the_minimum_is_reported() {
    let namespace = namespace("budget");
    namespace.apply([
        deployment("web", 2).pods("cpu", "10m").object(),
        budget("web", json!({"minAvailable": 2})),
        hpa("web").bounds(2, 6).cpu(60).down_at_once().object(),
    ]);
    let decision = namespace.decides("2 → 2: ReadyForNewScale ValidMetricFound TooFewReplicas");
    decision.page_says([
        "! web (minAvailable 2) lets no pod be evicted at 2 replicas or fewer, and minReplicas is 2",
        "Normal for an idle workload",
    ]);

    namespace.apply([
        budget("web", json!({"minAvailable": "50%"})),
        budget("all", json!({"maxUnavailable": 0})),
    ]);
    let decision = namespace.decision("web");
    decision.page_says([
        "! all (maxUnavailable 0) never lets a pod be evicted",
        "several budgets select web-",
        "(all and web)",
    ]);
    assert!(!decision.text.contains("50%"), "{}", decision.text);
}

#[test]
fn surge_of_a_rollout_is_counted_and_named() {
    let namespace = namespace("surge");
    let mut workload = deployment("web", 4).pods("cpu", "60m").object();
    workload["spec"]["strategy"] = json!({"rollingUpdate": {"maxSurge": 2, "maxUnavailable": 0}});
    namespace.apply([workload.clone(), hpa("web").cpu(60).object()]);
    namespace.pass();
    namespace.stop_settling();
    // The new pods are busier; they are ready, but so young that the Deployment waits before it takes old ones away.
    workload["spec"]["minReadySeconds"] = json!(3600);
    workload["spec"]["progressDeadlineSeconds"] = json!(7200);
    workload["spec"]["template"]["metadata"]["annotations"]["testcluster/cpu"] = json!("120m");
    namespace.apply([workload]);
    eventually("the pods of both templates are ready", || {
        let pods = namespace.list("pods");
        let ready = pods.iter().filter(|pod| {
            pod["status"]["conditions"]
                .to_string()
                .contains("\"Ready\"")
        });
        (ready.count() == 6).then_some(())
    });
    // (4 × 60 + 2 × 120) / 600 is 80%; 80 / 60 × 6 pods is 8, times the 4 of spec.replicas it were 6.
    let decision =
        namespace.decides("4 → 8: SucceededRescale ValidMetricFound !DesiredWithinRange");
    decision.page_says([
        "4 wanted, 6 created, 6 scheduled, 6 ready",
        "(new) 2 pods, 2 ready; web-",
        "(old) 4 pods, 4 ready: 6 in all, spec.replicas is 4",
        "cpu multiplies its ratio by the 6 pods that count, surge included, not by spec.replicas",
    ]);
}

#[test]
fn ordered_stateful_set_waits_for_each_pod() {
    let namespace = namespace("ordered");
    let mut workload = deployment("db", 1).stateful_set().object();
    workload["spec"]["podManagementPolicy"] = json!("OrderedReady");
    namespace.metrics(&json!({"external": [{"metric": "queue_depth", "value": "40"}]}));
    namespace.apply([quota("few", json!({"pods": "2"}))]);
    namespace.wait_for_quota("few");
    namespace.apply([
        workload,
        hpa("db")
            .target("apps/v1", "StatefulSet", "db")
            .bounds(1, 4)
            .external("queue_depth", average("10"))
            .object(),
    ]);
    namespace.stop_settling();
    namespace.decides_for(
        "db",
        "1 → 4: SucceededRescale ValidMetricFound !DesiredWithinRange",
    );
    eventually("the quota refuses the third pod", || {
        let events = namespace.list("events");
        events
            .iter()
            .any(|event| event["reason"] == "FailedCreate")
            .then_some(())
    });
    let decision = namespace.decision("db");
    decision.page_says([
        "4 wanted, 2 created, 2 scheduled, 2 ready",
        "StatefulSet/db cannot create pods:",
        "exceeded quota: few, requested: pods=1, used: pods=2, limited: pods=2",
        "! few allows 2 replicas, max is 4: 2 of 2 pods are used, a pod takes 1",
    ]);

    namespace.annotate_pod(&namespace.get("pod", "db-1"), "ready", "false");
    let decision = namespace.decision("db");
    decision.page_says([
        "4 wanted, 2 created, 2 scheduled, 1 ready",
        "OrderedReady makes one pod at a time: 2 further pods wait until db-1 is ready",
    ]);
}

#[test]
fn demand_above_the_maximum_is_cut_and_not_refused() {
    let namespace = namespace("cut");
    namespace.apply([
        deployment("web", 4).pods("cpu", "90m").object(),
        hpa("web").bounds(1, 6).cpu(30).object(),
    ]);
    let decision = namespace.decides("4 → 6: SucceededRescale ValidMetricFound TooManyReplicas");
    decision.page_says([
        "SCALES 4 → 6 (maxReplicas)",
        "asks for 12 replicas (90 / 30 × 4 pods = 12), but maxReplicas is 6.",
    ]);
}

#[test]
fn each_policy_is_reported_with_its_bound_and_the_one_that_is_taken() {
    let namespace = namespace("policies");
    let policies = json!([
        {"type": "Percent", "value": 50, "periodSeconds": 120},
        {"type": "Pods", "value": 1, "periodSeconds": 60},
    ]);
    let up = json!({"scaleUp": {"policies": policies, "selectPolicy": "Min"}});
    namespace.apply([
        deployment("web", 4).pods("cpu", "100m").object(),
        hpa("web").cpu(50).behavior(up).object(),
    ]);
    let decision = namespace.decides("4 → 5: SucceededRescale ValidMetricFound ScaleUpLimit");
    decision.page_says([
        "Min of the 2 policies allows 5, max 10",
        "50% in 2 min: 4 at its start → 6",
        "1 pod in 1 min: 4 at its start → 5 (used)",
    ]);
    let decision = namespace.decides("5 → 5: ReadyForNewScale ValidMetricFound ScaleUpLimit");
    decision.page_says(["1 pod in 1 min: 4 at its start (1 added since) → 5, until"]);
}

#[test]
fn behavior_of_one_side_brings_the_defaults_of_the_other() {
    let namespace = namespace("one-side");
    namespace.apply([
        deployment("web", 1).pods("cpu", "900m").object(),
        hpa("web").cpu(50).down_at_once().object(),
    ]);
    let decision = namespace.decides("1 → 5: SucceededRescale ValidMetricFound ScaleUpLimit");
    decision.page_says([
        "4 pods in 15 s: 1 at its start → 5 (used)",
        "these are the API's defaults, which come with any behavior; without behavior one sync could reach 4",
    ]);
}

#[test]
fn target_that_another_writer_scaled_to_zero_says_what_keeps_it_there() {
    let namespace = namespace("at-zero");
    namespace.apply([
        deployment("web", 2).pods("cpu", "50m").object(),
        hpa("web").cpu(50).object(),
    ]);
    namespace.pass();
    namespace.scale("web", 0);
    let decision =
        namespace.decides("0 → 0: SucceededGetScale !ScalingDisabled !DesiredWithinRange");
    decision.page_says([
        "NOT SCALING, stays at 0",
        "If 0 is not intended, scale Deployment/web up:",
    ]);
    if version().minor < 36 {
        decision.page_says([
            "Up to Kubernetes 1.35 an HPA leaves 0 only if minReplicas is 0, and it is 1.",
        ]);
    } else {
        decision.page_says([
            "Since Kubernetes 1.36 an HPA leaves 0 only if it scaled to 0 itself.",
            if version().minor < 37 {
                "Here condition ScaledToZero is missing and feature gate HPAScaleToZero is off"
            } else {
                "Here condition ScaledToZero is missing."
            },
        ]);
    }
}

#[test]
fn change_of_the_scale_that_was_refused_is_taken_to_be_refused_again() {
    let namespace = free_namespace("refused");
    namespace.apply([
        deployment("web", 2).pods("cpu", "90m").object(),
        json!({
            "apiVersion": "admissionregistration.k8s.io/v1",
            "kind": "ValidatingAdmissionPolicy",
            "metadata": {"name": "frozen"},
            "spec": {
                "matchConstraints": {"resourceRules": [{
                    "apiGroups": ["apps"], "apiVersions": ["v1"],
                    "resources": ["deployments/scale"], "operations": ["UPDATE"],
                }]},
                "validations": [{"expression": "false", "message": "nothing is released on Fridays"}],
            },
        }),
        json!({
            "apiVersion": "admissionregistration.k8s.io/v1",
            "kind": "ValidatingAdmissionPolicyBinding",
            "metadata": {"name": "frozen"},
            "spec": {
                "policyName": "frozen",
                "validationActions": ["Deny"],
                "matchResources": {"namespaceSelector": {"matchLabels": {"kubernetes.io/metadata.name": "refused"}}},
            },
        }),
    ]);
    let try_to_scale = [
        "scale",
        "deployment",
        "web",
        "--replicas=2",
        "--dry-run=server",
    ];
    eventually("the policy is in force", || {
        let output = namespace.kubectl(try_to_scale).output().unwrap();
        (!output.status.success()).then_some(())
    });
    namespace.apply([hpa("web").cpu(60).object()]);
    // A controller whose change is refused reads the scale once more in the same pass, so the gate can't hold it.
    let decision = namespace.decision_without_a_gate("web");
    assert_eq!(
        decision.made(),
        "2 → 2: !FailedUpdateScale ValidMetricFound !DesiredWithinRange"
    );
    decision.page_says([
        "NOT SCALING TO 3, stays at 2",
        "But the API server refused the last change of the scale, and most likely refuses this one:",
        "nothing is released on Fridays",
    ]);
}

fn quota(name: &str, hard: Value) -> Value {
    json!({
        "apiVersion": "v1",
        "kind": "ResourceQuota",
        "metadata": {"name": name},
        "spec": {"hard": hard},
    })
}

/// A PodDisruptionBudget over the pods of `web`.
fn budget(name: &str, rule: Value) -> Value {
    let mut spec = rule;
    spec["selector"] = json!({"matchLabels": {"app": "web"}});
    json!({
        "apiVersion": "policy/v1",
        "kind": "PodDisruptionBudget",
        "metadata": {"name": name},
        "spec": spec,
    })
}
