//! HPA009 `non-integer-bounds`.

use kubectl_hpa_yaml::{Number, YamlNode, YamlValue};

use crate::{Check, Cx, FixStep, Manifest, Rule, RuleOutcome, Severity};

pub(crate) static RULE: Rule = Rule {
    code: "HPA009",
    name: "non-integer-bounds",
    summary: "a minReplicas or maxReplicas that is not an integer",
    severity: Severity::Error,
    is_fixable: true,
    reports_rejections: true,
    check: Check::Manifest(check),
    docs: include_str!("non_integer_bounds.md"),
    file: file!(),
    ..Rule::BASE
};

fn check(cx: &Cx<'_, Manifest>) -> RuleOutcome {
    Ok(["minReplicas", "maxReplicas"]
        .into_iter()
        .filter_map(|field| {
            let path = format!("spec.{field}");
            let (kind, raw) = wrong(cx.subject.source.node.at(&path)?)?;
            let finding = cx.finding(path.clone()).message(format!(
                "{field} is {kind} ({raw}), not an integer, so the API server rejects it"
            ));
            let intended = raw.trim_matches('"').trim().parse::<i32>().ok();
            Some(match intended {
                Some(intended) => finding
                    .help(format!("remove the quotes: {field}: {intended}"))
                    .fix(FixStep::SetScalar {
                        path,
                        text: intended.to_string(),
                    }),
                None => finding.help("write a whole number, such as 10"),
            })
        })
        .collect())
}

/// The type of a node that is not an integer, and its text. A whole number such as `3.0` arrives as an integer.
fn wrong(node: &YamlNode) -> Option<(&'static str, String)> {
    match &node.value {
        YamlValue::Text(text) => Some(("a string", format!("{text:?}"))),
        YamlValue::Number(Number::Float(number)) if number.fract() != 0.0 => {
            Some(("a fraction", number.to_string()))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::testing::{HPA_V1, table};

    #[test]
    fn it_is_reported_once_with_what_is_there() {
        table(
            &RULE,
            |[max]| format!("{HPA_V1}  maxReplicas: {max}\n"),
            r#"
quotes are taken away | '3' => error spec.maxReplicas: maxReplicas is a string ("3"), not an integer, so the API server rejects it
  fix: [SetScalar { path: "spec.maxReplicas", text: "3" }]
a fraction | 2.5 => error spec.maxReplicas: maxReplicas is a fraction (2.5), not an integer, so the API server rejects it
a word | many => error spec.maxReplicas: maxReplicas is a string ("many"), not an integer, so the API server rejects it
  fix: none
a whole number is an integer however it is written | 3.0
another mistake is undecodable, for HPA012 | [3] => error …document 1 cannot be read…
"#,
        );
    }
}
