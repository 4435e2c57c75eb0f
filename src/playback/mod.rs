//! Plays snapshots in order, from a recording or as they are taken: follows what the controller remembers, recomputes
//! each reconcile and compares it with what the controller did. No I/O, no clock.

mod archive;
mod evidence;
mod followed;
mod open;
mod player;
mod reconcile;
mod session;
#[cfg(test)]
mod tests;

pub(crate) use archive::{Archive, Archived, Packed};
pub(crate) use evidence::ComparisonVerdict;
pub(crate) use followed::longest_window;
pub(crate) use player::Player;
pub(crate) use reconcile::{Phase, Reconcile};
pub(crate) use session::{EarlierComparison, Pushed, Session, strictest};
