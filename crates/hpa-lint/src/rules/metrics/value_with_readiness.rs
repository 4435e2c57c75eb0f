//! HPA221 `value-with-readiness`.

use super::entry::MetricEntry;
use crate::{Check, Cx, HpaSubject, Rule, RuleOutcome, Severity};

pub(crate) static RULE: Rule = Rule {
    code: "HPA221",
    name: "value-with-readiness",
    summary: "a Value target is multiplied by the pods that are ready",
    severity: Severity::Info,
    yields_to: &["HPA220"],
    check: Check::Hpa(check),
    docs: include_str!("value_with_readiness.md"),
    file: file!(),
    ..Rule::BASE
};

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let values = MetricEntry::all(&cx.subject.spec).filter(|entry| entry.is_value());
    Ok(values
        .filter_map(|entry| Some((entry, &entry.identifier()?.name)))
        .map(|(entry, name)| {
            cx.finding(entry.field("target.value"))
                .message(format!(
                    "a Value target on {name} is multiplied by the ready pods, so pods that are not ready lower the \
                     recommendation"
                ))
                .help("use type AverageValue")
        })
        .collect())
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::testing::{HPA, findings};

    #[test]
    fn of_an_object_the_type_decides_and_of_others_the_average_is_first() {
        let yaml = &format!(
            "{HPA}  maxReplicas: 3
  metrics:
  - type: Object
    object:
      metric: {{name: hits}}
      describedObject: {{kind: Service, name: web}}
      target: {{type: AverageValue, value: 10, averageValue: 5}}
  - type: External
    external: {{metric: {{name: jobs}}, target: {{type: AverageValue, value: 10}}}}
"
        );
        assert_eq!(
            findings(&RULE, yaml),
            [
                "info spec.metrics[1].external.target.value: a Value target on jobs is multiplied by the ready \
                 pods, so pods that are not ready lower the recommendation"
            ]
        );
    }
}
