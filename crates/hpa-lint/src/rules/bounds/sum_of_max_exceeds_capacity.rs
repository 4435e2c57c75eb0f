//! HPA113 `sum-of-max-exceeds-capacity`.

use std::collections::BTreeMap;

use hpa_words::amount::resource_in_prose;

use super::{
    capacity::Capacity,
    pods::{amount, needs_of},
};
use crate::{Basis, Check, Cx, HpaSubject, Needs, Rule, RuleOutcome, Severity};

pub(crate) static RULE: Rule = Rule {
    code: "HPA113",
    name: "sum-of-max-exceeds-capacity",
    summary: "all HPAs at maxReplicas need more than the nodes offer",
    severity: Severity::Info,
    needs: Needs::Live,
    check: Check::Hpa(check),
    docs: include_str!("sum_of_max_exceeds_capacity.md"),
    file: file!(),
    ..Rule::BASE
};

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let is_first = cx
        .world
        .hpas
        .first()
        .is_none_or(|first| first.object == cx.subject.manifest.object);
    if !is_first {
        return Ok(Vec::new());
    }
    let capacity = Capacity::of(cx, &BTreeMap::new())?;
    let mut needs: BTreeMap<&str, i128> = BTreeMap::new();
    let (mut known, mut unknown) = (0_usize, 0_usize);
    for hpa in &cx.world.hpas {
        let Some(pod) = needs_of(cx, hpa) else {
            unknown += 1;
            continue;
        };
        known += 1;
        for resource in capacity.resources() {
            let per_pod = Capacity::per_pod(&pod, resource);
            let need = per_pod.saturating_mul(i128::from(hpa.max_replicas));
            let sum = needs.entry(resource).or_default();
            *sum = sum.saturating_add(need);
        }
    }
    if known < 2 {
        // HPA112 reports a single HPA.
        return Ok(Vec::new());
    }
    let basis = if cx.world.is_live() {
        Basis::Live
    } else {
        Basis::RelatedManifest
    };
    let at_least = if unknown == 0 { "" } else { "at least " };
    Ok(needs
        .into_iter()
        .filter_map(|(resource, need)| {
            let offered = capacity.offered(resource);
            (offered < need).then(|| {
                cx.finding("spec.maxReplicas")
                    .basis(basis)
                    .message(format!(
                        "all HPAs at maxReplicas need {at_least}{} {}, but nodes offer {}, so a peak that hits \
                         all of them leaves pods Pending",
                        amount(need, resource),
                        resource_in_prose(resource),
                        amount(offered, resource)
                    ))
                    .help("add nodes, lower maxReplicas, or set priorityClassName on the workloads that matter most")
            })
        })
        .collect())
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::testing::findings;

    #[test]
    fn an_hpa_without_a_known_workload_makes_it_the_least() {
        let hpa = |name: &str, target: &str| {
            format!(
                "---
apiVersion: autoscaling/v1
kind: HorizontalPodAutoscaler
metadata: {{name: {name}}}
spec:
  scaleTargetRef: {{apiVersion: apps/v1, kind: Deployment, name: {target}}}
  maxReplicas: 10
"
            )
        };
        let rest = "---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec: {template: {spec: {containers: [{name: web, resources: {requests: {memory: 1Gi}}}]}}}
---
apiVersion: v1
kind: Node
metadata: {name: n}
status: {allocatable: {memory: 15Gi, pods: 110}}
";
        let two = hpa("a", "web") + &hpa("b", "web");
        assert_eq!(
            findings(&RULE, &(two.clone() + rest)),
            [
                "info spec.maxReplicas: all HPAs at maxReplicas need 20Gi memory, but nodes offer 15Gi, so a peak \
                 that hits all of them leaves pods Pending"
            ]
        );
        assert_eq!(
            findings(&RULE, &(two + &hpa("c", "other") + rest)),
            [
                "info spec.maxReplicas: all HPAs at maxReplicas need at least 20Gi memory, but nodes offer 15Gi, \
                 so a peak that hits all of them leaves pods Pending"
            ]
        );
    }
}
