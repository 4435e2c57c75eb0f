//! HPA231 `averagevalue-on-ratio`.

use hpa_engine::model::Trigger;

use super::{additive::NotAdditive, entry::MetricEntry};
use crate::{
    Check, Cx, ForScaledObject, HpaSubject, Rule, RuleOutcome, ScaledObjectSubject, TriggerTarget,
};

pub(crate) static RULE: Rule = Rule {
    code: "HPA231",
    name: "averagevalue-on-ratio",
    summary: "an AverageValue target on a latency or ratio",
    check: Check::Hpa(check),
    for_scaled_object: ForScaledObject::Itself(check_scaled_object),
    docs: include_str!("averagevalue_on_ratio.md"),
    file: file!(),
    ..Rule::BASE
};

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let entries = MetricEntry::all(&cx.subject.spec).filter(MetricEntry::is_divided_by_pods);
    let found = entries.filter_map(|entry| {
        let name = &entry.identifier()?.name;
        Some((NotAdditive::of_name(name)?, name, entry))
    });
    Ok(found
        .map(|(kind, name, entry)| {
            let kind = kind.noun();
            cx.finding(entry.field("target.averageValue"))
                .message(format!(
                    "an AverageValue target divides {name} by the replicas, but a {kind} does not add up over pods: the \
                     same {kind} asks for the same replicas, however many run"
                ))
                .help("use type Value with the same number")
        })
        .collect())
}

fn check_scaled_object(cx: &Cx<'_, ScaledObjectSubject>) -> RuleOutcome {
    let keda = &cx.subject.scaled_object.keda;
    if keda.has_formula {
        return Ok(Vec::new());
    }
    let triggers = keda.triggers.iter().enumerate();
    let found = triggers.filter_map(|(index, trigger)| {
        let is_average = TriggerTarget::type_of(trigger) == Some("AverageValue");
        let is_own = TriggerTarget::is_of_pods(trigger);
        let kind = (is_average && !is_own)
            .then(|| kind_of(trigger))
            .flatten()?;
        Some((index, trigger, kind.noun()))
    });
    Ok(found
        .map(|(index, trigger, kind)| {
            let because = match trigger.metric_type.as_deref() {
                None | Some("") => "metricType is AverageValue by default",
                Some(_) => "metricType is AverageValue",
            };
            let target = TriggerTarget::of(trigger);
            let target = target.map_or_else(
                || "the target".to_owned(),
                |target| format!("{} {}", target.key, target.value),
            );
            cx.finding(format!("spec.triggers[{index}]"))
                .message(format!(
                    "the {kind} of trigger {} is divided by the replicas, because {because}: it asks for the {kind} / \
                     {target}, however many replicas run",
                    trigger.trigger_type
                ))
                .help("set metricType: Value")
        })
        .collect())
}

/// What the value of a trigger is, if it does not add up over pods.
fn kind_of(trigger: &Trigger) -> Option<NotAdditive> {
    let text = |key: &str| trigger.metadata.get(key).map(String::as_str);
    match &*trigger.trigger_type {
        "prometheus" => NotAdditive::of_query(text("query")?),
        "aws-cloudwatch" | "azure-monitor" | "huawei-cloudeye" => {
            NotAdditive::of_name(text("metricName")?)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::testing::{SCALED_OBJECT, hpa_with_metric, table};

    #[test]
    fn what_is_divided_by_the_replicas_must_be_a_sum() {
        table(
            &RULE,
            |[trigger]| format!("{SCALED_OBJECT}  triggers: [{{type: {trigger}}}]\n"),
            r"
the default type divides | prometheus, metadata: {query: 'histogram_quantile(0.95, sum by (le) (rate(order_seconds_bucket[5m])))', threshold: '0.5'}
  warning spec.triggers[0]: the quantile of trigger prometheus is divided by the replicas, because metricType is AverageValue by default: it asks for the quantile / threshold 0.5, however many replicas run
the type is written | prometheus, metricType: AverageValue, metadata: {query: 'histogram_quantile(0.95, sum by (le) (rate(order_seconds_bucket[5m])))', threshold: '0.5'} => warning …
another type | prometheus, metricType: Value, metadata: {query: 'histogram_quantile(0.95, sum by (le) (rate(order_seconds_bucket[5m])))', threshold: '0.5'}
a sum | prometheus, metadata: {query: 'sum(rate(a[5m]))', threshold: '5'}
the name of a percentage | aws-cloudwatch, metadata: {metricName: CPUUtilization, targetMetricValue: '50'} => warning …
CPU | cpu, metricType: AverageValue, metadata: {value: '1'}
",
        );
        table(
            &RULE,
            |[name, target]| {
                let metric = format!(
                    "{{type: External, external: {{metric: {{name: {name}}}, target: {{{target}}}}}}}"
                );
                hpa_with_metric("v2", &metric)
            },
            r"
a time | request_latency_seconds | type: AverageValue, averageValue: 500m => …
a share | gpu_utilization_percent | type: AverageValue, averageValue: 500m => …
a number | queue_messages | type: AverageValue, averageValue: 500m
a time that is not divided | request_latency_seconds | type: Value, value: 500m
",
        );
    }
}
