//! What a metric would ask for if the pods that are not ready were.

use std::collections::BTreeSet;

use jiff::SignedDuration;

use super::probe::{evaluation, first_ratio, proposal, set_total};
use crate::{
    engine,
    model::{
        ConditionStatus, ContainerUsage, Memory, MetricSpec, Observation, PodMetrics, PodPhase,
        Quantity, Reading, ReadyCondition, quantity::Format,
    },
    trace::{MetricEvaluation, MetricStep, Milli, PodClass, RatioFormula, Trace},
};

/// What a metric would ask for if the pods that are not ready were.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IfReady {
    /// How many pods are not counted now and may be.
    pub pods: usize,
    /// What the metric would ask for.
    pub replicas: i32,
}

/// What the metric at `index` would ask for if its unready and missing pods were ready and as busy as the counted ones.
/// None if there are none that can still get ready, or if none is counted.
pub fn if_ready(observation: &Observation, trace: &Trace, index: usize) -> Option<IfReady> {
    let before = evaluation(trace, index)?;
    let is_absent = |class| matches!(class, PodClass::Missing | PodClass::Unready);
    let groups = before.steps.iter().find_map(|step| match step {
        MetricStep::GroupPods(groups) => Some(groups),
        _ => None,
    })?;
    if groups.ready == 0 {
        return None;
    }
    let mut world = observation.clone();
    let Reading::Read(pods) = &mut world.pods else {
        return None;
    };
    let long_ago = trace.at - SignedDuration::from_hours(24);
    let mut names = BTreeSet::new();
    let mut promoted = 0;
    for classified in &groups.pods {
        let pod = pods.get_mut(classified.pod)?;
        // A pod that has finished stays missing.
        let is_over = pod.phase == PodPhase::Succeeded;
        if is_absent(classified.class) && !is_over {
            promoted += 1;
            pod.phase = PodPhase::Running;
            pod.started = Some(long_ago);
            pod.ready = Some(ReadyCondition {
                status: ConditionStatus::True,
                last_transition: Some(long_ago),
            });
        }
        if classified.class == PodClass::Ready || (is_absent(classified.class) && !is_over) {
            names.insert(pod.name.clone());
        }
    }
    if promoted == 0 {
        return None;
    }
    let total = total_for(before, names.len())?;
    add_samples(&mut world, index, &names);
    set_total(&mut world, index, &names, total);
    let after = engine::decide(&world, &mut Memory::default(), trace.at);
    Some(IfReady {
        pods: promoted,
        replicas: proposal(evaluation(&after, index)?)?,
    })
}

/// The total usage of `pods` pods at the average of those that count now.
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

/// Gives every pod of `names` a sample that is as long as the others'.
fn add_samples(world: &mut Observation, index: usize, names: &BTreeSet<String>) {
    let zero = || Quantity::from_milli(0, Format::DecimalSI);
    match world.hpa.spec.metrics.get(index) {
        Some(MetricSpec::Resource(_) | MetricSpec::ContainerResource(_)) => {
            let (resource, container) = match &world.hpa.spec.metrics[index] {
                MetricSpec::ContainerResource(source) => (&source.name, source.container.as_str()),
                MetricSpec::Resource(source) => (&source.name, "all"),
                _ => return,
            };
            let Reading::Read(samples) = &mut world.pod_metrics else {
                return;
            };
            let Some(like) = samples
                .iter()
                .find(|one| names.contains(&one.name))
                .cloned()
            else {
                return;
            };
            let usage = vec![(resource.clone(), zero())];
            samples.retain(|one| names.contains(&one.name));
            let present: BTreeSet<String> = samples.iter().map(|one| one.name.clone()).collect();
            let absent = names.iter().filter(|name| !present.contains(*name));
            let added: Vec<PodMetrics> = absent
                .map(|name| PodMetrics {
                    name: name.clone(),
                    containers: vec![ContainerUsage {
                        name: container.to_owned(),
                        usage: usage.clone(),
                    }],
                    ..like.clone()
                })
                .collect();
            samples.extend(added);
        }
        Some(MetricSpec::Pods(_)) => {
            for answer in &mut world.custom_metrics {
                let Reading::Read(values) = &mut answer.answer else {
                    continue;
                };
                let Some(like) = values.first().cloned() else {
                    continue;
                };
                if answer.index != index {
                    continue;
                }
                for name in names {
                    if !values.iter().any(|one| one.object == *name) {
                        let mut value = like.clone();
                        value.object.clone_from(name);
                        values.push(value);
                    }
                }
            }
        }
        _ => {}
    }
}
