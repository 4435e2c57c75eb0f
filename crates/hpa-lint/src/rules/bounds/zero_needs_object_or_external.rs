//! HPA105 `zero-needs-object-or-external`.

use crate::{
    Check, Cx, Manifest, Rule, RuleOutcome, Severity,
    rules::schema::refused::{Reporter, refused},
};

pub(crate) static RULE: Rule = Rule {
    code: "HPA105",
    name: "zero-needs-object-or-external",
    summary: "minReplicas is 0 without a metric that works without pods",
    severity: Severity::Error,
    reports_rejections: true,
    check: Check::Manifest(check),
    docs: include_str!("zero_needs_object_or_external.md"),
    file: file!(),
    ..Rule::BASE
};

fn check(cx: &Cx<'_, Manifest>) -> RuleOutcome {
    if refused(cx, Reporter::ZeroWithoutMetric).is_empty() {
        return Ok(Vec::new());
    }
    Ok(vec![
        cx.finding("spec.minReplicas")
            .message("minReplicas is 0 without an Object or External metric, so the API server rejects this HPA")
            .help("add an Object or External metric, or set minReplicas to 1"),
    ])
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::testing::{HPA, table};

    #[test]
    fn one_metric_that_needs_no_pods_is_enough() {
        table(
            &RULE,
            |[metrics]| format!("{HPA}  minReplicas: 0\n  maxReplicas: 3\n  {metrics}\n"),
            r"
one of two | metrics: [{type: Resource, resource: {name: cpu, target: {type: Utilization, averageUtilization: 50}}}, {type: External, external: {metric: {name: q}, target: {type: AverageValue, averageValue: 10}}}]
the metric that the API server fills in needs pods | => error spec.minReplicas: minReplicas is 0 without an Object or External metric, so the API server rejects this HPA
",
        );
    }
}
