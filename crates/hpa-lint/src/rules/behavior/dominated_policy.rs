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
    use crate::{
        rules::behavior::testing::{findings_of, hpa},
        testing::report,
    };

    const UP: &str = "{scaleUp: {policies: [
        {type: Pods, value: 4, periodSeconds: 60}, {type: Percent, value: 50, periodSeconds: 60}]}}";

    #[test]
    fn a_policy_that_decides_at_one_number_of_replicas_is_not_flagged() {
        // 7 + 4 = 11 and ⌈7 × 1.5⌉ = 11; 6 + 4 = 10 and 6 × 1.5 = 9.
        assert!(findings_of(&RULE, 6, 40, UP).is_empty());
        assert_eq!(
            findings_of(&RULE, 7, 40, UP),
            [
                "info spec.behavior.scaleUp.policies[0]: spec.behavior.scaleUp.policies[0] (Pods 4 per 60 s) \
                 never decides between 7 and 40 replicas, so it has no effect"
            ]
        );
        assert_eq!(
            findings_of(&RULE, 1, 8, UP),
            [
                "info spec.behavior.scaleUp.policies[1]: spec.behavior.scaleUp.policies[1] (Percent 50 per 60 s) \
                 never decides between 1 and 8 replicas, so it has no effect"
            ]
        );
    }

    #[test]
    fn the_defaults_written_out_are_not_flagged() {
        let defaults = "{scaleUp: {policies: [
            {type: Pods, value: 4, periodSeconds: 15}, {type: Percent, value: 100, periodSeconds: 15}]}}";
        assert!(findings_of(&RULE, 10, 40, defaults).is_empty());
    }

    #[test]
    fn it_is_a_warning_where_a_small_rate_of_scale_down_protects_nothing() {
        let down = |select_policy: &str, first: &str| {
            let policies = format!("[{first}, {{type: Percent, value: 50, periodSeconds: 60}}]");
            let found = findings_of(
                &RULE,
                4,
                40,
                &format!("{{scaleDown: {{selectPolicy: {select_policy}, policies: {policies}}}}}"),
            );
            assert_eq!(found.len(), 1, "{found:?}");
            found[0].split(' ').next().unwrap().to_owned()
        };
        assert_eq!(
            down("Max", "{type: Pods, value: 1, periodSeconds: 60}"),
            "warning"
        );
        assert_eq!(
            down("Min", "{type: Pods, value: 30, periodSeconds: 60}"),
            "info"
        );
        assert_eq!(
            down("Max", "{type: Percent, value: 50, periodSeconds: 60}"),
            "info"
        );
        let defaults = "{scaleUp: {policies: [
            {type: Percent, value: 100, periodSeconds: 15}, {type: Pods, value: 4, periodSeconds: 15}]}}";
        let found = findings_of(&RULE, 4, 40, defaults);
        assert_eq!(found.len(), 1);
        assert!(found[0].starts_with("info "), "{found:?}");
    }

    #[test]
    fn of_equal_policies_the_first_stays() {
        let twice = "{scaleDown: {policies: [
            {type: Pods, value: 4, periodSeconds: 60}, {type: Pods, value: 4, periodSeconds: 60}]}}";
        let found = findings_of(&RULE, 1, 1_000_000, twice);
        assert_eq!(found.len(), 1);
        assert!(found[0].contains("policies[1]"), "{found:?}");
    }

    #[test]
    fn a_longer_period_is_no_advantage_unless_something_scaled_the_other_way() {
        let up = "{scaleUp: {policies: [
            {type: Pods, value: 4, periodSeconds: 60}, {type: Pods, value: 4, periodSeconds: 30}]}}";
        assert_eq!(
            findings_of(&RULE, 1, 9, up),
            [
                "info spec.behavior.scaleUp.policies[0]: spec.behavior.scaleUp.policies[0] (Pods 4 per 60 s) never decides between 1 and 9 \
                 replicas during scale-up alone, so it has no effect"
            ]
        );
        assert!(
            findings_of(
                &RULE,
                1,
                9,
                &up.replace("policies", "selectPolicy: Min, policies")
            )
            .len()
                == 1
        );
    }

    #[test]
    fn a_range_too_wide_to_try_is_not_checked() {
        let report = report(&RULE, &hpa(10, 100_000, UP));
        assert!(report.findings.is_empty());
        assert_eq!(report.notes.len(), 1);
        let report = super::tests::report(&RULE, &hpa(1, 100_000, UP));
        assert!(report.findings.is_empty() && report.notes.is_empty());
    }
}
