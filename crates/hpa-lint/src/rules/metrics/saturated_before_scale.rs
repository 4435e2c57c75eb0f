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
    use super::RULE;
    use crate::{
        Basis,
        rules::metrics::testing::with_target,
        testing::{report, table},
    };

    /// The example with another target.
    fn example(target: &str) -> String {
        let example = RULE.docs.split("```").nth(1).unwrap_or_default();
        let example = example.trim_start_matches("yaml").replace("\n ", "\n");
        example.replace("85", target)
    }

    #[test]
    fn nine_tenths_of_the_limit_are_late() {
        table(
            &RULE,
            |[target]| with_target("cpu", target.parse().unwrap()),
            r"
just below | 81
at it | 82 => warning spec.metrics[0].resource.target.averageUtilization: scale-up starts above 90% of the request, but the limits cap usage at 100%, so pods are throttled first
just below the limit | 90 => warning …
  help: lower averageUtilization to 81 or less, or raise the limits
the limit is for HPA209 | 91
",
        );
        // 1.1 times 136 is 149.6, 0.9 times 166 is 149.4.
        table(
            &RULE,
            |[target]| {
                let (old, new) = ("requests: {cpu: 500m}", "requests: {cpu: 300m}");
                example(target).replace(old, new)
            },
            r"
it is compared before it is rounded | 136
  warning spec.metrics[0].resource.target.averageUtilization: scale-up starts above 149% of the request, but the limits cap usage at 166%, so pods are throttled first
one less | 135
",
        );
    }

    #[test]
    fn a_finding_that_hangs_on_the_assumed_flag_says_so() {
        let basis = |target| report(&RULE, &example(target)).findings[0].finding.basis;
        assert_eq!(basis("82"), Basis::AssumedFlag);
        assert_eq!(basis("90"), Basis::RelatedManifest);
    }
}
