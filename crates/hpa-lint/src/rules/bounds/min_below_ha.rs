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
    use crate::testing::{DEPLOYMENT, HPA_V1, table};

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
        table(
            &RULE,
            |[min, other]| files(min.parse().unwrap(), other),
            r"
a budget | 1 | {apiVersion: policy/v1, kind: PodDisruptionBudget, metadata: {name: pdb}, spec: {maxUnavailable: 1, selector: {matchLabels: {app: web}}}}
  info spec.minReplicas: minReplicas is 1, so losing one pod can leave none
a Service | 1 | {apiVersion: v1, kind: Service, metadata: {name: s}, spec: {selector: {app: web}}}
  info spec.minReplicas: minReplicas is 1, but Service/s depends on these pods, so losing one pod is an outage
a load balancer | 1 | {apiVersion: v1, kind: Service, metadata: {name: s}, spec: {type: LoadBalancer, selector: {app: web}}}
  warning spec.minReplicas: minReplicas is 1, but Service/s depends on these pods, so losing one pod is an outage
a port of nodes | 1 | {apiVersion: v1, kind: Service, metadata: {name: s}, spec: {type: NodePort, selector: {app: web}}} => info …
a Service of other pods | 1 | {apiVersion: v1, kind: Service, metadata: {name: s}, spec: {selector: {app: other}}} => info spec.minReplicas: minReplicas is 1, so losing one pod can leave none
two replicas | 2 | {apiVersion: v1, kind: Service, metadata: {name: s}, spec: {type: LoadBalancer, selector: {app: web}}}
workers that may be off | 0 | {}
",
        );
    }

    #[test]
    fn a_route_depends_on_services_of_the_namespace_that_its_backend_names() {
        table(
            &RULE,
            |[route, backend]| {
                let more = format!(
                    "{{apiVersion: v1, kind: Service, metadata: {{name: s, namespace: shop}}, spec: {{selector: {{app: web}}}}}}
---
apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata: {{name: route, namespace: {route}}}
spec: {{rules: [{{backendRefs: [{{name: s{backend}}}]}}]}}
"
                );
                let own = "{name: web, namespace: shop}\nspec";
                files(1, &more).replace("{name: web}\nspec", own)
            },
            r"
its own | shop | => info …HTTPRoute/route depends…
its own, which has none of this name | edge | => info …but Service/s depends…
another one that has it | edge | , namespace: shop => info …HTTPRoute/route depends…
another one | shop | , namespace: billing => info …but Service/s depends…
",
        );
    }

    #[test]
    fn a_route_is_a_warning_where_something_says_that_one_pod_is_not_enough() {
        table(
            &RULE,
            |[namespace, kind, service, replicas]| {
                let more = format!(
                    "{{apiVersion: v1, kind: Service, metadata: {{name: s}}, spec: {{{service}selector: {{app: web}}}}}}
---
apiVersion: networking.k8s.io/v1
kind: {kind}
metadata: {{name: i}}
spec: {{defaultBackend: {{service: {{name: s}}}}}}
"
                );
                files(1, &more)
                    .replace(
                        "spec:\n  selector",
                        &format!("spec:\n  {replicas}\n  selector"),
                    )
                    .replace(
                        "metadata: {name: ",
                        &format!("metadata: {{{namespace}name: "),
                    )
            },
            r"
nothing | | Ingress | | => info …
one replica | | Ingress | | replicas: 1 => info …
two replicas | | Ingress | | replicas: 2 => warning …
a namespace of production | namespace: shop-prod, | Ingress | | => warning …
a namespace without a stage | namespace: shop, | Ingress | | => info …
a load balancer without a route | namespace: shop, | Other | type: LoadBalancer, | => warning …
a load balancer of development | namespace: shop-dev, | Other | type: LoadBalancer, | => info …
",
        );
    }

    #[test]
    fn without_the_workload_it_says_that_it_could_not_run() {
        table(
            &RULE,
            |[name]| {
                let own = "name: web}\nspec:\n  selector";
                files(1, "{}").replace(own, &own.replace("web", name))
            },
            r"
another name | other => note HPA104 not checked: Deployment/web is not in the given files
",
        );
    }
}
