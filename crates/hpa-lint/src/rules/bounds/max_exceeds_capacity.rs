//! HPA112 `max-exceeds-capacity`.

use super::{
    capacity::Capacity,
    pods::{amount, pod_of_target},
};
use crate::lint::{Check, Cx, HpaSubject, Needs, RuleOutcome};

crate::lint::declare_rule! {
    /// ## What it does
    /// Flags an HPA whose pods at `maxReplicas` request more of a resource than all nodes together offer to them. Nodes that
    /// are cordoned or lack a label of the `nodeSelector` do not count; taints and affinity are not asked, so it is a bound.
    ///
    /// ## Why is this bad?
    /// 50 pods of 1 cpu on nodes with 32 cpu: 18 pods stay Pending at the peak, and the HPA counts on them.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: autoscaling/v2
    /// kind: HorizontalPodAutoscaler
    /// metadata:
    ///   name: web
    /// spec:
    ///   scaleTargetRef:
    ///     apiVersion: apps/v1
    ///     kind: Deployment
    ///     name: web
    ///   maxReplicas: 50
    /// ---
    /// apiVersion: apps/v1
    /// kind: Deployment
    /// metadata:
    ///   name: web
    /// spec:
    ///   selector: {matchLabels: {app: web}}
    ///   template:
    ///     metadata: {labels: {app: web}}
    ///     spec:
    ///       containers:
    ///       - name: web
    ///         image: example.com/web
    ///         resources: {requests: {cpu: "1"}}
    /// ---
    /// apiVersion: v1
    /// kind: Node
    /// metadata:
    ///   name: one
    /// status:
    ///   allocatable: {cpu: "32", memory: 64Gi, pods: "110"}
    /// ```
    ///
    /// Use instead:
    /// ```yaml
    /// @@
    ///      name: web
    /// -  maxReplicas: 50
    /// +  maxReplicas: 30
    ///  ---
    /// ```
    ///
    /// ## Fix
    /// Lower `maxReplicas`, or let the node pool grow. If an autoscaler of nodes adds some, suppress this with a reason.
    ///
    /// ## References
    /// - n8n#51; popeye 602, 603
    pub(crate) static RULE = {
        code: "HPA112",
        name: "max-exceeds-capacity",
        summary: "maxReplicas needs more than the nodes offer",
        needs: Needs::Related,
        check: Check::Hpa(check),
    }
}

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
                "{max} pods need {} {}; matching nodes offer {}",
                amount(short.need, short.resource),
                short.resource,
                amount(short.offered, short.resource)
            ))
            .help("lower maxReplicas, or let the node pool grow"),
    ])
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::lint::testing::{findings, report};

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
        let reported = "warning spec.maxReplicas: 10 pods need 10 cpu; matching nodes offer";
        assert_eq!(
            findings(&RULE, &files(&[("a", false, "5"), ("b", false, "5")])),
            [format!("{reported} 5")]
        );
        assert_eq!(
            findings(&RULE, &files(&[("a", false, "9500m"), ("a", true, "5")])),
            [format!("{reported} 9500m")]
        );
    }

    #[test]
    fn without_nodes_it_says_that_it_could_not_run() {
        let report = report(&RULE, &files(&[]));
        assert!(report.findings.is_empty());
        assert_eq!(report.notes.len(), 1);
    }
}
