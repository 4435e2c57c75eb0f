//! Why pods are not created, in the API server's words, most often those of a quota.

use hpa_analysis::{FailedCreation, RefusalState, failed_creations};

use super::own_pods::OwnPods;
use crate::{
    ExplainContext,
    note::{NoteTopic, NoteView, NoteWeight},
};

/// Why pods are not created. One Event is enough, as the controller says the same about each pod, and Events count
/// only while pods are missing.
pub(super) fn notes(cx: &ExplainContext<'_>, own: &OwnPods<'_>) -> Vec<NoteView> {
    let target = &cx.facts.observation.hpa.spec.scale_target;
    let is_event = |kind: &str, name: &str| kind == target.kind && name == target.name;
    let mut has_event = false;
    failed_creations(cx.facts.observation, cx.context)
        .into_iter()
        .filter(|failed| {
            let is_event = is_event(failed.kind, failed.name);
            let is_reported = !is_event || 0 < own.missing() && !has_event;
            has_event |= is_event;
            is_reported
        })
        .map(|failed| {
            let since = failed.last.map_or_else(String::new, |last| {
                format!(" (last {} ago)", cx.clock.ago(last))
            });
            let name = format!("{}/{}", failed.kind, failed.name);
            if failed.is_over() {
                let text = format!(
                    "{name} was refused pods by a quota that has room now{since}: its controller waits \
                     before it tries again"
                );
                return NoteTopic::Downstream.note("creation", NoteWeight::Normal, text);
            }
            let text = format!("{name} {}{since}", refused(&failed));
            NoteTopic::Downstream.note("creation", NoteWeight::Warning, text)
        })
        .collect()
}

/// `cannot create pods: exceeded quota…`
pub(super) fn refused(failed: &FailedCreation<'_>) -> String {
    // The name is that of a pod that was never created.
    let message = failed.message.split_once(" is forbidden: ");
    let message = message.map_or(failed.message, |(_, why)| why);
    let message = message.trim_end_matches('.');
    match failed.state {
        RefusalState::Holds | RefusalState::Over => format!("cannot create pods: {message}"),
        RefusalState::Unknown => format!(
            "was refused pods, and the quotas were not read, so it is not known whether that is over: {message}"
        ),
    }
}
