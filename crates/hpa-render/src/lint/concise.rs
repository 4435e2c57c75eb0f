//! One line for each finding, for grep and editors.

use hpa_words::sanitize::one_line;

use super::view::{Index, LintView, named};

/// Writes `file:line:column: severity[code name] message` for each finding; an object from a cluster takes the place
/// of the file.
pub fn concise(view: &LintView<'_>) -> String {
    let index = Index::new(view);
    let mut out = String::new();
    for reported in &view.report.findings {
        let place = index.place_of(reported).map_or_else(
            || named(&reported.object),
            |place| format!("{}:{}:{}", place.name(), place.start.0, place.start.1),
        );
        let finding = &reported.finding;
        let line = format!(
            "{place}: {}[{} {}] {}",
            finding.severity, reported.rule.code, reported.rule.name, finding.message
        );
        out.push_str(&one_line(&line));
        out.push('\n');
    }
    out
}
