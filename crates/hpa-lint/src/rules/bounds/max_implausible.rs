//! HPA116 `max-implausible`.

use crate::{
    Check, ConfigurableNumber, Cx, ForScaledObject, HpaSubject, RuleOutcome, Severity,
    ThresholdUnit,
};

crate::declare_rule! {
    /// ## What it does
    /// Flags a `maxReplicas` of 1000 or more (`replicas`).
    ///
    /// ## Why is this bad?
    /// `maxReplicas` is the limit for a metric that goes wrong.
    /// 1000 pods that request 500m CPU each need 500 CPU: the cluster or a dependency fails before that.
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
    /// Set `maxReplicas` to what the cluster can run and the dependencies of the workload can serve.
    ///
    /// ## References
    /// - [kube-linter#608](https://github.com/stackrox/kube-linter/issues/608)
    pub(crate) static RULE = {
        code: "HPA116",
        name: "max-implausible",
        summary: "a maxReplicas that is too high to stop a wrong metric",
        severity: Severity::Info,
        is_opt_in: true,
        thresholds: &[ConfigurableNumber {
            name: "replicas",
            default: 1000.0,
            unit: ThresholdUnit::Count,
            summary: "the smallest maxReplicas that is reported",
        }],
        check: Check::Hpa(check),
        for_scaled_object: ForScaledObject::ItsHpa,
    }
}

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let max = cx.subject.spec.max_replicas;
    if f64::from(max) < cx.threshold("replicas") {
        return Ok(Vec::new());
    }
    Ok(vec![
        cx.finding("spec.maxReplicas")
            .message(format!(
                "maxReplicas {max} is so high that it barely limits a wrong metric"
            ))
            .help("set maxReplicas to what the cluster can run"),
    ])
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::testing::{HPA_V1, findings};

    #[test]
    fn a_thousand_is_not_believed() {
        let hpa = |max: i32| {
            format!(
                "{HPA_V1}  maxReplicas: {max}
"
            )
        };
        assert_eq!(findings(&RULE, &hpa(1000)).len(), 1);
        assert_eq!(findings(&RULE, &hpa(999)).len(), 0);
    }
}
