//! HPA906 `metric-gaps`.

use crate::{
    Check, ConfigurableNumber, Cx, History, HpaSubject, Needs, RuleOutcome, Severity, ThresholdUnit,
};

crate::declare_rule! {
    /// ## What it does
    /// Flags a metric that could not be computed in more than 1% (`percent`) of the syncs of a recording.
    ///
    /// ## Why is this bad?
    /// In each such sync the HPA cannot scale down. If no other metric works, it cannot scale at all. A day has 5,760
    /// syncs, and 1% of them take 14 min.
    ///
    /// ## Example
    /// ```yaml history
    /// apiVersion: autoscaling/v2
    /// kind: HorizontalPodAutoscaler
    /// metadata:
    ///   name: web
    ///   namespace: shop
    /// spec:
    ///   scaleTargetRef:
    ///     apiVersion: apps/v1
    ///     kind: Deployment
    ///     name: web
    ///   minReplicas: 2
    ///   maxReplicas: 10
    ///   metrics:
    ///   - type: Resource
    ///     resource:
    ///       name: cpu
    ///       target:
    ///         type: Utilization
    ///         averageUtilization: 50
    /// ---
    /// # Each line holds until the next.
    /// history: |
    ///   time                  replicas  invalid
    ///   2026-11-02T09:00:00Z  4         -
    ///   2026-11-02T09:30:00Z  4         0
    ///   2026-11-02T09:33:00Z  4         -
    ///   2026-11-02T10:00:00Z  -         -
    /// ```
    ///
    /// Use instead:
    /// ```yaml history
    /// @@
    ///    2026-11-02T09:30:00Z  4         0
    /// -  2026-11-02T09:33:00Z  4         -
    /// +  2026-11-02T09:30:15Z  4         -
    ///    2026-11-02T10:00:00Z  -         -
    /// ```
    ///
    /// ## Fix
    /// Check the server of the metrics API. `kubectl hpa replay` shows when the metric failed and with what message.
    ///
    /// ## References
    /// - [kubernetes/kubernetes#105187](https://github.com/kubernetes/kubernetes/issues/105187)
    pub(crate) static RULE = {
        code: "HPA906",
        name: "metric-gaps",
        summary: "a metric could not be computed in too many syncs",
        severity: Severity::Warning,
        needs: Needs::History,
        thresholds: &[
            ConfigurableNumber {
                name: "percent",
                default: 1.0,
                unit: ThresholdUnit::Percent,
                summary: "share of the syncs above which this is reported",
            },
        ],
        check: Check::Hpa(check),
    }
}

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let history = cx.history()?;
    // Another metric can still scale it up.
    let scale = if history.metrics.len() == 1 {
        "scale"
    } else {
        "scale down"
    };
    let mut findings = Vec::new();
    for (index, name) in history.metrics.iter().enumerate().take(64) {
        let percent = History::percent(&history.samples, |sample| sample.invalid >> index & 1 == 1);
        if cx.threshold("percent") < percent {
            findings.push(
                cx.finding(format!("spec.metrics[{index}]"))
                    .message(format!(
                        "metric {name} could not be computed in {percent:.1}% of syncs, so the HPA could not {scale} then"
                    ))
                    .help("kubectl hpa replay shows when and why the metric failed; if many HPAs are affected, check the server of the metrics API"),
            );
        }
    }
    Ok(findings)
}
