//! HPA506 `unready-share-high`.

use hpa_analysis::Assessment;
use hpa_diagnosis::pods_not_ready::{FINDING_DURATION, FINDING_PERCENT};
use hpa_engine::{
    model::{ConditionStatus, MetricSpec, Pod, Reading},
    trace::{GroupPods, MetricStep, PodClass},
};
use hpa_words::clock::rough;
use jiff::{SignedDuration, Timestamp};

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
    let Reading::Read(pods) = &live.observation.pods else {
        return Err(Missing::Because("the pods could not be read".to_owned()));
    };
    // The metric that counts the fewest pods.
    let worst = groups(live).max_by_key(|(_, groups)| groups.unready + groups.missing);
    let Some((index, groups)) = worst else {
        return Err(Missing::Because(
            "the controller does not evaluate the pods".to_owned(),
        ));
    };
    let total = groups.pods.len().saturating_sub(groups.ignored);
    #[expect(clippy::cast_possible_truncation, reason = "seconds of a duration")]
    let least = SignedDuration::from_secs(cx.threshold("for") as i64);
    let since = |class: PodClass| {
        let of_class = groups.pods.iter().filter(move |pod| pod.class == class);
        of_class.map(|classified| unready_since(&pods[classified.pod]))
    };
    let long: Vec<SignedDuration> = since(PodClass::Unready)
        .chain(since(PodClass::Missing))
        .flatten()
        .map(|since| live.now.duration_since(since))
        .filter(|unready| least < *unready)
        .collect();
    let is_share = |pods: usize| {
        #[expect(clippy::cast_precision_loss, reason = "numbers of pods")]
        let (pods, total) = (pods as f64, total as f64);
        cx.threshold("share") < pods * 100.0 / total
    };
    if !is_share(long.len()) {
        let is_only_missing = is_share(long.len() + groups.missing) && 0 < groups.missing;
        return if is_only_missing {
            Err(Missing::Because(format!(
                "a single read does not show since when {} pods have no sample",
                groups.missing
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

/// The controller's classification of the pods, by index of the metric.
fn groups(live: &Assessment) -> impl Iterator<Item = (usize, &GroupPods)> {
    live.analysis.trace.metrics().filter_map(|metric| {
        let groups = metric.steps.iter().find_map(|step| match step {
            MetricStep::GroupPods(groups) => Some(groups),
            _ => None,
        });
        Some((metric.index, groups?))
    })
}

/// The latest possible time since when a pod has not been ready. None: it is ready.
fn unready_since(pod: &Pod) -> Option<Timestamp> {
    match pod.ready {
        Some(ready) if ready.status == ConditionStatus::True => None,
        Some(ready) => ready.last_transition.or(pod.created),
        None => pod.created,
    }
}
