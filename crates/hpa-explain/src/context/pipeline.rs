//! Who serves the metrics, whether it answers, how old the samples are, and what the adapters say.

mod adapter;
mod api;
mod failure;
mod metric_note;
mod samples;
mod target;

use hpa_analysis::condition_since;
use hpa_words::amount::names;

use metric_note::MetricNote;

use super::{NoteTopic, NoteView, NoteWeight};
use crate::{ExplainContext, MetricFacts};

pub(crate) use failure::{command, in_short, is_missing};
pub(crate) use target::mismatch;

/// Who serves the metrics, whether it answers, and how old the samples are; problems come first.
pub(super) fn notes(cx: &ExplainContext<'_>) -> Vec<NoteView> {
    let metrics = &cx.facts.metrics;
    let mut notes: Vec<(MetricNote, Vec<String>)> = Vec::new();
    let mut add = |metric: &MetricFacts<'_>, one: MetricNote| {
        let name = metric.full_name();
        match notes.iter_mut().find(|(known, _)| *known == one) {
            Some((_, names)) => names.push(name),
            None => notes.push((one, vec![name])),
        }
    };
    for metric in metrics {
        for one in failure::notes(cx, metric) {
            add(metric, one);
        }
        for one in target::notes(cx, metric) {
            add(metric, one);
        }
        for one in adapter::notes(cx, metric) {
            add(metric, one);
        }
        for one in samples::notes(cx, metric) {
            add(metric, one);
        }
    }
    let mut notes: Vec<NoteView> = notes
        .into_iter()
        .map(|(one, metrics)| {
            let text = format!("{}: {}", names(&metrics, metrics.len()), one.text);
            NoteTopic::Pipeline.note("metrics", one.weight, text)
        })
        .collect();
    notes.extend(only_the_controller(cx));
    notes.extend(samples::lag(cx));
    notes.sort_by_key(|note| match note.weight {
        NoteWeight::Warning => 0,
        NoteWeight::Normal => 1,
        NoteWeight::Detail => 2,
    });
    notes
}

/// Our read of the metrics works, but the controller's failed: it uses other credentials and another network path.
fn only_the_controller(cx: &ExplainContext<'_>) -> Option<NoteView> {
    let facts = &cx.facts;
    // With a file there are no permissions of our own to compare.
    let context = cx.context;
    let is_live = context.surroundings.api_services.is_some() || !context.requests.is_empty();
    let is_fine = is_live
        && !facts.metrics.is_empty()
        && facts
            .metrics
            .iter()
            .all(|metric| metric.replicas().is_some());
    let inactive = facts
        .observation
        .hpa
        .status
        .false_condition("ScalingActive");
    let condition =
        inactive.filter(|condition| is_fine && condition.reason.starts_with("FailedGet"))?;
    let since = condition_since(facts.observation, context, condition)
        .map_or_else(String::new, |at| {
            format!(" since {} ({})", cx.clock.time(at), cx.clock.ago(at))
        });
    Some(NoteTopic::Pipeline.note("metrics", 
        NoteWeight::Warning,
        format!(
            "all of them can be read here now, but the controller last wrote {}{since}. If \
             this lasts longer than one sync period, check the controller's own permissions and its \
             connection to the metrics APIs.",
            condition.reason
        ),
    ))
}
