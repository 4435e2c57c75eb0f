//! More replicas than `maxReplicas`.

use hpa_analysis::AlterationKind;
use hpa_engine::model::Direction;
use hpa_words::amount::replicas;

use super::{RuleWords, below_min};
use crate::{Action, ExplainContext};

pub(super) const WORDS: RuleWords = RuleWords {
    held_by: Some("above maxReplicas"),
    short: |_, action| (action == Action::ScaleDown).then(|| "down to max".into()),
    sentences: |cx, _| sentences(cx),
    recovers: |_| false,
    why_nothing: |_| "",
    advice: |cx| {
        let current = replicas(cx.facts.current()?);
        Some(format!("If {current} are needed, raise maxReplicas."))
    },
    what_ifs: &[AlterationKind::MaxReplicas],
    ..below_min::WORDS
};

fn sentences(cx: &ExplainContext<'_>) -> Vec<String> {
    let is_off = cx.facts.is_off(Direction::Down);
    vec![
        format!(
            "{} has {}, more than maxReplicas {max}, so the HPA sets {max} at its next sync.",
            cx.facts.observation.hpa.spec.scale_target,
            replicas(cx.facts.current().unwrap_or_default()),
            max = cx.facts.max()
        ),
        if is_off {
            "No metric, window or policy delays that, not even selectPolicy Disabled.".to_owned()
        } else {
            "No metric, window or policy delays that.".to_owned()
        },
    ]
}
