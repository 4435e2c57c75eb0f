//! The whole page: the answer first, then charts, then tables.

use hpa_engine::model::Provenance;
use hpa_simulation::{
    ExpectationReport, NotModeled, RescaleReport, SimulationReport, VariantReport, answer, capped,
};
use hpa_words::clock::span;
use maud::{Markup, html};

use super::{
    super::{clock, held, how_run, replicas, specs},
    charts::{all_runs, first_run, variants},
};
use crate::{
    blocks::Headline,
    chart::{CourseChart, STYLE, figures},
    html::{HtmlTable, card, file, header, sentences, text, tone},
    style::{FAILED, Role},
};

/// The page as one self-contained file.
pub fn document(report: &SimulationReport) -> String {
    let first = report.variants.first();
    let headline = first.map_or_else(String::new, |variant| headline(variant).text);
    let title = format!("{}: simulation, {headline}", report.hpa);
    let article = first.map(|first| article(report, first));
    file(
        &title,
        &[STYLE],
        &html! { main { @if let Some(article) = article { (article) } } },
    )
}

fn article(report: &SimulationReport, first: &VariantReport) -> Markup {
    let headline = headline(first);
    let (min, max) = first.bounds;
    let about = html! {
        p.dim {
            (replicas(first)) " · min " (min) " · max " (max) " · " (text(&how_run(report)))
        }
        @if let Some(of) = report.interrupted_of {
            p.error { "Interrupted after " (report.runs) " of " (of) " runs." }
        }
    };
    let (hpa, answer) = (report.hpa.to_string(), answer(report).join(" "));
    html! {
        article class=(tone(headline.role)) {
            (header((&hpa, &report.target), &headline, &answer, &about))
            @if !report.expectations.is_empty() {
                (card("Expectations", &expectations(&report.expectations)))
            }
            (charts(&title_of_first(report), &first_run(report, first)))
            (charts(&format!("All {} runs", report.runs), &all_runs(report, first)))
            (comparison(report))
            (rescales(report, first))
            (card("What it rests on", &assumptions(report)))
            @if !report.not_modeled.is_empty() {
                @let left_out = report.not_modeled.iter().map(NotModeled::sentence);
                (card("What is left out", &sentences(left_out)))
            }
        }
    }
}

fn headline(variant: &VariantReport) -> Headline {
    let (text, role, mark) = match variant.summary.met_after {
        None => ("NOT MET".to_owned(), Role::Error, FAILED),
        // `maxReplicas` keeps the pods above the target.
        Some(met) if met.high < 1.0 && capped(variant).is_some() => {
            ("ABOVE THE TARGET".to_owned(), Role::Warning, "▲")
        }
        Some(met) if met.high < 1.0 => ("MET ALL THE TIME".to_owned(), Role::Good, "●"),
        Some(met) => {
            let text = format!("MET AFTER {}", span(met.median));
            (text, Role::Warning, "▲")
        }
    };
    Headline { text, role, mark }
}

fn expectations(expectations: &[ExpectationReport]) -> Markup {
    html! {
        ul.expectations {
            @for one in expectations {
                @let (mark, role, verb) = held(one);
                li class=(tone(role)) {
                    span.badge { span.mark aria-hidden="true" { (mark) } (verb) }
                    code { (text(&one.text)) }
                    span.dim { "in " (one.holds_in) " of " (one.of) " runs, " (text(&one.variant)) }
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

fn charts(title: &str, charts: &[CourseChart]) -> Markup {
    html! { @if !charts.is_empty() { (card(title, &figures(charts))) } }
}

fn comparison(report: &SimulationReport) -> Markup {
    let charts = variants(report);
    let heading = if charts.is_empty() {
        "In numbers"
    } else {
        "Variants"
    };
    let body = html! {
        (figures(&charts))
        (specs(report).html())
        @if 1 < report.runs {
            p.dim.key { "The median of the runs; 8 of 10 runs lie within the range below it." }
        }
    };
    card(heading, &body)
}

/// The rescales of the first run; only the first ones are not folded.
fn rescales(report: &SimulationReport, first: &VariantReport) -> Markup {
    let (open, rest) = first.rescales.split_at(first.rescales.len().min(MOST_OPEN));
    let body = html! {
        @if open.is_empty() {
            p { "The HPA does not change the replicas until " (clock(report.length)) "." }
        } @else {
            (rescale_table(open))
        }
        @if !rest.is_empty() {
            details {
                summary { (rest.len()) " more" }
                (rescale_table(rest))
            }
        }
    };
    let heading = if 1 < report.runs {
        "Rescales of the first run"
    } else {
        "Rescales"
    };
    card(heading, &body)
}

/// At most this many rescales are shown; the others are folded.
const MOST_OPEN: usize = 20;

fn rescale_table(rescales: &[RescaleReport]) -> Markup {
    let columns = [
        ("time", ""),
        ("replicas", "change"),
        ("why", ""),
        ("rule", "rule"),
    ];
    let mut table = HtmlTable::new("rescales", columns);
    for one in rescales {
        let cells = vec![
            html! { (clock(one.at)) },
            html! { (one.from) " → " (one.to) },
            html! { (text(&one.reason.sentences.join(" "))) },
            html! { code { (one.reason.rule) } },
        ];
        table.push("", None, cells);
    }
    table.html()
}

/// All parameters and their sources; assumed ones come last.
fn assumptions(report: &SimulationReport) -> Markup {
    let mut all: Vec<_> = report.assumptions.iter().collect();
    all.sort_by_key(|one| one.provenance == Provenance::Assumed);
    let mut table = HtmlTable::new("", [("what", ""), ("value", ""), ("source", "")]);
    for one in all {
        let (name, value) = one.parameter.words(one.provenance);
        let cells = [&name, &value, one.provenance.as_str()];
        let cells = cells.map(|cell| html! { (text(cell)) });
        table.push("", None, cells.into());
    }
    table.html()
}
