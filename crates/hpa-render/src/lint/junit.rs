//! JUnit XML: one suite for each file, one test case for each object and rule with a finding.

use std::collections::BTreeMap;

use hpa_lint::{Reported, Severity};

use super::{
    view::{FileRange, Index, LintView, named},
    xml::escape,
};

/// Writes the findings as failed test cases. Infos and suppressed findings are skipped cases. A run without findings
/// is one passed case.
pub fn junit(view: &LintView<'_>) -> String {
    let index = Index::new(view);
    let mut suites = Suites::default();
    for reported in &view.report.findings {
        let place = index.place_of(reported);
        let is_failure = Severity::Warning <= reported.finding.severity;
        suites
            .of(place, reported)
            .add(case(reported, place, is_failure), is_failure);
    }
    for suppressed in &view.report.suppressed {
        let reported = &suppressed.reported;
        let place = index.place_of(reported);
        let reason = suppressed.reason.as_ref();
        let reason = reason.map_or_else(String::new, |reason| format!(": {reason}"));
        let text = format!(
            "    <testcase name=\"{}\" classname=\"{}\">\n      <skipped message=\"{}\"/>\n    </testcase>\n",
            escape(&name(reported)),
            escape(&class(reported)),
            escape(&format!("suppressed by {}{reason}", suppressed.by.as_str())),
        );
        suites.of(place, reported).add(text, false);
    }
    let mut suites = suites.suites;
    if suites.is_empty() {
        let mut suite = Suite::new("kubectl hpa lint".to_owned());
        suite
            .cases
            .push("    <testcase name=\"no findings\" classname=\"kubectl-hpa\"/>\n".to_owned());
        suites.push(suite);
    }
    let tests: usize = suites.iter().map(|suite| suite.cases.len()).sum();
    let failures: usize = suites.iter().map(|suite| suite.failures).sum();
    let mut out = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"kubectl hpa lint\" tests=\"{tests}\" \
         failures=\"{failures}\" errors=\"0\">\n"
    );
    for suite in suites {
        out.push_str(&format!(
            "  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"0\" skipped=\"{}\">\n{}  </testsuite>\n",
            escape(&suite.name),
            suite.cases.len(),
            suite.failures,
            suite.skipped,
            suite.cases.concat()
        ));
    }
    out.push_str("</testsuites>\n");
    out
}

struct Suite {
    name: String,
    cases: Vec<String>,
    failures: usize,
    skipped: usize,
}

impl Suite {
    fn new(name: String) -> Self {
        Self {
            name,
            cases: Vec::new(),
            failures: 0,
            skipped: 0,
        }
    }

    fn add(&mut self, case: String, is_failure: bool) {
        self.cases.push(case);
        if is_failure {
            self.failures += 1;
        } else {
            self.skipped += 1;
        }
    }
}

/// The suites, in order of appearance.
#[derive(Default)]
struct Suites {
    suites: Vec<Suite>,
    by_name: BTreeMap<String, usize>,
}

impl Suites {
    /// The suite of the file, or of the object if it is not in a file.
    fn of(&mut self, place: Option<FileRange<'_>>, reported: &Reported) -> &mut Suite {
        let name = place.map_or_else(|| named(&reported.object), |place| place.file.to_owned());
        let next = self.suites.len();
        let index = *self.by_name.entry(name.clone()).or_insert(next);
        if index == next {
            self.suites.push(Suite::new(name));
        }
        &mut self.suites[index]
    }
}

fn case(reported: &Reported, place: Option<FileRange<'_>>, is_failure: bool) -> String {
    let finding = &reported.finding;
    let (position, attributes) = match place {
        Some(place) => {
            let (line, column) = place.start;
            let attribute = if place.is_rendered {
                String::new()
            } else {
                format!(" line=\"{line}\"")
            };
            (
                format!("{}:{line}:{column}: ", place.name()),
                format!(" file=\"{}\"{attribute}", escape(place.file)),
            )
        }
        None => (String::new(), String::new()),
    };
    let message = escape(&finding.message);
    let inner = if is_failure {
        format!(
            "<failure message=\"{message}\" type=\"{}\">{}</failure>",
            finding.severity,
            escape(&format!(
                "{position}{}\nhelp: {}",
                finding.message, finding.help
            ))
        )
    } else {
        format!(
            "<skipped message=\"{}\"/>",
            escape(&format!("{}: {}", finding.severity, finding.message))
        )
    };
    format!(
        "    <testcase name=\"{}\" classname=\"{}\"{attributes}>\n      {inner}\n    </testcase>\n",
        escape(&name(reported)),
        escape(&class(reported)),
    )
}

fn name(reported: &Reported) -> String {
    format!(
        "{} {} {}",
        reported.rule.code, reported.rule.name, reported.finding.path
    )
    .trim_end()
    .to_owned()
}

fn class(reported: &Reported) -> String {
    named(&reported.object)
}
