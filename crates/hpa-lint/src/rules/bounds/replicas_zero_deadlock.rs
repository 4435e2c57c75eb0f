//! HPA108 `replicas-zero-deadlock`.

use hpa_analysis::without_metrics;
use hpa_engine::{
    engine,
    model::{Memory, Reading, Scale},
    trace::{BoundsBranch, Step, Trace},
};
use jiff::Timestamp;

use crate::{Basis, Check, Cx, HpaSubject, Needs, RuleOutcome};

crate::declare_rule! {
    /// ## What it does
    /// Flags a target with 0 replicas that its HPA never scales up.
    /// With a `minReplicas` of 1 or more, no HPA does.
    /// Since Kubernetes 1.36, an HPA with `minReplicas: 0` does so only if it scaled the target to 0 itself (condition
    /// `ScaledToZero`).
    ///
    /// ## Why is this bad?
    /// At 0 replicas the controller turns scaling off and reads no metric.
    /// The target stays at 0 until you scale it up manually.
    /// Scaling to 0 is also the way to pause a workload. If that is intended, suppress the rule with a reason.
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
    /// ---
    /// apiVersion: apps/v1
    /// kind: Deployment
    /// metadata:
    ///   name: web
    /// spec:
    ///   replicas: 0
    ///   selector: {matchLabels: {app: web}}
    ///   template:
    ///     metadata: {labels: {app: web}}
    ///     spec:
    ///       containers:
    ///       - {name: web, image: example.com/web}
    /// ```
    ///
    /// Use instead:
    /// ```yaml
    /// @@
    ///  spec:
    /// -  replicas: 0
    ///    selector: {matchLabels: {app: web}}
    /// ```
    ///
    /// ## Fix
    /// Start with at least 1 replica, or leave `replicas` out of the manifest.
    ///
    /// ## References
    /// - [`shouldComputeMetricsForZeroReplicas` in horizontal.go](https://github.com/kubernetes/kubernetes/blob/master/pkg/controller/podautoscaler/horizontal.go)
    /// - [kubernetes#29212](https://github.com/kubernetes/kubernetes/issues/29212), [kubernetes#49028](https://github.com/kubernetes/kubernetes/issues/49028)
    pub(crate) static RULE = {
        code: "HPA108",
        name: "replicas-zero-deadlock",
        summary: "a target at 0 replicas that the HPA never scales up",
        needs: Needs::Related,
        check: Check::Hpa(check),
    }
}

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let target = &cx.subject.spec.scale_target;
    let finding = cx
        .finding("spec.scaleTargetRef")
        .message(format!(
            "{}/{} has 0 replicas, which turns this HPA off, so it never scales up",
            target.kind, target.name
        ))
        .help("start it with at least 1 replica; if it is paused on purpose, suppress this with a reason");
    if let Ok(live) = cx.live() {
        let is_disabled = is_disabled(&live.analysis.trace);
        let found = is_disabled.then(|| finding.basis(Basis::Live));
        return Ok(found.into_iter().collect());
    }
    let workload = cx.workload()?;
    if workload.replicas != Some(0) {
        return Ok(Vec::new());
    }
    let mut observation = without_metrics(&cx.subject.spec, cx.config);
    observation.hpa.spec = cx.subject.spec.clone();
    observation.scale = Reading::Read(Scale::default());
    let trace = engine::decide(&observation, &mut Memory::default(), Timestamp::UNIX_EPOCH);
    if !is_disabled(&trace) {
        return Ok(Vec::new());
    }
    Ok(vec![finding.related(
        workload.object.clone(),
        "spec.replicas",
        "starts with 0",
    )])
}

/// Whether the controller reads no metrics because there are no replicas.
fn is_disabled(trace: &Trace) -> bool {
    trace.steps.iter().any(|step| {
        matches!(step, Step::CompareBounds(bounds) if matches!(bounds.branch, BoundsBranch::Disabled(_)))
    })
}

#[cfg(test)]
mod tests {
    use hpa_engine::model::{ControllerConfig, Input, KubeVersion};

    use super::RULE;
    use crate::testing::{DEPLOYMENT, HPA, report_with, texts};

    fn found(minor: u32, min: i32, replicas: i32) -> Vec<String> {
        let yaml = format!(
            "{HPA}  minReplicas: {min}
  maxReplicas: 3
  metrics: [{{type: External, external: {{metric: {{name: q}}, target: {{type: AverageValue, averageValue: 1}}}}}}]
{DEPLOYMENT}spec: {{replicas: {replicas}}}
"
        );
        let report = report_with(&RULE, &yaml, |settings| {
            let version = KubeVersion { minor, patch: None };
            settings.configs = vec![ControllerConfig::defaults(Input::given(version))];
        });
        texts(&report)
    }

    #[test]
    fn a_workload_at_zero_is_woken_before_1_36_if_the_minimum_is_zero() {
        let reported = [
            "warning spec.scaleTargetRef: Deployment/web has 0 replicas, which turns this HPA off, so it never \
             scales up",
        ];
        assert_eq!(found(35, 1, 0), reported);
        assert!(found(35, 0, 0).is_empty());
        assert_eq!(found(37, 0, 0), reported);
        assert!(found(37, 0, 1).is_empty());
    }
}
