//! HPA501 `selector-foreign-pods`.

use std::collections::BTreeMap;

use hpa_analysis::{Assessment, foreign_pods, ownership};
use hpa_engine::{engine::why_ignored, model::Reading};
use hpa_words::amount::names;

use super::missing_request::{MissingRequest, missing_request};
use crate::{
    Basis, Check, Cx, Finding, HpaSubject, Missing, Needs, Rule, RuleOutcome, Severity,
    world::Workload,
};

pub(crate) static RULE: Rule = Rule {
    code: "HPA501",
    name: "selector-foreign-pods",
    summary: "the selector of the target matches pods of other owners",
    worst: Some(Severity::Error),
    needs: Needs::Related,
    check: Check::Hpa(check),
    docs: include_str!("selector_foreign_pods.md"),
    file: file!(),
    ..Rule::BASE
};

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    match &cx.subject.hpa.live {
        Some(live) => of_pods(cx, live),
        None => of_templates(cx),
    }
}

/// Findings from a cluster.
fn of_pods(cx: &Cx<'_, HpaSubject>, live: &Assessment) -> RuleOutcome {
    if let Reading::NotRead(not_read) = &live.observation.pods {
        return Err(Missing::NotRead {
            what: not_read.what.to_string(),
            why: not_read.why.clone(),
        });
    }
    let mut owners: BTreeMap<(String, String), Vec<&str>> = BTreeMap::new();
    let mut are_ignored = true;
    for pod in foreign_pods(&live.observation, &live.context) {
        let top = ownership(pod, &live.observation, &live.context).chain.pop();
        let (kind, name) = top.map_or_else(
            || ("Pod".to_owned(), pod.name.clone()),
            |owner| (owner.kind, owner.name),
        );
        if !is_scaled(cx, &kind, &name) {
            owners.entry((kind, name)).or_default().push(&pod.name);
            are_ignored &= why_ignored(&cx.switches(), pod).is_some();
        }
    }
    let Some(((kind, name), pods)) = owners.first_key_value() else {
        return Ok(Vec::new());
    };
    let pods = match kind.as_str() {
        "Pod" => String::new(),
        _ => format!(" ({})", names(pods, 2)),
    };
    let first = format!("{kind}/{name}{pods}");
    let finding = finding(cx, &first, owners.len(), are_ignored);
    Ok(vec![finding.severity(Severity::Error).basis(Basis::Live)])
}

/// Findings from files.
fn of_templates(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let own = cx.workload()?;
    cx.pod_template()?;
    let selecting = cx.selector_workload()?;
    let mut others: Vec<&Workload> = cx
        .world
        .workloads_selected_by(cx.subject.object(), selecting)
        .filter(|other| !is_own(own, other))
        .filter(|other| !is_scaled(cx, &other.object.kind, &other.object.name))
        .collect();
    others.sort_by_key(|other| &other.object);
    others.dedup_by_key(|other| &other.object);
    let Some(&first) = others.first() else {
        return Ok(Vec::new());
    };
    let mut finding = finding(cx, &first.object.to_string(), others.len(), false).related(
        selecting.object.clone(),
        "spec.selector",
        "the selector",
    );
    let is_of_tests = others.iter().all(|other| is_of_helm_test(other));
    for other in others.into_iter().take(MOST_NAMED) {
        finding = finding.related(
            other.object.clone(),
            "",
            "the selector also matches its pods",
        );
    }
    if is_of_tests {
        finding = finding.severity(Severity::Info);
    }
    if let Some(hook) = first.annotations.get("helm.sh/hook") {
        finding = match is_missing(cx, first) {
            Some(missing) => finding.help(format!(
                "give the pod of the Helm hook ({hook}) other labels. It stays after it has ended, and without a {} it fails \
                 the whole metric until it is deleted",
                missing.what()
            )),
            None => finding.help(format!(
                "give the pod of the Helm hook ({hook}) other labels; it counts until it is deleted"
            )),
        };
    }
    Ok(vec![finding])
}

/// Whether it exists only from a `helm test` on.
fn is_of_helm_test(workload: &Workload) -> bool {
    let hook = workload.annotations.get("helm.sh/hook");
    hook.is_some_and(|hook| hook.contains("test"))
}

/// A few names show the pattern; the message counts the rest.
const MOST_NAMED: usize = 5;

/// What a metric in percent of requests needs and the pods of another workload do not have.
fn is_missing<'a>(cx: &Cx<'a, HpaSubject>, other: &Workload) -> Option<MissingRequest<'a>> {
    let template = other.pod_template().ok()?;
    let own = cx.subject.object();
    let pod = cx.world.pod_of(template, own, &cx.switches()).pod;
    missing_request(cx, &pod)
}

fn finding(cx: &Cx<'_, HpaSubject>, first: &str, owners: usize, are_ignored: bool) -> Finding {
    let target = &cx.subject.spec.scale_target;
    let more = match owners {
        ..=1 => String::new(),
        2 => " and of one other".to_owned(),
        owners => format!(" and of {} others", owners - 1),
    };
    cx.finding("spec.scaleTargetRef")
        .message(format!(
            "the selector of {}/{} also matches pods of {first}{more}, so metrics include them{}",
            target.kind,
            target.name,
            if are_ignored { " while they run" } else { "" }
        ))
        .help("give each workload a label of its own, in selector and pod template")
}

/// Whether the pods of `other` belong to the target: `other` is the target, it has a controlling owner, or one uses the
/// template of the other.
fn is_own(own: &Workload, other: &Workload) -> bool {
    let is_same =
        |one: &Workload, kind: &str, name: &str| one.object.kind == kind && one.object.name == name;
    let refers = |one: &Workload, other: &Workload| {
        one.workload_ref
            .as_ref()
            .is_some_and(|(kind, name)| is_same(other, kind, name))
    };
    is_same(own, &other.object.kind, &other.object.name)
        || refers(own, other)
        || refers(other, own)
        || other.owners.iter().any(|owner| owner.is_controller)
}

/// Whether it has its own HPA, so that the controller stops both.
fn is_scaled(cx: &Cx<'_, HpaSubject>, kind: &str, name: &str) -> bool {
    cx.switches().ambiguous_selector
        && cx.world.hpas_of(name).any(|hpa| {
            &*hpa.target_kind == kind && cx.world.belong_together(&hpa.object, cx.subject.object())
        })
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::testing::table;

    #[test]
    fn pods_of_any_kind_count_and_those_of_the_same_template_do_not() {
        table(
            &RULE,
            |[more]| {
                // A workload with labels is `apiVersion kind name labels`.
                let workload = |text: &str| {
                    let mut parts = text.splitn(4, ' ');
                    let [version, kind, name, labels] = [(); 4].map(|()| parts.next().unwrap());
                    format!(
                        "
apiVersion: {version}
kind: {kind}
metadata: {{name: {name}, namespace: shop}}
spec:
  selector: {{matchLabels: {labels}}}
  template: {{metadata: {{labels: {labels}}}, spec: {{containers: [{{name: main}}]}}}}
---
"
                    )
                };
                let more = match more.strip_prefix("workloads: ") {
                    Some(workloads) => workloads.split("; ").map(workload).collect(),
                    None => more.to_owned(),
                };
                format!(
                    "
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {{name: web, namespace: shop}}
spec:
  scaleTargetRef: {{apiVersion: apps/v1, kind: Deployment, name: web}}
  maxReplicas: 4
---
apiVersion: apps/v1
kind: Deployment
metadata: {{name: web, namespace: shop}}
spec:
  selector: {{matchLabels: {{app: web}}, matchExpressions: [{{key: canary, operator: DoesNotExist}}]}}
  template: {{metadata: {{labels: {{app: web}}}}}}
---
{more}"
                )
            },
            r"
several are one finding | workloads: apps/v1 Deployment web-old {app: web, old: x}; batch/v1 Job migrate {app: web}; apps/v1 Deployment web-canary {app: web, canary: x}
  warning spec.scaleTargetRef: the selector of Deployment/web also matches pods of Deployment/web-old and of one other, so metrics include them
the pod of a Helm hook | {apiVersion: v1, kind: Pod, metadata: {name: web-test, namespace: shop, labels: {app: web}, annotations: {helm.sh/hook: test}}, spec: {containers: [{name: main, resources: {requests: {cpu: 10m}}}]}}
  info …
  help: give the pod of the Helm hook (test) other labels; it counts until it is deleted
the same without a CPU request | {apiVersion: v1, kind: Pod, metadata: {name: web-test, namespace: shop, labels: {app: web}, annotations: {helm.sh/hook: test}}, spec: {containers: [{name: main, resources: {requests: {memory: 10Mi}}}]}}
  info …
  help: give the pod of the Helm hook (test) other labels. It stays after it has ended, and without a CPU request it fails the whole metric until it is deleted
a Rollout with the template | {apiVersion: argoproj.io/v1alpha1, kind: Rollout, metadata: {name: web-rollout, namespace: shop}, spec: {workloadRef: {kind: Deployment, name: web}, template: {metadata: {labels: {app: web}}, spec: {containers: []}}}}
a ReplicaSet of the template | {apiVersion: apps/v1, kind: ReplicaSet, metadata: {name: web-1, namespace: shop, ownerReferences: [{kind: Deployment, name: web, controller: true}]}, spec: {template: {metadata: {labels: {app: web}}, spec: {containers: []}}}}
",
        );
    }
}
