//! How the replicas changed so far.

use hpa_analysis::{ReplicaHistory, Rescaled, replica_history};
use hpa_diagnosis::flapping::{self, Flapping};
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
    situation::{Place, Situation},
};

/// Whether the replicas go up and down repeatedly (flapping).
pub(super) fn notes(cx: &ExplainContext<'_>) -> Vec<NoteView> {
    flapping(cx).into_iter().collect()
}

fn flapping(cx: &ExplainContext<'_>) -> Option<NoteView> {
    let clock = cx.clock;
    let history = replica_history(cx.context, clock.now);
    let is_flapping = judged(&history, clock.now).is_some();
    let turns = late_turns(&history, clock.now, is_flapping);
    let (first, last) = (turns.first()?, turns.last()?);
    let every = flapping::interval(&times(&turns)).map_or_else(String::new, |interval| {
        format!(", every {} on average", rough(interval))
    });
    let mut reasons: Vec<(&str, usize)> = Vec::new();
    for turn in &turns {
        let reason = if turn.reason.is_empty() {
            "an older recommendation"
        } else {
            turn.reason.as_str()
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
    let sizes = sizes(&history);
    let advice = if is_flapping {
        advice(cx)
    } else {
        String::new()
    };
    Some(NoteView {
        topic: NoteTopic::History,
        title: "flapping",
        text: format!(
            "{} from {} to {}{every}: {sizes}. Because of {} (from the HPA's Events).{advice}",
            count(turns.len(), "direction change"),
            clock.time(first.at),
            clock.time(last.at),
            reasons.join(", ")
        ),
        weight: match flapping::most_within(&times(&turns), flapping::WITHIN) {
            _ if is_flapping => NoteWeight::Warning,
            // It is over.
            most if flapping::TURNS <= most => NoteWeight::Normal,
            _ => NoteWeight::Detail,
        },
    })
}

/// Situation: the replicas go up and down.
pub(crate) fn situation(cx: &ExplainContext<'_>) -> Option<Situation> {
    let now = cx.clock.now;
    let flapping = judged(&replica_history(cx.context, now), now)?;
    let every = flapping.every;
    let window = cx.facts.observation.window(Direction::Down);
    let longer = longer_than(every);
    let is_short = window < longer;
    Some(Situation {
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
    })
}

/// Whether the HPA is flapping, from its Events.
fn judged(history: &ReplicaHistory, now: Timestamp) -> Option<Flapping> {
    let turns: Vec<&Rescaled> = history.turns.iter().collect();
    flapping::flapping(&times(&turns), now, false)
}

fn times(turns: &[&Rescaled]) -> Vec<Timestamp> {
    turns.iter().map(|turn| turn.at).collect()
}

/// A window in whole minutes that is longer than one swing, up and down again.
fn longer_than(swing: SignedDuration) -> SignedDuration {
    let minutes = swing
        .as_secs()
        .saturating_mul(2)
        .div_euclid(60)
        .saturating_add(1);
    SignedDuration::from_secs(minutes.saturating_mul(60).min(3600))
}

/// The recent changes of direction: those that are judged, or all that Events show.
fn late_turns(history: &ReplicaHistory, now: Timestamp, is_flapping: bool) -> Vec<&Rescaled> {
    let within = if is_flapping {
        flapping::WITHIN
    } else {
        LONG_AGO
    };
    let turns = history.turns.iter();
    turns
        .filter(|turn| now.duration_since(turn.at) <= within)
        .collect()
}

/// `… 6 → 3 → 6 → 3`: an ellipsis marks rescales or other writers in between.
fn sizes(history: &ReplicaHistory) -> String {
    let skipped = history.rescales.len().saturating_sub(MOST_LISTED);
    let mut text = String::new();
    for (index, rescale) in history.rescales[skipped..].iter().enumerate() {
        let before = match (index, rescale.from) {
            (0, _) if skipped == 0 => "",
            (0, _) => "… → ",
            (_, Some(_)) => " → ",
            (_, None) => " … ",
        };
        text.push_str(before);
        text.push_str(&rescale.size.to_string());
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
