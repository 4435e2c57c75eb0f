//! Findings with their locations, for the language server.

use hpa_explain::DOCS;
use hpa_lint::{Location, Rule, Severity, fix, rules};
use hpa_words::sanitize::lines;

use super::{
    LintView,
    view::{Index, about, counted, named},
};

/// A diagnostic that an editor shows at a location.
#[derive(Clone, Debug)]
pub struct EditorFinding {
    /// Its location.
    pub location: Location,
    /// The rule that reports it; none: it is about a suppression.
    pub rule: Option<&'static Rule>,
    /// Its severity.
    pub severity: Severity,
    /// What is wrong, and what to do.
    pub message: String,
    /// Other locations that are related to it.
    pub related: Vec<(Location, String)>,
    /// Index of the finding in the report; none: a note, or about a suppression.
    pub finding: Option<usize>,
}

/// The diagnostics with a location in a file, and the messages without one.
pub fn editor(view: &LintView<'_>, has_unused: bool) -> (Vec<EditorFinding>, Vec<String>) {
    let index = Index::new(view);
    let report = view.report;
    let mut placed = Vec::new();
    let mut elsewhere = Vec::new();
    for (at, reported) in report.findings.iter().enumerate() {
        let finding = &reported.finding;
        let Some(location) = reported.location else {
            continue;
        };
        let labels = index.labels(reported).into_iter();
        let labels = labels.filter_map(|label| Some((label.location?, lines(label.text).into())));
        let related = finding.related.iter().filter_map(|other| {
            let text = format!("{}: {}", named(&other.object), other.note);
            Some((
                index.locate(&other.object, &other.path)?,
                lines(&text).into(),
            ))
        });
        placed.push(EditorFinding {
            location,
            rule: Some(reported.rule),
            severity: finding.severity,
            message: lines(&format!("{}\nhelp: {}", finding.message, finding.help)).into(),
            related: labels.chain(related).collect(),
            finding: Some(at),
        });
    }
    for note in &report.notes {
        let object = note.object.as_ref();
        let location = object.and_then(|object| index.locate(object, ""));
        if let (Some(location), Some(rule)) = (location, rules::find(note.code)) {
            placed.push(EditorFinding {
                rule: Some(rule),
                ..remark(location, Severity::Note, &note.message)
            });
        } else {
            let object = about(note).map_or_else(String::new, |object| format!("{object}: "));
            elsewhere.push(format!("{object}{} ({})", note.message, note.code));
        }
    }
    let unused = report.unused_suppressions.iter().filter(|_| has_unused);
    for one in report.remarks.iter().chain(unused) {
        match one.location {
            Some(location) => placed.push(remark(location, Severity::Warning, &one.message)),
            None => elsewhere.push(one.message.clone()),
        }
    }
    (placed, elsewhere)
}

/// A diagnostic that is not a finding of a rule.
fn remark(location: Location, severity: Severity, message: &str) -> EditorFinding {
    EditorFinding {
        location,
        rule: None,
        severity,
        message: lines(message).into(),
        related: Vec::new(),
        finding: None,
    }
}

/// The fix of a finding: its title and its edits; `None` if there is no fix.
pub fn editor_fix(view: &LintView<'_>, finding: usize) -> Option<(String, Vec<fix::Replacement>)> {
    let reported = view.report.findings.get(finding)?;
    let edits = fix::preview(view.input, reported);
    let title = format!("{}: {}", reported.rule.code, reported.finding.help);
    (!edits.is_empty()).then_some((lines(&title).into(), edits))
}

/// The title of the action that applies all fixes of a document.
pub fn editor_fix_all(findings: usize) -> String {
    format!("kubectl-hpa: fix {}", counted(findings, "finding"))
}

/// The title of the action that suppresses a finding by a comment.
pub fn editor_suppression(rule: &Rule) -> String {
    format!("{}: ignore {} here, by a comment", rule.code, rule.name)
}

/// The page of a rule in Markdown, with absolute links.
pub fn editor_page(rule: &Rule) -> String {
    let page = rules::page(rule);
    page.replace("](../", &format!("]({DOCS}"))
        .replace("](HPA", &format!("]({DOCS}rules/HPA"))
}

/// The address of a rule's page.
pub fn page_address(rule: &Rule) -> String {
    format!("{DOCS}rules/{}", rules::page_name(rule))
}
