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
    use crate::testing::table;

    #[test]
    fn only_nodes_count_that_may_take_the_pods() {
        table(
            &RULE,
            |[nodes]| {
                // A node is `pool CPU`, with a `cordoned` behind it.
                let node = |text: &str| {
                    let is_cordoned = text.ends_with(" cordoned");
                    let (pool, cpu) = text.trim_end_matches(" cordoned").split_once(' ').unwrap();
                    format!(
                        "---
apiVersion: v1
kind: Node
metadata: {{name: n, labels: {{pool: {pool}}}}}
spec: {{unschedulable: {is_cordoned}}}
status: {{allocatable: {{cpu: {cpu}, pods: 110}}}}
"
                    )
                };
                let nodes = nodes.split(", ").filter(|text| !text.is_empty());
                "apiVersion: autoscaling/v1
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
                .to_owned()
                    + &nodes.map(node).collect::<String>()
            },
            r"
all fit | a 5, a 5
a node of another pool | a 5, b 5 => warning spec.maxReplicas: 10 pods need 10 CPU, but matching nodes offer 5, so some pods stay Pending
a node that is cordoned | a 9500m, a 5 cordoned => warning spec.maxReplicas: 10 pods need 10 CPU, but matching nodes offer 9500m, so some pods stay Pending
the help has the number that fits | a 9500m => warning …
  help: lower maxReplicas to 9 or less, or add nodes
none fits | a 900m => warning …
  help: request less per pod, or add larger nodes
without nodes it could not run | => note …
",
        );
    }
}
