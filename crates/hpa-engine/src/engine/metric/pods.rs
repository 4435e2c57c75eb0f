//! Pods metrics. Upstream: `computeStatusForPodsMetric`.

use crate::{
    engine::{
        context::ReconcileContext,
        metric_names as names,
        replica_calculator::Calculator,
        samples::{self, Samples},
    },
    model::{MetricStatus, PodsSource, Quantity},
};

use super::{
    Invalid, MetricContext, Valid,
    source::{check_selector, invalid, note_read, prefix},
    status::{average_of, average_value, decimal},
};

pub(super) fn evaluate<'a>(
    context: &MetricContext<'_, 'a>,
    calculator: &mut Calculator<'_, 'a>,
    index: usize,
    source: &PodsSource,
) -> Result<Valid, Invalid> {
    let cx = context.cx;
    let name = &source.metric.name;
    check_selector(cx, source.metric.selector.as_ref()).map_err(invalid(names::pods_failure))?;
    let target = target_milli(cx, source.metric_target.average_value.as_ref());
    let read = samples::pods_samples(cx, index);
    note_read(
        calculator,
        samples::RAW,
        read.as_ref().map(Samples::len),
        None,
    );
    let calculated = prefix(read, |error| {
        format!("unable to get metric {name}: {error}")
    })
    .and_then(|samples| calculator.plain_metric_replicas(&samples, None, target))
    .map_err(invalid(names::pods_failure))?;
    let current = average_value(decimal(average_of(&calculated.first_pass)));
    Ok(Valid {
        replicas: calculated.replicas,
        name: format!("pods metric {name}"),
        status: MetricStatus::Pods {
            metric: source.metric.clone(),
            current,
        },
    })
}

/// The API server rejects a Pods metric without `averageValue`. Upstream would crash on it; this returns 0.
fn target_milli(cx: &ReconcileContext<'_>, target: Option<&Quantity>) -> i64 {
    target.map_or(0, |target| target.milli_value(cx.overflow))
}
