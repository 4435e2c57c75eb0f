//! The pods that the selector matches: their requests, owners and startup, and what their percentages mean.

mod finished;
pub(crate) mod groups;
pub(crate) mod memory;
pub(crate) mod not_down;
pub(crate) mod others;
mod overhead;
pub(crate) mod percentages;
mod requests;
pub(crate) mod starting;
pub(crate) mod without;

pub(crate) use requests::in_short as without_request;

use super::NoteView;
use crate::ExplainContext;

/// The notes on the pods that the selector matches.
pub(super) fn notes(cx: &ExplainContext<'_>) -> Vec<NoteView> {
    [
        requests::notes(cx),
        overhead::notes(cx),
        others::notes(cx),
        finished::notes(cx),
        starting::notes(cx),
        percentages::notes(cx),
        not_down::notes(cx),
    ]
    .concat()
}
