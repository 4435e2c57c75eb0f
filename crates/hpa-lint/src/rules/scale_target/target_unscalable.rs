//! HPA404 `target-unscalable`.

use hpa_engine::model::KnownKind;

use super::reference::{TargetKind, is_no_subresource, scale_error};
use crate::{Basis, Check, Cx, ForScaledObject, HpaSubject, Rule, RuleOutcome, Severity};

pub(crate) static RULE: Rule = Rule {
    code: "HPA404",
    name: "target-unscalable",
    summary: "the kind of the target has no scale subresource",
    severity: Severity::Error,
    check: Check::Hpa(check),
    for_scaled_object: ForScaledObject::ItsHpa,
    docs: include_str!("target_unscalable.md"),
    file: file!(),
    ..Rule::BASE
};

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let intended = TargetKind::intended(cx);
    let target = &cx.subject.spec.scale_target;
    let kind = intended.name().unwrap_or(&target.kind);
    let finding = cx.finding("spec.scaleTargetRef.kind").message(format!(
        "{kind} has no scale subresource, so the HPA cannot scale it"
    ));
    Ok(match intended {
        _ if scale_error(cx).is_some_and(is_no_subresource) => {
            vec![finding.basis(Basis::Live).help(help(kind))]
        }
        TargetKind::Custom(crd) if crd.scale.is_none() => vec![
            finding
                .basis(Basis::RelatedManifest)
                .help("add subresources.scale to its CustomResourceDefinition, or name the workload that it creates")
                .related(crd.object.clone(), "spec.versions", "no version has subresources.scale"),
        ],
        TargetKind::BuiltIn(known) if !known.is_scalable() => vec![finding.help(help(kind))],
        TargetKind::BuiltIn(_) | TargetKind::Custom(_) | TargetKind::Nothing | TargetKind::Unknown => Vec::new(),
    })
}

fn help(kind: &str) -> &'static str {
    let known = KnownKind::of(kind);
    match kind {
        _ if known.is_per_node() => {
            "delete the HPA, or use a Deployment: a DaemonSet has one pod for each node"
        }
        _ if known.runs_to_completion() => {
            "delete the HPA; scale Jobs by parallelism or with a ScaledJob of KEDA"
        }
        "Pod" => "name the Deployment or StatefulSet that creates the pod",
        _ => "name a Deployment, a StatefulSet, or a custom resource with a scale subresource",
    }
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::testing::table;

    #[test]
    fn no_spelling_and_no_group_makes_it_scalable() {
        table(
            &RULE,
            |[target, version]| {
                format!(
                    "
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {{name: web}}
spec:
  scaleTargetRef: {{apiVersion: {target}, name: web}}
  maxReplicas: 4
---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {{name: widgets.example.com}}
spec: {{group: example.com, names: {{kind: Widget}}, versions: [{version}]}}
"
                )
            },
            r"
a DaemonSet | apps/v1, kind: DaemonSet | => error spec.scaleTargetRef.kind: DaemonSet has no scale subresource, so the HPA cannot scale it
an old group and small letters | extensions/v1beta1, kind: daemonset | => error spec.scaleTargetRef.kind: DaemonSet has no scale subresource, so the HPA cannot scale it
a CronJob | batch/v1, kind: CronJob | => error spec.scaleTargetRef.kind: CronJob has no scale subresource, so the HPA cannot scale it
a Pod | v1, kind: Pod | => error spec.scaleTargetRef.kind: Pod has no scale subresource, so the HPA cannot scale it
a StatefulSet | apps/v1, kind: StatefulSet |
a DaemonSet of another group | apps.kruise.io/v1alpha1, kind: DaemonSet |
a custom resource without the subresource | example.com/v1, kind: Widget | {name: v1, served: true}
  error spec.scaleTargetRef.kind: Widget has no scale subresource, so the HPA cannot scale it
a custom resource with it | example.com/v1, kind: Widget | {name: v1, served: true, subresources: {scale: {specReplicasPath: .spec.replicas}}}
a custom resource that is not given | example.com/v1, kind: Gadget |
",
        );
    }
}
