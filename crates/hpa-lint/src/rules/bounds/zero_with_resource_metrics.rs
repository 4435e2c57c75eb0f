//! HPA106 `zero-with-resource-metrics`.

use hpa_engine::model::MetricSpec;
use hpa_words::amount::resource_in_prose;

use crate::{Check, Cx, HpaSubject, Rule, RuleOutcome};

pub(crate) static RULE: Rule = Rule {
    code: "HPA106",
    name: "zero-with-resource-metrics",
    summary: "minReplicas is 0 next to a metric that rarely asks for 0",
    yields_to: &["HPA105"],
    check: Check::Hpa(check),
    docs: include_str!("zero_with_resource_metrics.md"),
    file: file!(),
    ..Rule::BASE
};

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let spec = &cx.subject.spec;
    if spec.min_replicas() != 0 || !spec.metrics.iter().any(MetricSpec::is_total) {
        return Ok(Vec::new());
    }
    let metrics = spec.metrics.iter().enumerate();
    Ok(metrics
        .filter_map(|(index, metric)| {
            let name = metric.short_name();
            let at = match metric.resource() {
                Some(_) if metric.target()?.average_value.is_none() => "1% or more",
                Some(_) => "any usage",
                None if metric.is_pods() => "any value",
                None => return None,
            };
            Some(
                cx.finding(format!("spec.metrics[{index}]"))
                    .message(format!(
                        "minReplicas is 0, but {} asks for at least 1 replica at {at}, so this HPA rarely reaches 0",
                        resource_in_prose(name)
                    ))
                    .help(format!(
                        "remove spec.metrics[{index}], and scale on Object and External metrics only"
                    ))
                    .label("spec.minReplicas", "rarely reached"),
            )
        })
        .collect())
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::testing::{HPA, findings};

    fn hpa(min: i32, metric: &str) -> String {
        format!(
            "{HPA}  minReplicas: {min}
  maxReplicas: 3
  metrics:
  - {{type: External, external: {{metric: {{name: q}}, target: {{type: AverageValue, averageValue: 10}}}}}}
  - {metric}
"
        )
    }

    #[test]
    fn averages_propose_one_from_anything_on() {
        let pods = "{type: Pods, pods: {metric: {name: rps}, target: {type: AverageValue, averageValue: 1}}}";
        assert_eq!(
            findings(&RULE, &hpa(0, pods)),
            [
                "warning spec.metrics[1]: minReplicas is 0, but rps asks for at least 1 replica at any value, so \
                 this HPA rarely reaches 0"
            ]
        );
        assert!(findings(&RULE, &hpa(1, pods)).is_empty());
    }
}
