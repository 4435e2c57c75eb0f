//! The Snapshot format: what `capture` writes and `replay` and `explain -f` read.
//!
//! A recording is one JSON object a line, one line a reconcile. [`wire`] has the objects as they stand in the file,
//! `convert` turns them into the model, where text becomes quantities, durations and enums.

mod convert;
mod invalid_field;
mod snapshot;
pub mod wire;

pub use invalid_field::InvalidField;
pub use snapshot::{API_VERSION, KIND, Outcome, Snapshot, SnapshotMeta};
