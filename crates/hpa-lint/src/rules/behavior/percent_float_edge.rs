//! HPA320 `percent-float-edge`.

use hpa_engine::{
    engine::AfterMetrics,
    model::{Direction, PolicyType, ScalingPolicy},
};

use super::{
    dominance::MOST_STARTS,
    side::{Side, bounds, observation},
};
use crate::{Check, Cx, ForScaledObject, HpaSubject, Missing, Rule, RuleOutcome, Severity};

pub(crate) static RULE: Rule = Rule {
    code: "HPA320",
    name: "percent-float-edge",
    summary: "a percentage allows one pod more or less than exact arithmetic",
    severity: Severity::Info,
    is_opt_in: true,
    check: Check::Hpa(check),
    for_scaled_object: ForScaledObject::ItsHpa,
    docs: include_str!("percent_float_edge.md"),
    file: file!(),
    ..Rule::BASE
};

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let Some((min, max)) = bounds(cx) else {
        return Ok(Vec::new());
    };
    let observation = observation(cx);
    let engine = AfterMetrics::of(&observation);
    let mut findings = Vec::new();
    for side in Side::enabled(cx) {
        for (index, policy) in side.own_policies().iter().enumerate() {
            if policy.policy_type != PolicyType::Percent {
                continue;
            }
            let tried = max.min(min.saturating_add(MOST_STARTS));
            let edge = (min..=tried).find_map(|start| {
                let actual = engine.policy_bound(policy, start, side.direction);
                let exact = exact(policy, start, side.direction);
                (i64::from(actual) != exact && i32::try_from(exact).is_ok())
                    .then_some((start, actual, exact))
            });
            let Some((start, actual, exact)) = edge else {
                if tried < max {
                    return Err(Missing::Because(format!(
                        "the range {min}–{max} is too large to try all percentages (at most {MOST_STARTS} values)"
                    )));
                }
                continue;
            };
            findings.push(
                cx.finding(format!("{}.value", side.policy_path(index)))
                    .message(format!(
                        "{}% at {start} replicas allows {actual} instead of {exact}, because the controller \
                         computes in floating point",
                        policy.value
                    ))
                    .help("use a Pods policy or another percentage if the one pod matters"),
            );
        }
    }
    Ok(findings)
}

/// The exact result of a `Percent` policy. Scaling up rounds up; scaling down truncates the remaining replicas.
fn exact(policy: &ScalingPolicy, start: i32, direction: Direction) -> i64 {
    let (start, percent) = (i64::from(start), i64::from(policy.value));
    if direction == Direction::Up {
        -(-start * (100 + percent)).div_euclid(100)
    } else {
        start * (100 - percent) / 100
    }
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::{rules::behavior::testing::hpa, testing::table};

    #[test]
    fn the_first_number_of_replicas_is_named() {
        table(
            &RULE,
            |[direction, max, value]| {
                let policy = format!("{{type: Percent, value: {value}, periodSeconds: 60}}");
                let behavior = format!("{{{direction}: {{policies: [{policy}]}}}}");
                hpa(1, max, &behavior)
            },
            r"
up to just below it | scaleUp | 49 | 10
beyond it | scaleUp | 200 | 10 => info spec.behavior.scaleUp.policies[0].value: 10% at 50 replicas allows 56 instead of 55, because the controller computes in floating point
down from just below it | scaleDown | 4 | 80
down from it | scaleDown | 5 | 80 => info spec.behavior.scaleDown.policies[0].value: 80% at 5 replicas allows 0 instead of 1, because the controller computes in floating point
",
        );
    }
}
