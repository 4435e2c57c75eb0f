//! HPA801 `not-able-to-scale`.

use crate::lint::{Check, Cx, HpaSubject, Needs, RuleOutcome, Severity, held_for};

crate::lint::declare_rule! {
    /// ## What it does
    /// Flags an HPA whose condition `AbleToScale` is False: the controller could not read the scale of the target, or could not write it.
    ///
    /// ## Why is this bad?
    /// As long as it lasts the HPA does nothing at all: whatever the load, the replicas stay as they are. It is tried again every sync period, 15 s by default.
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
    /// What helps follows from the reason: `FailedGetScale` means a wrong `scaleTargetRef`, a target that is gone, or an API that does not answer; `FailedUpdateScale` means that something refuses the write, such as an admission webhook.
    ///
    /// ## References
    /// - kubernetes: `pkg/controller/podautoscaler/horizontal.go`, `reconcileAutoscaler`
    /// - kubernetes/kubernetes#67221
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
            "the controller cannot read the scale: check scaleTargetRef, and whether the target is there"
        }
        "FailedUpdateScale" => {
            "the controller cannot write the scale: see what refuses it, such as an admission webhook or a quota"
        }
        _ => "see what the message says; kubectl hpa explain tells more",
    };
    Ok(vec![
        cx.finding("spec.scaleTargetRef")
            .message(format!(
                "AbleToScale is False, {}: {}",
                condition.reason,
                condition.message.trim_end_matches('.')
            ))
            .help(format!("{help} ({})", held_for(live, condition))),
    ])
}
