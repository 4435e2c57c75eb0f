//! HPA708 `maxed-alert-mismatch`.

use crate::{Check, Cx, HpaSubject, Missing, Needs, RuleOutcome, Severity, world::Alert};

crate::declare_rule! {
    /// ## What it does
    /// Flags an HPA whose `minReplicas` equals its `maxReplicas` if a `PrometheusRule` has an alert that compares the
    /// replicas with `maxReplicas` and does not exclude such HPAs.
    ///
    /// ## Why is this bad?
    /// Such an HPA is always at `maxReplicas`, so the alert always fires, and people learn to ignore it.
    ///
    /// ## Example
    /// ```yaml
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
    ///   minReplicas: 3
    ///   maxReplicas: 3
    /// ---
    /// apiVersion: monitoring.coreos.com/v1
    /// kind: PrometheusRule
    /// metadata:
    ///   name: autoscaling
    ///   namespace: monitoring
    /// spec:
    ///   groups:
    ///   - name: hpa
    ///     rules:
    ///     - alert: KubeHpaMaxedOut
    ///       expr: |
    ///         kube_horizontalpodautoscaler_status_current_replicas
    ///         == kube_horizontalpodautoscaler_spec_max_replicas
    ///
    ///       for: 15m
    /// ```
    ///
    /// Use instead:
    /// ```yaml
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
    ///   minReplicas: 3
    ///   maxReplicas: 3
    /// ---
    /// apiVersion: monitoring.coreos.com/v1
    /// kind: PrometheusRule
    /// metadata:
    ///   name: autoscaling
    ///   namespace: monitoring
    /// spec:
    ///   groups:
    ///   - name: hpa
    ///     rules:
    ///     - alert: KubeHpaMaxedOut
    ///       expr: |
    ///         kube_horizontalpodautoscaler_status_current_replicas
    ///         == kube_horizontalpodautoscaler_spec_max_replicas
    ///         unless kube_horizontalpodautoscaler_spec_max_replicas
    ///         == kube_horizontalpodautoscaler_spec_min_replicas
    ///
    ///       for: 15m
    /// ```
    ///
    /// ## Fix
    /// Exclude such HPAs in the expression, as kubernetes-mixin does, or raise `maxReplicas`.
    ///
    /// ## References
    /// - [kubernetes-monitoring/kubernetes-mixin#1193](https://github.com/kubernetes-monitoring/kubernetes-mixin/issues/1193), [kubernetes-monitoring/kubernetes-mixin#1293](https://github.com/kubernetes-monitoring/kubernetes-mixin/issues/1293)
    pub(crate) static RULE = {
        code: "HPA708",
        name: "maxed-alert-mismatch",
        summary: "an at-max alert always fires because minReplicas equals maxReplicas",
        severity: Severity::Info,
        needs: Needs::Related,
        is_opt_in: true,
        check: Check::Hpa(check),
    }
}

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let spec = &cx.subject.spec;
    if spec.min_replicas() != spec.max_replicas {
        return Ok(Vec::new());
    }
    cx.world.require("PrometheusRule")?;
    if cx.world.alerts.is_empty() && !cx.is_complete() {
        return Err(Missing::NotGiven {
            object: "a PrometheusRule".to_owned(),
        });
    }
    Ok(cx
        .world
        .alerts
        .iter()
        .filter(|alert| fires_at_one_number(alert))
        .map(|alert| {
            cx.finding("spec.maxReplicas")
                .message(format!(
                    "minReplicas equals maxReplicas, so alert {} always fires",
                    alert.name
                ))
                .help("raise maxReplicas, or add to the alert: unless kube_horizontalpodautoscaler_spec_max_replicas == \
                     kube_horizontalpodautoscaler_spec_min_replicas")
                .related(alert.object.clone(), "spec.groups", "has the alert")
        })
        .collect())
}

/// Whether the alert compares replicas with maxReplicas and ignores minReplicas.
fn fires_at_one_number(alert: &Alert) -> bool {
    let has = |name: &str| {
        let full = format!("kube_horizontalpodautoscaler_{name}");
        alert.expression.contains(&full)
    };
    has("spec_max_replicas")
        && (has("status_current_replicas") || has("status_desired_replicas"))
        && !has("spec_min_replicas")
}
