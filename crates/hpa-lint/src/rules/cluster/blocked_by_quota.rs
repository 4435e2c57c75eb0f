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
    /// ```yaml excerpt
    /// kind: HorizontalPodAutoscaler
    /// # …
    /// status:
    ///   currentReplicas: 2
    ///   desiredReplicas: 3
    /// # …
    /// kind: ReplicaSet
    /// # …
    /// spec:
    ///   replicas: 3
    /// # …
    /// status:
    ///   replicas: 2
    ///   conditions:
    ///   - type: ReplicaFailure
    ///     status: "True"
    ///     reason: FailedCreate
    ///     message: 'pods "web-6f-" is forbidden: exceeded quota: compute, requested: requests.cpu=100m, used: requests.cpu=200m, limited: requests.cpu=200m'
    /// ```
    ///
    /// Use instead:
    /// ```yaml excerpt
    /// # …
    /// kind: ReplicaSet
    /// # …
    /// spec:
    ///   replicas: 2
    /// # …
    /// status:
    ///   replicas: 2
    /// # … no condition ReplicaFailure
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
        .find(|failed| failed.message.contains("exceeded quota") && !failed.is_over);
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
