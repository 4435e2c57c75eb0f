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
    use crate::testing::table;

    #[test]
    fn each_name_that_is_too_long_is_reported_once() {
        let (x, y) = ("x".repeat(55), "y".repeat(64));
        table(
            &RULE,
            |[length, hpa]| {
                let name = "x".repeat(length.parse().unwrap());
                let advanced = match hpa {
                    "" => String::new(),
                    hpa => {
                        let hpa = hpa.replace('Y', &y);
                        format!("{{horizontalPodAutoscalerConfig: {{name: {hpa}}}}}")
                    }
                };
                format!(
                    "apiVersion: keda.sh/v1alpha1
kind: ScaledObject
metadata: {{name: {name}}}
spec:
  scaleTargetRef: {{name: web}}
  advanced: {advanced}
"
                )
            },
            &r"
54 characters are the most | 54 |
one more | 55 | => warning metadata.name: the generated HPA name keda-hpa-X has 64 characters, so KEDA 2.20 and later rejects it: the limit is 63
the HPA has a name of its own | 63 | web
both are too long | 65 | Y => warning metadata.name: the name Xxxxxxxxxxx has 65 characters, so KEDA 2.20 and later rejects it: the limit is 63
  warning spec.advanced.horizontalPodAutoscalerConfig.name: the HPA name Y has 64 characters, so KEDA 2.20 and later rejects it: the limit is 63
the name is too long, and that of the HPA is not | 65 | short => warning metadata.name: the name Xxxxxxxxxxx has 65 characters, so KEDA 2.20 and later rejects it: the limit is 63
the name is too long, and that of the HPA empty | 65 | '' => warning metadata.name: the name Xxxxxxxxxxx has 65 characters, so KEDA 2.20 and later rejects it: the limit is 63
"
            .replace('X', &x)
            .replace("name Y has", &format!("name {y} has")),
        );
    }
}
