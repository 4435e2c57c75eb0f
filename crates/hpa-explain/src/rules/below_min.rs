//! Fewer replicas than `minReplicas`.

use hpa_analysis::AlterationKind;
use hpa_words::amount::replicas;

use super::{NOT_SCALING, RuleWords};
use crate::{Action, ExplainContext, StepKind};

pub(super) const WORDS: RuleWords = RuleWords {
    held_by: Some("below minReplicas"),
    needed_first: None,
    failed: NOT_SCALING,
    label: |_| "not_scaling",
    short: |_, action| (action == Action::ScaleUp).then(|| "up to min".into()),
    sentences: |cx, _| sentences(cx),
    recovers: |_| true,
    why_nothing: |_| "the HPA repairs it; if that happens again, something else sets the replicas",
    advice: |_| None,
    command: |_| None,
    before_command: |_| None,
    steps: |_| &[(StepKind::CompareBounds, false)],
    what_ifs: &[AlterationKind::MinReplicas],
};

fn sentences(cx: &ExplainContext<'_>) -> Vec<String> {
    vec![
        format!(
            "{} has {}, fewer than minReplicas {min}, so the HPA sets {min} at its next sync.",
            cx.facts.observation.hpa.spec.scale_target,
            replicas(cx.facts.current().unwrap_or_default()),
            min = cx.facts.min()
        ),
        "No metric, window or policy delays that.".to_owned(),
    ]
}
