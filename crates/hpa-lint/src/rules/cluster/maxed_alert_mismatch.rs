//! HPA708 `maxed-alert-mismatch`.

use crate::lint::{Check, Cx, HpaSubject, Missing, Needs, RuleOutcome, Severity, world::Alert};

crate::lint::declare_rule! {
    /// ## What it does
    /// Tells of an HPA whose `minReplicas` equals its `maxReplicas` while a `PrometheusRule` has an alert that compares the replicas with the maximum and leaves such HPAs in.
    ///
    /// ## Why is this bad?
    /// At one number the HPA is always at its maximum: the alert fires from the first day and nobody looks at it any more.
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
    /// Exclude such HPAs in the expression, as kubernetes-mixin does, or widen the range.
    ///
    /// ## References
    /// - kubernetes-mixin #1193, #1293
    pub(crate) static RULE = {
        code: "HPA708",
        name: "maxed-alert-mismatch",
        summary: "an alert on the maximum fires for an HPA with one number",
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
                    "alert {} fires permanently because minReplicas equals maxReplicas",
                    alert.name
                ))
                .help("exclude such HPAs in the expression of the alert, or widen the range")
                .related(alert.object.clone(), "spec.groups", "has the alert")
        })
        .collect())
}

/// Whether the alert compares replicas with the maximum and does not look at the minimum.
fn fires_at_one_number(alert: &Alert) -> bool {
    let has = |name: &str| {
        let full = format!("kube_horizontalpodautoscaler_{name}");
        alert.expression.contains(&full)
    };
    has("spec_max_replicas")
        && (has("status_current_replicas") || has("status_desired_replicas"))
        && !has("spec_min_replicas")
}
