//! HPA902 `saturated`.

use hpa_analysis::seconds;
use hpa_diagnosis::short_at_max::{FINDING_PERCENT, FINDING_WINDOW};
use hpa_words::clock::rough;

use crate::{
    Check, ConfigurableNumber, Cx, History, HpaSubject, Needs, Rule, RuleOutcome, Severity,
    ThresholdUnit, rules::higher_maximum::no_higher_maximum,
};

pub(crate) static RULE: Rule = Rule {
    code: "HPA902",
    name: "saturated",
    summary: "the metrics ask for more than maxReplicas too often",
    severity: Severity::Warning,
    needs: Needs::History,
    thresholds: &[
        ConfigurableNumber {
            name: "percent",
            default: FINDING_PERCENT,
            unit: ThresholdUnit::Percent,
            summary: "share of the time",
        },
        ConfigurableNumber {
            name: "window",
            default: FINDING_WINDOW,
            unit: ThresholdUnit::Seconds,
            summary: "period that is checked",
        },
    ],
    check: Check::Hpa(check),
    docs: include_str!("saturated.md"),
    file: file!(),
    ..Rule::BASE
};

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let history = cx.history()?;
    let window = seconds(cx.threshold("window"));
    let percent = History::percent(history.newest(window), |sample| {
        sample
            .proposal
            .is_some_and(|proposal| sample.max < proposal)
    });
    history.require(
        window,
        &format!(
            ", and in it the metrics asked for more than maxReplicas {percent:.1}% of the time"
        ),
    )?;
    if percent < cx.threshold("percent") {
        return Ok(Vec::new());
    }
    // The last state of the recording shows whether more pods would help.
    let live = cx.live().ok();
    let advice = live.and_then(no_higher_maximum).unwrap_or_else(|| {
        "raise maxReplicas if the cluster has room, or make the pods larger or faster".to_owned()
    });
    Ok(vec![
        cx.finding("spec.maxReplicas")
            .message(format!(
                "the metrics asked for more than maxReplicas during {percent:.1}% of {}, so the load was not met during that time",
                rough(window)
            ))
            .help(advice),
    ])
}
