//! HPA115 `single-extra-pod`.

use hpa_analysis::without_metrics;
use hpa_engine::{
    engine,
    model::{
        ExternalMetricValue, IndexedAnswer, Memory, MetricSpec, Quantity, Reading, Scale,
        quantity::Format,
    },
    trace::{MetricOutcome, Step},
};
use hpa_words::program::typed;
use jiff::Timestamp;

use crate::{Check, Cx, HpaSubject, Rule, RuleOutcome, Severity};

pub(crate) static RULE: Rule = Rule {
    code: "HPA115",
    name: "single-extra-pod",
    summary: "room for one extra pod, which tends to stay",
    severity: Severity::Info,
    is_opt_in: true,
    check: Check::Hpa(check),
    docs: include_str!("single_extra_pod.md"),
    file: file!(),
    ..Rule::BASE
};

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let spec = &cx.subject.spec;
    let (min, max) = (spec.min_replicas(), spec.max_replicas);
    if !(1..=MOST_REPLICAS).contains(&max) || max - 1 != min || min < 1 {
        return Ok(Vec::new());
    }
    let Some(percent) = scale_down_percent(cx, max) else {
        return Ok(Vec::new());
    };
    Ok(vec![
        cx.finding("spec.maxReplicas")
            .message(format!(
                "maxReplicas is minReplicas + 1, and scaling down needs an average at or below {percent}% of the \
                 target, so the extra pod tends to stay"
            ))
            .help(format!("raise maxReplicas; {} shows what would scale it down", typed("explain")))
            .label("spec.minReplicas", "one less"),
    ])
}

/// The highest whole percent of the target at which `current` pods scale down. None if not even 0% does.
fn scale_down_percent(cx: &Cx<'_, HpaSubject>, current: i32) -> Option<i64> {
    (0..100)
        .rev()
        .find(|percent| proposal(cx, current, *percent).is_some_and(|replicas| replicas < current))
}

/// The engine's proposal for `current` pods if an average per pod is at `percent` of its target.
fn proposal(cx: &Cx<'_, HpaSubject>, current: i32, percent: i64) -> Option<i32> {
    let mut observation = without_metrics(&cx.subject.spec, cx.config);
    let quantity = |value: i64| Quantity::from_value(value, Format::DecimalSI);
    observation.hpa.spec.metrics = vec![MetricSpec::external("average", quantity(100))];
    observation.scale = Reading::Read(Scale {
        spec_replicas: current,
        status_replicas: current,
        selector: "app=any".to_owned(),
    });
    observation.external_metrics = vec![IndexedAnswer {
        index: 0,
        answer: Reading::Read(
            vec![ExternalMetricValue {
                labels: Vec::new(),
                timestamp: None,
                value: quantity(percent * i64::from(current)),
            }]
            .into(),
        ),
    }];
    let trace = engine::decide(&observation, &mut Memory::default(), Timestamp::UNIX_EPOCH);
    trace.steps.iter().find_map(|step| match step {
        Step::Metric(evaluation) => match &evaluation.outcome {
            MetricOutcome::Proposal { replicas, .. } => Some(*replicas),
            MetricOutcome::Invalid(_) | MetricOutcome::Unknown(_) => None,
        },
        _ => None,
    })
}

/// With more replicas, one extra pod is a small share.
const MOST_REPLICAS: i32 = 3;

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::rules::behavior::testing::findings_of;

    #[test]
    fn the_percentage_is_what_the_controller_makes_of_it() {
        let reported = |percent: i32| {
            [format!(
                "info spec.maxReplicas: maxReplicas is minReplicas + 1, and scaling down needs an average at or below \
                 {percent}% of the target, so the extra pod tends to stay"
            )]
        };
        assert_eq!(findings_of(&RULE, 1, 2, ""), reported(50));
        assert_eq!(findings_of(&RULE, 2, 3, ""), reported(66));
        let tolerance = "{scaleDown: {tolerance: '0.6'}}";
        assert_eq!(findings_of(&RULE, 1, 2, tolerance), reported(39));
        assert!(findings_of(&RULE, 3, 4, "").is_empty());
        assert!(findings_of(&RULE, 0, 1, "").is_empty());
    }
}
