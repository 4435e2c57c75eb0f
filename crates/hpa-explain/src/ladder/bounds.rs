//! The comparison with zero, `minReplicas` and `maxReplicas` in words.

use hpa_engine::trace::{BoundsBranch, CompareBounds, DisabledReason, RaiseFromZero};

use crate::{StepKind, StepView};

/// The comparison with zero, `minReplicas` and `maxReplicas` in words.
pub(super) fn compare_bounds(step: &CompareBounds) -> StepView {
    let CompareBounds {
        current,
        min,
        max,
        branch,
    } = *step;
    let view = |outcome: String, how: String| {
        StepView::new(StepKind::CompareBounds, "min/max", outcome, how)
    };
    let view = match branch {
        BoundsBranch::AboveMax => view(
            format!("{current} > {max}"),
            "above maxReplicas: set to it immediately, no metric is read".to_owned(),
        ),
        BoundsBranch::BelowMin => view(
            format!("{current} < {min}"),
            "below minReplicas: set to it immediately, no metric is read".to_owned(),
        ),
        BoundsBranch::Disabled(reason) => view("off at 0".to_owned(), disabled(reason, min)),
        BoundsBranch::Metrics => view(
            format!("{current} in {min}–{max}"),
            "within bounds".to_owned(),
        )
        .quiet_if(true),
    };
    view.upstream(CompareBounds::UPSTREAM)
        .formula("minReplicas ≤ spec.replicas ≤ maxReplicas")
        .value("current", current)
        .value("minReplicas", min)
        .value("maxReplicas", max)
        .value(
            "branch",
            match branch {
                BoundsBranch::AboveMax => "above-max",
                BoundsBranch::BelowMin => "below-min",
                BoundsBranch::Disabled(_) => "disabled",
                BoundsBranch::Metrics => "metrics",
            },
        )
}

/// Raising the replicas from zero, in words.
pub(super) fn raise_from_zero(step: RaiseFromZero) -> StepView {
    StepView::new(
        StepKind::RaiseFromZero,
        "from zero",
        step.to.to_string(),
        format!(
            "this HPA scaled to 0 itself, and minReplicas is now {}",
            step.to
        ),
    )
    .upstream(RaiseFromZero::UPSTREAM)
    .value("from", step.from)
    .value("to", step.to)
}

/// Why an HPA does nothing at zero replicas, as a fragment.
pub(crate) fn disabled(reason: DisabledReason, min: i32) -> String {
    if reason == DisabledReason::MinReplicasNotZero {
        return format!(
            "up to Kubernetes 1.35 an HPA leaves 0 only if minReplicas is 0, and it is {min}"
        );
    }
    if 0 < min && reason != DisabledReason::NoMetricWithoutPods {
        // With `minReplicas` above 0 the HPA cannot have scaled to 0, whatever else is missing.
        return "an HPA leaves 0 only if it scaled to 0 itself".to_owned();
    }
    match reason {
        DisabledReason::GateOff => {
            "the feature gate HPAScaleToZero is off in kube-controller-manager"
        }
        DisabledReason::MinReplicasNotZero => "minReplicas is not 0",
        DisabledReason::NoMetricWithoutPods => {
            "no metric is of type Object or External, and no other can be measured without pods"
        }
        DisabledReason::NotScaledToZeroByHpa => {
            "something else scaled to 0: condition ScaledToZero is not True"
        }
    }
    .to_owned()
}
