//! A StatefulSet that starts and stops its pods one at a time.

use hpa_diagnosis::{effect::Effect, pods_not_running::is_ordered};
use hpa_engine::{model::Pod, trace::Decision};
use hpa_words::amount::replicas;

use super::{
    own_pods::{self, OwnPods},
    quotas::heading,
};
use crate::{
    Decider, ExplainContext,
    command::describe_pod,
    note::{NoteTopic, NoteView, NoteWeight},
    situation::{Place, Situation, within_a_cell},
};

/// The next pod waits for the one before it, if that is the case.
pub(super) fn notes(cx: &ExplainContext<'_>, own: &OwnPods<'_>) -> Vec<NoteView> {
    let is_ordered = is_ordered(cx.context);
    let unready = unready(own);
    let missing = own.missing();
    let created = i32::try_from(own.active.len()).unwrap_or(i32::MAX);
    let downstream = &cx.context.surroundings.downstream;
    let is_refused = !downstream.failed_creates.is_empty();
    let text = match (unready.first(), missing) {
        _ if !is_ordered => return Vec::new(),
        (Some(first), 1..) => {
            let waits = if missing == 1 {
                "1 further pod waits".to_owned()
            } else {
                format!("{missing} further pods wait")
            };
            format!(
                "podManagementPolicy OrderedReady makes one pod at a time: {waits} until {} is ready",
                first.name
            )
        }
        (None, 2..) if !is_refused => format!(
            "podManagementPolicy OrderedReady makes one pod at a time: the {missing} that are missing come one after \
             the other, each when the one before it is ready"
        ),
        (Some(first), _) if own.desired < created => format!(
            "podManagementPolicy OrderedReady takes away one pod at a time, the last first, and waits while {} is not \
             ready",
            first.name
        ),
        _ => return Vec::new(),
    };
    vec![NoteTopic::Downstream.note("pod order", NoteWeight::Normal, text)]
}

/// The pods that wait are lacking.
pub(crate) fn effect(cx: &ExplainContext<'_>) -> Option<Effect> {
    Effect::lacking(own_pods::of(cx)?.missing())
}

/// Situation: wanted pods wait for one that does not get ready, and the HPA can do no more about it.
pub(crate) fn situation(cx: &ExplainContext<'_>) -> Option<Situation> {
    let Decision::Hold { current } = cx.facts.trace.decision else {
        return None;
    };
    if !is_ordered(cx.context) {
        return None;
    }
    let own = own_pods::of(cx).filter(|own| 0 < own.missing())?;
    let unready = unready(&own);
    let first = unready.first()?;
    let target = &cx.facts.observation.hpa.spec.scale_target;
    let has_more = heading(cx) != Some(current) || cx.rule.decider() == Decider::Tolerance;
    let done = if has_more {
        ""
    } else {
        "The HPA has done its part: "
    };
    let sentences = vec![
        format!(
            "{done}{target} is set to {}, but it has created only {} and starts them one at a time \
             (OrderedReady).",
            replicas(current),
            own.active.len(),
        ),
        format!("Check {}: the others wait until it is ready.", first.name),
    ];
    // More replicas than `maxReplicas` are wanted only if the rule says so.
    let place = if cx.rule.decider() == Decider::Max {
        Place::Before
    } else {
        Place::Instead
    };
    Some(Situation {
        place,
        words: Some(within_a_cell(format!("waits for {}", first.name), || {
            "next pod is not ready".to_owned()
        })),
        sentences,
        command: Some(describe_pod(cx, &first.name)),
    })
}

/// The pods that are not ready, ordered by their ordinal.
fn unready<'a>(own: &OwnPods<'a>) -> Vec<&'a Pod> {
    let mut unready: Vec<&Pod> = own.active.clone();
    unready.retain(|pod| !pod.is_ready());
    unready.sort_by_key(|pod| ordinal(pod));
    unready
}

/// The number at the end of the pod's name.
fn ordinal(pod: &Pod) -> Option<i32> {
    pod.name.rsplit_once('-')?.1.parse().ok()
}
