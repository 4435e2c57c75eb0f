//! Decisions a second, trace included, inputs in memory: `cargo bench --bench deciding`.
//!
//! The goals: 100,000 decisions a second on one core with 10 pods and one CPU metric, and a cost linear in pods.

use std::{collections::BTreeMap, sync::Arc};

use divan::{Bencher, counter::ItemsCount};
use hpa_engine::{
    engine::decide,
    model::{
        ConditionStatus, Container, ContainerUsage, ControllerConfig, Hpa, HpaSpec, HpaStatus,
        Input, KubeVersion, Memory, MetricSpec, MetricTarget, Observation, Pod, PodMetrics,
        PodPhase, Quantity, Reading, ReadyCondition, ResourceSource, Scale, ScaleTargetRef,
    },
};
use jiff::{SignedDuration, Timestamp};

fn main() {
    divan::main();
}

/// One sync that stays within tolerance.
#[divan::bench(args = [10, 100, 1_000, 10_000, 50_000])]
fn decide_one_cpu_metric(bencher: Bencher<'_, '_>, pods: usize) {
    let now = now();
    let observation = observation(pods, now);
    let mut memory = Memory::default();
    decide(&observation, &mut memory, now);
    bencher
        .counter(ItemsCount::new(1_usize))
        .bench_local(|| decide(&observation, &mut memory.clone(), now));
}

/// The same with every tenth pod without a sample, which requires the adjusted average.
#[divan::bench(args = [10, 50_000])]
fn decide_with_missing_pods(bencher: Bencher<'_, '_>, pods: usize) {
    let now = now();
    let mut observation = observation(pods, now);
    if let Reading::Read(metrics) = &mut observation.pod_metrics {
        let mut index = 0;
        metrics.retain(|_| {
            index += 1;
            index % 10 != 0
        });
    }
    let mut memory = Memory::default();
    decide(&observation, &mut memory, now);
    bencher
        .counter(ItemsCount::new(1_usize))
        .bench_local(|| decide(&observation, &mut memory.clone(), now));
}

fn now() -> Timestamp {
    Timestamp::constant(1_772_000_000, 0)
}

fn observation(pods: usize, now: Timestamp) -> Observation {
    let replicas = i32::try_from(pods).expect("fewer pods than fit an int32");
    let labels = Arc::new(BTreeMap::from([("app".to_owned(), "web".to_owned())]));
    let cpu = |text: &str| ("cpu".to_owned(), Quantity::parse(text).expect("a quantity"));
    let started = now - SignedDuration::from_hours(2);
    let pod = |index: usize| Pod {
        name: format!("web-{index:05}"),
        labels: labels.clone(),
        phase: PodPhase::Running,
        started: Some(started),
        ready: Some(ReadyCondition {
            status: ConditionStatus::True,
            last_transition: Some(started),
        }),
        containers: vec![Container {
            name: "app".to_owned(),
            requests: vec![cpu("500m")],
            ..Container::default()
        }]
        .into(),
        ..Pod::default()
    };
    let sample = |index: usize| PodMetrics {
        name: format!("web-{index:05}"),
        labels: Some(labels.clone()),
        timestamp: Some(now - SignedDuration::from_secs(20)),
        window: SignedDuration::from_secs(15),
        containers: vec![ContainerUsage {
            name: "app".to_owned(),
            usage: vec![cpu(&format!("{}n", 290_000_000 + index))],
        }],
    };
    Observation {
        controller: ControllerConfig::defaults(Input::given(KubeVersion {
            minor: 36,
            patch: None,
        })),
        hpa: Hpa {
            namespace: "shop".to_owned(),
            name: "web".to_owned(),
            generation: None,
            created: None,
            spec: HpaSpec {
                scale_target: ScaleTargetRef {
                    api_version: Some("apps/v1".to_owned()),
                    kind: "Deployment".to_owned(),
                    name: "web".to_owned(),
                },
                min_replicas: Some(1),
                max_replicas: i32::MAX,
                metrics: vec![MetricSpec::Resource(ResourceSource {
                    name: "cpu".to_owned(),
                    metric_target: MetricTarget {
                        target_type: "Utilization".to_owned(),
                        average_utilization: Some(60),
                        ..MetricTarget::default()
                    },
                })],
                behavior: None,
                sync_period: None,
            },
            status: HpaStatus::default(),
        },
        scale: Reading::Read(Scale {
            spec_replicas: replicas,
            status_replicas: replicas,
            selector: "app=web".to_owned(),
        }),
        scale_write_error: None,
        status_write_error: None,
        pods: Reading::Read((0..pods).map(pod).collect()),
        pod_metrics: Reading::Read((0..pods).map(sample).collect()),
        custom_metrics: Vec::new(),
        external_metrics: Vec::new(),
        other_hpas: hpa_engine::model::Neighbors::default(),
    }
}
