//! One line for each finding, for grep and editors.

use hpa_words::sanitize::one_line;

use super::view::{Index, LintView, named};

/// The line of each finding, `file:line:column: severity[code name] message`; an object from a cluster takes the place
/// of the file.
pub fn concise<'a>(view: &'a LintView<'a>) -> impl Iterator<Item = String> {
    let index = Index::new(view);
    view.report.findings.iter().map(move |reported| {
        let place = index.place_of(reported).map_or_else(
            || named(&reported.object),
            |place| format!("{}:{}:{}", place.name(), place.start.0, place.start.1),
        );
        let finding = &reported.finding;
        let line = format!(
            "{place}: {}[{} {}] {}",
            finding.severity, reported.rule.code, reported.rule.name, finding.message
        );
        one_line(&line).into_owned()
    })
}
