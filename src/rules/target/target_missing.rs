//! HPA401 `target-missing`.

use super::reference::{Kind, is_no_subresource, is_no_such_kind, scale_error, target_name};
use crate::lint::{
    Check, Cx, HpaSubject, Missing, Needs, Outcome, Severity, same_namespace, world::Workload,
};

crate::lint::declare_rule! {
    /// ## What it does
    /// Flags an HPA whose target is not there: no object of that group, kind and name in its namespace. The version is not
    /// compared, as the controller does not compare it either.
    ///
    /// In files it is an error only with `--complete`. If the files have no workload at all, nobody can have wanted the target
    /// to be among them, and the rule is listed as not checked.
    ///
    /// ## Why is this bad?
    /// The controller cannot read the scale: `AbleToScale` is `False` with reason `FailedGetScale` in every sync, and the HPA
    /// scales nothing.
    ///
    /// ## Example
    /// ```yaml complete
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
    ///   name: web-app
    /// spec:
    ///   selector: {matchLabels: {app: web-app}}
    ///   template:
    ///     metadata: {labels: {app: web-app}}
    ///     spec:
    ///       containers:
    ///       - name: main
    ///         resources: {requests: {cpu: 100m}}
    /// ```
    ///
    /// Use instead:
    /// ```yaml complete
    /// apiVersion: autoscaling/v2
    /// kind: HorizontalPodAutoscaler
    /// metadata:
    ///   name: web
    /// spec:
    ///   scaleTargetRef:
    ///     apiVersion: apps/v1
    ///     kind: Deployment
    ///     name: web-app
    ///   minReplicas: 2
    ///   maxReplicas: 10
    ///   metrics:
    ///   - type: Resource
    ///     resource: {name: cpu, target: {type: Utilization, averageUtilization: 70}}
    /// ---
    /// apiVersion: apps/v1
    /// kind: Deployment
    /// metadata:
    ///   name: web-app
    /// spec:
    ///   selector: {matchLabels: {app: web-app}}
    ///   template:
    ///     metadata: {labels: {app: web-app}}
    ///     spec:
    ///       containers:
    ///       - name: main
    ///         resources: {requests: {cpu: 100m}}
    /// ```
    ///
    /// ## Fix
    /// Correct the kind, the name or the namespace, or delete the HPA.
    ///
    /// ## References
    /// - Kubernetes, `horizontal.go`: `reconcileAutoscaler`
    /// - kube-score `horizontalpodautoscaler-has-target`; popeye 600; Kubescape C-0300
    pub(crate) static RULE = {
        code: "HPA401",
        name: "target-missing",
        summary: "the scale target does not exist",
        severity: Severity::Error,
        needs: Needs::Related,
        yields_to: &["HPA402", "HPA403", "HPA404", "HPA422"],
        check: Check::Hpa(check),
    }
}

fn check(cx: &Cx<'_, HpaSubject>) -> Outcome {
    let is_missing = match scale_error(cx) {
        Some(error) if is_no_such_kind(error) || is_no_subresource(error) => false,
        Some(error) => error.code == 404,
        None => is_missing_in_world(cx)?,
    };
    if !is_missing {
        return Ok(Vec::new());
    }
    let namespace = cx.subject.namespace();
    let target = target_name(cx);
    let message = match (cx.world.is_live() && !namespace.is_empty(), elsewhere(cx)) {
        (true, None) => format!("{target} is not in namespace {namespace}"),
        (false, None) => format!("{target} is not in the given files"),
        (_, Some(workload)) => format!(
            "{target} is not in namespace {namespace}, but in namespace {}",
            workload.object.namespace
        ),
    };
    let mut finding = cx
        .finding("spec.scaleTargetRef")
        .severity(cx.severity_of_missing())
        .message(message)
        .help(match cx.severity_of_missing() {
            Severity::Warning => {
                "give its manifest with --with, or correct kind, name or namespace"
            }
            _ => "correct kind, name or namespace, or delete the HPA",
        });
    if let Some(workload) = elsewhere(cx) {
        finding = finding.related(
            workload.object.clone(),
            "",
            "an HPA cannot reach into another namespace",
        );
    }
    Ok(vec![finding])
}

fn is_missing_in_world(cx: &Cx<'_, HpaSubject>) -> Result<bool, Missing> {
    if cx
        .subject
        .live
        .as_ref()
        .is_some_and(|live| live.observation.scale.read().is_some())
    {
        return Ok(false);
    }
    let target = &cx.subject.spec.scale_target;
    let (world, namespace) = (cx.world, cx.subject.namespace());
    if cx.workload().is_ok() || world.has_other(namespace, &target.kind, &target.name) {
        return Ok(false);
    }
    let kind = Kind::meant(cx);
    if kind.name().is_some_and(|name| name != target.kind) || kind.is_scalable() == Some(false) {
        return Ok(false);
    }
    world.require(&target.kind)?;
    let is_read = match kind {
        Kind::BuiltIn(_) => true,
        Kind::Custom(_) | Kind::Nothing | Kind::Unknown => !world.is_live(),
    };
    if !is_read || (!cx.is_complete() && world.workloads.is_empty()) {
        return Err(Missing::NotGiven {
            object: target_name(cx),
        });
    }
    Ok(true)
}

/// An object of that kind and name in another namespace.
fn elsewhere<'a>(cx: &Cx<'a, HpaSubject>) -> Option<&'a Workload> {
    let target = &cx.subject.spec.scale_target;
    let group = cx.subject.target_group();
    cx.world.workloads_called(&target.name).find(|workload| {
        workload.group == group
            && workload.object.kind == target.kind
            && !same_namespace(&workload.object.namespace, cx.subject.namespace())
    })
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::lint::testing::{findings, report, report_with, texts};

    const HPA: &str = "
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {name: web, namespace: shop}
spec:
  scaleTargetRef: {apiVersion: apps/v1beta1, kind: Deployment, name: web}
  maxReplicas: 4
---
";

    fn deployment(name: &str, namespace: &str) -> String {
        let selector =
            "selector: {matchLabels: {app: web}}, template: {metadata: {labels: {app: web}}}";
        format!(
            "{HPA}{{apiVersion: apps/v1, kind: Deployment, metadata: {{name: {name}{namespace}}}, spec: {{{selector}}}}}"
        )
    }

    #[test]
    fn any_version_and_an_open_namespace_will_do() {
        assert!(findings(&RULE, &deployment("web", "")).is_empty());
        assert!(findings(&RULE, &deployment("web", ", namespace: shop")).is_empty());
    }

    #[test]
    fn it_is_an_error_only_if_the_files_are_all_there_is() {
        let yaml = deployment("other", "");
        let message = "spec.scaleTargetRef: Deployment/web is not in the given files";
        assert_eq!(findings(&RULE, &yaml), [format!("warning {message}")]);
        let complete = report_with(&RULE, &yaml, |settings| settings.is_complete = true);
        assert_eq!(texts(&complete), [format!("error {message}")]);
    }

    #[test]
    fn one_in_another_namespace_is_named() {
        assert_eq!(
            findings(&RULE, &deployment("web", ", namespace: store")),
            [
                "warning spec.scaleTargetRef: Deployment/web is not in namespace shop, but in namespace store"
            ]
        );
    }

    #[test]
    fn without_any_workload_nothing_is_said() {
        let report = report(&RULE, HPA);
        assert!(report.findings.is_empty());
        assert_eq!(
            report.notes[0].message,
            "HPA401 not checked: Deployment/web is not in the given files"
        );
    }
}
