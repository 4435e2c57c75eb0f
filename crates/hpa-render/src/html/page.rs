//! The section of one HPA.

use hpa_explain::{Action, NoteWeight, Page};
use maud::{Markup, html};

use super::{
    changed::changed,
    gauges::gauges,
    ladder::ladder,
    picture::picture,
    pods::pods,
    tables::{inputs_table, pods_table},
    text::text,
    what_if::what_ifs,
};
use crate::sections::{self, Section, TitledLine};

/// The section of one HPA, the `number`th of the file.
pub(super) fn section(page: &Page, number: usize) -> Markup {
    html! {
        article id=(format!("hpa-{number}")) class=(action(page)) {
            @if let Some(one) = &page.changed { (changed(one, page)) }
            header.card {
                p.object {
                    b { (text(&page.hpa)) }
                    " → "
                    span { (text(&page.scale_target)) }
                }
                h2 { (badge(page)) }
                p.answer { (text(&page.answer.text())) }
                @if let Some(command) = &page.answer.command { p.command { code { (text(command)) } } }
                p.dim { (text(&page.bounds)) " · " (text(&page.at)) }
            }
            @if let Some(one) = &page.picture {
                section.card {
                    h3 { "The decision" }
                    (picture(one, number))
                }
            }
            @if !page.gauges.is_empty() || !page.pods.is_empty() {
                div.columns {
                    @if !page.gauges.is_empty() {
                        section.card {
                            h3 { "Metrics against their targets" }
                            (gauges(&page.gauges))
                        }
                    }
                    @if !page.pods.is_empty() {
                        section.card {
                            h3 { "Pods by class" }
                            (pods(&page.pods))
                        }
                    }
                }
            }
            @if !page.steps.is_empty() {
                section.card {
                    h3 { "How it comes about" }
                    (ladder(page))
                }
            }
            (lines(&sections::next(page), false))
            (what_ifs(&page.what_if))
            (lines(&sections::around(page), true))
            (lines(&sections::trust(page), false))
            (pods_table(&page.pods))
            (inputs_table(&page.inputs))
        }
    }
}

/// `STAYS AT 8`, with a symbol for the action.
pub(super) fn badge(page: &Page) -> Markup {
    let mark = match page.verdict.action {
        Action::Disabled => "■",
        Action::Failed => "✗",
        Action::Hold => "=",
        Action::ScaleDown => "▼",
        Action::ScaleUp => "▲",
        Action::Unknown => "?",
    };
    html! {
        span class=(format!("badge {}", action(page))) {
            span.mark aria-hidden="true" { (mark) }
            (text(&page.verdict.headline))
        }
    }
}

fn action(page: &Page) -> &'static str {
    match page.verdict.action {
        Action::Disabled | Action::Failed | Action::Unknown => "bad",
        Action::Hold => "hold",
        Action::ScaleDown => "down",
        Action::ScaleUp => "up",
    }
}

/// The lines of a section, its details folded.
fn lines(section: &Section<'_>, is_folded: bool) -> Markup {
    let is_detail = |line: &&TitledLine<'_>| is_folded && line.2 == NoteWeight::Detail;
    let all = section.lines.iter();
    let (details, lines): (Vec<&TitledLine<'_>>, Vec<_>) = all.partition(is_detail);
    html! {
        @if !section.lines.is_empty() {
            section.card {
                h3 { (section.heading) }
                dl.lines { @for one in lines { (line(*one)) } }
                @if !details.is_empty() {
                    details {
                        summary { (details.len()) " more" }
                        dl.lines { @for one in details { (line(*one)) } }
                    }
                }
            }
        }
    }
}

fn line((title, sentence, weight): TitledLine<'_>) -> Markup {
    let class = match weight {
        NoteWeight::Warning => Some("warning"),
        NoteWeight::Normal => None,
        NoteWeight::Detail => Some("dim"),
    };
    html! {
        div class=[class] {
            dt {
                @if weight == NoteWeight::Warning { span.sign aria-label="warning" { "!" } " " }
                (text(title))
            }
            dd { (text(sentence)) }
        }
    }
}
