//! Tables of rescales, variants and assumptions.

use hpa_engine::model::Provenance;
use hpa_simulation::{
    Band, NotModeled, RescaleReport, SimulationReport, VariantReport, is_at_max, longest,
};
use hpa_words::{amount::number, clock::span};
use maud::{Markup, html};

use super::super::{clock, time_above};
use crate::{chart::STYLES, html::text};

/// At most this many rescales are shown; the others are folded.
const MOST_OPEN: usize = 20;

/// The rescales of the first run.
pub(super) fn rescales(rescales: &[RescaleReport]) -> Markup {
    let (first, rest) = rescales.split_at(rescales.len().min(MOST_OPEN));
    html! {
        (rescale_table(first))
        @if !rest.is_empty() {
            details {
                summary { (rest.len()) " more" }
                (rescale_table(rest))
            }
        }
    }
}

fn rescale_table(rescales: &[RescaleReport]) -> Markup {
    html! {
        table.rescales {
            thead {
                tr {
                    th scope="col" { "time" }
                    th scope="col" { "replicas" }
                    th scope="col" { "why" }
                    th scope="col" { "rule" }
                }
            }
            tbody {
                @for rescale in rescales {
                    tr {
                        th scope="row" { (clock(rescale.at)) }
                        td.change data-label="replicas" {
                            (rescale.from) " → " (rescale.to)
                        }
                        td data-label="why" { (text(&rescale.reason.sentences.join(" "))) }
                        td.rule data-label="rule" { code { (rescale.reason.rule) } }
                    }
                }
            }
        }
    }
}

/// A row for each variant: the median of its runs, and the range if they differ.
pub(super) fn comparison(report: &SimulationReport) -> Markup {
    let above = time_above(report);
    html! {
        table.variants {
            thead {
                tr {
                    th scope="col" { "spec" }
                    th.number scope="col" { "met after" }
                    th.number scope="col" { "not served" }
                    th.number scope="col" { "pod hours" }
                    th.number scope="col" { "rescales" }
                    th.number scope="col" { (above) }
                }
            }
            tbody {
                @for (index, variant) in report.variants.iter().enumerate() {
                    tr {
                        th scope="row" {
                            span.spec {
                                @if 1 < report.variants.len() {
                                    svg width="26" height="12" viewBox="0 0 26 12" aria-hidden="true" {
                                        path class=(format!("line variant-{}", index % STYLES)) d="M1 6H25" {}
                                    }
                                }
                                span { (text(&variant.name)) }
                            }
                        }
                        (cells(variant, &above))
                    }
                }
            }
        }
    }
}

fn cells(variant: &VariantReport, above: &str) -> Markup {
    let summary = &variant.summary;
    let percent = |share: f64| format!("{}%", number(share * 100.0));
    let met = match summary.met_after {
        Some(met) if is_at_max(variant) => html! { (ranged(&met, longest)) " (at max)" },
        Some(met) => ranged(&met, longest),
        None => html! { "not met" },
    };
    let lost = summary
        .not_served
        .map_or_else(|| html! { "unknown" }, |lost| ranged(&lost, percent));
    html! {
        td.number data-label="met after" { (met) }
        td.number data-label="not served" { (lost) }
        td.number data-label="pod hours" { (ranged(&summary.pod_hours, number)) }
        td.number data-label="rescales" { (ranged(&summary.rescales, number)) }
        td.number data-label=(above) { (ranged(&summary.seconds_above, span)) }
    }
}

/// The median of the runs, and below it the range of 8 of 10 runs if they differ.
pub(crate) fn ranged(band: &Band, amount: impl Fn(f64) -> String) -> Markup {
    let (low, high) = (amount(band.low), amount(band.high));
    html! {
        (amount(band.median))
        @if low != high { " " span.range { (low) " to " (high) } }
    }
}

/// All parameters and their sources; assumed ones come last.
pub(super) fn assumptions(report: &SimulationReport) -> Markup {
    let (assumed, known): (Vec<_>, Vec<_>) = report
        .assumptions
        .iter()
        .partition(|one| one.provenance == Provenance::Assumed);
    html! {
        table {
            thead {
                tr {
                    th scope="col" { "what" }
                    th scope="col" { "value" }
                    th scope="col" { "source" }
                }
            }
            tbody {
                @for one in known.into_iter().chain(assumed) {
                    @let (name, value) = one.parameter.words(one.provenance);
                    tr {
                        th scope="row" { (text(&name)) }
                        td data-label="value" { (text(&value)) }
                        td data-label="source" { (one.provenance.as_str()) }
                    }
                }
            }
        }
    }
}

/// What may happen in a cluster but is not simulated.
pub(super) fn left_out(report: &SimulationReport) -> Markup {
    html! {
        ul.sentences {
            @for sentence in report.not_modeled.iter().map(NotModeled::sentence) {
                li { (text(&sentence)) }
            }
        }
    }
}
