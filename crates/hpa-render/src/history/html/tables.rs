//! The tables: what happened, series.

use hpa_history::{Exporter, HistoryReport, certainty};
use hpa_words::clock::span;
use maud::{Markup, html};

use super::{
    super::happened::{Happened, whole_reason},
    charts::row_id,
};
use crate::html::{HtmlTable, text, tone};

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
    let columns = [
        ("time", ""),
        ("change", "change"),
        ("certainty", ""),
        ("reason", ""),
    ];
    let mut table = HtmlTable::new("happened", columns);
    let mut day = None;
    for (index, one) in rows {
        let date = report.zoned(one.time).date();
        if day.replace(date) != Some(date) {
            table.push_heading("day", &date.strftime("%A, %b %-d").to_string());
        }
        let cells = vec![
            html! { (report.times(one.time, one.until)) },
            html! {
                @if let Some(mark) = mark(report, one) { span.mark aria-hidden="true" { (mark) } }
                (text(&one.what))
            },
            html! { (one.sure) },
            reason(report, one),
        ];
        table.push(tone(one.role), Some(row_id(*index)), cells);
    }
    table.html()
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

/// Whether the replicas went up or down.
fn mark(report: &HistoryReport, one: &Happened) -> Option<&'static str> {
    let steps = report.course.rescales.get(one.rescales.clone())?;
    let (first, last) = (steps.first()?, steps.last()?);
    Some(if first.from < last.to { "▲" } else { "▼" })
}

/// The series that were queried.
pub(super) fn series(report: &HistoryReport) -> Markup {
    let columns = [
        ("series", ""),
        ("exporter", ""),
        ("found", "number"),
        ("every", "number"),
    ];
    let mut table = HtmlTable::new("series", columns);
    for one in &report.series {
        let exporter = match one.name.exporter {
            Exporter::KubeStateMetrics => "kube-state-metrics",
            Exporter::Cadvisor => "cAdvisor",
            Exporter::Keda => "keda-operator",
        };
        let (class, found) = match one.found {
            0 => ("uncounted", "missing".to_owned()),
            found => ("", found.to_string()),
        };
        let every = one.interval.map(|interval| span(interval as f64 / 1000.0));
        let cells = vec![
            html! { code { (one.name.name) } },
            html! { (exporter) },
            html! { (found) },
            html! { (every.as_deref().unwrap_or("-")) },
        ];
        table.push(class, None, cells);
    }
    table.html()
}
