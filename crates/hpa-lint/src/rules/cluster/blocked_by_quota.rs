//! HPA705 `blocked-by-quota`.

use hpa_analysis::{RefusalState, failed_creations};
use hpa_engine::model::{ResourceQuota, SnapshotField};

use crate::{Check, Cx, HpaSubject, Missing, Needs, RuleOutcome, Severity, world::Quota};

crate::declare_rule! {
    /// ## What it does
    /// Flags an HPA whose target cannot create pods because a ResourceQuota would be exceeded. One of its ReplicaSets has
    /// the condition `ReplicaFailure`, or Events `FailedCreate` exist for it, and the quota has no room now.
    ///
    /// ## Why is this bad?
    /// The HPA has written its decision, but the pods are not created. The load stays on the existing pods, and the HPA
    /// asks for even more. The condition alone says little: it keeps the first refusal until all pods exist.
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
    /// # …
    /// kind: ResourceQuota
    /// # …
    /// status:
    ///   hard:
    ///     requests.cpu: 200m
    ///   used:
    ///     requests.cpu: 200m
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
    let mut context = live.context.clone();
    let quotas = &mut context.surroundings.downstream.quotas;
    if quotas.is_none() {
        *quotas = quotas_of_objects(cx);
    }
    let quota = failed_creations(&live.observation, &context)
        .into_iter()
        .find(|failed| failed.is_by_quota() && !failed.is_over());
    let Some(failed) = quota else {
        // Nothing is found if it could not be read.
        for what in [&SnapshotField::IntermediateOwners, &SnapshotField::Events] {
            live.require(what)?;
        }
        cx.world.require("ReplicaSet")?;
        return Ok(Vec::new());
    };
    if failed.state == RefusalState::Unknown {
        live.require(&SnapshotField::ResourceQuotas)?;
        return Err(Missing::unknown(
            "whether the quota that refused pods has room now",
        ));
    }
    Ok(vec![
        cx.finding("spec.scaleTargetRef")
            .message(format!(
                "{}/{} cannot create pods, so the scale-up has no effect. {}",
                failed.kind,
                failed.name,
                failed.message.trim_end_matches('.')
            ))
            .help("raise the quota, lower maxReplicas, or make the pods smaller"),
    ])
}

/// The quotas next to the HPA, if their use is known.
fn quotas_of_objects(cx: &Cx<'_, HpaSubject>) -> Option<Vec<ResourceQuota>> {
    let beside = cx.world.quotas_beside(cx.subject.object());
    let known: Vec<ResourceQuota> = beside
        .into_iter()
        .filter(|quota| quota.used.is_some())
        .map(Quota::to_model)
        .collect();
    (!known.is_empty()).then_some(known)
}
