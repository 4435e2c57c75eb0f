//! Recordings that were interrupted: whatever reads them says so in the same words and goes on with what is whole.

use std::io::Write as _;

use crate::{recording::ReadError, render::sanitize::one_line};

/// Says on standard error where the recording in `file` was interrupted. All whole lines are good, so nothing is lost if this cannot be
/// written.
pub(super) fn note_interruption(file: &str, error: &ReadError) {
    let _ = writeln!(
        anstream::stderr(),
        "note: {}",
        one_line(&format!("{file}: {error}"))
    );
}
