//! HPA410 `duplicate-hpa`.

use hpa_words::amount::names_of;

use super::reference::target_name;
use crate::{Check, Cx, HpaSubject, Needs, RuleOutcome, Severity};

crate::declare_rule! {
    /// ## What it does
    /// Flags HPAs that have the same target: the same group, kind, name and namespace. Manifests of one HPA that are given
    /// twice count once. It is a warning if the manifests are in different files and leave the namespace open: they might be
    /// for different namespaces.
    ///
    /// ## Why is this bad?
    /// Since Kubernetes 1.26 the controller computes no metric for any of them: `ScalingActive` is `False` with reason
    /// `AmbiguousSelector`. It enforces `minReplicas` and `maxReplicas` before that check. With the ranges 2–4 and 6–9 the
    /// two HPAs set 4 and 6 replicas in turn, every 15 s.
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
    /// Put all metrics into one HPA and delete the others. The highest recommendation wins.
    ///
    /// ## References
    /// - Kubernetes, [`horizontal.go`](https://github.com/kubernetes/kubernetes/blob/master/pkg/controller/podautoscaler/horizontal.go): `validateAndParseSelector`, after the bounds
    /// - [kubernetes/kubernetes#112027](https://github.com/kubernetes/kubernetes/issues/112027)
    pub(crate) static RULE = {
        code: "HPA410",
        name: "duplicate-hpa",
        summary: "several HPAs scale one target",
        severity: Severity::Error,
        needs: Needs::Related,
        check: Check::Hpa(check),
    }
}

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
    let others = || {
        let hpas = group.hpas(cx.world);
        hpas.filter(|hpa| hpa.object.name != subject.hpa.name())
    };
    if others().next().is_none() {
        return Ok(Vec::new());
    }
    let count = group.count();
    let named = group.hpas(cx.world).map(|hpa| &*hpa.object.name);
    let listed = names_of(named, count, MOST_NAMED);
    let own = (subject.spec.min_replicas(), subject.spec.max_replicas);
    let disjoint = group.disjoint(cx.world, subject.hpa.name(), own);
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
    let is_certain = cx.is_complete()
        || (!subject.hpa.namespace().is_empty()
            && group.has_other_with_namespace(cx.world, subject.hpa.name()))
        || group.has_other_in_file(cx.world, subject.object());
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

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::testing::findings;

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
                "error spec.scaleTargetRef: 2 HPAs (a and b) scale Deployment/web. Their ranges 2–4 and 6–9 do not overlap, so they change the replicas in turn",
                "error spec.scaleTargetRef: 2 HPAs (a and b) scale Deployment/web. Their ranges 6–9 and 2–4 do not overlap, so they change the replicas in turn",
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
    fn ranges_without_a_number_are_not_compared() {
        let yaml = hpa("a", (12, 10), "", "v1") + &hpa("b", (1, 2), "", "v1");
        let findings = findings(&RULE, &yaml);
        // Of the one with the wrong range, HPA101 says all.
        assert_eq!(findings.len(), 1);
        assert!(!findings[0].contains("do not overlap"), "{findings:?}");
    }

    #[test]
    fn bounds_that_touch_are_not_disjoint() {
        let yaml = hpa("a", (2, 4), "", "v1") + &hpa("b", (4, 9), "", "v1");
        assert_eq!(
            findings(&RULE, &yaml)[0],
            "error spec.scaleTargetRef: 2 HPAs (a and b) scale Deployment/web, so the controller computes no metric for any of them"
        );
    }
}
