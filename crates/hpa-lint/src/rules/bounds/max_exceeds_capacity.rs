//! HPA112 `max-exceeds-capacity`.

use hpa_words::amount::resource_in_prose;

use super::{
    capacity::Capacity,
    pods::{amount, pod_of_target},
};
use crate::{Check, Cx, HpaSubject, Needs, Rule, RuleOutcome};

pub(crate) static RULE: Rule = Rule {
    code: "HPA112",
    name: "max-exceeds-capacity",
    summary: "maxReplicas needs more than the nodes offer",
    needs: Needs::Related,
    check: Check::Hpa(check),
    docs: include_str!("max_exceeds_capacity.md"),
    file: file!(),
    ..Rule::BASE
};

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let max = cx.subject.spec.max_replicas;
    let target = pod_of_target(cx)?;
    let capacity = Capacity::of(cx, target.node_selector())?;
    let Some(short) = capacity.short(&target.pod, i128::from(max)) else {
        return Ok(Vec::new());
    };
    Ok(vec![
        cx.finding("spec.maxReplicas")
            .message(format!(
                "{max} pods need {} {}, but matching nodes offer {}, so some pods stay Pending",
                amount(short.need, short.resource),
                resource_in_prose(short.resource),
                amount(short.offered, short.resource)
            ))
            .help(short.help()),
    ])
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::testing::{findings, report};

    fn files(nodes: &[(&str, bool, &str)]) -> String {
        let mut yaml = "apiVersion: autoscaling/v1
kind: HorizontalPodAutoscaler
metadata: {name: web}
spec:
  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}
  maxReplicas: 10
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  template:
    spec:
      nodeSelector: {pool: a}
      containers: [{name: web, resources: {requests: {cpu: 1}}}]
"
        .to_owned();
        for (pool, is_cordoned, cpu) in nodes {
            yaml += &format!(
                "---
apiVersion: v1
kind: Node
metadata: {{name: n, labels: {{pool: {pool}}}}}
spec: {{unschedulable: {is_cordoned}}}
status: {{allocatable: {{cpu: {cpu}, pods: 110}}}}
"
            );
        }
        yaml
    }

    #[test]
    fn only_nodes_count_that_may_take_the_pods() {
        assert!(findings(&RULE, &files(&[("a", false, "5"), ("a", false, "5")])).is_empty());
        let reported = |cpu: &str| {
            [format!(
                "warning spec.maxReplicas: 10 pods need 10 CPU, but matching nodes offer {cpu}, so some pods stay \
                 Pending"
            )]
        };
        assert_eq!(
            findings(&RULE, &files(&[("a", false, "5"), ("b", false, "5")])),
            reported("5")
        );
        assert_eq!(
            findings(&RULE, &files(&[("a", false, "9500m"), ("a", true, "5")])),
            reported("9500m")
        );
    }

    #[test]
    fn the_help_has_the_number_that_fits() {
        let help = |cpu| {
            let report = report(&RULE, &files(&[("a", false, cpu)]));
            report.findings[0].finding.help.clone()
        };
        assert_eq!(
            help("9500m"),
            "lower maxReplicas to 9 or less, or add nodes"
        );
        assert_eq!(help("900m"), "request less per pod, or add larger nodes");
    }

    #[test]
    fn without_nodes_it_says_that_it_could_not_run() {
        let report = report(&RULE, &files(&[]));
        assert!(report.findings.is_empty());
        assert_eq!(report.notes.len(), 1);
    }
}
