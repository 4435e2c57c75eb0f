//! HPA709 `context-drift`.

use hpa_words::shell_word;

use crate::{
    Check, ContextValue, Cx, HpaDrift, HpaSubject, Needs, ObjectRef, RuleOutcome, Severity,
    in_words,
};

crate::declare_rule! {
    /// ## What it does
    /// Flags an HPA that exists in the clusters of several contexts (`--contexts`, `--all-contexts`, `--contexts-from`) and
    /// differs there. Each field of the spec that differs is a finding with the values. The verdict is another finding: it
    /// counts as different if one of the HPAs needs attention and another one does not, or for another reason. An HPA that
    /// scales in one cluster and is held in another follows its load, which is not reported. The finding is at the HPA of the
    /// first context that has it. With one cluster there is nothing to compare.
    ///
    /// ## Why is this bad?
    /// Clusters that serve the same traffic need the same limits. A maxReplicas that was raised in one cluster during an
    /// incident is easily forgotten in the others: 20 replicas serve the peak in prod-us, and prod-eu stops at 10.
    ///
    /// ## Example
    /// ```yaml contexts
    /// # In context prod-eu:
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
    ///   minReplicas: 2
    ///   maxReplicas: 10
    ///   metrics:
    ///   - type: Resource
    ///     resource:
    ///       name: cpu
    ///       target:
    ///         type: Utilization
    ///         averageUtilization: 60
    /// # In context prod-us:
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
    ///   minReplicas: 2
    ///   maxReplicas: 20
    ///   metrics:
    ///   - type: Resource
    ///     resource:
    ///       name: cpu
    ///       target:
    ///         type: Utilization
    ///         averageUtilization: 60
    /// ```
    ///
    /// Use instead:
    /// ```yaml contexts
    /// @@
    ///    minReplicas: 2
    /// -  maxReplicas: 10
    /// +  maxReplicas: 20
    ///    metrics:
    /// ```
    ///
    /// ## Fix
    /// Write one value into the manifests of all clusters. If the clusters are meant to differ, such as staging and production,
    /// ignore the rule (`--ignore HPA709`), or accept the difference at the HPA with the annotation
    /// `kubectl-hpa/ignore: HPA709`.
    ///
    /// ## References
    /// - Kubernetes, [Organizing cluster access using kubeconfig files](https://kubernetes.io/docs/concepts/configuration/organize-cluster-access-kubeconfig/)
    pub(crate) static RULE = {
        code: "HPA709",
        name: "context-drift",
        summary: "the HPA differs between the clusters of several contexts",
        severity: Severity::Info,
        needs: Needs::Live,
        check: Check::Hpa(check),
    }
}

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    cx.live()?;
    let subject = cx.subject;
    let (namespace, name) = (subject.hpa.namespace(), subject.hpa.name());
    let Some(drift) = HpaDrift::of(namespace, name, &subject.hpa.in_contexts) else {
        return Ok(Vec::new());
    };
    let elsewhere = |mut finding: crate::Finding, path: &str, values: &[ContextValue]| {
        for ContextValue { context, value } in values.iter().skip(1) {
            let object = ObjectRef {
                origin: None,
                context: Some(context.clone()),
                ..ObjectRef::clone(subject.object())
            };
            finding = finding.related(
                object,
                path.to_owned(),
                value.clone().unwrap_or_else(|| "not set".to_owned()),
            );
        }
        finding
    };
    let mut findings: Vec<_> = drift
        .fields
        .iter()
        .map(|field| {
            // The name of a list entry is not its position.
            let path = field.path.split('[').next().unwrap_or_default();
            let finding = cx
                .finding(path.to_owned())
                .message(format!("{} is {}", field.short_path(), field.in_words()))
                .help("write one value into the manifests of all clusters; if they are meant to differ, ignore HPA709");
            elsewhere(finding, &field.path, &field.values)
        })
        .collect();
    if !drift.verdicts.is_empty() {
        let finding = cx
            .finding("")
            .message(format!("the verdict is {}", in_words(&drift.verdicts)))
            .help(format!(
                "compare: kubectl hpa explain {} -n {} --context NAME",
                shell_word(name),
                shell_word(namespace)
            ));
        findings.push(elsewhere(finding, "", &drift.verdicts));
    }
    Ok(findings)
}
