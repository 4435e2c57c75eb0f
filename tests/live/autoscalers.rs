//! Other autoscalers next to the HPA: the page names them, and the controller acts as predicted.

use serde_json::{Value, json};

use crate::{
    cluster::eventually,
    manifest::{average, deployment, hpa, stray_pod},
    namespace::{Namespace, free_namespace, namespace},
};

#[test]
fn keda_names_the_trigger_behind_a_metric_and_who_decides() {
    let namespace = namespace("keda");
    namespace.metrics(&json!({"external": [{"metric": "s0-rabbitmq-mail", "value": 50}]}));
    let scaled_object = |annotations: Value| {
        json!({
            "apiVersion": "keda.sh/v1alpha1",
            "kind": "ScaledObject",
            "metadata": {"name": "mail", "annotations": annotations},
            "spec": {
                "scaleTargetRef": {"name": "mail"},
                "cooldownPeriod": 600,
                "triggers": [{"type": "rabbitmq", "metadata": {
                    "host": "amqp://user:hunter2@rabbit", "queueName": "mail", "value": "20", "activationValue": "5",
                }}],
            },
            "status": {"conditions": [{"type": "Active", "status": "True", "reason": "ScalerActive", "message": ""}]},
        })
    };
    namespace.apply([deployment("mail", 2).object(), scaled_object(json!({}))]);
    let owner = namespace.get("scaledobject.keda.sh", "mail");
    let keda_hpa = |behavior: Value| {
        let mut object = hpa("keda-hpa-mail")
            .target("apps/v1", "Deployment", "mail")
            .external("s0-rabbitmq-mail", average("20"))
            .behavior(behavior)
            .object();
        object["metadata"]["ownerReferences"] = json!([{
            "apiVersion": "keda.sh/v1alpha1", "kind": "ScaledObject", "name": "mail", "controller": true,
            "uid": owner["metadata"]["uid"],
        }]);
        object
    };
    namespace.apply([keda_hpa(
        json!({"scaleDown": {"stabilizationWindowSeconds": 0}}),
    )]);
    let decision = namespace.decision("keda-hpa-mail");
    // 50 / 20
    assert_eq!(
        decision.made(),
        "2 → 3: SucceededRescale ValidMetricFound !DesiredWithinRange"
    );
    decision.page_says([
        "ScaledObject mail manages this HPA and reverts edits",
        "The HPA decides now, down to 1; the step to 0 is KEDA's, 10 min (cooldownPeriod) after the last trigger ends; \
         one is active now.",
        "s0-rabbitmq-mail is trigger 0, rabbitmq (queueName mail): scales at 20 a replica (AverageValue); active above \
         5 (activationValue).",
    ]);
    assert!(!decision.text.contains("hunter2"), "{}", decision.text);

    // What KEDA does to pause one direction.
    namespace.metrics(&json!({"external": [{"metric": "s0-rabbitmq-mail", "value": 10}]}));
    namespace.apply([
        scaled_object(json!({"autoscaling.keda.sh/paused-scale-in": "true"})),
        keda_hpa(
            json!({"scaleDown": {"selectPolicy": "Disabled", "stabilizationWindowSeconds": 0}}),
        ),
    ]);
    namespace.pass_begun_before_the_edit();
    // That pass used the former behavior, and scaled down.
    namespace.scale("mail", 3);
    let decision = namespace.decision("keda-hpa-mail");
    assert!(decision.made().starts_with("3 → 3:"), "{}", decision.made());
    decision.page_says([
        "ScaledObject mail is paused in one direction (autoscaling.keda.sh/paused-scale-in)",
        "Disabled, so it does not go down",
    ]);

    // What KEDA does when no trigger is active any more.
    namespace.scale("mail", 0);
    let decision = namespace.decision("keda-hpa-mail");
    assert_eq!(decision.page["verdict"]["rule"], "scaling-disabled-at-zero");
    decision.page_says([
        "KEDA scales it up when a trigger of ScaledObject mail is active.",
        "KEDA decides now, as the HPA is off at 0 replicas: it starts 1 when a trigger is active; one is, by its \
         condition Active. It checks them every 30 s (pollingInterval).",
    ]);
}

#[test]
fn requests_that_a_vertical_autoscaler_recommends_bring_the_usage_that_was_predicted() {
    let namespace = namespace("vertical");
    let workload = |cpu: &str| {
        let mut object = deployment("web", 2).pods("cpu", "85m").object();
        object["spec"]["template"]["spec"]["containers"][0]["resources"]["requests"]["cpu"] =
            json!(cpu);
        object
    };
    namespace.apply([
        workload("100m"),
        hpa("web").cpu(60).down_at_once().object(),
        json!({
            "apiVersion": "autoscaling.k8s.io/v1",
            "kind": "VerticalPodAutoscaler",
            "metadata": {"name": "web"},
            "spec": {
                "targetRef": {"apiVersion": "apps/v1", "kind": "Deployment", "name": "web"},
                "updatePolicy": {"updateMode": "Recreate"},
            },
            "status": {"recommendation": {"containerRecommendations": [
                {"containerName": "main", "target": {"cpu": "250m", "memory": "200Mi"}},
            ]}},
        }),
    ]);
    let decision =
        namespace.decides("2 → 3: SucceededRescale ValidMetricFound !DesiredWithinRange");
    decision.page_says([
        "VerticalPodAutoscaler web (updateMode Recreate) changes the cpu requests that this HPA divides by and \
         recommends 250m for container main.",
        "With these requests cpu would be at 34% instead of 85% (170m / 500m).",
    ]);
    // The recommendation is applied; nothing else changes.
    let mut applied = workload("250m");
    applied["spec"]["replicas"] = json!(3);
    namespace.apply([applied]);
    let decision = namespace.decision("web");
    assert_eq!(
        decision.status("/currentMetrics/0/resource/current/averageUtilization"),
        34
    );
    assert_eq!(
        decision.made(),
        "3 → 2: SucceededRescale ValidMetricFound !DesiredWithinRange"
    );
}

#[test]
fn rollout_distinguishes_stable_pods_from_canaries() {
    let namespace = namespace("rollout");
    let pod = |name: &str, hash: &str| {
        let mut pod = stray_pod(name, "web", &[("cpu", "90m")]);
        pod["metadata"]["labels"]["rollouts-pod-template-hash"] = json!(hash);
        pod
    };
    namespace.apply([
        pod("web-0", "5c7d"),
        pod("web-1", "5c7d"),
        pod("web-2", "5c7d"),
        pod("web-3", "9f31"),
        json!({
            "apiVersion": "argoproj.io/v1alpha1",
            "kind": "Rollout",
            "metadata": {"name": "web"},
            "spec": {
                "replicas": 4,
                "workloadRef": {"apiVersion": "apps/v1", "kind": "Deployment", "name": "web"},
                "strategy": {"canary": {"trafficRouting": {}}},
            },
            "status": {
                "HPAReplicas": 4, "selector": "app=web", "phase": "Paused", "stableRS": "5c7d",
                "currentPodHash": "9f31", "canary": {"weights": {"canary": {"weight": 25}}},
            },
        }),
        hpa("web")
            .target("argoproj.io/v1alpha1", "Rollout", "web")
            .cpu(60)
            .object(),
    ]);
    let decision =
        namespace.decides("4 → 6: SucceededRescale ValidMetricFound !DesiredWithinRange");
    decision.page_says([
        "of the 4 pods that the selector matches, 3 are stable (5c7d), 1 is canary (9f31), and 25% of the traffic goes to \
         canary.",
        "The metrics are averages over both",
    ]);
}

#[test]
fn two_hpas_with_bounds_apart_fight_in_spite_of_the_guard() {
    let namespace = free_namespace("two-bounds");
    namespace.apply([deployment("web", 4).pods("cpu", "60m").object()]);
    let on_web = |name: &str, min, max| {
        hpa(name)
            .target("apps/v1", "Deployment", "web")
            .bounds(min, max)
            .cpu(60)
            .object()
    };
    create(&namespace, "night", &on_web("night", 1, 3));
    create(&namespace, "day", &on_web("day", 5, 8));
    // Each undoes the other's change.
    for (name, size) in [("night", 3), ("day", 5)] {
        eventually("the HPA scales again and again", || {
            let events = namespace.list("events");
            let is_again = |event: &&Value| {
                event["involvedObject"]["name"] == name
                    && event["reason"] == "SuccessfulRescale"
                    && event["message"]
                        .as_str()
                        .is_some_and(|text| text.starts_with(&format!("New size: {size};")))
                    && event["count"].as_i64().is_some_and(|count| 2 < count)
                    && event["firstTimestamp"] != event["lastTimestamp"]
            };
            events.iter().any(|event| is_again(&event)).then_some(())
        });
    }
    let page = namespace.explain("night", []);
    let page = page.split_whitespace().collect::<Vec<_>>().join(" ");
    for text in [
        "HPA day (min 5 · max 8) has the same target Deployment/web, last desired 5",
        "Their bounds do not overlap, so each brings the replicas within its own before the controller sees \
         both: they fight forever.",
        "and, with nothing of its own between, again at",
        "HPA day changed the replicas in between",
    ] {
        assert!(page.contains(text), "no {text:?} in {page}");
    }
    namespace.run(["delete", "hpa", "night", "day"]);
}

/// Creates an object that other writers change at the same time.
fn create(namespace: &Namespace, name: &str, object: &Value) {
    let file = crate::cluster::cluster().file(&format!("{name}.json"));
    std::fs::write(&file, object.to_string()).unwrap();
    namespace.run(["create", "-f", file.to_str().unwrap()]);
}
