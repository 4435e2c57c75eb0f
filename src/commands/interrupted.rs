//! Recordings that were interrupted: whatever reads them says so in the same words and goes on with what is whole.

use super::workflow::say;
use crate::{recording::ReadError, render::sanitize::one_line};

/// Says on standard error where the recording in `file` was interrupted. All whole lines are good.
pub(super) fn note_interruption(file: &str, error: &ReadError) {
    say(&format!("note: {}", one_line(&format!("{file}: {error}"))));
}
