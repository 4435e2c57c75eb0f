//! Findings for people.

use crate::{
    lint::{Input, Report},
    render::sanitize::lines,
};

/// Writes the findings for people.
pub fn text(report: &Report, input: &Input) -> String {
    let mut out = String::new();
    for reported in &report.findings {
        let place = reported.location.map_or_else(String::new, |location| {
            let (line, column) = input.sources.line_and_column(location.file, location.start);
            format!(
                "{}:{line}:{column}: ",
                input.sources.get(location.file).name
            )
        });
        let finding = &reported.finding;
        out.push_str(&lines(&format!(
            "{place}{}[{} {}]: {}",
            finding.severity, reported.rule.code, reported.rule.name, finding.message
        )));
        out.push_str(&lines(&format!("\n  help: {}\n", finding.help)));
    }
    for note in &report.notes {
        let object = note.object.as_ref().map(|object| format!("{object}: "));
        out.push_str(&lines(&format!(
            "note: {}{}\n",
            object.unwrap_or_default(),
            note.message
        )));
    }
    out
}
