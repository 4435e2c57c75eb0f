//! Plays recordings in order, recomputing and comparing each sync. It serves the program `kubectl hpa`, and changes
//! without notice.
//!
//! Plays snapshots in order, from a recording or live: follows the controller's history, recomputes each sync, and
//! compares it with what the controller did. No I/O, no clock.

mod archive;
mod evidence;
mod followed;
mod guess;
mod joined;
mod open;
mod player;
mod reconcile;
mod session;
pub mod sync_times;
#[cfg(test)]
mod tests;

pub use archive::{Archive, Archived, Packed};
pub use evidence::ComparisonVerdict;
pub use player::Player;
pub use reconcile::{Phase, Reconcile, compared};
pub use session::{EarlierComparison, Pushed, Session, strictest};
