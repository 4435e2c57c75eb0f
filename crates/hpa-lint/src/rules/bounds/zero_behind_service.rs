//! HPA107 `zero-behind-service`.

use super::traffic::{routes_to_pods, workload_pods};
use crate::{Check, Cx, HpaSubject, Needs, Rule, RuleOutcome};

pub(crate) static RULE: Rule = Rule {
    code: "HPA107",
    name: "zero-behind-service",
    summary: "minReplicas is 0, but a Service sends traffic to the pods",
    needs: Needs::Related,
    check: Check::Hpa(check),
    docs: include_str!("zero_behind_service.md"),
    file: file!(),
    ..Rule::BASE
};

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    if cx.subject.spec.min_replicas() != 0 {
        return Ok(Vec::new());
    }
    let labels = workload_pods(cx)?;
    let Some(router) = routes_to_pods(cx, labels)? else {
        return Ok(Vec::new());
    };
    let router = router.object;
    Ok(vec![
        cx.finding("spec.minReplicas")
            .message(format!(
                "minReplicas is 0, but {router} routes traffic to the target, so requests fail while no pod exists"
            ))
            .help(
                "set minReplicas to 1, or put a proxy in front that holds requests until a pod is ready",
            )
            .related(router.clone(), "", "routes traffic to the target"),
    ])
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::testing::table;

    const BASE: &str = "
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {name: web, namespace: shop}
spec:
  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}
  minReplicas: 0
  maxReplicas: 3
  metrics: [{type: External, external: {metric: {name: q}, target: {type: AverageValue, averageValue: 1}}}]
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: shop}
spec:
  selector: {matchLabels: {app: web}}
  template: {metadata: {labels: {app: web}}, spec: {containers: [{name: web}]}}
---
apiVersion: v1
kind: Service
metadata: {name: web, namespace: NAMESPACE}
spec: {selector: {app: web}}
---
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: {name: front, namespace: NAMESPACE}
spec: {defaultBackend: {service: {name: web, port: {number: 80}}}}
";

    #[test]
    fn what_is_nearest_to_the_user_is_named() {
        table(
            &RULE,
            |[namespace]| BASE.replace("NAMESPACE", namespace),
            r"
its namespace | shop => warning spec.minReplicas: minReplicas is 0, but Ingress/front routes traffic to the target, so requests fail while no pod exists
another namespace has nothing to do with it | other
",
        );
    }
}
