//! Everything that one drawing looks at.

use jiff::{SignedDuration, Timestamp};
use ratatui::{style::Style, text::Span};

use super::{
    glyphs::Glyphs,
    options::{Mode, ScreenOptions},
    palette::{Palette, ScreenRole},
    text,
};
use crate::{
    explain::{Action, Clock},
    model::HpaKey,
    render,
    watch::{Alarm, AlarmKind, HistoryEntry, HpaState, MetricPoint, State},
};

/// Everything that one drawing looks at.
pub(super) struct DrawContext<'a> {
    /// What is known.
    pub(super) state: &'a State,
    /// The controller's clock, as far as anything was heard; in a replay the position in it.
    pub(super) now: Timestamp,
    /// How long nothing has been heard of the API server; none: it is heard of.
    pub(super) lost_for: Option<SignedDuration>,
    /// The time that is looked at: `now`, or one of the past.
    pub(super) at: Timestamp,
    /// The first moment of any HPA that is kept.
    pub(super) first_seen: Option<Timestamp>,
    /// Whether that is a time of the past, chosen by the user.
    pub(super) is_past: bool,
    pub(super) options: &'a ScreenOptions,
    /// Whether what is drawn may be no longer so.
    pub(super) is_faint: bool,
}

/// An HPA at the time that is looked at.
#[derive(Clone, Copy)]
pub(super) struct HpaRow<'a> {
    pub(super) key: &'a HpaKey,
    pub(super) hpa: &'a HpaState,
    /// What it was then; none: it was not seen yet.
    pub(super) entry: Option<&'a HistoryEntry>,
    /// Whether that is the latest, of which everything is known.
    pub(super) is_latest: bool,
    /// When it went, if it was gone then.
    pub(super) deleted_at: Option<Timestamp>,
}

impl<'a> DrawContext<'a> {
    /// The colors.
    pub(super) fn palette(&self) -> Palette {
        Palette {
            has_color: self.options.has_color,
        }
    }

    /// How a piece is drawn: faint where it may be no longer so.
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

    /// The same for one HPA.
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

    /// The reader's clock at the time that is looked at.
    pub(super) fn clock(&self) -> Clock {
        Clock {
            zone: self.options.zone.clone(),
            now: self.at,
        }
    }

    /// The reader's clock now.
    pub(super) fn clock_now(&self) -> Clock {
        Clock {
            zone: self.options.zone.clone(),
            now: self.now,
        }
    }

    /// Makes a text safe for the terminal.
    pub(super) fn clean(&self, text: &str) -> String {
        let style = render::Style {
            has_color: false,
            has_unicode: self.options.has_unicode,
            width: 0,
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

    /// The HPA at the time that is looked at.
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

    /// When the recording of an HPA ended, if what is looked at lies beyond it: nothing is known of what came then.
    pub(super) fn recording_end(&self, row: &HpaRow<'_>) -> Option<Timestamp> {
        let seen_at = row.hpa.seen_at;
        let period = row.hpa.latest.assessment.observation.sync_period().value;
        let is_beyond = self.options.mode == Mode::Replay
            && row.is_latest
            && period * 2 < self.at.duration_since(seen_at);
        is_beyond.then_some(seen_at)
    }

    /// How much time charts show of `minutes`: no more than was seen.
    pub(super) fn seen_span(&self, minutes: i64) -> SignedDuration {
        let span = SignedDuration::from_mins(minutes);
        let seen = self.first_seen.map(|first| self.now.duration_since(first));
        seen.map_or(span, |seen| span.min(seen))
    }

    /// How long after the time that is looked at something is; negative: before.
    pub(super) fn until(&self, at: Timestamp) -> SignedDuration {
        at.duration_since(self.at)
    }
}

impl<'a> HpaRow<'a> {
    /// The replicas now and after the decision.
    pub(super) fn replicas(&self) -> (Option<i32>, Option<i32>) {
        self.entry
            .map_or((None, None), |entry| (entry.current, entry.desired))
    }

    /// The alarms that are on.
    pub(super) fn alarms(&self) -> &'a [Alarm] {
        match self.entry {
            Some(entry) if !self.is_latest => &entry.alarms,
            None if !self.is_latest => &[],
            _ => &self.hpa.alarms,
        }
    }

    /// How bad it is: an error where the HPA cannot scale or lacks pods, a warning where that may be over by itself.
    pub(super) fn severity(&self) -> ScreenRole {
        let action = self.entry.map(|entry| entry.action);
        let is_short = |entry: &HistoryEntry| {
            matches!(entry.action, Action::Hold)
                && entry.max <= entry.desired.unwrap_or_default()
                && entry.proposal > Some(entry.max)
        };
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

    /// What the alarms are about that are on.
    pub(super) fn alarm_kinds(&self) -> impl Iterator<Item = AlarmKind> + use<'a> {
        self.alarms().iter().map(|alarm| alarm.kind)
    }

    /// The metric to name: one that failed if that is in the way, else the one that decides, else the first.
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

    /// When the replicas changed last.
    pub(super) fn changed_at(&self) -> Option<Timestamp> {
        if self.is_latest {
            return self.hpa.changed_at;
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
