//! A code quality report of GitLab.

use hpa_lint::{Report, Reported, Severity};
use hpa_words::sanitize::one_line;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize, Serializer};

use super::view::{Index, LintView, named};

/// One finding in GitLab's format.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct GitlabIssue {
    /// What is wrong.
    pub description: String,
    /// The rule.
    pub check_name: String,
    /// Stays the same when lines move; unique within a report.
    pub fingerprint: String,
    /// `info`, `minor` or `major`.
    pub severity: String,
    /// Its location.
    pub location: GitlabLocation,
}

/// A location.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct GitlabLocation {
    /// The file, relative to the repository.
    pub path: String,
    /// The lines.
    pub lines: GitlabLines,
}

/// Lines, counted from 1.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct GitlabLines {
    /// The first one.
    pub begin: usize,
}

/// The findings as a code quality report. GitLab requires a path: a finding without a file has the object's name as its
/// path.
pub fn gitlab(view: &LintView<'_>) -> impl Serialize {
    GitlabIssues {
        report: view.report,
        index: Index::new(view),
    }
}

/// One issue for each finding. Each is made when it is written: all together are many times the input.
struct GitlabIssues<'a> {
    report: &'a Report,
    index: Index<'a>,
}

impl Serialize for GitlabIssues<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let findings = self.report.findings.iter();
        serializer.collect_seq(findings.map(|reported| issue(reported, &self.index)))
    }
}

fn issue(reported: &Reported, index: &Index<'_>) -> GitlabIssue {
    let finding = &reported.finding;
    let place = index.place_of(reported);
    GitlabIssue {
        description: one_line(&format!(
            "{} ({}): {}; {}",
            reported.rule.code,
            named(&reported.object),
            finding.message,
            finding.help
        ))
        .into_owned(),
        check_name: format!("{} {}", reported.rule.code, reported.rule.name),
        fingerprint: reported.fingerprint.to_string(),
        severity: match finding.severity {
            Severity::Error => "major",
            Severity::Warning => "minor",
            Severity::Info | Severity::Note => "info",
        }
        .to_owned(),
        location: GitlabLocation {
            path: place.map_or_else(
                || one_line(&named(&reported.object)).into_owned(),
                |place| relative(place.file),
            ),
            lines: GitlabLines {
                begin: place
                    .filter(|place| !place.is_rendered)
                    .map_or(1, |place| place.start.0),
            },
        },
    }
}

/// Strips `./`, with which GitLab finds no file.
fn relative(name: &str) -> String {
    let name = name.replace('\\', "/");
    let mut rest = name.as_str();
    while let Some(shorter) = rest.strip_prefix("./") {
        rest = shorter.trim_start_matches('/');
    }
    rest.to_owned()
}
