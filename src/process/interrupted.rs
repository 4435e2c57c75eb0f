//! Interrupted recordings: all readers report them in the same words and continue with the complete lines.

use hpa_objects::recording::ReadError;
use hpa_words::sanitize::one_line;

use crate::process::workflow::say;

/// Reports on standard error where the recording in `file` was interrupted. All complete lines are valid.
pub(crate) fn note_interruption(file: &str, error: &ReadError) {
    say(&format!("note: {}", one_line(&format!("{file}: {error}"))));
}
