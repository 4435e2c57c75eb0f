//! HPA705 `blocked-by-quota`.

use crate::{
    inference::failed_creations,
    lint::{Check, Cx, HpaSubject, Needs, RuleOutcome, Severity},
    model::SnapshotField,
};

crate::lint::declare_rule! {
    /// ## What it does
    /// Flags an HPA whose target cannot create pods because a ResourceQuota would be exceeded. One of its ReplicaSets has
    /// the condition `ReplicaFailure`, or Events `FailedCreate` exist for it.
    ///
    /// ## Why is this bad?
    /// The HPA has written its decision, but the pods are not created. The load stays on the existing pods, and the HPA
    /// asks for even more.
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
    ///   desiredReplicas: 3
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
    /// ---
    /// apiVersion: apps/v1
    /// kind: Deployment
    /// metadata:
    ///   name: web
    ///   namespace: shop
    /// spec:
    ///   replicas: 3
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
    ///   replicas: 3
    /// ---
    /// apiVersion: apps/v1
    /// kind: ReplicaSet
    /// metadata:
    ///   name: web-6f
    ///   namespace: shop
    ///   ownerReferences:
    ///   - apiVersion: apps/v1
    ///     kind: Deployment
    ///     name: web
    ///     controller: true
    /// spec:
    ///   replicas: 3
    ///   selector:
    ///     matchLabels:
    ///       app: web
    /// status:
    ///   replicas: 2
    ///   conditions:
    ///   - type: ReplicaFailure
    ///     status: "True"
    ///     reason: FailedCreate
    ///     message: 'pods "web-6f-" is forbidden: exceeded quota: compute, requested: requests.cpu=100m, used: requests.cpu=200m, limited: requests.cpu=200m'
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
    ///     cpu: 50m
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
    ///     cpu: 50m
    /// ```
    ///
    /// Use instead:
    /// ```yaml live
    /// @@
    ///    currentReplicas: 2
    /// -  desiredReplicas: 3
    /// +  desiredReplicas: 2
    ///    conditions:
    /// @@
    ///  spec:
    /// -  replicas: 3
    /// +  replicas: 2
    ///    selector:
    /// @@
    ///  status:
    /// -  replicas: 3
    /// +  replicas: 2
    ///  ---
    /// @@
    ///    replicas: 2
    /// -  conditions:
    /// -  - type: ReplicaFailure
    /// -    status: "True"
    /// -    reason: FailedCreate
    /// -    message: 'pods "web-6f-" is forbidden: exceeded quota: compute, requested: requests.cpu=100m, used: requests.cpu=200m, limited: requests.cpu=200m'
    ///  ---
    /// ```
    ///
    /// ## Fix
    /// Raise the quota, lower `maxReplicas`, or make the pods smaller.
    ///
    /// ## References
    /// - Kubernetes, [`replica_set.go`](https://github.com/kubernetes/kubernetes/blob/master/pkg/controller/replicaset/replica_set.go)
    pub(crate) static RULE = {
        code: "HPA705",
        name: "blocked-by-quota",
        summary: "a quota keeps the target from creating pods",
        severity: Severity::Error,
        needs: Needs::Live,
        check: Check::Hpa(check),
    }
}

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let live = cx.live()?;
    let quota = failed_creations(&live.observation, &live.context)
        .into_iter()
        .find(|failed| failed.message.contains("exceeded quota"));
    if quota.is_none() {
        // Nothing is found if it could not be read.
        for what in [&SnapshotField::IntermediateOwners, &SnapshotField::Events] {
            live.require(what)?;
        }
        cx.world.require("ReplicaSet")?;
    }
    Ok(quota
        .map(|failed| {
            cx.finding("spec.scaleTargetRef")
                .message(format!(
                    "{}/{} cannot create pods, so the scale-up has no effect. {}",
                    failed.kind,
                    failed.name,
                    failed.message.trim_end_matches('.')
                ))
                .help("raise the quota, lower maxReplicas, or make the pods smaller")
        })
        .into_iter()
        .collect())
}
