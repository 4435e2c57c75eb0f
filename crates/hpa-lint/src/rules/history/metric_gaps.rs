//! HPA906 `metric-gaps`.

use hpa_diagnosis::failing_metric::FINDING_PERCENT;

use hpa_words::{clock::span, program::typed};

use crate::{
    Check, ConfigurableNumber, Cx, History, HistorySample, HpaSubject, Needs, Rule, RuleOutcome,
    Severity, ThresholdUnit, explain_command,
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
        let is_invalid = |sample: &HistorySample| sample.invalid >> index & 1 == 1;
        let percent = History::percent(&history.samples, is_invalid);
        if cx.threshold("percent") < percent {
            findings.push(
                cx.finding(format!("spec.metrics[{index}]"))
                    .message(format!(
                        "metric {name} could not be computed in {} of {} ({percent:.1}%), so the HPA could not {scale} then",
                        time(history, is_invalid),
                        time(history, |_| true)
                    ))
                    .help(format!(
                        "{} shows when and why the metric failed, {} why it fails now; if many HPAs are affected, check the server of the metrics API",
                        typed("replay"),
                        explain_command(cx)
                    )),
            );
        }
    }
    Ok(findings)
}

/// The time for which `is_so` holds, in whole seconds.
fn time(history: &History, is_so: impl Fn(&HistorySample) -> bool) -> String {
    span(history.lasting(is_so).as_secs_f64().round())
}
