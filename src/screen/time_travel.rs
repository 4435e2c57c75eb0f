//! Moves back in time through the history, and forward again. In a replay the command that plays it is asked to move.

use hpa_watch::HistoryEntry;
use jiff::{SignedDuration, Timestamp};

use super::{
    charts::{is_stop, ticks},
    cx::{DrawContext, HpaRow},
    options::Playback,
    request::{Play, ReplayStop, ScreenRequest, TimeDirection},
    view::Screen,
};

impl Screen {
    /// Freezes the viewed time, or continues.
    pub(super) fn pause(&mut self, cx: &DrawContext<'_>) -> Option<ScreenRequest> {
        if self.is_replay() {
            return Some(ScreenRequest::Play(Play::Toggle));
        }
        self.viewed = match self.viewed {
            Some(_) => None,
            None => Some(cx.now),
        };
        None
    }

    /// Goes to the next or previous entry of the chosen HPA.
    pub(super) fn step(
        &mut self,
        cx: &DrawContext<'_>,
        direction: TimeDirection,
    ) -> Option<ScreenRequest> {
        if self.is_replay() {
            return Some(ScreenRequest::Play(Play::Step(direction)));
        }
        let row = self.row(cx)?;
        let from = row.entry.map_or(cx.at, |entry| entry.at);
        let mut times = row.hpa.history.entries().map(|entry| entry.at);
        let to = match direction {
            TimeDirection::Back => times.rev().find(|at| *at < from),
            TimeDirection::Forward => times.find(|at| cx.at < *at),
        };
        self.go_to(to, direction, "sync");
        None
    }

    /// Goes to the next or previous event of a kind of the chosen HPA.
    pub(super) fn jump(
        &mut self,
        cx: &DrawContext<'_>,
        stop: ReplayStop,
        direction: TimeDirection,
    ) -> Option<ScreenRequest> {
        if self.is_replay() && self.filter.is_empty() {
            return Some(ScreenRequest::Play(Play::Jump(stop, direction)));
        }
        if self.is_replay() {
            return self.jump_among_filtered(cx, stop, direction);
        }
        let row = self.row(cx)?;
        let stops = ticks(row.hpa.history.entries()).filter(|tick| is_stop(tick.kind, stop));
        let to = nearest(cx, &row, stops.map(|tick| tick.at), direction);
        self.go_to(to, direction, name(stop));
        None
    }

    /// In a replay, goes to the next or previous event of a kind of the HPAs that match the filter.
    fn jump_among_filtered(
        &mut self,
        cx: &DrawContext<'_>,
        stop: ReplayStop,
        direction: TimeDirection,
    ) -> Option<ScreenRequest> {
        let rows = self.rows(cx);
        let stops = rows
            .iter()
            .flat_map(|row| ticks(row.hpa.history.entries()))
            .filter(|tick| is_stop(tick.kind, stop))
            .map(|tick| tick.at);
        let to = match direction {
            TimeDirection::Back => stops.filter(|at| *at < cx.at).max(),
            TimeDirection::Forward => stops.filter(|at| cx.at < *at).min(),
        };
        if to.is_none() {
            let place = match direction {
                TimeDirection::Back => "before",
                TimeDirection::Forward => "follows",
            };
            let what = name(stop);
            self.report(&format!("no {what} of the filtered HPAs {place}"));
        }
        to.map(|at| ScreenRequest::Play(Play::Seek(at)))
    }

    /// Goes to the next or previous entry at which the replicas or the decision changed.
    pub(super) fn jump_to_change(&mut self, cx: &DrawContext<'_>, direction: TimeDirection) {
        if self.is_replay() {
            return;
        }
        let Some(row) = self.row(cx) else {
            return;
        };
        let mut before: Option<&HistoryEntry> = None;
        let changes = row.hpa.history.entries().filter_map(|entry| {
            let is_other = before.is_some_and(|before| is_change(before, entry));
            before = Some(entry);
            is_other.then_some(entry.at)
        });
        let to = nearest(cx, &row, changes, direction);
        self.go_to(to, direction, "change");
    }

    fn go_to(&mut self, to: Option<Timestamp>, direction: TimeDirection, what: &str) {
        match (to, direction) {
            (Some(_), _) => self.viewed = to,
            (None, TimeDirection::Back) => self.report(&format!("no earlier {what} was seen")),
            (None, TimeDirection::Forward) if self.viewed.is_some() => {
                self.viewed = None;
                self.report(&format!("no later {what}: this is now"));
            }
            (None, TimeDirection::Forward) => self.report(&format!("no later {what}: this is now")),
        }
    }

    /// Goes this many minutes further.
    pub(super) fn seek(&mut self, cx: &DrawContext<'_>, minutes: i64) -> Option<ScreenRequest> {
        let to = cx.at.checked_add(SignedDuration::from_mins(minutes)).ok()?;
        self.show_at(cx, to)
    }

    /// Views a time.
    pub(super) fn show_at(&mut self, cx: &DrawContext<'_>, at: Timestamp) -> Option<ScreenRequest> {
        if self.is_replay() {
            return Some(ScreenRequest::Play(Play::Seek(at)));
        }
        let row = self.row(cx)?;
        let first = row.hpa.history.entries().next().map(|entry| entry.at)?;
        self.viewed = (at < cx.now).then_some(at.max(first));
        None
    }

    /// Returns to now, or to the end of the recording.
    pub(super) fn jump_to_end(&mut self) -> Option<ScreenRequest> {
        self.viewed = None;
        let playback = self.playback.as_ref()?;
        Some(ScreenRequest::Play(Play::Seek(playback.end)))
    }

    /// Goes to the start of the recording.
    pub(super) fn jump_to_begin(&mut self) -> Option<ScreenRequest> {
        let playback = self.playback.as_ref()?;
        Some(ScreenRequest::Play(Play::Seek(playback.begin)))
    }

    /// Plays more slowly or faster.
    pub(super) fn speed(&mut self, by: isize) -> Option<ScreenRequest> {
        let speed = self.playback.as_ref()?.speed;
        let speeds = Playback::SPEEDS;
        let index = speeds.iter().rposition(|one| *one <= speed).unwrap_or(0);
        let index = index.saturating_add_signed(by).min(speeds.len() - 1);
        Some(ScreenRequest::Play(Play::Speed(speeds[index])))
    }
}

fn name(stop: ReplayStop) -> &'static str {
    match stop {
        ReplayStop::Alarm => "alarm",
        ReplayStop::Disagreement => "disagreement",
        ReplayStop::Scaling => "scaling",
    }
}

/// Whether the replicas or the decision changed between two entries.
fn is_change(before: &HistoryEntry, entry: &HistoryEntry) -> bool {
    let decision = |entry: &HistoryEntry| (entry.current, entry.desired, entry.action, entry.rule);
    decision(before) != decision(entry)
}

/// The nearest of some times before or after the viewed time.
fn nearest(
    cx: &DrawContext<'_>,
    row: &HpaRow<'_>,
    times: impl Iterator<Item = Timestamp>,
    direction: TimeDirection,
) -> Option<Timestamp> {
    let from = row.entry.map_or(cx.at, |entry| entry.at);
    match direction {
        TimeDirection::Back => times.filter(|at| *at < from).last(),
        TimeDirection::Forward => times.into_iter().find(|at| cx.at < *at),
    }
}
