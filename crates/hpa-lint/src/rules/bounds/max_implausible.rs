//! HPA116 `max-implausible`.

use crate::lint::{
    Check, ConfigurableNumber, Cx, HpaSubject, RuleOutcome, Severity, ThresholdUnit,
};

crate::lint::declare_rule! {
    /// ## What it does
    /// Flags a `maxReplicas` of 1000 or more (`replicas`). It runs only if it is asked for.
    ///
    /// ## Why is this bad?
    /// A maximum is there to stop a metric that went wrong. 1000 pods of 500m cpu each need 500 cores: something else gives
    /// way before.
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
    ///   minReplicas: 2
    ///   maxReplicas: 5000
    /// ```
    ///
    /// Use instead:
    /// ```yaml
    /// @@
    ///    minReplicas: 2
    /// -  maxReplicas: 5000
    /// +  maxReplicas: 50
    /// ```
    ///
    /// ## Fix
    /// Set it from what the cluster can hold and the workload's dependencies can bear.
    ///
    /// ## References
    /// - kube-linter#608
    pub(crate) static RULE = {
        code: "HPA116",
        name: "max-implausible",
        summary: "a maxReplicas that bounds nothing",
        severity: Severity::Info,
        is_opt_in: true,
        thresholds: &[ConfigurableNumber {
            name: "replicas",
            default: 1000.0,
            unit: ThresholdUnit::Count,
            summary: "the least maxReplicas that is not believed",
        }],
        check: Check::Hpa(check),
    }
}

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let max = cx.subject.spec.max_replicas;
    if f64::from(max) < cx.threshold("replicas") {
        return Ok(Vec::new());
    }
    Ok(vec![
        cx.finding("spec.maxReplicas")
            .message(format!("maxReplicas {max} bounds nothing in practice"))
            .help("set it from what the cluster can hold"),
    ])
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::lint::testing::findings;

    #[test]
    fn a_thousand_is_not_believed() {
        let hpa = |max: i32| {
            format!(
                "apiVersion: autoscaling/v1
kind: HorizontalPodAutoscaler
metadata: {{name: web}}
spec:
  scaleTargetRef: {{apiVersion: apps/v1, kind: Deployment, name: web}}
  maxReplicas: {max}
"
            )
        };
        assert_eq!(findings(&RULE, &hpa(1000)).len(), 1);
        assert_eq!(findings(&RULE, &hpa(999)).len(), 0);
    }
}
