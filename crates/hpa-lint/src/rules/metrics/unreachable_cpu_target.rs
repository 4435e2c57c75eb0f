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
    fn request_equal_to_limit_reaches_ninety_percent_and_no_more() {
        let path = "spec.metrics[0].resource.target.averageUtilization";
        for minor in [32, 33] {
            assert!(at(minor, 90, |_| {}).is_empty());
            assert_eq!(
                at(minor, 91, |_| {}),
                [format!(
                    "warning {path}: target 91% scales up only above 100%, but the limits allow at most 100%, so \
                     it hardly ever scales up"
                )]
            );
        }
    }

    #[test]
    fn the_help_has_the_highest_target_that_can_scale_up() {
        for target in [91, 100, 1000] {
            assert_eq!(
                help_of_target(&RULE, "cpu", target),
                "lower averageUtilization to 90 or less, or raise the limits above the requests"
            );
        }
    }

    #[test]
    fn a_twentieth_beyond_the_limits_is_no_error_yet() {
        assert!(at(36, 95, |_| {})[0].starts_with("warning"));
        assert!(at(36, 96, |_| {})[0].starts_with("error"));
    }

    #[test]
    fn another_tolerance_of_the_controller_moves_the_edge() {
        let small = |config: &mut model::ControllerConfig| {
            config.tolerance = model::Input::given(0.01);
        };
        assert!(at(36, 98, small).is_empty());
        assert_eq!(at(36, 100, small).len(), 1);
    }
}
