//! Wanted pods that are not created, or have no node.

use hpa_analysis::{RefusalState, failed_creations, selected_pods};
use hpa_engine::model::{Pod, PodPhase};
use jiff::SignedDuration;

use super::{
    AlarmKind,
    conditions::{AlarmCondition, AlarmContext, most_frequent, pods, without_numbers},
};

/// Holds while pods are not created or not scheduled for longer than usual.
pub(super) fn check(cx: &AlarmContext<'_>) -> Vec<AlarmCondition> {
    not_created(cx)
        .into_iter()
        .chain(not_scheduled(cx))
        .collect()
}

fn not_created(cx: &AlarmContext<'_>) -> Option<AlarmCondition> {
    let observation = cx.facts.observation;
    let scale = observation.scale.read()?;
    let missing = scale.spec_replicas.saturating_sub(scale.status_replicas);
    if missing <= 0 {
        return None;
    }
    let failed = failed_creations(observation, &cx.hpa.latest.assessment.context);
    let why = match failed.first() {
        // What refused them is over: pods follow once the controller of the ReplicaSet tries again.
        Some(failed) if failed.is_over() => return None,
        Some(failed) if failed.state == RefusalState::Unknown => format!(
            "the quotas were not read, and the last refusal was: {}",
            failed.message.trim_end_matches('.')
        ),
        Some(failed) => failed.message.trim_end_matches('.').to_owned(),
        None if is_ordered(cx) => {
            "podManagementPolicy OrderedReady makes one after the other".to_owned()
        }
        None => "nothing says why".to_owned(),
    };
    Some(AlarmCondition {
        subject: "created".to_owned(),
        gist: without_numbers(&why),
        level: missing.unsigned_abs(),
        waits: CREATION_TAKES,
        ..cx.condition_of(
            AlarmKind::PodsNotRunning,
            format!(
                "{missing} of {} not created: {why}",
                pods(scale.spec_replicas)
            ),
        )
    })
}

fn is_ordered(cx: &AlarmContext<'_>) -> bool {
    let target = cx.hpa.latest.assessment.context.target.as_ref();
    target.is_some_and(|target| {
        target.kind == "StatefulSet" && target.pod_management_policy.as_deref() != Some("Parallel")
    })
}

fn not_scheduled(cx: &AlarmContext<'_>) -> Option<AlarmCondition> {
    if cx.hpa.pods.unscheduled == 0 {
        return None;
    }
    let is_waiting = |pod: &&Pod| {
        let is_over = matches!(pod.phase, PodPhase::Failed | PodPhase::Succeeded);
        let is_young = pod
            .created
            .is_some_and(|created| cx.now.duration_since(created) < SCHEDULING_TAKES);
        !is_over && pod.deleted.is_none() && !pod.has_node() && !is_young
    };
    let waiting: Vec<&Pod> = selected_pods(cx.facts.observation)
        .into_iter()
        .filter(is_waiting)
        .collect();
    let first = waiting.iter().filter_map(|pod| pod.created).min();
    if waiting.is_empty() {
        return None;
    }
    let why = most_frequent(waiting.iter().filter_map(|pod| pod.waiting.as_deref()))
        .unwrap_or("the scheduler has not said why")
        .trim_end_matches('.');
    let active = cx.hpa.pods.all.saturating_sub(cx.hpa.pods.ignored);
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
                "{} of {} not scheduled: {why}",
                waiting.len(),
                pods(i32::try_from(active).unwrap_or(i32::MAX))
            ),
        )
    })
}

/// The target's controller usually creates pods within this time.
const CREATION_TAKES: SignedDuration = SignedDuration::from_secs(30);

/// A pod usually gets a node within this time.
const SCHEDULING_TAKES: SignedDuration = SignedDuration::from_secs(30);
