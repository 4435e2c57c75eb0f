//! What happens to the chosen HPA and why, in words.

use super::text::{cut_line, draw_line};
use jiff::Timestamp;
use ratatui::{buffer::Buffer, layout::Rect, text::Line};

use super::{
    palette::Role,
    scene::{Scene, Shown},
};
use crate::{
    explain::{Action, Clock, NextView, Story, Verdict, clock::rough, needed_first},
    model::HpaKey,
    render::wrap::wrap,
    watch::{Agreement, FieldDifference, Moment},
};

/// What the page of an HPA begins with: what happened and why, and what may come next.
#[derive(Debug)]
pub struct Words {
    at: Timestamp,
    verdict: Verdict,
    next: Vec<NextView>,
}

impl Words {
    /// The words of a story about the look at `at`.
    pub fn of(story: &Story<'_>, at: Timestamp) -> Self {
        Self {
            at,
            verdict: Verdict::of(story),
            next: NextView::all(story),
        }
    }
}

/// The words about an HPA at one moment. Making them takes a while, so they are kept until another is looked at.
#[derive(Debug)]
pub(super) struct Told {
    hpa: HpaKey,
    at: Timestamp,
    /// None: of that moment no more is known than its numbers.
    words: Option<Words>,
}

impl Told {
    /// What was found out about an HPA at a moment of the past.
    pub(super) fn past(hpa: HpaKey, at: Timestamp, words: Option<Words>) -> Self {
        Self { hpa, at, words }
    }

    /// Whether it is about an HPA at that time.
    pub(super) fn is_about(&self, hpa: &HpaKey, at: Timestamp) -> bool {
        self.hpa == *hpa && self.at == at
    }

    /// The words about `shown`, the latest look: those that are known, if they still hold.
    pub(super) fn of(scene: &Scene<'_>, shown: &Shown<'_>, known: Option<Self>) -> Self {
        let seen = &shown.hpa.latest;
        if let Some(known) = known
            && known.is_about(shown.key, shown.hpa.seen_at)
        {
            return known;
        }
        let clock = Clock {
            zone: scene.options.zone.clone(),
            now: shown.hpa.seen_at,
        };
        let story = Story::of(&seen.assessment, &clock);
        Self {
            hpa: shown.key.clone(),
            at: shown.hpa.seen_at,
            words: Some(Words::of(&story, shown.hpa.seen_at)),
        }
    }
}

/// Draws what happens and why, in the words of `told` if there are any about what is shown.
pub(super) fn draw(
    scene: &Scene<'_>,
    buffer: &mut Buffer,
    area: Rect,
    shown: &Shown<'_>,
    told: Option<&Told>,
) {
    let width = usize::from(area.width).max(1);
    let words = told.and_then(|told| told.words.as_ref());
    let mut title = title(scene, shown, words, true);
    if width < title.width() {
        title = self::title(scene, shown, words, false);
    }
    // A line up to the edge sets it off from the table.
    let rest = width.saturating_sub(title.width() + 1);
    title.push_span(scene.span(Role::Dim, &format!(" {}", scene.glyphs().axis.repeat(rest))));
    let mut lines = vec![title];
    let sentences = match (words, shown.moment) {
        (Some(words), Some(moment)) if !shown.is_latest => then(scene, words, moment),
        (Some(words), _) => words.verdict.sentences.join(" "),
        (None, _) => past(scene, shown),
    };
    let next = next_change(scene, shown, words);
    // One line is kept for what comes next.
    let room = usize::from(area.height).saturating_sub(1 + usize::from(next.is_some()));
    let wrapped = wrap(&scene.clean(&sentences), width);
    let is_cut = room < wrapped.len();
    for (index, text) in wrapped.into_iter().take(room).enumerate() {
        let text = if is_cut && index + 1 == room {
            scene.cut(&format!("{text} {}", "…"), width)
        } else {
            text
        };
        lines.push(Line::styled(text, scene.style(Role::Text)));
    }
    if let Some(next) = next {
        lines.push(Line::from(
            scene.span(Role::Strong, &scene.cut(&next, width)),
        ));
    }
    for view in words.into_iter().flat_map(|words| &words.next) {
        let title = scene.span(Role::Dim, &format!("{:5}", view.title));
        lines.push(Line::from(vec![title, scene.span(Role::Text, &view.text)]));
    }
    let ellipsis = scene.glyphs().ellipsis;
    for (row, line) in (0..area.height).zip(&lines) {
        draw_line(buffer, area, row, &cut_line(line, width, ellipsis));
    }
}

/// `shop/web → Deployment/web  STAYS AT 8 (max)  min 2 · max 8`, and less of it where there is no room.
fn title(
    scene: &Scene<'_>,
    shown: &Shown<'_>,
    words: Option<&Words>,
    is_long: bool,
) -> Line<'static> {
    let target = &shown
        .hpa
        .latest
        .assessment
        .observation
        .hpa
        .spec
        .scale_target;
    let target = if is_long {
        format!(" → {}/{}", target.kind, target.name)
    } else {
        String::new()
    };
    let words = words.filter(|_| shown.is_latest);
    let (headline, action) = match (words, shown.moment) {
        _ if shown.gone_at.is_some() => ("GONE".to_owned(), Action::Unknown),
        (Some(words), _) => (words.verdict.headline.clone(), words.verdict.action),
        (None, Some(moment)) => (moment.headline.clone(), moment.action),
        (None, None) if is_forgotten(scene, shown) => ("FORGOTTEN".to_owned(), Action::Unknown),
        (None, None) => ("NOT SEEN THEN".to_owned(), Action::Unknown),
    };
    let role = match action {
        Action::Failed => Role::Error,
        Action::ScaleDown | Action::Unknown => Role::Warning,
        Action::ScaleUp => Role::Good,
        Action::Disabled | Action::Hold => Role::Strong,
    };
    let mut spans = vec![
        scene.span(Role::Strong, &format!("{}{target}  ", shown.key)),
        scene.span(
            role,
            &format!("{} {headline}", scene.glyphs().action(action)),
        ),
    ];
    if let Some(moment) = shown.moment.filter(|_| is_long) {
        spans.push(scene.span(
            Role::Dim,
            &format!("  min {} · max {}", moment.min, moment.max),
        ));
    }
    Line::from(spans)
}

/// What the page of a moment of the past begins with, and whether the controller did so. Between two syncs it is that of
/// the sync before.
fn then(scene: &Scene<'_>, words: &Words, moment: &Moment) -> String {
    let mut text = words.verdict.sentences.join(" ");
    if words.at != moment.at {
        text.insert_str(0, &format!("Sync of {}: ", scene.clock().time(words.at)));
    }
    text.push_str(&agreement(moment));
    text
}

/// What is known of a moment of the past of which there are only numbers.
fn past(scene: &Scene<'_>, shown: &Shown<'_>) -> String {
    let Some(moment) = shown.moment else {
        return if is_forgotten(scene, shown) {
            "That is too long ago to be shown here. A recording can be explained at any time: \
             `kubectl hpa replay FILE --at TIME`."
        } else {
            "This HPA was not seen yet at that time."
        }
        .to_owned();
    };
    let mut text = format!(
        "As seen at {}, decided by {}.",
        scene.clock().time(moment.at),
        moment.rule.as_str()
    );
    if let Some(asked) = moment.asked {
        text.push_str(&format!(" The metrics asked for {asked}"));
        let window = moment.stabilized.filter(|window| *window != asked);
        if let Some(window) = window {
            text.push_str(&format!(", the window made {window} of it"));
        }
        if let Some((least, most)) = moment.limits {
            text.push_str(&format!(", {least} to {most} were allowed"));
        }
        text.push('.');
    }
    text.push_str(&agreement(moment));
    text
}

/// Whether the time that is looked at is one that was seen and is kept no more.
fn is_forgotten(scene: &Scene<'_>, shown: &Shown<'_>) -> bool {
    Some(scene.at) <= shown.hpa.history.forgotten_until()
}

/// Whether the controller did what was recomputed: a sentence, if that is known.
fn agreement(moment: &Moment) -> String {
    match &moment.agreement {
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
fn next_change(scene: &Scene<'_>, shown: &Shown<'_>, words: Option<&Words>) -> Option<String> {
    if !shown.is_latest || shown.gone_at.is_some() || scene.recording_end(shown).is_some() {
        return None;
    }
    if scene.lost_for.is_some() {
        return Some("next possible change: not known while not connected".to_owned());
    }
    if let Some(next) = shown.hpa.next_change(scene.at) {
        return Some(format!(
            "next possible change: {next}, if the metrics stay as they are"
        ));
    }
    if let Some(needed) = words.and_then(|words| needed_first(&words.verdict)) {
        return Some(format!("next possible change: {needed}"));
    }
    let (earliest, latest) = shown.hpa.next_sync(scene.at);
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
