//! HPA216 `duplicate-metric`.

use hpa_diagnosis::duplicate_metric::{DuplicateMetric, duplicate_metrics};

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
    let mut findings = Vec::new();
    for DuplicateMetric { index, counts } in duplicate_metrics(&cx.subject.spec) {
        let (one, counts) = (entries[index], entries[counts]);
        // HPA230 reports a name that only means a resource.
        let has_average = one
            .target()
            .is_some_and(|target| target.average_value.is_some());
        if one.meant_resource().is_some() && !has_average {
            continue;
        }
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
