//! What the screen is told by the command that opens it.

use jiff::{Timestamp, tz::TimeZone};

/// How the screen looks, and what it is for.
#[derive(Clone, Debug)]
pub struct ScreenOptions {
    /// Whether it uses color. What color says is also said by words, marks or shapes.
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

/// Where a replay is. The position itself is the `now` that is given with each drawing.
#[derive(Clone, Debug, PartialEq)]
pub struct Playback {
    /// Time of the first moment of the recording.
    pub begin: Timestamp,
    /// Time of the last.
    pub end: Timestamp,
    /// Whether it plays, and does not pause.
    pub is_playing: bool,
    /// How many times faster than it happened: one of [`SPEEDS`](Self::SPEEDS).
    pub speed: u16,
    /// What happened in it, oldest first.
    pub ticks: Vec<Tick>,
}

impl Playback {
    /// The speeds that can be chosen.
    pub const SPEEDS: [u16; 7] = [1, 2, 5, 10, 20, 30, 60];
}

/// Something that happened in a recording, for the scrubber.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tick {
    /// When.
    pub at: Timestamp,
    /// What.
    pub kind: TickKind,
}

/// What happened, the less urgent first: of several in one column the last is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum TickKind {
    /// The replicas went down.
    ScaledDown,
    /// The replicas went up.
    ScaledUp,
    /// The user marked the moment.
    Mark,
    /// An alarm went on.
    Alarm,
    /// The recomputation and the controller disagree.
    Disagreement,
}
