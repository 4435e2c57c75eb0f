//! HPA402 `target-group`.

use super::reference::{CustomKind, TargetKind};
use crate::lint::{Check, Cx, FixStep, HpaSubject, RuleOutcome, Severity};

crate::lint::declare_rule! {
    /// ## What it does
    /// Flags a `scaleTargetRef` whose `apiVersion` names a group that does not have the kind: none at all, `v1`, or
    /// `extensions/v1beta1`, in which no kind that can be scaled is left since Kubernetes 1.16. Versions are not compared: the
    /// controller looks at the group only. Custom kinds are known from their definitions, and from objects of the target's kind
    /// and name: a Rollout is in `argoproj.io`, not in `apps`.
    ///
    /// ## Why is this bad?
    /// The controller finds `no matches for kind "Deployment" in group ""`: `FailedGetScale` in every sync. Since Kubernetes
    /// 1.34 an `apiVersion` without a group is rejected at once.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: autoscaling/v2
    /// kind: HorizontalPodAutoscaler
    /// metadata:
    ///   name: web
    /// spec:
    ///   scaleTargetRef:
    ///     apiVersion: v1
    ///     kind: Deployment
    ///     name: web
    ///   minReplicas: 2
    ///   maxReplicas: 10
    ///   metrics:
    ///   - type: Resource
    ///     resource: {name: cpu, target: {type: Utilization, averageUtilization: 70}}
    /// ```
    ///
    /// Use instead:
    /// ```yaml
    /// @@
    ///    scaleTargetRef:
    /// -    apiVersion: v1
    /// +    apiVersion: apps/v1
    ///      kind: Deployment
    /// ```
    ///
    /// ## Fix
    /// Write the group of the kind: `apps/v1` for Deployments, StatefulSets and ReplicaSets. `--fix` does that.
    ///
    /// ## References
    /// - Kubernetes, `horizontal.go`: `RESTMappings` by group and kind; `validation.go`: `ValidateScaleTargetRef`
    pub(crate) static RULE = {
        code: "HPA402",
        name: "target-group",
        summary: "the API group of the target does not have its kind",
        severity: Severity::Error,
        is_fixable: true,
        check: Check::Hpa(check),
    }
}

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let group = cx.subject.target_group();
    let custom = CustomKind::intended(cx);
    let (right, is_whole) = match (TargetKind::intended(cx), &custom) {
        (TargetKind::BuiltIn(known), _) if known.is_scalable && known.group != group => {
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
        ("", true) => format!("kind {kind} is not in the core API group"),
        ("", false) => {
            format!(
                "kind {kind} is not in the core API group, which is what a missing apiVersion means"
            )
        }
        (group, _) => format!("kind {kind} is not in API group {group}"),
    };
    let mut finding = cx.finding(path).message(message);
    if let Some(CustomKind::Workload(workload)) = &custom {
        let note = format!("is of {}", workload.api_version);
        finding = finding.related(workload.object.clone(), "", note);
    }
    if !is_whole {
        return Ok(vec![
            finding.help(format!("write apiVersion: {right} and its version")),
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
    use crate::lint::testing::{findings, report};

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
                "kind Deployment is not in the core API group, which is what a missing apiVersion means",
            ),
            (
                "apiVersion: v1, ",
                "kind Deployment is not in the core API group",
            ),
            (
                "apiVersion: extensions/v1beta1, ",
                "kind Deployment is not in API group extensions",
            ),
            (
                "apiVersion: batch/v1, ",
                "kind Deployment is not in API group batch",
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
        let expected =
            ["error spec.scaleTargetRef.apiVersion: kind Rollout is not in API group apps"];
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
