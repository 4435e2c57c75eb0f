//! Wanted pods that are not created, or have no node.

use hpa_analysis::RefusalState;
use hpa_diagnosis::pods_not_running::{self as judged, CREATION_ALARM_WAIT, SCHEDULING_TAKES};
use jiff::SignedDuration;

use super::{
    AlarmKind,
    conditions::{AlarmCondition, AlarmContext, few, most_frequent, pods, without_numbers},
};

/// Holds while pods are not created or not scheduled for longer than usual.
pub(super) fn check(cx: &AlarmContext<'_>) -> Vec<AlarmCondition> {
    not_created(cx)
        .into_iter()
        .chain(not_scheduled(cx))
        .collect()
}

fn not_created(cx: &AlarmContext<'_>) -> Option<AlarmCondition> {
    let context = &cx.hpa.latest.assessment.context;
    let missing = judged::not_created(cx.facts.observation, context)?;
    let why = match (missing.refusal, missing.over) {
        (Some(refusal), _) if refusal.state == RefusalState::Unknown => format!(
            "the quotas were not read, and the last refusal was: {}",
            refusal.message.trim_end_matches('.')
        ),
        (Some(refusal), _) => refusal.message.trim_end_matches('.').to_owned(),
        // Pods follow once the controller of the ReplicaSet tries again.
        (None, Some(_)) => return None,
        (None, None) if missing.is_ordered => {
            "podManagementPolicy OrderedReady makes one after the other".to_owned()
        }
        (None, None) => "nothing says why".to_owned(),
    };
    let number = missing.pods.number();
    Some(AlarmCondition {
        subject: "created".to_owned(),
        gist: without_numbers(&why),
        level: number.unsigned_abs(),
        waits: CREATION_ALARM_WAIT,
        ..cx.condition_of(
            AlarmKind::PodsNotRunning,
            format!(
                "{number} of {} not created: {why}",
                pods(missing.pods.wanted)
            ),
        )
    })
}

fn not_scheduled(cx: &AlarmContext<'_>) -> Option<AlarmCondition> {
    if cx.hpa.pods.unscheduled == 0 {
        return None;
    }
    let (observation, context) = (cx.facts.observation, &cx.hpa.latest.assessment.context);
    let unscheduled = judged::unscheduled(observation, context, cx.now, SCHEDULING_TAKES)?;
    let waiting = unscheduled.waiting;
    let first = waiting.iter().filter_map(|pod| pod.created).min();
    let why = most_frequent(waiting.iter().filter_map(|pod| pod.waiting.as_deref()))
        .unwrap_or("the scheduler has not said why")
        .trim_end_matches('.');
    Some(AlarmCondition {
        subject: "scheduled".to_owned(),
        gist: without_numbers(why),
        level: u32::try_from(waiting.len()).unwrap_or(u32::MAX),
        since: first,
        waits: if first.is_some() {
            SignedDuration::ZERO
        } else {
            SCHEDULING_TAKES
        },
        ..cx.condition_of(
            AlarmKind::PodsNotRunning,
            format!(
                "{} of {} not scheduled: {why} ({})",
                waiting.len(),
                pods(i32::try_from(unscheduled.existing).unwrap_or(i32::MAX)),
                few(&waiting)
            ),
        )
    })
}
