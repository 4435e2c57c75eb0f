//! The section of one HPA.

use hpa_explain::Page;
use maud::{Markup, html};

use super::{
    blocks::{card, folded, header, lines, table, tone},
    changed::changed,
    gauges::gauges,
    ladder::ladder,
    picture::picture,
    pods::pods,
    text::text,
};
use crate::{
    sections::{self, Section},
    style::Role,
};

/// The section of one HPA, the `number`th of the file.
pub(super) fn section(page: &Page, number: usize) -> Markup {
    let headline = sections::headline(page);
    let about = html! {
        @if let Some(command) = &page.answer.command { p.command { code { (text(command)) } } }
        p.dim { (text(&page.bounds)) " · " (text(&page.at)) }
    };
    let all_pods = format!("All {} pods", page.pods.len());
    let all_inputs = "Inputs, and where they come from";
    let inputs = sections::inputs(page.inputs.iter(), "to set it or make it sure");
    html! {
        article id=(format!("hpa-{number}")) class=(tone(headline.role)) {
            @if let Some(one) = &page.changed { (changed(one, page)) }
            (header((&page.hpa, &page.scale_target), &headline, &page.answer.text(), &about))
            @if let Some(one) = &page.picture { (card("The decision", &picture(one, number))) }
            @if !page.gauges.is_empty() || !page.pods.is_empty() {
                div.columns {
                    @if !page.gauges.is_empty() {
                        (card("Metrics against their targets", &gauges(&page.gauges)))
                    }
                    @if !page.pods.is_empty() { (card("Pods by class", &pods(&page.pods))) }
                }
            }
            @if !page.steps.is_empty() { (card("How it comes about", &ladder(page))) }
            (titled(&sections::next(page), false))
            @if !page.what_if.is_empty() { (what_ifs(page)) }
            (titled(&sections::around(page), true))
            (titled(&sections::trust(page), false))
            @if !page.pods.is_empty() { (folded(&all_pods, "", false, &table(&sections::pods(page)))) }
            @if !page.inputs.is_empty() { (folded(all_inputs, "", false, &table(&inputs))) }
        }
    }
}

/// The lines of a section, its details folded.
fn titled(section: &Section<'_>, is_folded: bool) -> Markup {
    let (details, normal): (Vec<_>, Vec<_>) =
        (section.lines.iter().copied()).partition(|(role, ..)| is_folded && *role == Role::Dim);
    let body = html! {
        dl.lines { (lines(normal)) }
        @if !details.is_empty() {
            details {
                summary { (details.len()) " more" }
                dl.lines { (lines(details)) }
            }
        }
    };
    html! { @if !section.lines.is_empty() { (card(section.heading, &body)) } }
}

/// The counterfactuals, folded.
fn what_ifs(page: &Page) -> Markup {
    let all = sections::what_ifs(page).rows;
    let changing = page.what_if.iter().filter(|one| one.differs).count();
    let about = format!("{changing} of {} would change the decision", all.len());
    let rows = all
        .iter()
        .map(|(role, cells)| (*role, cells[0].as_str(), cells[1].as_str()));
    let body = html! { dl.lines.results { (lines(rows)) } };
    folded("What if one thing were different", &about, false, &body)
}
