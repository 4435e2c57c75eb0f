//! The whole page: the answer first, then charts, then tables.

use hpa_explain::by_known;
use hpa_history::{
    Advice, HistoryReport, IntervalKind, NOT_TRUSTED, SHORT, WhatIfReport, answer, censored,
    hidden, pod_cpu, shows_trouble, startup, trust,
};
use hpa_words::clock::span;
use maud::{Markup, html};

use super::{
    super::{
        control,
        happened::{Happened, happened},
        specs::specs,
    },
    charts, tables,
};
use crate::{
    blocks::Headline,
    chart::{STYLE, figures},
    html::{card, file, folded, header, lines, sentences, sign, text, tone},
    style::{FAILED, Role},
};

/// The page as one self-contained file.
pub fn document(report: &HistoryReport) -> String {
    let headline = headline(report);
    let title = format!("{}: history, {}", report.hpa, headline.text);
    let happened = happened(report, false);
    let (hpa, answer) = (report.hpa.to_string(), answer(report).join(" "));
    let is_known = !report.course.points.is_empty();
    let body = html! {
        main {
            article class=(tone(headline.role)) {
                (header((&hpa, &report.target), &headline, &answer, &about(report)))
                (course(report, &happened))
                @if is_known { (card("What happened", &what_happened(report, &happened))) }
                @if let Some(one) = &report.what_if { (card("What if", &what_if(report, one))) }
                @if !report.sources.is_empty() { (card("What it rests on", &basis(report))) }
                @if !report.series.is_empty() {
                    (folded("Series", &found(report), !is_known, &tables::series(report)))
                }
                @if !report.advice.is_empty() {
                    @let advice = report.advice.iter().map(Advice::sentence);
                    (card("What would make it better known", &sentences(advice)))
                }
            }
        }
    };
    file(&title, &[STYLE, include_str!("style.css")], &body)
}

/// The worst that happened.
fn headline(report: &HistoryReport) -> Headline {
    let course = &report.course;
    let length = |kind: IntervalKind| {
        let is_there = course.intervals.iter().any(|one| one.kind == kind);
        is_there.then(|| course.time_of(kind))
    };
    let during = |text: &str, time| format!("{text} FOR {}", span(time as f64 / 1000.0));
    let failed = length(IntervalKind::MetricsFailed).filter(|time| SHORT < *time);
    let (text, role, mark) = if course.points.is_empty() {
        ("NO HISTORY".to_owned(), Role::Error, "?")
    } else if let Some(time) = failed {
        (during("NO METRICS", time), Role::Error, FAILED)
    } else if let Some(time) = length(IntervalKind::NotAbleToScale) {
        (during("NOT ABLE TO SCALE", time), Role::Error, FAILED)
    } else if let Some(time) = length(IntervalKind::AtMax) {
        (during("AT maxReplicas", time), Role::Warning, "▲")
    } else if let Some(time) = length(IntervalKind::Flapping) {
        (during("FLAPPING", time), Role::Warning, "↕")
    } else if !report.impossible.is_empty() {
        ("IMPOSSIBLE SAMPLES".to_owned(), Role::Warning, "?")
    } else if shows_trouble(course) {
        ("ALL WELL".to_owned(), Role::Good, "●")
    } else {
        ("CONDITIONS UNKNOWN".to_owned(), Role::Warning, "?")
    };
    Headline { text, role, mark }
}

/// How reliable it is, and what it is about.
fn about(report: &HistoryReport) -> Markup {
    let length = report.to.duration_since(report.from).as_secs_f64();
    let (from, to) = (report.from.as_millisecond(), report.to.as_millisecond());
    let bounds = report.course.points.last().map(|point| point.bounds);
    html! {
        @if !report.course.points.is_empty() {
            p.trust { (text(&trust(report))) }
        }
        @for one in &report.censored {
            p.trust { (text(&censored(*one))) }
        }
        @for warning in &report.warnings {
            p.warning { (sign()) (text(warning)) }
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

/// The part of the time range that is not shown because nothing was scraped then.
fn missing(report: &HistoryReport) -> Option<String> {
    let (first, last) = report.edges()?;
    let (from, to) = (report.from.as_millisecond(), report.to.as_millisecond());
    let much = (3 * report.spacing()).max((to - from) / 20);
    let at = |time| report.zoned(time).strftime("%b %-d %H:%M:%S").to_string();
    match (from + much < first, last + much < to) {
        (true, true) => {
            let times = report.times(first, Some(last));
            Some(format!("There are samples of {times} only."))
        }
        (true, false) => Some(format!("The samples begin at {}.", at(first))),
        (false, true) => Some(format!("The samples end at {}.", at(last))),
        (false, false) => None,
    }
}

fn course(report: &HistoryReport, happened: &[Happened]) -> Markup {
    let charts = charts::course(report, happened);
    let body = html! {
        (figures(&charts))
        @if let Some(missing) = missing(report) { p.dim.key { (missing) } }
    };
    html! { @if !charts.is_empty() { (card("The course", &body)) } }
}

fn what_happened(report: &HistoryReport, happened: &[Happened]) -> Markup {
    html! {
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

fn what_if(report: &HistoryReport, what_if: &WhatIfReport) -> Markup {
    let chart = charts::what_if(report, what_if);
    html! {
        p.control { (control(what_if)) }
        @if what_if.is_trusted {
            @if let Some(chart) = &chart { (figures(std::slice::from_ref(chart))) }
            (specs(what_if, chart.is_some()).html())
            @if 1 < what_if.variants.len() {
                p.dim.key { "The median of several runs; 8 of 10 runs lie within the range." }
            }
            @for sentence in [pod_cpu(what_if), hidden(what_if)].into_iter().flatten() {
                p.dim.key { (sentence) }
            }
        } @else {
            p.error { (NOT_TRUSTED) }
        }
        p.dim.key { (startup(what_if)) }
    }
}

/// The source of each input.
fn basis(report: &HistoryReport) -> Markup {
    let sources = by_known(&report.sources);
    let sources = sources.iter();
    let rows = sources.map(|(known, words)| (Role::Text, known.as_str(), words.as_str()));
    html! { dl.lines { (lines(rows)) } }
}

/// How many series there are.
fn found(report: &HistoryReport) -> String {
    let missing = report.series.iter().filter(|one| one.found == 0).count();
    let found = report.series.len() - missing;
    match missing {
        0 => format!("{found} found"),
        missing => format!("{found} found, {missing} missing"),
    }
}
