//! An old recommendation raises the replicas, without `behavior`.

use super::{
    RuleWords,
    stabilization_window::{self, held, then},
};
use crate::{Action, ExplainContext, steps_ahead::next_steps};

pub(super) const WORDS: RuleWords = RuleWords {
    held_by: Some("raised by an old recommendation"),
    short: |cx, action| match action {
        Action::ScaleUp => Some("up, asked for before".into()),
        _ => (stabilization_window::WORDS.short)(cx, action),
    },
    sentences: |cx, _| sentences(cx),
    recovers: |_| true,
    why_nothing: |_| "that ends by itself",
    advice: |_| Some("That ends by itself.".to_owned()),
    ..stabilization_window::WORDS
};

fn sentences(cx: &ExplainContext<'_>) -> Vec<String> {
    let held = cx.facts.stabilize.and_then(|step| held(cx, step));
    let Some(held) = held else {
        return Vec::new();
    };
    // The only change to come is that after the window.
    let then = then(cx).filter(|_| cx.analysis.timeline.len() == 1);
    let mut sentences = vec![format!(
        "{}, but without spec.behavior {held}{}.",
        cx.present_demand(),
        then.clone().unwrap_or_default()
    )];
    if then.is_none() {
        sentences.extend(next_steps(cx));
    }
    sentences
}
