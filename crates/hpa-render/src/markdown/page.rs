//! The page of `explain` as Markdown.

use std::{
    borrow::Borrow,
    io::{self, Write},
};

use hpa_explain::{
    NoteWeight, Page, StepView, Weight, WhatIfView,
    learn::{self, Topic, address, topic_of_step},
};
use hpa_words::sanitize::one_line;

use super::{
    changed::write_changed,
    escape::{escape, paragraph},
    table::write_table,
};
use crate::{
    displayed::is_displayed,
    sections::{self, Section},
};

/// Writes the pages of `count` HPAs as one document, one after another. `pages` is called for the contents and for the
/// pages, because those of many thousands would take gigabytes.
pub fn write<P: Borrow<Page>, I: Iterator<Item = io::Result<P>>>(
    out: &mut dyn Write,
    count: usize,
    pages: impl Fn() -> I,
) -> io::Result<()> {
    if 1 < count {
        out.write_all(contents(count, pages())?.as_bytes())?;
    }
    for (index, page) in pages().enumerate() {
        if 1 < count || 0 < index {
            out.write_all(b"\n")?;
        }
        let mut text = String::new();
        write_page(page?.borrow(), &mut text);
        out.write_all(text.as_bytes())?;
    }
    Ok(())
}

/// The verdicts of several HPAs.
fn contents<P: Borrow<Page>>(
    count: usize,
    pages: impl Iterator<Item = io::Result<P>>,
) -> io::Result<String> {
    let row = |page: io::Result<P>| {
        let page = page?;
        let page: &Page = page.borrow();
        Ok(vec![
            escape(&page.hpa),
            escape(&page.scale_target),
            format!("**{}**", escape(&page.verdict.headline)),
            escape(&page.bounds),
        ])
    };
    let rows = pages.map(row).collect::<io::Result<Vec<_>>>()?;
    let mut out = format!("# {count} HPAs\n\n");
    write_table(&["HPA", "target", "verdict", "min/max"], &rows, &mut out);
    Ok(out)
}

fn write_page(page: &Page, out: &mut String) {
    let condition = page.changed.as_ref().map_or("", |_| " with a changed spec");
    out.push_str(&format!(
        "## {} → {}: {}{condition}\n\n",
        escape(&page.hpa),
        escape(&page.scale_target),
        escape(&page.verdict.headline)
    ));
    out.push_str(&paragraph(&page.answer.text()));
    if let Some(command) = &page.answer.command {
        out.push_str(&format!("\n\n    {}", one_line(command)));
    }
    out.push_str(&format!(
        "\n\n<sub>{} · {}</sub>\n",
        escape(&page.bounds),
        escape(&page.at)
    ));
    if let Some(changed) = &page.changed {
        write_changed(changed, page, out);
    }
    ladder(page, out);
    list(&sections::next(page), out);
    what_ifs(page, out);
    list(&sections::around(page), out);
    list(&sections::trust(page), out);
    pods(page, out);
    inputs(page, out);
}

fn ladder(page: &Page, out: &mut String) {
    let mut previous: Option<&StepView> = None;
    let mut rows = Vec::new();
    for step in page.steps.iter().filter(|step| is_displayed(step, page)) {
        let is_same = previous.is_some_and(|previous| {
            previous.title == step.title && previous.metric == step.metric && step.metric.is_some()
        });
        let title = if is_same { "" } else { &step.title };
        previous = Some(step);
        rows.push(row(step, title, page));
    }
    if rows.is_empty() {
        return;
    }
    heading("How it comes about", out);
    write_table(&["step", "outcome", "how", "decides"], &rows, out);
    let mut topics: Vec<&Topic> = page.steps.iter().filter_map(topic_of_step).collect();
    topics.sort_by_key(|topic| topic.id);
    topics.dedup_by_key(|topic| topic.id);
    topics.sort_by_key(|topic| learn::topics().position(|one| one.id == topic.id));
    let links: Vec<String> = topics
        .into_iter()
        .map(|topic| format!("[{}]({})", topic.id, address(topic)))
        .collect();
    if !links.is_empty() {
        out.push_str(&format!("\nRead more: {}\n", links.join(", ")));
    }
}

fn row(step: &StepView, title: &str, page: &Page) -> Vec<String> {
    let strong = |text: &str| match (step.is_deciding, text.is_empty()) {
        (true, false) => format!("**{}**", escape(text)),
        _ => escape(text),
    };
    let outcome = if step.weight == Weight::Error {
        format!("✗ {}", step.outcome)
    } else {
        step.outcome.clone()
    };
    let mut how = vec![escape(&step.how)];
    how.extend(step.notes.iter().map(|note| escape(note)));
    how.retain(|line| !line.is_empty());
    let decides = match (step.is_deciding, page.verdict.to) {
        (true, Some(to)) => format!("**◀ {to}**"),
        (true, None) => "**◀**".to_owned(),
        (false, _) => String::new(),
    };
    vec![strong(title), strong(&outcome), how.join("<br>"), decides]
}

/// The counterfactuals, folded.
fn what_ifs(page: &Page, out: &mut String) {
    let (changing, others): (Vec<_>, Vec<_>) = page.what_if.iter().partition(|view| view.differs);
    let row = |view: &&WhatIfView| {
        let (outcome, more) = view.in_list();
        let more = more.map_or_else(String::new, |more| format!(" ({more})"));
        vec![
            escape(&outcome),
            escape(&format!("{} {}{more}", view.title, view.change)),
        ]
    };
    let rows: Vec<Vec<String>> = changing.iter().chain(&others).map(row).collect();
    if !rows.is_empty() {
        let summary = "What if one thing were different";
        folded(
            summary,
            &["what comes of it", "what is different"],
            &rows,
            out,
        );
    }
}

/// The lines of a section, without details.
fn list(section: &Section<'_>, out: &mut String) {
    let lines = section.lines.iter();
    let mut lines = lines
        .filter(|(.., weight)| *weight != NoteWeight::Detail)
        .peekable();
    if lines.peek().is_some() {
        heading(section.heading, out);
    }
    for (title, text, weight) in lines {
        let mark = if *weight == NoteWeight::Warning {
            "⚠ "
        } else {
            ""
        };
        out.push_str(&format!(
            "- {mark}**{}**: {}\n",
            escape(title),
            escape(text)
        ));
    }
}

/// Every pod, folded.
fn pods(page: &Page, out: &mut String) {
    if page.pods.is_empty() {
        return;
    }
    let rows: Vec<Vec<String>> = page
        .pods
        .iter()
        .map(|pod| {
            let optional = |text: &Option<String>| text.as_deref().map(escape).unwrap_or_default();
            vec![
                escape(&pod.name),
                pod.class.as_str().to_owned(),
                optional(&pod.usage),
                optional(&pod.request),
                escape(&pod.why),
                optional(&pod.owner),
            ]
        })
        .collect();
    let header = ["pod", "class", "usage", "request", "why", "owner"];
    let pods = if page.pods.len() == 1 { "pod" } else { "pods" };
    folded(&format!("{} {pods}", page.pods.len()), &header, &rows, out);
}

/// Every input that decides, folded.
fn inputs(page: &Page, out: &mut String) {
    let rows: Vec<Vec<String>> = page
        .inputs
        .iter()
        .filter(|input| input.matters)
        .map(|input| {
            vec![
                escape(&input.name),
                escape(&input.value),
                input.provenance.as_str().to_owned(),
                input.remedy.as_deref().map(escape).unwrap_or_default(),
            ]
        })
        .collect();
    if rows.is_empty() {
        return;
    }
    let header = ["input", "value", "source", "to make it sure"];
    folded("Inputs that decide", &header, &rows, out);
}

fn folded(summary: &str, header: &[&str], rows: &[Vec<String>], out: &mut String) {
    out.push_str(&format!("\n<details>\n<summary>{summary}</summary>\n\n"));
    write_table(header, rows, out);
    out.push_str("\n</details>\n");
}

fn heading(title: &str, out: &mut String) {
    out.push_str(&format!("\n### {title}\n\n"));
}
