//! The controller cannot read the scale of the target.

use super::{NOT_SCALING, RuleWords};
use crate::{ExplainContext, StepKind, command::ShellCommand, facts::is_target_missing};

pub(super) const WORDS: RuleWords = RuleWords {
    held_by: Some("the scale cannot be read"),
    needed_first: Some("after the controller can read the scale of the target"),
    failed: NOT_SCALING,
    label: |facts| {
        if is_target_missing(facts) {
            "target_not_found"
        } else {
            "target_not_readable"
        }
    },
    short: |cx, _| {
        Some(if is_target_missing(&cx.facts) {
            "target not found".into()
        } else {
            "scale cannot be read".into()
        })
    },
    sentences: |cx, _| sentences(cx),
    recovers: |_| false,
    why_nothing: |_| "",
    advice: |_| None,
    command: |cx| {
        let kind = &cx.facts.observation.hpa.spec.scale_target.kind;
        let list = ShellCommand::new("kubectl get").arg(kind.to_lowercase());
        is_target_missing(&cx.facts).then(|| list.in_namespace(cx))
    },
    before_command: |_| None,
    steps: |_| &[(StepKind::ReadScale, false)],
    what_ifs: &[],
};

fn sentences(cx: &ExplainContext<'_>) -> Vec<String> {
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
