//! Without `behavior` a step at most doubles the replicas, or reaches 4.

use crate::{ExplainContext, rules::policy::proposal_before, steps_ahead::steps};

pub(crate) fn sentences(cx: &ExplainContext<'_>) -> Vec<String> {
    let Some(limit) = cx.facts.limit else {
        return Vec::new();
    };
    let rule = if limit.desired == 4 && limit.current.saturating_mul(2) < 4 {
        "Without behavior one sync can at most reach 4 here"
    } else if limit.desired == 4 {
        "Without behavior one sync can at most double the replicas, or reach 4"
    } else {
        "Without behavior one sync can at most double the replicas"
    };
    let mut sentences = vec![
        format!("{}.", proposal_before(cx, limit.stabilized)),
        format!("{rule}."),
    ];
    sentences.extend(steps(cx));
    sentences
}
