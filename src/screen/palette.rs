//! Colors by meaning. Only the terminal theme's own 16 colors and its defaults are used, so that dark and light
//! backgrounds both work. Blue contrasts with yellow and red, which color-blind people can distinguish, and every
//! meaning also has a word, a symbol or a shape.

use hpa_render::style;
use ratatui::style::{Color, Modifier, Style};

use super::options::TickKind;

/// Whether color is used.
#[derive(Clone, Copy, Debug)]
pub(super) struct Palette {
    pub(super) has_color: bool,
}

/// The meaning of a piece of the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ScreenRole {
    /// Plain text.
    Text,
    /// What to read first.
    Strong,
    /// Less important.
    Dim,
    /// Scaling up, or all is well.
    Good,
    /// Something to check.
    Warning,
    /// Something is wrong.
    Error,
    /// The heading of a panel or table.
    Title,
    /// The row that is chosen.
    Chosen,
    /// A line across the screen: header and status bar.
    Bar,
    /// A badge for something to check.
    Badge,
    /// A badge for an HPA that cannot scale, or lacks pods.
    Severe,
    /// The screen shows the past.
    Past,
    /// Key names.
    Key,
    /// Ready pods.
    Ready,
    /// Pods that run but are not ready.
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
    /// The viewed time.
    Cursor,
    /// A match of a search.
    Found,
}

impl ScreenRole {
    /// The role of an event on a time line.
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
    /// The style of a role.
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
