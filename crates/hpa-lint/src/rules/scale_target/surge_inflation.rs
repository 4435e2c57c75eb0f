//! HPA416 `surge-inflation`.

use hpa_engine::model::{MetricSpec, PodShare, rolling_update};

use crate::{
    Check, ConfigurableNumber, Cx, HpaSubject, Needs, Rule, RuleOutcome, Severity, ThresholdUnit,
};

pub(crate) static RULE: Rule = Rule {
    code: "HPA416",
    name: "surge-inflation",
    summary: "a rollout adds many pods that metrics count",
    severity: Severity::Info,
    needs: Needs::Related,
    thresholds: &[ConfigurableNumber {
        name: "share",
        default: 50.0,
        unit: ThresholdUnit::Percent,
        summary: "surge from which this is reported",
    }],
    check: Check::Hpa(check),
    docs: include_str!("surge_inflation.md"),
    file: file!(),
    ..Rule::BASE
};

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let spec = &cx.subject.spec;
    if !cx.subject.target_kind().is_deployment() || spec.metrics.is_empty() {
        return Ok(Vec::new());
    }
    let workload = cx.workload()?;
    let Some(written) = workload
        .max_surge
        .filter(|_| workload.strategy != "Recreate")
    else {
        return Ok(Vec::new());
    };
    let max = spec.max_replicas;
    let percent = match written {
        PodShare::Percent(percent) => f64::from(percent),
        PodShare::Pods(pods) => f64::from(pods) * 100.0 / f64::from(max),
    };
    if percent < cx.threshold("share") {
        return Ok(Vec::new());
    }
    let (surge, _) = rolling_update(Some(written), workload.max_unavailable, max);
    if surge < 2 {
        return Ok(Vec::new());
    }
    let why = if spec.metrics.iter().all(is_average_of_a_total) {
        "within tolerance an average per replica keeps status.replicas, which counts them"
    } else {
        "metrics count them"
    };
    Ok(vec![
        cx.finding("spec.maxReplicas")
            .message(format!(
                "maxSurge {written} adds up to {surge} pods during a rollout; {why}, so the HPA can scale up too far"
            ))
            .help("set maxSurge: 25%, or a scale-up stabilizationWindowSeconds longer than a rollout takes")
            .related(
                workload.object.clone(),
                "spec.strategy.rollingUpdate.maxSurge",
                format!("at maxReplicas {max}"),
            ),
    ])
}

/// Whether the metric is a total that is divided by `status.replicas`.
fn is_average_of_a_total(metric: &MetricSpec) -> bool {
    matches!(metric, MetricSpec::Object(_) | MetricSpec::External(_))
        && metric
            .target()
            .is_some_and(|target| target.target_type == "AverageValue")
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::testing::{hpa_and_workload, table};

    #[test]
    fn half_is_much_and_pods_are_compared_with_the_maximum() {
        table(
            &RULE,
            |[surge]| {
                let spec = format!("  strategy: {{rollingUpdate: {{maxSurge: {surge}}}}}");
                hpa_and_workload("Deployment", "", &spec)
            },
            r"
less than half | 49%
half | 50% => info spec.maxReplicas: maxSurge 50% adds up to 4 pods during a rollout; metrics count them, so the HPA can scale up too far
more than half | 51% => info spec.maxReplicas: maxSurge 51% adds up to 5 pods during a rollout; metrics count them, so the HPA can scale up too far
less pods than half | 3
half of the pods | 4 => info spec.maxReplicas: maxSurge 4 adds up to 4 pods during a rollout; metrics count them, so the HPA can scale up too far
",
        );
    }

    /// <https://github.com/kubernetes/kubernetes/issues/138505>
    #[test]
    fn every_metric_that_counts_pods_is_meant() {
        table(
            &RULE,
            |[metric]| {
                let metrics = format!("  metrics: [{metric}]");
                let spec = "  strategy: {rollingUpdate: {maxSurge: 100%}}";
                hpa_and_workload("Deployment", &metrics, spec)
            },
            r"
pods | {type: Pods, pods: {metric: {name: hits}, target: {type: AverageValue, averageValue: 5}}} => info spec.maxReplicas: maxSurge 100% adds up to 8 pods during a rollout; metrics count them, so the HPA can scale up too far
a value | {type: External, external: {metric: {name: hits}, target: {type: Value, value: 5}}} => info spec.maxReplicas: maxSurge 100% adds up to 8 pods during a rollout; metrics count them, so the HPA can scale up too far
an average of a total | {type: External, external: {metric: {name: hits}, target: {type: AverageValue, averageValue: 5}}} => info spec.maxReplicas: maxSurge 100% adds up to 8 pods during a rollout; within tolerance an average per replica keeps status.replicas, which counts them, so the HPA can scale up too far
",
        );
    }
}
