//! Rules about the cluster and about the status of an HPA, at every edge.

use hpa_engine::{
    engine::decide,
    model::{Memory, Observation},
    trace::{Decision, MetricOutcome, Trace},
};
use hpa_objects::recording::{Snapshot, wire::FieldManager};
use proptest::{collection::vec, option, prelude::*};
use serde_json::{Value, json};

use hpa_testing::NOW;

use crate::{
    linted::{
        Linted, ago, deployment, hpa, merge, object, observed, observed_with, resource, utilization,
    },
    tolerance::{Class, situation},
};

/// A pod of the target, running and ready, with further status fields.
fn pod(index: usize, more: Value) -> Value {
    let mut pod = object(
        "v1",
        "Pod",
        json!({
            "metadata": {
                "creationTimestamp": ago(20_000),
                "labels": {"app": "web"},
                "ownerReferences": [{"apiVersion": "apps/v1", "kind": "ReplicaSet", "name": "web-1", "controller": true}],
            },
            "spec": {"containers": [{"name": "main", "resources": {"requests": {"cpu": "100m"}}}]},
            "status": {
                "phase": "Running",
                "startTime": ago(20_000),
                "conditions": [{"type": "Ready", "status": "True", "lastTransitionTime": ago(19_000)}],
            },
        }),
    );
    merge(&mut pod, more);
    pod["metadata"]["name"] = json!(format!("web-{index}"));
    pod
}

fn sample(index: usize, usage: i64, age: i64, window: i64) -> Value {
    let mut sample = object(
        "metrics.k8s.io/v1beta1",
        "PodMetrics",
        json!({
            "timestamp": ago(age),
            "window": format!("{window}s"),
            "containers": [{"name": "main", "usage": {"cpu": format!("{usage}m")}}],
        }),
    );
    sample["metadata"]["name"] = json!(format!("web-{index}"));
    sample
}

fn workload(replicas: i32) -> Value {
    deployment(
        replicas,
        json!({}),
        json!({"containers": [{"name": "main"}]}),
    )
}

fn condition(kind: &str, (status, reason): (&str, &str), age: i64) -> Value {
    json!({"type": kind, "status": status, "reason": reason, "message": "", "lastTransitionTime": ago(age)})
}

/// A healthy HPA, with further status fields.
fn well(mut hpa: Value, replicas: i32, status: Value) -> Value {
    hpa["status"] = json!({
        "currentReplicas": replicas,
        "desiredReplicas": replicas,
        "conditions": [
            condition("AbleToScale", ("True", "ReadyForNewScale"), 9000),
            condition("ScalingActive", ("True", "ValidMetricFound"), 9000),
        ],
    });
    merge(&mut hpa["status"], status);
    hpa
}

/// A time in seconds, often near an edge.
fn about(edge: i64) -> impl Strategy<Value = i64> {
    prop_oneof![(edge - 2).max(0)..edge + 3, 0..edge * 2]
}

#[expect(clippy::cast_precision_loss, reason = "seconds")]
fn seconds(seconds: i64) -> f64 {
    seconds as f64
}

/// The engine's result for pods that each use this many thousandths of a core of 100, at `spec`.
fn engine(linted: &Linted, replicas: i32, usage: i64, target: i32) -> (Observation, Trace) {
    let plans = vec![(100, usage, Class::Ready); usize::try_from(replicas).unwrap()];
    // Usage in percent of 100 thousandths.
    let mut observation = situation(&plans, 100, true, (36, 0.1, replicas));
    observation.hpa.spec = linted.input.hpas[0].spec(&linted.input.sources).unwrap().1;
    let metrics = situation(&plans, target, false, (36, 0.1, replicas))
        .hpa
        .spec
        .metrics;
    observation.hpa.spec.metrics = metrics;
    let trace = decide(&observation, &mut Memory::default(), NOW);
    (observation, trace)
}

fn replicas_after(trace: &Trace) -> i32 {
    match trace.decision {
        Decision::Rescale { to, .. } => to,
        Decision::Hold { current } => current,
        ref other => panic!("{other:?}"),
    }
}

fn proposal(trace: &Trace) -> i32 {
    match trace.metrics().next().unwrap().outcome {
        MetricOutcome::Proposal { replicas, .. } => replicas,
        ref other => panic!("{other:?}"),
    }
}

proptest! {
    #[test]
    fn samples_are_stale_by_the_age_of_the_newest(
        samples in vec((about(150), 10..40_i64), 1..4),
        resolution in prop_oneof![Just(60_i64), 1..120_i64],
        (number, other, hpas) in (0..6_usize, 0..4_usize, 1..8_i32),
        near in option::of((10..60_i64, -1..2_i64)),
    ) {
        let mut samples = samples;
        if let Some((window, near)) = near {
            samples = vec![(2 * (window + resolution) + near, window)];
        }
        let cpu = json!({"metrics": [resource("cpu", utilization(60))]});
        let mut objects = vec![
            well(hpa(1, 9, cpu), 1, json!({})),
            workload(i32::try_from(samples.len()).unwrap()),
        ];
        for (index, (age, window)) in samples.iter().enumerate() {
            objects.extend([pod(index, json!({})), sample(index, 50, *age, *window)]);
        }
        for (index, namespace) in [(number, "shop"), (other, "bank")].into_iter().enumerate() {
            for at in 0..namespace.0 {
                let mut more = hpa(1, 9, json!({"scaleTargetRef": {"name": "other"}}));
                more["metadata"] = json!({"name": format!("more-{index}-{at}"), "namespace": namespace.1});
                objects.push(more);
            }
        }
        let linted = observed(&objects)
            .threshold("HPA703", "resolution", seconds(resolution))
            .threshold("HPA704", "hpas", f64::from(hpas));
        let newest = samples.iter().map(|(age, _)| *age).min().unwrap();
        let window = samples.iter().filter(|(age, _)| *age == newest).map(|(_, window)| *window).max();
        let is_stale = 2 * (window.unwrap() + resolution) < newest;
        let of_web = |code| linted.report(code).findings.iter().any(|one| one.object.name == "web");
        prop_assert_eq!(of_web("HPA703"), is_stale);
        let all = 1 + number + other;
        let place = if other == 0 { "in namespace shop" } else { "in the given files" };
        let printed: Vec<String> = linted.report("HPA704").findings.iter().map(|one| one.finding.message.to_string()).collect();
        let expected = (usize::try_from(hpas).unwrap() < all).then(|| format!("{all} HPAs {place}, so syncs can come late"));
        prop_assert_eq!(printed, expected.into_iter().collect::<Vec<_>>());
    }

    #[test]
    fn pods_find_no_node_if_they_waited_long_and_too_few_are_ready(
        pods in vec((about(120), prop::sample::select(&["ready", "unready", "waiting", "deleted"][..])), 1..7),
        more in -2..3_i32,
        least in prop_oneof![Just(120_i64), 1..200_i64],
    ) {
        let ready = pods.iter().filter(|(_, kind)| *kind == "ready").count();
        let replicas = (i32::try_from(ready).unwrap() + more).max(1);
        let mut objects = vec![
            well(hpa(1, 9, json!({"metrics": [resource("cpu", utilization(60))]})), replicas, json!({})),
            workload(replicas),
        ];
        for (index, (age, kind)) in pods.iter().enumerate() {
            let unready = |kind: &str| json!([{"type": kind, "status": "False", "lastTransitionTime": ago(*age)}]);
            let metadata = json!({"creationTimestamp": ago(*age)});
            objects.push(pod(index, match *kind {
                "ready" => json!({"metadata": metadata}),
                "unready" => json!({"metadata": metadata, "status": {"conditions": unready("Ready")}}),
                kind => {
                    let status = json!({"phase": "Pending", "conditions": unready("PodScheduled")});
                    let mut waiting = json!({"metadata": metadata, "status": status});
                    if kind == "deleted" {
                        waiting["metadata"]["deletionTimestamp"] = json!(ago(0));
                    }
                    waiting
                }
            }));
        }
        let linted = observed(&objects).threshold("HPA706", "duration", seconds(least));
        let waits = pods.iter().any(|(age, kind)| *kind == "waiting" && least < *age);
        let is_short = i32::try_from(ready).unwrap() < replicas;
        prop_assert_eq!(linted.fires("HPA706"), waits && is_short);
    }

    #[test]
    fn an_hpa_is_held_back_by_what_the_engine_holds_it_back_by(
        replicas in 1..9_i32,
        usage in 1..300_i64,
        target in 20..90_i32,
        (less, more) in (0..4_i32, 0..4_i32),
        policy in (prop::sample::select(&["Pods", "Percent"][..]), 1..60_i32),
        reason in prop::sample::select(&["TooManyReplicas", "TooFewReplicas", "ScaleUpLimit", "ScaleDownLimit"][..]),
        (condition_age, scale_age) in (about(600), option::of(about(600))),
        duration in prop_oneof![Just(600_i64), 0..900_i64],
    ) {
        let (min, max) = ((replicas - less).max(1), replicas + more);
        let behavior = |value: i32, policy_type: &str| {
            let side = json!({
                "stabilizationWindowSeconds": 0,
                "policies": [{"type": policy_type, "value": value, "periodSeconds": 60}],
            });
            json!({"behavior": {"scaleUp": side, "scaleDown": side}})
        };
        let spec = |behavior: Value| {
            let mut spec = json!({"metrics": [resource("cpu", utilization(target))]});
            merge(&mut spec, behavior);
            hpa(min, max, spec)
        };
        let limited = condition("ScalingLimited", ("True", reason), condition_age);
        let mut web = well(spec(behavior(policy.1, policy.0)), replicas, json!({}));
        web["status"]["conditions"].as_array_mut().unwrap().push(limited);
        if let Some(age) = scale_age {
            web["status"]["lastScaleTime"] = json!(ago(age));
        }
        let mut objects = vec![web, workload(replicas)];
        for index in 0..usize::try_from(replicas).unwrap() {
            objects.extend([pod(index, json!({})), sample(index, usage, 5, 15)]);
        }
        let linted = observed(&objects).threshold("HPA804", "duration", seconds(duration));
        let (mut world, trace) = engine(&linted, replicas, usage, target);
        let proposal = proposal(&trace);
        let lasts = scale_age.map_or(condition_age, |age| age.min(condition_age));
        // With another number of replicas, the condition is about another maxReplicas.
        let is_of_spec = replicas == max;
        let is_over = reason == "TooManyReplicas" && is_of_spec && max < proposal && duration <= lasts;
        prop_assert_eq!(linted.fires("HPA804"), is_over);
        prop_assert_eq!(linted.fires("HPA805"), reason == "TooFewReplicas" && proposal < min);

        // The result without the policy.
        let unlimited = observed(&[spec(behavior(1000, "Pods"))]);
        world.hpa.spec.behavior.clone_from(&unlimited.input.hpas[0].spec(&unlimited.input.sources).unwrap().1.behavior);
        let without = replicas_after(&decide(&world, &mut Memory::default(), NOW));
        let with = replicas_after(&trace);
        let is_held = match reason {
            "ScaleUpLimit" => with < without,
            "ScaleDownLimit" => without < with,
            _ => false,
        };
        let printed = linted.says("HPA806");
        prop_assert_eq!(!printed.is_empty(), is_held, "{:?}, {} and {}", printed, with, without);
        if is_held {
            let words =
                format!("the metrics ask for {proposal} replicas but the ");
            prop_assert!(printed[0].contains(&words), "{:?}", printed);
            let words = format!(" rate limit allows {with} now, so the rest takes more syncs");
            prop_assert!(printed[0].ends_with(&words), "{:?}", printed);
        }
    }

    #[test]
    fn a_status_disagrees_or_is_stale_after_two_syncs(
        replicas in 2..7_i32,
        usage in 1..300_i64,
        age in about(30),
        syncs in prop_oneof![Just(2_i64), 1..5_i64],
        is_edited in any::<bool>(),
        (observed_generation, generation) in (1..4_i64, 1..4_i64),
    ) {
        let max = if is_edited { replicas - 1 } else { 20 };
        let side = json!({"stabilizationWindowSeconds": 0});
        let more = json!({
            "metrics": [resource("cpu", utilization(60))],
            "behavior": {"scaleDown": side},
        });
        let current = json!([{"type": "Resource", "resource": {
            "name": "cpu",
            "current": {"averageUtilization": usage, "averageValue": format!("{usage}m")},
        }}]);
        let mut web = well(hpa(1, max, more), replicas, json!({"currentMetrics": current}));
        let within = condition("ScalingLimited", ("False", "DesiredWithinRange"), 9000);
        web["status"]["conditions"].as_array_mut().unwrap().push(within);
        let now = |age: i64| Some(ago(age).parse().unwrap());
        let known = |snapshot: &mut Snapshot| {
            snapshot.hpa_status_written = now(if is_edited { 40 + age } else { age });
            snapshot.hpa_edited_by = Some(FieldManager {
                manager: "kubectl-edit".to_owned(),
                time: now(if is_edited { age } else { 8000 }),
                ..FieldManager::default()
            });
        };
        let mut objects = vec![web.clone(), workload(replicas)];
        for index in 0..usize::try_from(replicas).unwrap() {
            objects.extend([pod(index, json!({})), sample(index, usage, 5, 15)]);
        }
        #[expect(clippy::cast_precision_loss, reason = "a few syncs")]
        let linted = observed_with(&objects, known).threshold("HPA807", "syncs", syncs as f64);
        let (_, trace) = engine(&linted, replicas, usage, 60);
        let differs = replicas_after(&trace) != replicas;
        prop_assert_eq!(linted.fires("HPA807"), !is_edited && differs && 15 * syncs <= age);
        prop_assert_eq!(linted.fires("HPA808"), is_edited && 30 <= age);

        // From 1.37 on, the status says which generation of the spec it is for.
        web["metadata"]["generation"] = json!(generation);
        web["status"]["observedGeneration"] = json!(observed_generation);
        objects[0] = web;
        let mut linted = observed(&objects);
        let generations = &mut linted.settings.configs[0].feature_gates.hpa_generation;
        generations.value = true;
        prop_assert_eq!(linted.fires("HPA808"), observed_generation < generation);
    }

    #[test]
    fn an_hpa_that_never_scaled_or_has_no_target_is_told_after_its_time(
        (created, deleted) in (about(1000), about(1000)),
        (most, longest) in (prop_oneof![Just(1000_i64), 1..2000_i64], prop_oneof![Just(1000_i64), 1..2000_i64]),
        (has_scaled, has_target) in any::<(bool, bool)>(),
    ) {
        let mut web = well(hpa(1, 9, json!({"metrics": [resource("cpu", utilization(60))]})), 1, json!({}));
        web["metadata"]["creationTimestamp"] = json!(ago(created));
        let mut failed = condition("AbleToScale", ("False", "FailedGetScale"), deleted);
        failed["message"] = json!("unable to get the target's current scale: deployments.apps \"web\" not found");
        web["status"]["conditions"][0] = failed;
        if has_scaled {
            web["status"]["lastScaleTime"] = json!(ago(created / 2));
        }
        let mut objects = vec![web];
        if has_target {
            objects.push(workload(1));
        }
        let linted = observed(&objects)
            .threshold("HPA810", "age", seconds(most))
            .threshold("HPA811", "duration", seconds(longest));
        prop_assert_eq!(linted.fires("HPA810"), !has_scaled && most < created);
        prop_assert_eq!(linted.fires("HPA811"), !has_target && longest < deleted);
    }

    #[test]
    fn an_alert_on_the_maximum_always_fires_for_one_number_only(
        (min, more) in (1..9_i32, 0..2_i32),
        is_excluded in any::<bool>(),
    ) {
        let mut expression = "kube_horizontalpodautoscaler_status_current_replicas == \
            kube_horizontalpodautoscaler_spec_max_replicas".to_owned();
        if is_excluded {
            expression.push_str(" != kube_horizontalpodautoscaler_spec_min_replicas");
        }
        let group = json!({"name": "hpa", "rules": [{"alert": "MaxedOut", "expr": expression}]});
        let alert = object("monitoring.coreos.com/v1", "PrometheusRule", json!({"spec": {"groups": [group]}}));
        let objects = [hpa(min, min + more, json!({})), alert];
        prop_assert_eq!(observed(&objects).fires("HPA708"), more == 0 && !is_excluded);
    }
}
