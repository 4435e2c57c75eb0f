//! Interrupted recordings: all readers report them in the same words and continue with the complete lines.

use super::workflow::say;
use crate::{recording::ReadError, render::sanitize::one_line};

/// Reports on standard error where the recording in `file` was interrupted. All complete lines are valid.
pub(super) fn note_interruption(file: &str, error: &ReadError) {
    say(&format!("note: {}", one_line(&format!("{file}: {error}"))));
}
