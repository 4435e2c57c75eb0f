//! The output of `replay`, one file per format.

mod jsonl;
mod text;

pub use jsonl::ReplayedReconcile;
pub use text::{AlarmView, ReconcileView, RecordingView, ReplayTally, heading, line, raised};
