//! The page of `explain` as Markdown.

use std::{
    borrow::Borrow,
    io::{self, Write},
};

use hpa_explain::{
    Page,
    learn::{self, Topic, address, topic_of_step},
};
use hpa_words::{amount::count, program, sanitize::one_line};

use super::{
    changed::write_changed,
    escape::{escape, paragraph},
    table::{write_block, write_table},
};
use crate::{
    blocks::TableBlock,
    sections::{self, Section},
    steps::{StepRow, StepTitle, is_displayed, steps},
    style::Role,
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
    if let Some(by) = program::written_by() {
        writeln!(out, "\nWritten by {}.", paragraph(&by))?;
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
        escape(&sections::headline(page).text)
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
    folded(
        "What if one thing were different",
        &sections::what_ifs(page),
        out,
    );
    list(&sections::around(page), out);
    list(&sections::trust(page), out);
    folded(&count(page.pods.len(), "pod"), &sections::pods(page), out);
    let deciding = page.inputs.iter().filter(|input| input.matters);
    let inputs = sections::inputs(deciding, "to make it sure");
    folded("Inputs that decide", &inputs, out);
}

fn ladder(page: &Page, out: &mut String) {
    let shown = steps(page, |step| is_displayed(step, page));
    let rows: Vec<Vec<String>> = shown.map(|step| row(&step, page)).collect();
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

fn row(row: &StepRow<'_>, page: &Page) -> Vec<String> {
    let step = row.step;
    let strong = |text: &str| match (step.is_deciding, text.is_empty()) {
        (true, false) => format!("**{}**", escape(text)),
        _ => escape(text),
    };
    let title = match row.title {
        StepTitle::Repeated => "",
        _ => &step.title,
    };
    let mut how = vec![escape(&step.how)];
    how.extend(step.notes.iter().map(|note| escape(note)));
    how.retain(|line| !line.is_empty());
    let decides = match (step.is_deciding, page.verdict.to) {
        (true, Some(to)) => format!("**◀ {to}**"),
        (true, None) => "**◀**".to_owned(),
        (false, _) => String::new(),
    };
    vec![
        strong(title),
        strong(&row.outcome),
        how.join("<br>"),
        decides,
    ]
}

/// The lines of a section, without details.
fn list(section: &Section<'_>, out: &mut String) {
    let lines = section.lines.iter();
    let mut lines = lines.filter(|(role, ..)| *role != Role::Dim).peekable();
    if lines.peek().is_some() {
        heading(section.heading, out);
    }
    for (role, title, text) in lines {
        let mark = if *role == Role::Warning { "⚠ " } else { "" };
        let (title, text) = (escape(title), escape(text));
        out.push_str(&format!("- {mark}**{title}**: {text}\n"));
    }
}

/// A table that opens; nothing if it is empty.
fn folded(summary: &str, table: &TableBlock, out: &mut String) {
    if table.rows.is_empty() {
        return;
    }
    out.push_str(&format!("\n<details>\n<summary>{summary}</summary>\n\n"));
    write_block(table, out);
    out.push_str("\n</details>\n");
}

fn heading(title: &str, out: &mut String) {
    out.push_str(&format!("\n### {title}\n\n"));
}
