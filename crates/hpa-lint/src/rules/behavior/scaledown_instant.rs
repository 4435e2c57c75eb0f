//! HPA301 `scaledown-instant`.

use super::side::{Side, bounds, observation};
use crate::{
    engine::AfterMetrics,
    lint::{Check, Cx, HpaSubject, RuleOutcome, Severity},
};

crate::lint::declare_rule! {
    /// ## What it does
    /// Flags a scale-down without a stabilization window whose policies allow the drop from `maxReplicas` to
    /// `minReplicas` in one period.
    ///
    /// ## Why is this bad?
    /// Every sync decides on its own: one low sample, a scrape that came late or a restart of the adapter, and all
    /// pods above the minimum are gone. From 20 to 2 replicas, 18 pods end within 15 s; with the default of 100% per
    /// 15 s and the next sample normal, they all have to start again.
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
    /// - docs/dev/controller.md, 7.3 and 7.4
    pub(crate) static RULE = {
        code: "HPA301",
        name: "scaledown-instant",
        summary: "scale-down may drop to the minimum at once",
        severity: Severity::Warning,
        check: Check::Hpa(check),
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
    // From fewer replicas every policy reaches at least as far down.
    let observation = observation(cx);
    let lowest = AfterMetrics::of(&observation).limit(Some(side.rules), max, side.direction);
    if min < lowest {
        return Ok(Vec::new());
    }
    Ok(vec![
        cx.finding(side.field("stabilizationWindowSeconds"))
            .message(format!(
                "scale-down may drop from {max} to {min} in one period without a stabilization window"
            ))
            .help("set a window of 60 to 300 s, or a policy that limits the rate"),
    ])
}
