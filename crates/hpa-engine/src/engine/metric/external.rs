//! External metrics. Upstream: `computeStatusForExternalMetric`.

use crate::{
    engine::{
        context::ReconcileContext,
        metric_names::{self as names, ExternalLayer},
        replica_calculator::Calculator,
        samples,
    },
    model::{MetricStatus, PodsSource},
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
    source: &PodsSource,
) -> Result<Valid, Invalid> {
    let cx = context.cx;
    let PodsSource {
        metric,
        metric_target,
    } = source;
    let failure =
        |layer| invalid(move |error| names::external_failure(cx, &metric.name, layer, error));
    let name = || names::external(&metric.name, metric.selector.as_ref());
    let status = |current| MetricStatus::External {
        metric: metric.clone(),
        current,
    };
    let read = |calculator: &mut Calculator<'_, '_>,
                sum: fn(&ReconcileContext<'_>, &[i64]) -> i64| {
        check_selector(cx, metric.selector.as_ref())?;
        let values = samples::external_values(cx, index);
        let total = values.as_ref().ok().map(|values| sum(cx, values));
        note_read(
            calculator,
            samples::EXTERNAL,
            values.as_ref().map(Vec::len),
            total.as_ref(),
        );
        prefix(values, |error| {
            names::external_read_error(cx, source, error)
        })
        .map(|values| sum(cx, &values))
    };
    if let Some(target) = &metric_target.average_value {
        let target = target.milli_value(cx.overflow);
        let calculated = read(calculator, sum_for_average)
            .map(|usage| calculator.per_pod_replicas(usage, target, true))
            .map_err(failure(ExternalLayer::Average))?;
        let current = average_value(decimal(average_of(&calculated.first_pass)));
        return Ok(Valid {
            replicas: calculated.replicas,
            name: name(),
            status: status(current),
        });
    }
    if let Some(target) = &metric_target.value {
        let target = target.milli_value(cx.overflow);
        let calculated = read(calculator, sum_for_value)
            .and_then(|usage| calculator.value_replicas(usage, target))
            .map_err(failure(ExternalLayer::Value))?;
        let current = value(decimal(average_of(&calculated.first_pass)));
        return Ok(Valid {
            replicas: calculated.replicas,
            name: name(),
            status: status(current),
        });
    }
    let error = "invalid external metric source: neither a value target nor an average value target was set";
    Err(Invalid::Failure(names::external_failure(
        cx,
        &metric.name,
        ExternalLayer::NoTarget,
        error,
    )))
}

/// Sum of all series for an average. From 1.34 on, a negative running sum counts as an overflow. Upstream:
/// `GetExternalPerPodMetricReplicas`.
fn sum_for_average(cx: &ReconcileContext<'_>, values: &[i64]) -> i64 {
    let mut sum = 0_i64;
    for value in values {
        sum = sum.wrapping_add(*value);
        if sum < 0 && cx.switches.external_average_caps {
            return i64::MAX;
        }
    }
    sum
}

/// Sum of all series for a value. From 1.35 on, it is capped when it overflows upward. Upstream:
/// `GetExternalMetricReplicas`.
fn sum_for_value(cx: &ReconcileContext<'_>, values: &[i64]) -> i64 {
    let mut sum = 0_i64;
    for value in values {
        if cx.switches.value_caps && *value > 0 && sum.checked_add(*value).is_none() {
            return i64::MAX;
        }
        sum = sum.wrapping_add(*value);
    }
    sum
}
