//! Two metrics that measure the same: only the stricter target counts.

use std::cmp::Ordering;

use hpa_engine::model::{HpaSpec, MetricIdentifier, MetricSpec, Quantity, quantity::Format};

/// A metric that never decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DuplicateMetric {
    /// Its place in the spec.
    pub index: usize,
    /// The place of the metric that measures the same and counts.
    pub counts: usize,
}

/// The metrics of a spec that never decide. Of equal ones the first counts.
pub fn duplicate_metrics(spec: &HpaSpec) -> Vec<DuplicateMetric> {
    let metrics = &spec.metrics;
    let identities: Vec<_> = metrics.iter().map(Identity::of).collect();
    let counts = |identity: &Identity<'_>| {
        let mut same = identities
            .iter()
            .enumerate()
            .filter(|(_, other)| other.as_ref() == Some(identity))
            .map(|(index, _)| index);
        let first = same.next()?;
        Some(same.fold(first, |strictest, one| {
            if cmp(&metrics[one], &metrics[strictest]).is_lt() {
                one
            } else {
                strictest
            }
        }))
    };
    let all = identities.iter().enumerate();
    all.filter_map(|(index, identity)| {
        let counts = counts(identity.as_ref()?)?;
        (counts != index).then_some(DuplicateMetric { index, counts })
    })
    .collect()
}

/// Whether a metric is one number for all pods, multiplied by the ready pods. For Object metrics the type decides; for
/// others an average takes precedence.
pub fn is_value(metric: &MetricSpec) -> bool {
    let Some(target) = metric.target().filter(|_| metric.is_total()) else {
        return false;
    };
    let is_chosen = match metric.object() {
        Some(_) => target.target_type == "Value",
        None => target.average_value.is_none(),
    };
    is_chosen && target.value.is_some()
}

/// What a metric measures, and the unit of its target.
#[derive(PartialEq)]
struct Identity<'a> {
    metric_type: &'a str,
    resource: Option<(&'a str, Option<&'a str>)>,
    identifier: Option<&'a MetricIdentifier>,
    object: Option<(&'a str, &'a str, &'a str)>,
    unit: ValueUnit,
}

#[derive(PartialEq)]
enum ValueUnit {
    Average,
    Utilization,
    Value,
}

impl<'a> Identity<'a> {
    /// None if its target cannot be compared.
    fn of(metric: &'a MetricSpec) -> Option<Self> {
        let object = metric.object().map(|source| {
            let object = &source.described_object;
            let api_version = object.api_version.as_deref().unwrap_or_default();
            (api_version, &*object.kind, &*object.name)
        });
        Some(Self {
            metric_type: metric.metric_type(),
            resource: metric.resource().map(|name| (name, metric.container())),
            identifier: metric.identifier(),
            object,
            unit: target(metric)?.0,
        })
    }
}

/// The target in effect.
fn target(metric: &MetricSpec) -> Option<(ValueUnit, Quantity)> {
    let target = metric.target()?;
    if metric.resource().is_some() && target.average_value.is_none() {
        let percent = i64::from(target.average_utilization?);
        let percent = Quantity::from_value(percent, Format::DecimalSI);
        return Some((ValueUnit::Utilization, percent));
    }
    if is_value(metric) {
        return Some((ValueUnit::Value, target.value.clone()?));
    }
    Some((ValueUnit::Average, target.average_value.clone()?))
}

fn cmp(one: &MetricSpec, other: &MetricSpec) -> Ordering {
    match (target(one), target(other)) {
        (Some((_, one)), Some((_, other))) => one.cmp_value(&other),
        _ => Ordering::Equal,
    }
}
