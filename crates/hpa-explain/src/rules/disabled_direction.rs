//! `selectPolicy: Disabled` in the direction of the metrics.

use crate::ExplainContext;

pub(crate) fn sentences(cx: &ExplainContext<'_>) -> Vec<String> {
    let proposal = cx.facts.proposal().unwrap_or_default();
    let is_down = cx.facts.current().is_some_and(|current| proposal < current);
    let side = if is_down { "scaleDown" } else { "scaleUp" };
    let way = if is_down { "down" } else { "up" };
    vec![
        format!(
            "{}, but {side}.selectPolicy is Disabled, so no metric scales it {way}.",
            cx.proposal_text()
        ),
        "Only minReplicas and maxReplicas still change the replicas.".to_owned(),
    ]
}
