//! The options of the screen, set by the command that opens it.

use jiff::{Timestamp, tz::TimeZone};

/// The look and the purpose of the screen.
#[derive(Clone, Debug)]
pub struct ScreenOptions {
    /// Whether it uses color. Words, symbols or shapes repeat what color says.
    pub has_color: bool,
    /// Whether it uses characters beyond ASCII.
    pub has_unicode: bool,
    /// The reader's time zone.
    pub zone: TimeZone,
    /// What is shown.
    pub mode: Mode,
    /// What is watched, for the first line: `-n shop`, `incident.jsonl.zst`.
    pub title: String,
}

/// What is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// A cluster, now.
    Live,
    /// A recording.
    Replay,
}

/// The state of a replay. Its position is the `now` that is passed with each drawing.
#[derive(Clone, Debug, PartialEq)]
pub struct Playback {
    /// Time of the first entry of the recording.
    pub begin: Timestamp,
    /// Time of the last one that is read.
    pub end: Timestamp,
    /// Whether all of it is read.
    pub is_complete: bool,
    /// Whether it is playing, not paused.
    pub is_playing: bool,
    /// The speed relative to the recording: one of [`SPEEDS`](Self::SPEEDS).
    pub speed: u16,
    /// Its events, oldest first.
    pub ticks: Vec<Tick>,
}

impl Playback {
    /// The possible speeds.
    pub const SPEEDS: [u16; 7] = [1, 2, 5, 10, 20, 30, 60];
}

/// An event in a recording, for the scrubber.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tick {
    /// Its time.
    pub at: Timestamp,
    /// Its kind.
    pub kind: TickKind,
}

/// Kinds of events, the less urgent first: of several in one column the last is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum TickKind {
    /// The HPA scaled down.
    ScaledDown,
    /// The HPA scaled up.
    ScaledUp,
    /// A mark of the user.
    Mark,
    /// An alarm was raised.
    Alarm,
    /// The recomputation and the controller disagree.
    Disagreement,
}
