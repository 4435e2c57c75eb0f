//! The whole file: head, contents, one section for each HPA.

use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::{
    page::{badge, section},
    text::text,
};
use crate::explain::Page;

/// Writes the pages of all HPAs as one file.
pub fn document(pages: &[Page]) -> String {
    let title = match pages {
        [only] => format!("{}: {}", only.hpa, only.verdict.headline),
        several => format!("{} HPAs", several.len()),
    };
    let body = html! {
        (PreEscaped(SYMBOLS))
        @if 1 < pages.len() {
            (contents(pages))
        }
        main {
            @for (index, page) in pages.iter().enumerate() {
                (section(page, index + 1))
            }
        }
    };
    file(&title, &[], &body)
}

/// A self-contained HTML file: the common head and end of all HTML output. `styles` are those that only this page
/// needs.
pub(in crate::render) fn file(title: &str, styles: &[&'static str], body: &Markup) -> String {
    let markup = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta http-equiv="Content-Security-Policy" content=(POLICY);
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                meta name="generator" content=(GENERATOR);
                link rel="icon" href="data:,";
                title { (text(title)) }
                style { (PreEscaped(STYLE)) @for one in styles { (PreEscaped(one)) } }
            }
            body {
                (body)
                footer {
                    p { "Written by " (GENERATOR) ", which reads and never changes a cluster." }
                }
            }
        }
    };
    markup.into_string() + "\n"
}

/// The verdicts of several HPAs, with links to their sections.
fn contents(pages: &[Page]) -> Markup {
    html! {
        nav.card aria-label="Contents" {
            h1 { (pages.len()) " HPAs" }
            ol.contents {
                @for (index, page) in pages.iter().enumerate() {
                    li {
                        a href=(format!("#hpa-{}", index + 1)) { (text(&page.hpa)) }
                        (badge(page))
                        span.dim { (text(&page.bounds)) }
                    }
                }
            }
        }
    }
}

const GENERATOR: &str = concat!("kubectl-hpa ", env!("CARGO_PKG_VERSION"));

/// Allows only the styles and the icon inside the file.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'";

const STYLE: &str = include_str!("style.css");

/// The symbols of pod classes, distinguished by shape as well as by color.
const SYMBOLS: &str = include_str!("symbols.svg");
