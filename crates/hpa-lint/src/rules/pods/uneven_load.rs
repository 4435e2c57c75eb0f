//! HPA511 `uneven-load`.

use hpa_engine::{
    model::MetricSpec,
    trace::{GroupPods, MetricEvaluation, MetricStep, Milli, PodClass, RatioFormula},
};
use hpa_words::amount::trimmed;

use crate::{
    Check, ConfigurableNumber, Cx, HpaSubject, Missing, Needs, Rule, RuleOutcome, Severity,
    ThresholdUnit,
};

pub(crate) static RULE: Rule = Rule {
    code: "HPA511",
    name: "uneven-load",
    summary: "the busiest pod uses far more than the average",
    severity: Severity::Info,
    needs: Needs::Live,
    thresholds: &[ConfigurableNumber {
        name: "factor",
        default: 3.0,
        unit: ThresholdUnit::Ratio,
        summary: "busiest pod as a multiple of the average",
    }],
    check: Check::Hpa(check),
    docs: include_str!("uneven_load.md"),
    file: file!(),
    ..Rule::BASE
};

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let mut metrics = cx.subject.spec.metrics.iter();
    if !metrics.any(MetricSpec::is_of_each_pod) {
        return Ok(Vec::new());
    }
    let live = cx.live()?;
    let Some(pods) = live.observation.pods.read() else {
        return Err(Missing::Because("the pods could not be read".to_owned()));
    };
    let mut findings = Vec::new();
    for metric in live.analysis.trace.metrics() {
        let Some((groups, allowed)) = groups_and_target(metric) else {
            continue;
        };
        let counted: Vec<(usize, i64)> = groups
            .pods
            .iter()
            .filter(|pod| pod.class == PodClass::Ready)
            .filter_map(|pod| Some((pod.pod, pod.usage?.0)))
            .collect();
        let Some((busiest, most)) = counted.iter().max_by_key(|(_, usage)| *usage) else {
            continue;
        };
        #[expect(clippy::cast_precision_loss, reason = "a factor to one digit")]
        let factor = {
            let sum: f64 = counted.iter().map(|(_, usage)| *usage as f64).sum();
            *most as f64 * counted.len() as f64 / sum
        };
        #[expect(clippy::cast_precision_loss, reason = "compared, not printed")]
        let is_hot = allowed < *most as f64;
        if is_hot && cx.threshold("factor") < factor {
            let factor = trimmed(factor, 1);
            let finding = cx
                .finding(format!("spec.metrics[{}]", metric.index))
                .message(format!(
                    "pod {} uses {factor} times the average and more than the target, but the HPA sees only the average",
                    pods[*busiest].name
                ))
                .help("balance the load, or scale on a metric that shows the busiest pod, such as a latency");
            findings.push(finding);
        }
    }
    Ok(findings)
}

/// The pods of a metric, and the target per pod in milli-units.
fn groups_and_target(metric: &MetricEvaluation) -> Option<(&GroupPods, f64)> {
    let groups = metric.steps.iter().find_map(|step| match step {
        MetricStep::GroupPods(groups) => Some(groups),
        _ => None,
    })?;
    let formula = metric.steps.iter().find_map(|step| match step {
        MetricStep::UsageRatio(ratio) => Some(ratio.formula),
        _ => None,
    })?;
    #[expect(clippy::cast_precision_loss, reason = "compared, not printed")]
    let allowed = match formula {
        RatioFormula::Utilization {
            requests: Milli(requests),
            pods,
            target,
            ..
        } => requests as f64 * f64::from(target.0) / (pods as f64 * 100.0),
        RatioFormula::PodAverage {
            target: Milli(target),
            ..
        } => target as f64,
        RatioFormula::AveragePerReplica { .. } | RatioFormula::Value { .. } => return None,
    };
    Some((groups, allowed))
}
