//! HPA402 `target-group`.

use super::reference::{CustomKind, TargetKind};
use crate::{Check, Cx, FixStep, ForScaledObject, HpaSubject, Rule, RuleOutcome, Severity};

pub(crate) static RULE: Rule = Rule {
    code: "HPA402",
    name: "target-group",
    summary: "the API group of the target does not have its kind",
    severity: Severity::Error,
    is_fixable: true,
    reports_rejections: true,
    check: Check::Hpa(check),
    for_scaled_object: ForScaledObject::ItsHpa,
    docs: include_str!("target_group.md"),
    file: file!(),
    ..Rule::BASE
};

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let target = &cx.subject.spec.scale_target;
    if target.kind.is_empty() || target.name.is_empty() {
        // HPA004 reports that.
        return Ok(Vec::new());
    }
    let group = cx.subject.target_group();
    let custom = CustomKind::intended(cx);
    let (right, is_whole) = match (TargetKind::intended(cx), &custom) {
        (TargetKind::BuiltIn(known), _) if known.is_scalable() && known.group() != group => {
            (known.api_version, true)
        }
        (TargetKind::Nothing | TargetKind::Unknown, Some(CustomKind::Workload(workload))) => {
            (&*workload.api_version, true)
        }
        (TargetKind::Nothing | TargetKind::Unknown, Some(CustomKind::Group(group))) => {
            (*group, false)
        }
        _ => return Ok(Vec::new()),
    };
    let kind = &cx.subject.spec.scale_target.kind;
    let path = "spec.scaleTargetRef.apiVersion";
    let is_written = cx.subject.is_written(path);
    let message = match (group, is_written) {
        ("", true) => {
            format!(
                "kind {kind} is not in the core API group, so the controller cannot find the target"
            )
        }
        ("", false) => {
            format!(
                "apiVersion is missing and kind {kind} is not in the core API group, so the controller cannot find the target"
            )
        }
        (group, _) => format!(
            "kind {kind} is not in API group {group}, so the controller cannot find the target"
        ),
    };
    let mut finding = cx.finding(path).message(message);
    if let Some(CustomKind::Workload(workload)) = &custom {
        let note = format!("has apiVersion {}", workload.api_version);
        finding = finding.related(workload.object.clone(), "", note);
    }
    if !is_whole {
        return Ok(vec![
            finding.help(format!("write apiVersion: {right}/VERSION")),
        ]);
    }
    let step = if is_written {
        FixStep::SetScalar {
            path: path.to_owned(),
            text: right.to_owned(),
        }
    } else {
        FixStep::Insert {
            path: "spec.scaleTargetRef".to_owned(),
            key: "apiVersion".to_owned(),
            text: right.to_owned(),
        }
    };
    Ok(vec![
        finding.help(format!("write apiVersion: {right}")).fix(step),
    ])
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::{rules::scale_target::target_kind_spelling, testing::table};

    fn hpa(target: &str, more: &str) -> String {
        format!(
            "
apiVersion: autoscaling/v1
kind: HorizontalPodAutoscaler
metadata: {{name: web}}
spec:
  scaleTargetRef: {{{target}, name: web}}
  maxReplicas: 4
---
{more}
"
        )
    }

    #[test]
    fn a_wrong_or_missing_group_has_a_fix() {
        table(
            &RULE,
            |[target]| hpa(target, ""),
            r"
versions are not compared | apiVersion: apps/v1beta2, kind: Deployment
a StatefulSet | apiVersion: apps/v1, kind: StatefulSet
a ReplicationController | apiVersion: v1, kind: ReplicationController
the core group is the default | kind: ReplicationController
a DeploymentConfig was in the core group | apiVersion: v1, kind: DeploymentConfig
another group has the kind | apiVersion: apps.kruise.io/v1beta1, kind: StatefulSet
a Rollout | apiVersion: argoproj.io/v1alpha1, kind: Rollout
a missing group | kind: Deployment => error …: apiVersion is missing and kind Deployment is not in the core API group, so the controller cannot find the target
  fix: [Insert { … }]
the core group | apiVersion: v1, kind: Deployment => error …: kind Deployment is not in the core API group, so the controller cannot find the target
  fix: [SetScalar { … }]
an old group | apiVersion: extensions/v1beta1, kind: Deployment => error …: kind Deployment is not in API group extensions, so the controller cannot find the target
  fix: [SetScalar { … }]
another group | apiVersion: batch/v1, kind: Deployment => error …: kind Deployment is not in API group batch, so the controller cannot find the target
  fix: [SetScalar { … }]
",
        );
    }

    #[test]
    fn the_group_of_a_custom_resource_is_known_from_its_definition_or_from_the_one_with_the_name() {
        table(
            &RULE,
            |[target, more]| hpa(target, more),
            r"
its definition | apiVersion: apps/v1, kind: Rollout | {apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, metadata: {name: rollouts.argoproj.io}, spec: {group: argoproj.io, names: {kind: Rollout, plural: rollouts}}}
  error spec.scaleTargetRef.apiVersion: kind Rollout is not in API group apps, so the controller cannot find the target
the one with the name | apiVersion: apps/v1, kind: Rollout | {apiVersion: argoproj.io/v1alpha1, kind: Rollout, metadata: {name: web}, spec: {selector: {matchLabels: {app: web}}}} => error …
  help: write apiVersion: argoproj.io/v1alpha1
  fix: [SetScalar { … }]
without a group | kind: Rollout | {apiVersion: argoproj.io/v1alpha1, kind: Rollout, metadata: {name: web}, spec: {selector: {matchLabels: {app: web}}}} => error …
  help: write apiVersion: argoproj.io/v1alpha1
  fix: [Insert { … }]
one with another name | apiVersion: apps/v1, kind: Rollout | {apiVersion: argoproj.io/v1alpha1, kind: Rollout, metadata: {name: other}, spec: {selector: {matchLabels: {app: web}}}}
",
        );
        table(
            &target_kind_spelling::RULE,
            |[target]| {
                hpa(
                    target,
                    "{apiVersion: argoproj.io/v1alpha1, kind: Rollout, metadata: {name: web}, spec: {selector: {matchLabels: {app: web}}}}",
                )
            },
            r"
its kind is known | apiVersion: apps/v1, kind: Rollout
its kind is known without a group | kind: Rollout
",
        );
    }
}
