//! HPA805 `limited-at-min`.

use crate::lint::{Check, Cx, HpaSubject, Needs, RuleOutcome, Severity};

crate::lint::declare_rule! {
    /// ## What it does
    /// Flags an HPA that is at `minReplicas` while its metrics ask for fewer replicas. Off by default.
    ///
    /// ## Why is this bad?
    /// It is not bad: this is what a quiet time looks like. The rule helps to find a `minReplicas` that is too high. In the
    /// example two pods use 10% of their requests and the target is 50%, so ⌈2 × 10 ÷ 50⌉ = 1 replica is enough.
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
    ///   currentReplicas: 2
    ///   desiredReplicas: 2
    ///   lastScaleTime: "2026-11-02T09:00:00Z"
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
    ///     reason: TooFewReplicas
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
    ///     cpu: 10m
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
    ///     cpu: 10m
    /// ```
    ///
    /// Use instead:
    /// ```yaml live
    /// @@
    ///      lastTransitionTime: "2026-11-02T08:00:00Z"
    /// -  - type: ScalingLimited
    /// -    status: "True"
    /// -    reason: TooFewReplicas
    /// -    message: 'the desired replica count is limited'
    /// -    lastTransitionTime: "2026-11-02T09:40:00Z"
    ///  ---
    /// @@
    ///    usage:
    /// -    cpu: 10m
    /// +    cpu: 50m
    ///  ---
    /// @@
    ///    usage:
    /// -    cpu: 10m
    /// +    cpu: 50m
    /// ```
    ///
    /// ## Fix
    /// Do nothing, or lower `minReplicas` if that is safe.
    ///
    /// ## References
    /// - Kubernetes docs: [Algorithm details](https://kubernetes.io/docs/tasks/run-application/horizontal-pod-autoscale/#algorithm-details)
    pub(crate) static RULE = {
        code: "HPA805",
        name: "limited-at-min",
        summary: "the metrics ask for fewer than minReplicas",
        severity: Severity::Info,
        needs: Needs::Live,
        is_opt_in: true,
        check: Check::Hpa(check),
    }
}

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let live = cx.live()?;
    let is_limited = live
        .condition("ScalingLimited", "True")
        .is_some_and(|condition| condition.reason == "TooFewReplicas");
    if !is_limited {
        return Ok(Vec::new());
    }
    let min = cx.subject.spec.min_replicas();
    let Some(proposal) = live.proposal()?.filter(|proposal| *proposal < min) else {
        return Ok(Vec::new());
    };
    Ok(vec![
        cx.finding("spec.minReplicas")
            .message(format!(
                "the metrics ask for {proposal} {} but minReplicas is {min}, so the HPA does not scale down",
                if proposal == 1 { "replica" } else { "replicas" }
            ))
            .help(format!(
                "do nothing in quiet times; lower minReplicas to {} only if so few pods are safe",
                proposal.max(1)
            )),
    ])
}
