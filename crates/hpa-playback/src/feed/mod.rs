//! What `watch` needs to know of each HPA between two syncs: when to poll, what the controller read, what it wrote.

mod agenda;
mod hpa;
mod lateness;
mod polling;
mod samples;

pub use agenda::{Agenda, AgendaItem};
pub use hpa::{Due, FollowedHpa};
pub use lateness::Lateness;
pub use polling::{Beat, Polling, later};
pub use samples::{with_objects, with_samples};
