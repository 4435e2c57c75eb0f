//! HPA207 `container-not-found`.

use super::{
    entry::Entry,
    injection,
    target_pod::{TargetPod, live_pods},
};
use crate::engine::counted_containers;
use crate::lint::{Check, Cx, Finding, FixStep, HpaSubject, Missing, Needs, Outcome, Severity};

crate::lint::declare_rule! {
    /// ## What it does
    /// Flags a ContainerResource metric whose container is neither a regular container of the target nor, since
    /// Kubernetes 1.29, an init container with `restartPolicy: Always`.
    ///
    /// ## Why is this bad?
    /// No pod has a sample of that container, so the metric fails in every sync. With this metric alone the HPA never
    /// scales; beside others it blocks every scale-down.
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
    ///     - type: ContainerResource
    ///       containerResource:
    ///         name: cpu
    ///         container: ap
    ///         target:
    ///           type: Utilization
    ///           averageUtilization: 60
    /// ---
    /// apiVersion: apps/v1
    /// kind: Deployment
    /// metadata:
    ///   name: web
    /// spec:
    ///   selector:
    ///     matchLabels: {app: web}
    ///   template:
    ///     metadata:
    ///       labels: {app: web}
    ///     spec:
    ///       containers:
    ///         - name: app
    ///           resources:
    ///             requests: {cpu: 100m}
    /// ```
    ///
    /// Use instead:
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
    ///     - type: ContainerResource
    ///       containerResource:
    ///         name: cpu
    ///         container: app
    ///         target:
    ///           type: Utilization
    ///           averageUtilization: 60
    /// ---
    /// apiVersion: apps/v1
    /// kind: Deployment
    /// metadata:
    ///   name: web
    /// spec:
    ///   selector:
    ///     matchLabels: {app: web}
    ///   template:
    ///     metadata:
    ///       labels: {app: web}
    ///     spec:
    ///       containers:
    ///         - name: app
    ///           resources:
    ///             requests: {cpu: 100m}
    /// ```
    ///
    /// ## Fix
    /// Name a container of the target. `--fix` does it if there is only one.
    ///
    /// ## References
    /// - `calculatePodRequests` in `pkg/controller/podautoscaler/replica_calculator.go`; kubernetes/kubernetes PR
    ///   #90691
    pub(crate) static RULE = {
        code: "HPA207",
        name: "container-not-found",
        summary: "a ContainerResource metric names a container that is not there",
        severity: Severity::Error,
        needs: Needs::Related,
        is_fixable: true,
        yields_to: &["HPA208"],
        check: Check::Hpa(check),
    }
}

fn check(cx: &Cx<'_, HpaSubject>) -> Outcome {
    let named: Vec<(Entry<'_>, &str)> = Entry::all(&cx.subject.spec)
        .filter_map(|entry| Some((entry, entry.resource()?.1?)))
        .collect();
    if named.is_empty() {
        return Ok(Vec::new());
    }
    if let Some(pods) = live_pods(cx) {
        let switches = cx.switches();
        let is_there = |name: &str| {
            let mut containers = pods
                .iter()
                .flat_map(|pod| counted_containers(&switches, pod));
            containers.any(|container| container.name == name)
        };
        let absent = named.iter().filter(|(_, name)| !is_there(name));
        return Ok(absent
            .map(|(entry, name)| finding(cx, *entry, name, &[]))
            .collect());
    }
    let target = TargetPod::of(cx)?;
    let counted: Vec<&str> = target.counted(None).iter().map(|one| &*one.name).collect();
    let absent = named
        .into_iter()
        .filter(|(_, name)| !counted.contains(name));
    let (injected, absent): (Vec<_>, Vec<_>) =
        absent.partition(|(_, name)| injection::is_container(name));
    if let ([(_, name), ..], []) = (&injected[..], &absent[..]) {
        return Err(Missing::Because(format!(
            "container {name} is added only when pods are created"
        )));
    }
    Ok(absent
        .into_iter()
        .map(|(entry, name)| {
            finding(cx, entry, name, &counted).related(
                target.workload.object.clone(),
                "spec.template.spec.containers",
                format!("has {}", counted.join(", ")),
            )
        })
        .collect())
}

fn finding(cx: &Cx<'_, HpaSubject>, entry: Entry<'_>, name: &str, counted: &[&str]) -> Finding {
    let target = &cx.subject.spec.scale_target;
    let path = entry.field("container");
    let finding = cx.finding(&path).message(format!(
        "container {name} does not exist in {}/{}",
        target.kind, target.name
    ));
    match counted {
        [] => finding.help("name a container of the target"),
        [only] => finding
            .help(format!("the only container is {only}"))
            .fix(FixStep::SetScalar {
                path,
                text: (*only).to_owned(),
            }),
        _ => finding.help(format!("name one of {}", counted.join(", "))),
    }
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::lint::testing::{findings, report, report_with, texts};
    use crate::model::{self, KubeVersion};

    fn with(container: &str) -> String {
        format!(
            "
apiVersion: autoscaling/v2beta2
kind: HorizontalPodAutoscaler
metadata: {{name: web}}
spec:
  scaleTargetRef: {{apiVersion: apps/v1, kind: Deployment, name: web}}
  maxReplicas: 3
  metrics:
  - type: ContainerResource
    containerResource:
      {{name: cpu, container: {container}, target: {{type: AverageValue, averageValue: 100m}}}}
---
apiVersion: apps/v1
kind: Deployment
metadata: {{name: web}}
spec:
  template:
    spec:
      containers: [{{name: app}}, {{name: log}}]
      initContainers: [{{name: proxy, restartPolicy: Always}}, {{name: prepare}}]
"
        )
    }

    #[test]
    fn init_containers_are_there_if_they_keep_running() {
        assert!(findings(&RULE, &with("proxy")).is_empty());
        assert_eq!(
            findings(&RULE, &with("prepare")),
            [
                "error spec.metrics[0].containerResource.container: container prepare does not exist in \
             Deployment/web"
            ]
        );
        let old = report_with(&RULE, &with("proxy"), |settings| {
            settings.configs[0].version = model::Input::given(KubeVersion {
                minor: 28,
                patch: None,
            });
        });
        assert_eq!(texts(&old).len(), 1);
    }

    #[test]
    fn a_container_that_is_injected_can_not_be_judged() {
        let report = report(&RULE, &with("istio-proxy"));
        assert!(report.findings.is_empty());
        assert_eq!(
            report.notes[0].message,
            "HPA207 not checked: container istio-proxy is added only when pods are created"
        );
    }
}
