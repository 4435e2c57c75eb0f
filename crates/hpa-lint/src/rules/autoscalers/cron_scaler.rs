//! HPA609 `cron-scaler`.

use std::collections::BTreeMap;

use super::beside::scalers;
use crate::{
    Check, Cx, Finding, FindingText, HpaSubject, Needs, ObjectRef, Rule, RuleOutcome, Severity,
};

pub(crate) static RULE: Rule = Rule {
    code: "HPA609",
    name: "cron-scaler",
    summary: "a schedule sets the replicas of the target",
    severity: Severity::Warning,
    needs: Needs::Related,
    check: Check::Hpa(check),
    docs: include_str!("cron_scaler.md"),
    file: file!(),
    ..Rule::BASE
};

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let objects: Vec<Finding> = scalers(cx)
        .into_iter()
        .filter(|one| is_schedule(&one.object))
        .map(|one| {
            finding(
                cx,
                &one.object.to_string(),
                one.object,
                "spec.scaleTargetRef",
            )
        })
        .collect();
    if !objects.is_empty() {
        return Ok(objects);
    }
    let workload = cx.workload()?;
    let exclude = workload.annotations.get("downscaler/exclude");
    if exclude.is_some_and(|exclude| exclude == "true") {
        return Ok(Vec::new());
    }
    let namespace = cx.world.namespaces.get(cx.subject.hpa.namespace());
    let of_namespace = namespace.map(|one| (&one.object, &one.annotations));
    let annotated = [
        Some((&workload.object, &workload.annotations)),
        of_namespace,
    ];
    Ok(annotated
        .into_iter()
        .flatten()
        .find_map(|(object, annotations)| {
            let annotation = schedule(annotations)?;
            Some(finding(
                cx,
                &format!("annotation {annotation} of {object}"),
                object.clone(),
                format!("metadata.annotations[{annotation}]"),
            ))
        })
        .into_iter()
        .collect())
}

/// Whether it scales on a schedule.
pub(super) fn is_schedule(object: &ObjectRef) -> bool {
    object.kind == "CronHorizontalPodAutoscaler"
}

fn finding(
    cx: &Cx<'_, HpaSubject>,
    source: &str,
    object: ObjectRef,
    path: impl Into<FindingText>,
) -> Finding {
    let target = &cx.subject.spec.scale_target;
    cx.finding("spec.scaleTargetRef")
        .message(format!(
            "{source} also sets the replicas of {}/{}, so the schedule and the HPA overwrite each other",
            target.kind, target.name
        ))
        .help("make the schedule change minReplicas and maxReplicas of the HPA instead")
        .related(object, path, "the schedule")
}

/// The annotation that sets kube-downscaler's schedule.
fn schedule(annotations: &BTreeMap<String, String>) -> Option<&'static str> {
    SCHEDULES
        .into_iter()
        .find(|name| annotations.contains_key(*name))
}

const SCHEDULES: [&str; 6] = [
    "downscaler/uptime",
    "downscaler/downtime",
    "downscaler/upscale-period",
    "downscaler/downscale-period",
    "downscaler/force-downtime",
    "downscaler/original-replicas",
];

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::testing::table;

    #[test]
    fn a_schedule_of_the_target_overwrites_the_hpa() {
        table(
            &RULE,
            |[more]| {
                format!(
                    "
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {{name: web, namespace: shop}}
spec:
  scaleTargetRef: {{apiVersion: apps/v1, kind: Deployment, name: web}}
  maxReplicas: 4
---
{more}
"
                )
            },
            r"
of the workload | {apiVersion: autoscaling.alibabacloud.com/v1beta1, kind: CronHorizontalPodAutoscaler, metadata: {name: night, namespace: shop}, spec: {scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}}}
  warning spec.scaleTargetRef: CronHorizontalPodAutoscaler/night also sets the replicas of Deployment/web, so the schedule and the HPA overwrite each other
of the HPA, whose bounds it moves | {apiVersion: autoscaling.alibabacloud.com/v1beta1, kind: CronHorizontalPodAutoscaler, metadata: {name: night, namespace: shop}, spec: {scaleTargetRef: {apiVersion: autoscaling/v1, kind: HorizontalPodAutoscaler, name: web}}}
  note HPA609 not checked: Deployment/web is not in the given files
of the namespace | {apiVersion: v1, kind: Namespace, metadata: {name: shop, annotations: {downscaler/downtime: always}}}\n---\n{apiVersion: apps/v1, kind: Deployment, metadata: {name: web, namespace: shop, annotations: {}}}
  warning spec.scaleTargetRef: annotation downscaler/downtime of Namespace/shop also sets the replicas of Deployment/web, so the schedule and the HPA overwrite each other
the workload is excluded | {apiVersion: v1, kind: Namespace, metadata: {name: shop, annotations: {downscaler/downtime: always}}}\n---\n{apiVersion: apps/v1, kind: Deployment, metadata: {name: web, namespace: shop, annotations: {downscaler/exclude: 'true'}}}
",
        );
    }
}
