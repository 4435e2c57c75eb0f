//! Alarms of several HPAs with a common cause, a line for each cause.

use hpa_engine::model::HpaKey;
use hpa_watch::{Alarm, AlarmCause, Change};
use hpa_words::amount::{count, names};
use jiff::{SignedDuration, Timestamp};
use ratatui::{buffer::Buffer, layout::Rect, text::Line};

use super::{
    cx::{DrawContext, HpaRow},
    palette::ScreenRole,
    text::{cut_line, draw_line},
};

/// A cause that affects several HPAs.
pub(super) struct SharedCause<'a> {
    cause: &'a AlarmCause,
    since: Timestamp,
    alarms: usize,
    hpas: Vec<&'a HpaKey>,
}

impl<'a> SharedCause<'a> {
    /// The causes that affect more than one HPA, the one that affects most first.
    pub(super) fn all(rows: &[HpaRow<'a>]) -> Vec<Self> {
        let mut causes: Vec<Self> = Vec::new();
        for row in rows {
            let alarms = row.alarms().iter();
            for (alarm, cause) in alarms.filter_map(|alarm| Some((alarm, alarm.cause.as_ref()?))) {
                let known = causes.iter_mut().find(|one| one.cause.key() == cause.key());
                match known {
                    Some(known) => {
                        known.since = known.since.min(alarm.since);
                        known.alarms += 1;
                        if known.hpas.last() != Some(&row.key) {
                            known.hpas.push(row.key);
                        }
                    }
                    None => causes.push(Self {
                        cause,
                        since: alarm.since,
                        alarms: 1,
                        hpas: vec![row.key],
                    }),
                }
            }
        }
        causes.retain(|cause| 1 < cause.hpas.len());
        causes.sort_by_key(|cause| std::cmp::Reverse(cause.hpas.len()));
        causes
    }

    /// Whether an alarm has this cause.
    pub(super) fn has(&self, alarm: &Alarm) -> bool {
        let cause = alarm.cause.as_ref();
        cause.is_some_and(|cause| cause.key() == self.cause.key())
    }

    /// `! metrics.k8s.io of shop answers 503: 6 HPAs since 05:11:58 (43 s): web, api and 4 more`.
    pub(super) fn line(&self, cx: &DrawContext<'_>) -> Line<'static> {
        let clock = cx.clock();
        let hpas = count(self.hpas.len(), "HPA");
        let (time, ago) = (clock.time(self.since), clock.ago(self.since));
        let all: Vec<&str> = self.hpas.iter().map(|key| key.name.as_str()).collect();
        Line::from(vec![
            cx.span(
                ScreenRole::Severe,
                &format!("! {}: {hpas}", self.cause.text()),
            ),
            cx.span(ScreenRole::Dim, &format!(" since {time} ({ago}): ")),
            cx.span(ScreenRole::Text, &names(&all, MOST_NAMED)),
        ])
    }
}

/// The number of active alarms; those with a common cause count as one.
pub(super) fn alarm_count(rows: &[HpaRow<'_>]) -> usize {
    let alarms: usize = rows.iter().map(|row| row.alarms().len()).sum();
    let shared = SharedCause::all(rows);
    let more: usize = shared.iter().map(|cause| cause.alarms - 1).sum();
    alarms - more
}

/// What was missed in a gap that ended some minutes ago: `seen late at 05:14:02: 9 scalings of 6 HPAs: web, api and 4
/// more`.
pub(super) fn missed(cx: &DrawContext<'_>, rows: &[HpaRow<'_>]) -> Option<Line<'static>> {
    let (mut scalings, mut until, mut hpas) = (0, None, Vec::new());
    for row in rows.iter().filter(|row| row.deleted_at.is_none()) {
        let recent = row.hpa.notes(cx.at);
        for note in recent.take_while(|note| cx.at.duration_since(note.at) <= MISSED_IS_NEWS) {
            if let Change::RescaledUnseen { steps, .. } = &note.change {
                scalings += steps.len();
                until = until.max(Some(note.at));
                if hpas.last() != Some(&row.key.name.as_str()) {
                    hpas.push(row.key.name.as_str());
                }
            }
        }
    }
    let until = cx.clock().time(until?);
    let (scalings, of) = (count(scalings, "scaling"), count(hpas.len(), "HPA"));
    Some(Line::from(vec![
        cx.span(
            ScreenRole::Warning,
            &format!("seen late at {until}: {scalings} of {of}: "),
        ),
        cx.span(ScreenRole::Text, &names(&hpas, MOST_NAMED)),
    ]))
}

/// Draws what was missed, and as many causes as fit.
pub(super) fn draw(
    cx: &DrawContext<'_>,
    buffer: &mut Buffer,
    area: Rect,
    causes: &[SharedCause<'_>],
    missed: Option<Line<'static>>,
) {
    let causes = causes.iter().map(|cause| cause.line(cx));
    for (row, line) in (0..area.height).zip(missed.into_iter().chain(causes)) {
        let line = cut_line(&line, area.width.into(), cx.glyphs().ellipsis);
        draw_line(buffer, area, row, &line);
    }
}

/// How long it is reported what was missed.
const MISSED_IS_NEWS: SignedDuration = SignedDuration::from_mins(5);

/// At most this many HPAs of one cause are named.
const MOST_NAMED: usize = 6;
