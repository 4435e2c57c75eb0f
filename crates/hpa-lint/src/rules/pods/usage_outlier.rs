//! HPA510 `usage-outlier`.

use hpa_analysis::selected_pods;
use hpa_engine::{
    model::{ContainerUsage, Pod, Quantity, Reading, quantity::Overflow},
    trace::Milli,
};
use hpa_words::amount::{MetricUnit as Amounts, trimmed};

use super::cpu::cpu_metrics;
use crate::{
    Check, ConfigurableNumber, Cx, HpaSubject, Missing, Needs, Rule, RuleOutcome, ThresholdUnit,
};

pub(crate) static RULE: Rule = Rule {
    code: "HPA510",
    name: "usage-outlier",
    summary: "a pod reports much more CPU than its limit",
    needs: Needs::Live,
    thresholds: &[ConfigurableNumber {
        name: "factor",
        default: 1.5,
        unit: ThresholdUnit::Ratio,
        summary: "usage as a multiple of the limit above which this is reported",
    }],
    check: Check::Hpa(check),
    docs: include_str!("usage_outlier.md"),
    file: file!(),
    ..Rule::BASE
};

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let metrics = cpu_metrics(&cx.subject.spec);
    let Some((index, _)) = metrics.first() else {
        return Ok(Vec::new());
    };
    let live = cx.live()?;
    let Reading::Read(samples) = &live.observation.pod_metrics else {
        return Err(Missing::Because(
            "the pod metrics could not be read".to_owned(),
        ));
    };
    if live.observation.pods.read().is_none() {
        return Err(Missing::Because("the pods could not be read".to_owned()));
    }
    let most = cx.threshold("factor");
    let mut outliers: Vec<(f64, String)> = Vec::new();
    for pod in selected_pods(&live.observation) {
        for sample in samples.iter().filter(|sample| sample.name == pod.name) {
            for container in &sample.containers {
                let same = sample
                    .containers
                    .iter()
                    .filter(|one| one.name == container.name);
                if 1 < same.count() {
                    let text = format!(
                        "pod {} reports container {} twice",
                        pod.name, container.name
                    );
                    outliers.push((f64::INFINITY, text));
                }
                let Some((usage, factor)) = beyond_limit(pod, container) else {
                    continue;
                };
                if most < factor {
                    let of = if pod.containers.len() == 1 {
                        String::new()
                    } else {
                        format!(" for container {}", container.name)
                    };
                    let usage = Amounts::Cores.amount(Milli(usage));
                    let factor_text = trimmed(factor, 1);
                    let text = format!(
                        "pod {} reports {usage} CPU{of}, {factor_text} times its limit",
                        pod.name
                    );
                    outliers.push((factor, text));
                }
            }
        }
    }
    outliers.sort_by(|one, other| other.0.total_cmp(&one.0).then_with(|| one.1.cmp(&other.1)));
    outliers.dedup();
    let Some((_, worst)) = outliers.first() else {
        return Ok(Vec::new());
    };
    let more = match outliers.len() - 1 {
        0 => String::new(),
        more => format!(" (and {more} more like it)"),
    };
    Ok(vec![
        cx.finding(format!("spec.metrics[{index}]"))
            .message(format!("{worst}{more}, so the average is probably too high"))
            .help("compare with kubectl get --raw /api/v1/nodes/NODE/proxy/metrics/resource, and look for a series that appears twice"),
    ])
}

/// The CPU that a container reports in milli-units, and its ratio to the limit.
fn beyond_limit(pod: &Pod, container: &ContainerUsage) -> Option<(i64, f64)> {
    let spec = pod
        .containers
        .iter()
        .chain(&pod.init_containers)
        .find(|one| one.name == container.name)?;
    let milli = |quantity: &Quantity| quantity.milli_value(Overflow::Saturate);
    let limit = milli(spec.limit("cpu")?);
    let usage = container.usage.iter().find(|(name, _)| name == "cpu")?;
    let usage = milli(&usage.1);
    #[expect(clippy::cast_precision_loss, reason = "a factor to two digits")]
    let factor = usage as f64 / limit as f64;
    (0 < limit).then_some((usage, factor))
}
