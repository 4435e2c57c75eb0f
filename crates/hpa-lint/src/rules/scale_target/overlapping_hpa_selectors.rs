//! HPA411 `overlapping-hpa-selectors`.

use super::reference::is_certainly_beside;
use crate::{
    Check, Cx, Finding, HpaSubject, Needs, Rule, RuleOutcome, Severity,
    world::{TargetingHpa, Workload},
};

pub(crate) static RULE: Rule = Rule {
    code: "HPA411",
    name: "overlapping-hpa-selectors",
    summary: "another HPA also selects the pods of the target",
    severity: Severity::Error,
    needs: Needs::Related,
    yields_to: &["HPA410"],
    check: Check::Hpa(check),
    docs: include_str!("overlapping_hpa_selectors.md"),
    file: file!(),
    ..Rule::BASE
};

/// Maximum number of other HPAs with a finding each.
const MOST_NAMED: usize = 3;

/// Another HPA, with its scale target.
type Other<'a> = (&'a TargetingHpa, &'a Workload);

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    if !cx.switches().ambiguous_selector || cx.subject.hpa.name().is_empty() {
        return Ok(Vec::new());
    }
    cx.world.require("HorizontalPodAutoscaler")?;
    let own = cx.workload()?;
    let labels = cx.pod_labels()?;
    let own_hpa = cx.subject.object();
    let is_another = |hpa: &&TargetingHpa| {
        hpa.object.name != own_hpa.name && cx.world.belong_together(&hpa.object, own_hpa)
    };
    let mut others: Vec<Other<'_>> = cx
        .world
        .scaled_among_pods(own_hpa, labels, cx.selector_workload()?)
        .filter(|(workload, _)| !is_same(workload, own))
        .filter_map(|(workload, mut hpas)| Some((hpas.find(is_another)?, workload)))
        .collect();
    let by_object = |(_, one): &Other<'_>, (_, other): &Other<'_>| one.object.cmp(&other.object);
    let named = others.len().min(MOST_NAMED);
    if named < others.len() {
        others.select_nth_unstable_by(named, by_object);
    }
    let (named, rest) = others.split_at_mut(named);
    named.sort_unstable_by(by_object);
    let mut findings: Vec<Finding> = named
        .iter()
        .map(|(hpa, workload)| {
            let finding = cx
                .finding("spec.scaleTargetRef")
                .message(format!(
                    "the targets of HPAs {} and {} select the same pods, so the controller computes no metric for either",
                    cx.subject.hpa.name(),
                    hpa.object.name
                ))
                .help(format!(
                    "give {} and {} different labels, in selector and pod template",
                    own.object, workload.object
                ))
                .related(hpa.object.clone(), "spec.scaleTargetRef", "the other HPA")
                .related(
                    own.object.clone(),
                    "spec.selector",
                    "the target of this HPA",
                )
                .related(
                    workload.object.clone(),
                    "spec.selector",
                    "the target of the other HPA",
                );
            if is_certainly_beside(cx, &hpa.object) {
                finding
            } else {
                finding.severity(Severity::Warning)
            }
        })
        .collect();
    findings.extend(of_the_rest(cx, own, rest));
    Ok(findings)
}

/// One finding for all HPAs that are not named; each of them has its own findings.
fn of_the_rest(cx: &Cx<'_, HpaSubject>, own: &Workload, rest: &[Other<'_>]) -> Option<Finding> {
    let is_certain = rest
        .iter()
        .any(|(hpa, _)| is_certainly_beside(cx, &hpa.object));
    let noun = match rest.len() {
        0 => return None,
        1 => "HPA",
        _ => "HPAs",
    };
    let finding = cx
        .finding("spec.scaleTargetRef")
        .message(format!(
            "the targets of HPA {} and {} more {noun} select the same pods, so the controller computes no metric for them",
            cx.subject.hpa.name(),
            rest.len()
        ))
        .help(format!(
            "give {} a label of its own, in selector and pod template",
            own.object
        ))
        .related(
            own.object.clone(),
            "spec.selector",
            "the target of this HPA",
        );
    Some(if is_certain {
        finding
    } else {
        finding.severity(Severity::Warning)
    })
}

fn is_same(one: &Workload, other: &Workload) -> bool {
    one.group == other.group
        && one.object.kind == other.object.kind
        && one.object.name == other.object.name
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::testing::{report_at, table_of};

    fn part(name: &str, labels: &str) -> String {
        format!(
            "---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {{name: {name}}}
spec:
  scaleTargetRef: {{apiVersion: apps/v1, kind: Deployment, name: {name}}}
  maxReplicas: 4
---
apiVersion: apps/v1
kind: Deployment
metadata: {{name: {name}}}
spec:
  selector: {{matchLabels: {labels}}}
  template: {{metadata: {{labels: {labels}}}}}
"
        )
    }

    #[test]
    fn a_selector_that_matches_the_pods_of_the_other_turns_off_both() {
        table_of(
            |[minor, a, b]| report_at(&RULE, minor, &(part("a", a) + &part("b", b))),
            r"
both match the pods of b, and one those of a | 36 | {app: shop} | {app: shop, part: b}
  error spec.scaleTargetRef: the targets of HPAs a and b select the same pods, so the controller computes no metric for either
  error spec.scaleTargetRef: the targets of HPAs b and a select the same pods, so the controller computes no metric for either
before 1.26 the controller computes it | 25 | {app: shop} | {app: shop, part: b}
labels in common are no overlap | 36 | {app: shop, part: a} | {app: shop, part: b}
",
        );
    }
}
