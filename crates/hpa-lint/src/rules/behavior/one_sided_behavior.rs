//! HPA318 `one-sided-behavior`.

use super::side::Side;
use crate::{Check, Cx, ForScaledObject, HpaSubject, Rule, RuleOutcome, Severity};

pub(crate) static RULE: Rule = Rule {
    code: "HPA318",
    name: "one-sided-behavior",
    summary: "only one direction of behavior is set",
    severity: Severity::Info,
    check: Check::Hpa(check),
    for_scaled_object: ForScaledObject::ItsHpa,
    docs: include_str!("one_sided_behavior.md"),
    file: file!(),
    ..Rule::BASE
};

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let (side, other) = match (Side::up(cx), Side::down(cx)) {
        (Some(side), None) => (side, "scaleDown"),
        (None, Some(side)) => (side, "scaleUp"),
        _ => return Ok(Vec::new()),
    };
    let given = side.path.rsplit('.').next().unwrap_or(side.path);
    let defaults = if other == "scaleUp" {
        "4 pods or 100% per 15 s"
    } else {
        "100% per 15 s"
    };
    Ok(vec![
        cx.finding("spec.behavior")
            .message(format!(
                "only {given} is set, so {other} gets the API server's defaults: {defaults}"
            ))
            .help(format!(
                "set spec.behavior.{other} if these defaults are not intended"
            )),
    ])
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::rules::behavior::testing::findings_of;

    #[test]
    fn behavior_without_any_side_and_with_both_is_not_one_sided() {
        assert!(findings_of(&RULE, 1, 9, "{}").is_empty());
        assert!(findings_of(&RULE, 1, 9, "{scaleUp: {}, scaleDown: {}}").is_empty());
        assert_eq!(
            findings_of(&RULE, 1, 9, "{scaleUp: {}}"),
            [
                "info spec.behavior: only scaleUp is set, so scaleDown gets the API server's defaults: 100% per 15 s"
            ]
        );
    }
}
