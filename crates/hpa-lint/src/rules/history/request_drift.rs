//! HPA909 `request-drift`.

use hpa_engine::model::MetricSpec;
use hpa_words::amount::resource_in_prose;

use crate::{
    Check, ConfigurableNumber, Cx, HpaSubject, Needs, Rule, RuleOutcome, Severity, ThresholdUnit,
};

pub(crate) static RULE: Rule = Rule {
    code: "HPA909",
    name: "request-drift",
    summary: "the requests changed and the target did not",
    severity: Severity::Info,
    needs: Needs::History,
    thresholds: &[ConfigurableNumber {
        name: "percent",
        default: 20.0,
        unit: ThresholdUnit::Percent,
        summary: "change of the requests from which this is reported",
    }],
    check: Check::Hpa(check),
    docs: include_str!("request_drift.md"),
    file: file!(),
    ..Rule::BASE
};

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let history = cx.history()?;
    let mut requests = history.samples.iter().filter_map(|sample| sample.request);
    let (Some((before, target)), Some((after, still))) = (requests.next(), requests.next_back())
    else {
        return Ok(Vec::new());
    };
    if target != still || before <= 0 {
        return Ok(Vec::new());
    }
    #[expect(clippy::cast_precision_loss, reason = "a change in percent")]
    let percent = (after - before) as f64 * 100.0 / before as f64;
    if percent.abs() < cx.threshold("percent") {
        return Ok(Vec::new());
    }
    let metrics = &cx.subject.spec.metrics;
    let index = metrics
        .iter()
        .position(|metric| metric.percent().is_some())
        .unwrap_or_default();
    let resource = metrics.get(index).map_or("", MetricSpec::short_name);
    let resource = resource_in_prose(resource);
    Ok(vec![
        cx.finding(format!("spec.metrics[{index}]"))
            .message(format!(
                "{resource} requests changed by {percent:+.0}% while the target stayed at {target}%, so the HPA scales at another load \
                 than before"
            ))
            .help(format!(
                "set averageUtilization to {target} × old request ÷ new request, or use averageValue"
            )),
    ])
}
