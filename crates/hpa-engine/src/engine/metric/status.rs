//! Entries of `status.currentMetrics`: the numbers of the first calculation as quantities.

use crate::{
    engine::{context::ReconcileContext, replica_calculator::Calculated},
    model::{MetricValueStatus, Quantity, quantity::Format},
    trace::{RatioFormula, UsageRatio},
};

/// The number of the first calculation that goes into the status, in milli-units.
pub(super) fn average_of(ratio: &UsageRatio) -> i64 {
    match ratio.formula {
        RatioFormula::AveragePerReplica { average, .. }
        | RatioFormula::PodAverage { average, .. }
        | RatioFormula::Utilization { average, .. } => average.0,
        RatioFormula::Value { usage, .. } => usage.0,
    }
}

pub(super) fn utilization(
    cx: &ReconcileContext<'_>,
    resource: &str,
    calculated: &Calculated,
) -> MetricValueStatus {
    let average_utilization = match calculated.first_pass.formula {
        RatioFormula::Utilization { utilization, .. } => Some(utilization.0),
        RatioFormula::AveragePerReplica { .. }
        | RatioFormula::PodAverage { .. }
        | RatioFormula::Value { .. } => None,
    };
    MetricValueStatus {
        average_utilization,
        ..average_value(resource_quantity(cx, resource, &calculated.first_pass))
    }
}

/// Upstream: `buildQuantity`.
pub(super) fn resource_quantity(
    cx: &ReconcileContext<'_>,
    resource: &str,
    ratio: &UsageRatio,
) -> Quantity {
    let is_binary = cx.switches.memory_in_binary && resource == "memory";
    let format = if is_binary {
        Format::BinarySI
    } else {
        Format::DecimalSI
    };
    Quantity::from_milli(average_of(ratio), format).as_read_back()
}

pub(super) fn decimal(milli: i64) -> Quantity {
    Quantity::from_milli(milli, Format::DecimalSI).as_read_back()
}

pub(super) fn average_value(quantity: Quantity) -> MetricValueStatus {
    MetricValueStatus {
        average_value: Some(quantity),
        ..MetricValueStatus::default()
    }
}

pub(super) fn value(quantity: Quantity) -> MetricValueStatus {
    MetricValueStatus {
        value: Some(quantity),
        ..MetricValueStatus::default()
    }
}
