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
    use crate::testing::{findings, report};

    fn hpa(api_version: &str, kind: &str) -> String {
        format!(
            "
apiVersion: autoscaling/v1
kind: HorizontalPodAutoscaler
metadata: {{name: web}}
spec:
  scaleTargetRef: {{{api_version}kind: {kind}, name: web}}
  maxReplicas: 4
"
        )
    }

    #[test]
    fn versions_are_not_compared() {
        for (api_version, kind) in [
            ("apiVersion: apps/v1beta2, ", "Deployment"),
            ("apiVersion: apps/v1, ", "StatefulSet"),
            ("apiVersion: v1, ", "ReplicationController"),
            ("", "ReplicationController"),
            ("apiVersion: v1, ", "DeploymentConfig"),
            ("apiVersion: apps.kruise.io/v1beta1, ", "StatefulSet"),
            ("apiVersion: argoproj.io/v1alpha1, ", "Rollout"),
        ] {
            assert!(
                findings(&RULE, &hpa(api_version, kind)).is_empty(),
                "{kind}"
            );
        }
    }

    #[test]
    fn a_wrong_or_missing_group_has_a_fix() {
        for (api_version, message) in [
            (
                "",
                "apiVersion is missing and kind Deployment is not in the core API group, so the controller cannot find the target",
            ),
            (
                "apiVersion: v1, ",
                "kind Deployment is not in the core API group, so the controller cannot find the target",
            ),
            (
                "apiVersion: extensions/v1beta1, ",
                "kind Deployment is not in API group extensions, so the controller cannot find the target",
            ),
            (
                "apiVersion: batch/v1, ",
                "kind Deployment is not in API group batch, so the controller cannot find the target",
            ),
        ] {
            let report = report(&RULE, &hpa(api_version, "Deployment"));
            let [found] = &report.findings[..] else {
                panic!("{report:#?}");
            };
            assert_eq!(found.finding.message, message);
            assert_eq!(found.finding.fix.len(), 1);
        }
    }

    #[test]
    fn the_group_of_a_custom_resource_is_known_from_its_definition() {
        let definition = "
---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: rollouts.argoproj.io}
spec: {group: argoproj.io, names: {kind: Rollout, plural: rollouts}}
";
        let yaml = hpa("apiVersion: apps/v1, ", "Rollout") + definition;
        let expected = [
            "error spec.scaleTargetRef.apiVersion: kind Rollout is not in API group apps, so the controller cannot find the target",
        ];
        assert_eq!(findings(&RULE, &yaml), expected);
    }

    #[test]
    fn the_api_version_of_a_custom_resource_is_that_of_the_one_with_the_name() {
        let rollout = "
---
apiVersion: argoproj.io/v1alpha1
kind: Rollout
metadata: {name: web}
spec: {selector: {matchLabels: {app: web}}}
";
        for written in ["apiVersion: apps/v1, ", ""] {
            let yaml = hpa(written, "Rollout") + rollout;
            let report = report(&RULE, &yaml);
            let [found] = &report.findings[..] else {
                panic!("{report:#?}");
            };
            assert_eq!(found.finding.help, "write apiVersion: argoproj.io/v1alpha1");
            assert_eq!(found.finding.fix.len(), 1);
            let unknown = &super::super::target_kind_spelling::RULE;
            assert!(findings(unknown, &yaml).is_empty());
        }
        let other = rollout.replace("name: web", "name: other");
        assert!(findings(&RULE, &(hpa("apiVersion: apps/v1, ", "Rollout") + &other)).is_empty());
    }
}
