//! HPA607 `keda-missing-request`.

use hpa_engine::model::{KnownKind, ResourceList, Trigger, find_resource};
use hpa_words::amount::resource_in_prose;

use crate::{
    Check, Cx, Missing, Needs, Rule, RuleOutcome, ScaledObjectSubject, Severity,
    world::{TemplateContainer, Workload},
};

pub(crate) static RULE: Rule = Rule {
    code: "HPA607",
    name: "keda-missing-request",
    summary: "a CPU or memory trigger without a request",
    severity: Severity::Error,
    needs: Needs::Related,
    check: Check::ScaledObject(check),
    docs: include_str!("keda_missing_request.md"),
    file: file!(),
    ..Rule::BASE
};

fn check(cx: &Cx<'_, ScaledObjectSubject>) -> RuleOutcome {
    let scaled = &cx.subject.scaled_object;
    let is_checked =
        KnownKind::in_group(&scaled.target_group, &scaled.target_kind).is_usual_target();
    let triggers: Vec<(usize, &Trigger)> = (0..)
        .zip(&scaled.keda.triggers)
        .filter(|(_, trigger)| matches!(&*trigger.trigger_type, "cpu" | "memory"))
        .collect();
    if !is_checked || triggers.is_empty() || scaled.target_name.is_empty() {
        return Ok(Vec::new());
    }
    let workload = workload(cx)?;
    let containers = &workload.pod_template()?.containers;
    let mut findings = Vec::new();
    for (index, trigger) in triggers {
        let resource = &*trigger.trigger_type;
        let in_prose = resource_in_prose(resource);
        for container in containers.iter().filter(|one| is_selected(trigger, one)) {
            if is_set(&container.requests, resource) || is_set(&container.limits, resource) {
                continue;
            }
            cx.world.require("LimitRange")?;
            if is_given_by_limit_range(cx, resource) {
                continue;
            }
            let unless = if cx.is_complete {
                ""
            } else {
                " (the given files have no LimitRange that sets one)"
            };
            findings.push(
                cx.finding(format!("spec.triggers[{index}]"))
                    .severity(cx.severity_of_missing())
                    .message(format!(
                        "container {} has no {in_prose} request{unless}, so trigger {resource} of ScaledObject {} cannot be computed",
                        container.name, scaled.object.name
                    ))
                    .help(format!("set resources.requests.{resource} of container {}", container.name))
                    .related(
                        workload.object.clone(),
                        "spec.template.spec.containers",
                        format!("container {} has no {in_prose} request", container.name),
                    ),
            );
        }
    }
    Ok(findings)
}

fn workload<'a>(cx: &Cx<'a, ScaledObjectSubject>) -> Result<&'a Workload, Missing> {
    let scaled = &cx.subject.scaled_object;
    let (kind, name) = (&scaled.target_kind, &scaled.target_name);
    cx.world
        .workload(&scaled.object, &scaled.target_group, kind, name)
        .ok_or_else(|| Missing::NotGiven {
            object: format!("{kind}/{name}"),
        })
}

fn is_selected(trigger: &Trigger, container: &TemplateContainer) -> bool {
    let name = trigger.metadata.get("containerName");
    name.is_none_or(|name| name.is_empty() || *name == container.name)
}

/// Upstream: `isWorkloadResourceSet`.
fn is_set(list: &ResourceList, resource: &str) -> bool {
    find_resource(list, resource).is_some_and(|quantity| 0.0 < quantity.approximate_f64())
}

/// Upstream: `isContainerResourceLimitSet`.
fn is_given_by_limit_range(cx: &Cx<'_, ScaledObjectSubject>, resource: &str) -> bool {
    let mut ranges = cx.world.limit_ranges_beside(&cx.subject.object);
    ranges.any(|range| {
        is_set(&range.default_requests, resource) || is_set(&range.default_limits, resource)
    })
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::testing::{DEPLOYMENT, SCALED_OBJECT, table};

    #[test]
    fn every_container_needs_one_unless_one_is_named_or_a_limit_range_gives_it() {
        table(
            &RULE,
            |[trigger, resources, more]| {
                format!(
                    "{SCALED_OBJECT}  triggers: [{{type: {trigger}}}]
{DEPLOYMENT}spec:
  template:
    spec:
      containers: [{{name: main, resources: {resources}}}, {{name: proxy}}]
---
{more}
"
                )
            },
            r"
one lacks it | cpu | {requests: {cpu: 1}} |
  warning spec.triggers[0]: container proxy has no CPU request (the given files have no LimitRange that sets one), so trigger cpu of ScaledObject web cannot be computed
the one that is named has it | cpu, metadata: {containerName: main} | {requests: {cpu: 1}} |
it has a limit | cpu, metadata: {containerName: main} | {limits: {cpu: 1}} |
it requests nothing | cpu, metadata: {containerName: main} | {requests: {cpu: 0}} | => warning …
another trigger | cron | {} |
a LimitRange gives it | cpu | {} | {apiVersion: v1, kind: LimitRange, metadata: {name: defaults}, spec: {limits: [{type: Container, defaultRequest: {cpu: 100m}}]}}
a LimitRange gives another | memory | {} | {apiVersion: v1, kind: LimitRange, metadata: {name: defaults}, spec: {limits: [{type: Container, defaultRequest: {cpu: 100m}}]}} => warning …
  warning …
",
        );
    }
}
