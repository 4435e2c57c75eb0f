//! The controller cannot read the scale of the target.

use crate::{ExplainContext, short_answer::is_target_missing};

pub(crate) fn sentences(cx: &ExplainContext<'_>) -> Vec<String> {
    let hpa = &cx.facts.observation.hpa;
    let target = &hpa.spec.scale_target;
    let message = scale_error(cx);
    if is_target_missing(&cx.facts) {
        return vec![
            format!(
                "{target} does not exist in namespace {}, so there is nothing to scale (FailedGetScale: {message}).",
                hpa.namespace
            ),
            format!("Fix scaleTargetRef, or create {target}."),
        ];
    }
    vec![
        format!("The scale of {target} cannot be read: {message}."),
        "The HPA cannot scale until it can be read.".to_owned(),
    ]
}

/// The API server's error for the scale.
fn scale_error<'a>(cx: &ExplainContext<'a>) -> &'a str {
    let error = cx.facts.read_scale.and_then(|scale| scale.error.as_ref());
    error.map_or("", |error| error.message.trim_end_matches('.'))
}
