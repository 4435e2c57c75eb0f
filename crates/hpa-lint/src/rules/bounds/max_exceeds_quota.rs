//! HPA111 `max-exceeds-quota`.

use hpa_analysis::{pod_size, quota};
use hpa_engine::model::{Pod, Quantity, ResourceQuota, quantity::Format};

use super::pods::{amount, pod_of_target};
use crate::{Basis, Check, Cx, HpaSubject, Needs, ObjectRef, Rule, RuleOutcome};

pub(crate) static RULE: Rule = Rule {
    code: "HPA111",
    name: "max-exceeds-quota",
    summary: "maxReplicas needs more than a ResourceQuota leaves",
    needs: Needs::Related,
    check: Check::Hpa(check),
    docs: include_str!("max_exceeds_quota.md"),
    file: file!(),
    ..Rule::BASE
};

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    cx.world.require("ResourceQuota")?;
    let max = cx.subject.spec.max_replicas;
    let live = cx.live().ok();
    let current = live.and_then(|live| live.observation.scale.read());
    let of_cluster = live.and_then(|live| live.context.surroundings.downstream.quotas.as_ref());
    let quotas: Vec<(ResourceQuota, bool, Option<ObjectRef>)> = match of_cluster {
        Some(quotas) => quotas
            .iter()
            .map(|quota| (quota.clone(), true, None))
            .collect(),
        None => cx
            .world
            .quotas_beside(cx.subject.object())
            .into_iter()
            .map(|quota| {
                let is_counted = quota.used.is_some() && current.is_some();
                let mut model = quota.to_model();
                if !is_counted {
                    for resource in &mut model.resources {
                        resource.used = Quantity::from_value(0, Format::DecimalSI);
                    }
                }
                (model, is_counted, Some(quota.object.clone()))
            })
            .collect(),
    };
    if quotas.is_empty() {
        return Ok(Vec::new());
    }
    let target = pod_of_target(cx)?;
    let mut found = Vec::new();
    for (quota, is_counted, object) in quotas {
        if !quota::counts(&quota, &target.pod, target.priority_class()) {
            continue;
        }
        let there = match current {
            // Pods that the quota rejects count in spec.replicas but do not use the quota.
            Some(scale) if is_counted => scale.status_replicas,
            _ => 0,
        };
        let pods = i128::from(max) - i128::from(there);
        let Some(short) = tightest(&quota, &target.pod, pods) else {
            continue;
        };
        let QuotaShortage {
            resource,
            need,
            left,
            fits,
        } = short;
        let message = if is_counted {
            let pods = match pods {
                1 => "1 more pod needs".to_owned(),
                _ => format!("{pods} more pods need"),
            };
            format!(
                "{pods} {need} {resource}, but quota {} leaves {left}, so not all of them can be created",
                quota.name
            )
        } else {
            format!(
                "{pods} pods need {need} {resource}, but quota {} allows {left} for the whole namespace, \
                 so not all of them can be created",
                quota.name
            )
        };
        let mut finding = cx.finding("spec.maxReplicas").message(message).help(
            match i128::from(there).saturating_add(fits) {
                most @ 1.. => format!("raise the quota, or lower maxReplicas to {most} or less"),
                _ => "raise the quota, or request less per pod".to_owned(),
            },
        );
        if is_counted {
            finding = finding.basis(Basis::Live);
        }
        if let Some(object) = object {
            finding = finding.related(object, format!("spec.hard.{resource}"), "the quota");
        }
        found.push(finding);
    }
    Ok(found)
}

/// A resource that a quota does not leave enough of.
struct QuotaShortage {
    resource: String,
    need: String,
    left: String,
    /// Number of additional pods that fit.
    fits: i128,
}

/// The resource with the largest ratio of what the additional pods need to what is left, if any is insufficient.
fn tightest(quota: &ResourceQuota, pod: &Pod, pods: i128) -> Option<QuotaShortage> {
    let mut tightest: Option<QuotaShortage> = None;
    for resource in &quota.resources {
        let Some((per_pod, unit)) = quota::taken(pod, &resource.name) else {
            continue;
        };
        let need = per_pod.saturating_mul(pods);
        let left = (pod_size::milli(&resource.hard) - pod_size::milli(&resource.used)).max(0);
        if need <= left || per_pod <= 0 || pods <= 0 {
            continue;
        }
        let fits = left / per_pod;
        if tightest.as_ref().is_none_or(|least| fits < least.fits) {
            tightest = Some(QuotaShortage {
                resource: resource.name.clone(),
                need: amount(need, unit),
                left: amount(left, unit),
                fits,
            });
        }
    }
    tightest
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::testing::{DEPLOYMENT, HPA_V1, table};

    #[test]
    fn the_tightest_resource_of_each_quota_that_counts_such_pods_is_named() {
        table(
            &RULE,
            |[max, quota]| {
                format!(
                    "{HPA_V1}  maxReplicas: {max}
{DEPLOYMENT}spec:
  template:
    spec:
      priorityClassName: high
      containers: [{{name: web, resources: {{requests: {{cpu: 250m, memory: 1Gi}}, limits: {{memory: 2Gi}}}}}}]
---
apiVersion: v1
kind: ResourceQuota
metadata: {{name: q}}
spec: {{{quota}}}
"
                )
            },
            r"
the tightest is named | 10 | hard: {pods: 9, limits.memory: 10Gi, requests.cpu: 2, services: 1}
  warning spec.maxReplicas: 10 pods need 20Gi limits.memory, but quota q allows 10Gi for the whole namespace, so not all of them can be created
all fit | 5 | hard: {pods: 9, limits.memory: 10Gi, requests.cpu: 2, services: 1}
only pods without requests | 4 | hard: {pods: 3}, scopes: [BestEffort]
only pods with requests | 4 | hard: {pods: 3}, scopes: [NotBestEffort] => warning …
only another priority | 4 | hard: {pods: 3}, scopeSelector: {matchExpressions: [{scopeName: PriorityClass, operator: In, values: [low]}]}
only this priority | 4 | hard: {pods: 3}, scopeSelector: {matchExpressions: [{scopeName: PriorityClass, operator: In, values: [high]}]} => warning …
",
        );
    }
}
