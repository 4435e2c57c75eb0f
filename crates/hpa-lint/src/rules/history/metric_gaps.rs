//! HPA906 `metric-gaps`.

use crate::lint::{
    Check, ConfigurableNumber, Cx, History, HpaSubject, Needs, RuleOutcome, Severity, ThresholdUnit,
};

crate::lint::declare_rule! {
    /// ## What it does
    /// Flags a metric that was invalid in more than 1% of the syncs of a recording.
    ///
    /// ## Why is this bad?
    /// In each such sync the HPA can't scale down, and not at all if no other metric is valid. 1% of the 5,760 syncs of a day are 14 minutes.
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
    /// Look at the server behind the metrics API; `kubectl hpa replay` shows when the metric failed and with what message.
    ///
    /// ## References
    /// - kubernetes/kubernetes#105187
    pub(crate) static RULE = {
        code: "HPA906",
        name: "metric-gaps",
        summary: "a metric was invalid in too many syncs",
        severity: Severity::Warning,
        needs: Needs::History,
        thresholds: &[
            ConfigurableNumber {
                name: "percent",
                default: 1.0,
                unit: ThresholdUnit::Percent,
                summary: "share of the syncs",
            },
        ],
        check: Check::Hpa(check),
    }
}

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let history = cx.history()?;
    let mut findings = Vec::new();
    for (index, name) in history.metrics.iter().enumerate().take(64) {
        let percent = History::percent(&history.samples, |sample| sample.invalid >> index & 1 == 1);
        if cx.threshold("percent") < percent {
            findings.push(
                cx.finding(format!("spec.metrics[{index}]"))
                    .message(format!(
                        "metric {name} was invalid in {percent:.1}% of syncs"
                    ))
                    .help("look at the server behind the metrics API; kubectl hpa replay shows when it failed"),
            );
        }
    }
    Ok(findings)
}
