//! The rescales that policies count, in a history of the controller.

use hpa_engine::model::{Memory, Provenance, ScaleEvent};
use jiff::Timestamp;

use crate::scrape::Scrape;

/// Drops a rescale that policies count.
pub(crate) fn forget_rescale(memory: &mut Memory, at: Timestamp) {
    memory.scale_up_events.retain(|one| one.at != at);
    memory.scale_down_events.retain(|one| one.at != at);
}

/// Changes the time of a rescale that policies count.
pub(crate) fn move_rescale(memory: &mut Memory, from: Timestamp, to: Timestamp) {
    let events = memory.scale_up_events.iter_mut();
    let events = events.chain(&mut memory.scale_down_events);
    for one in events.filter(|one| one.at == from) {
        one.at = to;
    }
}

/// Stores the controller's own rescales, for policies.
pub(crate) fn remember_rescale(
    memory: &mut Memory,
    scrape: &Scrape,
    at: Timestamp,
    has_behavior: bool,
) {
    let change = scrape.desired - scrape.current;
    if !has_behavior || change == 0 {
        return;
    }
    let events = if 0 < change {
        &mut memory.scale_up_events
    } else {
        &mut memory.scale_down_events
    };
    events.push(ScaleEvent {
        replica_change: change.abs(),
        at,
        is_outdated: false,
        provenance: Provenance::Observed,
    });
}
