//! HPA504 `startup-exceeds-cpu-init`.

use jiff::SignedDuration;

use super::{cpu::cpu_metrics, start::start_budgets};
use crate::{
    inference::{Assessment, selected_pods},
    lint::{Basis, Check, Cx, Finding, HpaSubject, Needs, RuleOutcome, Severity},
    model::{ConditionStatus, Provenance},
};

crate::lint::declare_rule! {
    /// ## What it does
    /// Flags an HPA on CPU whose target's probes allow a start longer than the CPU initialization period of the controller: the
    /// largest `initialDelaySeconds + failureThreshold × periodSeconds` of the startup probes of its containers, or
    /// `initialDelaySeconds + successThreshold × periodSeconds` of their readiness probes, whose failures do not end a start. In a
    /// cluster also pods of which each took longer than that to become ready.
    ///
    /// What a startup probe allows is a cap and not a start, and so an info: most pods are ready long before.
    ///
    /// ## Why is this bad?
    /// Within that period (5 min from the pod's start) CPU samples from before the pod was ready are left out. Past it every sample
    /// counts as soon as the pod is ready, also one that still holds the warm-up: with a start of 400 s, each scale-up looks like
    /// load and asks for the next.
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
    ///       containers:
    ///       - name: main
    ///         resources: {requests: {cpu: 100m}}
    ///         readinessProbe: {httpGet: {path: /ready, port: 8080}, initialDelaySeconds: 400}
    /// ```
    ///
    /// Use instead:
    /// ```yaml
    /// @@
    ///          resources: {requests: {cpu: 100m}}
    /// -        readinessProbe: {httpGet: {path: /ready, port: 8080}, initialDelaySeconds: 400}
    /// +        readinessProbe: {httpGet: {path: /ready, port: 8080}, initialDelaySeconds: 20}
    /// ```
    ///
    /// ## Fix
    /// Start faster, tighten the probes to what the start really takes, or raise
    /// `--horizontal-pod-autoscaler-cpu-initialization-period` of kube-controller-manager.
    ///
    /// ## References
    /// - Kubernetes, `replica_calculator.go`: `groupPods`; kubernetes/website#12657
    pub(crate) static RULE = {
        code: "HPA504",
        name: "startup-exceeds-cpu-init",
        summary: "pods may become ready after the CPU initialization period",
        needs: Needs::Related,
        check: Check::Hpa(check),
    }
}

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let metrics = cpu_metrics(&cx.subject.spec);
    let Some((index, _)) = metrics.first() else {
        return Ok(Vec::new());
    };
    let period = cx.config.cpu_initialization_period;
    let finding = |pods: &str, seconds: i64, basis| {
        cx.finding(format!("spec.metrics[{index}]"))
            .message(format!(
                "{pods} {seconds} s to become ready; the CPU initialization period is {} s",
                period.value.as_secs()
            ))
            .help("start faster, or raise --horizontal-pod-autoscaler-cpu-initialization-period")
            .basis(match period.provenance {
                Provenance::Assumed => Basis::AssumedFlag,
                _ => basis,
            })
    };
    let seen = cx.subject.live.as_deref().and_then(observed_start);
    if let Some(seen) = seen.filter(|seen| period.value < *seen) {
        return Ok(vec![finding("pods need", seen.as_secs(), Basis::Live)]);
    }
    let workload = cx.template_workload()?;
    let budgets = start_budgets(workload.pod_template()?);
    let longest = budgets
        .filter(|budget| period.value.as_secs() < budget.seconds)
        .max_by_key(|budget| (!budget.is_cap, budget.seconds));
    let finding = longest.map(|budget| -> Finding {
        let (pods, severity) = if budget.is_cap {
            ("a startup probe allows pods up to", Severity::Info)
        } else {
            ("pods need up to", Severity::Warning)
        };
        finding(pods, budget.seconds, Basis::RelatedManifest)
            .severity(severity)
            .related(
                workload.object.clone(),
                budget.path,
                format!("allows a start of {} s", budget.seconds),
            )
    });
    Ok(finding.into_iter().collect())
}

/// From start to ready, of the fastest of several pods: a single one may have become unready since.
fn observed_start(live: &Assessment) -> Option<SignedDuration> {
    let starts: Vec<SignedDuration> = selected_pods(&live.observation)
        .into_iter()
        .filter(|pod| pod.start.restarts == 0)
        .filter_map(|pod| {
            let ready = pod
                .ready
                .filter(|ready| ready.status == ConditionStatus::True)?;
            Some(ready.last_transition?.duration_since(pod.started?))
        })
        .collect();
    starts.iter().min().copied().filter(|_| 1 < starts.len())
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::{
        lint::{
            Basis,
            testing::{report, report_with, texts},
        },
        model::Input,
    };

    fn yaml(probes: &str) -> String {
        format!(
            "
apiVersion: autoscaling/v1
kind: HorizontalPodAutoscaler
metadata: {{name: web}}
spec:
  scaleTargetRef: {{apiVersion: apps/v1, kind: Deployment, name: web}}
  maxReplicas: 4
---
apiVersion: apps/v1
kind: Deployment
metadata: {{name: web}}
spec: {{template: {{spec: {{containers: [{{name: main, {probes}}}]}}}}}}
"
        )
    }

    #[test]
    fn exactly_the_period_is_in_time() {
        let in_time = yaml("startupProbe: {failureThreshold: 30, periodSeconds: 10}");
        assert!(texts(&report(&RULE, &in_time)).is_empty());
        let late = report(
            &RULE,
            &yaml("startupProbe: {initialDelaySeconds: 1, failureThreshold: 30}"),
        );
        assert_eq!(
            texts(&late),
            [
                "info spec.metrics[0]: a startup probe allows pods up to 301 s to become ready; the CPU initialization period is \
                 300 s"
            ]
        );
        assert_eq!(late.findings[0].finding.basis, Basis::AssumedFlag);
    }

    #[test]
    fn a_period_that_is_given_counts_and_is_not_called_assumed() {
        let yaml = yaml("readinessProbe: {initialDelaySeconds: 120}");
        assert!(texts(&report(&RULE, &yaml)).is_empty());
        let report = report_with(&RULE, &yaml, |settings| {
            let period = jiff::SignedDuration::from_secs(120);
            settings.configs[0].cpu_initialization_period = Input::given(period);
        });
        assert_eq!(report.findings[0].finding.basis, Basis::RelatedManifest);
        assert!(texts(&report)[0].contains("warning spec.metrics[0]: pods need up to 130 s"));
    }

    #[test]
    fn failures_that_a_readiness_probe_allows_do_not_lengthen_the_start() {
        let started = "startupProbe: {failureThreshold: 12, periodSeconds: 5}";
        let ready = "readinessProbe: {failureThreshold: 40, periodSeconds: 10}";
        assert!(texts(&report(&RULE, &yaml(&format!("{started}, {ready}")))).is_empty());
        let late =
            "readinessProbe: {initialDelaySeconds: 290, successThreshold: 2, periodSeconds: 10}";
        // What is known to take so long says more than what may.
        let late = format!("startupProbe: {{failureThreshold: 400}}, {late}");
        assert!(
            texts(&report(&RULE, &yaml(&late)))[0]
                .starts_with("warning spec.metrics[0]: pods need up to 310 s")
        );
    }
}
