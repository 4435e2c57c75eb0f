//! HPA811 `orphan`.

use crate::{
    explain::clock::rough,
    lint::{
        Check, ConfigurableNumber, Cx, HpaSubject, Missing, Needs, RuleOutcome, Severity,
        ThresholdUnit,
    },
};

crate::lint::declare_rule! {
    /// ## What it does
    /// Flags an HPA whose target has been gone for more than an hour: the target is not there, and the condition `AbleToScale` has said so since.
    ///
    /// ## Why is this bad?
    /// It is a leftover: the controller asks for its target every 15 s, emits an event each time, and whoever creates a workload of that name gets an autoscaler that nobody thinks of.
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
    /// - krew reap
    pub(crate) static RULE = {
        code: "HPA811",
        name: "orphan",
        summary: "the target has been gone for long",
        severity: Severity::Warning,
        needs: Needs::Live,
        thresholds: &[
            ConfigurableNumber {
                name: "duration",
                default: 3600.0,
                unit: ThresholdUnit::Seconds,
                summary: "how long it has to be gone",
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
        .ok_or_else(|| Missing::unknown("since when the target is gone"))?;
    let lasts = live.since(since);
    if lasts.as_secs_f64() <= cx.threshold("duration") {
        return Ok(Vec::new());
    }
    Ok(vec![
        cx.finding("spec.scaleTargetRef")
            .message(format!(
                "target {}/{} has been missing for {}",
                target.kind,
                target.name,
                rough(lasts)
            ))
            .help("delete the HPA, or put scaleTargetRef right"),
    ])
}
