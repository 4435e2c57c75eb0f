//! The whole file: head, contents, one section for each HPA.

use std::{
    borrow::Borrow,
    io::{self, Write},
};

use hpa_explain::Page;
use hpa_words::program;
use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::{
    blocks::badge,
    page::section,
    text::{plain, text},
};
use crate::sections::headline;

/// Writes the pages of `count` HPAs as one file, one after another. `pages` is called for the contents and for the
/// sections, because the pages of many thousands would take gigabytes.
pub fn write<P: Borrow<Page>, I: Iterator<Item = io::Result<P>>>(
    out: &mut dyn Write,
    count: usize,
    pages: impl Fn() -> I,
) -> io::Result<()> {
    let title = match pages().next() {
        Some(only) if count == 1 => {
            let only = only?;
            let page: &Page = only.borrow();
            format!("{}: {}", page.hpa, page.verdict.full_headline())
        }
        _ => format!("{count} HPAs"),
    };
    let whole = file(&title, &[], &PreEscaped(REST.to_owned()));
    let (head, end) = whole.split_once(REST).unwrap_or_default();
    out.write_all(head.as_bytes())?;
    out.write_all(SYMBOLS.as_bytes())?;
    if 1 < count {
        write_contents(out, count, pages())?;
    }
    out.write_all(b"<main>")?;
    for (index, page) in pages().enumerate() {
        let section = section(page?.borrow(), index + 1);
        out.write_all(section.into_string().as_bytes())?;
    }
    out.write_all(b"</main>")?;
    out.write_all(end.as_bytes())?;
    Ok(())
}

/// A self-contained HTML file: the common head and end of all HTML output. `styles` are those that only this page
/// needs.
pub(crate) fn file(title: &str, styles: &[&'static str], body: &Markup) -> String {
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
                title { (plain(title)) }
                style { (PreEscaped(STYLE)) @for one in styles { (PreEscaped(one)) } }
            }
            body {
                (body)
                footer {
                    p { "Written by " (made()) ". It only reads from a cluster." }
                }
            }
        }
    };
    markup.into_string() + "\n"
}

/// The verdicts of several HPAs, with links to their sections.
fn write_contents<P: Borrow<Page>>(
    out: &mut dyn Write,
    count: usize,
    pages: impl Iterator<Item = io::Result<P>>,
) -> io::Result<()> {
    let list = html! {
        nav.card aria-label="Contents" {
            h1 { (count) " HPAs" }
            ol.contents { (PreEscaped(REST)) }
        }
    };
    let list = list.into_string();
    let (head, end) = list.split_once(REST).unwrap_or_default();
    out.write_all(head.as_bytes())?;
    for (index, page) in pages.enumerate() {
        let page = page?;
        let page: &Page = page.borrow();
        let entry = html! {
            li {
                a href=(format!("#hpa-{}", index + 1)) { (text(&page.hpa)) }
                (badge(&headline(page)))
                span.dim { (text(&page.bounds)) }
            }
        };
        out.write_all(entry.into_string().as_bytes())?;
    }
    out.write_all(end.as_bytes())?;
    Ok(())
}

/// Where a part that is written by itself goes. No text is like it: its brackets would be escaped.
const REST: &str = "<!-- rest -->";

/// The program, and the command as far as it is known.
fn made() -> Markup {
    let by = program::written_by();
    html! { (text(by.as_deref().unwrap_or(GENERATOR))) }
}

const GENERATOR: &str = concat!("kubectl-hpa ", env!("CARGO_PKG_VERSION"));

/// Allows only the styles and the icon inside the file.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'";

const STYLE: &str = include_str!("style.css");

/// The symbols of pod classes, distinguished by shape as well as by color.
const SYMBOLS: &str = include_str!("symbols.svg");
