//! The context of one drawing.

use hpa_engine::model::HpaKey;
use hpa_explain::{Action, Urgency};
use hpa_watch::{Alarm, AlarmKind, HistoryEntry, HpaState, MetricPoint, State};
use hpa_words::clock::Clock;
use jiff::{SignedDuration, Timestamp};
use ratatui::{style::Style, text::Span};

use super::{
    glyphs::Glyphs,
    options::{Mode, ScreenOptions},
    palette::{Palette, ScreenRole},
    text,
};

/// The context of one drawing.
pub(super) struct DrawContext<'a> {
    /// The state of watching.
    pub(super) state: &'a State,
    /// The controller's clock, up to the last answer of the server; in a replay its position.
    pub(super) now: Timestamp,
    /// How long the API server has not answered; none: it answers.
    pub(super) lost_for: Option<SignedDuration>,
    /// The viewed time: `now`, or a time in the past.
    pub(super) at: Timestamp,
    /// The first kept entry of any HPA.
    pub(super) first_seen: Option<Timestamp>,
    /// Whether the user has chosen a time in the past.
    pub(super) is_past: bool,
    pub(super) options: &'a ScreenOptions,
    /// Whether the drawn data may be outdated.
    pub(super) is_faint: bool,
}

/// An HPA at the viewed time.
#[derive(Clone, Copy)]
pub(super) struct HpaRow<'a> {
    pub(super) key: &'a HpaKey,
    pub(super) hpa: &'a HpaState,
    /// Its entry at that time; none: it was not observed yet.
    pub(super) entry: Option<&'a HistoryEntry>,
    /// Whether that is the latest, with all data.
    pub(super) is_latest: bool,
    /// When it was deleted, if it was deleted by then.
    pub(super) deleted_at: Option<Timestamp>,
}

impl<'a> DrawContext<'a> {
    /// The colors.
    pub(super) fn palette(&self) -> Palette {
        Palette {
            has_color: self.options.has_color,
        }
    }

    /// The style of a piece: faint if its data may be outdated.
    pub(super) fn style(&self, role: ScreenRole) -> Style {
        let is_of_screen = matches!(
            role,
            ScreenRole::Badge
                | ScreenRole::Severe
                | ScreenRole::Bar
                | ScreenRole::Chosen
                | ScreenRole::Cursor
                | ScreenRole::Found
                | ScreenRole::Key
        );
        let role = if self.is_faint && !is_of_screen {
            ScreenRole::Dim
        } else {
            role
        };
        self.palette().of(role)
    }

    /// The same context for one HPA.
    pub(super) fn of(&self, row: &HpaRow<'_>) -> Self {
        let is_old = !self.is_past && row.deleted_at.is_none() && self.state.is_old(row.hpa);
        Self {
            is_faint: self.is_faint || is_old,
            ..*self
        }
    }

    /// The marks.
    pub(super) fn glyphs(&self) -> &'static Glyphs {
        Glyphs::of(self.options.has_unicode)
    }

    /// The reader's clock at the viewed time.
    pub(super) fn clock(&self) -> Clock {
        Clock::new(self.options.zone.clone(), self.at)
    }

    /// The reader's clock now.
    pub(super) fn clock_now(&self) -> Clock {
        Clock::new(self.options.zone.clone(), self.now)
    }

    /// Makes a text safe for the terminal.
    pub(super) fn clean(&self, text: &str) -> String {
        let style = hpa_render::Style {
            has_color: false,
            has_unicode: self.options.has_unicode,
            width: 0,
            has_whole_rows: false,
        };
        style.clean(text)
    }

    /// A safe piece of text.
    pub(super) fn span(&self, role: ScreenRole, text: &str) -> Span<'static> {
        Span::styled(self.clean(text), self.style(role))
    }

    /// A safe text, cut to a width.
    pub(super) fn cut(&self, text: &str, width: usize) -> String {
        text::cut(&self.clean(text), width, self.glyphs().ellipsis)
    }

    /// The HPA at the viewed time.
    pub(super) fn row(&self, key: &'a HpaKey, hpa: &'a HpaState) -> HpaRow<'a> {
        let is_bound = self.is_past || self.options.mode == Mode::Replay;
        let last = hpa.history.last();
        let entry = if is_bound {
            hpa.history.at(self.at)
        } else {
            last
        };
        HpaRow {
            key,
            hpa,
            entry,
            is_latest: match (entry, last) {
                (Some(entry), Some(last)) => entry.id == last.id,
                (None, None) => !is_bound || hpa.seen_at <= self.at,
                _ => false,
            },
            deleted_at: hpa
                .deleted_at
                .filter(|deleted| !is_bound || *deleted <= self.at),
        }
    }

    /// When the recording of an HPA ended, if the viewed time is later: nothing is known about that time.
    pub(super) fn recording_end(&self, row: &HpaRow<'_>) -> Option<Timestamp> {
        let seen_at = row.hpa.seen_at;
        let period = row.hpa.latest.assessment.observation.sync_period().value;
        let is_beyond = self.options.mode == Mode::Replay
            && row.is_latest
            && period * 2 < self.at.duration_since(seen_at);
        is_beyond.then_some(seen_at)
    }

    /// How much of `minutes` charts show: no more than was observed.
    pub(super) fn seen_span(&self, minutes: i64) -> SignedDuration {
        let span = SignedDuration::from_mins(minutes);
        let seen = self.first_seen.map(|first| self.now.duration_since(first));
        seen.map_or(span, |seen| span.min(seen))
    }

    /// The time from the viewed time to `at`; negative if it is before.
    pub(super) fn until(&self, at: Timestamp) -> SignedDuration {
        at.duration_since(self.at)
    }
}

impl<'a> HpaRow<'a> {
    /// The replicas before and after the decision.
    pub(super) fn replicas(&self) -> (Option<i32>, Option<i32>) {
        self.entry
            .map_or((None, None), |entry| (entry.current, entry.desired))
    }

    /// The active alarms.
    pub(super) fn alarms(&self) -> &'a [Alarm] {
        match self.entry {
            Some(entry) if !self.is_latest => &entry.alarms,
            None if !self.is_latest => &[],
            _ => &self.hpa.alarms,
        }
    }

    /// The severity: an error if the HPA cannot scale or lacks pods, a warning if that may end by itself.
    pub(super) fn severity(&self) -> ScreenRole {
        let action = self.entry.map(|entry| entry.action);
        let is_short = |entry: &HistoryEntry| entry.urgency == Urgency::BeyondMax;
        if self.deleted_at.is_some() {
            ScreenRole::Dim
        } else if action == Some(Action::Failed)
            || self.alarm_kinds().any(AlarmKind::is_severe)
            || self.entry.is_some_and(is_short)
        {
            ScreenRole::Error
        } else if action == Some(Action::Unknown) || !self.alarms().is_empty() {
            ScreenRole::Warning
        } else {
            ScreenRole::Text
        }
    }

    /// The kinds of the active alarms.
    pub(super) fn alarm_kinds(&self) -> impl Iterator<Item = AlarmKind> + use<'a> {
        self.alarms().iter().map(|alarm| alarm.kind)
    }

    /// The metric to name: one whose failure matters, else the one that decides, else the first.
    pub(super) fn winner(&self) -> Option<&'a MetricPoint> {
        let entry = self.entry?;
        let mut metrics = entry.metrics.iter();
        let failed = metrics.clone().find(|metric| metric.failure.is_some());
        let winner = metrics.clone().find(|metric| metric.is_winner);
        match entry.action {
            Action::Failed => failed.or(winner),
            _ => winner.or(failed),
        }
        .or_else(|| metrics.next())
    }

    /// When the replicas last changed.
    pub(super) fn changed_at(&self) -> Option<Timestamp> {
        if self.is_latest {
            return self.hpa.changed_at();
        }
        let entry = self.entry?;
        let mut later = entry;
        for earlier in self.hpa.history.entries().rev() {
            if earlier.at < entry.at && earlier.current != later.current {
                return Some(later.at);
            }
            if earlier.at <= entry.at {
                later = earlier;
            }
        }
        None
    }
}
