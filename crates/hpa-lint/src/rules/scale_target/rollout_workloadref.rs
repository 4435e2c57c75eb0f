//! HPA420 `rollout-workloadref`.

use hpa_engine::model::KnownKind;

use super::reference::target_name;
use crate::{Check, Cx, HpaSubject, Needs, Rule, RuleOutcome};

pub(crate) static RULE: Rule = Rule {
    code: "HPA420",
    name: "rollout-workloadref",
    summary: "the target belongs to an Argo Rollout",
    needs: Needs::Related,
    check: Check::Hpa(check),
    docs: include_str!("rollout_workloadref.md"),
    file: file!(),
    ..Rule::BASE
};

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let subject = cx.subject;
    let target = &subject.spec.scale_target;
    if subject.target_group() != "apps" {
        return Ok(Vec::new());
    }
    cx.world.require(KnownKind::ROLLOUT)?;
    let rollouts = cx.world.workloads_referring_to(&target.name).filter(|one| {
        one.workload_ref
            .as_ref()
            .is_some_and(|(kind, _)| *kind == target.kind)
            && cx.world.belong_together(&one.object, subject.object())
    });
    let findings = rollouts.map(|rollout| {
        cx.finding("spec.scaleTargetRef")
            .message(format!(
                "{} takes its pod template from {}, so the HPA does not scale the pods that serve",
                rollout.object,
                target_name(cx)
            ))
            .help(format!(
                "write in spec.scaleTargetRef: apiVersion: argoproj.io/v1alpha1, kind: Rollout, name: {}",
                rollout.object.name
            ))
            .related(
                rollout.object.clone(),
                "spec.workloadRef",
                "uses the target as its pod template",
            )
    });
    Ok(findings.collect())
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::testing::table;

    #[test]
    fn rollouts_of_other_namespaces_and_workloads_do_not_count() {
        table(
            &RULE,
            |[kind, namespace]| {
                format!(
                    "
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {{name: web, namespace: shop}}
spec:
  scaleTargetRef: {{apiVersion: apps/v1, kind: Deployment, name: web}}
  maxReplicas: 4
---
apiVersion: argoproj.io/v1alpha1
kind: Rollout
metadata: {{name: web-rollout, namespace: {namespace}}}
spec: {{workloadRef: {{kind: {kind}, name: web}}}}
"
                )
            },
            r"
another namespace | Deployment | store
another workload | StatefulSet | shop
the target | Deployment | shop => warning spec.scaleTargetRef: Rollout/web-rollout takes its pod template from Deployment/web, so the HPA does not scale the pods that serve
",
        );
    }
}
