//! HPA408 `last-applied-replicas`.

use hpa_explain::writer_name;
use hpa_words::shell_word;

use super::reference::target_name;
use crate::{Check, Cx, HpaSubject, Missing, Needs, RuleOutcome, namespace_flag};

crate::declare_rule! {
    /// ## What it does
    /// Flags a target in a cluster whose last applied configuration contains `spec.replicas`: in the annotation that
    /// `kubectl apply` leaves, or as a field that a manager owns by server-side apply.
    ///
    /// ## Why is this bad?
    /// The next apply sets the replicas to that number again. If you remove the field from the manifest first, client-side
    /// apply finds it in the annotation and removes it from the object. The API server then fills in its default: 40 pods
    /// become 1.
    ///
    /// ## Example
    /// ```yaml excerpt
    /// kind: Deployment
    /// metadata:
    ///   name: web
    ///   namespace: shop
    ///   annotations:
    ///     kubectl.kubernetes.io/last-applied-configuration: |
    ///       {"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"web"},"spec":{"replicas":2}}
    /// spec:
    ///   replicas: 2
    /// ```
    ///
    /// Use instead:
    /// ```yaml excerpt
    /// kind: Deployment
    /// metadata:
    ///   name: web
    ///   namespace: shop
    /// # … no last applied configuration with replicas
    /// spec:
    ///   replicas: 2
    /// # … the HPA has set this number
    /// ```
    ///
    /// ## Fix
    /// With client-side apply, keep this order:
    ///
    /// 1. Remove the field from the last applied configuration: `kubectl apply edit-last-applied deployment/web`.
    /// 2. Remove it from the manifest.
    ///
    /// With server-side apply, apply once without the field while the HPA also owns it.
    ///
    /// ## References
    /// - Kubernetes docs: [Migrating Deployments and StatefulSets to horizontal autoscaling](https://kubernetes.io/docs/tasks/run-application/horizontal-pod-autoscale/#migrating-deployments-and-statefulsets-to-horizontal-autoscaling)
    /// - Kubernetes docs: [Transferring ownership of fields](https://kubernetes.io/docs/reference/using-api/server-side-apply/#transferring-ownership)
    /// - [kubernetes/kubernetes#25238](https://github.com/kubernetes/kubernetes/issues/25238)
    pub(crate) static RULE = {
        code: "HPA408",
        name: "last-applied-replicas",
        summary: "the last applied configuration of the target has spec.replicas",
        needs: Needs::Live,
        check: Check::Hpa(check),
    }
}

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let live = cx.live()?;
    let Some(target) = &live.context.target else {
        // A target that does not exist has no configuration; HPA401 reports it.
        return match &live.observation.scale {
            hpa_engine::model::Reading::Failed(_) => Ok(Vec::new()),
            _ => Err(Missing::NotRead {
                what: target_name(cx),
                why: "the cluster returned none".to_owned(),
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
            format!(
                "the last applied configuration of {object} contains spec.replicas {replicas}, so the next apply \
                 overwrites the HPA"
            ),
            format!(
                "remove spec.replicas from it first (kubectl apply edit-last-applied {}{}), then from the manifest. \
                 In the other order the next apply sets 1 replica",
                shell_word(&object.to_lowercase()),
                namespace_flag(cx)
            ),
        ),
        (_, Some(manager)) => (
            format!(
                "{} applies {object} with spec.replicas, so its next apply overwrites the HPA or conflicts with it",
                writer_name(manager)
            ),
            "once the HPA also owns spec.replicas, remove the field from what is applied"
                .to_owned(),
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
            "each apply writes it",
        ),
        Err(_) => finding,
    }])
}
