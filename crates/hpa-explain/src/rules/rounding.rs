//! The result rounds up to the current replicas.

use hpa_words::amount::replicas;

use super::{
    RuleWords, are_all_counted,
    metric::{self, highest_of_several},
};
use crate::{
    Action, ExplainContext,
    ladder::calculation,
    rules::{
        second_pass::{counted_back, with_them},
        within_tolerance::change_in_words,
    },
    situation::Situation,
};

pub(super) const WORDS: RuleWords = RuleWords {
    short: |cx, action| {
        let current = cx
            .facts
            .current()
            .map_or_else(|| "the same".to_owned(), |now| now.to_string());
        (action == Action::Hold).then(|| format!("rounds to {current}").into())
    },
    sentences,
    recovers: are_all_counted,
    why_nothing: |_| "the replicas fit the load",
    advice: |_| None,
    ..metric::WORDS
};

fn sentences(cx: &ExplainContext<'_>, situation: Option<&Situation>) -> Vec<String> {
    let Some(winner) = cx.facts.winner() else {
        return Vec::new();
    };
    let current = cx.facts.current().unwrap_or_default();
    let how = match calculation(winner) {
        Some(terms) if cx.facts.max() == current => {
            format!("{terms} rounds up to {current}, as now, which is maxReplicas")
        }
        Some(terms) => format!("{terms} rounds up to {current}, as now"),
        None => format!(
            "that asks for {}, which spec.replicas already is",
            replicas(current)
        ),
    };
    let mut sentences = match counted_back(winner) {
        Some(counted_back) => vec![format!("{counted_back}: {}, and {how}.", with_them(winner))],
        None => vec![format!("{}: {how}.", winner.is_at())],
    };
    sentences.extend(highest_of_several(cx));
    if situation.is_none() && counted_back(winner).is_none() {
        sentences.extend(change_in_words(cx));
    }
    sentences
}
