//! HPA408 `last-applied-replicas`.

use super::reference::target_name;
use crate::{
    explain::writer_name,
    lint::{Check, Cx, HpaSubject, Missing, Needs, RuleOutcome},
};

crate::lint::declare_rule! {
    /// ## What it does
    /// Flags a target in a cluster whose last applied configuration contains `spec.replicas`, be it in the annotation that
    /// `kubectl apply` leaves, or as a field that a manager owns by server-side apply.
    ///
    /// ## Why is this bad?
    /// The next apply sets the replicas to that number again. If the field is taken out of the manifest first, client-side apply
    /// sees it in the annotation, removes it, and the API server fills in its default: 40 pods become 1.
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
    ///     resource: {name: cpu, target: {type: Utilization, averageUtilization: 70}}
    /// status: {currentReplicas: 2, desiredReplicas: 2}
    /// ---
    /// apiVersion: apps/v1
    /// kind: Deployment
    /// metadata:
    ///   name: web
    ///   namespace: shop
    ///   annotations:
    ///     kubectl.kubernetes.io/last-applied-configuration: |
    ///       {"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"web"},"spec":{"replicas":2}}
    /// spec:
    ///   replicas: 2
    ///   selector: {matchLabels: {app: web}}
    ///   template:
    ///     metadata: {labels: {app: web}}
    ///     spec:
    ///       containers: [{name: main, resources: {requests: {cpu: 100m}, limits: {cpu: 200m}}}]
    /// status: {replicas: 2}
    /// ---
    /// apiVersion: apps/v1
    /// kind: ReplicaSet
    /// metadata:
    ///   name: web-1a
    ///   namespace: shop
    ///   ownerReferences: [{apiVersion: apps/v1, kind: Deployment, name: web, controller: true}]
    /// spec: {replicas: 2, selector: {matchLabels: {app: web, hash: 1a}}}
    /// status: {replicas: 2}
    /// ---
    /// apiVersion: v1
    /// kind: Pod
    /// metadata:
    ///   name: web-1a-a
    ///   namespace: shop
    ///   labels: {app: web}
    ///   creationTimestamp: "2026-11-02T09:00:00Z"
    ///   ownerReferences: [{apiVersion: apps/v1, kind: ReplicaSet, name: web-1a, controller: true}]
    /// spec:
    ///   containers: [{name: main, resources: {requests: {cpu: 100m}, limits: {cpu: 200m}}}]
    /// status:
    ///   phase: Running
    ///   startTime: "2026-11-02T09:00:00Z"
    ///   conditions: [{type: Ready, status: "True", lastTransitionTime: "2026-11-02T09:00:30Z"}]
    /// ---
    /// apiVersion: v1
    /// kind: Pod
    /// metadata:
    ///   name: web-1a-b
    ///   namespace: shop
    ///   labels: {app: web}
    ///   creationTimestamp: "2026-11-02T09:00:00Z"
    ///   ownerReferences: [{apiVersion: apps/v1, kind: ReplicaSet, name: web-1a, controller: true}]
    /// spec:
    ///   containers: [{name: main, resources: {requests: {cpu: 100m}, limits: {cpu: 200m}}}]
    /// status:
    ///   phase: Running
    ///   startTime: "2026-11-02T09:00:00Z"
    ///   conditions: [{type: Ready, status: "True", lastTransitionTime: "2026-11-02T09:00:30Z"}]
    /// ---
    /// apiVersion: metrics.k8s.io/v1beta1
    /// kind: PodMetrics
    /// metadata: {name: web-1a-a, namespace: shop, labels: {app: web}}
    /// timestamp: "2026-11-02T09:59:45Z"
    /// window: 15s
    /// containers: [{name: main, usage: {cpu: 70m}}]
    /// ---
    /// apiVersion: metrics.k8s.io/v1beta1
    /// kind: PodMetrics
    /// metadata: {name: web-1a-b, namespace: shop, labels: {app: web}}
    /// timestamp: "2026-11-02T09:59:45Z"
    /// window: 15s
    /// containers: [{name: main, usage: {cpu: 70m}}]
    /// ```
    ///
    /// Use instead:
    /// ```yaml live
    /// @@
    ///    namespace: shop
    /// -  annotations:
    /// -    kubectl.kubernetes.io/last-applied-configuration: |
    /// -      {"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"web"},"spec":{"replicas":2}}
    ///  spec:
    /// ```
    ///
    /// ## Fix
    /// Take the field out of the last applied configuration first: `kubectl apply edit-last-applied deployment/web`. Then take it
    /// out of the manifest. With server-side apply, hand the field over: apply once without it while the HPA owns it, too.
    ///
    /// ## References
    /// - Kubernetes docs: [Migrating Deployments and StatefulSets to horizontal autoscaling](https://kubernetes.io/docs/tasks/run-application/horizontal-pod-autoscale/#migrating-deployments-and-statefulsets-to-horizontal-autoscaling)
    /// - Kubernetes docs: [Transferring ownership of fields](https://kubernetes.io/docs/reference/using-api/server-side-apply/#transferring-ownership)
    /// - kubernetes/kubernetes#25238
    pub(crate) static RULE = {
        code: "HPA408",
        name: "last-applied-replicas",
        summary: "the configuration applied last to the target has spec.replicas",
        needs: Needs::Live,
        check: Check::Hpa(check),
    }
}

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let live = cx.live()?;
    let Some(target) = &live.context.target else {
        // What does not exist has no configuration, and HPA401 tells.
        return match &live.observation.scale {
            crate::model::Reading::Failed(_) => Ok(Vec::new()),
            _ => Err(Missing::NotRead {
                what: target_name(cx),
                why: "the cluster gave none".to_owned(),
            }),
        };
    };
    let object = target_name(cx);
    let applier = target
        .replicas_written_by
        .iter()
        .find(|manager| manager.operation == "Apply");
    let (message, help) = match (target.applied_replicas, applier) {
        (Some(replicas), _) if replicas != 0 => (
            format!("the last applied configuration of {object} contains spec.replicas {replicas}"),
            "take it out with kubectl apply edit-last-applied first, then out of the manifest; the other way round the \
             next apply sets 1",
        ),
        (_, Some(manager)) => (
            format!(
                "{} applies {object} with spec.replicas",
                writer_name(manager)
            ),
            "leave spec.replicas out of what it applies, once the HPA owns the field, too",
        ),
        _ => return Ok(Vec::new()),
    };
    let finding = cx
        .finding("spec.scaleTargetRef")
        .message(message)
        .help(help);
    Ok(vec![match cx.workload() {
        Ok(workload) => finding.related(
            workload.object.clone(),
            "spec.replicas",
            "set by each apply",
        ),
        Err(_) => finding,
    }])
}
