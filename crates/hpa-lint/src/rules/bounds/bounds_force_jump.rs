//! HPA114 `bounds-force-jump`.

use crate::{Check, Cx, HpaSubject, Missing, Needs, RuleOutcome};

crate::declare_rule! {
    /// ## What it does
    /// Flags new `minReplicas` or `maxReplicas` that exclude the replicas the target has in the cluster.
    ///
    /// ## Why is this bad?
    /// The next sync moves replicas that are out of range into the range, before it reads any metric.
    /// With 40 replicas and a new `maxReplicas` of 10, it removes 30 pods in one step.
    /// `behavior`, stabilization windows and `selectPolicy: Disabled` do not slow that down.
    ///
    /// ## Example
    /// ```yaml live
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
    /// status:
    ///   currentReplicas: 40
    ///   desiredReplicas: 40
    /// ---
    /// apiVersion: apps/v1
    /// kind: Deployment
    /// metadata:
    ///   name: web
    ///   namespace: shop
    /// spec:
    ///   replicas: 40
    ///   selector: {matchLabels: {app: web}}
    ///   template:
    ///     metadata: {labels: {app: web}}
    ///     spec:
    ///       containers:
    ///       - {name: web, image: example.com/web}
    /// status:
    ///   replicas: 40
    /// ```
    ///
    /// Use instead:
    /// ```yaml live
    /// @@
    ///    minReplicas: 2
    /// -  maxReplicas: 10
    /// +  maxReplicas: 40
    ///  status:
    /// ```
    ///
    /// ## Fix
    /// Start with the current replicas as the new value. Then change it in steps, and wait after each one.
    ///
    /// ## References
    /// - [`reconcileAutoscaler` in horizontal.go](https://github.com/kubernetes/kubernetes/blob/master/pkg/controller/podautoscaler/horizontal.go)
    /// - [kubernetes#110034](https://github.com/kubernetes/kubernetes/issues/110034), [kubernetes#119929](https://github.com/kubernetes/kubernetes/issues/119929)
    pub(crate) static RULE = {
        code: "HPA114",
        name: "bounds-force-jump",
        summary: "new minReplicas or maxReplicas that exclude the current replicas",
        needs: Needs::Comparison,
        check: Check::Hpa(check),
    }
}

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let stored = cx
        .stored()
        .or_else(|missing| cx.live().map_err(|_| missing))?;
    let scale = stored.observation.scale.read().ok_or_else(|| {
        let what = "the target's scale".to_owned();
        let why = "the cluster has none".to_owned();
        Missing::NotRead { what, why }
    })?;
    let spec = &cx.subject.spec;
    let (min, max) = (spec.min_replicas(), spec.max_replicas);
    let current = scale.spec_replicas;
    // At zero replicas the controller does not apply the bounds. The API server rejects `minReplicas` above
    // `maxReplicas`.
    let bound = match current {
        0 => return Ok(Vec::new()),
        _ if max < min => return Ok(Vec::new()),
        _ if max < current => ("spec.maxReplicas", max),
        _ if current < min => ("spec.minReplicas", min),
        _ => return Ok(Vec::new()),
    };
    let (path, bound) = bound;
    Ok(vec![
        cx.finding(path)
            .message(format!(
                "the new range {min}–{max} excludes the current {current} replicas, so the next sync sets {bound} \
                 in one step"
            ))
            .help(format!(
                "set {path} to {current}, then change it in steps and wait after each one"
            )),
    ])
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::testing::{HPA_V1, report};

    #[test]
    fn files_alone_have_nothing_to_compare_with() {
        let yaml = &format!(
            "{HPA_V1}  maxReplicas: 3
"
        );
        let report = report(&RULE, yaml);
        assert_eq!(
            report.notes[0].message,
            "HPA114 not checked: no cluster to compare with"
        );
    }
}
