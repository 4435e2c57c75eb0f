//! HPA208 `container-rename-rollout`.

use super::{entry::MetricEntry, target_pod::TargetPod};
use crate::{Check, Cx, HpaSubject, Missing, Needs, RuleOutcome, Severity};

crate::declare_rule! {
    /// ## What it does
    /// Compares the target's manifest with the cluster.
    /// Flags a ContainerResource metric whose container exists only in the cluster's template, if exactly one other
    /// container replaces it.
    ///
    /// ## Why is this bad?
    /// During the rollout pods of both templates exist, and afterwards only new ones.
    /// The new pods have no container with the old name.
    /// Since Kubernetes 1.35 the first of them makes the metric fail for all pods.
    /// Up to 1.34 it fails when the last old pod is gone.
    ///
    /// ## Example
    /// ```yaml compared
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
    ///         - name: server
    ///           resources:
    ///             requests: {cpu: 100m}
    /// # In the cluster:
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
    /// Use instead:
    /// ```yaml compared
    /// @@
    ///          name: cpu
    /// -        container: app
    /// +        container: server
    ///          target:
    /// ```
    ///
    /// ## Fix
    /// Name the new container in the same change.
    /// Since Kubernetes 1.35, a metric for either name fails while pods of both templates exist.
    /// If the load can grow during the rollout, raise `minReplicas` for that time, or use a Resource metric until it is over.
    ///
    /// ## References
    /// - [kubernetes#90691](https://github.com/kubernetes/kubernetes/issues/90691), [kubernetes#133415](https://github.com/kubernetes/kubernetes/issues/133415)
    pub(crate) static RULE = {
        code: "HPA208",
        name: "container-rename-rollout",
        summary: "a container is renamed while the HPA still names it",
        severity: Severity::Warning,
        needs: Needs::Comparison,
        check: Check::Hpa(check),
    }
}

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let named: Vec<(MetricEntry<'_>, &str)> = MetricEntry::all(&cx.subject.spec)
        .filter_map(|entry| Some((entry, entry.resource()?.1?)))
        .collect();
    if named.is_empty() {
        return Ok(Vec::new());
    }
    let Some(stored) = &cx.stored()?.context.target else {
        return Err(Missing::Because(format!(
            "the cluster has no {}",
            cx.subject.spec.scale_target.kind
        )));
    };
    let old = &stored.template_containers;
    let target = TargetPod::of(cx)?;
    let new: Vec<&str> = target.counted(None).iter().map(|one| &*one.name).collect();
    let added: Vec<&str> = new
        .iter()
        .copied()
        .filter(|name| old.iter().all(|one| one != name))
        .collect();
    let [added] = added[..] else {
        return Ok(Vec::new());
    };
    let renamed = named
        .into_iter()
        .filter(|(_, name)| old.iter().any(|one| one == name) && !new.contains(name));
    Ok(renamed
        .map(|(entry, name)| {
            cx.finding(entry.field("container"))
                .message(format!(
                    "container {name} is renamed to {added}, but the HPA still names {name}, so its metric cannot be \
                     computed after the rollout"
                ))
                .help(format!("set container to {added} in the same change"))
                .related(
                    target.workload.object.clone(),
                    "spec.template.spec.containers",
                    format!("has {}", new.join(", ")),
                )
        })
        .collect())
}
