//! HPA216 `duplicate-metric`.

use std::cmp::Ordering;

use hpa_engine::model::{MetricIdentifier, Quantity, quantity::Format};

use super::entry::MetricEntry;
use crate::{Check, Cx, FixStep, ForScaledObject, HpaSubject, Rule, RuleOutcome, Severity};

pub(crate) static RULE: Rule = Rule {
    code: "HPA216",
    name: "duplicate-metric",
    summary: "two metrics measure the same",
    severity: Severity::Warning,
    is_fixable: true,
    check: Check::Hpa(check),
    for_scaled_object: ForScaledObject::ItsHpa,
    docs: include_str!("duplicate_metric.md"),
    file: file!(),
    ..Rule::BASE
};

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let entries: Vec<MetricEntry<'_>> = MetricEntry::all(&cx.subject.spec).collect();
    // Each identity with the place of its strictest metric; of equal ones the first counts.
    let mut groups: Vec<(Identity<'_>, usize)> = Vec::new();
    let mut group_of = Vec::with_capacity(entries.len());
    for (place, one) in entries.iter().enumerate() {
        group_of.push(Identity::of(*one).map(|identity| {
            let known = groups.iter().position(|(other, _)| *other == identity);
            let group = known.unwrap_or(groups.len());
            match groups.get_mut(group) {
                Some((_, strictest)) if cmp(*one, entries[*strictest]).is_lt() => {
                    *strictest = place;
                }
                Some(_) => {}
                None => groups.push((identity, place)),
            }
            group
        }));
    }
    let mut findings = Vec::new();
    for (place, one) in entries.iter().enumerate() {
        let Some(strictest) = group_of[place].map(|group| groups[group].1) else {
            continue;
        };
        if strictest == place {
            continue;
        }
        let counts = entries[strictest];
        let (path, other) = (one.path(), counts.path());
        let finding = cx
            .finding(one.path())
            .message(format!(
                "{path} measures the same as {other}, and only the stricter target counts, so it never decides"
            ))
            .help(format!("remove {path}"))
            .label(counts.path(), "this one counts");
        findings.push(if cx.subject.manifest.version() == "v1" {
            finding
        } else {
            finding.fix(FixStep::Remove { path: one.path() })
        });
    }
    Ok(findings)
}

/// What a metric measures, and the unit of its target.
#[derive(PartialEq)]
struct Identity<'a> {
    metric_type: &'a str,
    resource: Option<(&'a str, Option<&'a str>)>,
    identifier: Option<&'a MetricIdentifier>,
    object: Option<(&'a str, &'a str, &'a str)>,
    unit: ValueUnit,
}

#[derive(PartialEq)]
enum ValueUnit {
    Average,
    Utilization,
    Value,
}

impl<'a> Identity<'a> {
    /// None if its target cannot be compared.
    fn of(entry: MetricEntry<'a>) -> Option<Self> {
        let object = entry.metric.object().map(|source| {
            let object = &source.described_object;
            let api_version = object.api_version.as_deref().unwrap_or_default();
            (api_version, &*object.kind, &*object.name)
        });
        Some(Self {
            metric_type: entry.metric.metric_type(),
            resource: entry.resource(),
            identifier: entry.identifier(),
            object,
            unit: target(entry)?.0,
        })
    }
}

/// The target in effect.
fn target(entry: MetricEntry<'_>) -> Option<(ValueUnit, Quantity)> {
    let target = entry.target()?;
    if let Some(utilization) = entry.utilization() {
        let percent = Quantity::from_value(i64::from(utilization.target), Format::DecimalSI);
        return Some((ValueUnit::Utilization, percent));
    }
    if entry.is_value() {
        return Some((ValueUnit::Value, target.value.clone()?));
    }
    Some((ValueUnit::Average, target.average_value.clone()?))
}

fn cmp(one: MetricEntry<'_>, other: MetricEntry<'_>) -> Ordering {
    match (target(one), target(other)) {
        (Some((_, one)), Some((_, other))) => one.cmp_value(&other),
        _ => Ordering::Equal,
    }
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::testing::{HPA_V2BETA1, table};

    #[test]
    fn of_equal_metrics_the_strictest_stays() {
        table(
            &RULE,
            |[metrics]| {
                // A metric is the label of its selector, and its target.
                let metric = |text: &str| {
                    let (label, target) = text.split_once(' ').unwrap();
                    format!(
                        "{{type: External, external: {{metricName: jobs, metricSelector: {{matchLabels: {{a: {label}}}}}, {target}}}}}"
                    )
                };
                let metrics: Vec<String> = metrics.split(", ").map(metric).collect();
                let metrics = metrics.join(", ");
                format!("{HPA_V2BETA1}  maxReplicas: 3\n  metrics: [{metrics}]\n")
            },
            r"
three | b targetAverageValue: 20, b targetAverageValue: 10, b targetAverageValue: 1e1
  warning spec.metrics[0]: spec.metrics[0] measures the same as spec.metrics[1], and only the stricter target counts, so it never decides
  warning spec.metrics[2]: spec.metrics[2] measures the same as spec.metrics[1], and only the stricter target counts, so it never decides
another selector or kind of target is another metric | b targetAverageValue: 10, c targetAverageValue: 10, b targetValue: 10
",
        );
    }
}
