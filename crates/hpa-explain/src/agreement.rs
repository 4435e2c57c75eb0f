//! Puts the cross-check with what the controller wrote into words.

use hpa_analysis::{Cause, CheckBasis, Compared, Comparison, ComparisonOutcome, UnreportedRescale};

use hpa_engine::{
    model::{Quantity, quantity::Overflow},
    trace::Milli,
};

use crate::{
    ExplainContext, NoteWeight, TrustView, edited,
    metric_names::{MetricName, metric_names},
    reasons::because,
};

/// The cross-check in words.
pub(super) fn agreement(cx: &ExplainContext<'_>) -> Vec<TrustView> {
    let check = cx.cross_check;
    let view = |title, text: String, is_warning| TrustView {
        title,
        text,
        weight: if is_warning {
            NoteWeight::Warning
        } else {
            NoteWeight::Normal
        },
    };
    let what = match check.basis {
        CheckBasis::Outcome => "the recorded outcome",
        CheckBasis::Status => "the status",
    };
    let mut views = Vec::new();
    match check.agreement {
        ComparisonOutcome::Agrees if check.basis == CheckBasis::Outcome => {
            let text = "the recorded outcome in every field".to_owned();
            views.push(view("matches", text, false));
        }
        ComparisonOutcome::Agrees if check.compared.is_empty() => {}
        ComparisonOutcome::Agrees => {
            let text = format!("{what}: {}", same(cx));
            views.push(view("matches", text, false));
        }
        ComparisonOutcome::Moved | ComparisonOutcome::MayHaveMoved => {
            let text = moved(cx);
            views.push(view("since sync", text, false));
        }
        ComparisonOutcome::Differs => {
            let text = format!("{what} has {}", different(cx));
            views.push(view("mismatch", text, true));
        }
        ComparisonOutcome::NothingWritten => views.push(view(
            "status",
            "empty: the controller has not synced this HPA yet".to_owned(),
            false,
        )),
        ComparisonOutcome::NotRecomputed => {}
        ComparisonOutcome::Torn if let Some(rescale) = cx.unreported() => {
            let UnreportedRescale { from, to } = rescale;
            let text = format!("not compared: older than the rescale {from} → {to}");
            views.push(view("status", text, false));
        }
        ComparisonOutcome::Torn => views.push(view(
            "status",
            "not compared: the controller wrote it while this was captured, so pods, metrics and status are partly from \
             before and partly from after that sync"
                .to_owned(),
            true,
        )),
        ComparisonOutcome::SpecChanged => views.push(view(
            "status",
            "not compared: it belongs to the current spec".to_owned(),
            false,
        )),
        ComparisonOutcome::SpecEdited => views.push(view(
            "status",
            match check.hypotheses.first().map(|one| &one.cause) {
                Some(Cause::SpecNewer(unobserved)) => format!(
                    "older than the spec: observedGeneration {}, generation {}",
                    unobserved.observed, unobserved.generation
                ),
                _ => match edited::differences(cx) {
                    Some(was) => format!("older than the spec, which was edited since: {was}"),
                    None => "older than the spec, which was edited since".to_owned(),
                },
            },
            true,
        )),
    }
    if let Some(text) = because(cx) {
        views.push(view("cause", text, false));
    }
    views
}

/// `desired 8, cpu 85%, ReadyForNewScale, ValidMetricFound`.
fn same(cx: &ExplainContext<'_>) -> String {
    let parts: Vec<String> = cx
        .cross_check
        .compared
        .iter()
        .map(|one| match &one.what {
            Compared::Condition(_) | Compared::Message(_) => one.written.clone(),
            Compared::DesiredReplicas | Compared::LastRescale => {
                format!("desired {}", one.written)
            }
            Compared::Metric(index) => format!("{} {}", name(cx, *index), one.written),
            Compared::Field(field) => format!("{field} {}", one.written),
        })
        .collect();
    parts.join(", ")
}

/// `cpu was 83%, now 85%`.
fn moved(cx: &ExplainContext<'_>) -> String {
    // If a metric has moved, everything else follows from that.
    let is_metric = |one: &Comparison| matches!(one.what, Compared::Metric(_));
    let compared = &cx.cross_check.compared;
    let has_metric = compared.iter().any(|one| is_metric(one) && !one.agrees());
    each_difference(
        cx,
        |one| is_metric(one) || !has_metric,
        |what, one| {
            let text = |value| in_its_unit(cx, one, value);
            format!(
                "{what} was {}, now {}",
                text(&one.written),
                text(&one.recomputed)
            )
        },
    )
}

/// The value of a metric as the rows have it: `10.5` instead of the API's `10500m`.
fn in_its_unit(cx: &ExplainContext<'_>, one: &Comparison, value: &str) -> String {
    let Compared::Metric(index) = one.what else {
        return value.to_owned();
    };
    let metrics = &cx.facts.metrics;
    let metric = metrics
        .iter()
        .find(|metric| metric.evaluation.index == index);
    match (metric, Quantity::parse(value)) {
        (Some(metric), Ok(quantity)) => {
            let milli = quantity.milli_value(Overflow::Saturate);
            metric.unit().amount(Milli(milli))
        }
        _ => value.to_owned(),
    }
}

/// `desired 6, recomputed 7`.
fn different(cx: &ExplainContext<'_>) -> String {
    each_difference(
        cx,
        |_| true,
        |what, one| format!("{what} {}, recomputed {}", one.written, one.recomputed),
    )
}

fn each_difference(
    cx: &ExplainContext<'_>,
    is_reported: impl Fn(&Comparison) -> bool,
    report: impl Fn(String, &Comparison) -> String,
) -> String {
    cx.cross_check
        .compared
        .iter()
        .filter(|one| !one.agrees() && is_reported(one))
        .map(|one| {
            let what = match &one.what {
                Compared::Condition(condition) => (*condition).to_owned(),
                Compared::Message(condition) => format!("message of {condition}"),
                Compared::DesiredReplicas => "desired".to_owned(),
                Compared::LastRescale => "desired at the last rescale".to_owned(),
                Compared::Metric(index) => name(cx, *index),
                Compared::Field(field) => field.clone(),
            };
            report(what, one)
        })
        .collect::<Vec<_>>()
        .join("; ")
}

fn name(cx: &ExplainContext<'_>, index: usize) -> String {
    // If the controller gave up before it read the metrics, their names come from the spec.
    let names = metric_names(&cx.facts.observation.hpa.spec.metrics);
    let name = names.into_iter().nth(index);
    name.unwrap_or_else(|| MetricName::of_unknown(index)).short
}
