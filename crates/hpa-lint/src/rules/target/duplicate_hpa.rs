//! HPA410 `duplicate-hpa`.

use std::collections::BTreeMap;

use super::reference::{is_certainly_beside, target_name};
use crate::lint::{
    Check, Cx, HpaSubject, Needs, RuleOutcome, Severity, same_namespace, world::TargetingHpa,
};

crate::lint::declare_rule! {
    /// ## What it does
    /// Flags HPAs that have the same target: same group, kind, name and namespace. Manifests of one HPA that are given twice
    /// count once. If the manifests leave the namespace open and stand in different files, it is a warning: they may be for
    /// different namespaces.
    ///
    /// ## Why is this bad?
    /// Since Kubernetes 1.26 the controller computes no metric for any of them: `ScalingActive` is `False` with reason
    /// `AmbiguousSelector`. `minReplicas` and `maxReplicas` are enforced before that check: with bounds such as 2 to 4 and 6 to
    /// 9 the two go on setting 4 and 6 in turn, every 15 s.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: autoscaling/v2
    /// kind: HorizontalPodAutoscaler
    /// metadata:
    ///   name: web-cpu
    /// spec:
    ///   scaleTargetRef:
    ///     apiVersion: apps/v1
    ///     kind: Deployment
    ///     name: web
    ///   minReplicas: 2
    ///   maxReplicas: 10
    ///   metrics:
    ///   - type: Resource
    ///     resource: {name: cpu, target: {type: Utilization, averageUtilization: 70}}
    /// ---
    /// apiVersion: autoscaling/v2
    /// kind: HorizontalPodAutoscaler
    /// metadata:
    ///   name: web-queue
    /// spec:
    ///   scaleTargetRef:
    ///     apiVersion: apps/v1
    ///     kind: Deployment
    ///     name: web
    ///   minReplicas: 2
    ///   maxReplicas: 10
    ///   metrics:
    ///   - type: External
    ///     external: {metric: {name: queue_depth}, target: {type: AverageValue, averageValue: "30"}}
    /// ```
    ///
    /// Use instead:
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
    ///   minReplicas: 2
    ///   maxReplicas: 10
    ///   metrics:
    ///   - type: Resource
    ///     resource: {name: cpu, target: {type: Utilization, averageUtilization: 70}}
    ///   - type: External
    ///     external: {metric: {name: queue_depth}, target: {type: AverageValue, averageValue: "30"}}
    /// ```
    ///
    /// ## Fix
    /// Put all metrics into one HPA: the highest proposal wins.
    ///
    /// ## References
    /// - Kubernetes, `horizontal.go`: `validateAndParseSelector`, after the bounds; kubernetes/kubernetes#112027
    /// - kyverno `check-hpa-exists`; hpa-analyzer HP010
    pub(crate) static RULE = {
        code: "HPA410",
        name: "duplicate-hpa",
        summary: "several HPAs scale one target",
        severity: Severity::Error,
        needs: Needs::Related,
        check: Check::Hpa(check),
    }
}

/// As many HPAs are named; each of the others has its own finding.
const MOST_NAMED: usize = 5;

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    cx.world.require("HorizontalPodAutoscaler")?;
    let subject = cx.subject;
    let target = &subject.spec.scale_target;
    let mut hpas: BTreeMap<&str, &TargetingHpa> = BTreeMap::new();
    for hpa in cx.world.hpas_of(&target.name) {
        let is_same = hpa.target_group == subject.target_group()
            && hpa.target_kind == target.kind
            && same_namespace(&hpa.object.namespace, subject.namespace());
        if is_same {
            hpas.entry(&hpa.object.name).or_insert(hpa);
        }
    }
    let own = (subject.spec.min_replicas(), subject.spec.max_replicas);
    let others: Vec<&TargetingHpa> = hpas
        .values()
        .copied()
        .filter(|hpa| hpa.object.name != subject.name())
        .collect();
    if others.is_empty() {
        return Ok(Vec::new());
    }
    let names: Vec<&str> = hpas.keys().copied().collect();
    let named = &names[..names.len().min(MOST_NAMED)];
    let mut message = format!(
        "{} is the target of {} HPAs: {}",
        target_name(cx),
        names.len(),
        named.join(", ")
    );
    if named.len() < names.len() {
        message += &format!(" and {} more", names.len() - named.len());
    }
    let disjoint = others
        .iter()
        .find(|other| own.1 < other.min_replicas || other.max_replicas < own.0);
    let mut help = "put all metrics into one HPA: the highest proposal wins";
    if let Some(other) = disjoint {
        message += &format!(
            ", with disjoint bounds {}..{} and {}..{}",
            own.0, own.1, other.min_replicas, other.max_replicas
        );
        help = "put all metrics into one HPA; until then their bounds set the replicas in turn";
    }
    let mut finding = cx
        .finding("spec.scaleTargetRef")
        .message(message)
        .help(help);
    if !others
        .iter()
        .any(|other| is_certainly_beside(cx, &other.object))
    {
        finding = finding.severity(Severity::Warning);
    }
    for other in others.into_iter().take(MOST_NAMED) {
        finding = finding.related(
            other.object.clone(),
            "spec.scaleTargetRef",
            "the same target",
        );
    }
    Ok(vec![finding])
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::lint::testing::findings;

    fn hpa(name: &str, bounds: (i32, i32), metadata: &str, version: &str) -> String {
        format!(
            "---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {{name: {name}{metadata}}}
spec:
  scaleTargetRef: {{apiVersion: apps/{version}, kind: Deployment, name: web}}
  minReplicas: {}
  maxReplicas: {}
",
            bounds.0, bounds.1
        )
    }

    #[test]
    fn disjoint_bounds_are_named_and_versions_are_not_compared() {
        let yaml = hpa("a", (2, 4), "", "v1") + &hpa("b", (6, 9), "", "v1beta2");
        assert_eq!(
            findings(&RULE, &yaml),
            [
                "error spec.scaleTargetRef: Deployment/web is the target of 2 HPAs: a, b, with disjoint bounds 2..4 \
                 and 6..9",
                "error spec.scaleTargetRef: Deployment/web is the target of 2 HPAs: a, b, with disjoint bounds 6..9 \
                 and 2..4",
            ]
        );
    }

    #[test]
    fn other_namespaces_and_the_same_hpa_again_are_no_duplicates() {
        let yaml = hpa("a", (2, 4), ", namespace: dev", "v1")
            + &hpa("b", (2, 4), ", namespace: prod", "v1")
            + &hpa("a", (2, 6), ", namespace: dev", "v1");
        assert!(findings(&RULE, &yaml).is_empty());
    }

    #[test]
    fn bounds_that_touch_are_not_disjoint() {
        let yaml = hpa("a", (2, 4), "", "v1") + &hpa("b", (4, 9), "", "v1");
        assert_eq!(
            findings(&RULE, &yaml)[0],
            "error spec.scaleTargetRef: Deployment/web is the target of 2 HPAs: a, b"
        );
    }
}
