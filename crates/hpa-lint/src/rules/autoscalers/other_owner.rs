//! HPA610 `other-owner`.

use super::{beside::scalers, cron_scaler::is_schedule};
use crate::{Check, Cx, HpaSubject, Needs, Rule, RuleOutcome, Severity};

pub(crate) static RULE: Rule = Rule {
    code: "HPA610",
    name: "other-owner",
    summary: "another autoscaler scales the target",
    severity: Severity::Warning,
    needs: Needs::Related,
    check: Check::Hpa(check),
    docs: include_str!("other_owner.md"),
    file: file!(),
    ..Rule::BASE
};

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let target = &cx.subject.spec.scale_target;
    Ok(scalers(cx)
        .into_iter()
        .filter(|one| !is_schedule(&one.object))
        .map(|one| {
            cx.finding("spec.scaleTargetRef")
                .message(format!(
                    "{} also scales {}/{}, so the two autoscalers overwrite each other",
                    one.object, target.kind, target.name
                ))
                .help("delete one of the two autoscalers")
                .related(
                    one.object,
                    "",
                    format!("another autoscaler ({})", one.group),
                )
        })
        .collect())
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::testing::table;

    #[test]
    fn another_autoscaler_is_fine_if_it_owns_the_hpa_or_only_looks_on() {
        table(
            &RULE,
            |[hpa, other]| {
                format!(
                    "
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {{name: web, {hpa}}}
spec:
  scaleTargetRef: {{apiVersion: apps/v1, kind: Deployment, name: web}}
  maxReplicas: 4
---
{{apiVersion: {other}
"
                )
            },
            r"
both scale the target | | autoscaling.internal.knative.dev/v1alpha1, kind: PodAutoscaler, metadata: {name: web}, spec: {scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}}}
  warning spec.scaleTargetRef: PodAutoscaler/web also scales Deployment/web, so the two autoscalers overwrite each other
it owns the HPA | ownerReferences: [{kind: PodAutoscaler, name: web}] | autoscaling.internal.knative.dev/v1alpha1, kind: PodAutoscaler, metadata: {name: web}, spec: {scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}}}
one that acts | | datadoghq.com/v1alpha1, kind: WatermarkPodAutoscaler, metadata: {name: web}, spec: {scaleTargetRef: {kind: Deployment, name: web}}} => warning …
one that only looks on | | datadoghq.com/v1alpha1, kind: WatermarkPodAutoscaler, metadata: {name: web}, spec: {dryRun: true, scaleTargetRef: {kind: Deployment, name: web}}}
",
        );
    }
}
