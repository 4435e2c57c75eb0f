//! More replicas than `maxReplicas`.

use hpa_words::amount::replicas;

use crate::ExplainContext;

pub(crate) fn sentences(cx: &ExplainContext<'_>) -> Vec<String> {
    vec![
        format!(
            "{} has {}, more than maxReplicas {max}, so the HPA sets {max} immediately.",
            cx.facts.observation.hpa.spec.scale_target,
            replicas(cx.facts.current().unwrap_or_default()),
            max = cx.facts.max()
        ),
        "No metric, window or policy delays that, not even selectPolicy Disabled.".to_owned(),
    ]
}
