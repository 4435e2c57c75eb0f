//! HPA102 `min-equals-max`.

use crate::{Check, Cx, ForScaledObject, HpaSubject, RuleOutcome, Severity};

crate::declare_rule! {
    /// ## What it does
    /// Flags an HPA whose `minReplicas` equals its `maxReplicas`. It is a warning with `--strict`.
    ///
    /// ## Why is this bad?
    /// Whatever the metrics ask for, the HPA sets the same number of replicas.
    /// Alerts on "at maxReplicas" fire all the time.
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
    ///   minReplicas: 3
    ///   maxReplicas: 3
    /// ```
    ///
    /// Use instead:
    /// ```yaml
    /// @@
    ///    minReplicas: 3
    /// -  maxReplicas: 3
    /// +  maxReplicas: 4
    /// ```
    ///
    /// ## Fix
    /// Raise `maxReplicas`, or delete the HPA. If the freeze is intended, suppress the rule with a reason.
    ///
    /// ## References
    /// - [kubernetes-mixin#1193](https://github.com/kubernetes-monitoring/kubernetes-mixin/issues/1193), [kubernetes-mixin#1293](https://github.com/kubernetes-monitoring/kubernetes-mixin/issues/1293)
    pub(crate) static RULE = {
        code: "HPA102",
        name: "min-equals-max",
        summary: "minReplicas equals maxReplicas",
        severity: Severity::Info,
        worst: Some(Severity::Warning),
        check: Check::Hpa(check),
        for_scaled_object: ForScaledObject::ItsHpa,
    }
}

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let spec = &cx.subject.spec;
    let (min, max) = (spec.min_replicas(), spec.max_replicas);
    if min != max {
        return Ok(Vec::new());
    }
    let finding = cx
        .finding("spec.maxReplicas")
        .message(format!("minReplicas and maxReplicas are both {min}, so no metric changes the replicas"))
        .help(format!(
            "raise maxReplicas above {min}, or delete the HPA; if the freeze is intended, suppress this with a reason"
        ))
        .label("spec.minReplicas", "the same");
    Ok(vec![if cx.settings.is_strict {
        finding.severity(Severity::Warning)
    } else {
        finding
    }])
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::testing::{HPA, findings};

    #[test]
    fn a_minimum_that_is_not_written_is_one() {
        let yaml = &format!(
            "{HPA}  maxReplicas: 1
"
        );
        assert_eq!(
            findings(&RULE, yaml),
            [
                "info spec.maxReplicas: minReplicas and maxReplicas are both 1, so no metric changes the replicas"
            ]
        );
    }
}
