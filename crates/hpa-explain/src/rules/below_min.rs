//! Fewer replicas than `minReplicas`.

use hpa_words::amount::replicas;

use crate::ExplainContext;

pub(crate) fn sentences(cx: &ExplainContext<'_>) -> Vec<String> {
    vec![
        format!(
            "{} has {}, fewer than minReplicas {min}, so the HPA sets {min} immediately.",
            cx.facts.observation.hpa.spec.scale_target,
            replicas(cx.facts.current().unwrap_or_default()),
            min = cx.facts.min()
        ),
        "No metric, window or policy delays that.".to_owned(),
    ]
}
