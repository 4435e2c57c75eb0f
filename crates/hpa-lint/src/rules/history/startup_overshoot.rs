//! HPA905 `startup-overshoot`.

use hpa_diagnosis::startup_cpu::FINDING_FACTOR;

use crate::{
    Check, ConfigurableNumber, Cx, HpaSubject, Needs, Rule, RuleOutcome, Severity, ThresholdUnit,
};

pub(crate) static RULE: Rule = Rule {
    code: "HPA905",
    name: "startup-overshoot",
    summary: "the startup CPU of new pods counts as load",
    severity: Severity::Warning,
    needs: Needs::History,
    thresholds: &[ConfigurableNumber {
        name: "factor",
        default: FINDING_FACTOR,
        unit: ThresholdUnit::Ratio,
        summary: "usage of new pods as a multiple of the usage of old pods",
    }],
    check: Check::Hpa(check),
    docs: include_str!("startup_overshoot.md"),
    file: file!(),
    ..Rule::BASE
};

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let samples = &cx.history()?.samples;
    let mean = |of: fn(&crate::HistorySample) -> Option<i64>| {
        let mut weights = 0.0;
        let mut sum = 0.0;
        for sample in samples {
            if let Some(usage) = of(sample) {
                let seconds = sample.lasts.as_secs_f64();
                weights += seconds;
                #[expect(clippy::cast_precision_loss, reason = "a mean of usages")]
                let usage = usage as f64;
                sum += usage * seconds;
            }
        }
        (0.0 < weights).then(|| sum / weights)
    };
    // If no pod started during the recording, there is nothing to compare.
    let means = mean(|sample| sample.young_cpu).zip(mean(|sample| sample.steady_cpu));
    let Some((young, steady)) = means.filter(|(_, steady)| 0.0 < *steady) else {
        return Ok(Vec::new());
    };
    let factor = young / steady;
    if factor <= cx.threshold("factor") {
        return Ok(Vec::new());
    }
    Ok(vec![
        cx.finding("spec.metrics")
            .message(format!(
                "new pods use {factor:.1} times as much CPU in their first 5 min as later, so each scale-up can cause another"
            ))
            .help("add a readinessProbe that passes after the warm-up, or set spec.behavior.scaleUp.stabilizationWindowSeconds longer \
                 than the startup"),
    ])
}
