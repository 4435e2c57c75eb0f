//! JUnit XML: one suite for each file, one test case for each object and rule with a finding.

use std::{collections::BTreeMap, io};

use hpa_lint::{Reported, Severity, Suppressed};

use super::{
    view::{FileRange, Index, LintView, named},
    xml::escape,
};

/// Writes the findings as failed test cases, each when it is made. Infos and suppressed findings are skipped cases. A run
/// without findings is one passed case.
pub fn junit(
    view: &LintView<'_>,
    write: &mut dyn FnMut(String) -> io::Result<()>,
) -> io::Result<()> {
    let index = Index::new(view);
    let suites = suites(view, &index);
    let tests: usize = suites.iter().map(|suite| suite.cases.len()).sum();
    let failures: usize = suites.iter().map(Suite::failures).sum();
    write(format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"kubectl hpa lint\" tests=\"{}\" \
         failures=\"{failures}\" errors=\"0\">\n",
        tests.max(1)
    ))?;
    if suites.is_empty() {
        let none = "    <testcase name=\"no findings\" classname=\"kubectl-hpa\"/>\n";
        write(format!(
            "{}{none}{CLOSED}",
            opened("kubectl hpa lint", 1, 0, 0)
        ))?;
    }
    for suite in suites {
        let (tests, failures) = (suite.cases.len(), suite.failures());
        write(opened(&suite.name, tests, failures, tests - failures))?;
        for case in suite.cases {
            write(case.text(&index))?;
        }
        write(CLOSED.to_owned())?;
    }
    write("</testsuites>\n".to_owned())
}

fn opened(name: &str, tests: usize, failures: usize, skipped: usize) -> String {
    format!(
        "  <testsuite name=\"{}\" tests=\"{tests}\" failures=\"{failures}\" errors=\"0\" skipped=\"{skipped}\">\n",
        escape(name)
    )
}

const CLOSED: &str = "  </testsuite>\n";

struct Suite<'a> {
    name: String,
    cases: Vec<TestCase<'a>>,
}

impl Suite<'_> {
    fn failures(&self) -> usize {
        self.cases.iter().filter(|case| case.is_failure()).count()
    }
}

#[derive(Clone, Copy)]
enum TestCase<'a> {
    Finding(&'a Reported),
    Suppressed(&'a Suppressed),
}

impl<'a> TestCase<'a> {
    fn reported(self) -> &'a Reported {
        match self {
            Self::Finding(reported) => reported,
            Self::Suppressed(suppressed) => &suppressed.reported,
        }
    }

    fn is_failure(self) -> bool {
        match self {
            Self::Finding(reported) => Severity::Warning <= reported.finding.severity,
            Self::Suppressed(_) => false,
        }
    }

    fn text(self, index: &Index<'_>) -> String {
        let suppressed = match self {
            Self::Finding(reported) => {
                return case(reported, index.place_of(reported), self.is_failure());
            }
            Self::Suppressed(suppressed) => suppressed,
        };
        let reason = suppressed.reason.as_ref();
        let reason = reason.map_or_else(String::new, |reason| format!(": {reason}"));
        format!(
            "    <testcase name=\"{}\" classname=\"{}\">\n      <skipped message=\"{}\"/>\n    </testcase>\n",
            escape(&name(&suppressed.reported)),
            escape(&class(&suppressed.reported)),
            escape(&format!("suppressed by {}{reason}", suppressed.by.as_str())),
        )
    }
}

/// A suite for each file, or for each object that is not in a file, in order of appearance.
fn suites<'a>(view: &LintView<'a>, index: &Index<'_>) -> Vec<Suite<'a>> {
    let findings = view.report.findings.iter().map(TestCase::Finding);
    let suppressed = view.report.suppressed.iter().map(TestCase::Suppressed);
    let mut suites: Vec<Suite<'a>> = Vec::new();
    let mut by_name: BTreeMap<String, usize> = BTreeMap::new();
    for case in findings.chain(suppressed) {
        let reported = case.reported();
        let place = index.place_of(reported);
        let name = place.map_or_else(|| named(&reported.object), |place| place.file.to_owned());
        let at = *by_name.entry(name.clone()).or_insert(suites.len());
        if at == suites.len() {
            let cases = Vec::new();
            suites.push(Suite { name, cases });
        }
        suites[at].cases.push(case);
    }
    suites
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
