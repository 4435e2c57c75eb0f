//! HPA505 `non-cpu-startup`.

use super::start::longest_start;
use crate::{
    Check, ConfigurableNumber, Cx, HpaSubject, Needs, Rule, RuleOutcome, Severity, ThresholdUnit,
};

pub(crate) static RULE: Rule = Rule {
    code: "HPA505",
    name: "non-cpu-startup",
    summary: "a Pods metric counts starting pods, and the pods start slowly",
    severity: Severity::Info,
    needs: Needs::Related,
    thresholds: &[ConfigurableNumber {
        name: "start",
        default: 120.0,
        unit: ThresholdUnit::Seconds,
        summary: "startup above which this is reported",
    }],
    check: Check::Hpa(check),
    docs: include_str!("non_cpu_startup.md"),
    file: file!(),
    ..Rule::BASE
};

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let metrics = cx.subject.spec.metrics.iter().enumerate();
    let of_pods: Vec<(usize, &str)> = metrics
        .filter(|(_, metric)| metric.is_pods())
        .map(|(index, metric)| (index, metric.short_name()))
        .collect();
    if of_pods.is_empty() {
        return Ok(Vec::new());
    }
    let workload = cx.template_workload()?;
    let Some(start) = longest_start(workload.pod_template()?) else {
        return Ok(Vec::new());
    };
    #[expect(clippy::cast_possible_truncation, reason = "seconds of a start")]
    let most = cx.threshold("start") as i64;
    if start.seconds <= most {
        return Ok(Vec::new());
    }
    let findings = of_pods.into_iter().map(|(index, name)| {
        cx.finding(format!("spec.metrics[{index}]"))
            .message(format!(
                "metric {name} also counts starting pods, which can take {} s to start, so they can distort the average",
                start.seconds
            ))
            .help("export the metric only once a pod is ready, or filter its query by readiness")
            .related(
                workload.object.clone(),
                start.path.clone(),
                "allows this startup",
            )
    });
    Ok(findings.collect())
}
