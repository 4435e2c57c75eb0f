//! Rules about pods, at every edge: probes, times and usages compared with the engine and with plain sums.

use hpa_engine::{
    engine::decide,
    model::{ConditionStatus, Input as Given, Memory, Reading, ReadyCondition},
    trace::{MetricStep, PodClass, Trace},
};
use jiff::SignedDuration;
use proptest::{collection::vec, option, prelude::*};
use serde_json::{Value, json};

use hpa_testing::NOW;

use crate::{
    linted::{Linted, ago, deployment, files, hpa, merge, object, observed, resource, utilization},
    tolerance::{Class, situation},
};

/// `initialDelaySeconds`, `failureThreshold` and `periodSeconds`, if written.
type Probe = [Option<i64>; 3];

fn probes() -> impl Strategy<Value = Vec<[Option<Probe>; 2]>> {
    let probe = || {
        (
            option::of(0..12_i64),
            option::of(1..40_i64),
            option::of(1..12_i64),
        )
            .prop_map(|(delay, threshold, period)| [delay, threshold, period])
    };
    let container = (option::of(probe()), option::of(probe()));
    vec(
        container.prop_map(|(startup, readiness)| [startup, readiness]),
        1..3,
    )
}

/// The longest start that the probes allow, with the API server's defaults: a startup probe may fail as often as its
/// threshold, and a readiness probe must succeed once.
fn start(containers: &[[Option<Probe>; 2]]) -> Option<i64> {
    let starts = containers.iter().flat_map(|[startup, readiness]| {
        let seconds = |[delay, _, period]: Probe, times: i64| {
            delay.unwrap_or(0) + times * period.unwrap_or(10)
        };
        let startup = startup.map(|probe| seconds(probe, probe[1].unwrap_or(3)));
        [startup, readiness.map(|probe| seconds(probe, 1))]
    });
    starts.flatten().max()
}

fn with_probes(containers: &[[Option<Probe>; 2]]) -> Value {
    let names = ["initialDelaySeconds", "failureThreshold", "periodSeconds"];
    let written = |probe: &Probe| {
        let mut written = json!({"tcpSocket": {"port": 80}});
        for (name, value) in names.into_iter().zip(probe) {
            if let Some(value) = value {
                merge(&mut written, json!({ name: value }));
            }
        }
        written
    };
    let containers = containers.iter().enumerate().map(|(index, probes)| {
        let mut container = json!({"name": format!("c{index}")});
        for (name, probe) in ["startupProbe", "readinessProbe"].into_iter().zip(probes) {
            if let Some(probe) = probe {
                merge(&mut container, json!({ name: written(probe) }));
            }
        }
        container
    });
    json!({"containers": containers.collect::<Vec<_>>()})
}

/// A container of a pod: request, limit and usage in thousandths of a core.
type Load = (i64, Option<i64>, Option<i64>);

/// A pod of the target `web` in a cluster, and its sample.
fn pod(index: usize, loads: &[Load], status: Value) -> [Value; 2] {
    let name = |at: usize| format!("c{at}");
    let containers = loads.iter().enumerate().map(|(at, (request, limit, _))| {
        let mut resources = json!({"requests": {"cpu": format!("{request}m")}});
        if let Some(limit) = limit {
            merge(
                &mut resources,
                json!({"limits": {"cpu": format!("{limit}m")}}),
            );
        }
        json!({"name": name(at), "resources": resources})
    });
    let used = loads.iter().enumerate().filter_map(|(at, (_, _, usage))| {
        let usage = (*usage)?;
        Some(json!({"name": name(at), "usage": {"cpu": format!("{usage}m")}}))
    });
    let metadata = json!({
        "name": format!("web-{index}"),
        "creationTimestamp": ago(20_000),
        "labels": {"app": "web"},
        "ownerReferences": [{"apiVersion": "apps/v1", "kind": "ReplicaSet", "name": "web-1", "controller": true}],
    });
    let mut of_status = json!({
        "phase": "Running",
        "startTime": ago(20_000),
        "conditions": [{"type": "Ready", "status": "True", "lastTransitionTime": ago(19_000)}],
    });
    merge(&mut of_status, status);
    let spec = json!({"containers": containers.collect::<Vec<_>>()});
    let pod = json!({"metadata": metadata, "spec": spec, "status": of_status});
    let sample = json!({
        "metadata": {"name": format!("web-{index}"), "labels": {"app": "web"}},
        "timestamp": ago(10),
        "window": "15s",
        "containers": used.collect::<Vec<_>>(),
    });
    [
        object("v1", "Pod", pod),
        object("metrics.k8s.io/v1beta1", "PodMetrics", sample),
    ]
}

/// The HPA with a cpu metric, its Deployment, and these objects.
fn cluster(target: i32, pods: Vec<Value>) -> Linted {
    let mut objects = vec![
        hpa(
            1,
            50,
            json!({"metrics": [resource("cpu", utilization(target))]}),
        ),
        deployment(3, json!({}), json!({"containers": [{"name": "c0"}]})),
    ];
    objects.extend(pods);
    observed(&objects)
}

fn class(trace: &Trace) -> PodClass {
    let steps = trace.metrics().flat_map(|metric| &metric.steps);
    let mut classes = steps.filter_map(|step| match step {
        MetricStep::GroupPods(groups) => Some(groups.pods[0].class),
        _ => None,
    });
    classes.next().unwrap()
}

/// The state of a pod for this many seconds.
#[derive(Clone, Copy, Debug)]
enum Kind {
    Counted,
    Pending(i64),
    NeverReady(i64),
    NoSample,
    Deleted,
}

proptest! {
    #[test]
    fn a_start_is_too_long_if_the_engine_counts_its_last_sample_as_soon_as_the_pod_is_ready(
        containers in probes(),
        period in prop_oneof![Just(300_i64), 20..400_i64],
        near in option::of(-2..3_i64),
    ) {
        let longest = start(&containers);
        let period = match (near, longest) {
            (Some(near), Some(longest)) => (longest + near).max(1),
            _ => period,
        };
        let queue = json!({"type": "Pods", "pods": {
            "metric": {"name": "queue"},
            "target": {"type": "AverageValue", "averageValue": "1"},
        }});
        let objects = [
            hpa(1, 9, json!({"metrics": [resource("cpu", utilization(60)), queue]})),
            deployment(1, json!({}), with_probes(&containers)),
        ];
        #[expect(clippy::cast_precision_loss, reason = "seconds of a start")]
        let mut linted = files(&objects).threshold("HPA505", "start", period as f64);
        let initialization = Given::given(SignedDuration::from_secs(period));
        linted.settings.configs[0].cpu_initialization_period = initialization;
        let is_long = longest.is_some_and(|longest| period < longest);
        prop_assert_eq!(linted.fires("HPA504"), is_long);
        prop_assert_eq!(linted.fires("HPA505"), is_long);
        let Some(longest) = longest.filter(|longest| *longest != period) else {
            return Ok(());
        };
        // Ready right now, with a sample that was measured during its start.
        let mut observation = situation(&[(100, 100, Class::Ready)], 60, false, (36, 0.1, 1));
        observation.controller.cpu_initialization_period = initialization;
        if let (Reading::Read(pods), Reading::Read(samples)) =
            (&mut observation.pods, &mut observation.pod_metrics)
        {
            pods[0].started = Some(NOW - SignedDuration::from_secs(longest));
            pods[0].ready = Some(ReadyCondition {
                status: ConditionStatus::True,
                last_transition: Some(NOW),
            });
            samples[0].timestamp = Some(NOW - SignedDuration::from_secs(1));
        }
        let trace = decide(&observation, &mut Memory::default(), NOW);
        prop_assert_eq!(class(&trace) == PodClass::Ready, is_long);
    }

    #[test]
    fn a_grace_period_is_long_if_it_outlasts_the_window(
        grace in option::weighted(0.9, 0..1200_i64),
        window in option::of(0..1200_i64),
        least in prop_oneof![Just(600_i64), 1..1200_i64],
        near in option::of((any::<bool>(), -1..2_i64)),
    ) {
        let grace = match near {
            Some((true, near)) => Some((least + near).max(0)),
            Some((false, near)) => Some((window.unwrap_or(300) + near).max(0)),
            None => grace,
        };
        let mut pod = json!({"containers": [{"name": "main"}]});
        if let Some(grace) = grace {
            merge(&mut pod, json!({"terminationGracePeriodSeconds": grace}));
        }
        let down = window.map_or(json!({}), |window| json!({"stabilizationWindowSeconds": window}));
        let objects = [
            hpa(1, 9, json!({"behavior": {"scaleDown": down}})),
            deployment(1, json!({}), pod),
        ];
        #[expect(clippy::cast_precision_loss, reason = "seconds of a grace period")]
        let linted = files(&objects).threshold("HPA507", "grace", least as f64);
        let is_long = grace.is_some_and(|grace| least <= grace && window.unwrap_or(300) < grace);
        prop_assert_eq!(linted.fires("HPA507"), is_long);
    }

    #[test]
    fn unready_pods_are_many_by_their_share_of_those_that_are_not_ignored(
        kinds in vec(
            prop_oneof![
                4 => Just(Kind::Counted),
                2 => (0..700_i64).prop_map(Kind::Pending),
                2 => (299..302_i64).prop_map(Kind::NeverReady),
                1 => Just(Kind::NoSample),
                1 => Just(Kind::Deleted),
            ],
            1..12,
        ),
        share in prop_oneof![Just(20_i32), 1..100_i32, Just(50), Just(25)],
        near in any::<bool>(),
    ) {
        // Without any sample, the controller does not evaluate the pods.
        let has_sample = |kind: &Kind| matches!(kind, Kind::Counted | Kind::NeverReady(_));
        prop_assume!(kinds.iter().any(has_sample));
        // Old enough to have been not ready for longer than the period.
        let is_long = |kind: &&Kind| matches!(kind, Kind::Pending(age) | Kind::NeverReady(age) if 300 < *age);
        let long = kinds.iter().filter(is_long).count();
        let total = kinds.iter().filter(|kind| !matches!(kind, Kind::Deleted)).count();
        let share = if near && 0 < total {
            i32::try_from(long * 100 / total).unwrap().max(1)
        } else {
            share
        };
        let pods = kinds.iter().enumerate().flat_map(|(index, kind)| {
            let unready = |age: i64| {
                json!([{"type": "Ready", "status": "False", "lastTransitionTime": ago(age)}])
            };
            let (status, has_sample) = match kind {
                Kind::Counted => (json!({}), true),
                Kind::Pending(age) => (json!({"phase": "Pending", "conditions": unready(*age)}), false),
                // Started when its condition was first written.
                Kind::NeverReady(age) => (json!({"startTime": ago(*age), "conditions": unready(*age)}), true),
                Kind::NoSample => (json!({}), false),
                Kind::Deleted => (json!({"phase": "Failed"}), false),
            };
            let [pod, sample] = pod(index, &[(100, None, Some(60))], status);
            [Some(pod), has_sample.then_some(sample)].into_iter().flatten()
        });
        let linted = cluster(60, pods.collect()).threshold("HPA506", "share", f64::from(share));
        let report = linted.report("HPA506");
        let share = usize::try_from(share).unwrap();
        let missing = kinds.iter().filter(|kind| matches!(kind, Kind::NoSample)).count();
        let is_much = |pods: usize| share * total < pods * 100;
        prop_assert_eq!(report.findings.len(), usize::from(is_much(long)));
        // If missing samples could reach the share, it is unknown.
        let is_unknown = !is_much(long) && 0 < missing && is_much(long + missing);
        prop_assert_eq!(!report.notes.is_empty(), is_unknown, "{:?}", report.notes);
    }

    #[test]
    fn usage_is_an_outlier_or_uneven_by_exact_fractions(
        loads in vec(
            vec((1..60_i64, option::weighted(0.8, 1..60_i64), option::weighted(0.98, 0..200_i64)), 1..3),
            1..8,
        ),
        factor in prop_oneof![Just(15_i64), 10..40_i64],
        target in prop_oneof![Just(100_i32), 1..200_i32],
        near in option::of((any::<bool>(), -1..2_i64)),
    ) {
        let mut loads = loads;
        // One value near an edge: the limit times the factor, or what the target allows.
        if let Some((is_limit, near)) = near {
            let requests: i64 = loads.iter().flatten().map(|(request, ..)| request).sum();
            let number = i64::try_from(loads.len()).unwrap();
            let beside: i64 = loads[0][1..].iter().filter_map(|(_, _, usage)| *usage).sum();
            let (_, limit, usage) = &mut loads[0][0];
            let edge = match limit {
                Some(limit) if is_limit => *limit * factor / 10,
                _ => requests * i64::from(target) / (number * 100) - beside,
            };
            *usage = Some((edge + near).max(0));
        }
        let pods = loads.iter().enumerate();
        let pods = pods.flat_map(|(index, loads)| pod(index, loads, json!({})));
        #[expect(clippy::cast_precision_loss, reason = "tenths")]
        let ratio = factor as f64 / 10.0;
        let linted = cluster(target, pods.collect())
            .threshold("HPA510", "factor", ratio)
            .threshold("HPA511", "factor", ratio);
        let containers = loads.iter().flatten();
        let is_outlier = |(_, limit, usage): &Load| {
            limit.zip(*usage).is_some_and(|(limit, usage)| limit * factor < usage * 10)
        };
        prop_assert_eq!(linted.fires("HPA510"), containers.clone().any(is_outlier));
        // A pod with a sample counts with all its containers, and each of them must have a value.
        let counted: Vec<(i64, i64)> = loads
            .iter()
            .filter_map(|pod| {
                let usages: Option<Vec<i64>> = pod.iter().map(|(_, _, usage)| *usage).collect();
                let requests = pod.iter().map(|(request, ..)| request).sum();
                Some((requests, usages?.iter().sum()))
            })
            .collect();
        prop_assume!(counted.len() == loads.len());
        let number = i64::try_from(counted.len()).unwrap();
        let requests: i64 = counted.iter().map(|(requests, _)| requests).sum();
        let sum: i64 = counted.iter().map(|(_, usage)| usage).sum();
        let most = counted.iter().map(|(_, usage)| *usage).max().unwrap();
        let is_uneven = sum * factor < most * number * 10;
        let is_hot = requests * i64::from(target) < most * number * 100;
        prop_assert_eq!(linted.fires("HPA511"), is_uneven && is_hot);
    }
}
