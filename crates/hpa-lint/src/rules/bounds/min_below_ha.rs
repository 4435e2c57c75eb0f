//! HPA104 `min-below-ha`.

use super::traffic::{routes_to_pods, workload_pods};
use crate::lint::{
    Check, ConfigurableNumber, Cx, HpaSubject, Needs, RuleOutcome, Severity, ThresholdUnit,
};
use crate::rules::environment::is_before_production;

crate::lint::declare_rule! {
    /// ## What it does
    /// Flags a `minReplicas` below 2 (`replicas`) if other objects depend on the pods.
    /// It is a warning for an Ingress, a route or a Service of type LoadBalancer.
    /// It is an info if only another Service depends on them, which nearly every workload has, or none of these objects.
    /// A PodDisruptionBudget does not depend on pods; HPA418 reports one that allows no eviction.
    /// It is also an info in overlays of environments before production, such as `overlays/dev` or `envs/staging`.
    ///
    /// ## Why is this bad?
    /// With 1 replica, losing one pod is an outage.
    /// When its node is drained, the Service has no endpoints until another pod is ready.
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
    ///   minReplicas: 1
    ///   maxReplicas: 10
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
    ///       - {name: web, image: example.com/web}
    /// ---
    /// apiVersion: v1
    /// kind: Service
    /// metadata:
    ///   name: web
    /// spec:
    ///   type: LoadBalancer
    ///   selector: {app: web}
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
    /// ```
    ///
    /// ## Fix
    /// Write `minReplicas: 2` or more.
    ///
    /// ## References
    /// - [Specifying a disruption budget](https://kubernetes.io/docs/tasks/run-application/configure-pdb/)
    /// - [kube-linter](https://github.com/stackrox/kube-linter), whose check asks for 3
    pub(crate) static RULE = {
        code: "HPA104",
        name: "min-below-ha",
        summary: "minReplicas allows a single pod that others depend on",
        needs: Needs::Related,
        yields_to: &["HPA107", "HPA418"],
        thresholds: &[ConfigurableNumber {
            name: "replicas",
            default: 2.0,
            unit: ThresholdUnit::Count,
            summary: "the smallest acceptable minReplicas",
        }],
        check: Check::Hpa(check),
    }
}

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let min = cx.subject.spec.min_replicas();
    let least = cx.threshold("replicas");
    if least <= f64::from(min) {
        return Ok(Vec::new());
    }
    let labels = workload_pods(cx)?;
    let finding = cx
        .finding("spec.minReplicas")
        .help(format!("set minReplicas to {least} or more"));
    if let Some(dependent) = routes_to_pods(cx, labels)? {
        let finding = finding
            .message(format!(
                "minReplicas is {min}, but {} depends on these pods{}",
                dependent.object,
                match min {
                    0 => ", so at times none exists".to_owned(),
                    1 => ", so losing one pod is an outage".to_owned(),
                    _ => format!(": fewer than {least}"),
                }
            ))
            .related(dependent.object.clone(), "", "depends on these pods");
        // Nearly every workload has a Service; a route means that it must stay up.
        let is_serious = dependent.is_more_than_service && !is_before_production(cx.file_name);
        return Ok(vec![if is_serious {
            finding
        } else {
            finding.severity(Severity::Info)
        }]);
    }
    if min == 0 {
        // Nothing sends traffic to it: a worker, which may be off.
        return Ok(Vec::new());
    }
    Ok(vec![
        finding
            .message(match min {
                1 => "minReplicas is 1, so losing one pod can leave none".to_owned(),
                _ => format!("minReplicas is {min}, fewer than {least}"),
            })
            .severity(Severity::Info),
    ])
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::lint::testing::{DEPLOYMENT, HPA_V1, findings, report};

    fn files(min: i32, others: &str) -> String {
        format!(
            "{HPA_V1}  minReplicas: {min}
  maxReplicas: 3
{DEPLOYMENT}spec:
  selector: {{matchLabels: {{app: web}}}}
  template: {{metadata: {{labels: {{app: web}}}}, spec: {{containers: [{{name: web}}]}}}}
---
{others}
"
        )
    }

    #[test]
    fn what_sends_traffic_depends_on_the_pods_and_a_budget_or_a_foreign_service_does_not() {
        let budget = "{apiVersion: policy/v1, kind: PodDisruptionBudget, metadata: {name: pdb}, spec: {maxUnavailable: 1, \
                      selector: {matchLabels: {app: web}}}}";
        assert_eq!(
            findings(&RULE, &files(1, budget)),
            ["info spec.minReplicas: minReplicas is 1, so losing one pod can leave none"]
        );
        let service =
            "{apiVersion: v1, kind: Service, metadata: {name: s}, spec: {selector: {app: web}}}";
        assert_eq!(
            findings(&RULE, &files(1, service)),
            [
                "info spec.minReplicas: minReplicas is 1, but Service/s depends on these pods, so losing one pod \
                 is an outage"
            ]
        );
        let balancer = service.replace("{selector", "{type: LoadBalancer, selector");
        assert_eq!(
            findings(&RULE, &files(1, &balancer)),
            [
                "warning spec.minReplicas: minReplicas is 1, but Service/s depends on these pods, so losing one \
                 pod is an outage"
            ]
        );
        let node_port = service.replace("{selector", "{type: NodePort, selector");
        assert!(findings(&RULE, &files(1, &node_port))[0].starts_with("info "));
        let other =
            "{apiVersion: v1, kind: Service, metadata: {name: s}, spec: {selector: {app: other}}}";
        assert_eq!(
            findings(&RULE, &files(1, other)),
            ["info spec.minReplicas: minReplicas is 1, so losing one pod can leave none"]
        );
        assert!(findings(&RULE, &files(2, &balancer)).is_empty());
    }

    #[test]
    fn a_route_depends_on_services_of_the_namespace_that_its_backend_names() {
        let depends = |route: &str, backend: &str| {
            let more = format!(
                "{{apiVersion: v1, kind: Service, metadata: {{name: s, namespace: shop}}, spec: {{selector: {{app: web}}}}}}
---
apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata: {{name: route, namespace: {route}}}
spec: {{rules: [{{backendRefs: [{{name: s{backend}}}]}}]}}
"
            );
            let yaml =
                files(1, &more).replace("{name: web}\nspec", "{name: web, namespace: shop}\nspec");
            findings(&RULE, &yaml)[0].contains("HTTPRoute/route depends")
        };
        assert!(depends("shop", ""));
        assert!(!depends("edge", ""));
        assert!(depends("edge", ", namespace: shop"));
        assert!(!depends("shop", ", namespace: billing"));
    }

    #[test]
    fn workers_that_may_be_off_are_fine() {
        assert!(findings(&RULE, &files(0, "{}")).is_empty());
    }

    #[test]
    fn without_the_workload_it_says_that_it_could_not_run() {
        let yaml = files(1, "{}").replace(
            "name: web}\nspec:\n  selector",
            "name: other}\nspec:\n  selector",
        );
        let report = report(&RULE, &yaml);
        assert!(report.findings.is_empty());
        assert_eq!(
            report.notes[0].message,
            "HPA104 not checked: Deployment/web is not in the given files"
        );
    }
}
