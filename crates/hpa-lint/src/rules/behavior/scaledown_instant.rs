//! HPA301 `scaledown-instant`.

use hpa_engine::engine::AfterMetrics;

use super::side::{Side, bounds, observation};
use crate::{Check, Cx, ForScaledObject, HpaSubject, RuleOutcome, Severity};

crate::declare_rule! {
    /// ## What it does
    /// Flags a scale-down without a stabilization window whose policies allow the drop from `maxReplicas` to `minReplicas`
    /// in one period.
    ///
    /// ## Why is this bad?
    /// Every sync decides on its own.
    /// One low sample, such as after a late scrape or a restart of the adapter, can remove all pods above `minReplicas`.
    /// From 20 to 2 replicas, the default of 100% per 15 s removes 18 pods in one step.
    /// If the next sample is normal, they all have to start again.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: autoscaling/v2
    /// kind: HorizontalPodAutoscaler
    /// metadata:
    ///   name: web
    /// spec:
    ///   scaleTargetRef:
    ///     apiVersion: apps/v1
    ///     kind: Deployment
    ///     name: web
    ///   minReplicas: 2
    ///   maxReplicas: 20
    ///   behavior:
    ///     scaleDown:
    ///       stabilizationWindowSeconds: 0
    /// ```
    ///
    /// Use instead:
    /// ```yaml
    /// @@
    ///        stabilizationWindowSeconds: 0
    /// +      policies:
    /// +        - type: Percent
    /// +          value: 10
    /// +          periodSeconds: 60
    /// ```
    ///
    /// ## Fix
    /// Set a window of 60 to 300 s, or a policy that limits the rate.
    ///
    /// ## References
    /// - [Flapping](https://kubernetes.io/docs/tasks/run-application/horizontal-pod-autoscale/#flapping)
    /// - [docs/dev/controller.md](../dev/controller.md), 7.3 and 7.4
    pub(crate) static RULE = {
        code: "HPA301",
        name: "scaledown-instant",
        summary: "scale-down can drop to minReplicas in one step",
        severity: Severity::Warning,
        check: Check::Hpa(check),
        for_scaled_object: ForScaledObject::ItsHpa,
    }
}

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let side = Side::down(cx).filter(|side| !side.is_disabled());
    let (Some(side), Some((min, max))) = (side, bounds(cx)) else {
        return Ok(Vec::new());
    };
    if side.written.stabilization_window_seconds != Some(0) || min == max {
        return Ok(Vec::new());
    }
    // From fewer replicas, every policy reaches at least as far down.
    let observation = observation(cx);
    let lowest = AfterMetrics::of(&observation).limit(Some(side.rules), max, side.direction);
    if min < lowest {
        return Ok(Vec::new());
    }
    Ok(vec![
        cx.finding(side.field("stabilizationWindowSeconds"))
            .message(format!(
                "scale-down has no stabilization window, so one low sample can drop the replicas from {max} to {min}"
            ))
            .help(
                "set stabilizationWindowSeconds to a value from 60 to 300, or add a policy such as \
                 {type: Percent, value: 10, periodSeconds: 60}",
            ),
    ])
}
