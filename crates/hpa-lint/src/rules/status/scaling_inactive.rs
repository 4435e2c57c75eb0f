//! HPA802 `scaling-inactive`.

use hpa_words::shell_word;

use crate::{Check, Cx, HpaSubject, Needs, RuleOutcome, Severity, explain_command, namespace_flag};

crate::declare_rule! {
    /// ## What it does
    /// Flags an HPA whose condition `ScalingActive` is `False`. The reason `ScalingDisabled` is fine if the HPA itself
    /// scaled the workload to 0. If something else set 0 replicas it is a warning, because that can be a pause.
    ///
    /// ## Why is this bad?
    /// The replicas stay the same. Either no metric gives a recommendation, or some metrics fail and the others ask for
    /// fewer replicas than now. The largest recommendation wins, and the one of a failed metric might be larger. Such an
    /// HPA can still scale up, but never down.
    ///
    /// ## Example
    /// ```yaml live
    /// apiVersion: autoscaling/v2
    /// kind: HorizontalPodAutoscaler
    /// metadata:
    ///   name: web
    ///   namespace: shop
    /// spec:
    ///   scaleTargetRef:
    ///     apiVersion: apps/v1
    ///     kind: Deployment
    ///     name: web
    ///   minReplicas: 2
    ///   maxReplicas: 10
    ///   metrics:
    ///   - type: Resource
    ///     resource:
    ///       name: cpu
    ///       target:
    ///         type: Utilization
    ///         averageUtilization: 50
    /// status:
    ///   currentReplicas: 2
    ///   desiredReplicas: 2
    ///   conditions:
    ///   - type: AbleToScale
    ///     status: "True"
    ///     reason: ReadyForNewScale
    ///     message: 'recommended size matches current size'
    ///     lastTransitionTime: "2026-11-02T08:00:00Z"
    ///   - type: ScalingActive
    ///     status: "False"
    ///     reason: FailedGetResourceMetric
    ///     message: 'the HPA was unable to compute the replica count: failed to get cpu utilization: missing request for cpu in container web of Pod web-6f-a'
    ///     lastTransitionTime: "2026-11-02T09:58:00Z"
    /// ```
    ///
    /// Use instead:
    /// ```yaml live
    /// @@
    ///    - type: ScalingActive
    /// -    status: "False"
    /// -    reason: FailedGetResourceMetric
    /// -    message: 'the HPA was unable to compute the replica count: failed to get cpu utilization: missing request for cpu in container web of Pod web-6f-a'
    /// -    lastTransitionTime: "2026-11-02T09:58:00Z"
    /// +    status: "True"
    /// +    reason: ValidMetricFound
    /// +    message: 'the HPA was able to successfully calculate a replica count'
    /// +    lastTransitionTime: "2026-11-02T08:00:00Z"
    /// ```
    ///
    /// ## Fix
    /// Read the reason and the message: they name the failure. Other findings of this HPA can name the cause: metrics,
    /// requests, API services.
    ///
    /// ## References
    /// - Kubernetes, [`horizontal.go`](https://github.com/kubernetes/kubernetes/blob/master/pkg/controller/podautoscaler/horizontal.go): `computeReplicasForMetrics`
    pub(crate) static RULE = {
        code: "HPA802",
        name: "scaling-inactive",
        summary: "the controller cannot compute the desired replicas",
        severity: Severity::Error,
        needs: Needs::Live,
        yields_to: &["HPA006", "HPA108", "HPA202", "HPA204", "HPA205", "HPA207", "HPA229", "HPA405", "HPA701", "HPA702"],
        check: Check::Hpa(check),
    }
}

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let live = cx.live()?;
    let Some(condition) = live.condition("ScalingActive", "False") else {
        return Ok(Vec::new());
    };
    let is_disabled = condition.reason == "ScalingDisabled";
    if condition.reason == "AmbiguousSelector"
        || is_disabled && live.condition("ScaledToZero", "True").is_some()
    {
        return Ok(Vec::new());
    }
    let (path, help) = if is_disabled {
        (
            "spec.scaleTargetRef",
            format!(
                "run kubectl scale {} --replicas=1{}; if this is a pause, suppress the finding with a reason",
                shell_word(&cx.subject.spec.scale_target.to_string().to_lowercase()),
                namespace_flag(cx)
            ),
        )
    } else {
        (
            "spec.metrics",
            format!("run {} to see each metric", explain_command(cx)),
        )
    };
    let finding = cx
        .finding(path)
        .message(format!(
            "ScalingActive is False, so the HPA does not scale. {}: {}",
            condition.reason,
            condition.message.trim_end_matches('.')
        ))
        .help(help);
    Ok(vec![if is_disabled {
        finding.severity(Severity::Warning)
    } else {
        finding
    }])
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::{LintInput, LintSettings, Report, run, testing::texts};

    fn lint(scaled_to_zero: &str, namespace: &str) -> Report {
        let yaml = format!(
            "
    apiVersion: autoscaling/v2
    kind: HorizontalPodAutoscaler
    metadata: {{name: web{namespace}}}
    spec:
      scaleTargetRef: {{apiVersion: apps/v1, kind: Deployment, name: web}}
      maxReplicas: 4
    status:
      conditions:
      - {{type: ScalingActive, status: 'False', reason: ScalingDisabled, message: scaling is disabled}}
      - {{type: ScaledToZero, status: '{scaled_to_zero}', reason: ScaledToZero}}
    "
        );
        let mut input = LintInput::default();
        let now = "2026-11-02T10:00:00Z".parse().unwrap();
        input.add_observed("test.yaml", &yaml, now).unwrap();
        let version = hpa_engine::model::Input::given("1.36".parse().unwrap());
        let mut settings = LintSettings::new(version);
        settings.enabled = [RULE.code].into();
        run(&input, &settings)
    }

    fn findings(scaled_to_zero: &str) -> Vec<String> {
        texts(&lint(scaled_to_zero, ", namespace: shop"))
    }

    #[test]
    fn the_command_has_the_namespace_that_the_input_names() {
        let help = |namespace: &str| lint("False", namespace).findings[0].finding.help.clone();
        let command = "run kubectl scale deployment/web --replicas=1";
        assert!(help(", namespace: shop").starts_with(&format!("{command} -n shop; ")));
        assert!(help("").starts_with(&format!("{command}; ")));
    }

    #[test]
    fn zero_replicas_are_fine_if_the_hpa_itself_went_there() {
        assert_eq!(findings("True"), Vec::<String>::new());
        assert_eq!(
            findings("False"),
            [
                "warning spec.scaleTargetRef: ScalingActive is False, so the HPA does not scale. ScalingDisabled: scaling is disabled"
            ]
        );
    }
}
