//! When the controller syncs an HPA, as far as its writes of the status show it: shared by `capture` and `watch`.

mod pending;
mod schedule;
mod starts;

pub(super) use pending::{Pending, Written, sync_time};
pub(super) use schedule::Schedule;
pub(super) use starts::Starts;
