//! An HPA with values that the API server accepts in place of those that it rejects.
//!
//! What a rule says of an HPA holds only if it also holds for such an HPA. Otherwise it describes what a rejected value
//! would do.

use hpa_objects::{
    manifest,
    recording::wire::{
        HpaSpec, MetricIdentifier, MetricRead, MetricSource, MetricSpec, MetricTarget, MetricType,
        Quantity, TypedSource,
    },
};

use super::{HpaSubject, refused::Refused};

/// The HPA with accepted values. None if nothing that rules read is rejected.
pub(super) fn accepted(subject: &HpaSubject, refused: &Refused) -> Option<HpaSubject> {
    let mut written = HpaSpec::clone(&subject.written);
    for violation in &refused.violations {
        if !refused.depends_on_gate(violation) {
            accept(&mut written, &violation.field);
        }
    }
    if written == *subject.written {
        return None;
    }
    Some(HpaSubject {
        spec: manifest::with_defaults(written.clone())?,
        written: written.into(),
        ..subject.clone()
    })
}

/// Replaces the value of a field.
fn accept(spec: &mut HpaSpec, field: &str) {
    match field {
        "spec.minReplicas" | "spec.metrics" => spec.min_replicas = Some(1),
        "spec.maxReplicas" => {
            let min = spec.min_replicas.unwrap_or(1).max(1);
            spec.max_replicas = min.saturating_mul(4);
        }
        _ => {}
    }
    if let Some(behavior) = &mut spec.behavior
        && let Some((direction, below)) = field
            .strip_prefix("spec.behavior.")
            .and_then(|rest| rest.split_once('.'))
    {
        let rules = match direction {
            "scaleUp" => &mut behavior.scale_up,
            _ => &mut behavior.scale_down,
        };
        // The API server fills in what is missing.
        let rules = rules.get_or_insert_default();
        match below {
            "stabilizationWindowSeconds" => rules.stabilization_window_seconds = None,
            "selectPolicy" => rules.select_policy = None,
            "tolerance" => rules.tolerance = None,
            _ => rules.policies = None,
        }
    }
    let metric = field
        .strip_prefix("spec.metrics[")
        .and_then(|rest| rest.split_once("]."));
    if let Some((index, below)) = metric
        && let Some(metric) = index
            .parse()
            .ok()
            .and_then(|index: usize| spec.metrics.get_mut(index))
    {
        accept_metric(metric, below);
    }
}

/// Replaces the target of a metric, or the whole metric if more than its target is rejected.
fn accept_metric(metric: &mut MetricSpec, below: &str) {
    let source = below.split_once(".target").map(|(field, _)| field);
    let mut types = MetricType::ALL.iter().copied();
    let metric_type = types.find(|one| Some(one.field()) == source);
    let source = metric_type.and_then(|one| metric.source_of(one));
    let reads_usages = source.map(TypedSource::read) == Some(MetricRead::Usages);
    let target = metric_type.and_then(|one| metric.target_mut_of(one));
    let average = || MetricTarget {
        target_type: "AverageValue".to_owned(),
        average_value: Some(Quantity("7".to_owned())),
        ..MetricTarget::default()
    };
    let Some(target) = target else {
        *metric = MetricSpec {
            metric_type: MetricType::External.name().to_owned(),
            external: Some(Box::new(MetricSource {
                metric: MetricIdentifier {
                    name: "accepted".to_owned(),
                    ..MetricIdentifier::default()
                },
                target: average(),
            })),
            ..MetricSpec::default()
        };
        return;
    };
    *target = if reads_usages {
        MetricTarget {
            target_type: "Utilization".to_owned(),
            average_utilization: Some(61),
            ..MetricTarget::default()
        }
    } else {
        average()
    };
}
