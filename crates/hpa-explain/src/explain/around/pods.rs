//! The pods that the selector matches: their requests, owners and startup, and what their percentages mean.

mod finished;
pub(in crate::explain) mod groups;
pub(in crate::explain) mod memory;
mod not_down;
pub(in crate::explain) mod others;
mod overhead;
pub(in crate::explain) mod percentages;
mod requests;
pub(in crate::explain) mod starting;
pub(in crate::explain) mod without;

pub(in crate::explain) use requests::in_short as without_request;

use super::NoteView;
use crate::explain::ExplainContext;

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
