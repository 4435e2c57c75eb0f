//! Pods and their samples.

use std::collections::BTreeMap;

use hpa_engine::model::{
    ConditionStatus, Container, ContainerUsage, Pod, PodMetrics, PodPhase, ReadyCondition,
    ResourceList,
};
use jiff::SignedDuration;
use proptest::{collection::vec, option, prelude::*};

use super::{
    text::{name, quantity, resource},
    time,
};

pub(crate) fn pod() -> impl Strategy<Value = Pod> {
    let phase = prop_oneof![
        6 => Just(PodPhase::Running),
        1 => Just(PodPhase::Pending),
        1 => Just(PodPhase::Failed),
        1 => Just(PodPhase::Succeeded),
        1 => Just(PodPhase::Other("Unknown".to_owned())),
    ];
    let status = prop_oneof![
        6 => Just(ConditionStatus::True),
        2 => Just(ConditionStatus::False),
        1 => Just(ConditionStatus::Unknown),
    ];
    let ready = (status, option::of(time())).prop_map(|(status, last_transition)| ReadyCondition {
        status,
        last_transition,
    });
    (
        (name(), labels(), phase),
        (option::weighted(0.1, time()), option::weighted(0.9, time())),
        option::weighted(0.9, ready),
        (vec(container(), 0..3), vec(container(), 0..2)),
        (extra_resources(), extra_resources()),
    )
        .prop_map(
            |(
                (name, labels, phase),
                (deleted, started),
                ready,
                (containers, init_containers),
                (requests, overhead),
            )| Pod {
                name,
                labels: labels.into(),
                deleted,
                phase,
                started,
                ready,
                containers: containers.into(),
                init_containers: init_containers.into(),
                requests,
                overhead,
                ..Pod::default()
            },
        )
}

pub(crate) fn pod_metrics() -> impl Strategy<Value = PodMetrics> {
    let window = prop_oneof![
        8 => (0..120_i64).prop_map(SignedDuration::from_secs),
        1 => Just(SignedDuration::MAX),
        1 => Just(SignedDuration::MIN),
    ];
    let usage = (name(), resources()).prop_map(|(name, usage)| ContainerUsage { name, usage });
    (
        name(),
        option::of(labels()),
        option::of(time()),
        window,
        vec(usage, 0..3),
    )
        .prop_map(|(name, labels, timestamp, window, containers)| PodMetrics {
            name,
            labels: labels.map(Into::into),
            timestamp,
            window,
            containers,
        })
}

fn container() -> impl Strategy<Value = Container> {
    (name(), resources(), any::<bool>()).prop_map(|(name, requests, is_restartable)| Container {
        readiness_probe: None,
        name,
        requests,
        limits: Vec::new(),
        is_restartable,
    })
}

/// The resources of the pod as a whole, mostly none.
fn extra_resources() -> impl Strategy<Value = ResourceList> {
    prop_oneof![4 => Just(Vec::new()), 1 => vec((resource(), quantity()), 1..3)]
}

/// Mostly complete.
fn resources() -> impl Strategy<Value = ResourceList> {
    let usual = (quantity(), quantity())
        .prop_map(|(cpu, memory)| vec![("cpu".to_owned(), cpu), ("memory".to_owned(), memory)]);
    prop_oneof![8 => usual, 1 => vec((resource(), quantity()), 0..3)]
}

/// Mostly the target's labels.
fn labels() -> impl Strategy<Value = BTreeMap<String, String>> {
    prop_oneof![4 => Just("web"), 1 => Just("other")]
        .prop_map(|app| BTreeMap::from([("app".to_owned(), app.to_owned())]))
}
