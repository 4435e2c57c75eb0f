//! HPA014 `name-length`.

use crate::lint::{Check, Cx, Needs, Outcome, ScaledObjectSubject};

crate::lint::declare_rule! {
    /// ## What it does
    /// Flags a ScaledObject for which KEDA makes an HPA with a name of more than 63 characters: `keda-hpa-` and its own name,
    /// unless `horizontalPodAutoscalerConfig.name` says another.
    ///
    /// ## Why is this bad?
    /// KEDA writes these names into labels, whose values have at most 63 characters. `keda-hpa-` takes 9 of them, so 54 are
    /// left.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: keda.sh/v1alpha1
    /// kind: ScaledObject
    /// metadata:
    ///   name: consumer-of-the-orders-that-customers-of-all-regions-placed
    /// spec:
    ///   scaleTargetRef:
    ///     name: consumer
    ///   triggers:
    ///   - type: cpu
    ///     metricType: Utilization
    ///     metadata: {value: "60"}
    /// ```
    ///
    /// Use instead:
    /// ```yaml
    /// apiVersion: keda.sh/v1alpha1
    /// kind: ScaledObject
    /// metadata:
    ///   name: orders-consumer
    /// spec:
    ///   scaleTargetRef:
    ///     name: consumer
    ///   triggers:
    ///   - type: cpu
    ///     metricType: Utilization
    ///     metadata: {value: "60"}
    /// ```
    ///
    /// ## Fix
    /// Shorten the name, or set `spec.advanced.horizontalPodAutoscalerConfig.name`.
    ///
    /// ## References
    /// - KEDA: admission webhook, and the name of its HPAs
    pub(crate) static RULE = {
        code: "HPA014",
        name: "name-length",
        summary: "a ScaledObject whose HPA gets too long a name",
        needs: Needs::Related,
        check: Check::ScaledObject(check),
    }
}

fn check(cx: &Cx<'_, ScaledObjectSubject>) -> Outcome {
    let own = &cx.subject.object.name;
    let set = &cx.subject.scaled_object.hpa_name;
    let (path, name) = if set.is_empty() {
        ("metadata.name", format!("keda-hpa-{own}"))
    } else {
        let path = "spec.advanced.horizontalPodAutoscalerConfig.name";
        (path, set.clone())
    };
    let length = name.chars().count();
    if own.is_empty() || length <= LIMIT {
        return Ok(Vec::new());
    }
    let origin = if set.is_empty() { "generated" } else { "given" };
    Ok(vec![
        cx.finding(path)
            .message(format!(
                "{origin} name {name} has {length} characters; the limit is {LIMIT}"
            ))
            .help("shorten the name, or set spec.advanced.horizontalPodAutoscalerConfig.name"),
    ])
}

/// Most characters of the value of a label.
const LIMIT: usize = 63;

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::lint::testing::findings;

    fn scaled_object(name: &str, advanced: &str) -> String {
        format!(
            "apiVersion: keda.sh/v1alpha1
kind: ScaledObject
metadata: {{name: {name}}}
spec:
  scaleTargetRef: {{name: web}}
  advanced: {advanced}
"
        )
    }

    #[test]
    fn fifty_four_characters_are_the_most() {
        assert!(findings(&RULE, &scaled_object(&"x".repeat(54), "")).is_empty());
        let name = "x".repeat(55);
        assert_eq!(
            findings(&RULE, &scaled_object(&name, "")),
            [format!(
                "warning metadata.name: generated name keda-hpa-{name} has 64 characters; the limit is 63"
            )]
        );
    }

    #[test]
    fn a_name_of_its_own_for_the_hpa_is_what_counts() {
        let short = "{horizontalPodAutoscalerConfig: {name: web}}";
        assert!(findings(&RULE, &scaled_object(&"x".repeat(55), short)).is_empty());
    }
}
