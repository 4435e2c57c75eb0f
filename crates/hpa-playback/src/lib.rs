//! Plays recordings in order, recomputing and comparing each sync. It serves the program `kubectl hpa`, and changes
//! without notice.
//!
//! Plays snapshots in order, from a recording or live: follows the controller's history, recomputes each sync, and
//! compares it with what the controller did. No I/O, no clock.

mod archive;
mod evidence;
mod explain_subject;
pub mod feed;
mod followed;
mod guess;
mod joined;
mod latest_at;
mod open;
mod player;
mod point_in_time;
mod reconcile;
mod recorded_alarms;
mod recorded_events;
mod replayed;
mod session;
pub mod sync_times;
#[cfg(test)]
mod tests;

pub use archive::{Archive, Archived, Packed};
pub use evidence::ComparisonVerdict;
pub use explain_subject::{ExplainSubject, SubjectOrigin};
pub use latest_at::{HpaSync, LatestAt, point};
pub use player::Player;
pub use point_in_time::PointInTime;
pub use reconcile::{Phase, Reconcile, compared};
pub use recorded_alarms::{AlarmView, RecordedAlarms};
pub use recorded_events::RecordedEvents;
pub use replayed::{ReconcileView, RecordingView, time_of_day};
pub use session::{EarlierComparison, Pushed, Session, strictest};
