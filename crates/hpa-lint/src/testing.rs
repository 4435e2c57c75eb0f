//! Helpers for tests of rules: the findings of one rule on a few documents.

use hpa_engine::model::{self, ControllerConfig, KubeVersion};

use super::{File, LintInput, LintSettings, Report, Rule, is_kustomization, run};

/// The start of an HPA `web` whose target is the Deployment `web`. Append lines of its spec.
pub const HPA: &str = "
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {name: web}
spec:
  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}
";

/// The same in autoscaling/v1.
pub const HPA_V1: &str = "
apiVersion: autoscaling/v1
kind: HorizontalPodAutoscaler
metadata: {name: web}
spec:
  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}
";

/// The same in autoscaling/v2beta1.
pub const HPA_V2BETA1: &str = "
apiVersion: autoscaling/v2beta1
kind: HorizontalPodAutoscaler
metadata: {name: web}
spec:
  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}
";

/// The start of a Deployment `web`, after another document. Append its spec.
pub const DEPLOYMENT: &str = "\
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
";

/// The start of a ScaledObject `web` whose target is the Deployment `web`. Append lines of its spec.
pub const SCALED_OBJECT: &str = "
apiVersion: keda.sh/v1alpha1
kind: ScaledObject
metadata: {name: web}
spec:
  scaleTargetRef: {name: web}
";

/// Runs one rule on the documents of `yaml`, for Kubernetes 1.36.
pub fn report(rule: &'static Rule, yaml: &str) -> Report {
    report_with(rule, yaml, |_| {})
}

/// Like [`report`], with other settings.
pub fn report_with(
    rule: &'static Rule,
    yaml: &str,
    change: impl FnOnce(&mut LintSettings),
) -> Report {
    let mut input = LintInput::default();
    input.add_text("test.yaml", yaml, true);
    let mut settings = settings_of(rule);
    change(&mut settings);
    run(&input, &settings)
}

fn settings_of(rule: &'static Rule) -> LintSettings {
    let version = KubeVersion {
        minor: 36,
        patch: None,
    };
    let mut settings = LintSettings::new(model::Input::given(version));
    settings.enabled = [rule.code].into();
    settings
}

/// Like [`report`], on the answers of a cluster.
///
/// # Panics
/// If they cannot be read.
pub fn report_observed(rule: &'static Rule, yaml: &str) -> Report {
    let mut input = LintInput::default();
    let now = "2026-11-02T10:00:00Z".parse().expect("it is a time");
    let added = input.add_observed("live.yaml", yaml, now);
    added.expect("it can be read");
    run(&input, &settings_of(rule))
}

/// Like [`report`], for Kubernetes 1.`minor`.
///
/// # Panics
/// If `minor` is no number.
pub fn report_at(rule: &'static Rule, minor: &str, yaml: &str) -> Report {
    report_with(rule, yaml, |settings| {
        let (minor, patch) = (minor.parse().expect("it is a number"), None);
        let version = model::Input::given(KubeVersion { minor, patch });
        settings.configs = vec![ControllerConfig::defaults(version)];
    })
}

/// Runs all rules that are on by default on files of a folder, for Kubernetes 1.36.
pub fn report_of_files(files: &[(String, String)]) -> Report {
    let file = |(name, text): &(String, String)| {
        Ok::<_, std::convert::Infallible>(File {
            name: name.clone(),
            bytes: text.clone().into_bytes(),
            is_found: true,
            is_linted: true,
            is_rendered: false,
        })
    };
    let mut input = LintInput::default();
    // A kustomization must be read before the files that it lists.
    for are_kustomizations in [true, false] {
        let alike = files
            .iter()
            .filter(|(name, _)| is_kustomization(name) == are_kustomizations);
        let Ok(()) = input.add_files(alike.map(file));
    }
    let version = KubeVersion {
        minor: 36,
        patch: None,
    };
    run(&input, &LintSettings::new(model::Input::given(version)))
}

/// Checks a rule on each row of a table, which is one case: its name and the texts that differ, with ` |` between
/// them (`\\n` in one is a line break). Of these, `yaml` makes the documents. Indented lines below are all that the
/// rule says ([`rows_of`]); the first may follow ` => ` in the row.
///
/// # Panics
/// If it says anything else.
pub fn table<const N: usize>(rule: &'static Rule, yaml: impl Fn([&str; N]) -> String, cases: &str) {
    table_of(|fields| report(rule, &yaml(fields)), cases);
}

/// Like [`table`], with other reports.
///
/// # Panics
/// If one says anything else.
pub fn table_of<const N: usize>(report_of: impl Fn([&str; N]) -> Report, cases: &str) {
    let (mut wrong, mut rows) = (String::new(), 0);
    let lines = cases.lines().filter(|line| !line.trim().is_empty());
    let mut lines = lines.peekable();
    while let Some(line) = lines.next() {
        let (row, first) = line.split_once(" => ").unzip();
        let row = row.unwrap_or(line);
        let (name, fields) = row.split_once(" |").expect("a name, and what differs");
        rows += 1;
        let fields = fields.replace("\\n", "\n");
        let fields: Vec<&str> = fields.split(" |").map(str::trim).collect();
        let fields = <[&str; N]>::try_from(fields);
        let said = rows_of(&report_of(
            fields.unwrap_or_else(|_| panic!("not {N} texts: {row}")),
        ));
        let expected = std::iter::from_fn(|| lines.next_if(|line| line.starts_with(' ')));
        let expected: Vec<&str> = first.into_iter().chain(expected).map(str::trim).collect();
        let mut left = expected.iter().copied().peekable();
        // Help and fix count only where the table has them.
        let is_said = |(text, is_detail): &(String, bool)| {
            left.next_if(|pattern| is_like(text, pattern)).is_some() || *is_detail
        };
        if !said.iter().all(is_said) || left.next().is_some() {
            let said = said.iter().map(|(text, _)| format!("  {text}\n"));
            wrong += &format!(
                "{name}: not {expected:#?} but\n{}",
                said.collect::<String>()
            );
        }
    }
    assert!(0 < rows, "the table has a case");
    assert!(wrong.is_empty(), "{wrong}");
}

/// What a report says, as in a table: each finding as `severity path: message`, with `help: …` and `fix: …` as details;
/// then each note as `note …`.
fn rows_of(report: &Report) -> Vec<(String, bool)> {
    let findings = report.findings.iter().zip(texts(report));
    let findings = findings.flat_map(|(reported, text)| {
        let finding = &reported.finding;
        let fix = if finding.fix.is_empty() {
            "fix: none".to_owned()
        } else {
            format!("fix: {:?}", finding.fix)
        };
        let details = [format!("help: {}", finding.help), fix];
        let details = details.into_iter().map(|detail| (detail, true));
        [(text, false)].into_iter().chain(details)
    });
    let notes = report.notes.iter();
    let notes = notes.map(|note| (format!("note {}", note.message), false));
    findings.chain(notes).collect()
}

/// Whether a text is a pattern, in which `…` stands for anything.
fn is_like(text: &str, pattern: &str) -> bool {
    let Some((start, rest)) = pattern.split_once('…') else {
        return text == pattern;
    };
    let Some(mut text) = text.strip_prefix(start) else {
        return false;
    };
    let mut parts: Vec<&str> = rest.split('…').collect();
    let end = parts.pop().unwrap_or_default();
    let are_there = parts.into_iter().all(|part| {
        let found = text.split_once(part);
        text = found.map_or("", |(_, after)| after);
        found.is_some()
    });
    are_there && text.ends_with(end)
}

/// `severity path: message` of each finding of one rule on the documents of `yaml`.
pub fn findings(rule: &'static Rule, yaml: &str) -> Vec<String> {
    texts(&report(rule, yaml))
}

/// `severity path: message` of each finding of a report.
pub fn texts(report: &Report) -> Vec<String> {
    report
        .findings
        .iter()
        .map(|reported| {
            let finding = &reported.finding;
            format!("{} {}: {}", finding.severity, finding.path, finding.message)
        })
        .collect()
}

/// An HPA `web` with a Deployment or StatefulSet `web` as its target. `hpa` and `workload` are further lines of their
/// `spec`, indented by two spaces.
pub fn hpa_and_workload(kind: &str, hpa: &str, workload: &str) -> String {
    format!(
        "
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {{name: web}}
spec:
  scaleTargetRef: {{apiVersion: apps/v1, kind: {kind}, name: web}}
  maxReplicas: 8
{hpa}
---
apiVersion: apps/v1
kind: {kind}
metadata: {{name: web}}
spec:
  selector: {{matchLabels: {{app: web}}}}
{workload}
"
    )
}

/// An HPA `web` of this version with one metric, in YAML's flow style.
pub fn hpa_with_metric(version: &str, metric: &str) -> String {
    format!(
        "apiVersion: autoscaling/{version}
kind: HorizontalPodAutoscaler
metadata: {{name: web}}
spec:
  scaleTargetRef: {{apiVersion: apps/v1, kind: Deployment, name: web}}
  maxReplicas: 3
  metrics:
  - {metric}
"
    )
}
