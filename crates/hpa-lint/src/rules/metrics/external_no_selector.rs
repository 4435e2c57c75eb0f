//! HPA222 `external-no-selector`.

use super::entry::MetricEntry;
use crate::{Check, Cx, HpaSubject, Rule, RuleOutcome, Severity};

pub(crate) static RULE: Rule = Rule {
    code: "HPA222",
    name: "external-no-selector",
    summary: "an external metric without a selector",
    severity: Severity::Warning,
    check: Check::Hpa(check),
    docs: include_str!("external_no_selector.md"),
    file: file!(),
    ..Rule::BASE
};

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let unselected = MetricEntry::all(&cx.subject.spec).filter_map(|entry| {
        let metric = entry.metric.external_identifier()?;
        let is_unselected = metric.selector.as_ref().is_none_or(|selector| {
            selector.match_labels.is_empty() && selector.match_expressions.is_empty()
        });
        (is_unselected && !metric.name.starts_with("datadogmetric@"))
            .then_some((entry, &metric.name))
    });
    Ok(unselected
        .map(|(entry, name)| {
            cx.finding(entry.field("metric"))
                .message(format!(
                    "external metric {name} has no selector, so all its series are added up"
                ))
                .help("set metric.selector.matchLabels to the labels of this workload's series")
        })
        .collect())
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::testing::{HPA_V2BETA1, table};

    #[test]
    fn an_empty_selector_selects_everything_and_an_expression_does_not() {
        table(
            &RULE,
            |[selector]| {
                format!(
                    "{HPA_V2BETA1}  maxReplicas: 3
  metrics:
  - type: External
    external: {{metricName: jobs, metricSelector: {selector}, targetValue: 20}}
"
                )
            },
            "
empty |{} => warning spec.metrics[0].external.metric: external metric jobs has no selector, so all its series are added up
an expression |{matchExpressions: [{key: queue, operator: Exists}]}
",
        );
    }
}
