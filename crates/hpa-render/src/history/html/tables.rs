//! The tables: what happened, series.

use hpa_history::{Exporter, HistoryReport, certainty};
use hpa_words::clock::span;
use maud::{Markup, html};

use super::{
    super::happened::{Happened, whole_reason},
    charts::row_id,
};
use crate::{html::text, style::Role};

/// At most this many rows, the newest ones, are shown; the others are folded.
const MOST_OPEN: usize = 40;

/// What happened, in chronological order.
pub(super) fn happened(report: &HistoryReport, happened: &[Happened]) -> Markup {
    let folded = happened.len().saturating_sub(MOST_OPEN);
    let rows: Vec<(usize, &Happened)> = happened.iter().enumerate().collect();
    let (earlier, visible) = rows.split_at(folded);
    html! {
        @if !earlier.is_empty() {
            details {
                summary { (earlier.len()) " earlier" }
                (happened_table(report, earlier))
            }
        }
        (happened_table(report, visible))
    }
}

fn happened_table(report: &HistoryReport, rows: &[(usize, &Happened)]) -> Markup {
    let mut day = None;
    html! {
        table.happened {
            thead {
                tr {
                    th scope="col" { "time" }
                    th scope="col" { "change" }
                    th scope="col" { "certainty" }
                    th scope="col" { "reason" }
                }
            }
            tbody {
                @for (index, one) in rows {
                    @let date = report.zoned(one.time).date();
                    @if day.replace(date) != Some(date) {
                        tr.day { th colspan="4" { (date.strftime("%A, %b %-d").to_string()) } }
                    }
                    tr id=(row_id(*index)) {
                        th scope="row" { (report.times(one.time, one.until)) }
                        td.change.(tone(one)) data-label="change" {
                            @if let Some(mark) = mark(report, one) { span.mark aria-hidden="true" { (mark) } }
                            (text(&one.what))
                        }
                        td data-label="certainty" { (one.sure) }
                        td data-label="reason" { (reason(report, one)) }
                    }
                }
            }
        }
    }
}

fn reason(report: &HistoryReport, one: &Happened) -> Markup {
    let rescales = report.course.rescales.get(one.rescales.clone());
    match rescales.unwrap_or_default() {
        [] => html! { (text(&one.why)) },
        [_] => html! { (text(&whole_reason(report, one.rescales.start))) },
        steps => html! {
            details {
                summary { (text(&one.why)) }
                ol.steps {
                    @for (step, index) in steps.iter().zip(one.rescales.clone()) {
                        li {
                            b { (report.times(step.time, None)) "  " (step.from) " → " (step.to) } " "
                            span.dim { (certainty(step.certainty)) } " "
                            (text(&whole_reason(report, index)))
                        }
                    }
                }
            }
        },
    }
}

fn tone(one: &Happened) -> &'static str {
    match one.role {
        Role::Error => "bad",
        Role::Warning => "down",
        Role::Dim => "quiet",
        Role::Good | Role::Strong | Role::Text => "plain",
    }
}

/// Whether the replicas went up or down.
fn mark(report: &HistoryReport, one: &Happened) -> Option<&'static str> {
    let steps = report.course.rescales.get(one.rescales.clone())?;
    let (first, last) = (steps.first()?, steps.last()?);
    Some(if first.from < last.to { "▲" } else { "▼" })
}

/// The series that were queried.
pub(super) fn series(report: &HistoryReport) -> Markup {
    html! {
        table.series {
            thead {
                tr {
                    th scope="col" { "series" }
                    th scope="col" { "exporter" }
                    th.number scope="col" { "found" }
                    th.number scope="col" { "every" }
                }
            }
            tbody {
                @for one in &report.series {
                    tr class=[(one.found == 0).then_some("uncounted")] {
                        th scope="row" { code { (one.name.name) } }
                        td data-label="exporter" {
                            @match one.name.exporter {
                                Exporter::KubeStateMetrics => "kube-state-metrics",
                                Exporter::Cadvisor => "cAdvisor",
                                Exporter::Keda => "keda-operator",
                            }
                        }
                        td.number data-label="found" { @if one.found == 0 { "missing" } @else { (one.found) } }
                        td.number data-label="every" {
                            @match one.interval {
                                Some(interval) => (span(interval as f64 / 1000.0)),
                                None => "-",
                            }
                        }
                    }
                }
            }
        }
    }
}
