//! HPA421 `canary-source-target`.

use super::reference::target_name;
use crate::{Check, Cx, HpaSubject, Needs, Rule, RuleOutcome};

pub(crate) static RULE: Rule = Rule {
    code: "HPA421",
    name: "canary-source-target",
    summary: "the target is the source of a Flagger Canary",
    needs: Needs::Related,
    check: Check::Hpa(check),
    docs: include_str!("canary_source_target.md"),
    file: file!(),
    ..Rule::BASE
};

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    cx.world.require("Canary")?;
    let subject = cx.subject;
    let target = &subject.spec.scale_target;
    let canaries = cx.world.canaries_of(&target.name).filter(|canary| {
        let is_known = canary.autoscaler.as_ref().is_some_and(|(kind, name)| {
            kind == "HorizontalPodAutoscaler" && name == subject.hpa.name()
        });
        !is_known
            && canary.target_kind == target.kind
            && cx.world.belong_together(&canary.object, subject.object())
    });
    let findings = canaries.map(|canary| {
        cx.finding("spec.scaleTargetRef")
            .message(format!(
                "{} is the source of {}, so this HPA does not scale the primary, which gets the traffic",
                target_name(cx),
                canary.object
            ))
            .help("name this HPA in spec.autoscalerRef of the Canary; Flagger then creates an HPA for the primary")
            .related(
                canary.object.clone(),
                "spec.targetRef",
                "Flagger copies it to the primary",
            )
    });
    Ok(findings.collect())
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::testing::table;

    #[test]
    fn the_primary_and_other_kinds_may_be_scaled() {
        table(
            &RULE,
            |[target, autoscaler]| {
                format!(
                    "
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {{name: web}}
spec:
  scaleTargetRef: {{apiVersion: apps/v1, kind: {target}}}
  maxReplicas: 4
---
apiVersion: flagger.app/v1beta1
kind: Canary
metadata: {{name: shop}}
spec:
  targetRef: {{apiVersion: apps/v1, kind: Deployment, name: web}}
  autoscalerRef: {{kind: {autoscaler}, name: web}}
"
                )
            },
            r"
Flagger knows the HPA | Deployment, name: web | HorizontalPodAutoscaler
the primary | Deployment, name: web-primary | ScaledObject
another kind | StatefulSet, name: web | ScaledObject
the source | Deployment, name: web | ScaledObject => warning spec.scaleTargetRef: Deployment/web is the source of Canary/shop, so this HPA does not scale the primary, which gets the traffic
",
        );
    }
}
