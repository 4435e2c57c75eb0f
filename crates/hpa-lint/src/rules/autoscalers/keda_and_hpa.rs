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
    use crate::testing::findings;

    fn found(hpa: &str, scaled_object: &str) -> Vec<String> {
        findings(
            &RULE,
            &format!(
                "
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {{namespace: shop, {hpa}}}
spec:
  scaleTargetRef: {{apiVersion: apps/v1, kind: Deployment, name: web}}
  maxReplicas: 4
---
apiVersion: keda.sh/v1alpha1
kind: ScaledObject
metadata: {{name: web}}
spec:
  scaleTargetRef: {scaled_object}
  triggers: [{{type: cron, metadata: {{}}}}]
"
            ),
        )
    }

    #[test]
    fn the_hpa_that_keda_makes_or_takes_over_is_not_separate() {
        let target = "{name: web}";
        assert_eq!(
            found("name: web", target),
            [
                "error spec.scaleTargetRef: ScaledObject web and this HPA both scale Deployment/web, so the controller computes no metric for either HPA"
            ]
        );
        assert!(found("name: keda-hpa-web", target).is_empty());
        assert!(
            found(
                "name: web, ownerReferences: [{kind: ScaledObject, name: web}]",
                target
            )
            .is_empty()
        );
        assert!(
            found(
                "name: web, labels: {scaledobject.keda.sh/name: web}",
                target
            )
            .is_empty()
        );
        let taken = "{name: web}
  advanced: {horizontalPodAutoscalerConfig: {name: web}}";
        assert!(found("name: web", taken).is_empty());
    }

    #[test]
    fn the_target_is_reported_by_group_kind_and_name() {
        let of = |api_version: &str, kind: &str| {
            let target = format!("{{apiVersion: {api_version}, kind: {kind}, name: web}}");
            found("name: web", &target).len()
        };
        assert_eq!(of("apps/v1beta1", "Deployment"), 1);
        assert_eq!(of("apps/v1", "StatefulSet"), 0);
        assert_eq!(of("argoproj.io/v1alpha1", "Rollout"), 0);
    }

    #[test]
    fn many_scaled_objects_are_one_finding_that_names_the_first() {
        let other = |number: i32| {
            format!(
                "
---
apiVersion: keda.sh/v1alpha1
kind: ScaledObject
metadata: {{name: web-{number}}}
spec:
  scaleTargetRef: {{name: web}}"
            )
        };
        let others = (1..9).map(other).collect::<Vec<_>>().concat();
        assert_eq!(
            found("name: web", &("{name: web}".to_owned() + &others)),
            [
                "error spec.scaleTargetRef: ScaledObjects web, web-1, web-2, web-3, web-4 and 4 more and this HPA all scale Deployment/web, so the controller computes no metric for any of their HPAs"
            ]
        );
    }

    #[test]
    fn what_does_not_fight_now_is_a_warning() {
        let paused = "{name: web}
  # The annotation is in the metadata.
---
apiVersion: keda.sh/v1alpha1
kind: ScaledObject
metadata: {name: other, annotations: {autoscaling.keda.sh/paused: 'true'}}
spec:
  scaleTargetRef: {name: web}";
        let found_paused = found("name: web", paused);
        assert_eq!(found_paused.len(), 2);
        assert!(found_paused[1].starts_with("warning"), "{found_paused:?}");
        let intended = "name: web, annotations: {validations.keda.sh/hpa-ownership: 'false'}";
        assert!(found(intended, "{name: web}")[0].starts_with("warning"));
    }
}
