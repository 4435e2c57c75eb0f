//! The end of the text output: notes and counts.

use std::collections::BTreeMap;

use hpa_lint::{Report, ReportNote, Reported, Severity, Suppressed, rules};
use hpa_words::wrap::wrap_indented;

use super::view::{LintView, about, counted};
use crate::{style::Role, styled::StyledText, table::Table};

/// What could not be checked or had to be assumed, each once with the objects concerned.
pub(super) fn notes(view: &LintView<'_>) -> String {
    let mut groups: Vec<(&ReportNote, Vec<String>)> = Vec::new();
    let mut known: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    for note in &view.report.notes {
        let next = groups.len();
        let index = *known.entry((note.code, &note.message)).or_insert(next);
        if index == next {
            groups.push((note, Vec::new()));
        }
        groups[index].1.extend(about(note));
    }
    let mut out = String::new();
    for (note, objects) in groups {
        let name = rules::find(note.code).map_or("", |rule| rule.name);
        let title = format!("note[{} {name}]", note.code);
        let first = objects.first().map_or_else(String::new, |first| {
            let more = match objects.len() {
                1 => String::new(),
                count => format!(" and {} more", count - 1),
            };
            format!("{first}{more}: ")
        });
        let text = view
            .style
            .clean(&format!("{title}: {first}{}", shortened(note)));
        let wrapped = wrap_indented(&text, view.style.width, "", "  ").join("\n");
        let painted = view.style.paint(Role::Strong, &title);
        out.push_str(&wrapped.replacen(&title, &painted, 1));
        out.push('\n');
    }
    out
}

/// The text of a note; more than a few codes are counted instead, as every run on files lacks the same ones of a
/// cluster.
fn shortened(note: &ReportNote) -> String {
    let rules = &note.rules;
    let behind = note.message.strip_prefix(&rules.join(", "));
    match (behind, &rules[..]) {
        (Some(behind), [first, second, others @ ..]) if MOST_CODES < rules.len() => {
            let (count, more) = (rules.len(), others.len());
            format!("{count} rules ({first}, {second} and {more} more){behind}")
        }
        _ => note.message.clone(),
    }
}

/// Up to this many codes are listed.
const MOST_CODES: usize = 6;

/// The number of findings per rule, the most frequent first.
pub(super) fn statistics(view: &LintView<'_>) -> String {
    let mut counts: BTreeMap<&str, (usize, Severity, &str)> = BTreeMap::new();
    for reported in &view.report.findings {
        let rule = reported.rule;
        let severity = reported.finding.severity;
        let count = counts.entry(rule.code).or_insert((0, severity, rule.name));
        count.0 += 1;
        count.1 = count.1.max(severity);
    }
    let mut rows: Vec<_> = counts.into_iter().collect();
    rows.sort_by_key(|(code, (count, ..))| (std::cmp::Reverse(*count), *code));
    let mut table = Table::new(view.style).with_numbers(0..1);
    for (code, (count, severity, name)) in rows {
        table.push_cells([
            (Role::Text, count.to_string()),
            (severity.into(), severity.to_string()),
            (Role::Text, code.to_owned()),
            (Role::Text, name.to_owned()),
        ]);
    }
    let mut text = StyledText::default();
    table.write(&mut text);
    text.paint(view.style)
}

/// The summary line, such as `12 HPAs: 2 errors, 3 warnings; 1 suppressed; 3 rules not checked (see notes)`.
pub(super) fn summary(view: &LintView<'_>) -> String {
    let report = view.report;
    let mut subjects = Vec::new();
    if report.hpas != 0 || report.scaled_objects == 0 {
        subjects.push(counted(report.hpas, "HPA"));
    }
    if report.scaled_objects != 0 {
        subjects.push(counted(report.scaled_objects, "ScaledObject"));
    }
    let findings: Vec<String> = [
        (Severity::Error, "error"),
        (Severity::Warning, "warning"),
        (Severity::Info, "info"),
    ]
    .into_iter()
    .map(|(severity, noun)| (report.count(severity), severity, noun))
    .filter(|(count, ..)| *count != 0)
    .map(|(count, severity, noun)| view.style.paint(severity.into(), &counted(count, noun)))
    .collect();
    let findings = if findings.is_empty() {
        view.style.paint(Role::Good, "nothing found")
    } else {
        findings.join(", ")
    };
    let mut parts = vec![format!("{}: {findings}", subjects.join(" and "))];
    if !report.suppressed.is_empty() {
        parts.push(suppressed(report));
    }
    let has_fix = |reported: &&Reported| !reported.finding.fix.is_empty();
    let fixable = report.findings.iter().filter(has_fix).count();
    if fixable != 0 {
        parts.push(format!("{fixable} fixable (--fix)"));
    }
    let not_checked = report.not_checked().len();
    if not_checked != 0 {
        parts.push(format!(
            "{} not checked (see {})",
            counted(not_checked, "rule"),
            if report.notes.len() == 1 {
                "the note"
            } else {
                "notes"
            }
        ));
    }
    if let Some(configuration) = &report.configuration {
        parts.push(view.style.clean(&configuration.in_words()));
    }
    parts.join("; ") + "\n"
}

/// The suppressed findings, with a reminder that the API server and the controller ignore suppressions.
fn suppressed(report: &Report) -> String {
    let is_error = |one: &&Suppressed| one.reported.finding.severity == Severity::Error;
    let errors = report.suppressed.iter().filter(is_error).count();
    let still = match errors {
        0 => String::new(),
        1 => " (1 is still an error)".to_owned(),
        errors => format!(" ({errors} are still errors)"),
    };
    format!("{} suppressed{still}", report.suppressed.len())
}

impl From<Severity> for Role {
    fn from(severity: Severity) -> Self {
        match severity {
            Severity::Error => Self::Error,
            Severity::Warning => Self::Warning,
            Severity::Info | Severity::Note => Self::Text,
        }
    }
}
