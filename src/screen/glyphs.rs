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
    /// Across the screen.
    pub(super) rule: &'static str,
    /// Something was not found or failed.
    pub(super) cross: &'static str,
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
    rule: "─",
    cross: "✗",
    up: "▲",
    down: "▼",
    hold: "·",
    mark: "◆",
    differs: "≠",
};

const ASCII: Glyphs = Glyphs {
    chosen: ">",
    ellipsis: "..",
    arrow: "->",
    dot: "|",
    rule: "-",
    cross: "x",
    up: "^",
    down: "v",
    hold: "-",
    mark: "*",
    differs: "#",
};
