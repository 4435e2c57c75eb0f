//! HPA110 `wide-range-unlimited`.

use hpa_objects::recording::wire::ScalingRules;

use crate::{
    Check, ConfigurableNumber, Cx, HpaSubject, Rule, RuleOutcome, Severity, ThresholdUnit,
};

pub(crate) static RULE: Rule = Rule {
    code: "HPA110",
    name: "wide-range-unlimited",
    summary: "a wide range with only the default scale-up rate limit",
    severity: Severity::Info,
    thresholds: &[ConfigurableNumber {
        name: "factor",
        default: 20.0,
        unit: ThresholdUnit::Ratio,
        summary: "the smallest maxReplicas that is reported, as a multiple of minReplicas",
    }],
    check: Check::Hpa(check),
    docs: include_str!("wide_range_unlimited.md"),
    file: file!(),
    ..Rule::BASE
};

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let spec = &cx.subject.spec;
    let (min, max) = (spec.min_replicas().max(1), spec.max_replicas);
    let factor = f64::from(max) / f64::from(min);
    let up = cx.subject.written.behavior.as_ref();
    let up = up.and_then(|behavior| behavior.scale_up.as_ref());
    if factor < cx.threshold("factor") || up.is_some_and(limits) {
        return Ok(Vec::new());
    }
    let factor = (factor * 10.0).floor() / 10.0;
    Ok(vec![
        cx.finding("spec.maxReplicas")
            .message(format!(
                "maxReplicas is {factor} times minReplicas with only the default scale-up rate limit, so a wrong \
                 metric reaches it within minutes"
            ))
            .help("add {type: Pods, value: 10, periodSeconds: 60} to spec.behavior.scaleUp.policies, or lower \
                 maxReplicas")
            .label("spec.minReplicas", "the range starts here"),
    ])
}

/// Whether scaling up is limited: by policies, by a window, or because it is disabled.
fn limits(up: &ScalingRules) -> bool {
    up.policies.is_some()
        || up
            .stabilization_window_seconds
            .is_some_and(|window| 0 < window)
        || up
            .select_policy
            .as_ref()
            .is_some_and(|select| select != "Max")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::RULE;
    use crate::{
        rules::behavior::testing::{behaviors, findings_of},
        testing::{HPA, findings},
    };

    #[test]
    fn whatever_limits_scaling_up_is_enough() {
        behaviors(
            &RULE,
            "
a policy |1 |100 |{scaleUp: {policies: [{type: Pods, value: 4, periodSeconds: 60}]}}
a window |1 |100 |{scaleUp: {stabilizationWindowSeconds: 60}}
disabled |1 |100 |{scaleUp: {selectPolicy: Disabled}}
the least |1 |100 |{scaleUp: {selectPolicy: Min}}
nothing |2 |45 | => info spec.maxReplicas: maxReplicas is 22.5 times minReplicas with only the default scale-up rate limit, so a wrong metric reaches it within minutes
scale-down |2 |45 |{scaleDown: {stabilizationWindowSeconds: 60}} => info spec.maxReplicas: maxReplicas is 22.5 times minReplicas with only the default scale-up rate limit, so a wrong metric reaches it within minutes
the default |2 |45 |{scaleUp: {stabilizationWindowSeconds: 0, selectPolicy: Max}} => info spec.maxReplicas: maxReplicas is 22.5 times minReplicas with only the default scale-up rate limit, so a wrong metric reaches it within minutes
",
        );
    }

    #[test]
    fn zero_counts_as_one() {
        let external = "{metric: {name: q}, target: {type: AverageValue, averageValue: 1}}";
        let found = |max: i32| {
            let metrics = format!("  metrics: [{{type: External, external: {external}}}]\n");
            findings(
                &RULE,
                &format!("{HPA}  minReplicas: 0\n  maxReplicas: {max}\n{metrics}"),
            )
            .len()
        };
        assert_eq!((found(20), found(19)), (1, 0));
    }

    proptest! {
        #[test]
        fn the_edge_is_twenty_times_the_minimum(min in 1..1000_i32) {
            prop_assert_eq!(findings_of(&RULE, min, min * 20, "").len(), 1);
            prop_assert_eq!(findings_of(&RULE, min, min * 20 - 1, "").len(), 0);
        }
    }
}
