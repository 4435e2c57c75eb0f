//! Tables of rescales and assumptions.

use hpa_engine::model::Provenance;
use hpa_simulation::{NotModeled, RescaleReport, SimulationReport};
use maud::{Markup, html};

use super::super::clock;
use crate::html::text;

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
