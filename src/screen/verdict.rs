//! What happens to the chosen HPA and why, in words.

use super::text::draw_line;
use jiff::Timestamp;
use ratatui::{buffer::Buffer, layout::Rect, text::Line};

use super::{
    palette::Role,
    scene::{Scene, Shown},
};
use crate::{
    explain::{Action, Clock, NextView, Story, Verdict, clock::rough},
    watch::{Agreement, HpaKey},
};

/// The words about the latest look at an HPA. Making them takes a while, so they are kept until there is another look.
#[derive(Debug)]
pub(super) struct Told {
    hpa: HpaKey,
    seen_at: Timestamp,
    verdict: Verdict,
    next: Vec<NextView>,
}

impl Told {
    /// The words about `shown`: those that are known, if they still hold.
    pub(super) fn of(scene: &Scene<'_>, shown: &Shown<'_>, known: Option<Self>) -> Self {
        let seen = &shown.hpa.latest;
        if let Some(known) = known
            && known.hpa == *shown.key
            && known.seen_at == shown.hpa.seen_at
        {
            return known;
        }
        let clock = Clock {
            zone: scene.options.zone.clone(),
            now: shown.hpa.seen_at,
        };
        let mut look = seen.look.clone();
        look.add_edges(&seen.observation);
        let story = Story::new(&seen.observation, &seen.context, &look, &clock);
        Self {
            hpa: shown.key.clone(),
            seen_at: shown.hpa.seen_at,
            verdict: Verdict::of(&story),
            next: NextView::all(&story),
        }
    }
}

/// Draws what happens and why. `told` has the words of the latest look.
pub(super) fn draw(
    scene: &Scene<'_>,
    buffer: &mut Buffer,
    area: Rect,
    shown: &Shown<'_>,
    told: Option<&Told>,
) {
    let width = usize::from(area.width).max(1);
    let mut title = title(scene, shown, told);
    // A line up to the edge sets it off from the table.
    let rest = width.saturating_sub(title.width() + 1);
    title.push_span(scene.span(Role::Dim, &format!(" {}", scene.glyphs().axis.repeat(rest))));
    let mut lines = vec![title];
    let told = told.filter(|_| shown.is_latest);
    let sentences = match told {
        Some(told) => told.verdict.sentences.join(" "),
        None => past(scene, shown),
    };
    let next = next_change(scene, shown);
    // One line is kept for what comes next.
    let room = usize::from(area.height).saturating_sub(1 + usize::from(next.is_some()));
    let wrapped = textwrap::wrap(&scene.clean(&sentences), width)
        .into_iter()
        .map(std::borrow::Cow::into_owned)
        .collect::<Vec<String>>();
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
    for view in told.into_iter().flat_map(|told| &told.next) {
        let title = scene.span(Role::Dim, &format!("{:5}", view.title));
        lines.push(Line::from(vec![title, scene.span(Role::Text, &view.text)]));
    }
    for (row, line) in (0..area.height).zip(&lines) {
        draw_line(buffer, area, row, line);
    }
}

/// `shop/web → Deployment/web  STAYS AT 8 (max)  min 2 · max 8`.
fn title(scene: &Scene<'_>, shown: &Shown<'_>, told: Option<&Told>) -> Line<'static> {
    let target = &shown.hpa.latest.observation.hpa.spec.scale_target;
    let told = told.filter(|_| shown.is_latest);
    let (headline, action) = match (told, shown.moment) {
        _ if shown.gone_at.is_some() => ("GONE".to_owned(), Action::Unknown),
        (Some(told), _) => (told.verdict.headline.clone(), told.verdict.action),
        (None, Some(moment)) => (moment.headline.clone(), moment.action),
        (None, None) => ("NOT SEEN THEN".to_owned(), Action::Unknown),
    };
    let role = match action {
        Action::Failed => Role::Error,
        Action::ScaleDown | Action::Unknown => Role::Warning,
        Action::ScaleUp => Role::Good,
        Action::Disabled | Action::Hold => Role::Strong,
    };
    let mut spans = vec![
        scene.span(
            Role::Strong,
            &format!("{} → {}/{}  ", shown.key, target.kind, target.name),
        ),
        scene.span(
            role,
            &format!("{} {headline}", scene.glyphs().action(action)),
        ),
    ];
    if let Some(moment) = shown.moment {
        spans.push(scene.span(
            Role::Dim,
            &format!("  min {} · max {}", moment.min, moment.max),
        ));
    }
    Line::from(spans)
}

/// What is known of a moment of the past.
fn past(scene: &Scene<'_>, shown: &Shown<'_>) -> String {
    let Some(moment) = shown.moment else {
        return "This HPA was not seen yet at that time.".to_owned();
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
    match &moment.agreement {
        Agreement::Agrees => text.push_str(" The controller did the same."),
        Agreement::Differs(fields) => {
            text.push_str(&format!(" The controller did not: {}.", fields.join("; ")));
        }
        Agreement::Unclear(fields) => {
            let fields = fields.join("; ");
            text.push_str(&format!(
                " It is unclear whether the controller did: {fields}."
            ));
        }
        Agreement::Open => {}
    }
    text
}

/// When the replicas may change next: `next possible change: 8 → 6 in 42 s`.
fn next_change(scene: &Scene<'_>, shown: &Shown<'_>) -> Option<String> {
    if !shown.is_latest || shown.gone_at.is_some() {
        return None;
    }
    if let Some(next) = shown.hpa.next_change(scene.at) {
        return Some(format!(
            "next possible change: {next}, if the metrics stay as they are"
        ));
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
