//! What the engine computes for the pages, one file for each part of a sync.

mod begin;
mod choice;
mod gate;
mod limits;
mod metric;
mod pods;
mod policies;
mod ratio;
mod replicas;
mod requests;
mod sources;
mod stabilize;
mod tolerance;
mod totals;
mod write;

use super::computed::Computed;

/// What the engine computes for each page, in the order of a sync.
pub(super) fn all() -> impl Iterator<Item = &'static Computed> {
    ALL.into_iter().flatten()
}

const ALL: [&[Computed]; 15] = [
    begin::TOPICS,
    gate::TOPICS,
    metric::TOPICS,
    sources::TOPICS,
    pods::TOPICS,
    requests::TOPICS,
    ratio::TOPICS,
    tolerance::TOPICS,
    replicas::TOPICS,
    totals::TOPICS,
    choice::TOPICS,
    stabilize::TOPICS,
    limits::TOPICS,
    policies::TOPICS,
    write::TOPICS,
];
