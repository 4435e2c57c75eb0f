//! The whole page: the answer first, then charts, then tables.

use hpa_simulation::{ExpectationReport, SimulationReport, VariantReport, answer};
use hpa_words::clock::span;
use maud::{Markup, html};

use super::{
    super::{clock, replicas, specs},
    charts::{all_runs, first_run, variants},
    tables, words,
};
use crate::{
    chart::{CourseChart, STYLE, figures},
    html::{file, text},
};

/// The page as one self-contained file.
pub fn document(report: &SimulationReport) -> String {
    let headline = report
        .variants
        .first()
        .map_or_else(String::new, |variant| words::headline(variant).0);
    let title = format!("{}: simulation, {headline}", report.hpa);
    file(&title, &[STYLE], &body(report))
}

fn body(report: &SimulationReport) -> Markup {
    html! {
        main {
            @if let Some(first) = report.variants.first() {
                article class=(words::headline(first).1) {
                    (header(report, first))
                    (expectations(&report.expectations))
                    (section(&title_of_first(report), &first_run(report, first)))
                    (section(&format!("All {} runs", report.runs), &all_runs(report, first)))
                    (comparison(report))
                    (rescales(report, first))
                    (basis(report))
                }
            }
        }
    }
}

fn header(report: &SimulationReport, first: &VariantReport) -> Markup {
    let (headline, class, mark) = words::headline(first);
    let runs = if report.runs == 1 {
        "1 run".to_owned()
    } else {
        format!("{} runs", report.runs)
    };
    let length = span(report.length as f64 / 1000.0);
    let (min, max) = first.bounds;
    html! {
        header.card {
            p.object {
                b { (text(&report.hpa.to_string())) }
                " → "
                span { (text(&report.target)) }
            }
            h2 {
                span class=(format!("badge {class}")) {
                    span.mark aria-hidden="true" { (mark) }
                    (headline)
                }
            }
            p.answer { (text(&answer(report).join(" "))) }
            p.dim {
                (replicas(first)) " · min " (min) " · max " (max)
                " · Kubernetes " (text(&report.version)) " · " (runs) " of " (length)
            }
            @if let Some(of) = report.interrupted_of {
                p.error { "Interrupted after " (report.runs) " of " (of) " runs." }
            }
        }
    }
}

fn expectations(expectations: &[ExpectationReport]) -> Markup {
    html! {
        @if !expectations.is_empty() {
            section.card {
                h3 { "Expectations" }
                ul.expectations {
                    @for one in expectations {
                        @let (class, mark, verb) = if one.holds {
                            ("up", "●", "holds")
                        } else {
                            ("bad", "✗", "does not hold")
                        };
                        li class=(class) {
                            span.badge { span.mark aria-hidden="true" { (mark) } (verb) }
                            code { (text(&one.text)) }
                            span.dim { "in " (one.holds_in) " of " (one.of) " runs, " (text(&one.variant)) }
                        }
                    }
                }
            }
        }
    }
}

fn title_of_first(report: &SimulationReport) -> String {
    let of = if 1 < report.variants.len() {
        " of today's spec"
    } else {
        ""
    };
    if report.runs == 1 {
        format!("The course{of}")
    } else {
        format!("The first run{of}")
    }
}

fn section(title: &str, charts: &[CourseChart]) -> Markup {
    html! {
        @if !charts.is_empty() {
            section.card {
                h3 { (title) }
                (figures(charts))
            }
        }
    }
}

fn comparison(report: &SimulationReport) -> Markup {
    let charts = variants(report);
    html! {
        section.card {
            h3 { @if charts.is_empty() { "In numbers" } @else { "Variants" } }
            (figures(&charts))
            (specs(report).html())
            @if 1 < report.runs {
                p.dim.key { "The median of the runs; 8 of 10 runs lie within the range below it." }
            }
        }
    }
}

fn rescales(report: &SimulationReport, first: &VariantReport) -> Markup {
    html! {
        section.card {
            h3 { "Rescales" @if 1 < report.runs { " of the first run" } }
            @if first.rescales.is_empty() {
                p { "The HPA does not change the replicas until " (clock(report.length)) "." }
            } @else {
                (tables::rescales(&first.rescales))
            }
        }
    }
}

fn basis(report: &SimulationReport) -> Markup {
    html! {
        section.card {
            h3 { "What it rests on" }
            (tables::assumptions(report))
        }
        @if !report.not_modeled.is_empty() {
            section.card {
                h3 { "What is left out" }
                (tables::left_out(report))
            }
        }
    }
}
