//! The output of `replay`, one file per format.

mod jsonl;
mod text;

pub use jsonl::ReplayedReconcile;
pub use text::{ReplayTally, heading, line, raised};
