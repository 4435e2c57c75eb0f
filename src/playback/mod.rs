//! Plays snapshots in order, from a recording or as they are taken: follows what the controller remembers, recomputes
//! each reconcile and compares it with what the controller did. No I/O, no clock.

mod evidence;
mod followed;
mod player;

pub(crate) use evidence::Verdict;
pub(crate) use player::{Phase, Player, Reconcile};
