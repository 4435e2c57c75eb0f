//! Whether the controller can have synced since the last edit of the HPA.

use hpa_engine::model::{Context, Observation};
use jiff::{SignedDuration, Timestamp};

use super::cause::{Cause, Unobserved};

/// The last edit of the spec, if the status is older. Either the controller has not synced since, or it computed the
/// same status. From Kubernetes 1.37 on, `observedGeneration` decides.
///
/// A newer status follows from the edited spec: the API server rejects a status write based on an older version of the
/// object.
pub(super) fn edit_since_status(
    observation: &Observation,
    context: &Context,
    now: Timestamp,
) -> Option<Cause> {
    let hpa = &observation.hpa;
    let edit = context.hpa_edited_by.as_ref();
    if let (Some(observed), Some(generation)) = (hpa.status.observed_generation, hpa.generation) {
        return (observed < generation).then(|| {
            Cause::SpecNewer(Unobserved {
                observed,
                generation,
                edited: edit.and_then(|edit| Some((edit.time?, edit.manager.clone()))),
            })
        });
    }
    let edit = edit?;
    let edited = edit.time?;
    // Both are truncated to seconds: within the same second, the status can be the older one.
    if edited < context.hpa_status_written? {
        return None;
    }
    let by = edit.manager.clone();
    let since = now.duration_since(edited);
    let had_sync = observation.sync_period().value + SECOND < since;
    Some(if had_sync {
        Cause::EditUnanswered(edited, by)
    } else {
        Cause::EditPending(edited, by)
    })
}

/// Resolution of the times in `managedFields`.
const SECOND: SignedDuration = SignedDuration::from_secs(1);
