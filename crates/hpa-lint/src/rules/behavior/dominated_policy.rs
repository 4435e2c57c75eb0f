//! HPA310 `dominated-policy`.

use hpa_engine::{
    engine::AfterMetrics,
    model::{Direction, SelectPolicy},
};

use super::{
    dominance::{Contest, Dominated},
    side::{Side, bounds, observation, policy_text, with_fix},
};
use crate::{Check, Cx, FixStep, ForScaledObject, HpaSubject, Rule, RuleOutcome, Severity};

pub(crate) static RULE: Rule = Rule {
    code: "HPA310",
    name: "dominated-policy",
    summary: "a policy never decides",
    severity: Severity::Warning,
    is_fixable: true,
    check: Check::Hpa(check),
    for_scaled_object: ForScaledObject::ItsHpa,
    docs: include_str!("dominated_policy.md"),
    file: file!(),
    ..Rule::BASE
};

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let Some((min, max)) = bounds(cx) else {
        return Ok(Vec::new());
    };
    let observation = observation(cx);
    let mut findings = Vec::new();
    for side in Side::enabled(cx) {
        let policies = side.own_policies();
        if policies.len() < 2 || min == max {
            continue;
        }
        let select_policy = side.rules.select_policy.unwrap_or(SelectPolicy::Max);
        let contest = Contest {
            engine: AfterMetrics::of(&observation),
            direction: side.direction,
            policies,
            select_policy,
            bounds: (min, max),
        };
        let other = if select_policy == SelectPolicy::Min {
            "Max"
        } else {
            "Min"
        };
        for dominated in contest.dominated()? {
            let index = dominated.index;
            let path = side.policy_path(index);
            let condition = if dominated.is_unconditional {
                String::new()
            } else {
                format!(" during {} alone", side.name)
            };
            let finding = cx
                .finding(path.clone())
                .severity(severity(&contest, &dominated))
                .message(format!(
                    "{path} ({}) never decides between {min} and {max} replicas{condition}, so it has no effect",
                    policy_text(&policies[index])
                ))
                .help(format!(
                    "remove it, or set {} to {other} if it should decide",
                    side.field("selectPolicy")
                ));
            findings.push(if dominated.is_unconditional {
                with_fix(cx, finding, FixStep::Remove { path })
            } else {
                finding
            });
        }
    }
    Ok(findings)
}

/// A slow scale-down policy is usually meant as a protection.
fn severity(contest: &Contest<'_>, dominated: &Dominated) -> Severity {
    let own = &contest.policies[dominated.index];
    let is_only_repeated = contest
        .policies
        .iter()
        .filter(|policy| *policy == own)
        .nth(1)
        .is_some();
    let is_down = contest.direction == Direction::Down;
    if is_down && contest.select_policy == SelectPolicy::Max && !is_only_repeated {
        Severity::Warning
    } else {
        Severity::Info
    }
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::{rules::behavior::testing::hpa, testing::table};

    #[test]
    fn a_policy_that_never_decides_is_flagged() {
        // 7 + 4 = 11 and ⌈7 × 1.5⌉ = 11; 6 + 4 = 10 and 6 × 1.5 = 9.
        table(
            &RULE,
            |[min, max, side, policies]| {
                // Each policy is its type, value and period.
                let policies: Vec<String> = policies
                    .split(", ")
                    .map(|policy| {
                        let mut parts = policy.split(' ');
                        let [kind, value, period] = [(); 3].map(|()| parts.next().unwrap());
                        format!("{{type: {kind}, value: {value}, periodSeconds: {period}}}")
                    })
                    .collect();
                let behavior = format!("{{{side}, policies: [{}]}}}}", policies.join(", "));
                hpa(min, max, &behavior)
            },
            r"
it decides at one number of replicas | 6 | 40 | scaleUp: {selectPolicy: Max | Pods 4 60, Percent 50 60
the number never decides | 7 | 40 | scaleUp: {selectPolicy: Max | Pods 4 60, Percent 50 60
  info spec.behavior.scaleUp.policies[0]: spec.behavior.scaleUp.policies[0] (Pods 4 per 60 s) never decides between 7 and 40 replicas, so it has no effect
the share never decides | 1 | 8 | scaleUp: {selectPolicy: Max | Pods 4 60, Percent 50 60
  info spec.behavior.scaleUp.policies[1]: spec.behavior.scaleUp.policies[1] (Percent 50 per 60 s) never decides between 1 and 8 replicas, so it has no effect
the defaults written out | 10 | 40 | scaleUp: {selectPolicy: Max | Pods 4 15, Percent 100 15
a small rate of scale-down protects nothing | 4 | 40 | scaleDown: {selectPolicy: Max | Pods 1 60, Percent 50 60 => warning …
a large rate that Min never takes | 4 | 40 | scaleDown: {selectPolicy: Min | Pods 30 60, Percent 50 60 => info …
the same rate twice | 4 | 40 | scaleDown: {selectPolicy: Max | Percent 50 60, Percent 50 60 => info …
the defaults in another order | 4 | 40 | scaleUp: {selectPolicy: Max | Percent 100 15, Pods 4 15 => info …
the first of equal policies stays | 1 | 1000000 | scaleDown: {selectPolicy: Max | Pods 4 60, Pods 4 60 => info …policies[1]…
a longer period is an advantage only after the other direction | 1 | 9 | scaleUp: {selectPolicy: Max | Pods 4 60, Pods 4 30
  info spec.behavior.scaleUp.policies[0]: spec.behavior.scaleUp.policies[0] (Pods 4 per 60 s) never decides between 1 and 9 replicas during scale-up alone, so it has no effect
a shorter period is none for Min | 1 | 9 | scaleUp: {selectPolicy: Min | Pods 4 60, Pods 4 30 => info …
a range too wide to try | 10 | 100000 | scaleUp: {selectPolicy: Max | Pods 4 60, Percent 50 60 => note …
a wide range where both decide | 1 | 100000 | scaleUp: {selectPolicy: Max | Pods 4 60, Percent 50 60
",
        );
    }
}
