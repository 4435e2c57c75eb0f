//! HPA413 `operator-owned-target`.

use super::{
    owner::{controlling_owner, sets_replicas},
    reference::target_name,
};
use crate::{Check, Cx, HpaSubject, Needs, RuleOutcome, Severity};

crate::declare_rule! {
    /// ## What it does
    /// Flags a target whose controlling owner is a custom resource, which means that an operator created it.
    ///
    /// ## Why is this bad?
    /// Many operators rewrite everything they own in each sync, including `spec.replicas`, and so undo the HPA. Whether
    /// this operator does so is unknown. HPA409 reports it once it has happened.
    ///
    /// ## Example
    /// ```yaml excerpt
    /// kind: Deployment
    /// metadata:
    ///   name: web
    ///   namespace: shop
    ///   ownerReferences: [{apiVersion: example.com/v1, kind: Shop, name: shop, controller: true}]
    /// ```
    ///
    /// Use instead:
    /// ```yaml excerpt
    /// kind: Deployment
    /// metadata:
    ///   name: web
    ///   namespace: shop
    /// # … no ownerReferences
    /// ```
    ///
    /// ## Fix
    /// Use the autoscaling setting of the operator's custom resource, if it has one. Some operators support an HPA on the
    /// custom resource itself.
    ///
    /// ## References
    /// - [apache/superset-kubernetes-operator#152](https://github.com/apache/superset-kubernetes-operator/issues/152), [open-telemetry/opentelemetry-operator#1553](https://github.com/open-telemetry/opentelemetry-operator/issues/1553)
    pub(crate) static RULE = {
        code: "HPA413",
        name: "operator-owned-target",
        summary: "the target belongs to a custom resource",
        severity: Severity::Info,
        needs: Needs::Live,
        check: Check::Hpa(check),
    }
}

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let owner = controlling_owner(cx)?.filter(|owner| !sets_replicas(&owner.kind));
    let findings = owner.map(|owner| {
        cx.finding("spec.scaleTargetRef")
            .message(format!(
                "{} belongs to {}/{}, whose operator might overwrite the replicas that the HPA sets",
                target_name(cx),
                owner.kind,
                owner.name
            ))
            .help(format!(
                "use the autoscaling setting of {}/{}, if it has one",
                owner.kind, owner.name
            ))
    });
    Ok(findings.into_iter().collect())
}
