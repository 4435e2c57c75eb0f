//! HPA212 `target-high`.

use super::{entry::utilizations, target_pod::TargetPod};
use crate::{
    Check, ConfigurableNumber, Cx, ForScaledObject, HpaSubject, RuleOutcome, Severity,
    ThresholdUnit,
};

crate::declare_rule! {
    /// ## What it does
    /// Flags a target of more than 90% (`percent`) and at most 100% of requests.
    /// If the files or the cluster show the target's limits, HPA209, HPA210 and HPA211 check it instead.
    ///
    /// ## Why is this bad?
    /// Scale-up starts above 100% with a target of 91%, and above 110% with a target of 100%.
    /// A new pod takes a minute to help.
    /// Until then the others use more than they requested, and a full node cannot give them more.
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
    ///   maxReplicas: 10
    ///   metrics:
    ///     - type: Resource
    ///       resource:
    ///         name: cpu
    ///         target:
    ///           type: Utilization
    ///           averageUtilization: 95
    /// ```
    ///
    /// Use instead:
    /// ```yaml
    /// @@
    ///            type: Utilization
    /// -          averageUtilization: 95
    /// +          averageUtilization: 70
    /// ```
    ///
    /// ## Fix
    /// Set the target to a value from 60% to 80%, which suits most services.
    ///
    /// ## References
    /// - [Horizontal Pod Autoscaling](https://kubernetes.io/docs/tasks/run-application/horizontal-pod-autoscale/)
    pub(crate) static RULE = {
        code: "HPA212",
        name: "target-high",
        summary: "a target leaves little reserve while new pods start",
        severity: Severity::Info,
        yields_to: &["HPA209", "HPA210"],
        thresholds: &[ConfigurableNumber {
            name: "percent",
            default: 90.0,
            unit: ThresholdUnit::Percent,
            summary: "the highest target that is not reported",
        }],
        check: Check::Hpa(check),
        for_scaled_object: ForScaledObject::ItsHpa,
    }
}

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let percent = cx.threshold("percent");
    let is_high = |target: i32| percent < f64::from(target) && target <= 100;
    let metrics = utilizations(&cx.subject.spec);
    let high = metrics.iter().filter(|metric| is_high(metric.target));
    let unlimited = high.filter(|metric| {
        TargetPod::of(cx).map_or(true, |target| {
            let template = &target.template;
            template.limit(metric.resource, metric.container).is_none()
        })
    });
    Ok(unlimited
        .map(|metric| {
            let target = metric.target;
            cx.finding(metric.entry.field("target.averageUtilization"))
                .message(format!(
                    "target {target}% leaves little reserve, so pods use more than they requested while new ones \
                     start"
                ))
                .help("set averageUtilization to a value from 60 to 80, which suits most services")
        })
        .collect())
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::testing::{DEPLOYMENT, HPA_V1, findings};

    fn with(target: i32, limits: &str) -> usize {
        let yaml = format!(
            "{HPA_V1}  maxReplicas: 3
  targetCPUUtilizationPercentage: {target}
{DEPLOYMENT}spec: {{template: {{spec: {{containers: [{{name: app, resources: {{{limits}}}}}]}}}}}}
"
        );
        findings(&RULE, &yaml).len()
    }

    #[test]
    fn beyond_ninety_and_up_to_a_hundred_without_limits() {
        let counts = [90, 91, 100, 101].map(|target| with(target, ""));
        assert_eq!(counts, [0, 1, 1, 0]);
        assert_eq!(with(95, "requests: {cpu: 1}"), 1);
        assert_eq!(with(95, "limits: {cpu: 1}"), 0);
    }
}
