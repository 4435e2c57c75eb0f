//! How the replicas changed so far.

use hpa_diagnosis::flapping::{self, Flapping, Swing, Swings};
use hpa_engine::model::Direction;
use hpa_words::{
    amount::count,
    clock::{duration, rough},
};
use jiff::{SignedDuration, Timestamp};

use super::{NoteTopic, NoteView, NoteWeight};
use crate::{
    ExplainContext,
    command::explain_again,
    situation::{MeasuredProblem, Place, Situation},
};

/// Whether the replicas go up and down repeatedly (flapping).
pub(super) fn notes(cx: &ExplainContext<'_>) -> Vec<NoteView> {
    note(cx).into_iter().collect()
}

fn note(cx: &ExplainContext<'_>) -> Option<NoteView> {
    let clock = cx.clock;
    let swings = Swings::of(cx.context, clock.now);
    let is_flapping = judged(&swings, clock.now).is_some();
    let (within, advice) = if is_flapping {
        (flapping::WITHIN, advice(cx))
    } else {
        (LONG_AGO, String::new())
    };
    let sizes = sizes(&swings.rescales);
    let swings = match clock.now.checked_sub(within) {
        Ok(from) => swings.since(from),
        Err(_) => swings,
    };
    let (first, last) = (swings.turns.first()?, swings.turns.last()?);
    let every = flapping::interval(&swings.times()).map_or_else(String::new, |interval| {
        format!(", every {} on average", rough(interval))
    });
    let from = if swings.is_seen {
        "seen in earlier syncs"
    } else {
        "from the HPA's Events"
    };
    Some(NoteView {
        topic: NoteTopic::History,
        title: "flapping",
        text: format!(
            "{} from {} to {}{every}: {sizes}{} ({from}).{advice}",
            count(swings.turns.len(), "direction change"),
            clock.time(first.at),
            clock.time(last.at),
            reasons(&swings.turns),
        ),
        weight: match flapping::most_within(&swings.times(), flapping::WITHIN) {
            _ if is_flapping => NoteWeight::Warning,
            // It is over.
            most if flapping::TURNS <= most => NoteWeight::Normal,
            _ => NoteWeight::Detail,
        },
    })
}

/// `. Because of 2 × All metrics below target`, the most frequent first.
fn reasons(turns: &[Swing]) -> String {
    let mut reasons: Vec<(&str, usize)> = Vec::new();
    for reason in turns.iter().filter_map(|turn| turn.reason.as_deref()) {
        let reason = if reason.is_empty() {
            "an older recommendation"
        } else {
            reason
        };
        match reasons.iter_mut().find(|(known, _)| *known == reason) {
            Some((_, times)) => *times = times.saturating_add(1),
            None => reasons.push((reason, 1)),
        }
    }
    reasons.sort_by_key(|(_, times)| std::cmp::Reverse(*times));
    let reasons: Vec<String> = reasons
        .iter()
        .map(|(reason, times)| format!("{times} × {reason}"))
        .collect();
    if reasons.is_empty() {
        return String::new();
    }
    format!(". Because of {}", reasons.join(", "))
}

/// Problem: the replicas go up and down.
pub(crate) fn problem(cx: &ExplainContext<'_>) -> Option<MeasuredProblem> {
    let now = cx.clock.now;
    let swings = Swings::of(cx.context, now);
    let flapping = judged(&swings, now)?;
    let every = flapping.every;
    let window = cx.facts.observation.window(Direction::Down);
    let longer = flapping::longer_than_swing(every);
    let is_short = window < longer;
    let situation = Situation {
        place: Place::Before,
        words: Some("flapping".to_owned()),
        sentences: vec![
            format!(
                "The HPA is flapping: {}, every {} on average.",
                count(flapping.turns, "direction change"),
                rough(every)
            ),
            if is_short {
                format!(
                    "Set scaleDown.stabilizationWindowSeconds longer than a swing, such as {} (now {}).",
                    longer.as_secs(),
                    window.as_secs()
                )
            } else {
                format!(
                    "scaleDown.stabilizationWindowSeconds ({}) is longer than a swing: check what changes the load.",
                    window.as_secs()
                )
            },
        ],
        command: is_short.then(|| {
            explain_again(cx).arg("--set").arg(format!(
                "behavior.scaleDown.stabilizationWindowSeconds={}",
                longer.as_secs()
            ))
        }),
    };
    situation.measured(swings.effect())
}

/// Whether the HPA is flapping.
fn judged(swings: &Swings, now: Timestamp) -> Option<Flapping> {
    flapping::flapping(&swings.times(), now, false)
}

/// `… 6 → 3 → 6 → 3`: an ellipsis marks rescales or other writers in between.
fn sizes(rescales: &[Swing]) -> String {
    let skipped = rescales.len().saturating_sub(MOST_LISTED);
    let mut text = String::new();
    for (index, rescale) in rescales.iter().skip(skipped).enumerate() {
        let before = match (index, rescale.follows) {
            (0, _) if skipped == 0 => "",
            (0, _) => "… → ",
            (_, true) => " → ",
            (_, false) => " … ",
        };
        text.push_str(before);
        text.push_str(&rescale.to.to_string());
    }
    text
}

fn advice(cx: &ExplainContext<'_>) -> String {
    let window = cx.facts.observation.window(Direction::Down);
    format!(
        " A scaleDown.stabilizationWindowSeconds longer than one swing dampens it (now {}).",
        duration(window)
    )
}

/// Changes of direction are counted within this time: the default retention of Events.
const LONG_AGO: SignedDuration = SignedDuration::from_mins(60);

/// At most this many sizes are shown.
const MOST_LISTED: usize = 8;
