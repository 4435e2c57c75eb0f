//! HPA409 `competing-writer`.

use jiff::SignedDuration;

use super::reference::target_name;
use crate::{
    explain::{clock::duration, writer_is_autoscaler, writer_name},
    inference::{foreign_write, replica_history},
    lint::{
        Basis, Check, ConfigurableNumber, Cx, HpaSubject, Missing, Needs, RuleOutcome, Severity,
        ThresholdUnit,
    },
    model::SnapshotField,
};

crate::lint::declare_rule! {
    /// ## What it does
    /// Flags a target whose replicas somebody else has changed after the HPA had set them, twice or more within an hour: an
    /// operator, a deployer that resets the field, a script.
    ///
    /// One look at a cluster shows this by the HPA's Events (it set the same number again although nothing of its own came
    /// between, or scaled up to fewer than before) and by `managedFields` (the number that is there now is not the HPA's). Both
    /// are lower bounds: the controller counts equal Events as one, combines many and drops others, and the API server keeps
    /// them for an hour. Where an Event may be missing, nothing is concluded from that.
    ///
    /// ## Why is this bad?
    /// Two writers undo each other: pods start and stop for nothing, and which number is there is a matter of the moment. An HPA
    /// that set 10 and finds 2 in the next sync scales up to 4, then 8, and is reset again.
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
    /// ---
    /// apiVersion: v1
    /// kind: Event
    /// metadata: {name: web.1, namespace: shop}
    /// involvedObject: {apiVersion: autoscaling/v2, kind: HorizontalPodAutoscaler, name: web, namespace: shop}
    /// type: Normal
    /// reason: SuccessfulRescale
    /// message: "New size: 2; reason: cpu resource utilization (percentage of request) above target"
    /// count: 3
    /// firstTimestamp: "2026-11-02T09:40:00Z"
    /// lastTimestamp: "2026-11-02T09:58:00Z"
    /// ```
    ///
    /// Use instead:
    /// ```yaml live
    /// @@
    ///  message: "New size: 2; reason: cpu resource utilization (percentage of request) above target"
    /// -count: 3
    /// +count: 1
    ///  firstTimestamp: "2026-11-02T09:40:00Z"
    /// ```
    ///
    /// ## Fix
    /// Find the writer: `kubectl get deployment web -o yaml --show-managed-fields` names the managers. Take `spec.replicas`
    /// away from it, or delete the HPA.
    ///
    /// ## References
    /// - nginx/nginx-gateway-fabric#4214; apache/superset-kubernetes-operator#152; banzaicloud/istio-operator#80
    pub(crate) static RULE = {
        code: "HPA409",
        name: "competing-writer",
        summary: "something else changes the replicas after the HPA",
        severity: Severity::Error,
        needs: Needs::Live,
        yields_to: &["HPA410"],
        thresholds: &[
            ConfigurableNumber { name: "times", default: 2.0, unit: ThresholdUnit::Count, summary: "changes by others that are a fight" },
            ConfigurableNumber { name: "window", default: 3600.0, unit: ThresholdUnit::Seconds, summary: "how far back they count" },
        ],
        check: Check::Hpa(check),
    }
}

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let live = cx.live()?;
    if let Some(not_read) = live
        .context
        .not_read
        .iter()
        .find(|one| one.what == SnapshotField::Events)
    {
        return Err(Missing::NotRead {
            what: "the Events of the HPA".to_owned(),
            why: not_read.why.clone(),
        });
    }
    #[expect(clippy::cast_possible_truncation, reason = "seconds of a window")]
    let window = SignedDuration::from_secs(cx.threshold("window") as i64);
    let is_recent = |at| live.now.duration_since(at) <= window;
    let history = replica_history(&live.context, live.now);
    let undone = history.undone.iter().filter(|undone| is_recent(undone.at));
    let undone = undone.fold(0_i32, |sum, undone| sum.saturating_add(undone.times));
    let write = foreign_write(&live.observation, &live.context, &history)
        .filter(|write| is_recent(write.at.unwrap_or(write.hpa_scaled)))
        .filter(|write| !writer_is_autoscaler(&write.by));
    let count = undone.saturating_add(i32::from(write.is_some()));
    if f64::from(count) < cx.threshold("times") {
        return Ok(Vec::new());
    }
    let who = write.as_ref().map_or_else(
        || "something else".to_owned(),
        |write| writer_name(&write.by),
    );
    let finding = cx
        .finding("spec.scaleTargetRef")
        .basis(Basis::History)
        .message(format!(
            "{who} changed spec.replicas {count} times after the HPA within {}",
            duration(window)
        ))
        .help(format!(
            "only one may set the replicas of {}; its managedFields name who does",
            target_name(cx)
        ));
    Ok(vec![match cx.workload() {
        Ok(workload) => {
            finding.related(workload.object.clone(), "spec.replicas", "written by both")
        }
        Err(_) => finding,
    }])
}
