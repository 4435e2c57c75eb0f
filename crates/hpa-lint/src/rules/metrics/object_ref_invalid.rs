//! HPA229 `object-ref-invalid`.

use hpa_engine::model::{KnownKind, ObjectReference};
use hpa_objects::recording::group_of;

use super::entry::MetricEntry;
use crate::{
    Check, Cx, HpaSubject, Missing, Needs, ObjectRef, Rule, RuleOutcome, Severity, same_namespace,
};

pub(crate) static RULE: Rule = Rule {
    code: "HPA229",
    name: "object-ref-invalid",
    summary: "an Object metric describes an object that does not exist",
    severity: Severity::Error,
    needs: Needs::Related,
    check: Check::Hpa(check),
    docs: include_str!("object_ref_invalid.md"),
    file: file!(),
    ..Rule::BASE
};

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let mut findings = Vec::new();
    for entry in MetricEntry::all(&cx.subject.spec) {
        let Some(source) = entry.metric.object() else {
            continue;
        };
        let object = &source.described_object;
        if object.kind.is_empty() || object.name.is_empty() {
            // HPA004 reports that.
            continue;
        }
        let group = group_of(object.api_version.as_deref().unwrap_or_default());
        if let Some((problem, help)) = unknown_kind(object, group) {
            findings.push(
                cx.finding(entry.field("describedObject"))
                    .message(message(object, &problem))
                    .help(help),
            );
        } else if !is_there(cx, group, object)? {
            findings.push(
                cx.finding(entry.field("describedObject"))
                    .severity(Severity::Warning)
                    .message(message(
                        object,
                        "does not exist, so most adapters serve no metric for it",
                    ))
                    .help("set describedObject to an object in the HPA's namespace"),
            );
        }
    }
    Ok(findings)
}

fn message(object: &ObjectReference, problem: &str) -> String {
    format!("describedObject {}/{} {problem}", object.kind, object.name)
}

/// The problem with the kind, and the advice.
fn unknown_kind(object: &ObjectReference, group: &str) -> Option<(String, String)> {
    let kind = &*object.kind;
    let known = KnownKind::of(kind);
    let is_grouped = known.is_built_in() && known.has_template() && !known.group().is_empty();
    let api_version = match kind {
        "Ingress" => Some("networking.k8s.io/v1"),
        _ => is_grouped.then_some(known.api_version),
    };
    if let Some(api_version) = api_version {
        let is_same = group_of(api_version) == group;
        // A custom group can also have a kind with that name.
        let is_builtin = matches!(
            group,
            "" | "extensions" | "apps" | "batch" | "networking.k8s.io"
        );
        return (!is_same && is_builtin).then(|| {
            let written = match group {
                "" => "the core group".to_owned(),
                group => format!("group {group}"),
            };
            (
                format!("names {written}, which has no kind {kind}, so the metric cannot be read"),
                format!("write apiVersion: {api_version}"),
            )
        });
    }
    let is_core = known.has_plain_selector() || CORE.contains(&kind);
    (group.is_empty() && !is_core).then(|| {
        (
            format!("names the core group, which has no kind {kind}, so the metric cannot be read"),
            format!("write the apiVersion of {kind}"),
        )
    })
}

/// Whether the object exists. Fails if that is unknown.
fn is_there(
    cx: &Cx<'_, HpaSubject>,
    group: &str,
    object: &ObjectReference,
) -> Result<bool, Missing> {
    let (kind, name) = (&*object.kind, &*object.name);
    let namespace = cx.subject.hpa.namespace();
    let is_there_anyway = name == namespace || NAMESPACES.contains(&name);
    if group.is_empty() && kind == "Namespace" && is_there_anyway {
        return Ok(true);
    }
    let world = cx.world;
    let is_one = |one: &ObjectRef| {
        one.kind == kind && one.name == name && same_namespace(&one.namespace, namespace)
    };
    let (mut services, mut ingresses) = (world.services.iter(), world.ingresses.iter());
    let is_known = world
        .workload(cx.subject.object(), group, kind, name)
        .is_some()
        || services.any(|one| is_one(&one.object))
        || ingresses.any(|one| is_one(&one.object))
        || (kind == "Namespace" && world.namespaces.contains_key(name))
        || world.has_other(namespace, kind, name);
    if is_known {
        return Ok(true);
    }
    world.require(kind)?;
    // In a cluster, only these kinds are listed completely.
    let is_listed = !world.is_live() || matches!(kind, "Ingress" | "Service");
    if cx.is_complete && is_listed {
        Ok(false)
    } else {
        Err(Missing::NotGiven {
            object: format!("{kind}/{name}"),
        })
    }
}

/// Kinds of the core group next to workloads.
const CORE: &[&str] = &[
    "ConfigMap",
    "Endpoints",
    "Event",
    "LimitRange",
    "Namespace",
    "Node",
    "PersistentVolume",
    "PersistentVolumeClaim",
    "Pod",
    "PodTemplate",
    "ResourceQuota",
    "Secret",
    "Service",
    "ServiceAccount",
];

/// The namespaces that every cluster has.
const NAMESPACES: [&str; 4] = ["default", "kube-node-lease", "kube-public", "kube-system"];

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::testing::{HPA_V2BETA1, report_with, table_of};

    #[test]
    fn a_kind_needs_its_group_and_an_object_is_missing_only_if_everything_is_known() {
        table_of(
            |[complete, object]| {
                let yaml = format!(
                    "{HPA_V2BETA1}  maxReplicas: 3
  metrics:
  - type: Object
    object: {{metricName: hits, target: {{{object}}}, targetValue: 10}}
"
                );
                report_with(&RULE, &yaml, |settings| {
                    settings.is_complete = complete == "complete";
                })
            },
            r"
no group | some | kind: Ingress, name: web
  error spec.metrics[0].object.describedObject: describedObject Ingress/web names the core group, which has no kind Ingress, so the metric cannot be read
an old group | some | apiVersion: extensions/v1beta1, kind: Ingress, name: web
  error spec.metrics[0].object.describedObject: describedObject Ingress/web names group extensions, which has no kind Ingress, so the metric cannot be read
its group | some | apiVersion: networking.k8s.io/v1beta1, kind: Ingress, name: web => note HPA229 not checked: Ingress/web is not in the given files
a custom kind without a group | some | kind: Widget, name: web
  error spec.metrics[0].object.describedObject: describedObject Widget/web names the core group, which has no kind Widget, so the metric cannot be read
a namespace that each cluster has | complete | kind: Namespace, name: default
the namespace of the system | complete | kind: Namespace, name: kube-system
another namespace | complete | kind: Namespace, name: defaults => warning …
a Service that is not given | some | kind: Service, name: web => note HPA229 not checked: Service/web is not in the given files
a Service that does not exist | complete | kind: Service, name: web
  warning spec.metrics[0].object.describedObject: describedObject Service/web does not exist, so most adapters serve no metric for it
",
        );
    }
}
