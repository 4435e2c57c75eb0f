//! HPA801 `not-able-to-scale`.

use crate::{Check, Cx, HpaSubject, Needs, RuleOutcome, Severity, explain_command};

crate::declare_rule! {
    /// ## What it does
    /// Flags an HPA whose condition `AbleToScale` is `False`: the controller could not read or write the scale of the
    /// target.
    ///
    /// ## Why is this bad?
    /// While this lasts, the HPA does nothing: the replicas stay the same, whatever the load. The controller tries again in
    /// every sync, every 15 s by default.
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
    ///     lastTransitionTime: "2026-11-02T09:58:00Z"
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
    ///     lastTransitionTime: "2026-11-02T08:00:00Z"
    /// ```
    ///
    /// ## Fix
    /// The reason says what to do:
    ///
    /// - `FailedGetScale`: correct `scaleTargetRef`, create the target again, or find out why its API does not answer.
    /// - `FailedUpdateScale`: find what rejects the write, such as an admission webhook.
    ///
    /// ## References
    /// - Kubernetes, [`horizontal.go`](https://github.com/kubernetes/kubernetes/blob/master/pkg/controller/podautoscaler/horizontal.go): `reconcileAutoscaler`
    /// - [kubernetes/kubernetes#67221](https://github.com/kubernetes/kubernetes/issues/67221)
    pub(crate) static RULE = {
        code: "HPA801",
        name: "not-able-to-scale",
        summary: "the controller cannot read or write the scale of the target",
        severity: Severity::Error,
        needs: Needs::Live,
        yields_to: &["HPA401", "HPA402", "HPA403", "HPA404", "HPA405", "HPA811"],
        check: Check::Hpa(check),
    }
}

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let live = cx.live()?;
    let Some(condition) = live.condition("AbleToScale", "False") else {
        return Ok(Vec::new());
    };
    let help = match condition.reason.as_str() {
        "FailedGetScale" => {
            "check that the target of spec.scaleTargetRef exists and that its API answers"
                .to_owned()
        }
        "FailedUpdateScale" => {
            "find what rejects the write of the scale, such as an admission webhook or a quota"
                .to_owned()
        }
        _ => format!("run {} to see the cause", explain_command(cx)),
    };
    Ok(vec![
        cx.finding("spec.scaleTargetRef")
            .message(format!(
                "AbleToScale is False, so the HPA does not scale. {}: {}",
                condition.reason,
                condition.message.trim_end_matches('.')
            ))
            .help(help),
    ])
}
