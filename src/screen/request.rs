//! Requests of the screen to the command that shows it.

use std::path::PathBuf;

use hpa_engine::model::HpaKey;
use hpa_watch::EntryId;
use jiff::Timestamp;

/// A request of the screen to the command that shows it.
#[derive(Clone, Debug, PartialEq)]
pub enum ScreenRequest {
    /// Leave.
    Quit,
    /// Render the page of `explain`, as wide as [`Screen::page_width`](super::Screen::page_width), and pass it to
    /// `Screen::show_page`.
    Page {
        /// The HPA.
        hpa: HpaKey,
        /// An entry of its past; none: the latest.
        entry: Option<EntryId>,
    },
    /// Show what the HPA would do if its load stayed as it was at a time.
    Simulate {
        /// The HPA.
        hpa: HpaKey,
        /// The time.
        at: Timestamp,
    },
    /// Save what was seen as a recording.
    Save {
        /// The file.
        path: PathBuf,
    },
    /// Copy a text to the clipboard of the terminal.
    Copy {
        /// The text.
        text: String,
    },
    /// Set a mark.
    Mark {
        /// The user's text; may be empty.
        note: String,
        /// The viewed time in the past; none: now.
        at: Option<Timestamp>,
    },
    /// Stop the process until the shell continues it (Ctrl-Z).
    Suspend,
    /// Control a replay.
    Play(Play),
}

/// A control of a replay.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Play {
    /// Play or pause.
    Toggle,
    /// Play at this multiple of the original speed.
    Speed(u16),
    /// Go to the next or previous entry.
    Step(TimeDirection),
    /// Go to the next or previous event of a kind.
    Jump(ReplayStop, TimeDirection),
    /// Go to a time. It may lie outside of the recording.
    Seek(Timestamp),
}

/// The direction in time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeDirection {
    /// Into the past.
    Back,
    /// Towards the present.
    Forward,
}

/// The kinds of events to jump to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReplayStop {
    /// The start of an alarm.
    Alarm,
    /// The recomputation and the controller disagree.
    Disagreement,
    /// The replicas change.
    Scaling,
}
