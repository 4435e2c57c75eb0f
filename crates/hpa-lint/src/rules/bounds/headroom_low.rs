//! HPA109 `headroom-low`.

use crate::{
    Check, ConfigurableNumber, Cx, HpaSubject, Rule, RuleOutcome, Severity, ThresholdUnit,
};

pub(crate) static RULE: Rule = Rule {
    code: "HPA109",
    name: "headroom-low",
    summary: "maxReplicas leaves little room above minReplicas",
    severity: Severity::Info,
    yields_to: &["HPA101"],
    thresholds: &[ConfigurableNumber {
        name: "factor",
        default: 1.5,
        unit: ThresholdUnit::Ratio,
        summary: "the smallest acceptable maxReplicas, as a multiple of minReplicas",
    }],
    check: Check::Hpa(check),
    docs: include_str!("headroom_low.md"),
    file: file!(),
    ..Rule::BASE
};

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let spec = &cx.subject.spec;
    let (min, max) = (spec.min_replicas(), spec.max_replicas);
    let factor = cx.threshold("factor");
    // Divided, not multiplied: 11 ÷ 10 equals the written 1.1, but 10 × 1.1 is more than 11.
    let is_enough = |max: f64| factor <= max / f64::from(min);
    // The API server rejects a negative minReplicas; it has no multiple.
    if min < 0 || max <= min || is_enough(f64::from(max)) {
        return Ok(Vec::new());
    }
    let near = (f64::from(min) * factor).round();
    let least = if is_enough(near) { near } else { near + 1.0 };
    let headroom = i64::from(max) - i64::from(min);
    let pods = if headroom == 1 { "pod" } else { "pods" };
    Ok(vec![
        cx.finding("spec.maxReplicas")
            .message(format!(
                "maxReplicas {max} leaves room for only {headroom} {pods} above minReplicas {min}, so a peak soon \
                 uses it up"
            ))
            .help(format!("raise maxReplicas to {least} or more"))
            .label("spec.minReplicas", "the range starts here"),
    ])
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::RULE;
    use crate::testing::{HPA_V1, findings, report_with, texts};

    fn hpa(min: i32, max: i32) -> String {
        format!(
            "{HPA_V1}  minReplicas: {min}
  maxReplicas: {max}
"
        )
    }

    #[test]
    fn one_pod_is_one_pod_and_the_factor_can_be_another() {
        let report = report_with(&RULE, &hpa(1, 2), |settings| {
            settings.thresholds.insert(("HPA109", "factor"), 3.0);
        });
        assert_eq!(
            texts(&report),
            [
                "info spec.maxReplicas: maxReplicas 2 leaves room for only 1 pod above minReplicas 1, so a peak \
                 soon uses it up"
            ]
        );
        assert!(findings(&RULE, &hpa(1, 2)).is_empty());
    }

    #[test]
    fn of_a_minimum_that_is_refused_nothing_is_advised() {
        assert!(findings(&RULE, &hpa(-1, 10)).is_empty());
        assert!(findings(&RULE, &hpa(-1, 0)).is_empty());
    }

    proptest! {
        #[test]
        fn the_edge_is_one_and_a_half_times_the_minimum_rounded_up(min in 1..200_i32) {
            let edge = min + (min + 1) / 2;
            prop_assert!(findings(&RULE, &hpa(min, edge)).is_empty());
            let is_below = min < edge - 1;
            prop_assert_eq!(findings(&RULE, &hpa(min, edge - 1)).len(), usize::from(is_below));
        }
    }
}
