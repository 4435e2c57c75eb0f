//! HPA014 `name-length`.

use crate::lint::{Check, Cx, Finding, Needs, RuleOutcome, ScaledObjectSubject};

crate::lint::declare_rule! {
    /// ## What it does
    /// Flags a ScaledObject with a name of more than 63 characters, and one for which KEDA makes an HPA with such a name:
    /// `keda-hpa-` and its own name, unless `horizontalPodAutoscalerConfig.name` says another.
    ///
    /// ## Why is this bad?
    /// KEDA's admission webhook refuses both since KEDA 2.20. `keda-hpa-` takes 9 of the 63 characters, so 54 are left.
    /// Without the webhook, KEDA writes the ScaledObject's own name into labels of it and of the HPA, whose values have at most
    /// 63 characters: the API server refuses them, and no HPA is made. The name of the HPA is cut for its label.
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
    /// @@
    ///  metadata:
    /// -  name: consumer-of-the-orders-that-customers-of-all-regions-placed
    /// +  name: orders-consumer
    ///  spec:
    /// ```
    ///
    /// ## Fix
    /// Shorten the name. For one of 55 to 63 characters it is enough to set
    /// `spec.advanced.horizontalPodAutoscalerConfig.name`.
    ///
    /// ## References
    /// - KEDA: `verifyName` of the admission webhook, labels of its HPAs; kedacore/keda #6370, #6998, #7762
    pub(crate) static RULE = {
        code: "HPA014",
        name: "name-length",
        summary: "a ScaledObject that has too long a name, or whose HPA gets one",
        needs: Needs::Related,
        check: Check::ScaledObject(check),
    }
}

fn check(cx: &Cx<'_, ScaledObjectSubject>) -> RuleOutcome {
    let own = &cx.subject.object.name;
    let set = &cx.subject.scaled_object.hpa_name;
    let generated = cx.subject.scaled_object.name_of_hpa();
    let mut findings = Vec::new();
    if is_too_long(own) {
        findings.push(finding(cx, "metadata.name", "own", own).help(if set.is_empty() {
            "shorten the name to 54 characters, or to 63 and set spec.advanced.horizontalPodAutoscalerConfig.name"
        } else {
            "shorten the name"
        }));
    } else if set.is_empty() && !own.is_empty() && is_too_long(&generated) {
        findings.push(
            finding(cx, "metadata.name", "generated", &generated)
                .help("shorten the name, or set spec.advanced.horizontalPodAutoscalerConfig.name"),
        );
    }
    if is_too_long(set) {
        let path = "spec.advanced.horizontalPodAutoscalerConfig.name";
        findings.push(finding(cx, path, "given", set).help("shorten the name"));
    }
    Ok(findings)
}

fn finding(cx: &Cx<'_, ScaledObjectSubject>, path: &str, origin: &str, name: &str) -> Finding {
    let length = name.chars().count();
    cx.finding(path).message(format!(
        "{origin} name {name} has {length} characters; the limit is {LIMIT}"
    ))
}

fn is_too_long(name: &str) -> bool {
    name.chars().count() > LIMIT
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
        assert!(findings(&RULE, &scaled_object(&"x".repeat(63), short)).is_empty());
    }

    #[test]
    fn each_name_that_is_too_long_is_told_once() {
        let own = "x".repeat(65);
        let of_own =
            format!("warning metadata.name: own name {own} has 65 characters; the limit is 63");
        let config = "spec.advanced.horizontalPodAutoscalerConfig.name";
        let of_hpa = format!(
            "warning {config}: given name {} has 64 characters; the limit is 63",
            "y".repeat(64)
        );
        let output = |hpa_name: &str| {
            let advanced = format!("{{horizontalPodAutoscalerConfig: {{name: {hpa_name}}}}}");
            findings(&RULE, &scaled_object(&own, &advanced))
        };
        assert_eq!(output(&"y".repeat(64)), [of_own.as_str(), &of_hpa]);
        assert_eq!(output("short"), [of_own.as_str()]);
        assert_eq!(output("''"), [of_own]);
    }
}
