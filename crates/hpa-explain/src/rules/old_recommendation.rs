//! An old recommendation raises the replicas, without `behavior`.

use hpa_engine::trace::StabilizePath;
use hpa_words::clock::duration;

use super::{RuleWords, stabilization_window};
use crate::{
    Action, ExplainContext,
    ladder::{holder, number},
    rules::stabilization_window::capped,
    steps_ahead::next_steps,
};

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
    let Some(step) = cx.facts.stabilize else {
        return Vec::new();
    };
    let window = match step.path {
        StabilizePath::NoBehavior { window } => duration(window.value),
        StabilizePath::Behavior { down_window, .. } => duration(down_window.value),
    };
    let held = holder(step, step.stabilized);
    let at = held.map_or_else(String::new, |held| match held.provenance {
        one if one.is_inferred() => " (inferred)".to_owned(),
        _ => format!(" (asked for at {})", cx.clock.time(held.at)),
    });
    let mut sentences = vec![format!(
        "{}, but without spec.behavior the highest of the last {window} counts: \
         {}{at}{}.",
        cx.present_demand(),
        number(step, step.stabilized),
        capped(cx, step.stabilized)
    )];
    sentences.extend(next_steps(cx));
    sentences
}
