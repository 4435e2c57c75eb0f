//! HPA602 `two-scaledobjects`.

use std::sync::Arc;

use super::beside::{MOST_NAMED, first_names};
use crate::{
    Check, Cx, Finding, Needs, Rule, RuleOutcome, ScaledObjectSubject, Severity,
    world::{KedaGroup, ScaledObject},
};

pub(crate) static RULE: Rule = Rule {
    code: "HPA602",
    name: "two-scaledobjects",
    summary: "two ScaledObjects have one target, or one HPA",
    severity: Severity::Error,
    needs: Needs::Related,
    check: Check::ScaledObject(check),
    docs: include_str!("two_scaledobjects.md"),
    file: file!(),
    ..Rule::BASE
};

fn check(cx: &Cx<'_, ScaledObjectSubject>) -> RuleOutcome {
    let own = &cx.subject.scaled_object;
    if own.object.name.is_empty() || own.target_name.is_empty() {
        return Ok(Vec::new());
    }
    let target = (&*own.target_group, &*own.target_kind, &*own.target_name);
    let (group, kind, name) = target;
    let workload = cx.world.workload(&own.object, group, kind, name);
    let others = |group| Others {
        all: &cx.world.scaled_objects,
        own: &own.object.name,
        group,
    };
    let of_target = others(cx.world.keda_group(&own.object, target, workload));
    let mut findings = Vec::new();
    if !of_target.is_empty() {
        let message = format!(
            "ScaledObjects {} scale {kind}/{name}, so their HPAs conflict",
            of_target.names_with_own()
        );
        let finding = cx.finding("spec.scaleTargetRef").message(message);
        findings.push(of_target.related_to(finding, "spec.scaleTargetRef"));
    }
    let hpa = own.name_of_hpa();
    let of_hpa = others(cx.world.keda_group_of_hpa(&own.object, &hpa));
    if !of_hpa.is_empty() {
        let path = "spec.advanced.horizontalPodAutoscalerConfig.name";
        let message = format!(
            "ScaledObjects {} have the same HPA {hpa}, so they overwrite each other",
            of_hpa.names_with_own()
        );
        findings.push(of_hpa.related_to(cx.finding(path).message(message), path));
    }
    Ok(findings)
}

/// The ScaledObjects of a group that have another name than one of it.
struct Others<'a> {
    all: &'a [ScaledObject],
    own: &'a str,
    group: Arc<KedaGroup>,
}

impl Others<'_> {
    fn len(&self) -> usize {
        let own = self.group.called(self.all, self.own);
        self.group.len() - usize::from(own.is_some())
    }

    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn names_with_own(&self) -> String {
        let all = self.group.by_name(self.all);
        let all = all.map(|one| &*one.object.name);
        first_names(all, [self.own].into_iter(), self.len() + 1)
    }

    fn related_to(&self, finding: Finding, path: &'static str) -> Finding {
        let finding = finding.help("put the triggers into one ScaledObject, and delete the others");
        let others = self.group.in_order(self.all);
        let others = others.filter(|one| one.object.name != self.own);
        others.take(MOST_NAMED).fold(finding, |finding, other| {
            finding.related(other.object.clone(), path, "another ScaledObject")
        })
    }
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::testing::table;

    fn scaled_object(name: &str, spec: &str) -> String {
        format!(
            "---
apiVersion: keda.sh/v1alpha1
kind: ScaledObject
metadata: {{name: {name}, namespace: shop}}
spec: {{{spec}}}
"
        )
    }

    #[test]
    fn targets_differ_by_kind_and_name_and_hpas_by_name() {
        let set = "scaleTargetRef: {apiVersion: apps/v1, kind: StatefulSet, name: web}";
        table(
            &RULE,
            |[other]| {
                let other = other.replace("SET", set);
                scaled_object("a", "scaleTargetRef: {name: web}") + &scaled_object("b", &other)
            },
            "
the same target |scaleTargetRef: {name: web}
  error spec.scaleTargetRef: ScaledObjects a and b scale Deployment/web, so their HPAs conflict
  error …
another kind |SET
the same HPA |SET, advanced: {horizontalPodAutoscalerConfig: {name: keda-hpa-a}}
  error spec.advanced.horizontalPodAutoscalerConfig.name: ScaledObjects a and b have the same HPA keda-hpa-a, so they overwrite each other
  error …
another HPA |SET, advanced: {horizontalPodAutoscalerConfig: {name: own}}
",
        );
    }
}
