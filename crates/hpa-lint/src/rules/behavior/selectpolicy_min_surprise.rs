//! HPA313 `selectpolicy-min-surprise`.

use hpa_engine::{
    engine::AfterMetrics,
    model::{PolicyType, SelectPolicy},
};

use super::side::{Side, bounds, observation};
use crate::{Check, Cx, ForScaledObject, HpaSubject, Rule, RuleOutcome, Severity};

pub(crate) static RULE: Rule = Rule {
    code: "HPA313",
    name: "selectpolicy-min-surprise",
    summary: "selectPolicy Min makes scale-up start slowly",
    severity: Severity::Info,
    check: Check::Hpa(check),
    for_scaled_object: ForScaledObject::ItsHpa,
    docs: include_str!("selectpolicy_min_surprise.md"),
    file: file!(),
    ..Rule::BASE
};

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let side = Side::up(cx).filter(|side| side.rules.select_policy == Some(SelectPolicy::Min));
    let (Some(side), Some((min, max))) = (side, bounds(cx)) else {
        return Ok(Vec::new());
    };
    let start = min.max(1);
    if max.saturating_sub(start) < 2 {
        return Ok(Vec::new());
    }
    let observation = observation(cx);
    let engine = AfterMetrics::of(&observation);
    let policies = AfterMetrics::policies(Some(side.rules), side.direction);
    let added = |policy| {
        engine
            .policy_bound(policy, start, side.direction)
            .saturating_sub(start)
    };
    let slowest = policies
        .iter()
        .find(|policy| policy.policy_type == PolicyType::Percent && added(policy) == 1);
    let Some(slowest) = slowest.filter(|_| policies.iter().any(|policy| 1 < added(policy))) else {
        return Ok(Vec::new());
    };
    Ok(vec![
        cx.finding(side.field("selectPolicy"))
            .message(format!(
                "selectPolicy Min with {}% allows 1 pod per {} s at {start} replicas, so scale-up starts slowly",
                slowest.value, slowest.period_seconds
            ))
            .help("set selectPolicy to Max, or raise the percentage or minReplicas"),
    ])
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::rules::behavior::testing::findings_of;

    #[test]
    fn two_pods_per_period_do_not_crawl() {
        let behavior = "{scaleUp: {selectPolicy: Min, policies: [
            {type: Pods, value: 4, periodSeconds: 60}, {type: Percent, value: 25, periodSeconds: 60}]}}";
        assert_eq!(findings_of(&RULE, 4, 40, behavior).len(), 1);
        assert!(findings_of(&RULE, 5, 40, behavior).is_empty());
        let both_crawl = behavior.replace("value: 4", "value: 1");
        assert!(findings_of(&RULE, 4, 40, &both_crawl).is_empty());
    }
}
