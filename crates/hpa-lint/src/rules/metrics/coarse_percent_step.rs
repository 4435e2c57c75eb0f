//! HPA225 `coarse-percent-step`.

use hpa_engine::{
    engine::{Reach, utilization_step},
    model::Provenance,
};

use super::entry::utilizations;
use crate::{Basis, Check, Cx, HpaSubject, RuleOutcome, Severity};

crate::declare_rule! {
    /// ## What it does
    /// Flags a target in percent of requests that is so low that one percentage point of usage changes the ratio by more
    /// than the tolerance.
    /// If the tolerances of the two directions differ, the smaller one counts. A tolerance of 0 is reported by HPA322.
    ///
    /// ## Why is this bad?
    /// The controller truncates usage to whole percent.
    /// With a target of 5%, usage of 5% is a ratio of 1, and 6% is 1.2. There is nothing in between.
    /// With the default tolerance of 0.1, this applies to targets below 10%.
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
    ///           averageUtilization: 5
    /// ```
    ///
    /// Use instead:
    /// ```yaml
    /// @@
    ///            type: Utilization
    /// -          averageUtilization: 5
    /// +          averageUtilization: 50
    /// ```
    ///
    /// ## Fix
    /// Lower the requests and raise the target, or use `averageValue`, which counts in thousandths.
    ///
    /// ## References
    /// - [`GetResourceUtilizationRatio` in utilization.go](https://github.com/kubernetes/kubernetes/blob/master/pkg/controller/podautoscaler/metrics/utilization.go)
    pub(crate) static RULE = {
        code: "HPA225",
        name: "coarse-percent-step",
        summary: "one percentage point is more than the tolerance",
        severity: Severity::Info,
        check: Check::Hpa(check),
    }
}

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let spec = &cx.subject.spec;
    let reach = Reach::new(cx.config, spec.behavior.as_ref());
    let tolerances = [reach.scale_up_tolerance(), reach.scale_down_tolerance()];
    let positive = tolerances.into_iter().filter(|one| 0.0 < one.value);
    let Some(tolerance) = positive.min_by(|a, b| a.value.total_cmp(&b.value)) else {
        return Ok(Vec::new());
    };
    let mut findings = Vec::new();
    for metric in utilizations(spec) {
        let (target, step) = (metric.target, utilization_step(metric.target));
        if step <= tolerance.value {
            continue;
        }
        let finding = cx
            .finding(metric.entry.field("target.averageUtilization"))
            .message(format!(
                "one percentage point at target {target}% changes the ratio by {step:.3}, more than the \
                 tolerance {}, so a single point changes the replicas",
                tolerance.value
            ))
            .help("lower the requests and raise averageUtilization, or use averageValue");
        findings.push(if tolerance.provenance == Provenance::Assumed {
            finding.basis(Basis::AssumedFlag)
        } else {
            finding
        });
    }
    Ok(findings)
}

#[cfg(test)]
mod tests {
    use hpa_engine::model::{self, KubeVersion};

    use super::RULE;
    use crate::testing::{HPA, report_with, texts};

    fn with(target: i32, minor: u32) -> Vec<String> {
        let yaml = format!(
            "{HPA}  maxReplicas: 3
  metrics:
  - type: Resource
    resource: {{name: cpu, target: {{type: Utilization, averageUtilization: {target}}}}}
  behavior: {{scaleUp: {{tolerance: 20m}}, scaleDown: {{tolerance: 0}}}}
"
        );
        texts(&report_with(&RULE, &yaml, |settings| {
            let version = KubeVersion { minor, patch: None };
            settings.configs = vec![model::ControllerConfig::defaults(model::Input::given(
                version,
            ))];
        }))
    }

    #[test]
    fn the_tolerance_of_the_hpa_counts_from_the_version_that_heeds_it() {
        assert_eq!(
            with(49, 36),
            [
                "info spec.metrics[0].resource.target.averageUtilization: one percentage point at target 49% \
                 changes the ratio by 0.020, more than the tolerance 0.02, so a single point changes the replicas"
            ]
        );
        assert!(with(50, 36).is_empty());
        assert!(with(49, 32).is_empty());
        assert_eq!([9, 10].map(|target| with(target, 32).len()), [1, 0]);
    }
}
