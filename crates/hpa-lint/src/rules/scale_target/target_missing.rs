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
    use crate::testing::{report_with, table, table_of};

    /// An HPA in the namespace shop, and another object.
    fn hpa(target: &str, other: &str) -> String {
        format!(
            "
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {{name: web, namespace: shop}}
spec:
  scaleTargetRef: {{apiVersion: {target}, name: web}}
  maxReplicas: 4
---
{other}"
        )
    }

    fn deployment(what: &str, metadata: &str) -> String {
        let selector =
            "selector: {matchLabels: {app: web}}, template: {metadata: {labels: {app: web}}}";
        let object =
            format!("{{apiVersion: {what}, metadata: {{{metadata}}}, spec: {{{selector}}}}}");
        hpa("apps/v1beta1, kind: Deployment", &object)
    }

    #[test]
    fn the_nearest_name_of_the_same_kind_is_offered() {
        table(
            &RULE,
            |[what, metadata]| deployment(what, metadata),
            r"
any version and an open namespace will do | apps/v1, kind: Deployment | name: web
the same namespace will do | apps/v1, kind: Deployment | name: web, namespace: shop
files need not be all there is | apps/v1, kind: Deployment | name: other => warning spec.scaleTargetRef: Deployment/web is not in the given files; without it the HPA scales nothing
a longer name is offered | apps/v1, kind: Deployment | name: web-app => warning spec.scaleTargetRef.name: …
  help: did you mean web-app?…
a name with a prefix and a suffix is offered | apps/v1, kind: Deployment | name: eu-web-v2 => warning spec.scaleTargetRef.name: …
  help: did you mean eu-web-v2?…
another name is not offered | apps/v1, kind: Deployment | name: postgres => warning spec.scaleTargetRef: …
  help: add its manifest with --with FILE, or correct …
the name of another kind is not offered | apps/v1, kind: StatefulSet | name: web-app => warning spec.scaleTargetRef: …
  help: add its manifest with --with FILE, or correct …
a name of another namespace is not offered | apps/v1, kind: Deployment | name: web-app, namespace: store => warning spec.scaleTargetRef: …
  help: add its manifest with --with FILE, or correct …
the group that it was in once is named | extensions/v1beta1, kind: Deployment | name: web
  warning spec.scaleTargetRef: the given files have Deployment/web only with apiVersion extensions/v1beta1, which is another API group
one in another namespace is named | apps/v1, kind: Deployment | name: web, namespace: store
  warning spec.scaleTargetRef: Deployment/web is in namespace store, so the HPA in namespace shop cannot scale it
",
        );
        table_of(
            |[metadata]| {
                let yaml = deployment("apps/v1, kind: Deployment", metadata);
                report_with(&RULE, &yaml, |settings| settings.is_complete = true)
            },
            r"
it is an error if the files are all there is | name: other => error spec.scaleTargetRef: Deployment/web is not in the given files; without it the HPA scales nothing
",
        );
    }

    #[test]
    fn the_target_of_a_scaled_object_is_looked_for_like_that_of_an_hpa() {
        table(
            &RULE,
            |[target, kind]| {
                format!(
                    "
apiVersion: keda.sh/v1alpha1
kind: ScaledObject
metadata: {{name: eu-web-v2}}
spec:
  scaleTargetRef: {{name: {target}}}
  triggers: [{{type: kafka, metadata: {{lagThreshold: '5'}}}}]
---
{{apiVersion: apps/v1, kind: {kind}, metadata: {{name: eu-web-v2}}, spec: {{replicas: 1}}}}
"
                )
            },
            r"
its target is there | eu-web-v2 | Deployment
the nearest name is offered | web | Deployment => warning spec.scaleTargetRef.name: …
  help: did you mean eu-web-v2?…
the kind is not written, so there is nothing to replace | eu-web-v2 | StatefulSet => warning …
  help: write kind: StatefulSet…
  fix: none
",
        );
    }

    #[test]
    fn an_object_of_another_kind_with_that_name_is_the_fix() {
        table(
            &RULE,
            |[target, other]| {
                let other = format!(
                    "{{apiVersion: {other}, metadata: {{name: web}}, spec: {{replicas: 1}}}}"
                );
                hpa(target, &other)
            },
            r"
a Rollout for a Deployment | apps/v1beta1, kind: Deployment | argoproj.io/v1alpha1, kind: Rollout => warning …
  help: write apiVersion: argoproj.io/v1alpha1 and kind: Rollout, if …
  fix: [SetScalar…
a StatefulSet for a Deployment | apps/v1, kind: Deployment | apps/v1, kind: StatefulSet => warning …
  help: write kind: StatefulSet, if …
  fix: [SetScalar…
a Deployment for a StatefulSet | apps/v1, kind: StatefulSet | apps/v1, kind: Deployment => warning …
  help: write kind: Deployment, if …
  fix: [SetScalar…
a Deployment for a ReplicaSet | apps/v1, kind: ReplicaSet | apps/v1, kind: Deployment => warning …
  help: write kind: Deployment, if …
  fix: [SetScalar…
a ReplicaSet for a Deployment | apps/v1, kind: Deployment | apps/v1, kind: ReplicaSet => warning …
  help: write kind: ReplicaSet, if …
  fix: [SetScalar…
a ReplicationController for a Deployment | apps/v1, kind: Deployment | v1, kind: ReplicationController => warning …
  help: write apiVersion: v1 and kind: ReplicationController, if …
  fix: [SetScalar…
a DeploymentConfig for a Deployment | apps/v1, kind: Deployment | apps.openshift.io/v1, kind: DeploymentConfig => warning …
  help: write apiVersion: apps.openshift.io/v1 and kind: DeploymentConfig, if …
  fix: [SetScalar…
a Deployment for a DeploymentConfig | apps.openshift.io/v1, kind: DeploymentConfig | apps/v1, kind: Deployment => warning …
  help: write apiVersion: apps/v1 and kind: Deployment, if …
  fix: [SetScalar…
",
        );
        let others = "
{apiVersion: apps/v1, kind: StatefulSet, metadata: {name: web}, spec: {replicas: 1}}
---
{apiVersion: argoproj.io/v1alpha1, kind: Rollout, metadata: {name: web}, spec: {replicas: 1}}
---
{apiVersion: apps/v1, kind: DaemonSet, metadata: {name: web}}
";
        table(
            &RULE,
            |[others]| hpa("apps/v1beta1, kind: Deployment", others),
            &format!(
                r"
several are named and none is chosen | {} => warning …
  help: write kind: StatefulSet, or apiVersion: argoproj.io/v1alpha1 and kind: Rollout
  fix: none
without any workload nothing is said | => note HPA401 not checked: Deployment/web is not in the given files
",
                others.replace('\n', r"\n")
            ),
        );
    }
}
