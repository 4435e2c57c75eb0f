//! HPA311 `policy-without-effect`.

use hpa_engine::{engine::AfterMetrics, model::Direction};

use super::side::{Side, bounds, observation, policy_text};
use crate::{Check, Cx, ForScaledObject, HpaSubject, Rule, RuleOutcome, Severity};

pub(crate) static RULE: Rule = Rule {
    code: "HPA311",
    name: "policy-without-effect",
    summary: "a policy allows the whole range in one period",
    severity: Severity::Info,
    yields_to: &["HPA310", "HPA319"],
    check: Check::Hpa(check),
    for_scaled_object: ForScaledObject::ItsHpa,
    docs: include_str!("policy_without_effect.md"),
    file: file!(),
    ..Rule::BASE
};

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let Some((min, max)) = bounds(cx).filter(|(min, max)| min < max) else {
        return Ok(Vec::new());
    };
    let observation = observation(cx);
    let engine = AfterMetrics::of(&observation);
    let mut findings = Vec::new();
    for side in Side::enabled(cx) {
        for (index, policy) in side.own_policies().iter().enumerate() {
            // From other replicas in the range, every policy reaches at least as far.
            let is_whole = if side.direction == Direction::Up {
                max <= engine.policy_bound(policy, min, side.direction)
            } else {
                engine.policy_bound(policy, max, side.direction) <= min
            };
            if is_whole {
                findings.push(
                    cx.finding(side.policy_path(index))
                        .message(format!(
                            "{} ({}) allows the whole range {min}–{max} in one period, so it limits nothing",
                            side.policy_path(index),
                            policy_text(policy)
                        ))
                        .help("lower its value; without any policy, the API server sets its defaults"),
                );
            }
        }
    }
    Ok(findings)
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::rules::behavior::testing::findings_of;

    #[test]
    fn one_pod_less_than_the_range_is_a_limit() {
        let found = |direction: &str, value: i32| {
            let policy = format!("{{type: Pods, value: {value}, periodSeconds: 60}}");
            let behavior = format!("{{{direction}: {{policies: [{policy}]}}}}");
            findings_of(&RULE, 2, 10, &behavior).len()
        };
        assert_eq!([7, 8].map(|value| found("scaleUp", value)), [0, 1]);
        assert_eq!([7, 8].map(|value| found("scaleDown", value)), [0, 1]);
    }

    #[test]
    fn percent_counts_from_the_bound_where_it_allows_the_least() {
        let found = |direction: &str, value: i32| {
            let policy = format!("{{type: Percent, value: {value}, periodSeconds: 60}}");
            let behavior = format!("{{{direction}: {{policies: [{policy}]}}}}");
            findings_of(&RULE, 2, 10, &behavior).len()
        };
        assert_eq!([350, 400].map(|value| found("scaleUp", value)), [0, 1]);
        assert_eq!([70, 71].map(|value| found("scaleDown", value)), [0, 1]);
    }
}
