//! HPA903 `pinned-at-min`.

use hpa_analysis::seconds;
use hpa_words::clock::rough;

use crate::{
    Check, ConfigurableNumber, Cx, HpaSubject, Needs, RuleOutcome, Severity, ThresholdUnit,
};

crate::declare_rule! {
    /// ## What it does
    /// Flags an HPA that has been at `minReplicas` for all of the last 14 days (`window`).
    ///
    /// ## Why is this bad?
    /// Either `minReplicas` is so high that the load never needs more, or the target is so high that nothing ever reaches
    /// it. In both cases the HPA looks healthy, but it does nothing.
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
    ///   time                  replicas
    ///   2026-10-19T10:00:00Z  2
    ///   2026-11-02T10:00:00Z  -
    /// ```
    ///
    /// Use instead:
    /// ```yaml history
    /// @@
    ///    2026-10-19T10:00:00Z  2
    /// +  2026-10-25T10:00:00Z  3
    /// +  2026-10-25T11:00:00Z  2
    ///    2026-11-02T10:00:00Z  -
    /// ```
    ///
    /// ## Fix
    /// Review `minReplicas` and the targets, or delete the HPA.
    ///
    /// ## References
    /// - Kubernetes docs: [Algorithm details](https://kubernetes.io/docs/tasks/run-application/horizontal-pod-autoscale/#algorithm-details)
    pub(crate) static RULE = {
        code: "HPA903",
        name: "pinned-at-min",
        summary: "the replicas never leave minReplicas",
        severity: Severity::Info,
        needs: Needs::History,
        thresholds: &[
            ConfigurableNumber {
                name: "window",
                default: 1_209_600.0,
                unit: ThresholdUnit::Seconds,
                summary: "period that is checked",
            },
        ],
        check: Check::Hpa(check),
    }
}

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let history = cx.history()?;
    let window = seconds(cx.threshold("window"));
    let samples = history.newest(window);
    let is_pinned = |sample: &crate::HistorySample| sample.replicas == Some(sample.min);
    if !samples.iter().all(is_pinned) {
        return Ok(Vec::new());
    }
    history.require(window, ", and in it the replicas never left minReplicas")?;
    Ok(vec![
        cx.finding("spec.minReplicas")
            .message(format!(
                "the replicas have been at minReplicas for {}, so the HPA has had no effect",
                rough(window)
            ))
            .help("lower minReplicas or the targets if fewer pods are safe, or delete the HPA"),
    ])
}
