//! A workload that the HPA scaled to zero gets `minReplicas`.

use super::{RuleWords, below_min};
use crate::{Action, ExplainContext, StepKind};

pub(super) const WORDS: RuleWords = RuleWords {
    held_by: Some("raised from zero"),
    short: |_, action| (action == Action::ScaleUp).then(|| "up from zero".into()),
    sentences: |cx, _| sentences(cx),
    why_nothing: |_| "the HPA does it at its next sync",
    advice: |_| None,
    before_command: |_| None,
    steps: |_| &[(StepKind::RaiseFromZero, false)],
    what_ifs: &[],
    ..below_min::WORDS
};

fn sentences(cx: &ExplainContext<'_>) -> Vec<String> {
    vec![format!(
        "This HPA scaled to 0 itself, and minReplicas is now {}, so it scales up to that at its next sync.",
        cx.facts.min()
    )]
}
