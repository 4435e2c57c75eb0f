//! What the engine predicts, in the shape of a recording's `outcome`.

use hpa_engine::trace::{self, Event};

use super::wire;
use crate::recording::Outcome;

impl From<&trace::Outcome> for Outcome {
    fn from(outcome: &trace::Outcome) -> Self {
        Self {
            scale_to: outcome.scale_to,
            status: (&outcome.status).into(),
            events: outcome.events.iter().map(Into::into).collect(),
        }
    }
}

impl From<&Event> for wire::Event {
    fn from(event: &Event) -> Self {
        Self {
            event_type: event.event_type.as_str().to_owned(),
            reason: event.reason.to_owned(),
            message: event.message.clone(),
        }
    }
}
