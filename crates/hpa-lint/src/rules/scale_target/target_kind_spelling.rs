//! HPA403 `target-kind-spelling`.

use super::reference::{CustomKind, TargetKind, is_no_such_kind, scale_error};
use crate::{Basis, Check, Cx, FixStep, ForScaledObject, HpaSubject, Rule, RuleOutcome, Severity};

pub(crate) static RULE: Rule = Rule {
    code: "HPA403",
    name: "target-kind-spelling",
    summary: "the kind of the target is misspelled or does not exist",
    severity: Severity::Error,
    is_fixable: true,
    yields_to: &["HPA404"],
    check: Check::Hpa(check),
    for_scaled_object: ForScaledObject::ItsHpa,
    docs: include_str!("target_kind_spelling.md"),
    file: file!(),
    ..Rule::BASE
};

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let written = &cx.subject.spec.scale_target.kind;
    let intended = TargetKind::intended(cx);
    let group = match cx.subject.target_group() {
        "" => "the core API group".to_owned(),
        group => format!("API group {group}"),
    };
    let finding = || {
        cx.finding("spec.scaleTargetRef.kind").message(format!(
            "kind {written} is not in {group}, so the controller cannot find the target"
        ))
    };
    let listed = "write a kind and an apiVersion that kubectl api-resources lists";
    let is_live = scale_error(cx).is_some_and(is_no_such_kind);
    let finding =
        match intended {
            // HPA404 reports that no spelling helps.
            _ if intended.is_scalable() == Some(false) => return Ok(Vec::new()),
            _ if written.is_empty() => return Ok(Vec::new()),
            TargetKind::BuiltIn(_) | TargetKind::Custom(_) => match intended.name() {
                Some(right) if right != written => finding()
                    .help(format!("write kind: {right}"))
                    .fix(FixStep::SetScalar {
                        path: "spec.scaleTargetRef.kind".to_owned(),
                        text: right.to_owned(),
                    }),
                _ => return Ok(Vec::new()),
            },
            // HPA402 reports which group has it.
            TargetKind::Nothing if CustomKind::intended(cx).is_some() => return Ok(Vec::new()),
            TargetKind::Nothing => finding().help(listed),
            TargetKind::Unknown if is_live => finding().basis(Basis::Live).help(listed),
            TargetKind::Unknown => return Ok(Vec::new()),
        };
    Ok(vec![finding])
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::testing::table;

    #[test]
    fn other_spellings_are_corrected_in_groups_whose_kinds_are_known() {
        table(
            &RULE,
            |[target]| {
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
spec:
  group: example.com
  names: {{kind: Widget, plural: widgets, singular: widget, shortNames: [wd]}}
  versions: [{{name: v1, served: true, subresources: {{scale: {{specReplicasPath: .spec.replicas}}}}}}]
"
                )
            },
            r"
the short name | apps/v1, kind: deploy => error …: kind deploy is not in API group apps, so the controller cannot find the target
  help: write kind: Deployment
a small letter | apps/v1, kind: Statefulset => error …: kind Statefulset is not in API group apps, so the controller cannot find the target
  help: write kind: StatefulSet
the plural of a custom resource | example.com/v1, kind: widgets => error …: kind widgets is not in API group example.com, so the controller cannot find the target
  help: write kind: Widget
the short name of a custom resource | example.com/v1, kind: wd => error …: kind wd is not in API group example.com, so the controller cannot find the target
  help: write kind: Widget
another group | argoproj.io/v1alpha1, kind: Rollout
the core group of an old target | v1, kind: DeploymentConfig
a custom resource | example.com/v1, kind: Widget
a kind of another group | apps/v1, kind: Rollout => error spec.scaleTargetRef.kind: kind Rollout is not in API group apps, so the controller cannot find the target
",
        );
    }
}
