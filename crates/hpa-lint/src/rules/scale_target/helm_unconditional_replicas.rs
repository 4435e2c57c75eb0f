//! HPA407 `helm-unconditional-replicas`.

use crate::{Check, Cx, HpaSubject, Missing, Needs, RuleOutcome, Severity};

crate::declare_rule! {
    /// ## What it does
    /// Flags a Helm template of the target's kind that sets `replicas:` outside an `if` about autoscaling, HPA or KEDA. It
    /// is the only rule that reads the source of a chart: files in a folder `templates` that contain `{{`. The input must
    /// also have the HPA as Helm renders it. Off by default.
    ///
    /// ## Why is this bad?
    /// With `autoscaling.enabled: true` the rendered manifest still has `spec.replicas`. Each `helm upgrade` sets the
    /// replicas back to it, as HPA406 explains. No value of the chart can change that.
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
    /// Put `{{- if not .Values.autoscaling.enabled }}` and `{{- end }}` around the line, as `helm create` does.
    ///
    /// ## References
    /// - [helm/helm#12486](https://github.com/helm/helm/issues/12486)
    pub(crate) static RULE = {
        code: "HPA407",
        name: "helm-unconditional-replicas",
        summary: "a Helm template sets replicas even if autoscaling is enabled",
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
                    "{} sets replicas even if autoscaling is enabled, so each helm upgrade overwrites the HPA",
                    template.name
                ))
                .help("put {{- if not .Values.autoscaling.enabled }} and {{- end }} around the line")
        });
    Ok(findings.collect())
}
