//! HPA323 `tolerance-below-step`.

use hpa_engine::{
    engine::AfterMetrics,
    model::{Direction, MetricSpec},
};

use super::side::{Side, observation, rounded};
use crate::{Check, Cx, ForScaledObject, HpaSubject, Rule, RuleOutcome, Severity};

pub(crate) static RULE: Rule = Rule {
    code: "HPA323",
    name: "tolerance-below-step",
    summary: "a tolerance is finer than one percentage point",
    severity: Severity::Info,
    is_opt_in: true,
    yields_to: &["HPA322"],
    check: Check::Hpa(check),
    for_scaled_object: ForScaledObject::ItsHpa,
    docs: include_str!("tolerance_below_step.md"),
    file: file!(),
    ..Rule::BASE
};

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let metrics = &cx.subject.spec.metrics;
    let targets: Option<Vec<i32>> = metrics.iter().map(utilization).collect();
    let Some(highest) = targets.and_then(|targets| targets.into_iter().max()) else {
        return Ok(Vec::new());
    };
    if highest < 1 {
        return Ok(Vec::new());
    }
    let observation = observation(cx);
    let engine = AfterMetrics::of(&observation);
    Ok(Side::tolerances(cx)
        .filter(|(side, _)| {
            // Lower targets have larger steps.
            let step = if side.direction == Direction::Up {
                1.0
            } else {
                -1.0
            };
            let target = f64::from(highest);
            !engine.is_within_tolerance((target + step) / target)
        })
        .map(|(side, tolerance)| {
            cx.finding(side.field("tolerance"))
                .message(format!(
                    "tolerance {} is finer than one percentage point of target {highest}%, so every point counts",
                    rounded(tolerance)
                ))
                .help(format!(
                    "set tolerance to more than 1/{highest}, or accept that every point counts"
                ))
        })
        .collect())
}

/// The target of a metric, if it is a utilization.
fn utilization(metric: &MetricSpec) -> Option<i32> {
    let is_average = metric.target()?.average_value.is_some();
    metric.percent().filter(|_| !is_average)
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::rules::behavior::testing::{behaviors, findings_of};

    #[test]
    fn one_point_of_the_highest_target_is_the_edge() {
        let found = |tolerance: &str| {
            let behavior = format!(
                "{{scaleDown: {{tolerance: {tolerance}}}}}
  metrics:
    - type: Resource
      resource: {{name: cpu, target: {{type: Utilization, averageUtilization: 50}}}}
    - type: Resource
      resource: {{name: memory, target: {{type: Utilization, averageUtilization: 80}}}}"
            );
            findings_of(&RULE, 1, 9, &behavior).len()
        };
        assert_eq!(["12m", "0.0125"].map(found), [1, 0]);
    }

    #[test]
    fn the_target_that_the_api_server_fills_in_counts() {
        behaviors(
            &RULE,
            "filled in |1 |9 |{scaleUp: {tolerance: 0.0124}} => info spec.behavior.scaleUp.tolerance: tolerance 0.0124 is finer than one percentage point of target 80%, so every point counts",
        );
    }
}
