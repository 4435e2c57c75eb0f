//! Turns changes in the cluster into events: one recomputation for each sync of the controller.
//!
//! The controller syncs an HPA once per period, at times that its status writes reveal. Shortly before the next sync
//! the metrics are polled, and what the sync is about to find is recomputed. When the write is observed, that snapshot
//! gets the time of the sync and goes to the player; if no write comes in time, the status is unchanged. If the
//! written status shows that the controller read other samples than those polled, the metrics are polled once more,
//! because they changed in between.

mod follow;

pub(crate) use follow::Fed;
pub(crate) use follow::Feed;
