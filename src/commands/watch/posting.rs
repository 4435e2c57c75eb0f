//! Updates go to the board of `export`; what the exporter cannot read goes to standard error, for its log.

use hpa_engine::model::HpaKey;
use hpa_render::{
    export::{SharedBoard, locked},
    watch::plain::PlainLines,
};
use hpa_watch::{Event, State, Update};
use jiff::{Timestamp, tz::TimeZone};

use crate::{
    cli::ColorChoice,
    process::{terminal, workflow},
};

/// Writes to a board.
pub(super) struct Posting {
    board: SharedBoard,
    lines: PlainLines,
    /// The HPA that the current event is about.
    about: Option<HpaKey>,
    /// Whether the current event is not posted, because it only advances the time.
    is_idle: bool,
}

impl Posting {
    /// A board without data.
    pub(super) fn new(board: SharedBoard, color: ColorChoice) -> Self {
        Self {
            board,
            lines: PlainLines::new(terminal::style(color), TimeZone::system(), None),
            about: None,
            is_idle: false,
        }
    }

    /// Records an event before the state processes it.
    pub(super) fn before(&mut self, event: &Event, at: Timestamp) {
        locked(&self.board).before(event, at);
        self.is_idle = matches!(event, Event::InformerInput);
        self.about = match event {
            Event::Reconciled(seen) | Event::Seen(seen) => Some(seen.hpa.clone()),
            Event::Compared { hpa, .. } | Event::Deleted { hpa } => Some(hpa.clone()),
            _ => None,
        };
    }

    /// Records the updates of an event.
    pub(super) fn after(&mut self, updates: &[Update], state: &State, at: Timestamp) {
        if self.is_idle {
            return;
        }
        locked(&self.board).after(updates, state, self.about.as_ref());
        for update in updates {
            if let Update::Failing { .. } | Update::Recovered { .. } = update {
                let text = self.lines.update(update, state, at);
                workflow::say(text.trim_end());
            }
        }
    }
}
