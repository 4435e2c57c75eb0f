//! HPA407 `helm-unconditional-replicas`.

use crate::lint::{Check, Cx, HpaSubject, Missing, Needs, RuleOutcome, Severity};

crate::lint::declare_rule! {
    /// ## What it does
    /// Looks at the source of a Helm chart, the only rule to do so: files in a folder `templates` that hold `{{`. It flags a
    /// template of the target's kind that sets `replicas:` without an `if` on something that is called autoscaling, HPA or KEDA
    /// around it. The HPA itself has to be among the input as Helm renders it. Off unless asked for.
    ///
    /// ## Why is this bad?
    /// With `autoscaling.enabled: true` the rendered manifest still has `spec.replicas`, and each `helm upgrade` sets the count
    /// back to it, as HPA406 says. Whoever renders the chart cannot change that by values.
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
    /// # file: shop/templates/deployment.yaml
    /// apiVersion: apps/v1
    /// kind: Deployment
    /// metadata:
    ///   name: web
    /// spec:
    ///   replicas: {{ .Values.replicas }}
    ///   selector: {matchLabels: {app: web}}
    /// ```
    ///
    /// Use instead:
    /// ```yaml
    /// @@
    ///  spec:
    /// +  {{- if not .Values.autoscaling.enabled }}
    ///    replicas: {{ .Values.replicas }}
    /// +  {{- end }}
    ///    selector: {matchLabels: {app: web}}
    /// ```
    ///
    /// ## Fix
    /// Put `{{- if not .Values.autoscaling.enabled }}` around the line, as `helm create` does.
    ///
    /// ## References
    /// - helm/helm#12486; hpa-analyzer HP051, HP052
    pub(crate) static RULE = {
        code: "HPA407",
        name: "helm-unconditional-replicas",
        summary: "a Helm template sets replicas also when autoscaling is enabled",
        severity: Severity::Info,
        needs: Needs::Related,
        is_opt_in: true,
        check: Check::Hpa(check),
    }
}

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let templates = &cx.world.chart_templates;
    if templates.is_empty() {
        return Err(Missing::Because(
            "no templates of a Helm chart are among the files".to_owned(),
        ));
    }
    let kind = &cx.subject.spec.scale_target.kind;
    let findings = templates
        .iter()
        .filter(|template| template.kinds.contains(kind) && template.sets_replicas_always)
        .map(|template| {
            cx.finding("spec.scaleTargetRef")
                .message(format!(
                    "{} sets replicas also when autoscaling is enabled",
                    template.name
                ))
                .help("put {{- if not .Values.autoscaling.enabled }} around the line")
        });
    Ok(findings.collect())
}
