//! HPA401 `target-missing`.

use super::reference::{
    TargetKind, is_no_subresource, is_no_such_kind, namesakes, scale_error, target_name,
};
use crate::{
    Check, Cx, Finding, FixStep, ForScaledObject, HpaSubject, Missing, Needs, Rule, RuleOutcome,
    Severity, same_namespace, similarity, world::Workload,
};

pub(crate) static RULE: Rule = Rule {
    code: "HPA401",
    name: "target-missing",
    summary: "the scale target does not exist",
    severity: Severity::Error,
    needs: Needs::Related,
    is_fixable: true,
    yields_to: &["HPA402", "HPA403", "HPA404", "HPA422"],
    check: Check::Hpa(check),
    for_scaled_object: ForScaledObject::ItsHpa,
    docs: include_str!("target_missing.md"),
    file: file!(),
    ..Rule::BASE
};

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let is_missing = match scale_error(cx) {
        Some(error) if is_no_such_kind(error) || is_no_subresource(error) => false,
        Some(error) => error.code == 404,
        None => is_missing_in_world(cx)?,
    };
    if !is_missing {
        return Ok(Vec::new());
    }
    let namespace = cx.subject.hpa.namespace();
    let target = target_name(cx);
    if let Some(workload) = of_other_group(cx) {
        let (written, object) = (&workload.api_version, &workload.object);
        return Ok(vec![
            cx.finding("spec.scaleTargetRef")
                .severity(cx.severity_of_missing())
                .message(format!(
                    "the given files have {target} only with apiVersion {written}, which is another API group"
                ))
                .help(format!(
                    "write an apiVersion of the same API group in both: apps/v1 for {object}"
                ))
                .related(object.clone(), "apiVersion", "has the name of the target"),
        ]);
    }
    // The API server may have answered in a recording, too.
    let is_answered = cx.world.is_live() || scale_error(cx).is_some();
    let message = match (is_answered && !namespace.is_empty(), elsewhere(cx)) {
        (true, None) => {
            format!("{target} does not exist in namespace {namespace}, so the HPA scales nothing")
        }
        (false, None) => {
            format!("{target} is not in the given files; without it the HPA scales nothing")
        }
        (_, Some(workload)) => format!(
            "{target} is in namespace {}, so the HPA in namespace {namespace} cannot scale it",
            workload.object.namespace
        ),
    };
    let help = match cx.severity_of_missing() {
        Severity::Warning => {
            "add its manifest with --with FILE, or correct kind, name or namespace"
        }
        _ => "correct kind, name or namespace, or delete the HPA",
    };
    let finding = |path| {
        cx.finding(path)
            .severity(cx.severity_of_missing())
            .message(message.clone())
    };
    if let Some(workload) = elsewhere(cx) {
        return Ok(vec![finding("spec.scaleTargetRef").help(help).related(
            workload.object.clone(),
            "",
            "an HPA scales only objects of its own namespace",
        )]);
    }
    if let Some(named) = of_another_kind(cx, finding("spec.scaleTargetRef.kind")) {
        return Ok(vec![named]);
    }
    Ok(vec![match nearest(cx) {
        Some(workload) => finding("spec.scaleTargetRef.name")
            .help(format!(
                "did you mean {}? Otherwise {help}",
                workload.object.name
            ))
            .related(workload.object.clone(), "metadata.name", "a similar name"),
        None => finding("spec.scaleTargetRef").help(help),
    }])
}

/// The finding with the workloads of other kinds that have the name of the target, if any. One alone is the fix.
fn of_another_kind(cx: &Cx<'_, HpaSubject>, finding: Finding) -> Option<Finding> {
    let mut named: Vec<&Workload> = Vec::new();
    for workload in namesakes(cx) {
        let is_known = |one: &&Workload| {
            one.group == workload.group && one.object.kind == workload.object.kind
        };
        if !named.iter().any(is_known) {
            named.push(workload);
        }
    }
    let (first, others) = named.split_first()?;
    let is_same_group = cx.subject.target_group() == first.group;
    let reference = |workload: &Workload| {
        if is_same_group && workload.group == first.group {
            format!("kind: {}", workload.object.kind)
        } else {
            format!(
                "apiVersion: {} and kind: {}",
                workload.api_version, workload.object.kind
            )
        }
    };
    let help = if others.is_empty() {
        format!("write {}, if {} is meant", reference(first), first.object)
    } else {
        let all: Vec<String> = named.iter().map(|one| reference(one)).collect();
        format!("write {}", all.join(", or "))
    };
    let mut finding = finding.help(help);
    if !is_same_group {
        // HPA402 reports a wrong group at another field of the reference.
        finding.path = "spec.scaleTargetRef".into();
    }
    for workload in &named {
        finding = finding.related(workload.object.clone(), "", "has the name of the target");
    }
    if others.is_empty() {
        let step = |field: &str, text: &str| FixStep::SetScalar {
            path: format!("spec.scaleTargetRef.{field}"),
            text: text.to_owned(),
        };
        if !is_same_group && cx.subject.is_written("spec.scaleTargetRef.apiVersion") {
            finding = finding.fix(step("apiVersion", &first.api_version));
        } else if !is_same_group {
            finding = finding.fix(FixStep::Insert {
                path: "spec.scaleTargetRef".to_owned(),
                key: "apiVersion".to_owned(),
                text: first.api_version.clone(),
            });
        }
        finding = finding.fix(step("kind", &first.object.kind));
    }
    Some(finding)
}

/// The workload of the same kind whose name is most similar to the target's.
fn nearest<'a>(cx: &Cx<'a, HpaSubject>) -> Option<&'a Workload> {
    let target = &cx.subject.spec.scale_target;
    let (world, group) = (cx.world, cx.subject.target_group());
    if MOST_COMPARED < world.workloads.len() {
        return None;
    }
    let alike = world.workloads.iter().filter(|workload| {
        workload.group == group
            && workload.object.kind == target.kind
            && world.belong_together(&workload.object, cx.subject.object())
    });
    alike
        .map(|workload| {
            let name = &workload.object.name;
            let likeness = if has_affixes(name, &target.name) {
                AFFIXED
            } else {
                similarity(name, &target.name)
            };
            (likeness, workload)
        })
        .filter(|(likeness, _)| SIMILAR <= *likeness)
        .max_by(|(one, _), (other, _)| one.total_cmp(other))
        .map(|(_, workload)| workload)
}

/// Whether a name is another one with a prefix or suffix, as Kustomize's `namePrefix` and `nameSuffix` write it.
fn has_affixes(name: &str, of: &str) -> bool {
    let mut around = name.splitn(2, of);
    let (before, after) = (around.next().unwrap_or_default(), around.next());
    let is_affixed = before.is_empty() || before.ends_with('-');
    !of.is_empty()
        && is_affixed
        && after.is_some_and(|after| after.is_empty() || after.starts_with('-'))
}

/// The similarity of a name with a prefix or suffix.
const AFFIXED: f64 = 0.95;

/// Maximum number of workloads to compare with a missing target by name, because each HPA can have a missing target.
const MOST_COMPARED: usize = 1_000;

/// The lowest similarity of two names, from 0 to 1.
const SIMILAR: f64 = 0.85;

fn is_missing_in_world(cx: &Cx<'_, HpaSubject>) -> Result<bool, Missing> {
    if cx
        .subject
        .hpa
        .live
        .as_ref()
        .is_some_and(|live| live.observation.scale.read().is_some())
    {
        return Ok(false);
    }
    let target = &cx.subject.spec.scale_target;
    let (world, namespace) = (cx.world, cx.subject.hpa.namespace());
    if cx.workload().is_ok() || world.has_other(namespace, &target.kind, &target.name) {
        return Ok(false);
    }
    let kind = TargetKind::intended(cx);
    if kind.name().is_some_and(|name| name != target.kind) || kind.is_scalable() == Some(false) {
        return Ok(false);
    }
    world.require(&target.kind)?;
    let group = cx.subject.target_group();
    if world
        .kustomize
        .has_patch_for(group, &target.kind, &target.name)
    {
        return Err(Missing::Because(format!(
            "only a patch of {} is in the given files",
            target_name(cx)
        )));
    }
    let unknown = world.target_not_found(cx.subject);
    if matches!(unknown, Missing::Because(_)) {
        return Err(unknown);
    }
    let is_read = match kind {
        TargetKind::BuiltIn(_) => true,
        TargetKind::Custom(_) | TargetKind::Nothing | TargetKind::Unknown => !world.is_live(),
    };
    if !is_read || (!cx.is_complete && world.workloads.is_empty()) {
        return Err(Missing::NotGiven {
            object: target_name(cx),
        });
    }
    Ok(true)
}

/// An object with that kind and name in a former group of Kubernetes: `extensions`.
fn of_other_group<'a>(cx: &Cx<'a, HpaSubject>) -> Option<&'a Workload> {
    let target = &cx.subject.spec.scale_target;
    let group = cx.subject.target_group();
    cx.world.workloads_called(&target.name).find(|workload| {
        group == "apps"
            && workload.group == "extensions"
            && workload.object.kind == target.kind
            && cx
                .world
                .belong_together(&workload.object, cx.subject.object())
    })
}

/// An object with that kind and name in another namespace.
fn elsewhere<'a>(cx: &Cx<'a, HpaSubject>) -> Option<&'a Workload> {
    let target = &cx.subject.spec.scale_target;
    let group = cx.subject.target_group();
    cx.world.workloads_called(&target.name).find(|workload| {
        workload.group == group
            && workload.object.kind == target.kind
            && !same_namespace(&workload.object.namespace, cx.subject.hpa.namespace())
            && !cx
                .world
                .kustomize
                .are_apart(&workload.object, cx.subject.object())
    })
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::testing::{findings, report, report_with, texts};

    const HPA: &str = "
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {name: web, namespace: shop}
spec:
  scaleTargetRef: {apiVersion: apps/v1beta1, kind: Deployment, name: web}
  maxReplicas: 4
---
";

    fn deployment(name: &str, namespace: &str) -> String {
        let selector =
            "selector: {matchLabels: {app: web}}, template: {metadata: {labels: {app: web}}}";
        format!(
            "{HPA}{{apiVersion: apps/v1, kind: Deployment, metadata: {{name: {name}{namespace}}}, spec: {{{selector}}}}}"
        )
    }

    #[test]
    fn any_version_and_an_open_namespace_will_do() {
        assert!(findings(&RULE, &deployment("web", "")).is_empty());
        assert!(findings(&RULE, &deployment("web", ", namespace: shop")).is_empty());
    }

    #[test]
    fn it_is_an_error_only_if_the_files_are_all_there_is() {
        let yaml = deployment("other", "");
        let message = "spec.scaleTargetRef: Deployment/web is not in the given files; without it the HPA scales nothing";
        assert_eq!(findings(&RULE, &yaml), [format!("warning {message}")]);
        let complete = report_with(&RULE, &yaml, |settings| settings.is_complete = true);
        assert_eq!(texts(&complete), [format!("error {message}")]);
    }

    #[test]
    fn the_nearest_name_of_the_same_kind_is_offered() {
        let offered = |yaml: &str| {
            let report = report(&RULE, yaml);
            let finding = &report.findings[0].finding;
            (finding.path.clone(), finding.help.clone())
        };
        let (path, help) = offered(&deployment("web-app", ""));
        assert_eq!(path, "spec.scaleTargetRef.name");
        assert!(help.starts_with("did you mean web-app?"), "{help}");
        let (_, help) = offered(&deployment("eu-web-v2", ""));
        assert!(help.starts_with("did you mean eu-web-v2?"), "{help}");
        let (path, help) = offered(&deployment("postgres", ""));
        assert_eq!(path, "spec.scaleTargetRef");
        assert!(!help.contains("did you mean"), "{help}");
        let other_kind =
            deployment("web-app", "").replace("v1, kind: Deployment", "v1, kind: StatefulSet");
        assert!(!offered(&other_kind).1.contains("did you mean"));
        let elsewhere = deployment("web-app", ", namespace: store");
        assert!(!offered(&elsewhere).1.contains("did you mean"));
    }

    #[test]
    fn the_target_of_a_scaled_object_is_looked_for_like_that_of_an_hpa() {
        let files = |target: &str, deployment: &str| {
            format!(
                "
apiVersion: keda.sh/v1alpha1
kind: ScaledObject
metadata: {{name: eu-web-v2}}
spec:
  scaleTargetRef: {{{target}}}
  triggers: [{{type: kafka, metadata: {{lagThreshold: '5'}}}}]
---
{deployment}
"
            )
        };
        let deployment = "{apiVersion: apps/v1, kind: Deployment, metadata: {name: eu-web-v2}, spec: {replicas: 1}}";
        assert!(findings(&RULE, &files("name: eu-web-v2", deployment)).is_empty());
        let missing = report(&RULE, &files("name: web", deployment));
        let finding = &missing.findings[0].finding;
        assert_eq!(finding.path, "spec.scaleTargetRef.name");
        assert!(
            finding.help.starts_with("did you mean eu-web-v2?"),
            "{}",
            finding.help
        );
        let set = deployment.replace("Deployment", "StatefulSet");
        let kind = report(&RULE, &files("name: eu-web-v2", &set));
        let finding = &kind.findings[0].finding;
        assert!(
            finding.help.starts_with("write kind: StatefulSet"),
            "{}",
            finding.help
        );
        // The kind is not written, so there is nothing to replace.
        assert!(finding.fix.is_empty(), "{:?}", finding.fix);
    }

    #[test]
    fn one_of_the_group_that_it_was_in_once_is_named() {
        let old = deployment("web", "").replace("apps/v1,", "extensions/v1beta1,");
        let message = "the given files have Deployment/web only with apiVersion extensions/v1beta1, which is another API group";
        assert_eq!(
            findings(&RULE, &old),
            [format!("warning spec.scaleTargetRef: {message}")]
        );
    }

    #[test]
    fn one_in_another_namespace_is_named() {
        assert_eq!(
            findings(&RULE, &deployment("web", ", namespace: store")),
            [
                "warning spec.scaleTargetRef: Deployment/web is in namespace store, so the HPA in namespace shop cannot scale it"
            ]
        );
    }

    #[test]
    fn an_object_of_another_kind_with_that_name_is_the_fix() {
        let rollout = "argoproj.io/v1alpha1, kind: Rollout";
        for (target, other, expected) in [
            (
                "apps/v1beta1, kind: Deployment",
                rollout,
                "write apiVersion: argoproj.io/v1alpha1 and kind: Rollout",
            ),
            (
                "apps/v1, kind: Deployment",
                "apps/v1, kind: StatefulSet",
                "write kind: StatefulSet",
            ),
            (
                "apps/v1, kind: StatefulSet",
                "apps/v1, kind: Deployment",
                "write kind: Deployment",
            ),
            (
                "apps/v1, kind: ReplicaSet",
                "apps/v1, kind: Deployment",
                "write kind: Deployment",
            ),
            (
                "apps/v1, kind: Deployment",
                "apps/v1, kind: ReplicaSet",
                "write kind: ReplicaSet",
            ),
            (
                "apps/v1, kind: Deployment",
                "v1, kind: ReplicationController",
                "write apiVersion: v1 and kind: ReplicationController",
            ),
            (
                "apps/v1, kind: Deployment",
                "apps.openshift.io/v1, kind: DeploymentConfig",
                "write apiVersion: apps.openshift.io/v1 and kind: DeploymentConfig",
            ),
            (
                "apps.openshift.io/v1, kind: DeploymentConfig",
                "apps/v1, kind: Deployment",
                "write apiVersion: apps/v1 and kind: Deployment",
            ),
        ] {
            let hpa = HPA.replace("apps/v1beta1, kind: Deployment", target);
            let other =
                format!("{{apiVersion: {other}, metadata: {{name: web}}, spec: {{replicas: 1}}}}");
            let report = report(&RULE, &format!("{hpa}{other}"));
            let [found] = &report.findings[..] else {
                panic!("{target}: {report:#?}");
            };
            let help = &found.finding.help;
            assert!(help.starts_with(&format!("{expected}, if ")), "{help}");
            assert!(!found.finding.fix.is_empty(), "{target}");
        }
    }

    #[test]
    fn several_objects_of_that_name_are_named_and_none_is_chosen() {
        let others =
            "{apiVersion: apps/v1, kind: StatefulSet, metadata: {name: web}, spec: {replicas: 1}}
---
{apiVersion: argoproj.io/v1alpha1, kind: Rollout, metadata: {name: web}, spec: {replicas: 1}}
---
{apiVersion: apps/v1, kind: DaemonSet, metadata: {name: web}}
";
        let report = report(&RULE, &format!("{HPA}{others}"));
        let finding = &report.findings[0].finding;
        assert_eq!(
            finding.help,
            "write kind: StatefulSet, or apiVersion: argoproj.io/v1alpha1 and kind: Rollout"
        );
        assert!(finding.fix.is_empty(), "{:?}", finding.fix);
    }

    #[test]
    fn without_any_workload_nothing_is_said() {
        let report = report(&RULE, HPA);
        assert!(report.findings.is_empty());
        assert_eq!(
            report.notes[0].message,
            "HPA401 not checked: Deployment/web is not in the given files"
        );
    }
}
