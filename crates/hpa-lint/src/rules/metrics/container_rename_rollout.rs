//! HPA208 `container-rename-rollout`.

use super::{entry::MetricEntry, target_pod::TargetPod};
use crate::lint::{Check, Cx, HpaSubject, Missing, Needs, RuleOutcome, Severity};

crate::lint::declare_rule! {
    /// ## What it does
    /// Compares the target's manifest with the one of the cluster: flags a ContainerResource metric whose container the
    /// cluster's template has and the new one has not, if exactly one other container takes its place.
    ///
    /// ## Why is this bad?
    /// During the rollout there are pods of both templates, and afterwards only new ones. The new pods have no
    /// container of the old name: from Kubernetes 1.35 on the first of them fails the metric for all pods, and up to
    /// 1.34 the last old one takes the last sample with it.
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
    /// Name the new container in the same change. From Kubernetes 1.35 on a metric for either name fails while pods of
    /// both templates are there, so raise `minReplicas` for the time of the rollout if the load may grow, or use a
    /// Resource metric until it is over.
    ///
    /// ## References
    /// - review of kubernetes/kubernetes PR #90691; PR #133415
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
                    "container {name} is renamed to {added} while the HPA still names {name}"
                ))
                .help(format!("name {added} in the same change"))
                .related(
                    target.workload.object.clone(),
                    "spec.template.spec.containers",
                    format!("has {}", new.join(", ")),
                )
        })
        .collect())
}
