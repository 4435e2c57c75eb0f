//! What `watch` needs to know of each HPA between two syncs: when to poll, what the controller read, what it wrote.

mod agenda;
mod followed_hpa;
mod lateness;
mod other_samples;
mod polling;

pub use agenda::{Agenda, AgendaItem};
pub use followed_hpa::{Due, FollowedHpa};
pub use lateness::Lateness;
pub use other_samples::{with_objects, with_samples};
pub use polling::{Beat, Polling, later};
