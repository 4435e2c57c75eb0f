//! HPA210 `saturated-before-scale`.

use super::ceiling::{ceilings, lower_target};
use crate::{
    Check, ConfigurableNumber, Cx, ForScaledObject, HpaSubject, Needs, Rule, RuleOutcome, Severity,
    ThresholdUnit,
};

pub(crate) static RULE: Rule = Rule {
    code: "HPA210",
    name: "saturated-before-scale",
    summary: "scale-up starts only when the pods are almost throttled",
    severity: Severity::Warning,
    needs: Needs::Related,
    yields_to: &["HPA209"],
    thresholds: &[ConfigurableNumber {
        name: "share-of-limit",
        default: 0.9,
        unit: ThresholdUnit::Ratio,
        summary: "the smallest share of the limits that is reported",
    }],
    check: Check::Hpa(check),
    for_scaled_object: ForScaledObject::ItsHpa,
    docs: include_str!("saturated_before_scale.md"),
    file: file!(),
    ..Rule::BASE
};

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let share = cx.threshold("share-of-limit");
    let ceilings = ceilings(cx, "cpu")?;
    let late = ceilings
        .iter()
        .filter(|one| one.least <= one.highest.most && one.is_late(share));
    Ok(late
        .map(|one| {
            let (threshold, most) = (one.threshold(), one.highest.most);
            one.finding(cx, one.is_late_with(0.0, share))
                .message(format!(
                    "scale-up starts above {threshold}% of the request, but the limits cap usage at {most}%, so pods \
                     are throttled first"
                ))
                .help(lower_target(one.highest_in_time(share), "raise the limits"))
        })
        .collect())
}

#[cfg(test)]
mod tests {
    use hpa_engine::model;

    use super::RULE;
    use crate::rules::metrics::testing::{help_of_target, of_target};

    fn at(
        minor: u32,
        target: i32,
        change: impl FnOnce(&mut model::ControllerConfig),
    ) -> Vec<String> {
        of_target(&RULE, "cpu", minor, target, change)
    }

    #[test]
    fn nine_tenths_of_the_limit_are_late() {
        assert!(at(36, 81, |_| {}).is_empty());
        let path = "spec.metrics[0].resource.target.averageUtilization";
        assert_eq!(
            at(36, 82, |_| {}),
            [format!(
                "warning {path}: scale-up starts above 90% of the request, but the limits cap usage at 100%, so \
                 pods are throttled first"
            )]
        );
        assert_eq!(
            help_of_target(&RULE, "cpu", 90),
            "lower averageUtilization to 81 or less, or raise the limits"
        );
        assert_eq!(at(36, 90, |_| {}).len(), 1);
        assert!(at(36, 91, |_| {}).is_empty(), "that is for HPA209");
    }

    #[test]
    fn the_threshold_is_compared_before_it_is_rounded() {
        let example = RULE.docs.split("```").nth(1).unwrap_or_default();
        let found = |target: &str| {
            let yaml = example
                .trim_start_matches("yaml")
                .replace("\n ", "\n")
                .replace("requests: {cpu: 500m}", "requests: {cpu: 300m}")
                .replace("85", target);
            crate::testing::findings(&RULE, &yaml)
        };
        // 1.1 times 136 is 149.6, 0.9 times 166 is 149.4.
        let path = "spec.metrics[0].resource.target.averageUtilization";
        assert_eq!(
            found("136"),
            [format!(
                "warning {path}: scale-up starts above 149% of the request, but the limits cap usage at 166%, so \
                 pods are throttled first"
            )]
        );
        assert!(found("135").is_empty());
    }

    #[test]
    fn a_finding_that_hangs_on_the_assumed_flag_says_so() {
        use crate::{Basis, testing::report};
        let basis = |target: &str| {
            let example = RULE.docs.split("```").nth(1).unwrap_or_default();
            let yaml = example
                .trim_start_matches("yaml")
                .replace("\n ", "\n")
                .replace("85", target);
            report(&RULE, &yaml).findings[0].finding.basis
        };
        assert_eq!(basis("82"), Basis::AssumedFlag);
        assert_eq!(basis("90"), Basis::RelatedManifest);
    }
}
