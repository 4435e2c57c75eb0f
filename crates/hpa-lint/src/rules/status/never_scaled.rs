//! HPA810 `never-scaled`.

use hpa_words::clock::rough;

use crate::{
    Check, ConfigurableNumber, Cx, HpaSubject, Missing, Needs, Rule, RuleOutcome, Severity,
    ThresholdUnit,
};

pub(crate) static RULE: Rule = Rule {
    code: "HPA810",
    name: "never-scaled",
    summary: "the HPA has never changed the replicas",
    severity: Severity::Info,
    needs: Needs::Live,
    thresholds: &[ConfigurableNumber {
        name: "age",
        default: 2_592_000.0,
        unit: ThresholdUnit::Seconds,
        summary: "age above which this is reported",
    }],
    check: Check::Hpa(check),
    docs: include_str!("never_scaled.md"),
    file: file!(),
    ..Rule::BASE
};

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let live = cx.live()?;
    let hpa = &live.observation.hpa;
    if hpa.status.last_scale_time.is_some() {
        return Ok(Vec::new());
    }
    let created = hpa
        .created
        .ok_or_else(|| Missing::unknown("when the HPA was created"))?;
    let age = live.since(created);
    if age.as_secs_f64() <= cx.threshold("age") {
        return Ok(Vec::new());
    }
    Ok(vec![
        cx.finding("spec")
            .message(format!(
                "the HPA has not scaled once in {}, so it possibly has no effect",
                rough(age)
            ))
            .help("review minReplicas and the targets, or delete the HPA"),
    ])
}
