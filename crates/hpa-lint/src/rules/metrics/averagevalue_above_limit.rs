//! HPA224 `averagevalue-above-limit`.

use hpa_engine::{
    engine::Reach,
    model::{
        Provenance, Quantity,
        quantity::{Format, Overflow},
    },
};

use super::{entry::MetricEntry, target_pod::TargetPod};
use crate::{Basis, Check, Cx, ForScaledObject, HpaSubject, Needs, Rule, RuleOutcome, Severity};

pub(crate) static RULE: Rule = Rule {
    code: "HPA224",
    name: "averagevalue-above-limit",
    summary: "the limits keep usage below what scales up",
    severity: Severity::Error,
    needs: Needs::Related,
    check: Check::Hpa(check),
    for_scaled_object: ForScaledObject::ItsHpa,
    docs: include_str!("averagevalue_above_limit.md"),
    file: file!(),
    ..Rule::BASE
};

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let spec = &cx.subject.spec;
    let metrics: Vec<_> = MetricEntry::all(spec).filter_map(average).collect();
    if metrics.is_empty() {
        return Ok(Vec::new());
    }
    let target = TargetPod::of(cx)?;
    let reach = Reach::new(cx.config, spec.behavior.as_ref());
    let overflow = target.switches.overflow();
    let mut findings = Vec::new();
    for (entry, resource, container, value) in metrics {
        let expected = value.milli_value(overflow);
        let (Some(limit), Some(least)) = (
            target.limit(cx, resource, container)?,
            reach.least_average(expected),
        ) else {
            continue;
        };
        if least <= limit {
            continue;
        }
        let may_overshoot = resource == "cpu" && least <= limit.saturating_add(limit / 20);
        let severity = if may_overshoot {
            Severity::Warning
        } else {
            Severity::Error
        };
        let is_tolerance = expected < limit;
        let basis = is_tolerance && reach.scale_up_tolerance().provenance == Provenance::Assumed;
        let text = |milli: i64| match resource {
            "memory" => bytes(milli, value.format()),
            _ => Quantity::from_milli(milli, value.format()).to_string(),
        };
        let threshold = text(least - 1);
        let finding = cx
            .finding(entry.field("target.averageValue"))
            .severity(severity)
            .message(format!(
                "averageValue {} needs usage above {threshold}, but the limit is {}, so it {} scales up",
                written(value, resource),
                text(limit),
                if may_overshoot { "hardly ever" } else { "never" }
            ))
            .help(format!(
                "lower averageValue well below {}, or raise the limit",
                text(limit)
            ));
        findings.push(if basis {
            finding.basis(Basis::AssumedFlag)
        } else {
            finding
        });
    }
    Ok(findings)
}

/// The target: an amount of memory that its own format writes in thousandths is written like the others.
fn written(value: &Quantity, resource: &str) -> String {
    let text = value.to_string();
    match text.strip_suffix('m') {
        Some(_) if resource == "memory" => {
            bytes(value.milli_value(Overflow::Saturate), Format::BinarySI)
        }
        _ => text,
    }
}

/// Resource, container and value of an `averageValue` target for pod usage.
fn average(entry: MetricEntry<'_>) -> Option<(MetricEntry<'_>, &str, Option<&str>, &Quantity)> {
    let (resource, container) = entry.resource()?;
    let value = entry.target()?.average_value.as_ref()?;
    Some((entry, resource, container, value))
}

/// An amount of memory, to the nearest tenth, with a suffix that leaves at least three digits before the point.
fn bytes(milli: i64, format: Format) -> String {
    let (step, suffixes) = match format {
        Format::BinarySI => (1024, ["Ki", "Mi", "Gi", "Ti", "Pi"]),
        Format::DecimalSI | Format::DecimalExponent => (1000, ["k", "M", "G", "T", "P"]),
    };
    let bytes = milli / 1000;
    let (mut unit, mut suffix) = (1, "");
    for next in suffixes {
        if bytes / unit / step < 100 {
            break;
        }
        (unit, suffix) = (unit * step, next);
    }
    let tenths = (bytes * 10 + unit / 2) / unit;
    match tenths % 10 {
        0 => format!("{}{suffix}", tenths / 10),
        tenth => format!("{}.{tenth}{suffix}", tenths / 10),
    }
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::testing::{DEPLOYMENT, HPA_V2BETA1, table};

    #[test]
    fn the_tolerance_is_added_to_the_target_and_memory_cannot_overshoot_its_limit() {
        table(
            &RULE,
            |[resource, value, limit]| {
                format!(
                    "{HPA_V2BETA1}  maxReplicas: 3
  metrics: [{{type: Resource, resource: {{name: {resource}, targetAverageValue: {value}}}}}]
{DEPLOYMENT}spec: {{template: {{spec: {{containers: [{{name: app, resources: {{limits: {{{resource}: {limit}}}}}}}]}}}}}}
"
                )
            },
            r"
the limit is above | cpu | 100m | 111m
the limit is what it needs | cpu | 100m | 110m
  warning spec.metrics[0].resource.target.averageValue: averageValue 100m needs usage above 110m, but the limit is 110m, so it hardly ever scales up
the limit is the target | cpu | 100m | 100m => error spec.metrics[0].resource.target.averageValue: averageValue 100m needs usage above 110m, but the limit is 100m, so it never scales up
a fraction of a binary unit is not in thousandths of a byte | memory | 0.3Gi | 256Mi => …averageValue 307.2Mi needs usage above 337.9Mi, but the limit is 256Mi…
memory below its limit | memory | 100Mi | 111Mi
memory at its limit | memory | 100Mi | 110Mi => error …
a unit is changed to compare | memory | 931Mi | 1Gi
  error spec.metrics[0].resource.target.averageValue: averageValue 931Mi needs usage above 1024.1Mi, but the limit is 1024Mi, so it never scales up
a decimal unit | memory | 1G | 1G => error spec.metrics[0].resource.target.averageValue: averageValue 1G needs usage above 1100M, but the limit is 1000M, so it never scales up
bytes | memory | 1000 | 1k => error spec.metrics[0].resource.target.averageValue: averageValue 1k needs usage above 1100, but the limit is 1000, so it never scales up
",
        );
    }
}
