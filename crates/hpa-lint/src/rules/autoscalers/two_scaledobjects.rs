//! HPA602 `two-scaledobjects`.

use std::collections::BTreeSet;

use super::beside::MOST_NAMED;
use crate::explain::amount::names_of;

use crate::lint::{
    Check, Cx, Finding, Needs, ObjectRef, RuleOutcome, ScaledObjectSubject, Severity,
    world::ScaledObject,
};

crate::lint::declare_rule! {
    /// ## What it does
    /// Flags a ScaledObject if another ScaledObject of the namespace has the same target, or the same name for its HPA.
    ///
    /// ## Why is this bad?
    /// KEDA creates an HPA for each. Since Kubernetes 1.26 the two HPAs stop each other with `AmbiguousSelector`.
    /// Before 1.26 they overwrite each other: if one asks for 6 replicas and the other for 3, the replicas change twice
    /// every 15 s. KEDA's webhook rejects the second ScaledObject, if the webhook runs.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: keda.sh/v1alpha1
    /// kind: ScaledObject
    /// metadata:
    ///   name: mail
    /// spec:
    ///   scaleTargetRef:
    ///     name: web
    ///   triggers:
    ///     - type: rabbitmq
    ///       metadata:
    ///         queueName: mail
    ///         mode: QueueLength
    ///         value: "20"
    /// ---
    /// apiVersion: keda.sh/v1alpha1
    /// kind: ScaledObject
    /// metadata:
    ///   name: orders
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
    /// apiVersion: keda.sh/v1alpha1
    /// kind: ScaledObject
    /// metadata:
    ///   name: mail
    /// spec:
    ///   scaleTargetRef:
    ///     name: web
    ///   triggers:
    ///     - type: rabbitmq
    ///       metadata:
    ///         queueName: mail
    ///         mode: QueueLength
    ///         value: "20"
    ///     - type: rabbitmq
    ///       metadata:
    ///         queueName: orders
    ///         mode: QueueLength
    ///         value: "20"
    /// ```
    ///
    /// ## Fix
    /// Put the triggers into one ScaledObject: the highest recommendation wins.
    ///
    /// ## References
    /// - KEDA, [`scaledobject_webhook.go`](https://github.com/kedacore/keda/blob/main/apis/keda/v1alpha1/scaledobject_webhook.go): `verifyScaledObjects`
    pub(crate) static RULE = {
        code: "HPA602",
        name: "two-scaledobjects",
        summary: "two ScaledObjects have one target, or one HPA",
        severity: Severity::Error,
        needs: Needs::Related,
        check: Check::ScaledObject(check),
    }
}

fn check(cx: &Cx<'_, ScaledObjectSubject>) -> RuleOutcome {
    let own = &cx.subject.scaled_object;
    if own.object.name.is_empty() || own.target_name.is_empty() {
        return Ok(Vec::new());
    }
    let is_other =
        |one: &&ScaledObject| one.object.name != own.object.name && !one.object.name.is_empty();
    let (group, kind, name) = (&own.target_group, &own.target_kind, &own.target_name);
    let target = cx.world.workload(&own.object, group, kind, name);
    let of_target = cx
        .world
        .scaled_objects_of(name)
        .filter(is_other)
        .filter(|one| one.scales(group, kind, name))
        .filter(|one| {
            cx.world
                .is_same_target(target, &one.object, group, kind, name)
        });
    let of_target = cx
        .world
        .nearest_beside(&own.object, of_target, |one| &one.object);
    let mut findings = Vec::new();
    if !of_target.is_empty() {
        let message = format!(
            "ScaledObjects {} scale {}/{}, so their HPAs conflict",
            names(own, &of_target),
            own.target_kind,
            own.target_name
        );
        let finding = cx.finding("spec.scaleTargetRef").message(message);
        findings.push(with_others(finding, &of_target, "spec.scaleTargetRef"));
    }
    let hpa = own.name_of_hpa();
    let of_hpa = cx.world.scaled_objects_making(&hpa).filter(is_other);
    let of_hpa = cx
        .world
        .nearest_beside(&own.object, of_hpa, |one| &one.object);
    if !of_hpa.is_empty() {
        let path = "spec.advanced.horizontalPodAutoscalerConfig.name";
        let message = format!(
            "ScaledObjects {} have the same HPA {hpa}, so they overwrite each other",
            names(own, &of_hpa)
        );
        findings.push(with_others(
            cx.finding(path).message(message),
            &of_hpa,
            path,
        ));
    }
    Ok(findings)
}

fn names(own: &ScaledObject, others: &[&ScaledObject]) -> String {
    let names: BTreeSet<&str> = others
        .iter()
        .map(|one| &*one.object.name)
        .chain([&*own.object.name])
        .collect();
    names_of(names.iter(), names.len(), MOST_NAMED)
}

fn with_others(finding: Finding, others: &[&ScaledObject], path: &str) -> Finding {
    let finding = finding.help("put the triggers into one ScaledObject, and delete the others");
    others
        .iter()
        .take(MOST_NAMED)
        .fold(finding, |finding, other| {
            let object: ObjectRef = other.object.clone();
            finding.related(object, path, "another ScaledObject")
        })
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::lint::testing::findings;

    fn scaled_object(name: &str, spec: &str) -> String {
        format!(
            "---
apiVersion: keda.sh/v1alpha1
kind: ScaledObject
metadata: {{name: {name}, namespace: shop}}
spec: {{{spec}}}
"
        )
    }

    #[test]
    fn targets_differ_by_kind_and_name_and_hpas_by_name() {
        let found = |one: &str, other: &str| {
            findings(
                &RULE,
                &(scaled_object("a", one) + &scaled_object("b", other)),
            )
        };
        let web = "scaleTargetRef: {name: web}";
        assert_eq!(
            found(web, web)[0],
            "error spec.scaleTargetRef: ScaledObjects a and b scale Deployment/web, so their HPAs conflict"
        );
        let set = "scaleTargetRef: {apiVersion: apps/v1, kind: StatefulSet, name: web}";
        assert!(found(web, set).is_empty());
        let named = |name: &str| {
            format!("{set}, advanced: {{horizontalPodAutoscalerConfig: {{name: {name}}}}}")
        };
        assert_eq!(
            found(web, &named("keda-hpa-a"))[0],
            "error spec.advanced.horizontalPodAutoscalerConfig.name: ScaledObjects a and b have the same HPA keda-hpa-a, so they overwrite each other"
        );
        assert!(found(web, &named("own")).is_empty());
    }
}
