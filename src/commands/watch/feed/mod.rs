//! Turns what happens in the cluster into events: one reconcile of the engine for each sync of the controller.
//!
//! The controller looks at an HPA once per sync period, and its writes of the status betray when. Shortly before the next sync the metrics
//! are polled, and what the sync is about to find is recomputed. When the write is seen, that snapshot gets the time of the sync and goes to
//! the player; if none is seen in time, the status was as before. Where the written status shows that the controller read other samples
//! than those polled, they are polled once more: they changed in between.

mod agenda;
mod follow;
mod hpa;
mod lateness;
mod polling;
mod samples;

pub(super) use follow::Fed;
pub(in crate::commands) use follow::Feed;
