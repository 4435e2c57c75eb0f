//! Checkstyle XML, which most CI servers and review tools read.

use std::io;

use hpa_lint::Severity;

use super::{
    view::{Index, LintView, named},
    xml::escape,
};

/// Writes the findings file by file, each when it is made. A finding without a file has the object's name in place of the
/// path.
pub fn checkstyle(
    view: &LintView<'_>,
    write: &mut dyn FnMut(String) -> io::Result<()>,
) -> io::Result<()> {
    let index = Index::new(view);
    let head = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<checkstyle version=\"4.3\">\n";
    write(head.to_owned())?;
    let mut open: Option<String> = None;
    for reported in &view.report.findings {
        let place = index.place_of(reported);
        let file = place.map_or_else(|| named(&reported.object), |place| place.file.to_owned());
        if open.as_ref() != Some(&file) {
            let closed = open.map_or("", |_| CLOSED);
            write(format!("{closed}  <file name=\"{}\">\n", escape(&file)))?;
            open = Some(file);
        }
        let finding = &reported.finding;
        let severity = match finding.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Info | Severity::Note => "info",
        };
        let (line, column) = place
            .filter(|place| !place.is_rendered)
            .map_or((1, 1), |place| place.start);
        write(format!(
            "    <error line=\"{line}\" column=\"{column}\" severity=\"{severity}\" message=\"{}\" source=\"{}\"/>\n",
            escape(&format!(
                "{}: {}; {}",
                named(&reported.object),
                finding.message,
                finding.help
            )),
            escape(&format!(
                "kubectl-hpa.{}.{}",
                reported.rule.code, reported.rule.name
            )),
        ))?;
    }
    write(format!("{}</checkstyle>\n", open.map_or("", |_| CLOSED)))
}

const CLOSED: &str = "  </file>\n";
