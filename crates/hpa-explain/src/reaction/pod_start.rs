//! The startup of a pod in stages, from the timestamps of one of the newest pods.

use hpa_analysis::{Belonging, ownership};
use hpa_engine::model::{ConditionStatus, Pod, PodPhase};
use jiff::{SignedDuration, Timestamp};

use super::DelayView;
use crate::{ExplainContext, pods::displayed_metric, startup::begin};

/// The stages of the pod with the median startup among the newest; `None` if no pod has the timestamps.
pub(crate) fn stages(cx: &ExplainContext<'_>) -> Vec<DelayView> {
    let Some(pod) = typical(cx) else {
        return Vec::new();
    };
    let (Some(begin), Some(ready)) = (begin(pod), ready_at(pod)) else {
        return Vec::new();
    };
    let pull = cx
        .context
        .surroundings
        .image_pulls
        .iter()
        .find(|pull| pull.pod == pod.name)
        .map(|pull| pull.took);
    let mut delays = Vec::new();
    let mut at = begin;
    let mut push = |cause, takes: SignedDuration, how: &str, shortened_by: &str| {
        delays.push(DelayView {
            cause,
            takes: Some(takes),
            known_from: format!("{}: {how}", pod.name),
            is_measured: true,
            shortened_by: shortened_by.to_owned(),
        });
    };
    let mut until = |end: Option<Timestamp>| {
        let end = end.map(|end| end.clamp(at, ready));
        let takes = end.map(|end| end.duration_since(at));
        at = end.unwrap_or(at);
        takes
    };
    if let Some(takes) = until(pod.start.scheduled) {
        push(
            "scheduling",
            takes,
            "from its creation to PodScheduled",
            "room on the nodes before it is needed, or a faster node autoscaler",
        );
    }
    let initialized = pod
        .start
        .initialized
        .filter(|_| !pod.init_containers.is_empty());
    if let Some(takes) = until(initialized) {
        push(
            "init containers",
            takes,
            "from PodScheduled to Initialized",
            "what the init containers do",
        );
    }
    if let Some(takes) = until(pod.start.containers_started) {
        let pulled = pull.map(|pull| pull.min(takes));
        if let Some(pulled) = pulled {
            push(
                "image pull",
                pulled,
                "its Events Pulled",
                "smaller images, or images on the nodes beforehand",
            );
        }
        let (what, by) = if pulled.is_some() {
            (
                "until its last container ran, without the pull",
                "volumes, sandbox and the order of the containers",
            )
        } else {
            (
                "until its last container ran, image pull included (no Events of it)",
                "smaller images or images on the nodes beforehand; volumes",
            )
        };
        push(
            "container start",
            takes.saturating_sub(pulled.unwrap_or_default()),
            what,
            by,
        );
    }
    let takes = ready.duration_since(at);
    push("readiness", takes, "until Ready", &readiness(pod));
    delays
}

/// The pod with the median time to Ready among the newest that qualify: of the target, ready, never restarted.
fn typical<'a>(cx: &ExplainContext<'a>) -> Option<&'a Pod> {
    const NEWEST: usize = 5;
    let groups = displayed_metric(&cx.facts)?.groups?;
    let mut pods: Vec<(Timestamp, SignedDuration, &Pod)> = groups
        .pods
        .iter()
        .filter_map(|pod| cx.facts.pod(pod.pod))
        .filter(|pod| {
            let ownership = ownership(pod, cx.facts.observation, cx.context);
            ownership.belonging != Belonging::Other
                && pod.phase == PodPhase::Running
                && pod.deleted.is_none()
                && pod.start.restarts == 0
        })
        .filter_map(|pod| {
            let (begin, ready) = (begin(pod)?, ready_at(pod)?);
            let takes = ready.duration_since(begin);
            let is_start = !takes.is_negative() && takes <= LONGEST;
            is_start.then_some((begin, takes, pod))
        })
        .collect();
    pods.sort_by_key(|(begin, _, pod)| (std::cmp::Reverse(*begin), pod.name.as_str()));
    pods.truncate(NEWEST);
    pods.sort_by_key(|(_, takes, pod)| (*takes, pod.name.as_str()));
    let (_, _, pod) = pods.get(pods.len().checked_sub(1)? / 2)?;
    Some(pod)
}

/// A pod that got ready later than this has lost its readiness and regained it.
const LONGEST: SignedDuration = SignedDuration::from_mins(30);

fn ready_at(pod: &Pod) -> Option<Timestamp> {
    pod.ready
        .filter(|ready| ready.status == ConditionStatus::True)?
        .last_transition
}

/// `readinessProbe of main (first after 30 s, then every 10 s)`, for the container that is probed last.
fn readiness(pod: &Pod) -> String {
    let slowest = pod
        .containers
        .iter()
        .filter_map(|container| Some((container, container.readiness_probe?)))
        .max_by_key(|(_, probe)| (probe.initial_delay_seconds, probe.period_seconds));
    match slowest {
        Some((container, probe)) => format!(
            "what {} does at its start, and its readinessProbe (first after {} s, then every {} s)",
            container.name, probe.initial_delay_seconds, probe.period_seconds
        ),
        None => "what the containers do at their start".to_owned(),
    }
}
