//! HPA412 `owned-replicaset`.

use super::{
    owner::{controlling_owner, sets_replicas},
    reference::target_name,
};
use crate::{Check, Cx, HpaSubject, Needs, RuleOutcome};

crate::declare_rule! {
    /// ## What it does
    /// Flags a target whose controlling owner sets its replicas: a ReplicaSet of a Deployment, a ReplicationController of a
    /// DeploymentConfig.
    ///
    /// ## Why is this bad?
    /// The owner immediately writes its own number back. After the next rollout another ReplicaSet has the pods. The HPA
    /// then scales the old ReplicaSet, which has none.
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
    ///     kind: ReplicaSet
    ///     name: web-1a
    ///   minReplicas: 2
    ///   maxReplicas: 10
    ///   metrics:
    ///   - type: Resource
    ///     resource: {name: cpu, target: {type: Utilization, averageUtilization: 70}}
    /// status: {currentReplicas: 2, desiredReplicas: 2}
    /// ---
    /// apiVersion: apps/v1
    /// kind: ReplicaSet
    /// metadata:
    ///   name: web-1a
    ///   namespace: shop
    ///   uid: 6f1a
    ///   ownerReferences: [{apiVersion: apps/v1, kind: Deployment, name: web, controller: true}]
    /// spec:
    ///   replicas: 2
    ///   selector: {matchLabels: {app: web}}
    ///   template: {metadata: {labels: {app: web}}, spec: {containers: [{name: main}]}}
    /// status: {replicas: 2}
    /// ```
    ///
    /// Use instead:
    /// ```yaml live
    /// @@
    ///    uid: 6f1a
    /// -  ownerReferences: [{apiVersion: apps/v1, kind: Deployment, name: web, controller: true}]
    ///  spec:
    /// ```
    ///
    /// ## Fix
    /// Name the owner in `scaleTargetRef`.
    ///
    /// ## References
    /// - [openshift/origin-web-console#675](https://github.com/openshift/origin-web-console/issues/675)
    pub(crate) static RULE = {
        code: "HPA412",
        name: "owned-replicaset",
        summary: "the target is owned by something that sets its replicas",
        needs: Needs::Live,
        check: Check::Hpa(check),
    }
}

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let owner = controlling_owner(cx)?.filter(|owner| sets_replicas(&owner.kind));
    let findings = owner.map(|owner| {
        let name = owner.to_string();
        cx.finding("spec.scaleTargetRef")
            .message(format!(
                "{} is owned by {name}, which sets its replicas and undoes the HPA",
                target_name(cx)
            ))
            .help(format!("name {name} in spec.scaleTargetRef instead"))
    });
    Ok(findings.into_iter().collect())
}
