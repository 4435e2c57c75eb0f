//! What a metric would recommend if all pods were ready.

use std::collections::BTreeSet;

use hpa_engine::{
    engine,
    model::{
        ConditionStatus, ContainerUsage, Memory, Observation, PodMetrics, PodPhase, Quantity,
        Reading, ReadyCondition, Shared, quantity::Format,
    },
    trace::{MetricEvaluation, MetricStep, Milli, PodClass, RatioFormula, Trace},
};
use jiff::SignedDuration;

use super::{
    probe::{evaluation, first_ratio, groups, proposal, set_total, shares_its_samples},
    selected_pods::selected_pods,
};

/// What a metric would recommend if the pods that are not ready were ready.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IfReady {
    /// Number of pods that are not counted now but could be.
    pub pods: usize,
    /// The recommendation.
    pub replicas: i32,
}

/// What the metric at `index` would recommend if its unready and missing pods were ready and had the average usage of
/// the counted ones, or if all pods were ready that its value is multiplied by. None if no such pod can still become ready,
/// or if no pod is counted.
pub fn if_ready(observation: &Observation, trace: &Trace, index: usize) -> Option<IfReady> {
    let (promoted, world) = match with_ready_pods(observation, trace, &[index]) {
        Some(found) => found,
        None => with_multiplied_pods(observation, evaluation(trace, index)?)?,
    };
    let after = engine::decide(&world, &mut Memory::default(), trace.at);
    Some(IfReady {
        pods: promoted.len(),
        replicas: proposal(evaluation(&after, index)?)?,
    })
}

/// The pods that are not counted but could be, and an observation in which they are ready and have the average usage.
pub(super) fn all_ready(
    observation: &Observation,
    trace: &Trace,
) -> Option<(Vec<String>, Observation)> {
    let indices: Vec<usize> = trace
        .metrics()
        .filter(|metric| groups(metric).is_some())
        .map(|metric| metric.index)
        .collect();
    if indices
        .iter()
        .any(|index| shares_its_samples(observation, *index))
    {
        return None;
    }
    with_ready_pods(observation, trace, &indices)
}

/// An observation in which the unready and missing pods of the metrics at `indices` are ready and have the average
/// usage of the counted ones, and the names of these pods. None if no such pod can still become ready, or if a metric
/// counts no pod.
fn with_ready_pods(
    observation: &Observation,
    trace: &Trace,
    indices: &[usize],
) -> Option<(Vec<String>, Observation)> {
    let mut world = observation.clone();
    let Reading::Read(pods) = &mut world.pods else {
        return None;
    };
    let mut promoted = BTreeSet::new();
    let mut metrics = Vec::new();
    for index in indices {
        let metric = evaluation(trace, *index)?;
        let groups = groups(metric)?;
        if groups.ready == 0 {
            return None;
        }
        let mut counted = BTreeSet::new();
        for classified in &groups.pods {
            let pod = pods.get(classified.pod)?;
            match classified.class {
                PodClass::Ready => counted.insert(pod.name.clone()),
                // A pod that has finished stays missing.
                PodClass::Missing | PodClass::Unready if pod.phase != PodPhase::Succeeded => {
                    promoted.insert(pod.name.clone())
                }
                PodClass::Missing | PodClass::Unready | PodClass::Ignored => false,
            };
        }
        metrics.push((metric, counted));
    }
    if promoted.is_empty() {
        return None;
    }
    let long_ago = engine::before(trace.at, SignedDuration::from_hours(24));
    for pod in pods.iter_mut().filter(|pod| promoted.contains(&pod.name)) {
        pod.phase = PodPhase::Running;
        pod.started = Some(long_ago);
        pod.ready = Some(ReadyCondition {
            status: ConditionStatus::True,
            last_transition: Some(long_ago),
        });
    }
    for (metric, counted) in metrics {
        let names: BTreeSet<String> = counted.union(&promoted).cloned().collect();
        let total = total_for(metric, names.len())?;
        add_samples(&mut world, metric.index, &names);
        set_total(&mut world, metric.index, &names, total);
    }
    Some((promoted.into_iter().collect(), world))
}

/// An observation in which all active pods are ready, for a value that is multiplied by the ready ones, and the names of those
/// that are not yet. None for other metrics, and if all are ready.
fn with_multiplied_pods(
    observation: &Observation,
    metric: &MetricEvaluation,
) -> Option<(Vec<String>, Observation)> {
    let is_multiplied = |step: &MetricStep| matches!(step, MetricStep::CountReadyPods(_));
    if !metric.steps.iter().any(is_multiplied) {
        return None;
    }
    let selected = selected_pods(observation).into_iter();
    let waiting = selected.filter(|pod| pod.is_active() && !pod.is_ready());
    let names: Vec<String> = waiting.map(|pod| pod.name.clone()).collect();
    let mut world = observation.clone();
    let Reading::Read(pods) = &mut world.pods else {
        return None;
    };
    for pod in pods.iter_mut().filter(|pod| names.contains(&pod.name)) {
        pod.phase = PodPhase::Running;
        pod.ready = Some(ReadyCondition {
            status: ConditionStatus::True,
            last_transition: None,
        });
    }
    (!names.is_empty()).then_some((names, world))
}

/// The total usage of `pods` pods at the average of the counted ones.
fn total_for(evaluation: &MetricEvaluation, pods: usize) -> Option<Milli> {
    let (Milli(usage), counted) = match *first_ratio(evaluation)? {
        RatioFormula::PodAverage { usage, pods, .. }
        | RatioFormula::Utilization { usage, pods, .. } => (usage, pods),
        RatioFormula::AveragePerReplica { .. } | RatioFormula::Value { .. } => return None,
    };
    let pods = i64::try_from(pods).ok()?;
    let counted = i64::try_from(counted)
        .ok()
        .filter(|counted| *counted != 0)?;
    Some(Milli(usage.checked_mul(pods)? / counted))
}

/// Gives every pod of `names` a sample with the same window as the others.
fn add_samples(world: &mut Observation, index: usize, names: &BTreeSet<String>) {
    let Some(metric) = world.hpa.spec.metrics.get(index) else {
        return;
    };
    if let Some(resource) = metric.resource() {
        let container = metric.container();
        return add_pod_samples(&mut world.pod_metrics, names, resource, container);
    }
    let answers = world.custom_metrics.iter_mut();
    for answer in answers.filter(|one| metric.is_pods() && one.index == index) {
        let Reading::Read(values) = &mut answer.answer else {
            continue;
        };
        let Some(like) = values.first().cloned() else {
            continue;
        };
        let present: BTreeSet<String> = values.iter().map(|one| one.object.clone()).collect();
        for name in names.difference(&present) {
            let mut value = like.clone();
            value.object.clone_from(name);
            values.push(value);
        }
    }
}

/// Gives every pod of `names` a usage of `resource` in `container`, or in any container.
fn add_pod_samples(
    samples: &mut Reading<Shared<PodMetrics>>,
    names: &BTreeSet<String>,
    resource: &str,
    container: Option<&str>,
) {
    let Reading::Read(samples) = samples else {
        return;
    };
    let Some(like) = samples.iter().find(|one| names.contains(&one.name)) else {
        return;
    };
    let like = PodMetrics {
        containers: Vec::new(),
        ..like.clone()
    };
    let present: BTreeSet<&String> = samples.iter().map(|one| &one.name).collect();
    let added: Vec<PodMetrics> = names
        .iter()
        .filter(|name| !present.contains(name))
        .map(|name| PodMetrics {
            name: name.clone(),
            ..like.clone()
        })
        .collect();
    samples.extend(added);
    let has_resource = |one: &ContainerUsage| one.usage.iter().any(|(name, _)| name == resource);
    let is_selected = |one: &ContainerUsage| container.is_none_or(|name| one.name == name);
    for sample in samples.iter_mut().filter(|one| names.contains(&one.name)) {
        let containers = &mut sample.containers;
        if containers
            .iter()
            .any(|one| is_selected(one) && has_resource(one))
        {
            continue;
        }
        let usage = (
            resource.to_owned(),
            Quantity::from_milli(0, Format::DecimalSI),
        );
        match containers.iter_mut().find(|one| is_selected(one)) {
            Some(one) => one.usage.push(usage),
            None => containers.push(ContainerUsage {
                name: container.unwrap_or("all").to_owned(),
                usage: vec![usage],
            }),
        }
    }
}
