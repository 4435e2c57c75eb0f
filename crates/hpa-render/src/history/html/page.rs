//! The whole page: the answer first, then charts, then tables.

use hpa_explain::by_known;
use hpa_history::{
    HistoryReport, NOT_TRUSTED, WhatIfReport, answer, censored, hidden, pod_cpu, startup, trust,
};
use hpa_words::clock::span;
use maud::{Markup, html};

use super::{
    super::{
        happened::{Happened, happened},
        specs::specs,
    },
    charts, tables,
    words::headline,
};
use crate::{
    chart::{STYLE, figures},
    html::{file, text},
};

/// The page as one self-contained file.
pub fn document(report: &HistoryReport) -> String {
    let title = format!("{}: history, {}", report.hpa, headline(report).text);
    file(&title, &[STYLE, include_str!("style.css")], &body(report))
}

fn body(report: &HistoryReport) -> Markup {
    let happened = happened(report, false);
    html! {
        main {
            article class=(headline(report).class) {
                (header(report))
                (course(report, &happened))
                (table(report, &happened))
                @if let Some(one) = &report.what_if { (what_if(report, one)) }
                (basis(report))
                (series(report))
                (advice(report))
            }
        }
    }
}

fn header(report: &HistoryReport) -> Markup {
    let headline = headline(report);
    let length = report.to.duration_since(report.from).as_secs_f64();
    let (from, to) = (report.from.as_millisecond(), report.to.as_millisecond());
    let bounds = report.course.points.last().map(|point| point.bounds);
    html! {
        header.card {
            p.object {
                b { (text(&report.hpa.to_string())) }
                " → "
                span { (text(&report.target)) }
            }
            h2 {
                span class=(format!("badge {}", headline.class)) {
                    span.mark aria-hidden="true" { (headline.mark) }
                    (headline.text)
                }
            }
            p.answer { (text(&answer(report).join(" "))) }
            @if !report.course.points.is_empty() {
                p.trust { (text(&trust(report))) }
            }
            @for one in &report.censored {
                p.trust { (text(&censored(*one))) }
            }
            @for warning in &report.warnings {
                p.warning { span.sign aria-label="warning" { "!" } " " (text(warning)) }
            }
            p.dim {
                (span(length)) ", " (report.zoned(from).strftime("%Y-%m-%d %H:%M:%S").to_string())
                " to " (report.zoned(to).strftime("%Y-%m-%d %H:%M:%S %Z").to_string())
                @if let Some((min, max)) = bounds { " · minReplicas " (min) " · maxReplicas " (max) }
                " · Kubernetes " (text(&report.version))
                " · " (text(&report.server))
            }
        }
    }
}

/// The part of the time range that is not shown because nothing was scraped then.
fn missing(report: &HistoryReport) -> Option<String> {
    let (first, last) = report.edges()?;
    let (from, to) = (report.from.as_millisecond(), report.to.as_millisecond());
    let much = (3 * report.spacing()).max((to - from) / 20);
    match (from + much < first, last + much < to) {
        (true, true) => Some(format!(
            "There are samples of {} only.",
            report.times(first, Some(last))
        )),
        (true, false) => Some(format!(
            "The samples begin at {}.",
            report.zoned(first).strftime("%b %-d %H:%M:%S")
        )),
        (false, true) => Some(format!(
            "The samples end at {}.",
            report.zoned(last).strftime("%b %-d %H:%M:%S")
        )),
        (false, false) => None,
    }
}

fn course(report: &HistoryReport, happened: &[Happened]) -> Markup {
    let charts = charts::course(report, happened);
    html! {
        @if !charts.is_empty() {
            section.card {
                h3 { "The course" }
                (figures(&charts))
                @if let Some(missing) = missing(report) { p.dim.key { (missing) } }
            }
        }
    }
}

fn table(report: &HistoryReport, happened: &[Happened]) -> Markup {
    html! {
        @if !report.course.points.is_empty() {
            section.card {
                h3 { "What happened" }
                @if happened.is_empty() {
                    p { "Nothing: the replicas did not change." }
                } @else {
                    (tables::happened(report, happened))
                    p.dim.key {
                        b { "certain" } ": all that the controller can have found and remembered leads to this. "
                        b { "likely" } ": something that was not seen can have changed it. "
                        b { "observed" } ": the series themselves show it. "
                        b { "unknown" } ": it cannot be recomputed."
                    }
                }
            }
        }
    }
}

fn what_if(report: &HistoryReport, what_if: &WhatIfReport) -> Markup {
    let chart = charts::what_if(report, what_if);
    html! {
        section.card {
            h3 { "What if" }
            p.control {
                "Control run: today's spec in the same model gives "
                (format!("{:.1}%", what_if.control * 100.0)) " of the replicas that there were."
            }
            @if what_if.is_trusted {
                @if let Some(chart) = &chart { (figures(std::slice::from_ref(chart))) }
                (specs(what_if, chart.is_some()).html())
                @if 1 < what_if.variants.len() {
                    p.dim.key { "The median of several runs; 8 of 10 runs lie within the range." }
                }
                @if let Some(sentence) = pod_cpu(what_if) { p.dim.key { (sentence) } }
                @if let Some(sentence) = hidden(what_if) { p.dim.key { (sentence) } }
            } @else {
                p.error { (NOT_TRUSTED) }
            }
            p.dim.key { (startup(what_if)) }
        }
    }
}

/// The source of each input.
fn basis(report: &HistoryReport) -> Markup {
    html! {
        @if !report.sources.is_empty() {
            section.card {
                h3 { "What it rests on" }
                dl.lines {
                    @for (known, words) in by_known(&report.sources) {
                        div {
                            dt { (known.as_str()) }
                            dd { (text(&words)) }
                        }
                    }
                }
            }
        }
    }
}

fn series(report: &HistoryReport) -> Markup {
    let missing = report.series.iter().filter(|one| one.found == 0).count();
    html! {
        @if !report.series.is_empty() {
            details.card open[report.course.points.is_empty()] {
                summary {
                    h3 { "Series" }
                    " "
                    span.dim {
                        (report.series.len() - missing) " found"
                        @if 0 < missing { ", " (missing) " missing" }
                    }
                }
                (tables::series(report))
            }
        }
    }
}

fn advice(report: &HistoryReport) -> Markup {
    html! {
        @if !report.advice.is_empty() {
            section.card {
                h3 { "What would make it better known" }
                ul.sentences {
                    @for one in &report.advice { li { (text(&one.sentence())) } }
                }
            }
        }
    }
}
