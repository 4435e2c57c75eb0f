//! HPA806 `rate-limited`.

use crate::{
    lint::{Check, Cx, HpaSubject, Needs, RuleOutcome, Severity, explain_command},
    trace::{LimitReason, Step},
};

crate::lint::declare_rule! {
    /// ## What it does
    /// Flags an HPA that a rate limit holds back: its condition `ScalingLimited` has the reason `ScaleUpLimit` or
    /// `ScaleDownLimit`, and the recomputed decision is limited in the same way.
    ///
    /// ## Why is this bad?
    /// The replicas are not yet what the metrics ask for. In the example two pods at 200% of their requests ask for ⌈2 ×
    /// 200 ÷ 50⌉ = 8 replicas. The policy adds 1 pod a minute, so it allows 3.
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
    ///   behavior:
    ///     scaleUp:
    ///       policies:
    ///       - type: Pods
    ///         value: 1
    ///         periodSeconds: 60
    /// status:
    ///   currentReplicas: 2
    ///   desiredReplicas: 3
    ///   lastScaleTime: "2026-11-02T08:40:00Z"
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
    ///   - type: ScalingLimited
    ///     status: "True"
    ///     reason: ScaleUpLimit
    ///     message: 'the desired replica count is limited'
    ///     lastTransitionTime: "2026-11-02T09:40:00Z"
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
    /// ---
    /// apiVersion: v1
    /// kind: Pod
    /// metadata:
    ///   name: web-6f-a
    ///   namespace: shop
    ///   creationTimestamp: "2026-11-02T08:00:00Z"
    ///   labels:
    ///     app: web
    ///   ownerReferences:
    ///   - kind: ReplicaSet
    ///     name: web-6f
    ///     controller: true
    /// spec:
    ///   containers:
    ///   - name: web
    ///     resources:
    ///       requests:
    ///         cpu: 100m
    /// status:
    ///   phase: Running
    ///   startTime: "2026-11-02T08:00:00Z"
    ///   conditions:
    ///   - type: Ready
    ///     status: "True"
    ///     lastTransitionTime: "2026-11-02T08:00:00Z"
    /// ---
    /// apiVersion: metrics.k8s.io/v1beta1
    /// kind: PodMetrics
    /// metadata:
    ///   name: web-6f-a
    ///   namespace: shop
    /// timestamp: "2026-11-02T10:00:00Z"
    /// window: 15s
    /// containers:
    /// - name: web
    ///   usage:
    ///     cpu: 200m
    /// ---
    /// apiVersion: v1
    /// kind: Pod
    /// metadata:
    ///   name: web-6f-b
    ///   namespace: shop
    ///   creationTimestamp: "2026-11-02T08:00:00Z"
    ///   labels:
    ///     app: web
    ///   ownerReferences:
    ///   - kind: ReplicaSet
    ///     name: web-6f
    ///     controller: true
    /// spec:
    ///   containers:
    ///   - name: web
    ///     resources:
    ///       requests:
    ///         cpu: 100m
    /// status:
    ///   phase: Running
    ///   startTime: "2026-11-02T08:00:00Z"
    ///   conditions:
    ///   - type: Ready
    ///     status: "True"
    ///     lastTransitionTime: "2026-11-02T08:00:00Z"
    /// ---
    /// apiVersion: metrics.k8s.io/v1beta1
    /// kind: PodMetrics
    /// metadata:
    ///   name: web-6f-b
    ///   namespace: shop
    /// timestamp: "2026-11-02T10:00:00Z"
    /// window: 15s
    /// containers:
    /// - name: web
    ///   usage:
    ///     cpu: 200m
    /// ```
    ///
    /// Use instead:
    /// ```yaml live
    /// @@
    ///    currentReplicas: 2
    /// -  desiredReplicas: 3
    /// +  desiredReplicas: 2
    ///    lastScaleTime: "2026-11-02T08:40:00Z"
    /// @@
    ///      lastTransitionTime: "2026-11-02T08:00:00Z"
    /// -  - type: ScalingLimited
    /// -    status: "True"
    /// -    reason: ScaleUpLimit
    /// -    message: 'the desired replica count is limited'
    /// -    lastTransitionTime: "2026-11-02T09:40:00Z"
    ///  ---
    /// @@
    ///    usage:
    /// -    cpu: 200m
    /// +    cpu: 50m
    ///  ---
    /// @@
    ///    usage:
    /// -    cpu: 200m
    /// +    cpu: 50m
    /// ```
    ///
    /// ## Fix
    /// Do nothing if the limit is intended. HPA314 reports how long the whole scale-up takes.
    ///
    /// ## References
    /// - Kubernetes, [`horizontal.go`](https://github.com/kubernetes/kubernetes/blob/master/pkg/controller/podautoscaler/horizontal.go): `convertDesiredReplicasWithBehaviorRate`
    pub(crate) static RULE = {
        code: "HPA806",
        name: "rate-limited",
        summary: "a rate limit holds the replicas back",
        severity: Severity::Info,
        needs: Needs::Live,
        check: Check::Hpa(check),
    }
}

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let live = cx.live()?;
    let Some(condition) = live.condition("ScalingLimited", "True") else {
        return Ok(Vec::new());
    };
    let (direction, reason, path) = match condition.reason.as_str() {
        "ScaleUpLimit" => (
            "scale-up",
            LimitReason::ScaleUpLimit,
            "spec.behavior.scaleUp",
        ),
        "ScaleDownLimit" => (
            "scale-down",
            LimitReason::ScaleDownLimit,
            "spec.behavior.scaleDown",
        ),
        _ => return Ok(Vec::new()),
    };
    let Some(proposal) = live.proposal()? else {
        return Ok(Vec::new());
    };
    let limit = live
        .analysis
        .trace
        .steps
        .iter()
        .find_map(|step| match step {
            Step::LimitRate(limit) if limit.reason == reason => Some(limit.desired),
            _ => None,
        });
    Ok(limit
        .filter(|limit| *limit != proposal)
        .map(|limit| {
            cx.finding(path)
                .message(format!(
                    "the metrics ask for {proposal} replicas but the {direction} rate limit allows {limit} now, so the rest takes more \
                     syncs"
                ))
                .help(format!(
                    "do nothing if the limit is intended; {} shows the next steps",
                    explain_command(cx)
                ))
        })
        .into_iter()
        .collect())
}
