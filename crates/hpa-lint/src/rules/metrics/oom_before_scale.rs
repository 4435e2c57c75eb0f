//! HPA211 `oom-before-scale`.

use super::ceiling::{ceilings, lower_target};
use crate::{
    Check, ConfigurableNumber, Cx, ForScaledObject, HpaSubject, Needs, Rule, RuleOutcome, Severity,
    ThresholdUnit,
};

pub(crate) static RULE: Rule = Rule {
    code: "HPA211",
    name: "oom-before-scale",
    summary: "the memory limit is reached before scale-up starts",
    severity: Severity::Warning,
    needs: Needs::Related,
    thresholds: &[ConfigurableNumber {
        name: "share-of-limit",
        default: 0.9,
        unit: ThresholdUnit::Ratio,
        summary: "the smallest share of the limit that is reported",
    }],
    check: Check::Hpa(check),
    for_scaled_object: ForScaledObject::ItsHpa,
    docs: include_str!("oom_before_scale.md"),
    file: file!(),
    ..Rule::BASE
};

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let share = cx.threshold("share-of-limit");
    let ceilings = ceilings(cx, "memory")?;
    let late = ceilings.iter().filter(|one| one.is_late(share));
    Ok(late
        .map(|one| {
            let (threshold, most) = (one.threshold(), one.highest.most);
            one.finding(cx, one.is_late_with(0.0, share))
                .message(format!(
                    "scale-up on memory starts above {threshold}% of the request, but the limit is at {most}%, so pods \
                     can be OOM-killed first"
                ))
                .help(lower_target(
                    one.highest_in_time(share),
                    "raise the memory limit",
                ))
        })
        .collect())
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::{rules::metrics::testing::with_target, testing::table};

    #[test]
    fn nine_tenths_of_the_limit_are_too_late() {
        table(
            &RULE,
            |[target]| with_target("memory", target.parse().unwrap()),
            r"
just below | 81
at it | 82 => warning spec.metrics[0].resource.target.averageUtilization: scale-up on memory starts above 90% of the request, but the limit is at 100%, so pods can be OOM-killed first
the limit | 100 => warning spec.metrics[0].resource.target.averageUtilization: scale-up on memory starts above 110% of the request, but the limit is at 100%, so pods can be OOM-killed first
",
        );
    }
}
