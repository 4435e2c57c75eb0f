//! Something that decides could not be read by this program.

use hpa_analysis::value_text;
use hpa_engine::{
    model::{MetricSpec, NotRead, SnapshotField},
    trace::Decision,
};
use hpa_words::amount::names;

use super::{NOT_SCALING, RuleWords};
use crate::{ExplainContext, command::explain_live, field_name::name_of, metric_names};

pub(super) const WORDS: RuleWords = RuleWords {
    held_by: Some("something cannot be read here"),
    needed_first: Some("unknown, because not everything that decides can be read"),
    failed: NOT_SCALING,
    label: |_| "not_scaling",
    short: |_, _| Some("unknown".into()),
    sentences: |cx, _| sentences(cx),
    recovers: |_| false,
    why_nothing: |_| "",
    advice: |_| None,
    command: |cx| lacks_objects(cx).then(|| explain_live(cx)),
    before_command: |_| None,
    steps: |_| &[],
    what_ifs: &[],
};

fn sentences(cx: &ExplainContext<'_>) -> Vec<String> {
    let Decision::Unknown { missing, .. } = &cx.facts.trace.decision else {
        return Vec::new();
    };
    let noted = cx.context.not_read.iter().filter(|one| one.what.decides());
    let mut what: Vec<String> = missing
        .iter()
        .chain(noted)
        .map(|one| name_of(&one.what))
        .collect();
    what.sort();
    what.dedup();
    let is_forbidden = missing.iter().any(|one| one.is_forbidden);
    let is_file = lacks_objects(cx);
    let who = if is_forbidden {
        format!("You cannot read {} here", names(&what, 3))
    } else if is_file {
        format!("The file lacks inputs ({})", names(&what, 3))
    } else {
        format!("Some inputs cannot be read here ({})", names(&what, 3))
    };
    let mut sentences = vec![format!("{who}, so the decision cannot be recomputed.")];
    if is_forbidden {
        sentences.push("The missing RBAC rules are listed below.".to_owned());
        let is_scale = |one: &NotRead| one.what == SnapshotField::Scale && one.is_forbidden;
        if missing.iter().any(is_scale) {
            let metrics = &cx.facts.observation.hpa.spec.metrics;
            sentences.push(needed_after_scale(metrics));
        }
    } else if missing.iter().any(|one| one.remedy.is_some()) {
        sentences.push("What is missing is listed below.".to_owned());
    } else if let Some(first) = missing.first() {
        sentences.push(format!("Why: {}.", first.why.trim_end_matches('.')));
    }
    let status = &cx.facts.observation.hpa.status;
    if !status.conditions.is_empty() && cx.has_status_of_spec() {
        let metrics = &cx.facts.observation.hpa.spec.metrics;
        let values: Vec<String> = metric_names(metrics)
            .into_iter()
            .zip(&status.current_metrics)
            .map(|(name, status)| format!("{} {}", name.short, value_text(status)))
            .collect();
        let values = if values.is_empty() {
            String::new()
        } else {
            format!(", {}", values.join(", "))
        };
        sentences.push(format!(
            "The controller last wrote: desired replicas {}{values}.",
            status.desired_replicas
        ));
    }
    if is_file {
        sentences.push("To explain the HPA of the cluster instead:".to_owned());
    }
    sentences
}

/// Whether the page is about objects in a file, and some are not there.
pub(crate) fn lacks_objects(cx: &ExplainContext<'_>) -> bool {
    let Decision::Unknown { missing, .. } = &cx.facts.trace.decision else {
        return false;
    };
    let is_forbidden = missing.iter().any(|one| one.is_forbidden);
    cx.file.is_some() && !is_forbidden && missing.iter().any(|one| one.remedy.is_some())
}

/// The permissions for reads that need the pods of the scale: they would be the next ones to be missing.
fn needed_after_scale(metrics: &[MetricSpec]) -> String {
    let mut permissions = Vec::new();
    for metric in metrics {
        let also = if metric.resource().is_some() {
            "list pods.metrics.k8s.io".to_owned()
        } else if metric.is_pods() {
            format!("get pods/{} in custom.metrics.k8s.io", metric.short_name())
        } else {
            continue;
        };
        if !permissions.contains(&also) {
            permissions.push(also);
        }
    }
    permissions.insert(0, "list pods".to_owned());
    format!("Also needed: {}.", permissions.join(", "))
}
