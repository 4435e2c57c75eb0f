//! Compares the current replicas with zero, `minReplicas` and `maxReplicas`, and decides when to leave zero. Upstream:
//! `reconcileAutoscaler` and `shouldComputeMetricsForZeroReplicas` in `horizontal.go`.

use crate::{
    engine::context::ReconcileContext,
    model::{MetricSpec, Scale},
    trace::{BoundsBranch, CompareBounds, DisabledReason},
};

/// What the HPA allows at zero replicas (1.36 and later).
#[derive(Clone, Copy, Debug)]
pub(crate) struct ZeroScaling {
    /// The gate is on and the condition `ScaledToZero` is True: the HPA itself scaled to zero.
    pub(crate) was_scaled_to_zero: bool,
    /// At least one metric can be measured without pods.
    pub(crate) has_metric_without_pods: bool,
}

impl ZeroScaling {
    pub(crate) fn of(cx: &ReconcileContext<'_>) -> Self {
        let condition = cx.hpa().status.condition("ScaledToZero");
        let is_true = condition.is_some_and(|condition| condition.status == "True");
        Self {
            was_scaled_to_zero: cx.switches.scale_to_zero_gate && is_true,
            has_metric_without_pods: cx.hpa().spec.metrics.iter().any(MetricSpec::is_total),
        }
    }
}

/// Decides whether the controller reads the metrics at all.
pub(crate) fn compare_bounds(
    cx: &ReconcileContext<'_>,
    scale: &Scale,
    zero: ZeroScaling,
) -> CompareBounds {
    let (current, min, max) = (
        scale.spec_replicas,
        cx.hpa().spec.min_replicas(),
        cx.hpa().spec.max_replicas,
    );
    let branch = if current == 0 {
        branch_at_zero(cx, min, zero)
    } else if current > max {
        BoundsBranch::AboveMax
    } else if current < min {
        BoundsBranch::BelowMin
    } else {
        BoundsBranch::Metrics
    };
    CompareBounds {
        current,
        min,
        max,
        branch,
    }
}

fn branch_at_zero(cx: &ReconcileContext<'_>, min: i32, zero: ZeroScaling) -> BoundsBranch {
    if !cx.switches.scaled_to_zero_condition {
        return if min == 0 {
            BoundsBranch::Metrics
        } else {
            BoundsBranch::Disabled(DisabledReason::MinReplicasNotZero)
        };
    }
    if zero.was_scaled_to_zero && (min != 0 || zero.has_metric_without_pods) {
        return BoundsBranch::Metrics;
    }
    BoundsBranch::Disabled(if !cx.switches.scale_to_zero_gate {
        DisabledReason::GateOff
    } else if !zero.was_scaled_to_zero {
        DisabledReason::NotScaledToZeroByHpa
    } else {
        DisabledReason::NoMetricWithoutPods
    })
}
