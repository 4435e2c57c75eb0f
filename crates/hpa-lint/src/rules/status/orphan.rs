//! HPA811 `orphan`.

use hpa_words::{clock::rough, shell_word};

use crate::{
    Check, ConfigurableNumber, Cx, HpaSubject, Missing, Needs, RuleOutcome, Severity,
    ThresholdUnit, namespace_flag,
};

crate::declare_rule! {
    /// ## What it does
    /// Flags an HPA whose target has been missing for more than an hour (`duration`): the target does not exist, and the
    /// condition `AbleToScale` has reported that for as long.
    ///
    /// ## Why is this bad?
    /// It is a leftover. The controller reads its target every 15 s and emits an Event each time. If you create a workload
    /// of that name later, this forgotten HPA scales it.
    ///
    /// ## Example
    /// ```yaml live
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
    /// status:
    ///   currentReplicas: 0
    ///   desiredReplicas: 0
    ///   conditions:
    ///   - type: AbleToScale
    ///     status: "False"
    ///     reason: FailedGetScale
    ///     message: 'the HPA controller was unable to get the target''s current scale: deployments.apps "web" not found'
    ///     lastTransitionTime: "2026-11-02T07:00:00Z"
    ///   - type: ScalingActive
    ///     status: "True"
    ///     reason: ValidMetricFound
    ///     message: 'the HPA was able to successfully calculate a replica count'
    ///     lastTransitionTime: "2026-11-02T10:00:00Z"
    /// ```
    ///
    /// Use instead:
    /// ```yaml live
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
    ///     lastTransitionTime: "2026-11-02T10:00:00Z"
    /// ---
    /// apiVersion: apps/v1
    /// kind: Deployment
    /// metadata:
    ///   name: web
    ///   namespace: shop
    /// spec:
    ///   replicas: 2
    ///   selector:
    ///     matchLabels:
    ///       app: web
    ///   template:
    ///     metadata:
    ///       labels:
    ///         app: web
    ///     spec:
    ///       containers:
    ///       - name: web
    /// status:
    ///   replicas: 2
    /// ```
    ///
    /// ## Fix
    /// Delete the HPA, or correct `scaleTargetRef`.
    ///
    /// ## References
    /// - Kubernetes, [`horizontal.go`](https://github.com/kubernetes/kubernetes/blob/master/pkg/controller/podautoscaler/horizontal.go): `reconcileAutoscaler`
    pub(crate) static RULE = {
        code: "HPA811",
        name: "orphan",
        summary: "the target has been missing for a long time",
        severity: Severity::Warning,
        needs: Needs::Live,
        thresholds: &[
            ConfigurableNumber {
                name: "duration",
                default: 3600.0,
                unit: ThresholdUnit::Seconds,
                summary: "how long it must be missing",
            },
        ],
        check: Check::Hpa(check),
    }
}

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let live = cx.live()?;
    let Some(condition) = live
        .condition("AbleToScale", "False")
        .filter(|condition| condition.reason == "FailedGetScale")
    else {
        return Ok(Vec::new());
    };
    let target = &cx.subject.spec.scale_target;
    cx.world.require(&target.kind)?;
    if cx.workload().is_ok() || !condition.message.contains("not found") {
        return Ok(Vec::new());
    }
    let since = condition
        .last_transition_time
        .ok_or_else(|| Missing::unknown("since when the target is missing"))?;
    let lasts = live.since(since);
    if lasts.as_secs_f64() <= cx.threshold("duration") {
        return Ok(Vec::new());
    }
    Ok(vec![
        cx.finding("spec.scaleTargetRef")
            .message(format!(
                "{}/{} has been missing for {}, so the HPA scales nothing",
                target.kind,
                target.name,
                rough(lasts)
            ))
            .help(format!(
                "run kubectl delete hpa {}{}, or correct spec.scaleTargetRef",
                shell_word(cx.subject.hpa.name()),
                namespace_flag(cx)
            )),
    ])
}
