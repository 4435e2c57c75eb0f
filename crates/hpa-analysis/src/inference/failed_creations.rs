//! Why pods of the scale target could not be created, as the API server says.

use jiff::Timestamp;

use crate::model::{Context, Observation};

/// A refusal to create pods.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FailedCreation<'a> {
    /// Kind of the object that tried to create them.
    pub kind: &'a str,
    /// Its name.
    pub name: &'a str,
    /// The API server's message.
    pub message: &'a str,
    /// When it last occurred, if an Event has the time.
    pub last: Option<Timestamp>,
}

/// Finds the refusals: conditions of the target's ReplicaSets, or else Events on the target, newest first.
pub fn failed_creations<'a>(
    observation: &Observation,
    context: &'a Context,
) -> Vec<FailedCreation<'a>> {
    let target = &observation.hpa.spec.scale_target;
    let of_sets: Vec<FailedCreation<'a>> = context
        .target
        .iter()
        .flat_map(|target| &target.intermediate_owners)
        .filter(|set| set.owner_kind == target.kind && set.owner_name == target.name)
        .filter_map(|set| {
            Some(FailedCreation {
                kind: &set.kind,
                name: &set.name,
                message: set.failure.as_deref()?,
                last: None,
            })
        })
        .collect();
    if !of_sets.is_empty() {
        return of_sets;
    }
    let events = context.surroundings.downstream.failed_creates.iter();
    events
        .map(|event| FailedCreation {
            kind: &event.kind,
            name: &event.name,
            message: &event.message,
            last: event.last,
        })
        .collect()
}
