//! HPA225 `coarse-percent-step`.

use hpa_engine::{
    engine::{Reach, utilization_step},
    model::Provenance,
};

use super::entry::utilizations;
use crate::{Basis, Check, Cx, HpaSubject, Rule, RuleOutcome, Severity};

pub(crate) static RULE: Rule = Rule {
    code: "HPA225",
    name: "coarse-percent-step",
    summary: "one percentage point is more than the tolerance",
    severity: Severity::Info,
    check: Check::Hpa(check),
    docs: include_str!("coarse_percent_step.md"),
    file: file!(),
    ..Rule::BASE
};

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let spec = &cx.subject.spec;
    let reach = Reach::new(cx.config, spec.behavior.as_ref());
    let tolerances = [reach.scale_up_tolerance(), reach.scale_down_tolerance()];
    let positive = tolerances.into_iter().filter(|one| 0.0 < one.value);
    let Some(tolerance) = positive.min_by(|a, b| a.value.total_cmp(&b.value)) else {
        return Ok(Vec::new());
    };
    let mut findings = Vec::new();
    for metric in utilizations(spec) {
        let (target, step) = (metric.target, utilization_step(metric.target));
        if step <= tolerance.value {
            continue;
        }
        let finding = cx
            .finding(metric.entry.field("target.averageUtilization"))
            .message(format!(
                "one percentage point at target {target}% changes the ratio by {step:.3}, more than the \
                 tolerance {}, so a single point changes the replicas",
                tolerance.value
            ))
            .help("lower the requests and raise averageUtilization, or use averageValue");
        findings.push(if tolerance.provenance == Provenance::Assumed {
            finding.basis(Basis::AssumedFlag)
        } else {
            finding
        });
    }
    Ok(findings)
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::testing::{HPA, report_at, table_of};

    #[test]
    fn the_tolerance_of_the_hpa_counts_from_the_version_that_heeds_it() {
        table_of(
            |[minor, target]| {
                let yaml = format!(
                    "{HPA}  maxReplicas: 3
  metrics:
  - type: Resource
    resource: {{name: cpu, target: {{type: Utilization, averageUtilization: {target}}}}}
  behavior: {{scaleUp: {{tolerance: 20m}}, scaleDown: {{tolerance: 0}}}}
"
                );
                report_at(&RULE, minor, &yaml)
            },
            r"
a point is more | 36 | 49
  info spec.metrics[0].resource.target.averageUtilization: one percentage point at target 49% changes the ratio by 0.020, more than the tolerance 0.02, so a single point changes the replicas
a point is not more | 36 | 50
the flag counts | 32 | 49
a point is more than the flag | 32 | 9 => info …
a point is the flag | 32 | 10
",
        );
    }
}
