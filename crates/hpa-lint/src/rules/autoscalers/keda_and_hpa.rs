//! HPA601 `keda-and-hpa`.

use super::beside::scaled_objects;
use crate::{Check, Cx, HpaSubject, Needs, Rule, RuleOutcome, Severity};

pub(crate) static RULE: Rule = Rule {
    code: "HPA601",
    name: "keda-and-hpa",
    summary: "a ScaledObject and a separate HPA scale one target",
    severity: Severity::Error,
    needs: Needs::Related,
    check: Check::Hpa(check),
    docs: include_str!("keda_and_hpa.md"),
    file: file!(),
    ..Rule::BASE
};

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let found = scaled_objects(cx);
    // HPA602 reports another ScaledObject next to the owner.
    if found.maker(cx).is_some() {
        return Ok(Vec::new());
    }
    cx.world.require("ScaledObject")?;
    let target = &cx.subject.spec.scale_target;
    let annotation = cx
        .subject
        .manifest
        .annotation("validations.keda.sh/hpa-ownership");
    let is_selected = annotation == Some("false");
    let ambiguous_selector = cx.switches().ambiguous_selector;
    let mut findings = Vec::new();
    // Those that conflict now, and those that will.
    for is_paused in [false, true] {
        let count = found.count(is_paused);
        let (noun, both, either) = match count {
            0 => continue,
            1 => ("ScaledObject", "both", "either HPA"),
            _ => ("ScaledObjects", "all", "any of their HPAs"),
        };
        let consequence = if is_paused {
            format!(
                ", so they conflict once the {noun} {} resumed",
                if count == 1 { "is" } else { "are" }
            )
        } else if ambiguous_selector {
            format!(", so the controller computes no metric for {either}")
        } else {
            ", so they overwrite each other".to_owned()
        };
        let finding = cx
            .finding("spec.scaleTargetRef")
            .message(format!(
                "{noun} {} and this HPA {both} scale {}/{}{consequence}",
                found.names(is_paused),
                target.kind,
                target.name
            ))
            .help("move the metrics of this HPA into triggers of the ScaledObject, and delete this HPA");
        let finding = if is_selected || is_paused {
            finding.severity(Severity::Warning)
        } else {
            finding
        };
        let related = found.first(is_paused);
        findings.push(related.fold(finding, |finding, keda| {
            finding.related(
                keda,
                "spec.scaleTargetRef",
                "KEDA creates another HPA for it",
            )
        }));
    }
    Ok(findings)
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::testing::table;

    const KEDA: &str = "apiVersion: keda.sh/v1alpha1\nkind: ScaledObject\n";

    fn files(hpa: &str, spec: &str, others: &str) -> String {
        format!(
            "
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {{namespace: shop, {hpa}}}
spec:
  scaleTargetRef: {{apiVersion: apps/v1, kind: Deployment, name: web}}
  maxReplicas: 4
---
{KEDA}metadata: {{name: web}}
spec: {{scaleTargetRef: {{{spec}}}, triggers: [{{type: cron, metadata: {{}}}}]}}
{others}"
        )
    }

    #[test]
    fn the_hpa_that_keda_makes_or_takes_over_is_not_separate() {
        table(
            &RULE,
            |[hpa, spec]| files(&format!("name: {hpa}"), spec, ""),
            r"
both scale the target | web | name: web => error spec.scaleTargetRef: ScaledObject web and this HPA both scale Deployment/web, so the controller computes no metric for either HPA
it has the name that KEDA gives | keda-hpa-web | name: web
KEDA owns it | web, ownerReferences: [{kind: ScaledObject, name: web}] | name: web
it has the label of KEDA | web, labels: {scaledobject.keda.sh/name: web} | name: web
KEDA takes it over | web | name: web}, advanced: {horizontalPodAutoscalerConfig: {name: web}
an older version of the target | web | apiVersion: apps/v1beta1, kind: Deployment, name: web => error …
another kind | web | apiVersion: apps/v1, kind: StatefulSet, name: web
another group | web | apiVersion: argoproj.io/v1alpha1, kind: Rollout, name: web
the user intends it | web, annotations: {validations.keda.sh/hpa-ownership: 'false'} | name: web => warning …
",
        );
    }

    #[test]
    fn others_of_the_target_are_in_the_same_finding_unless_they_are_paused() {
        let other = |metadata: &str| {
            format!(
                "---\n{KEDA}metadata: {{name: {metadata}}}\nspec: {{scaleTargetRef: {{name: web}}}}\n"
            )
        };
        let many = |number| other(&format!("web-{number}"));
        table(
            &RULE,
            |[kind]| {
                let others = match kind {
                    "many" => (1..9).map(many).collect(),
                    _ => other("other, annotations: {autoscaling.keda.sh/paused: 'true'}"),
                };
                files("name: web", "name: web", &others)
            },
            r"
many are one finding that names the first | many
  error spec.scaleTargetRef: ScaledObjects web, web-1, web-2, web-3, web-4 and 4 more and this HPA all scale Deployment/web, so the controller computes no metric for any of their HPAs
what is paused does not fight now | paused => error …
  warning …
",
        );
    }
}
