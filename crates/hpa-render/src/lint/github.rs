//! Annotations of GitHub Actions: workflow commands on standard output.

use std::path::Path;

use hpa_lint::Severity;
use hpa_words::sanitize::lines;

use super::view::{Index, LintView, named};

/// A workflow command for each finding, so that it appears at its line.
pub fn github<'a>(view: &'a LintView<'a>) -> impl Iterator<Item = String> {
    let index = Index::new(view);
    view.report.findings.iter().map(move |reported| {
        let finding = &reported.finding;
        let command = match finding.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Info | Severity::Note => "notice",
        };
        let rule = reported.rule;
        let mut properties = vec![format!(
            "title={}",
            property(&format!("{} {}", rule.code, rule.name))
        )];
        // An annotation of standard input would be lost.
        let place = index.place_of(reported);
        if let Some(place) = place.filter(|place| place.file != "<stdin>") {
            properties.push(format!("file={}", property(&path(place.file))));
            if !place.is_rendered {
                properties.push(format!("line={}", place.start.0));
                properties.push(format!("endLine={}", place.end.0));
            }
            // Columns are only valid within one line.
            if !place.is_rendered && place.start.0 == place.end.0 {
                properties.push(format!("col={}", place.start.1));
                properties.push(format!("endColumn={}", place.end.1));
            }
        }
        let message = format!(
            "{}: {}\nhelp: {}",
            named(&reported.object),
            finding.message,
            finding.help
        );
        format!("::{command} {}::{}\n", properties.join(","), data(&message))
    })
}

/// The file as a path relative to the checkout.
fn path(name: &str) -> String {
    let name = Path::new(name);
    name.strip_prefix(".")
        .unwrap_or(name)
        .display()
        .to_string()
        .replace('\\', "/")
}

/// Escapes a message: line breaks stay as escapes, and no line can start another command.
fn data(text: &str) -> String {
    lines(text)
        .replace('%', "%25")
        .replace('\r', "%0D")
        .replace('\n', "%0A")
}

fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
