//! The symbols of the screen, in Unicode and in ASCII. Each meaning has its own shape, so that it can be recognized
//! without color.

use hpa_explain::Action;

use crate::screen::TickKind;

/// The symbols of the screen.
#[derive(Debug)]
pub(super) struct Glyphs {
    /// Before the chosen row.
    pub(super) chosen: &'static str,
    /// Cut-off text.
    pub(super) ellipsis: &'static str,
    /// From one number to another.
    pub(super) arrow: &'static str,
    /// Between parts of a line.
    pub(super) dot: &'static str,
    /// Something was not found or failed.
    pub(super) cross: &'static str,
    /// The axis of time.
    pub(super) axis: &'static str,
    /// The viewed time, on a time line.
    pub(super) cursor: &'static str,
    /// Bars up to a height, from an eighth of a cell to all of it.
    pub(super) fill: [&'static str; 8],
    /// Heights in a line of text, from none to all of it.
    pub(super) levels: [&'static str; 8],
    /// There is more above or below.
    pub(super) more: [&'static str; 2],
    /// The table is sorted by this column; in reverse.
    pub(super) sorted: [&'static str; 2],
    /// Part of a bar that was only temporarily filled.
    pub(super) half_fill: &'static str,
    /// A step line: horizontal, vertical, and the corners `┏`, `┓`, `┗`, `┛`.
    pub(super) steps: [&'static str; 6],
    /// What the metrics ask for.
    pub(super) proposal: &'static str,
    /// The same, above the chart.
    pub(super) beyond: &'static str,
    /// A bound or a target.
    pub(super) bound: &'static str,
    /// The most replicas that policies allow.
    pub(super) most: &'static str,
    /// The fewest replicas that policies allow.
    pub(super) least: &'static str,
    /// The stabilized proposal.
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
    /// The symbols for a terminal.
    pub(super) const fn of(has_unicode: bool) -> &'static Self {
        if has_unicode { &UNICODE } else { &ASCII }
    }

    /// The symbol of an action.
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

    /// The symbol of an event on a time line.
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
