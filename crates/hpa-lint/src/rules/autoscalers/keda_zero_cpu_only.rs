//! HPA604 `keda-zero-cpu-only`.

use crate::{Check, Cx, Needs, RuleOutcome, ScaledObjectSubject, Severity};

crate::declare_rule! {
    /// ## What it does
    /// Flags a ScaledObject whose `minReplicaCount` is 0 (the default) and whose triggers are all `cpu` or `memory`. KEDA's
    /// webhook rejects it for Deployments and StatefulSets. For other targets it is a warning.
    ///
    /// ## Why is this bad?
    /// With 0 pods there is no usage, so no metric could start the first pod. KEDA therefore never scales to 0 on such
    /// triggers:
    /// `minReplicaCount: 0` has no effect.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: keda.sh/v1alpha1
    /// kind: ScaledObject
    /// metadata:
    ///   name: web
    /// spec:
    ///   scaleTargetRef:
    ///     name: web
    ///   minReplicaCount: 0
    ///   triggers:
    ///     - type: cpu
    ///       metricType: Utilization
    ///       metadata:
    ///         value: "70"
    /// ```
    ///
    /// Use instead:
    /// ```yaml
    /// @@
    ///      name: web
    /// -  minReplicaCount: 0
    /// +  minReplicaCount: 1
    ///    triggers:
    /// ```
    ///
    /// ## Fix
    /// Set `minReplicaCount` to 1 or more, or add a trigger that has a value without pods, such as the length of a queue.
    ///
    /// ## References
    /// - KEDA, [`scaledobject_webhook.go`](https://github.com/kedacore/keda/blob/main/apis/keda/v1alpha1/scaledobject_webhook.go): `verifyCPUMemoryScalers`
    pub(crate) static RULE = {
        code: "HPA604",
        name: "keda-zero-cpu-only",
        summary: "a ScaledObject cannot scale to 0 on CPU and memory alone",
        severity: Severity::Error,
        needs: Needs::Related,
        check: Check::ScaledObject(check),
    }
}

fn check(cx: &Cx<'_, ScaledObjectSubject>) -> RuleOutcome {
    let scaled = &cx.subject.scaled_object;
    let measures_pods = scaled
        .keda
        .triggers
        .iter()
        .all(|trigger| matches!(&*trigger.trigger_type, "cpu" | "memory"));
    if scaled.min_replicas.unwrap_or(0) != 0 || scaled.keda.triggers.is_empty() || !measures_pods {
        return Ok(Vec::new());
    }
    let path = if scaled.min_replicas.is_some() {
        "spec.minReplicaCount"
    } else {
        "spec.triggers"
    };
    let finding = cx
        .finding(path)
        .message(format!(
            "ScaledObject {} has minReplicaCount 0 but only cpu and memory triggers, so KEDA never scales it to 0",
            scaled.object.name
        ))
        .help("set minReplicaCount: 1, or add a trigger that has a value without pods, such as the length of a queue");
    let is_refused = scaled.target_group == "apps"
        && matches!(&*scaled.target_kind, "Deployment" | "StatefulSet");
    Ok(vec![if is_refused {
        finding
    } else {
        finding.severity(Severity::Warning)
    }])
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::testing::{SCALED_OBJECT, findings};

    #[test]
    fn one_other_trigger_is_enough_and_zero_is_the_default() {
        let found = |triggers: &str| {
            findings(
                &RULE,
                &format!(
                    "{SCALED_OBJECT}  triggers: [{triggers}]
"
                ),
            )
        };
        assert_eq!(
            found("{type: memory}, {type: cpu}"),
            [
                "error spec.triggers: ScaledObject web has minReplicaCount 0 but only cpu and memory triggers, so KEDA never scales it to 0"
            ]
        );
        assert!(found("{type: cpu}, {type: cron}").is_empty());
        assert!(found("").is_empty());
    }
}
