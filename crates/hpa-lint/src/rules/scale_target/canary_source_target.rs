//! HPA421 `canary-source-target`.

use super::reference::target_name;
use crate::{Check, Cx, HpaSubject, Needs, RuleOutcome};

crate::declare_rule! {
    /// ## What it does
    /// Flags an HPA whose target is the `targetRef` of a Flagger `Canary`, unless the Canary names this HPA as its
    /// `autoscalerRef`.
    ///
    /// ## Why is this bad?
    /// Flagger copies the Deployment to `web-primary`, which gets the traffic, and scales the source to 0 between releases.
    /// The HPA scales the source. The primary keeps its initial number of replicas, whatever the load.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: autoscaling/v2
    /// kind: HorizontalPodAutoscaler
    /// metadata:
    ///   name: web
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
    /// ---
    /// apiVersion: flagger.app/v1beta1
    /// kind: Canary
    /// metadata:
    ///   name: web
    /// spec:
    ///   targetRef: {apiVersion: apps/v1, kind: Deployment, name: web}
    /// ```
    ///
    /// Use instead:
    /// ```yaml
    /// @@
    ///    targetRef: {apiVersion: apps/v1, kind: Deployment, name: web}
    /// +  autoscalerRef: {apiVersion: autoscaling/v2, kind: HorizontalPodAutoscaler, name: web}
    /// ```
    ///
    /// ## Fix
    /// Name the HPA in `spec.autoscalerRef` of the Canary. Flagger then creates an HPA for the primary.
    ///
    /// ## References
    /// - Flagger docs: [Canary target](https://docs.flagger.app/usage/how-it-works#canary-target)
    /// - [fluxcd/flagger#1646](https://github.com/fluxcd/flagger/issues/1646)
    pub(crate) static RULE = {
        code: "HPA421",
        name: "canary-source-target",
        summary: "the target is the source of a Flagger Canary",
        needs: Needs::Related,
        check: Check::Hpa(check),
    }
}

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    cx.world.require("Canary")?;
    let subject = cx.subject;
    let target = &subject.spec.scale_target;
    let canaries = cx.world.canaries_of(&target.name).filter(|canary| {
        let is_known = canary.autoscaler.as_ref().is_some_and(|(kind, name)| {
            kind == "HorizontalPodAutoscaler" && name == subject.hpa.name()
        });
        !is_known
            && canary.target_kind == target.kind
            && cx.world.belong_together(&canary.object, subject.object())
    });
    let findings = canaries.map(|canary| {
        cx.finding("spec.scaleTargetRef")
            .message(format!(
                "{} is the source of {}, so this HPA does not scale the primary, which gets the traffic",
                target_name(cx),
                canary.object
            ))
            .help("name this HPA in spec.autoscalerRef of the Canary; Flagger then creates an HPA for the primary")
            .related(
                canary.object.clone(),
                "spec.targetRef",
                "Flagger copies it to the primary",
            )
    });
    Ok(findings.collect())
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::testing::findings;

    #[test]
    fn the_primary_and_other_kinds_may_be_scaled() {
        let yaml = |kind: &str, target: &str, autoscaler: &str| {
            format!(
                "
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {{name: web}}
spec:
  scaleTargetRef: {{apiVersion: apps/v1, kind: {kind}, name: {target}}}
  maxReplicas: 4
---
apiVersion: flagger.app/v1beta1
kind: Canary
metadata: {{name: shop}}
spec:
  targetRef: {{apiVersion: apps/v1, kind: Deployment, name: web}}
  autoscalerRef: {{kind: {autoscaler}, name: web}}
"
            )
        };
        let (hpa, keda) = ("HorizontalPodAutoscaler", "ScaledObject");
        assert!(findings(&RULE, &yaml("Deployment", "web", hpa)).is_empty());
        assert!(findings(&RULE, &yaml("Deployment", "web-primary", keda)).is_empty());
        assert!(findings(&RULE, &yaml("StatefulSet", "web", keda)).is_empty());
        assert_eq!(
            findings(&RULE, &yaml("Deployment", "web", keda)),
            [
                "warning spec.scaleTargetRef: Deployment/web is the source of Canary/shop, so this HPA does not scale the primary, which gets the traffic"
            ]
        );
    }
}
