//! A StatefulSet that starts and stops its pods one at a time.

use super::{NoteView, NoteWeight, note, own_pods::OwnPods};
use crate::{explain::ExplainContext, model::Pod};

/// That the next pod waits for the one before it, where that is so.
pub(super) fn notes(cx: &ExplainContext<'_>, own: &OwnPods<'_>) -> Vec<NoteView> {
    let target = cx.context.target.as_ref();
    let is_ordered = target.is_some_and(|target| {
        target.kind == "StatefulSet" && target.pod_management_policy.as_deref() != Some("Parallel")
    });
    let mut unready: Vec<&Pod> = own.active.clone();
    unready.retain(|pod| !pod.is_ready());
    unready.sort_by_key(|pod| ordinal(pod));
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
    vec![note("order", NoteWeight::Normal, text)]
}

/// The number at the end of the pod's name.
fn ordinal(pod: &Pod) -> Option<i32> {
    pod.name.rsplit_once('-')?.1.parse().ok()
}
