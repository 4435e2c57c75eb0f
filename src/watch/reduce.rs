//! What an event makes of the state.

use jiff::Timestamp;

use crate::watch::{Event, State, Update};

/// Takes `event` into `state`, and says what a reader should learn of it. `now` is the controller's clock.
pub fn reduce(state: &mut State, event: Event, now: Timestamp) -> Vec<Update> {
    let _ = (state, event, now);
    Vec::new()
}
