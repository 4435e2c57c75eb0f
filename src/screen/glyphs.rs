//! The marks of the screen, in Unicode and in ASCII. Each meaning has a shape of its own, so that it is told apart
//! without color.

use crate::{explain::Action, screen::TickKind};

/// The marks of the screen.
#[derive(Debug)]
pub(super) struct Glyphs {
    /// Before the chosen row.
    pub(super) chosen: &'static str,
    /// What was cut off.
    pub(super) ellipsis: &'static str,
    /// From one number to another.
    pub(super) arrow: &'static str,
    /// Between parts of a line.
    pub(super) dot: &'static str,
    /// Something was not found or failed.
    pub(super) cross: &'static str,
    /// The axis of time.
    pub(super) axis: &'static str,
    /// The moment that is looked at, on a line of time.
    pub(super) cursor: &'static str,
    /// Bars up to a height, from an eighth of a cell to all of it.
    pub(super) fill: [&'static str; 8],
    /// Heights in a line of text, from none to all of it.
    pub(super) levels: [&'static str; 8],
    /// There is more above, below.
    pub(super) more: [&'static str; 2],
    /// The table is sorted by this column; reversed.
    pub(super) sorted: [&'static str; 2],
    /// Part of a bar that was filled for a while only.
    pub(super) half_fill: &'static str,
    /// A line of steps: level, upright, and the corners `┏`, `┓`, `┗`, `┛`.
    pub(super) steps: [&'static str; 6],
    /// What the metrics ask for.
    pub(super) proposal: &'static str,
    /// The same, above what a chart shows.
    pub(super) beyond: &'static str,
    /// A bound or a target.
    pub(super) bound: &'static str,
    /// The most that policies allow.
    pub(super) most: &'static str,
    /// The least that policies allow.
    pub(super) least: &'static str,
    /// What the stabilization window makes of the proposal.
    pub(super) window: &'static str,
    /// The tolerance.
    pub(super) band: &'static str,
    /// Pods by class, as in a bar: ready, not ready, starting, not scheduled, ignored.
    pub(super) pods: [&'static str; 5],
    up: &'static str,
    down: &'static str,
    hold: &'static str,
    mark: &'static str,
    differs: &'static str,
}

impl Glyphs {
    /// The marks of a terminal.
    pub(super) const fn of(has_unicode: bool) -> &'static Self {
        if has_unicode { &UNICODE } else { &ASCII }
    }

    /// The mark of what happens to the replicas.
    pub(super) fn action(&self, action: Action) -> &'static str {
        match action {
            Action::Disabled => "0",
            Action::Failed => self.cross,
            Action::Hold => self.hold,
            Action::ScaleDown => self.down,
            Action::ScaleUp => self.up,
            Action::Unknown => "?",
        }
    }

    /// The mark of something that happened, on a line of time.
    pub(super) fn tick(&self, kind: TickKind) -> &'static str {
        match kind {
            TickKind::ScaledDown => self.down,
            TickKind::ScaledUp => self.up,
            TickKind::Mark => self.mark,
            TickKind::Alarm => "!",
            TickKind::Disagreement => self.differs,
        }
    }
}

const UNICODE: Glyphs = Glyphs {
    chosen: "▸",
    ellipsis: "…",
    arrow: "→",
    dot: "·",
    cross: "✗",
    axis: "─",
    cursor: "┃",
    fill: ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"],
    levels: ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"],
    more: ["↑", "↓"],
    sorted: ["▾", "▴"],
    half_fill: "▒",
    steps: ["━", "┃", "┏", "┓", "┗", "┛"],
    proposal: "•",
    beyond: "↑",
    bound: "┄",
    most: "┬",
    least: "┴",
    window: "≈",
    band: "░",
    pods: ["█", "▓", "▒", "░", "·"],
    up: "▲",
    down: "▼",
    hold: "·",
    mark: "◆",
    differs: "≠",
};

const ASCII: Glyphs = Glyphs {
    chosen: ">",
    ellipsis: "...",
    arrow: "->",
    dot: "|",
    cross: "x",
    axis: "-",
    cursor: "|",
    fill: [" ", " ", " ", ":", ":", ":", ":", ":"],
    levels: ["_", "_", ".", "-", "-", "=", "=", "#"],
    more: ["^", "v"],
    sorted: ["v", "^"],
    half_fill: ".",
    steps: ["=", "|", "+", "+", "+", "+"],
    proposal: "o",
    beyond: "^",
    bound: "-",
    most: "\"",
    least: "_",
    window: "~",
    band: ".",
    pods: ["#", "%", "+", "?", "-"],
    up: "^",
    down: "v",
    hold: "-",
    mark: "*",
    differs: "#",
};
