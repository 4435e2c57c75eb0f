//! HPA104 `min-below-ha`.

use super::traffic::{Role, routes_to_pods, workload_pods};
use crate::{
    Check, ConfigurableNumber, Cx, HpaSubject, Missing, Needs, Rule, RuleOutcome, Severity,
    ThresholdUnit, rules::environment::Environment,
};

pub(crate) static RULE: Rule = Rule {
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
    docs: include_str!("min_below_ha.md"),
    file: file!(),
    ..Rule::BASE
};

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
        return Ok(vec![if is_serious(cx, dependent.role, least)? {
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

/// Whether an outage matters. Nearly every workload has a Service, and nearly every demonstration an Ingress.
fn is_serious(cx: &Cx<'_, HpaSubject>, role: Role, least: f64) -> Result<bool, Missing> {
    let environment = Environment::of(cx);
    let written = cx.workload()?.replicas.map_or(0.0, f64::from);
    Ok(match role {
        Role::Service => false,
        _ if environment == Environment::BeforeProduction => false,
        Role::LoadBalancer => true,
        Role::Route => environment == Environment::Production || least <= written,
    })
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::testing::{DEPLOYMENT, HPA_V1, findings, report};

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
    fn a_route_is_a_warning_where_something_says_that_one_pod_is_not_enough() {
        let route =
            "{apiVersion: v1, kind: Service, metadata: {name: s}, spec: {selector: {app: web}}}
---
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: {name: i}
spec: {defaultBackend: {service: {name: s}}}
";
        let yaml = files(1, route);
        let severity = |yaml: &str| {
            findings(&RULE, yaml)[0]
                .split(' ')
                .next()
                .unwrap()
                .to_owned()
        };
        assert_eq!(severity(&yaml), "info");
        let replicas = |count: u32| {
            yaml.replace(
                "spec:\n  selector",
                &format!("spec:\n  replicas: {count}\n  selector"),
            )
        };
        assert_eq!(severity(&replicas(1)), "info");
        assert_eq!(severity(&replicas(2)), "warning");
        let in_namespace = |namespace: &str| {
            yaml.replace(
                "metadata: {name: ",
                &format!("metadata: {{namespace: {namespace}, name: "),
            )
        };
        assert_eq!(severity(&in_namespace("shop-prod")), "warning");
        assert_eq!(severity(&in_namespace("shop")), "info");
        let balancer = |namespace: &str| {
            in_namespace(namespace).replace(
                "spec: {selector: {app",
                "spec: {type: LoadBalancer, selector: {app",
            )
        };
        let balancer =
            |namespace: &str| balancer(namespace).replace("kind: Ingress", "kind: Other");
        assert_eq!(severity(&balancer("shop")), "warning");
        assert_eq!(severity(&balancer("shop-dev")), "info");
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
