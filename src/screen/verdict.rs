//! What happens to the chosen HPA and why, in words.

use hpa_engine::model::HpaKey;
use hpa_explain::{Action, ExplainContext, FullAnswer, NextView, Verdict, needed_first};
use hpa_render::watch::noted;
use hpa_watch::{Agreement, FieldDifference, HistoryEntry};
use hpa_words::program::typed;
use hpa_words::{
    clock::{Clock, rough},
    wrap::wrap,
};
use jiff::{SignedDuration, Timestamp};
use ratatui::{buffer::Buffer, layout::Rect, text::Line};

use super::{
    cx::{DrawContext, HpaRow},
    palette::ScreenRole,
    text::{cut_line, draw_line},
};

/// The start of an HPA's page: what happened and why, and what may come next.
#[derive(Debug)]
pub struct Words {
    at: Timestamp,
    verdict: Verdict,
    answer: FullAnswer,
    next: Vec<NextView>,
}

impl Words {
    /// The words about the sync at `at`.
    pub fn of(cx: &ExplainContext<'_>, at: Timestamp) -> Self {
        Self {
            at,
            verdict: Verdict::of(cx),
            answer: FullAnswer::of(cx),
            next: NextView::all(cx),
        }
    }
}

/// The words about an HPA at one entry. They take a while to build, so they are cached until another entry is viewed.
#[derive(Debug)]
pub(super) struct CachedVerdict {
    hpa: HpaKey,
    at: Timestamp,
    /// `None` if only numbers are kept of that entry.
    words: Option<Words>,
}

impl CachedVerdict {
    /// The words about an HPA at an entry of the past.
    pub(super) fn past(hpa: HpaKey, at: Timestamp, words: Option<Words>) -> Self {
        Self { hpa, at, words }
    }

    /// Cause, effect and the one thing to check, if known.
    pub(super) fn sentences(&self) -> Option<String> {
        let words = self.words.as_ref()?;
        Some(words.answer.text())
    }

    /// Whether it is about an HPA at that time.
    pub(super) fn is_about(&self, hpa: &HpaKey, at: Timestamp) -> bool {
        self.hpa == *hpa && self.at == at
    }

    /// The words about `row`, the latest state: the known ones, if they are still valid.
    pub(super) fn of(cx: &DrawContext<'_>, row: &HpaRow<'_>, known: Option<Self>) -> Self {
        let seen = &row.hpa.latest;
        if let Some(known) = known
            && known.is_about(row.key, row.hpa.seen_at)
        {
            return known;
        }
        let clock = Clock::new(cx.options.zone.clone(), row.hpa.seen_at);
        let cx = ExplainContext::of(&seen.assessment, &clock);
        Self {
            hpa: row.key.clone(),
            at: row.hpa.seen_at,
            words: Some(Words::of(&cx, row.hpa.seen_at)),
        }
    }
}

/// Draws what happens and why, using `verdict_words` if they belong to the viewed entry.
pub(super) fn draw(
    cx: &DrawContext<'_>,
    buffer: &mut Buffer,
    area: Rect,
    row: &HpaRow<'_>,
    verdict_words: Option<&CachedVerdict>,
) {
    let width = usize::from(area.width).max(1);
    let words = verdict_words.and_then(|verdict_words| verdict_words.words.as_ref());
    let mut title = title(cx, row, words, true);
    if width < title.width() {
        title = self::title(cx, row, words, false);
    }
    // A line up to the edge separates it from the table.
    let rest = width.saturating_sub(title.width() + 1);
    title.push_span(cx.span(
        ScreenRole::Dim,
        &format!(" {}", cx.glyphs().axis.repeat(rest)),
    ));
    let mut lines = vec![title];
    let texts = texts(cx, row, words, width);
    let room = usize::from(area.height).saturating_sub(1);
    // What to do comes before what may come next.
    let next = next_change(cx, row, words).filter(|_| texts.height() < room);
    for text in texts.within(cx, room, width) {
        lines.push(Line::styled(text, cx.style(ScreenRole::Text)));
    }
    if let Some(next) = next {
        lines.push(Line::from(
            cx.span(ScreenRole::Strong, &cx.cut(&next, width)),
        ));
    }
    for view in words.into_iter().flat_map(|words| &words.next) {
        let title = cx.span(ScreenRole::Dim, &format!("{:<9} ", view.title));
        lines.push(Line::from(vec![
            title,
            cx.span(ScreenRole::Text, &view.text),
        ]));
    }
    let ellipsis = cx.glyphs().ellipsis;
    for (row, line) in (0..area.height).zip(&lines) {
        draw_line(buffer, area, row, &cut_line(line, width, ellipsis));
    }
}

/// The lines that the words about an HPA fill, with title and what comes next.
pub(super) fn height(
    cx: &DrawContext<'_>,
    row: &HpaRow<'_>,
    verdict_words: Option<&CachedVerdict>,
    width: usize,
) -> usize {
    let words = verdict_words.and_then(|verdict_words| verdict_words.words.as_ref());
    let texts = texts(cx, row, words, width.max(1));
    let next = usize::from(next_change(cx, row, words).is_some());
    1 + texts.height() + next
}

/// The words about an HPA, wrapped.
struct Texts {
    said: Vec<String>,
    /// The command that the last sentence leads to.
    command: Option<String>,
    /// What follows the command.
    rest: Vec<String>,
}

impl Texts {
    /// The lines of all of it.
    fn height(&self) -> usize {
        self.said.len() + usize::from(self.command.is_some()) + self.rest.len()
    }

    /// As many lines as fit. The command is what to do: the sentences are cut before it is. Enter shows all.
    fn within(self, cx: &DrawContext<'_>, room: usize, width: usize) -> Vec<String> {
        let Self {
            mut said,
            command,
            rest,
        } = self;
        let command = command.filter(|_| 1 < room);
        let for_said = room - usize::from(command.is_some()).min(room);
        if for_said < said.len() {
            said.truncate(for_said);
            if let Some(last) = said.last_mut() {
                *last = cx.cut(&format!("{last} {}", "…"), width);
            }
        }
        let lines = said.into_iter().chain(command).chain(rest);
        lines.take(room).collect()
    }
}

fn texts(cx: &DrawContext<'_>, row: &HpaRow<'_>, words: Option<&Words>, width: usize) -> Texts {
    let sentences = match (words, row.entry) {
        (Some(words), Some(entry)) if !row.is_latest => then(cx, words, entry),
        (Some(words), _) => words.answer.text(),
        (None, _) => past(cx, row),
    };
    let mut sentences = news(cx, row).unwrap_or_default() + &sentences;
    let agreement = words
        .and(row.entry.filter(|_| !row.is_latest))
        .map(agreement)
        .unwrap_or_default();
    let command = words.and_then(|words| words.answer.command.as_ref());
    let mut rest = Vec::new();
    if command.is_none() {
        sentences.push_str(&agreement);
    } else {
        rest = wrap(&cx.clean(agreement.trim_start()), width);
        rest.retain(|line| !line.is_empty());
    }
    Texts {
        said: wrap(&cx.clean(&sentences), width),
        command: command.map(|command| format!("  {}", cx.clean(command))),
        rest,
    }
}

/// An edit, what followed from it, or scalings that were seen late, while that is news.
fn news(cx: &DrawContext<'_>, row: &HpaRow<'_>) -> Option<String> {
    if row.deleted_at.is_some() {
        return None;
    }
    let note = row.hpa.notes(cx.at).next()?;
    let text = noted(&note.change, &cx.options.zone)?;
    let is_news = cx.at.duration_since(note.at) <= NEWS;
    is_news.then(|| format!("At {}: {text}. ", cx.clock().time(note.at)))
}

/// How long an edit is news.
const NEWS: SignedDuration = SignedDuration::from_mins(1);

/// `shop/web → Deployment/web  STAYS AT 8 (maxReplicas)  min 2 · max 8`, shortened to the width.
fn title(
    cx: &DrawContext<'_>,
    row: &HpaRow<'_>,
    words: Option<&Words>,
    is_long: bool,
) -> Line<'static> {
    let target = &row.hpa.latest.assessment.observation.hpa.spec.scale_target;
    let target = if is_long {
        format!(" → {}/{}", target.kind, target.name)
    } else {
        String::new()
    };
    let words = words.filter(|_| row.is_latest);
    let (headline, action) = match (words, row.entry) {
        _ if row.deleted_at.is_some() => ("GONE".to_owned(), Action::Unknown),
        (Some(words), _) => (words.verdict.headline.clone(), words.verdict.action),
        (None, Some(entry)) => (entry.headline.clone(), entry.action),
        (None, None) if is_forgotten(cx, row) => ("FORGOTTEN".to_owned(), Action::Unknown),
        (None, None) => ("NOT SEEN THEN".to_owned(), Action::Unknown),
    };
    let role = match action {
        Action::Failed => ScreenRole::Error,
        Action::ScaleDown | Action::Unknown => ScreenRole::Warning,
        Action::ScaleUp => ScreenRole::Good,
        Action::Disabled | Action::Hold => ScreenRole::Strong,
    };
    let mut spans = vec![
        cx.span(ScreenRole::Strong, &format!("{}{target}  ", row.key)),
        cx.span(role, &format!("{} {headline}", cx.glyphs().action(action))),
    ];
    if let Some(entry) = row.entry.filter(|_| is_long) {
        spans.push(cx.span(
            ScreenRole::Dim,
            &format!("  min {} · max {}", entry.min, entry.max),
        ));
    }
    Line::from(spans)
}

/// The start of the page of a past entry. Between two syncs it is that of the previous sync.
fn then(cx: &DrawContext<'_>, words: &Words, entry: &HistoryEntry) -> String {
    let mut text = words.answer.text();
    if words.at != entry.at {
        text.insert_str(0, &format!("Sync of {}: ", cx.clock().time(words.at)));
    }
    text
}

/// What is known about a past entry with only numbers.
fn past(cx: &DrawContext<'_>, row: &HpaRow<'_>) -> String {
    let Some(entry) = row.entry else {
        return if is_forgotten(cx, row) {
            let command = typed("replay FILE --at TIME");
            format!(
                "That is too long ago to be shown here. A recording can be explained at any time: `{command}`."
            )
        } else {
            "This HPA was not seen yet at that time.".to_owned()
        };
    };
    let mut text = format!(
        "As seen at {}: {}.",
        cx.clock().time(entry.at),
        entry.answer.at(&cx.clock())
    );
    if let Some(proposal) = entry.proposal {
        text.push_str(&format!(" The metrics asked for {proposal}"));
        let window = entry.stabilized.filter(|window| *window != proposal);
        if let Some(window) = window {
            text.push_str(&format!(", the window held {window}"));
        }
        if let Some((least, most)) = entry.limits {
            text.push_str(&format!(", {least} to {most} were allowed"));
        }
        text.push('.');
    }
    text.push_str(&agreement(entry));
    text
}

/// Whether the viewed time was observed but is not kept any more.
fn is_forgotten(cx: &DrawContext<'_>, row: &HpaRow<'_>) -> bool {
    Some(cx.at) <= row.hpa.history.forgotten_until()
}

/// Whether the controller did what was recomputed, as a sentence, if known.
fn agreement(entry: &HistoryEntry) -> String {
    match &entry.agreement {
        Agreement::Agrees | Agreement::AgreesOtherwise => {
            " The controller did the same.".to_owned()
        }
        Agreement::Differs(fields) => format!(
            " The controller did not: {}.",
            FieldDifference::join(fields, "; ")
        ),
        Agreement::Unclear(fields) => {
            let fields = FieldDifference::join(fields, "; ");
            format!(" It is unclear whether the controller did: {fields}.")
        }
        Agreement::Open => String::new(),
    }
}

/// When the replicas may change next: `next possible change: 8 → 6 in 42 s`.
fn next_change(cx: &DrawContext<'_>, row: &HpaRow<'_>, words: Option<&Words>) -> Option<String> {
    if !row.is_latest || row.deleted_at.is_some() || cx.recording_end(row).is_some() {
        return None;
    }
    if cx.lost_for.is_some() {
        return Some("next possible change: not known while not connected".to_owned());
    }
    if let Some(next) = row.hpa.next_change(cx.at) {
        return Some(format!(
            "next possible change: {next}, if the metrics stay as they are"
        ));
    }
    if let Some(needed) = words.and_then(|words| needed_first(&words.verdict)) {
        return Some(format!("next possible change: {needed}"));
    }
    let (earliest, latest) = row.hpa.next_sync(cx.at);
    let when = if latest.is_zero() {
        "now".to_owned()
    } else if earliest == latest {
        format!("in {}", rough(latest))
    } else {
        format!("within {}", rough(latest))
    };
    Some(format!(
        "next possible change: with the next sync {when}, if the metrics change"
    ))
}
