//! Why pods are not created: the API server's own words, most often those of a quota.

use super::{NoteView, NoteWeight, note, own_pods::OwnPods};
use crate::{explain::Story, model::FailedCreate};

/// Why pods are not created.
pub(super) fn notes(story: &Story<'_>, own: &OwnPods<'_>) -> Vec<NoteView> {
    let target = &story.facts.observation.hpa.spec.scale_target;
    let of_sets = story
        .context
        .target
        .iter()
        .flat_map(|target| &target.intermediate_owners)
        .filter(|set| set.owner_kind == target.kind && set.owner_name == target.name)
        .filter_map(|set| {
            let failure = set.failure.as_deref()?;
            Some(format!("{}/{} {}", set.kind, set.name, refused(failure)))
        });
    let mut texts: Vec<String> = of_sets.collect();
    if texts.is_empty() && 0 < own.missing() {
        texts.extend(by_event(story).map(|failed| {
            let since = failed.last.map_or_else(String::new, |last| {
                format!(" (last {} ago)", story.clock.ago(last))
            });
            let name = format!("{}/{}", failed.kind, failed.name);
            format!("{name} {}{since}", refused(&failed.message))
        }));
    }
    texts
        .into_iter()
        .map(|text| note("creation", NoteWeight::Warning, text))
        .collect()
}

/// The newest event; one is enough, as the controller says the same of each pod.
fn by_event<'a>(story: &Story<'a>) -> Option<&'a FailedCreate> {
    story.context.surroundings.downstream.failed_creates.first()
}

fn refused(message: &str) -> String {
    format!("can't create pods: {}", message.trim_end_matches('.'))
}
