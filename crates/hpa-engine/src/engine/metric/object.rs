//! Object metrics. Upstream: `computeStatusForObjectMetric`.

use crate::{
    engine::{metric_names as names, replica_calculator::Calculator, samples},
    model::{MetricStatus, MetricTarget, ObjectSource, Quantity, TextVersion},
};

use super::{
    Invalid, MetricContext, Valid,
    source::{check_selector, invalid, note_read, prefix},
    status::{average_of, average_value, decimal, value},
};

pub(super) fn evaluate<'a>(
    context: &MetricContext<'_, 'a>,
    calculator: &mut Calculator<'_, 'a>,
    index: usize,
    source: &ObjectSource,
) -> Result<Valid, Invalid> {
    let cx = context.cx;
    let ObjectSource {
        described_object,
        metric,
        metric_target,
    } = source;
    check_selector(cx, metric.selector.as_ref())
        .map_err(invalid(|error| names::object_failure(None, error)))?;
    let read = |calculator: &mut Calculator<'_, '_>| {
        let read = samples::object_value(cx, index);
        note_read(
            calculator,
            samples::OBJECT,
            read.as_ref().map(|_| 1),
            read.as_ref().ok(),
        );
        prefix(read, |error| names::object_read_error(cx, source, error))
    };
    match object_target(metric_target) {
        Some(ObjectTarget::Value(target)) => {
            let target = target.milli_value(cx.overflow);
            let calculated = read(calculator)
                .and_then(|usage| calculator.value_replicas(usage, target))
                .map_err(invalid(|error| names::object_failure(None, error)))?;
            let current = value(decimal(average_of(&calculated.first_pass)));
            Ok(Valid {
                replicas: calculated.replicas,
                name: names::object(described_object, metric),
                status: MetricStatus::Object {
                    described_object: Some(described_object.clone()),
                    metric: metric.clone(),
                    current,
                },
            })
        }
        Some(ObjectTarget::Average(target)) => {
            let target = target.milli_value(cx.overflow);
            let calculated = read(calculator)
                .map(|usage| calculator.per_pod_replicas(usage, target, false))
                .map_err(invalid(|error| {
                    names::object_failure(Some(&metric.name), error)
                }))?;
            let current = average_value(decimal(average_of(&calculated.first_pass)));
            let named = cx.switches.object_average_has_described_object;
            Ok(Valid {
                replicas: calculated.replicas,
                name: if TextVersion(38) <= cx.switches.texts {
                    names::object(described_object, metric)
                } else {
                    names::external(&metric.name, metric.selector.as_ref())
                },
                status: MetricStatus::Object {
                    described_object: named.then(|| described_object.clone()),
                    metric: metric.clone(),
                    current,
                },
            })
        }
        None if !cx.switches.nil_target_is_error && names_a_field(metric_target) => {
            Err(Invalid::Crash(names::object_crash(metric_target)))
        }
        None => {
            let error = "invalid object metric source: neither a value target nor an average \
                         value target was set";
            Err(Invalid::Failure(names::object_failure(None, error)))
        }
    }
}

/// The target of an Object metric: the field that `type` names, if it is set.
enum ObjectTarget<'a> {
    Average(&'a Quantity),
    Value(&'a Quantity),
}

/// Whether `type` is valid for an Object metric.
fn names_a_field(target: &MetricTarget) -> bool {
    ["Value", "AverageValue"].contains(&target.target_type.as_str())
}

fn object_target(target: &MetricTarget) -> Option<ObjectTarget<'_>> {
    match target.target_type.as_str() {
        "Value" => target.value.as_ref().map(ObjectTarget::Value),
        "AverageValue" => target.average_value.as_ref().map(ObjectTarget::Average),
        _ => None,
    }
}
