//! HPA507 `grace-too-long`.

use crate::{
    Check, ConfigurableNumber, Cx, HpaSubject, Needs, RuleOutcome, Severity, ThresholdUnit,
};

crate::declare_rule! {
    /// ## What it does
    /// Flags a target with `terminationGracePeriodSeconds` of 600 s or more (`grace`) that is also longer than the
    /// scale-down window. Off by default.
    ///
    /// ## Why is this bad?
    /// A removed pod runs on until it ends by itself or the grace period is over. Metrics no longer count it, but it still
    /// uses resources and can hold connections. With a grace period of 30 min and a window of 5 min, 10 pods can be
    /// replaced six times before the first of them is gone.
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
    ///   - type: Resource
    ///     resource: {name: cpu, target: {type: Utilization, averageUtilization: 70}}
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
    ///       terminationGracePeriodSeconds: 1800
    ///       containers:
    ///       - name: main
    ///         resources: {requests: {cpu: 100m}}
    /// ```
    ///
    /// Use instead:
    /// ```yaml
    /// @@
    ///      spec:
    /// -      terminationGracePeriodSeconds: 1800
    /// +      terminationGracePeriodSeconds: 60
    ///        containers:
    /// ```
    ///
    /// ## Fix
    /// Shorten the grace period, or make `behavior.scaleDown.stabilizationWindowSeconds` as long (at most 3600).
    ///
    /// ## References
    /// - Kubernetes docs: [Pod termination](https://kubernetes.io/docs/concepts/workloads/pods/pod-lifecycle/#pod-termination)
    pub(crate) static RULE = {
        code: "HPA507",
        name: "grace-too-long",
        summary: "removed pods run on for a long time after a fast scale-down",
        severity: Severity::Info,
        needs: Needs::Related,
        is_opt_in: true,
        thresholds: &[
            ConfigurableNumber { name: "grace", default: 600.0, unit: ThresholdUnit::Seconds, summary: "grace period from which this is reported" },
        ],
        check: Check::Hpa(check),
    }
}

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let workload = cx.template_workload()?;
    let Some(grace) = workload.pod_template()?.termination_grace_period else {
        return Ok(Vec::new());
    };
    let behavior = cx.subject.spec.behavior.as_ref();
    let window = behavior
        .and_then(|behavior| behavior.scale_down.as_ref()?.stabilization_window_seconds)
        .map_or_else(
            || cx.config.downscale_stabilization.value.as_secs(),
            i64::from,
        );
    #[expect(clippy::cast_possible_truncation, reason = "seconds of a grace period")]
    let least = cx.threshold("grace") as i64;
    if grace < least || grace <= window {
        return Ok(Vec::new());
    }
    Ok(vec![
        cx.finding("spec.behavior.scaleDown")
            .message(format!(
                "terminationGracePeriodSeconds {grace} is longer than the scale-down window of {window} s, so removed pods can \
                 pile up"
            ))
            .help("lower terminationGracePeriodSeconds, or raise spec.behavior.scaleDown.stabilizationWindowSeconds (at most 3600)")
            .related(
                workload.object.clone(),
                "spec.template.spec.terminationGracePeriodSeconds",
                "removed pods can run this long",
            ),
    ])
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::testing::{findings, hpa_and_workload};

    #[test]
    fn a_window_as_long_as_the_grace_is_no_fast_scale_down() {
        let spec = "  template: {spec: {terminationGracePeriodSeconds: 600}}";
        let behavior = "  behavior: {scaleDown: {stabilizationWindowSeconds: 600}}";
        assert!(findings(&RULE, &hpa_and_workload("Deployment", behavior, spec)).is_empty());
        assert_eq!(
            findings(&RULE, &hpa_and_workload("Deployment", "", spec)).len(),
            1
        );
        let shorter = "  template: {spec: {terminationGracePeriodSeconds: 599}}";
        assert!(findings(&RULE, &hpa_and_workload("Deployment", "", shorter)).is_empty());
    }
}
