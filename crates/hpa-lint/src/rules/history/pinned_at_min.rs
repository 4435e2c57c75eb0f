//! HPA903 `pinned-at-min`.

use hpa_analysis::seconds;
use hpa_words::clock::rough;

use crate::{
    Check, ConfigurableNumber, Cx, HpaSubject, Needs, Rule, RuleOutcome, Severity, ThresholdUnit,
};

pub(crate) static RULE: Rule = Rule {
    code: "HPA903",
    name: "pinned-at-min",
    summary: "the replicas never leave minReplicas",
    severity: Severity::Info,
    needs: Needs::History,
    thresholds: &[ConfigurableNumber {
        name: "window",
        default: 1_209_600.0,
        unit: ThresholdUnit::Seconds,
        summary: "period that is checked",
    }],
    check: Check::Hpa(check),
    docs: include_str!("pinned_at_min.md"),
    file: file!(),
    ..Rule::BASE
};

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let history = cx.history()?;
    let window = seconds(cx.threshold("window"));
    let samples = history.newest(window);
    let is_pinned = |sample: &crate::HistorySample| sample.replicas == Some(sample.min);
    if !samples.iter().all(is_pinned) {
        return Ok(Vec::new());
    }
    history.require(window, ", and in it the replicas never left minReplicas")?;
    Ok(vec![
        cx.finding("spec.minReplicas")
            .message(format!(
                "the replicas have been at minReplicas for {}, so the HPA has had no effect",
                rough(window)
            ))
            .help("lower minReplicas or the targets if fewer pods are safe, or delete the HPA"),
    ])
}
