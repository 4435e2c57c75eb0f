//! Without `behavior` a step at most doubles the replicas, or reaches 4.

use super::{RuleWords, are_all_counted, max_replicas::needed_maximum, policy};
use crate::{Action, ExplainContext, rules::policy::limited};

pub(super) const WORDS: RuleWords = RuleWords {
    held_by: Some("in one step"),
    short: |_, action| match action {
        Action::Hold => Some("step limit".into()),
        Action::ScaleUp => Some("up, step limit".into()),
        _ => None,
    },
    sentences: |cx, _| sentences(cx),
    recovers: |cx| {
        let is_enough = needed_maximum(cx).is_some_and(|needed| needed <= cx.facts.max());
        are_all_counted(cx) && is_enough
    },
    what_ifs: &[],
    ..policy::DOWN
};

fn sentences(cx: &ExplainContext<'_>) -> Vec<String> {
    let Some(limit) = cx.facts.limit else {
        return Vec::new();
    };
    let rule = if limit.desired == 4 && limit.current.saturating_mul(2) < 4 {
        "at most sets 4".to_owned()
    } else {
        format!("at most doubles the replicas: {} now", limit.desired)
    };
    vec![limited(
        cx,
        &format!("without spec.behavior one sync {rule}"),
    )]
}
