//! HPA606 `keda-paused`.

use hpa_engine::model::ScaledObject;

use crate::{Check, Cx, Needs, RuleOutcome, ScaledObjectSubject, Severity};

crate::declare_rule! {
    /// ## What it does
    /// Flags the annotations that pause a ScaledObject: `autoscaling.keda.sh/paused`, `paused-replicas`, `paused-scale-in`
    /// and `paused-scale-out`.
    ///
    /// ## Why is this bad?
    /// While a ScaledObject is paused, KEDA deletes its HPA and keeps the replicas, or sets them to `paused-replicas`. The
    /// last two annotations disable one direction. A pause for one night that stays in Git holds 2 replicas through the
    /// next peak.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: keda.sh/v1alpha1
    /// kind: ScaledObject
    /// metadata:
    ///   name: web
    ///   annotations:
    ///     autoscaling.keda.sh/paused: "true"
    /// spec:
    ///   scaleTargetRef:
    ///     name: web
    ///   triggers:
    ///     - type: rabbitmq
    ///       metadata:
    ///         queueName: mail
    ///         mode: QueueLength
    ///         value: "20"
    /// ```
    ///
    /// Use instead:
    /// ```yaml
    /// @@
    ///    annotations:
    /// -    autoscaling.keda.sh/paused: "true"
    /// +    autoscaling.keda.sh/paused: "false"
    ///  spec:
    /// ```
    ///
    /// ## Fix
    /// Remove the annotation. If the pause is intended, suppress the rule with a reason.
    ///
    /// ## References
    /// - KEDA docs: [Pause autoscaling](https://keda.sh/docs/latest/concepts/scaling-deployments/#pausing-autoscaling)
    /// - [kedacore/keda#4253](https://github.com/kedacore/keda/issues/4253), [kedacore/keda#7663](https://github.com/kedacore/keda/issues/7663)
    pub(crate) static RULE = {
        code: "HPA606",
        name: "keda-paused",
        summary: "a ScaledObject is paused",
        severity: Severity::Warning,
        needs: Needs::Related,
        yields_to: &["HPA012"],
        check: Check::ScaledObject(check),
    }
}

fn check(cx: &Cx<'_, ScaledObjectSubject>) -> RuleOutcome {
    let scaled = &cx.subject.scaled_object;
    let pauses = |name: &&str| scaled.is_paused_by(name);
    let name = &scaled.object.name;
    let finding = |annotation: &str, message: String| {
        cx.finding(format!(
            "metadata.annotations[{}{annotation}]",
            ScaledObject::PAUSING
        ))
        .message(message)
        .help("remove the annotation; if the pause is intended, suppress the finding with a reason")
    };
    if let Some(annotation) = ["paused-replicas", "paused"]
        .into_iter()
        .find(|one| pauses(one))
    {
        return Ok(vec![finding(
            annotation,
            format!("ScaledObject {name} is paused, so KEDA does not scale its target"),
        )]);
    }
    let directions = [("paused-scale-in", "down"), ("paused-scale-out", "up")];
    Ok(directions
        .into_iter()
        .filter(|(annotation, _)| pauses(annotation))
        .map(|(annotation, direction)| {
            finding(
                annotation,
                format!(
                    "ScaledObject {name} is paused in one direction, so it never scales {direction}"
                ),
            )
        })
        .collect())
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::testing::findings;

    #[test]
    fn each_annotation_pauses_what_it_says() {
        let found = |annotation: &str| {
            findings(
                &RULE,
                &format!(
                    "
apiVersion: keda.sh/v1alpha1
kind: ScaledObject
metadata: {{name: web, annotations: {{autoscaling.keda.sh/{annotation}}}}}
spec: {{scaleTargetRef: {{name: web}}}}
"
                ),
            )
        };
        assert_eq!(
            found("paused-replicas: '0'"),
            [
                "warning metadata.annotations[autoscaling.keda.sh/paused-replicas]: ScaledObject web is paused, so KEDA does not scale its target"
            ]
        );
        assert_eq!(
            found("paused-scale-in: 'true'"),
            [
                "warning metadata.annotations[autoscaling.keda.sh/paused-scale-in]: ScaledObject web is paused in one direction, so it never scales down"
            ]
        );
        assert!(found("paused-scale-out: 'false'").is_empty());
    }
}
