//! When the controller syncs an HPA, inferred from its status writes; shared by `capture` and `watch`.

mod pending;
mod schedule;
mod starts;

pub use pending::{HpaUpdate, PendingSnapshots, is_out_of_turn, sync_time};
pub use schedule::Schedule;
pub use starts::Starts;
