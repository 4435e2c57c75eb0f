//! The screen: what is open, chosen and viewed, between two drawings.

use hpa_engine::model::HpaKey;
use hpa_render::styled::StyledText;
use hpa_watch::State;
use jiff::{SignedDuration, Timestamp};
use ratatui::{Frame, layout::Rect, text::Span};

use super::{
    charts::{Drawn, SPAN_AT_FIRST, SPANS, TimeAxis},
    cx::{DrawContext, HpaRow},
    layout::ScreenParts,
    options::{Mode, Playback, ScreenOptions},
    page::{self, ScreenPage},
    palette::Palette,
    prompt::Prompt,
    rows::{Sorting, rows},
    verdict::{CachedVerdict, Words},
};

/// The full screen of `watch` and of `replay --tui`.
///
/// It is drawn from a state and a time, and handles events of the terminal. It requests what it cannot do itself.
#[derive(Debug)]
pub struct Screen {
    pub(super) options: ScreenOptions,
    pub(super) playback: Option<Playback>,
    pub(super) chosen: Option<HpaKey>,
    /// Whether the user has done anything yet. Until then the most urgent HPA is shown, later the chosen one.
    pub(super) is_touched: bool,
    /// The first visible row of the table.
    pub(super) top: usize,
    pub(super) sorting: Sorting,
    pub(super) filter: String,
    /// Which parts are shown.
    pub(super) parts: ScreenParts,
    /// The viewed time in the past; none: now.
    pub(super) viewed: Option<Timestamp>,
    /// Index of the span of the charts.
    pub(super) span: usize,
    /// Whether the user chose the span.
    pub(super) has_own_span: bool,
    /// The metric whose chart comes first.
    pub(super) metric: usize,
    pub(super) page: Option<ScreenPage>,
    /// The requested page, and its title.
    pub(super) requested_page: Option<(page::PageKind, String)>,
    pub(super) prompt: Option<Prompt>,
    pub(super) message: Option<String>,
    /// The words about the latest state of the chosen HPA.
    pub(super) verdict_words: Option<CachedVerdict>,
    /// The words about the viewed entry of the past.
    pub(super) past_verdict: Option<CachedVerdict>,
    /// The area of the last drawing.
    pub(super) area: Rect,
    pub(super) hits: Hits,
    pub(super) last_click: Option<(HpaKey, Timestamp)>,
}

/// What was drawn where, for the mouse.
#[derive(Debug, Default)]
pub(super) struct Hits {
    /// The rows of the table, and their HPAs.
    pub(super) rows: Rect,
    pub(super) keys: Vec<HpaKey>,
    pub(super) charts: Vec<Drawn>,
    pub(super) scrubber: Option<(Rect, TimeAxis)>,
    pub(super) lists: Rect,
}

impl Screen {
    /// A screen that shows the most urgent HPA, now.
    pub fn new(options: ScreenOptions) -> Self {
        Self {
            options,
            playback: None,
            chosen: None,
            is_touched: false,
            top: 0,
            sorting: Sorting::default(),
            filter: String::new(),
            parts: ScreenParts::default(),
            viewed: None,
            span: SPAN_AT_FIRST,
            has_own_span: false,
            metric: 0,
            page: None,
            requested_page: None,
            prompt: None,
            message: None,
            verdict_words: None,
            past_verdict: None,
            area: Rect::new(0, 0, 80, 24),
            hits: Hits::default(),
            last_click: None,
        }
    }

    /// Draws `state` as of `now`: the controller's clock, in a replay its position.
    pub fn draw(&mut self, frame: &mut Frame<'_>, state: &State, now: Timestamp) {
        self.area = frame.area();
        let options = self.options.clone();
        let cx = self.cx(&options, state, now);
        self.fit_span(cx.first_seen, now);
        let cursor = self.draw_frame(&cx, frame.buffer_mut());
        if let Some(cursor) = cursor {
            frame.set_cursor_position(cursor);
        }
    }

    /// Opens the requested page of `explain`. If it is already open, its scroll position stays.
    pub(crate) fn show_page(&mut self, page: &StyledText) {
        let palette = Palette {
            has_color: self.options.has_color,
        };
        let lines = page.lines().iter().map(|line| {
            let spans = line.iter();
            spans
                .map(|(role, text)| Span::styled(text.clone(), palette.of((*role).into())))
                .collect()
        });
        let lines = lines.collect();
        let (kind, title) = self
            .requested_page
            .take()
            .unwrap_or_else(|| (page::PageKind::Other, "explanation".to_owned()));
        match &mut self.page {
            Some(open) if open.kind == kind => open.replace(lines),
            _ => self.page = Some(ScreenPage::new(kind, title, lines)),
        }
    }

    /// The HPA and the viewed time in the past, if the words about them are missing; pass these to
    /// [`Self::show_words`].
    pub fn wants_words(&mut self, state: &State, now: Timestamp) -> Option<(HpaKey, Timestamp)> {
        if self.viewed.is_none() && self.playback.is_none() {
            return None;
        }
        let options = self.options.clone();
        let cx = self.cx(&options, state, now);
        let rows = self.rows(&cx);
        let row = &rows[self.settle(&rows)?];
        let entry = row.entry.filter(|_| !row.is_latest)?;
        let verdict_words = self.past_verdict.as_ref();
        let is_reported =
            verdict_words.is_some_and(|verdict_words| verdict_words.is_about(row.key, entry.at));
        (!is_reported).then(|| (row.key.clone(), entry.at))
    }

    /// Sets the words about an HPA at a time in the past; `None` if it cannot be explained any more.
    pub fn show_words(&mut self, hpa: HpaKey, at: Timestamp, words: Option<Words>) {
        self.past_verdict = Some(CachedVerdict::past(hpa, at, words));
    }

    /// The width of a page in columns.
    pub fn page_width(&self) -> usize {
        usize::from(self.area.width).clamp(40, 120)
    }

    /// Shows a message in one line, until the next key.
    pub fn report(&mut self, message: &str) {
        self.message = Some(message.to_owned());
    }

    /// Sets the state of a replay. Until the user chooses a span, the charts span all of it, if that is less than a
    /// day.
    pub fn show_playback(&mut self, playback: Playback) {
        if !self.has_own_span {
            self.span = fitting_span(playback.end.duration_since(playback.begin));
        }
        self.playback = Some(playback);
    }

    /// Until the user chooses a span, the charts of a live screen span what was observed, so that the first minutes
    /// fill them.
    fn fit_span(&mut self, first_seen: Option<Timestamp>, now: Timestamp) {
        if self.has_own_span || self.options.mode == Mode::Replay {
            return;
        }
        if let Some(first) = first_seen {
            self.span = fitting_span(now.duration_since(first)).min(SPAN_AT_FIRST);
        }
    }

    /// The context of a drawing.
    pub(super) fn cx<'a>(
        &self,
        options: &'a ScreenOptions,
        state: &'a State,
        now: Timestamp,
    ) -> DrawContext<'a> {
        let known_at = state.known_at(now);
        let is_past = self.viewed.is_some();
        DrawContext {
            state,
            now: known_at,
            lost_for: state.lost().map(|_| now.duration_since(known_at)),
            at: self.viewed.unwrap_or(known_at),
            first_seen: first_seen(state),
            is_past,
            options,
            is_faint: state.lost().is_some() && !is_past,
        }
    }

    /// The rows of the table.
    pub(super) fn rows<'a>(&self, cx: &DrawContext<'a>) -> Vec<HpaRow<'a>> {
        rows(cx, self.sorting, &self.filter)
    }
}

/// The first kept entry of any HPA.
fn first_seen(state: &State) -> Option<Timestamp> {
    let hpas = state.hpas.values();
    let firsts = hpas.filter_map(|hpa| hpa.history.entries().next());
    firsts.map(|first| first.at).min()
}

/// Index of the shortest span that holds this much time, or else of the longest.
fn fitting_span(length: SignedDuration) -> usize {
    let fitting = SPANS
        .iter()
        .position(|minutes| length <= SignedDuration::from_mins(*minutes));
    fitting.unwrap_or(SPANS.len() - 1)
}
