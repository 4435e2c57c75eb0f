//! HPA410 `duplicate-hpa`.

use hpa_analysis::Assessment;
use hpa_engine::trace::SelectorVerdict;
use hpa_explain::Facts;
use hpa_words::amount::names_of;

use super::reference::target_name;
use crate::{Check, Cx, HpaSubject, Needs, Rule, RuleOutcome, Severity};

pub(crate) static RULE: Rule = Rule {
    code: "HPA410",
    name: "duplicate-hpa",
    summary: "several HPAs scale one target",
    severity: Severity::Error,
    needs: Needs::Related,
    check: Check::Hpa(check),
    docs: include_str!("duplicate_hpa.md"),
    file: file!(),
    ..Rule::BASE
};

/// Maximum number of HPAs named; each of the others has its own finding.
const MOST_NAMED: usize = 5;

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    cx.world.require("HorizontalPodAutoscaler")?;
    let subject = cx.subject;
    if subject.hpa.name().is_empty() {
        return Ok(Vec::new());
    }
    let target = &subject.spec.scale_target;
    let target = (subject.target_group(), &*target.kind, &*target.name);
    let group = cx.world.target_group(subject.object(), target, cx.workload);
    let all = &cx.world.hpas;
    let others = || {
        let hpas = group.hpas(all);
        hpas.filter(|hpa| hpa.object.name != subject.hpa.name())
    };
    if others().next().is_none() || cx.live().is_ok_and(selects_alone) {
        return Ok(Vec::new());
    }
    let count = group.count();
    let named = group.hpas(all).map(|hpa| &*hpa.object.name);
    let listed = names_of(named, count, MOST_NAMED);
    let own = (subject.spec.min_replicas(), subject.spec.max_replicas);
    let disjoint = group.disjoint(all, subject.hpa.name(), own);
    let consequence = match disjoint {
        Some(other) => format!(
            ". Their ranges {}–{} and {}–{} do not overlap, so they change the replicas in turn",
            own.0, own.1, other.min_replicas, other.max_replicas
        ),
        None if cx.switches().ambiguous_selector => {
            ", so the controller computes no metric for any of them".to_owned()
        }
        None => ", so they overwrite each other".to_owned(),
    };
    let mut finding = cx
        .finding("spec.scaleTargetRef")
        .message(format!(
            "{count} HPAs ({listed}) scale {}{consequence}",
            target_name(cx)
        ))
        .help("put all metrics into one HPA and delete the others");
    let is_certain = cx.is_complete
        || (!subject.hpa.namespace().is_empty()
            && group.has_other_with_namespace(all, subject.hpa.name()))
        || group.has_other_in_file(all, subject.object());
    if !is_certain {
        finding = finding.severity(Severity::Warning);
    }
    for other in others().take(MOST_NAMED) {
        finding = finding.related(
            other.object.clone(),
            "spec.scaleTargetRef",
            "has the same target",
        );
    }
    Ok(vec![finding])
}

/// Whether the last sync saw no other HPA of the same pods: the others are older, and gone.
fn selects_alone(live: &Assessment) -> bool {
    let check = Facts::new(&live.observation, &live.analysis.trace).selector;
    check.is_some_and(|check| matches!(check.verdict, SelectorVerdict::Selects { .. }))
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::testing::table;

    #[test]
    fn several_hpas_of_one_target_are_reported_with_what_follows() {
        table(
            &RULE,
            |[hpas]| {
                // An HPA is `version name min max`, with more of its metadata behind it.
                let hpa = |text: &str| {
                    let mut parts = text.splitn(5, ' ');
                    let [version, name, min, max, metadata] =
                        [(); 5].map(|()| parts.next().unwrap_or_default());
                    format!(
                        "---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {{name: {name}, {metadata}}}
spec:
  scaleTargetRef: {{apiVersion: apps/{version}, kind: Deployment, name: web}}
  minReplicas: {min}
  maxReplicas: {max}
"
                    )
                };
                hpas.split(", ").map(hpa).collect()
            },
            r"
disjoint bounds are named and versions are not compared | v1 a 2 4, v1beta2 b 6 9
  error spec.scaleTargetRef: 2 HPAs (a and b) scale Deployment/web. Their ranges 2–4 and 6–9 do not overlap, so they change the replicas in turn
  error spec.scaleTargetRef: 2 HPAs (a and b) scale Deployment/web. Their ranges 6–9 and 2–4 do not overlap, so they change the replicas in turn
other namespaces and the same HPA again are no duplicates | v1 a 2 4 namespace: dev, v1 b 2 4 namespace: prod, v1 a 2 6 namespace: dev
of a range without a number HPA101 says all | v1 a 12 10, v1 b 1 2 => error spec.scaleTargetRef: 2 HPAs (a and b) scale Deployment/web, so the controller computes no metric for any of them
bounds that touch are not disjoint | v1 a 2 4, v1 b 4 9 => error spec.scaleTargetRef: 2 HPAs (a and b) scale Deployment/web, so the controller computes no metric for any of them
  error …
",
        );
    }
}
