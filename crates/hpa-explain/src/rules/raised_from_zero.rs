//! A workload that the HPA scaled to zero gets `minReplicas`.

use crate::ExplainContext;

pub(crate) fn sentences(cx: &ExplainContext<'_>) -> Vec<String> {
    vec![format!(
        "This HPA scaled to 0 itself, and minReplicas is now {}, so it scales up to that immediately.",
        cx.facts.min()
    )]
}
