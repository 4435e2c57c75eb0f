//! HPA905 `startup-overshoot`.

use crate::{
    Check, ConfigurableNumber, Cx, HpaSubject, Needs, RuleOutcome, Severity, ThresholdUnit,
};

crate::declare_rule! {
    /// ## What it does
    /// Flags an HPA with a CPU metric whose counted pods use more than twice as much CPU (`factor`) in their first 5 min as
    /// later.
    ///
    /// ## Why is this bad?
    /// Each scale-up then causes another. Take 4 pods at 300m and 2 new ones at 900m: the average is (4 × 300m + 2 × 900m)
    /// ÷ 6 = 500m. A target of 300m asks for ⌈6 × 500 ÷ 300⌉ = 10 replicas, although 6 are enough. Pods that are not ready
    /// do not count in their first minutes, so a readiness probe prevents this.
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
    ///   time                  replicas  young  steady
    ///   2026-11-02T09:00:00Z  4         -      300
    ///   2026-11-02T09:10:00Z  6         900    300
    ///   2026-11-02T09:15:00Z  6         -      300
    ///   2026-11-02T09:20:00Z  8         900    310
    ///   2026-11-02T09:40:00Z  -         -      -
    /// ```
    ///
    /// Use instead:
    /// ```yaml history
    /// @@
    ///    2026-11-02T09:00:00Z  4         -      300
    /// -  2026-11-02T09:10:00Z  6         900    300
    /// +  2026-11-02T09:10:00Z  6         350    300
    ///    2026-11-02T09:15:00Z  6         -      300
    /// -  2026-11-02T09:20:00Z  8         900    310
    ///    2026-11-02T09:40:00Z  -         -      -
    /// ```
    ///
    /// ## Fix
    /// Use a readiness probe that passes only when the pod has warmed up, or a scale-up window longer than the startup.
    ///
    /// ## References
    /// - [kubernetes/kubernetes#39090](https://github.com/kubernetes/kubernetes/issues/39090), [kubernetes/kubernetes#67252](https://github.com/kubernetes/kubernetes/issues/67252)
    pub(crate) static RULE = {
        code: "HPA905",
        name: "startup-overshoot",
        summary: "the startup CPU of new pods counts as load",
        severity: Severity::Warning,
        needs: Needs::History,
        thresholds: &[
            ConfigurableNumber {
                name: "factor",
                default: 2.0,
                unit: ThresholdUnit::Ratio,
                summary: "usage of new pods as a multiple of the usage of old pods",
            },
        ],
        check: Check::Hpa(check),
    }
}

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let samples = &cx.history()?.samples;
    let mean = |of: fn(&crate::HistorySample) -> Option<i64>| {
        let mut weights = 0.0;
        let mut sum = 0.0;
        for sample in samples {
            if let Some(usage) = of(sample) {
                let seconds = sample.lasts.as_secs_f64();
                weights += seconds;
                #[expect(clippy::cast_precision_loss, reason = "a mean of usages")]
                let usage = usage as f64;
                sum += usage * seconds;
            }
        }
        (0.0 < weights).then(|| sum / weights)
    };
    // If no pod started during the recording, there is nothing to compare.
    let means = mean(|sample| sample.young_cpu).zip(mean(|sample| sample.steady_cpu));
    let Some((young, steady)) = means.filter(|(_, steady)| 0.0 < *steady) else {
        return Ok(Vec::new());
    };
    let factor = young / steady;
    if factor <= cx.threshold("factor") {
        return Ok(Vec::new());
    }
    Ok(vec![
        cx.finding("spec.metrics")
            .message(format!(
                "new pods use {factor:.1} times as much CPU in their first 5 min as later, so each scale-up can cause another"
            ))
            .help("add a readinessProbe that passes after the warm-up, or set spec.behavior.scaleUp.stabilizationWindowSeconds longer \
                 than the startup"),
    ])
}
