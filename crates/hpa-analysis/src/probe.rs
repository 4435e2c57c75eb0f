//! Evaluates one metric of an HPA at another usage, with the engine.

use std::collections::BTreeSet;

use hpa_engine::{
    engine,
    model::{
        Memory, MetricSpec, Observation, PodMetrics, Quantity, Reading, Shared, quantity::Format,
    },
    trace::{
        GroupPods, MetricEvaluation, MetricOutcome, MetricStep, Milli, Pass, PodClass,
        RatioFormula, Trace,
    },
};
use jiff::Timestamp;

/// An observation with a single metric, whose usage can be set.
#[derive(Clone, Debug)]
pub(super) struct UsageProbe {
    observation: Observation,
    counted: BTreeSet<String>,
    now: Timestamp,
}

impl UsageProbe {
    /// Only the metric at `index` of `spec.metrics`, as `trace` found it. None if it has no samples to change.
    pub(super) fn new(observation: &Observation, trace: &Trace, index: usize) -> Option<Self> {
        let evaluation = evaluation(trace, index)?;
        first_ratio(evaluation)?;
        let counted = counted_pods(observation, evaluation);
        let mut observation = observation.clone();
        let metric = observation.hpa.spec.metrics.get(index)?.clone();
        observation.hpa.spec.metrics = vec![metric];
        observation
            .custom_metrics
            .retain(|answer| answer.index == index);
        observation
            .external_metrics
            .retain(|answer| answer.index == index);
        for answer in &mut observation.custom_metrics {
            answer.index = 0;
        }
        for answer in &mut observation.external_metrics {
            answer.index = 0;
        }
        Some(Self {
            observation,
            counted,
            now: trace.at,
        })
    }

    /// Sets `spec.replicas` of the scale.
    pub(super) fn set_current(&mut self, current: i32) {
        if let Reading::Read(scale) = &mut self.observation.scale {
            scale.spec_replicas = current;
        }
    }

    /// Evaluates the metric with a total usage of `total` over the counted pods, or over all series.
    pub(super) fn at(&mut self, total: Milli) -> Option<MetricEvaluation> {
        set_total(&mut self.observation, 0, &self.counted, total);
        let trace = engine::decide(&self.observation, &mut Memory::default(), self.now);
        evaluation(&trace, 0).cloned()
    }
}

/// The pods whose samples count for the metric at `index`.
pub(super) fn counted_pods(
    observation: &Observation,
    evaluation: &MetricEvaluation,
) -> BTreeSet<String> {
    let pods = observation
        .pods
        .read()
        .map(|pods| pods.as_slice())
        .unwrap_or_default();
    groups(evaluation)
        .into_iter()
        .flat_map(|groups| &groups.pods)
        .filter(|pod| pod.class == PodClass::Ready)
        .filter_map(|pod| Some(pods.get(pod.pod)?.name.clone()))
        .collect()
}

/// Sets the total usage of the metric at `index`: over the counted pods, or over all series.
pub(super) fn set_total(
    observation: &mut Observation,
    index: usize,
    counted: &BTreeSet<String>,
    Milli(total): Milli,
) {
    let Observation {
        hpa,
        pod_metrics,
        custom_metrics,
        external_metrics,
        ..
    } = observation;
    let quantity = |milli| Quantity::from_milli(milli, Format::DecimalSI);
    let custom = custom_metrics
        .iter_mut()
        .filter(|answer| answer.index == index)
        .filter_map(|answer| match &mut answer.answer {
            Reading::Read(values) => Some(values),
            Reading::Failed(_) | Reading::NotRead(_) => None,
        })
        .flatten();
    let Some(metric) = hpa.spec.metrics.get(index) else {
        return;
    };
    if let Some(resource) = metric.resource() {
        set_pods(pod_metrics, counted, total, resource, metric.container());
    } else if metric.is_external() {
        let mut rest = total;
        for answer in external_metrics
            .iter_mut()
            .filter(|answer| answer.index == index)
        {
            if let Reading::Read(series) = &mut answer.answer {
                for one in series {
                    one.value = quantity(rest);
                    rest = 0;
                }
            }
        }
    } else if metric.object().is_some() {
        custom.for_each(|one| one.value = quantity(total));
    } else if metric.is_pods() {
        let mut shares = EqualShares::new(total, counted.len());
        custom
            .filter(|one| counted.contains(&one.object))
            .for_each(|one| one.value = quantity(shares.next()));
    }
}

/// Distributes `total` among the counted pods, each in one container.
fn set_pods(
    pod_metrics: &mut Reading<Shared<PodMetrics>>,
    counted: &BTreeSet<String>,
    total: i64,
    resource: &str,
    container: Option<&str>,
) {
    let Reading::Read(samples) = pod_metrics else {
        return;
    };
    let mut shares = EqualShares::new(total, counted.len());
    for sample in samples
        .iter_mut()
        .filter(|sample| counted.contains(&sample.name))
    {
        let mut share = shares.next();
        for usage in sample
            .containers
            .iter_mut()
            .filter(|one| container.is_none_or(|name| one.name == name))
            .flat_map(|one| &mut one.usage)
            .filter(|(name, _)| name == resource)
        {
            usage.1 = Quantity::from_milli(share, Format::DecimalSI);
            share = 0;
        }
    }
}

/// Equal shares of a total; the first share gets the remainder.
struct EqualShares {
    share: i64,
    rest: i64,
}

impl EqualShares {
    fn new(total: i64, number: usize) -> Self {
        let number = i64::try_from(number).unwrap_or(i64::MAX).max(1);
        Self {
            share: total / number,
            rest: total % number,
        }
    }

    fn next(&mut self) -> i64 {
        let extra = i64::from(0 < self.rest);
        self.rest -= extra;
        self.share + extra
    }
}

/// The evaluation of the metric at `index`.
pub(super) fn evaluation(trace: &Trace, index: usize) -> Option<&MetricEvaluation> {
    trace.metrics().find(|metric| metric.index == index)
}

/// How a metric classifies the pods, if it measures pods and got that far.
pub(super) fn groups(metric: &MetricEvaluation) -> Option<&GroupPods> {
    metric.steps.iter().find_map(|step| match step {
        MetricStep::GroupPods(groups) => Some(groups),
        _ => None,
    })
}

/// The first ratio of a metric.
pub(super) fn first_ratio(evaluation: &MetricEvaluation) -> Option<&RatioFormula> {
    evaluation.steps.iter().find_map(|step| match step {
        MetricStep::UsageRatio(ratio) if ratio.pass == Pass::First => Some(&ratio.formula),
        _ => None,
    })
}

/// The proposal of a metric, if it is valid.
pub(super) fn proposal(evaluation: &MetricEvaluation) -> Option<i32> {
    match &evaluation.outcome {
        MetricOutcome::Proposal { replicas, .. } => Some(*replicas),
        MetricOutcome::Invalid(_) | MetricOutcome::Unknown(_) => None,
    }
}

/// Whether the metric covers all containers, and another metric covers a single container for the same resource. The
/// usage of all containers is then ambiguous.
pub(super) fn shares_its_samples(observation: &Observation, index: usize) -> bool {
    let metrics = &observation.hpa.spec.metrics;
    let Some(resource) = metrics.get(index).and_then(MetricSpec::pod_resource) else {
        return false;
    };
    let mut containers = metrics.iter().filter(|metric| metric.container().is_some());
    containers.any(|metric| metric.is_resource(resource))
}
