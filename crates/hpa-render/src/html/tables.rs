//! Tables of pods and inputs. On a narrow screen each row becomes a block, so that nothing scrolls sideways.

use hpa_engine::trace::PodClass;
use hpa_explain::{InputView, PodView};
use maud::{Markup, html};

use super::text::text;

/// Every pod, folded.
pub(super) fn pods_table(pods: &[PodView]) -> Markup {
    let has = |field: fn(&PodView) -> bool| pods.iter().any(field);
    let (has_usage, has_request, has_owner) = (
        has(|pod| pod.usage.is_some()),
        has(|pod| pod.request.is_some()),
        has(|pod| pod.owner.is_some()),
    );
    html! {
        @if !pods.is_empty() {
            details.card {
                summary {
                    h3 { "All " (pods.len()) " pods" }
                }
                table {
                    thead {
                        tr {
                            th scope="col" { "pod" }
                            th scope="col" { "class" }
                            @if has_usage { th.number scope="col" { "usage" } }
                            @if has_request { th.number scope="col" { "request" } }
                            th scope="col" { "why" }
                            @if has_owner { th scope="col" { "owner" } }
                        }
                    }
                    tbody {
                        @for pod in pods {
                            tr class=[(pod.class != PodClass::Ready).then_some("uncounted")] {
                                th class=(width(&pod.name)) scope="row" { (text(&pod.name)) }
                                td data-label="class" { (pod.class.as_str()) }
                                @if has_usage { (optional("usage", pod.usage.as_deref())) }
                                @if has_request { (optional("request", pod.request.as_deref())) }
                                td data-label="why" { (text(&pod.why)) }
                                @if has_owner {
                                    td data-label="owner" { (text(pod.owner.as_deref().unwrap_or("-"))) }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// Whether a name may break.
fn width(name: &str) -> &'static str {
    if name.len() <= MOST_WHOLE {
        "whole"
    } else {
        "long"
    }
}

/// A longer pod name may break, so that the table fits the page.
const MOST_WHOLE: usize = 40;

fn optional(label: &str, value: Option<&str>) -> Markup {
    html! {
        td.number data-label=(label) { (text(value.unwrap_or("-"))) }
    }
}

/// Every input, folded; inputs that decide come first.
pub(super) fn inputs_table(inputs: &[InputView]) -> Markup {
    let (mattering, others): (Vec<_>, Vec<_>) = inputs.iter().partition(|input| input.matters);
    html! {
        @if !inputs.is_empty() {
            details.card {
                summary {
                    h3 { "Inputs, and where they come from" }
                }
                table {
                    thead {
                        tr {
                            th scope="col" { "input" }
                            th scope="col" { "value" }
                            th scope="col" { "source" }
                            th scope="col" { "to set it or make it sure" }
                        }
                    }
                    tbody {
                        @for input in mattering { (input_row(input)) }
                        @for input in others { (input_row(input)) }
                    }
                }
            }
        }
    }
}

fn input_row(input: &InputView) -> Markup {
    html! {
        tr class=[(!input.matters).then_some("dim")] {
            th scope="row" { (text(&input.name)) }
            td data-label="value" { (text(&input.value)) }
            td data-label="source" { (input.provenance.as_str()) }
            td data-label="to make it sure" { (text(input.remedy.as_deref().unwrap_or("-"))) }
        }
    }
}
