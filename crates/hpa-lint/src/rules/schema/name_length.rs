//! HPA014 `name-length`.

use crate::{Check, Cx, Finding, Needs, Rule, RuleOutcome, ScaledObjectSubject};

pub(crate) static RULE: Rule = Rule {
    code: "HPA014",
    name: "name-length",
    summary: "the name of a ScaledObject or its HPA is longer than 63 characters",
    needs: Needs::Related,
    check: Check::ScaledObject(check),
    docs: include_str!("name_length.md"),
    file: file!(),
    ..Rule::BASE
};

fn check(cx: &Cx<'_, ScaledObjectSubject>) -> RuleOutcome {
    let own = &cx.subject.object.name;
    let set = &cx.subject.scaled_object.hpa_name;
    let generated = cx.subject.scaled_object.name_of_hpa();
    let mut findings = Vec::new();
    if is_too_long(own) {
        findings.push(finding(cx, "metadata.name", "name", own).help(if set.is_empty() {
            "shorten the name to 54 characters, or to 63 and set spec.advanced.horizontalPodAutoscalerConfig.name"
        } else {
            "shorten the name to 63 characters"
        }));
    } else if set.is_empty() && !own.is_empty() && is_too_long(&generated) {
        findings.push(
            finding(cx, "metadata.name", "generated HPA name", &generated)
                .help("shorten the name to 54 characters, or set spec.advanced.horizontalPodAutoscalerConfig.name"),
        );
    }
    if is_too_long(set) {
        let path = "spec.advanced.horizontalPodAutoscalerConfig.name";
        findings.push(finding(cx, path, "HPA name", set).help("shorten the name to 63 characters"));
    }
    Ok(findings)
}

fn finding(
    cx: &Cx<'_, ScaledObjectSubject>,
    path: &'static str,
    origin: &str,
    name: &str,
) -> Finding {
    let length = name.chars().count();
    cx.finding(path).message(format!(
        "the {origin} {name} has {length} characters, so KEDA 2.20 and later rejects it: the limit is {LIMIT}"
    ))
}

fn is_too_long(name: &str) -> bool {
    name.chars().count() > LIMIT
}

/// Maximum characters of a label value.
const LIMIT: usize = 63;

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::testing::findings;

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
                "warning metadata.name: the generated HPA name keda-hpa-{name} has 64 characters, so KEDA 2.20 \
                 and later rejects it: the limit is 63"
            )]
        );
    }

    #[test]
    fn a_name_of_its_own_for_the_hpa_is_what_counts() {
        let short = "{horizontalPodAutoscalerConfig: {name: web}}";
        assert!(findings(&RULE, &scaled_object(&"x".repeat(63), short)).is_empty());
    }

    #[test]
    fn each_name_that_is_too_long_is_reported_once() {
        let own = "x".repeat(65);
        let of_own = format!(
            "warning metadata.name: the name {own} has 65 characters, so KEDA 2.20 and later rejects it: the \
             limit is 63"
        );
        let config = "spec.advanced.horizontalPodAutoscalerConfig.name";
        let of_hpa = format!(
            "warning {config}: the HPA name {} has 64 characters, so KEDA 2.20 and later rejects it: the limit is 63",
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
