//! HPA810 `never-scaled`.

use hpa_words::clock::rough;

use crate::{
    Check, ConfigurableNumber, Cx, HpaSubject, Missing, Needs, RuleOutcome, Severity, ThresholdUnit,
};

crate::declare_rule! {
    /// ## What it does
    /// Flags an HPA that is older than 30 days (`age`) and has never scaled: `lastScaleTime` is not set.
    ///
    /// ## Why is this bad?
    /// Either the load always stays within one step, or the bounds or the target prevent every change. The HPA then
    /// looks healthy, but it does nothing.
    ///
    /// ## Example
    /// ```yaml live
    /// apiVersion: autoscaling/v2
    /// kind: HorizontalPodAutoscaler
    /// metadata:
    ///   name: web
    ///   namespace: shop
    ///   creationTimestamp: "2026-08-01T08:00:00Z"
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
    /// status:
    ///   currentReplicas: 2
    ///   desiredReplicas: 2
    ///   conditions:
    ///   - type: AbleToScale
    ///     status: "True"
    ///     reason: ReadyForNewScale
    ///     message: 'recommended size matches current size'
    ///     lastTransitionTime: "2026-11-02T08:00:00Z"
    ///   - type: ScalingActive
    ///     status: "True"
    ///     reason: ValidMetricFound
    ///     message: 'the HPA was able to successfully calculate a replica count'
    ///     lastTransitionTime: "2026-11-02T08:00:00Z"
    /// ```
    ///
    /// Use instead:
    /// ```yaml live
    /// @@
    ///    desiredReplicas: 2
    /// +  lastScaleTime: "2026-11-01T08:00:00Z"
    ///    conditions:
    /// ```
    ///
    /// ## Fix
    /// Review `minReplicas` and the targets, or delete the HPA.
    ///
    /// ## References
    /// - [google/gke-policy-automation](https://github.com/google/gke-policy-automation): unused HPAs
    pub(crate) static RULE = {
        code: "HPA810",
        name: "never-scaled",
        summary: "the HPA has never changed the replicas",
        severity: Severity::Info,
        needs: Needs::Live,
        thresholds: &[
            ConfigurableNumber {
                name: "age",
                default: 2_592_000.0,
                unit: ThresholdUnit::Seconds,
                summary: "age above which this is reported",
            },
        ],
        check: Check::Hpa(check),
    }
}

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let live = cx.live()?;
    let hpa = &live.observation.hpa;
    if hpa.status.last_scale_time.is_some() {
        return Ok(Vec::new());
    }
    let created = hpa
        .created
        .ok_or_else(|| Missing::unknown("when the HPA was created"))?;
    let age = live.since(created);
    if age.as_secs_f64() <= cx.threshold("age") {
        return Ok(Vec::new());
    }
    Ok(vec![
        cx.finding("spec")
            .message(format!(
                "the HPA has not scaled once in {}, so it possibly has no effect",
                rough(age)
            ))
            .help("review minReplicas and the targets, or delete the HPA"),
    ])
}
