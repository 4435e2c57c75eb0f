//! HPA601 `keda-and-hpa`.

use super::beside::scaled_objects;
use crate::lint::{Check, Cx, HpaSubject, Needs, RuleOutcome, Severity};

crate::lint::declare_rule! {
    /// ## What it does
    /// Flags an HPA whose target a KEDA ScaledObject scales, too, by an HPA of its own. The HPA that KEDA makes or
    /// takes over is not flagged. It is a warning while the ScaledObject is paused, because KEDA has then taken its
    /// own HPA away, and where the HPA has the annotation `validations.keda.sh/hpa-ownership: "false"`.
    ///
    /// ## Why is this bad?
    /// Two HPAs select the same pods. From Kubernetes 1.26 on both stop with `AmbiguousSelector`; before, they write
    /// in turn: with 6 replicas asked for by one and 3 by the other, the replicas change twice every 15 s. KEDA's
    /// webhook refuses the ScaledObject while the HPA is there, but not the HPA while the ScaledObject is.
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
    ///     - type: Resource
    ///       resource:
    ///         name: cpu
    ///         target:
    ///           type: Utilization
    ///           averageUtilization: 70
    /// ---
    /// apiVersion: keda.sh/v1alpha1
    /// kind: ScaledObject
    /// metadata:
    ///   name: web
    /// spec:
    ///   scaleTargetRef:
    ///     name: web
    ///   triggers:
    ///     - type: rabbitmq
    ///       metadata:
    ///         queueName: mail
    ///         mode: QueueLength
    ///         value: "20"
    /// ```
    ///
    /// Use instead:
    /// ```yaml
    /// @@
    ///  metadata:
    /// -  name: web
    /// +  name: worker
    ///  spec:
    /// @@
    ///      kind: Deployment
    /// -    name: web
    /// +    name: worker
    ///    minReplicas: 2
    /// ```
    ///
    /// ## Fix
    /// Keep one: move the metrics of the HPA into triggers of the ScaledObject. To hand the HPA over, annotate the
    /// ScaledObject with `scaledobject.keda.sh/transfer-hpa-ownership: "true"` and name the HPA in
    /// `spec.advanced.horizontalPodAutoscalerConfig.name`.
    ///
    /// ## References
    /// - KEDA, `scaledobject_webhook.go`: `verifyHpas`
    /// - kedacore/keda#5825
    /// - docs/dev/controller.md, 2.7
    pub(crate) static RULE = {
        code: "HPA601",
        name: "keda-and-hpa",
        summary: "a ScaledObject and a separate HPA scale one target",
        severity: Severity::Error,
        needs: Needs::Related,
        check: Check::Hpa(check),
    }
}

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let found = scaled_objects(cx);
    // Another ScaledObject beside the owner is for HPA602.
    if found.iter().any(|keda| keda.has_made(cx)) {
        return Ok(Vec::new());
    }
    cx.world.require("ScaledObject")?;
    let target = &cx.subject.spec.scale_target;
    let annotation = cx
        .subject
        .manifest
        .annotation("validations.keda.sh/hpa-ownership");
    let is_selected = annotation == Some("false");
    Ok(found
        .into_iter()
        .map(|keda| {
            let finding = cx
                .finding("spec.scaleTargetRef")
                .message(format!(
                    "{}/{} is scaled by ScaledObject {} and by this HPA",
                    target.kind, target.name, keda.object.name
                ))
                .help("keep one: move the metrics of this HPA into triggers of the ScaledObject");
            let finding = if is_selected || keda.is_paused() {
                finding.severity(Severity::Warning)
            } else {
                finding
            };
            finding.related(
                keda.object,
                "spec.scaleTargetRef",
                "KEDA makes an HPA of its own for it",
            )
        })
        .collect())
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::lint::testing::findings;

    fn found(hpa: &str, scaled_object: &str) -> Vec<String> {
        findings(
            &RULE,
            &format!(
                "
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {{namespace: shop, {hpa}}}
spec:
  scaleTargetRef: {{apiVersion: apps/v1, kind: Deployment, name: web}}
  maxReplicas: 4
---
apiVersion: keda.sh/v1alpha1
kind: ScaledObject
metadata: {{name: web}}
spec:
  scaleTargetRef: {scaled_object}
  triggers: [{{type: cron, metadata: {{}}}}]
"
            ),
        )
    }

    #[test]
    fn the_hpa_that_keda_makes_or_takes_over_is_not_separate() {
        let target = "{name: web}";
        assert_eq!(
            found("name: web", target),
            [
                "error spec.scaleTargetRef: Deployment/web is scaled by ScaledObject web and by this HPA"
            ]
        );
        assert!(found("name: keda-hpa-web", target).is_empty());
        assert!(
            found(
                "name: web, ownerReferences: [{kind: ScaledObject, name: web}]",
                target
            )
            .is_empty()
        );
        assert!(
            found(
                "name: web, labels: {scaledobject.keda.sh/name: web}",
                target
            )
            .is_empty()
        );
        let taken = "{name: web}
  advanced: {horizontalPodAutoscalerConfig: {name: web}}";
        assert!(found("name: web", taken).is_empty());
    }

    #[test]
    fn the_target_is_told_by_group_kind_and_name() {
        let of = |api_version: &str, kind: &str| {
            let target = format!("{{apiVersion: {api_version}, kind: {kind}, name: web}}");
            found("name: web", &target).len()
        };
        assert_eq!(of("apps/v1beta1", "Deployment"), 1);
        assert_eq!(of("apps/v1", "StatefulSet"), 0);
        assert_eq!(of("argoproj.io/v1alpha1", "Rollout"), 0);
    }

    #[test]
    fn what_does_not_fight_now_is_a_warning() {
        let paused = "{name: web}
  # The annotation stands in the metadata.
---
apiVersion: keda.sh/v1alpha1
kind: ScaledObject
metadata: {name: other, annotations: {autoscaling.keda.sh/paused: 'true'}}
spec:
  scaleTargetRef: {name: web}";
        let found_paused = found("name: web", paused);
        assert_eq!(found_paused.len(), 2);
        assert!(found_paused[1].starts_with("warning"), "{found_paused:?}");
        let intended = "name: web, annotations: {validations.keda.sh/hpa-ownership: 'false'}";
        assert!(found(intended, "{name: web}")[0].starts_with("warning"));
    }
}
