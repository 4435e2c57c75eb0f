//! HPA218 `single-adapter-dependency`.

use super::{
    api::{Api, api},
    entry::MetricEntry,
};
use crate::{Check, Cx, HpaSubject, Rule, RuleOutcome, Severity};

pub(crate) static RULE: Rule = Rule {
    code: "HPA218",
    name: "single-adapter-dependency",
    summary: "all metrics come from one adapter",
    severity: Severity::Info,
    check: Check::Hpa(check),
    docs: include_str!("single_adapter_dependency.md"),
    file: file!(),
    ..Rule::BASE
};

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let spec = &cx.subject.spec;
    let mut sources = MetricEntry::all(spec).map(api);
    let Some(first) = sources.next() else {
        return Ok(Vec::new());
    };
    let adapter = match first {
        Api::Custom => "the custom metrics API",
        Api::External if MetricEntry::all(spec).all(is_of_keda) => "KEDA",
        Api::External => "the external metrics API",
        Api::Resource | Api::Unknown => return Ok(Vec::new()),
    };
    if sources.any(|api| api != first) {
        return Ok(Vec::new());
    }
    Ok(vec![
        cx.finding("spec.metrics")
            .message(format!(
                "all metrics come from {adapter}, so scaling stops while it is down"
            ))
            .help("add a CPU metric as a floor, or a fallback in KEDA"),
    ])
}

/// KEDA's external metrics select their ScaledObject, and their names start with the trigger's number.
fn is_of_keda(entry: MetricEntry<'_>) -> bool {
    let Some(metric) = entry.identifier() else {
        return false;
    };
    let number = metric
        .name
        .strip_prefix('s')
        .and_then(|rest| rest.split('-').next());
    let is_numbered = number.is_some_and(|number| number.parse::<u32>().is_ok());
    let selector = metric.selector.as_ref();
    let selects =
        selector.is_some_and(|one| one.match_labels.contains_key("scaledobject.keda.sh/name"));
    is_numbered && selects
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::testing::{HPA, table};

    #[test]
    fn metrics_of_keda_are_known_by_name_and_selector() {
        table(
            &RULE,
            |[name, label]| {
                format!(
                    "{HPA}  maxReplicas: 3
  metrics:
  - type: External
    external:
      metric: {{name: {name}, selector: {{matchLabels: {{{label}: web}}}}}}
      target: {{type: AverageValue, averageValue: 1}}
"
                )
            },
            r"
of KEDA | s0-rabbitmq-jobs | scaledobject.keda.sh/name => info spec.metrics: all metrics come from KEDA, so scaling stops while it is down
of another one | jobs | queue => info spec.metrics: all metrics come from the external metrics API, so scaling stops while it is down
",
        );
    }
}
