//! HPA209 `unreachable-cpu-target`.

use super::ceiling::{ceilings, lower_target};
use crate::{Check, Cx, ForScaledObject, HpaSubject, Needs, Rule, RuleOutcome, Severity};

pub(crate) static RULE: Rule = Rule {
    code: "HPA209",
    name: "unreachable-cpu-target",
    summary: "the CPU limits keep usage below what scales up",
    severity: Severity::Warning,
    worst: Some(Severity::Error),
    needs: Needs::Related,
    check: Check::Hpa(check),
    for_scaled_object: ForScaledObject::ItsHpa,
    docs: include_str!("unreachable_cpu_target.md"),
    file: file!(),
    ..Rule::BASE
};

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let ceilings = ceilings(cx, "cpu")?;
    let unreachable = ceilings
        .iter()
        .filter_map(|one| Some((one, one.out_of_reach()?)));
    Ok(unreachable
        .map(|(one, found)| {
            let (target, threshold, most) = (one.metric.target, one.threshold(), one.highest.most);
            let severity = if found.is_never {
                Severity::Error
            } else {
                Severity::Warning
            };
            one.finding(cx, most <= target)
                .severity(severity)
                .message(format!(
                    "target {target}% scales up only above {threshold}%, but the limits allow at most {most}%, so it \
                     {} scales up",
                    if severity == Severity::Error { "never" } else { "hardly ever" }
                ))
                .help(lower_target(
                    found.reachable,
                    "raise the limits above the requests",
                ))
        })
        .collect())
}

#[cfg(test)]
mod tests {
    use hpa_engine::model::Input;

    use super::RULE;
    use crate::{
        rules::metrics::testing::with_target,
        testing::{report_with, table_of},
    };

    #[test]
    fn request_equal_to_limit_reaches_ninety_percent_and_no_more() {
        table_of(
            |[minor, tolerance, target]| {
                let yaml = with_target("cpu", target.parse().unwrap());
                report_with(&RULE, &yaml, |settings| {
                    let config = &mut settings.configs[0];
                    config.version.value.minor = minor.parse().unwrap();
                    if !tolerance.is_empty() {
                        config.tolerance = Input::given(tolerance.parse().unwrap());
                    }
                })
            },
            r"
90% | 32 | | 90
90% of another version | 33 | | 90
91% | 32 | | 91 => warning spec.metrics[0].resource.target.averageUtilization: target 91% scales up only above 100%, but the limits allow at most 100%, so it hardly ever scales up
  help: lower averageUtilization to 90 or less, or raise the limits above the requests
91% of another version | 33 | | 91
  warning spec.metrics[0].resource.target.averageUtilization: target 91% scales up only above 100%, but the limits allow at most 100%, so it hardly ever scales up
a twentieth beyond the limits is no error yet | 36 | | 95 => warning …
more than a twentieth | 36 | | 96 => error …
the limits | 36 | | 100 => error …
  help: lower averageUtilization to 90 or less, or raise the limits above the requests
far beyond | 36 | | 1000 => error …
  help: lower averageUtilization to 90 or less, or raise the limits above the requests
another tolerance moves the edge | 36 | 0.01 | 98
beyond that edge | 36 | 0.01 | 100 => warning …
",
        );
    }
}
