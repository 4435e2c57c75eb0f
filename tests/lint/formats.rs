//! The output of the formats for programs, and that no embedded text breaks them.

use std::{collections::BTreeSet, io, path::Path};

use hpa_engine::model::Input as Given;
use hpa_lint::{LintInput, LintSettings, Object, Report, Reported, Suppressed, SuppressedBy, run};
use hpa_render::{
    Style,
    lint::{self, GitlabIssue, LintView, json, sarif},
};
use hpa_testing::version;
use kubectl_hpa_yaml::YamlNode;
use proptest::prelude::*;
use serde_json::{Value, json as value};

use crate::{markup::markup, schema::Schema};

/// Everything that could break a format.
const HOSTILE: &str = "a\"b'c<d>&e]]>f%0Ag::error::h\u{1b}[31m\u{202e}i\r\nj\u{7}{0}[k](l)";

/// HPAs of files and of a cluster with hostile names, findings of all severities, related objects, an accepted
/// finding and notes.
fn hostile(evil: &str) -> (LintInput, Report) {
    let mut input = LintInput::default();
    let name = serde_json::to_string(evil).unwrap();
    let text = format!(
        "apiVersion: apps/v1
kind: Deployment
metadata: {{name: web, namespace: {name}}}
spec:
  replicas: 3
  selector: {{matchLabels: {{app: web}}}}
  template:
    metadata: {{labels: {{app: web}}}}
    spec:
      containers: [{{name: {name}}}]
---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata:
  name: {name}
  namespace: {name}
spec:
  scaleTargetRef: {{apiVersion: apps/v1, kind: Deployment, name: web}}
  minReplicas: 12 # größer\t\u{202e}
  maxReplicas: 10
  metrics:
    - type: External
      external:
        metric: {{name: {name}}}
        target: {{type: AverageValue, averageValue: 30}}
---
broken: [
---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {{name: equal, namespace: shop}}
spec:
  scaleTargetRef: {{apiVersion: apps/v1, kind: Deployment, name: absent}}
  minReplicas: 3
  maxReplicas: 3
"
    );
    input.add_text("./dir with space/we#b%?\u{fc}.yaml", &text, true);
    input.add(Object {
        origin: None,
        api_version: "autoscaling/v2".into(),
        kind: "HorizontalPodAutoscaler".into(),
        node: YamlNode::from_json(value!({
            "metadata": {"name": evil, "namespace": "cluster"},
            "spec": {
                "scaleTargetRef": {"apiVersion": "apps/v1", "kind": "Deployment", "name": "x"},
                "minReplicas": 5,
                "maxReplicas": 5,
            },
        })),
        comments: [].into(),
        is_linted: true,
    });
    let version = version(36);
    let settings = LintSettings::new(Given::given(version));
    let mut report = run(&input, &settings);
    let is_accepted = |one: &mut Reported| one.rule.code == "HPA102" && one.location.is_none();
    let accepted = report.findings.extract_if(.., is_accepted);
    let accepted: Vec<Reported> = accepted.collect();
    report
        .suppressed
        .extend(accepted.into_iter().map(|reported| Suppressed {
            reported,
            by: SuppressedBy::Comment,
            reason: Some(evil.to_owned()),
        }));
    (input, report)
}

fn with_view<T>(write: impl FnOnce(&LintView<'_>) -> T) -> T {
    let (input, report) = hostile(HOSTILE);
    write(&view(&input, &report))
}

fn view<'a>(input: &'a LintInput, report: &'a Report) -> LintView<'a> {
    LintView {
        report,
        input,
        style: Style::plain(),
        is_quiet: false,
        has_statistics: false,
    }
}

/// Whether a terminal would show it unchanged.
#[track_caller]
fn assert_harmless(text: &str) {
    let unsafe_letters: BTreeSet<char> = text
        .chars()
        .filter(|letter| letter.is_control() && *letter != '\n' || *letter == '\u{202e}')
        .collect();
    assert!(unsafe_letters.is_empty(), "{unsafe_letters:?} in\n{text}");
}

/// The text format as one text.
pub(crate) fn text(view: &LintView<'_>) -> String {
    whole(|write| lint::text(view, write))
}

pub(crate) fn junit(view: &LintView<'_>) -> String {
    whole(|write| lint::junit(view, write))
}

pub(crate) fn checkstyle(view: &LintView<'_>) -> String {
    whole(|write| lint::checkstyle(view, write))
}

pub(crate) fn github(view: &LintView<'_>) -> String {
    lint::github(view).collect()
}

pub(crate) fn gitlab(view: &LintView<'_>) -> Vec<GitlabIssue> {
    serde_json::from_value(serde_json::to_value(lint::gitlab(view)).unwrap()).unwrap()
}

fn whole(parts: impl FnOnce(&mut dyn FnMut(String) -> io::Result<()>) -> io::Result<()>) -> String {
    let mut whole = String::new();
    let written = parts(&mut |part| {
        whole += &part;
        Ok(())
    });
    written.unwrap();
    whole
}

/// The lines of the concise format.
pub(crate) fn concise(view: &LintView<'_>) -> String {
    lint::concise(view).map(|line| line + "\n").collect()
}

#[test]
fn json_is_what_its_schema_says_and_reads_back() {
    let written = with_view(|view| serde_json::to_value(json(view)).unwrap());
    let schema = Schema::parse(include_str!("../../docs/schema/lint.json"));
    assert_eq!(schema.errors(&written), Vec::<String>::new());
    let read: lint::LintOutput = serde_json::from_value(written.clone()).unwrap();
    assert_eq!(serde_json::to_value(read).unwrap(), written);

    let findings = written["findings"].as_array().unwrap();
    let of_code = |code: &str| {
        let of_code: Vec<&Value> = findings.iter().filter(|one| one["code"] == code).collect();
        of_code
    };
    let crossed = of_code("HPA101")[0];
    assert_eq!(crossed["name"], "min-gt-max");
    assert_eq!(crossed["severity"], "error");
    assert_eq!(crossed["object"]["name"], HOSTILE);
    assert_eq!(crossed["file"], "./dir with space/we#b%?\u{fc}.yaml");
    assert_eq!(
        [
            &crossed["line"],
            &crossed["column"],
            &crossed["endLine"],
            &crossed["endColumn"]
        ],
        [20, 3, 20, 18]
    );
    assert_eq!(crossed["path"], "spec.maxReplicas");
    assert_eq!(crossed["basis"], "manifest");
    assert_eq!(of_code("HPA102")[0]["line"], 35);
    let absent = of_code("HPA401");
    // Findings from a cluster have no place and come first.
    assert!(absent[0]["file"].is_null() && absent[0]["line"].is_null());
    assert_eq!(absent[1]["line"], 33);
    assert_eq!(written["suppressed"][0]["code"], "HPA102");
    assert_eq!(written["suppressed"][0]["suppression"]["by"], "comment");
    let fingerprints: BTreeSet<&str> = findings
        .iter()
        .map(|one| one["fingerprint"].as_str().unwrap())
        .collect();
    assert_eq!(fingerprints.len(), findings.len());
    let summary = &written["summary"];
    let counted = ["errors", "warnings", "infos"].map(|one| summary[one].as_u64().unwrap());
    assert_eq!(counted.iter().sum::<u64>(), findings.len() as u64);
}

fn sarif_value(view: &LintView<'_>) -> Value {
    serde_json::to_value(sarif(view)).expect("it is JSON")
}

#[test]
fn sarif_is_what_the_standard_says() {
    let written = with_view(sarif_value);
    let schema = Schema::parse(include_str!("sarif-2.1.0.json"));
    assert_eq!(schema.errors(&written), Vec::<String>::new());

    let run = &written["runs"][0];
    let rules = run["tool"]["driver"]["rules"].as_array().unwrap();
    let results = run["results"].as_array().unwrap();
    for result in results {
        let index = usize::try_from(result["ruleIndex"].as_u64().unwrap()).unwrap();
        assert_eq!(rules[index]["id"], result["ruleId"]);
        assert!(
            rules[index]["help"]["markdown"]
                .as_str()
                .unwrap()
                .contains("## Why")
        );
        let location = &result["locations"][0]["physicalLocation"];
        if !location.is_null() {
            assert_eq!(
                location["artifactLocation"]["uri"],
                "dir%20with%20space/we%23b%25%3F%C3%BC.yaml"
            );
        }
    }
    let suppressed: Vec<&Value> = results
        .iter()
        .filter(|result| result.get("suppressions").is_some())
        .collect();
    assert_eq!(suppressed.len(), 1);
    assert_eq!(suppressed[0]["suppressions"][0]["kind"], "inSource");
    let notifications = run["invocations"][0]["toolExecutionNotifications"].as_array();
    assert!(notifications.is_some_and(|notifications| !notifications.is_empty()));
}

#[test]
fn addresses_in_sarif_are_those_of_the_package() {
    let sarif = with_view(sarif_value);
    let driver = &sarif["runs"][0]["tool"]["driver"];
    assert_eq!(driver["informationUri"], env!("CARGO_PKG_HOMEPAGE"));
    let rules = driver["rules"].as_array().unwrap();
    assert!(!rules.is_empty());
    for rule in rules {
        let address = rule["helpUri"].as_str().unwrap();
        let page = address.strip_prefix(concat!(env!("CARGO_PKG_REPOSITORY"), "/blob/main/"));
        let page = Path::new(env!("CARGO_MANIFEST_DIR")).join(page.unwrap());
        assert!(page.is_file(), "{address}");
    }
}

#[test]
fn every_annotation_of_github_is_one_line_that_cannot_be_left() {
    let written = with_view(github);
    assert_harmless(&written);
    let findings = with_view(|view| view.report.findings.len());
    assert_eq!(written.lines().count(), findings);
    for line in written.lines() {
        let (command, rest) = line[2..].split_once(' ').unwrap();
        assert!(["error", "warning", "notice"].contains(&command), "{line}");
        let (properties, message) = rest.split_once("::").unwrap();
        for property in properties.split(',') {
            let (name, value) = property.split_once('=').unwrap();
            assert!(!value.contains(':'), "{name}={value}");
        }
        assert!(message.contains("%0Ahelp: "), "{message}");
        assert!(!message.contains("%0Ag"), "{message}");
    }
    let place = "file=dir with space/we#b%25?\u{fc}.yaml,line=20,endLine=20,col=3,endColumn=18::";
    assert!(written.contains(place), "{written}");
}

#[test]
fn the_report_of_gitlab_has_unique_fingerprints_and_relative_paths() {
    let issues = with_view(gitlab);
    let fingerprints: BTreeSet<&str> = issues.iter().map(|one| &*one.fingerprint).collect();
    assert_eq!(fingerprints.len(), issues.len());
    let crossed = issues
        .iter()
        .find(|one| one.check_name == "HPA101 min-gt-max")
        .unwrap();
    assert_eq!(
        serde_json::to_value(crossed).unwrap(),
        value!({
            "description": crossed.description,
            "check_name": "HPA101 min-gt-max",
            "fingerprint": crossed.fingerprint,
            "severity": "major",
            "location": {"path": "dir with space/we#b%?\u{fc}.yaml", "lines": {"begin": 20}},
        })
    );
    for issue in &issues {
        assert_harmless(&issue.description);
        assert!(!issue.description.contains('\n'));
    }
}

#[test]
fn junit_counts_its_cases_and_keeps_what_was_accepted() {
    let written = with_view(junit);
    assert_harmless(&written);
    let document = roxmltree::Document::parse(&written).unwrap();
    let all = document.root_element();
    assert_eq!(all.tag_name().name(), "testsuites");
    let number = |node: roxmltree::Node<'_, '_>, name: &str| -> usize {
        node.attribute(name).unwrap().parse().unwrap()
    };
    let count = |node: roxmltree::Node<'_, '_>, name: &str| {
        let inner = node.descendants();
        inner.filter(|inner| inner.has_tag_name(name)).count()
    };
    let mut tests = 0;
    for suite in all.children().filter(roxmltree::Node::is_element) {
        assert_eq!(number(suite, "tests"), count(suite, "testcase"));
        assert_eq!(number(suite, "failures"), count(suite, "failure"));
        assert_eq!(number(suite, "skipped"), count(suite, "skipped"));
        assert_eq!(number(suite, "errors"), 0);
        tests += number(suite, "tests");
    }
    assert_eq!(number(all, "tests"), tests);
    assert_eq!(number(all, "failures"), count(all, "failure"));
    let accepted = all
        .descendants()
        .filter_map(|node| node.attribute("message"))
        .any(|message| message.starts_with("suppressed by comment: a\"b'c<d>&e]]>f%0Ag"));
    assert!(accepted, "{written}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// A strict parser reads the XML, and every finding is in its place, whatever the texts.
    #[test]
    fn no_text_breaks_a_format(evil in markup()) {
        let (input, report) = hostile(&evil);
        let view = view(&input, &report);
        let findings = report.findings.len();
        for (written, element, expected) in [
            (junit(&view), "testcase", findings + report.suppressed.len()),
            (checkstyle(&view), "error", findings),
        ] {
            assert_harmless(&written);
            let document = roxmltree::Document::parse(&written).unwrap();
            let found = document.descendants().filter(|node| node.has_tag_name(element));
            prop_assert_eq!(found.count(), expected, "{}", written);
        }
        for written in [concise(&view), github(&view)] {
            assert_harmless(&written);
            prop_assert_eq!(written.lines().count(), findings, "{}", written);
        }
        assert_harmless(&text(&view));
    }
}

#[test]
fn a_clean_run_is_a_case_that_passed() {
    let (input, report) = (LintInput::default(), Report::default());
    let written = junit(&view(&input, &report));
    let document = roxmltree::Document::parse(&written).unwrap();
    assert_eq!(document.root_element().attribute("failures"), Some("0"));
    assert_eq!(document.root_element().attribute("tests"), Some("1"));
    let written = checkstyle(&view(&input, &report));
    let document = roxmltree::Document::parse(&written).unwrap();
    assert!(document.root_element().first_element_child().is_none());
    assert_eq!(concise(&view(&input, &report)), "");
    assert_eq!(text(&view(&input, &report)), "0 HPAs: nothing found\n");
}

#[test]
fn checkstyle_has_every_finding_in_its_file() {
    let written = with_view(checkstyle);
    assert_harmless(&written);
    let document = roxmltree::Document::parse(&written).unwrap();
    let errors: Vec<_> = document
        .descendants()
        .filter(|node| node.has_tag_name("error"))
        .collect();
    assert_eq!(errors.len(), with_view(|view| view.report.findings.len()));
    let crossed = errors
        .iter()
        .find(|node| node.attribute("source") == Some("kubectl-hpa.HPA101.min-gt-max"))
        .unwrap();
    assert_eq!(crossed.attribute("line"), Some("20"));
    assert_eq!(crossed.attribute("severity"), Some("error"));
    let file = crossed.parent_element().unwrap();
    assert_eq!(
        file.attribute("name"),
        Some("./dir with space/we#b%?\u{fc}.yaml")
    );
}

#[test]
fn concise_has_one_line_for_each_finding() {
    let written = with_view(concise);
    assert_harmless(&written);
    let findings = with_view(|view| view.report.findings.len());
    assert_eq!(written.lines().count(), findings);
    assert!(written.contains(
        "./dir with space/we#b%?\u{fc}.yaml:20:3: error[HPA101 min-gt-max] minReplicas 12 is greater than \
         maxReplicas 10, so the API server rejects this HPA\n"
    ));
}

#[test]
fn text_shows_the_lines_and_nothing_that_steers_the_terminal() {
    let written = with_view(text);
    assert_harmless(&written);
    let lines = "
19 |   minReplicas: 12 # größer \u{fffd}
   |   --------------- ";
    assert!(written.contains(lines), "{written}");
    assert!(
        written.contains("20 |   maxReplicas: 10\n   |   ^^^^^^^^^^^^^^^\n"),
        "{written}"
    );
    assert!(
        written.contains(
            "--> hpa/a\"b'c<d>&e]]>f%0Ag::error::hi j{0}[k](l) in namespace cluster: spec"
        ),
        "{written}"
    );
    let last = written.lines().last().unwrap();
    assert!(last.starts_with("3 HPAs: "), "{last}");
    assert!(last.contains("; 1 suppressed; "), "{last}");
}

#[test]
fn quiet_text_has_findings_only_and_statistics_count_them() {
    let (input, report) = hostile(HOSTILE);
    let quiet = text(&LintView {
        is_quiet: true,
        ..view(&input, &report)
    });
    assert!(
        !quiet.contains("HPAs: ") && !quiet.contains("not checked"),
        "{quiet}"
    );
    let counted = text(&LintView {
        has_statistics: true,
        ..view(&input, &report)
    });
    assert!(
        counted.contains("2  warning  HPA401  target-missing\n"),
        "{counted}"
    );
    assert!(!counted.contains("-->"), "{counted}");
}

#[test]
fn lines_that_end_as_on_windows_are_shown_as_all_others() {
    let manifest = "apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {name: web}
spec:
  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}
  minReplicas: 12
  maxReplicas: 10";
    let version = version(36);
    let settings = LintSettings::new(Given::given(version));
    let displayed = |manifest: &str| {
        let mut input = LintInput::default();
        input.add_text("web.yaml", manifest, true);
        let report = run(&input, &settings);
        text(&view(&input, &report))
    };
    let expected = displayed(manifest);
    assert!(expected.contains("minReplicas: 12\n"), "{expected}");
    assert_eq!(displayed(&manifest.replace('\n', "\r\n")), expected);
}

/// As `kubectl get hpa -A -o json | jq -c` prints it.
#[test]
fn findings_of_a_list_on_one_line_are_shown_without_the_rest_of_the_list() {
    let hpa = |index: usize| {
        value!({
            "apiVersion": "autoscaling/v2",
            "kind": "HorizontalPodAutoscaler",
            "metadata": {"name": format!("größe-{index}")},
            "spec": {
                "scaleTargetRef": {"kind": "Deployment", "name": format!("web-{index}")},
                "minReplicas": 50,
                "maxReplicas": 10,
            },
        })
    };
    let items: Vec<Value> = (0..300).map(hpa).collect();
    let list = value!({"apiVersion": "v1", "kind": "List", "items": items}).to_string();
    let mut input = LintInput::default();
    input.add_text("all.json", &list, true);
    let version = version(36);
    let mut settings = LintSettings::new(Given::given(version));
    settings.enabled = ["HPA101", "HPA402"].into();
    let report = run(&input, &settings);
    assert!(
        report
            .findings
            .iter()
            .any(|one| !one.finding.fix.is_empty())
    );
    let written = text(&view(&input, &report));
    let last = list[..list.rfind("\"maxReplicas").unwrap()].chars().count() + 1;
    assert!(
        written.contains(&format!(" --> all.json:1:{last}\n")),
        "{written}"
    );
    let of_last = &written[written.rfind(&format!("all.json:1:{last}\n")).unwrap()..];
    assert!(
        of_last
            .lines()
            .nth(2)
            .is_some_and(|line| line.contains("\"maxReplicas\":10")),
        "{of_last}"
    );
    assert!(
        of_last
            .lines()
            .nth(3)
            .is_some_and(|line| line.contains("^^^")),
        "{of_last}"
    );
    let longest = written.lines().map(str::len).max();
    assert!(longest.is_some_and(|longest| longest < 400), "{longest:?}");
    assert!(!written.contains("--fix writes"), "{written}");
}

#[test]
fn a_fix_is_shown_as_the_lines_that_change() {
    let mut input = LintInput::default();
    let manifest = "apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {name: web}
spec:
  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}
  maxReplicas: 10
  metrics:
    - type: Resource
      resource:
        name: cpu
        # as before
        target: {type: AverageValue, averageUtilization: 60}
";
    input.add_text("web.yaml", manifest, true);
    let version = version(36);
    let mut settings = LintSettings::new(Given::given(version));
    settings.enabled = ["HPA007"].into();
    let report = run(&input, &settings);
    let view = view(&input, &report);
    let expected = "        target: {type: Utilization, averageUtilization: 60}\n";

    let written = text(&view);
    let patch = format!(
        "help: --fix writes\n   |\n12 -         target: {{type: AverageValue, averageUtilization: 60}}\n12 + {expected}   |\n"
    );
    assert!(written.contains(&patch), "{written}");
    assert!(
        written.ends_with("1 HPA: 1 warning; 1 fixable (--fix)\n"),
        "{written}"
    );

    let edit = &serde_json::to_value(json(&view)).unwrap()["findings"][0]["fix"][0];
    assert_eq!(*edit, value!({"line": 12, "endLine": 13, "text": expected}));

    let written = sarif_value(&view);
    let schema = Schema::parse(include_str!("sarif-2.1.0.json"));
    assert_eq!(schema.errors(&written), Vec::<String>::new());
    let change = &written["runs"][0]["results"][0]["fixes"][0]["artifactChanges"][0];
    assert_eq!(change["artifactLocation"]["uri"], "web.yaml");
    assert_eq!(
        change["replacements"][0],
        value!({
            "deletedRegion": {"startLine": 12, "startColumn": 1, "endLine": 13, "endColumn": 1},
            "insertedContent": {"text": expected},
        })
    );
}
