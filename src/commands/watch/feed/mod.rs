//! Turns what happens in the cluster into events: one reconcile of the engine for each sync of the controller.

mod following;

pub(in crate::commands) use following::{Fed, Feed};
