//! HPA506 `unready-share-high`.

use hpa_diagnosis::pods_not_ready::{FINDING_DURATION, FINDING_PERCENT, NotReadyPods};
use hpa_engine::model::{MetricSpec, Reading};
use hpa_words::clock::rough;
use jiff::SignedDuration;

use crate::{
    Check, ConfigurableNumber, Cx, HpaSubject, Missing, Needs, Rule, RuleOutcome, ThresholdUnit,
    explain_command,
};

pub(crate) static RULE: Rule = Rule {
    code: "HPA506",
    name: "unready-share-high",
    summary: "many pods of the target have not been ready for a long time",
    needs: Needs::Live,
    thresholds: &[
        ConfigurableNumber {
            name: "share",
            default: FINDING_PERCENT,
            unit: ThresholdUnit::Percent,
            summary: "share of the pods above which this is reported",
        },
        ConfigurableNumber {
            name: "for",
            default: FINDING_DURATION,
            unit: ThresholdUnit::Seconds,
            summary: "how long the pods must be in that state",
        },
    ],
    check: Check::Hpa(check),
    docs: include_str!("unready_share_high.md"),
    file: file!(),
    ..Rule::BASE
};

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let mut metrics = cx.subject.spec.metrics.iter();
    if !metrics.any(MetricSpec::is_of_each_pod) {
        return Ok(Vec::new());
    }
    let live = cx.live()?;
    let Reading::Read(_) = &live.observation.pods else {
        return Err(Missing::Because("the pods could not be read".to_owned()));
    };
    #[expect(clippy::cast_possible_truncation, reason = "seconds of a duration")]
    let least = SignedDuration::from_secs(cx.threshold("for") as i64);
    let Some(found) = NotReadyPods::of(live, least) else {
        return Err(Missing::Because(
            "the controller does not evaluate the pods".to_owned(),
        ));
    };
    let NotReadyPods {
        index,
        all: total,
        long,
        without_sample,
    } = &found;
    let is_share = |pods| found.are_many(pods, cx.threshold("share"));
    if !is_share(long.len()) {
        let is_only_missing = is_share(long.len() + without_sample) && 0 < *without_sample;
        return if is_only_missing {
            Err(Missing::Because(format!(
                "a single read does not show since when {without_sample} pods have no sample"
            )))
        } else {
            Ok(Vec::new())
        };
    }
    let (have, them) = if long.len() == 1 {
        ("has", "it")
    } else {
        ("have", "them")
    };
    let shortest = long.iter().min().copied().unwrap_or_default();
    Ok(vec![
        cx.finding(format!("spec.metrics[{index}]"))
            .message(format!(
                "{} of {total} pods {have} been not ready, pending or without samples for at least {}, so the HPA assumes no \
                 usage for {them} before scaling up",
                long.len(),
                rough(shortest)
            ))
            .help(format!(
                "find out why they do not become ready: {} lists each pod with its reason",
                explain_command(cx)
            )),
    ])
}
