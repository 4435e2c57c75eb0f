//! What the screen asks of the command that shows it.

use std::path::PathBuf;

use jiff::Timestamp;

use crate::{model::HpaKey, watch::EntryId};

/// What the screen asks of the command that shows it.
#[derive(Clone, Debug, PartialEq)]
pub enum ScreenRequest {
    /// Leave.
    Quit,
    /// Write the page of `explain`, as wide as [`Screen::page_width`](super::Screen::page_width) says, and give it to
    /// `Screen::show_page`.
    Page {
        /// The HPA.
        hpa: HpaKey,
        /// A moment of its past; none: the latest.
        entry: Option<EntryId>,
    },
    /// Show what the HPA would do if its load stays as it was at a time.
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
    /// Give a text to the clipboard of the terminal.
    Copy {
        /// The text.
        text: String,
    },
    /// Mark a moment.
    Mark {
        /// The user's words; may be empty.
        note: String,
        /// The moment of the past that is looked at; none: now.
        at: Option<Timestamp>,
    },
    /// Stop the process until the shell continues it (Ctrl-Z).
    Suspend,
    /// Something of a replay.
    Play(Play),
}

/// What a replay is to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Play {
    /// Play or pause.
    Toggle,
    /// Play so many times faster than it happened.
    Speed(u16),
    /// Go to the next or previous moment.
    Step(TimeDirection),
    /// Go to the next or previous moment of a kind.
    Jump(ReplayStop, TimeDirection),
    /// Go to a time. It may lie outside of the recording.
    Seek(Timestamp),
}

/// Which way in time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeDirection {
    /// Into the past.
    Back,
    /// Towards now.
    Forward,
}

/// What a replay can jump to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReplayStop {
    /// An alarm that goes on.
    Alarm,
    /// The recomputation and the controller disagree.
    Disagreement,
    /// The replicas change.
    Scaling,
}
