//! HPA406 `replicas-in-manifest`.

use crate::lint::{
    Check, Cx, HpaSubject, Needs, Outcome,
    world::{ArgoApplication, Workload},
};

crate::lint::declare_rule! {
    /// ## What it does
    /// Flags a target whose manifest sets `spec.replicas` to another number than 0, unless something visible keeps it from being
    /// applied again: an Argo CD Application among the input that ignores the field
    /// (`ignoreDifferences` with `RespectIgnoreDifferences=true`), or the annotation `kustomize.toolkit.fluxcd.io/ssa:
    /// IfNotPresent` or `kustomize.toolkit.fluxcd.io/reconcile: disabled`. Objects as a cluster has them (`metadata.uid`) are
    /// not judged: there the field is always set.
    ///
    /// ## Why is this bad?
    /// Each apply sets the replicas back to that number, whatever the HPA has scaled to: with `replicas: 2` in the manifest and
    /// 40 pods under load, a release takes 38 pods away at once. The HPA needs several syncs to bring them back.
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
    ///   replicas: 2
    ///   selector: {matchLabels: {app: web}}
    ///   template:
    ///     metadata: {labels: {app: web}}
    ///     spec:
    ///       containers:
    ///       - name: main
    ///         resources: {requests: {cpu: 100m}}
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
    /// ```
    ///
    /// ## Fix
    /// Leave `spec.replicas` out. If it is there already, let the HPA own the field first: with `kubectl apply
    /// edit-last-applied` take it out of the last applied configuration, and only then out of the manifest, or the next apply
    /// removes the field and the replicas fall to 1. With Argo CD, ignore `/spec/replicas` and set
    /// `RespectIgnoreDifferences=true`.
    ///
    /// ## References
    /// - Kubernetes docs: [Migrating Deployments and StatefulSets to horizontal autoscaling](https://kubernetes.io/docs/tasks/run-application/horizontal-pod-autoscale/#migrating-deployments-and-statefulsets-to-horizontal-autoscaling)
    /// - kube-score `deployment-targeted-by-hpa-does-not-have-replicas-configured`; argoproj/argo-cd#1603
    pub(crate) static RULE = {
        code: "HPA406",
        name: "replicas-in-manifest",
        summary: "the manifest of the target sets spec.replicas",
        needs: Needs::Related,
        check: Check::Hpa(check),
    }
}

fn check(cx: &Cx<'_, HpaSubject>) -> Outcome {
    // In a cluster the field is always set: HPA408 looks at who sets it.
    if cx.world.is_live() {
        return Ok(Vec::new());
    }
    let workload = cx.workload()?;
    let Some(replicas) = workload.replicas.filter(|replicas| *replicas != 0) else {
        return Ok(Vec::new());
    };
    if workload.is_stored || is_left_alone_by_flux(workload) {
        return Ok(Vec::new());
    }
    let ignoring: Vec<&ArgoApplication> = cx
        .world
        .argo_applications
        .iter()
        .filter(|application| application.ignores_replicas(&workload.group, &workload.object))
        .collect();
    if ignoring
        .iter()
        .any(|application| application.respects_on_sync)
    {
        return Ok(Vec::new());
    }
    let finding = cx
        .finding("spec.scaleTargetRef")
        .message(format!(
            "{} sets spec.replicas {replicas}; each apply resets the count",
            workload.object
        ))
        .related(workload.object.clone(), "spec.replicas", "leave it out");
    Ok(vec![match ignoring.first() {
        Some(application) => finding
            .help(
                "leave spec.replicas out, or set RespectIgnoreDifferences=true: without it ignoreDifferences is for \
                 the comparison only, and each sync applies the field",
            )
            .related(application.object.clone(), "spec.syncPolicy", "has no RespectIgnoreDifferences=true"),
        None => finding.help(
            "leave spec.replicas out of the manifest once the HPA has set it, or have the deployer ignore the field",
        ),
    }])
}

/// Whether Flux applies the object only if it is not there, or not at all.
fn is_left_alone_by_flux(workload: &Workload) -> bool {
    let is = |name: &str, value: &str| {
        let name = format!("kustomize.toolkit.fluxcd.io/{name}");
        let annotation = workload.annotations.get(&name);
        annotation.is_some_and(|annotation| annotation.eq_ignore_ascii_case(value))
    };
    is("ssa", "IfNotPresent") || is("ssa", "Ignore") || is("reconcile", "disabled")
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::lint::testing::findings;

    fn yaml(metadata: &str, replicas: &str, application: &str) -> String {
        format!(
            "
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {{name: web}}
spec:
  scaleTargetRef: {{apiVersion: apps/v1, kind: Deployment, name: web}}
  maxReplicas: 4
---
apiVersion: apps/v1
kind: Deployment
metadata: {{name: web{metadata}}}
spec: {{{replicas}selector: {{matchLabels: {{app: web}}}}}}
{application}"
        )
    }

    fn application(kind: &str, option: &str) -> String {
        format!(
            "---
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {{name: shop}}
spec:
  ignoreDifferences: [{{group: apps, kind: {kind}, jsonPointers: [/spec/replicas]}}]
  syncPolicy: {{syncOptions: [CreateNamespace=true{option}]}}
"
        )
    }

    const FOUND: &str = "warning spec.scaleTargetRef: Deployment/web sets spec.replicas 3; each apply resets the count";

    #[test]
    fn zero_none_and_what_a_cluster_has_are_left_alone() {
        assert_eq!(findings(&RULE, &yaml("", "replicas: 3, ", "")), [FOUND]);
        assert!(findings(&RULE, &yaml("", "replicas: 0, ", "")).is_empty());
        assert!(findings(&RULE, &yaml("", "", "")).is_empty());
        assert!(findings(&RULE, &yaml(", uid: 1a2b", "replicas: 3, ", "")).is_empty());
    }

    #[test]
    fn ignore_rules_of_deployers_are_respected() {
        let respects = ", RespectIgnoreDifferences=true";
        let with = |application: &str| findings(&RULE, &yaml("", "replicas: 3, ", application));
        assert!(with(&application("Deployment", respects)).is_empty());
        assert_eq!(with(&application("StatefulSet", respects)), [FOUND]);
        assert_eq!(with(&application("Deployment", "")), [FOUND]);
        let annotation = ", annotations: {kustomize.toolkit.fluxcd.io/ssa: IfNotPresent}";
        assert!(findings(&RULE, &yaml(annotation, "replicas: 3, ", "")).is_empty());
    }
}
