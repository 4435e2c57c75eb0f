//! HPA223 `quantity-scale`.

use hpa_engine::model::Quantity;
use hpa_words::amount::resource_in_prose;

use super::{entry::MetricEntry, target_pod::TargetPod, words::words};
use crate::{
    Check, ConfigurableNumber, Cx, ForScaledObject, HpaSubject, Rule, RuleOutcome, Severity,
    ThresholdUnit,
};

pub(crate) static RULE: Rule = Rule {
    code: "HPA223",
    name: "quantity-scale",
    summary: "the unit of a target is probably wrong",
    severity: Severity::Warning,
    yields_to: &["HPA224"],
    thresholds: &[ConfigurableNumber {
        name: "cores",
        default: 16.0,
        unit: ThresholdUnit::Count,
        summary: "the smallest CPU target in cores per pod that is reported",
    }],
    check: Check::Hpa(check),
    for_scaled_object: ForScaledObject::ItsHpa,
    docs: include_str!("quantity_scale.md"),
    file: file!(),
    ..Rule::BASE
};

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let spec = &cx.subject.spec;
    let mut findings = Vec::new();
    for entry in MetricEntry::all(spec) {
        let Some((field, value)) = written(cx, entry) else {
            continue;
        };
        let Ok(quantity) = Quantity::parse(value) else {
            continue;
        };
        let Some((name, meaning)) = slip(cx, entry, value, &quantity) else {
            continue;
        };
        findings.push(
            cx.finding(entry.field(&format!("target.{field}")))
                .message(format!(
                    "target {value} of {} means {meaning}, which is probably not intended",
                    resource_in_prose(name)
                ))
                .help(match name {
                    "cpu" => "write 500m for half a core, or averageUtilization for percent",
                    "memory" => "write a unit such as 500Mi, or averageUtilization for percent",
                    _ => "write the target without m if whole units are meant",
                }),
        );
    }
    Ok(findings)
}

/// Name of the metric and the meaning of its target, if that is hardly intended.
fn slip<'a>(
    cx: &Cx<'_, HpaSubject>,
    entry: MetricEntry<'a>,
    text: &str,
    value: &Quantity,
) -> Option<(&'a str, String)> {
    let amount = value.approximate_f64();
    let is_milli = text.ends_with('m');
    match entry.resource() {
        Some(("cpu", container)) => {
            let is_large = cx.threshold("cores") <= amount && !is_as_large(cx, container, value);
            is_large.then(|| ("cpu", format!("{amount} cores per pod")))
        }
        Some(("memory", _)) => {
            (is_milli || amount < MEBIBYTE).then(|| ("memory", format!("{amount} bytes per pod")))
        }
        Some(_) => None,
        None => {
            let name = &entry.identifier()?.name;
            let is_small = is_milli && amount < 1.0 && !is_fractional(name);
            is_small.then(|| (name.as_str(), amount.to_string()))
        }
    }
}

/// Whether the target, if given, has a request or limit of that much CPU.
fn is_as_large(cx: &Cx<'_, HpaSubject>, container: Option<&str>, value: &Quantity) -> bool {
    let Ok(target) = TargetPod::of(cx) else {
        return false;
    };
    let overflow = target.switches.overflow();
    let requests = target.counted(container).into_iter().filter_map(|one| {
        let request = one.request("cpu")?;
        Some(request.milli_value(overflow))
    });
    let limit = target.template.limit("cpu", container);
    let limit = limit.map_or(0, |limit| limit.milli_value(overflow));
    value.milli_value(overflow) <= limit.max(requests.sum())
}

/// Whether a name suggests values that are often below 1.
fn is_fractional(name: &str) -> bool {
    let fractional = [
        "average",
        "avg",
        "busy",
        "cores",
        "cpu",
        "duration",
        "fraction",
        "latency",
        "load",
        "memory",
        "percent",
        "percentage",
        "pressure",
        "qps",
        "rate",
        "ratio",
        "rps",
        "saturation",
        "score",
        "second",
        "seconds",
        "share",
        "time",
        "usage",
        "utilisation",
        "utilization",
        "per",
    ];
    words(name).iter().any(|word| fractional.contains(&&**word))
}

/// The target in effect, as written.
fn written<'a>(cx: &Cx<'a, HpaSubject>, entry: MetricEntry<'_>) -> Option<(&'static str, &'a str)> {
    let target = cx.subject.written.metrics.get(entry.index)?.target()?;
    if entry.is_value() {
        Some(("value", target.value.as_ref()?.0.as_str()))
    } else {
        Some(("averageValue", target.average_value.as_ref()?.0.as_str()))
    }
}

const MEBIBYTE: f64 = 1_048_576.0;

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::testing::{DEPLOYMENT, HPA_V2BETA1, table};

    #[test]
    fn a_unit_is_doubted_where_the_amount_and_the_name_say_so() {
        table(
            &RULE,
            |[name, value, limit]| {
                let metric = match name {
                    "cpu" | "memory" => format!("type: Resource, resource: {{name: {name}"),
                    _ => format!("type: Pods, pods: {{metricName: {name}"),
                };
                format!(
                    "{HPA_V2BETA1}  maxReplicas: 3
  metrics: [{{{metric}, targetAverageValue: {value}}}}}]
{DEPLOYMENT}spec: {{template: {{spec: {{containers: [{{name: app, resources: {{limits: {{cpu: {limit}}}}}}}]}}}}}}
"
                )
            },
            r"
many cores | cpu | 80 | 1 => warning spec.metrics[0].resource.target.averageValue: target 80 of CPU means 80 cores per pod, which is probably not intended
pods are that large | cpu | 80 | 96
just below many cores | cpu | 15999m | 1
just many cores | cpu | 16 | 1 => warning …
memory is in bytes | memory | 512 | 1 => warning spec.metrics[0].resource.target.averageValue: target 512 of memory means 512 bytes per pod, which is probably not intended
enough memory | memory | 1Mi | 1
one byte less | memory | 1048575 | 1 => warning …
half of a request | http_requests | 500m | 1 => warning spec.metrics[0].pods.target.averageValue: target 500m of http_requests means 0.5, which is probably not intended
more than one | http_requests | 1500m | 1
a half that is written as such | http_requests | 0.5 | 1
half of a usage | pool_usage | 500m | 1
",
        );
    }
}
