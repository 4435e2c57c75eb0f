//! The section of one HPA.

use hpa_explain::{Action, NoteWeight, Page, TrustView};
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
            (next(page))
            (what_ifs(&page.what_if))
            (around(page))
            (trust(page))
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

fn next(page: &Page) -> Markup {
    html! {
        @if !page.next.is_empty() {
            section.card {
                h3 { "What would change it" }
                dl.lines {
                    @for next in &page.next {
                        (line(next.title, &next.text, NoteWeight::Normal))
                    }
                }
            }
        }
    }
}

/// The notes on the context of the decision; details are folded.
fn around(page: &Page) -> Markup {
    let (details, notes): (Vec<_>, Vec<_>) = page
        .around
        .iter()
        .partition(|note| note.weight == NoteWeight::Detail);
    html! {
        @if !page.around.is_empty() {
            section.card {
                h3 { "Around it" }
                dl.lines {
                    @for note in notes {
                        (line(note.title, &note.text, note.weight))
                    }
                }
                @if !details.is_empty() {
                    details {
                        summary { (details.len()) " more" }
                        dl.lines {
                            @for note in details {
                                (line(note.title, &note.text, note.weight))
                            }
                        }
                    }
                }
            }
        }
    }
}

fn trust(page: &Page) -> Markup {
    let weight = |trust: &TrustView| match (trust.is_warning, trust.is_detail) {
        (true, _) => NoteWeight::Warning,
        (false, true) => NoteWeight::Detail,
        (false, false) => NoteWeight::Normal,
    };
    html! {
        @if !page.trust.is_empty() {
            section.card {
                h3 { "How far to trust this" }
                dl.lines {
                    @for trust in &page.trust {
                        (line(trust.title, &trust.text, weight(trust)))
                    }
                }
            }
        }
    }
}

fn line(title: &str, sentence: &str, weight: NoteWeight) -> Markup {
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
