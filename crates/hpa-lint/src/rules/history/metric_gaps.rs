//! HPA906 `metric-gaps`.

use hpa_diagnosis::failing_metric::FINDING_PERCENT;

use crate::{
    Check, ConfigurableNumber, Cx, History, HpaSubject, Needs, Rule, RuleOutcome, Severity,
    ThresholdUnit,
};

pub(crate) static RULE: Rule = Rule {
    code: "HPA906",
    name: "metric-gaps",
    summary: "a metric could not be computed in too many syncs",
    severity: Severity::Warning,
    needs: Needs::History,
    thresholds: &[ConfigurableNumber {
        name: "percent",
        default: FINDING_PERCENT,
        unit: ThresholdUnit::Percent,
        summary: "share of the syncs above which this is reported",
    }],
    check: Check::Hpa(check),
    docs: include_str!("metric_gaps.md"),
    file: file!(),
    ..Rule::BASE
};

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let history = cx.history()?;
    // Another metric can still scale it up.
    let scale = if history.metrics.len() == 1 {
        "scale"
    } else {
        "scale down"
    };
    let mut findings = Vec::new();
    for (index, name) in history.metrics.iter().enumerate().take(64) {
        let percent = History::percent(&history.samples, |sample| sample.invalid >> index & 1 == 1);
        if cx.threshold("percent") < percent {
            findings.push(
                cx.finding(format!("spec.metrics[{index}]"))
                    .message(format!(
                        "metric {name} could not be computed in {percent:.1}% of syncs, so the HPA could not {scale} then"
                    ))
                    .help("kubectl hpa replay shows when and why the metric failed; if many HPAs are affected, check the server of the metrics API"),
            );
        }
    }
    Ok(findings)
}
