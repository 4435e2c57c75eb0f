//! Colors by meaning. Only the 16 colors of the terminal's own theme and its default ones are used, so that both dark
//! and light backgrounds work; blue stands against yellow and red, which color-blind people tell apart; and every
//! meaning also has a word, a mark or a shape.

use ratatui::style::{Color, Modifier, Style};

use super::options::TickKind;
use crate::render::style;

/// Whether there is color.
#[derive(Clone, Copy, Debug)]
pub(super) struct Palette {
    pub(super) has_color: bool,
}

/// What a piece of the screen is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ScreenRole {
    /// Plain text.
    Text,
    /// What to read first.
    Strong,
    /// What can be overlooked.
    Dim,
    /// The replicas go up, or all is well.
    Good,
    /// Something to look at.
    Warning,
    /// Something is wrong.
    Error,
    /// The heading of a panel or table.
    Title,
    /// The row that is chosen.
    Chosen,
    /// A line across the screen: header and status bar.
    Bar,
    /// A mark that something is to be looked at.
    Badge,
    /// A mark that an HPA cannot scale, or lacks pods.
    Severe,
    /// The screen shows the past.
    Past,
    /// Key names.
    Key,
    /// Ready pods.
    Ready,
    /// Pods that run and are not ready.
    Unready,
    /// Pods with a node that do not run yet.
    Starting,
    /// Pods without a node.
    Unscheduled,
    /// The line of the desired replicas, or of a metric's value.
    Line,
    /// What the metrics ask for.
    Proposal,
    /// `minReplicas` and `maxReplicas`, or a metric's target.
    Bound,
    /// What policies and window allow, or the tolerance.
    Limit,
    /// The moment that is looked at.
    Cursor,
    /// What a search found.
    Found,
}

impl ScreenRole {
    /// What something that happened is on a line of time.
    pub(super) fn of_tick(kind: TickKind) -> Self {
        match kind {
            TickKind::ScaledDown => Self::Warning,
            TickKind::ScaledUp => Self::Good,
            TickKind::Mark => Self::Strong,
            TickKind::Alarm => Self::Badge,
            TickKind::Disagreement => Self::Error,
        }
    }
}

impl From<style::Role> for ScreenRole {
    fn from(role: style::Role) -> Self {
        match role {
            style::Role::Dim => Self::Dim,
            style::Role::Error => Self::Error,
            style::Role::Good => Self::Good,
            style::Role::Strong => Self::Strong,
            style::Role::Text => Self::Text,
            style::Role::Warning => Self::Warning,
        }
    }
}

impl Palette {
    /// How a piece is drawn.
    pub(super) fn of(self, role: ScreenRole) -> Style {
        let plain = Style::new();
        let (color, modifier) = match role {
            ScreenRole::Text => (plain, Modifier::empty()),
            ScreenRole::Strong | ScreenRole::Key | ScreenRole::Title | ScreenRole::Line => {
                (plain, Modifier::BOLD)
            }
            ScreenRole::Dim | ScreenRole::Bound => (plain, Modifier::DIM),
            ScreenRole::Good => (plain.fg(Color::LightBlue), Modifier::BOLD),
            ScreenRole::Warning | ScreenRole::Proposal | ScreenRole::Unready => {
                (plain.fg(Color::Yellow), Modifier::BOLD)
            }
            ScreenRole::Error => (plain.fg(Color::LightRed), Modifier::BOLD),
            ScreenRole::Chosen | ScreenRole::Bar | ScreenRole::Cursor => {
                (plain, Modifier::REVERSED)
            }
            ScreenRole::Badge | ScreenRole::Past | ScreenRole::Found if self.has_color => {
                (plain.fg(Color::Black).bg(Color::Yellow), Modifier::empty())
            }
            ScreenRole::Severe if self.has_color => {
                (plain.fg(Color::White).bg(Color::Red), Modifier::BOLD)
            }
            ScreenRole::Badge | ScreenRole::Past | ScreenRole::Found | ScreenRole::Severe => {
                (plain, Modifier::REVERSED.union(Modifier::BOLD))
            }
            ScreenRole::Ready => (plain.fg(Color::Blue), Modifier::empty()),
            ScreenRole::Starting | ScreenRole::Limit => (plain.fg(Color::Cyan), Modifier::empty()),
            ScreenRole::Unscheduled => (plain.fg(Color::Magenta), Modifier::empty()),
        };
        let color = if self.has_color { color } else { plain };
        color.add_modifier(modifier)
    }
}
