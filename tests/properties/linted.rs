//! The findings of one rule on a few objects, for properties of rules.
#![expect(
    clippy::needless_pass_by_value,
    reason = "json! takes references, so a part built for it looks unused"
)]

use hpa_engine::model::Input as Given;
use hpa_lint::{LintInput, LintSettings, Report, rules, run};
use hpa_objects::{manifest, recording::Snapshot};
use jiff::SignedDuration;
use serde_json::{Value, json};

use hpa_testing::NOW;
use hpa_testing::version;

/// The objects to lint, and the settings.
pub(crate) struct Linted {
    pub(crate) input: LintInput,
    pub(crate) settings: LintSettings,
}

/// These objects as files, which are the whole desired state.
pub(crate) fn files(objects: &[Value]) -> Linted {
    let mut input = LintInput::default();
    input.add_text("files.yaml", &text(objects), true);
    linted(input)
}

/// These objects as they are in a cluster now.
pub(crate) fn observed(objects: &[Value]) -> Linted {
    observed_with(objects, |_| {})
}

/// The same, with more facts about each HPA.
pub(crate) fn observed_with(objects: &[Value], more: impl Fn(&mut Snapshot)) -> Linted {
    // The newest of all objects is created now, so they were read now.
    let newest = json!({"metadata": {"creationTimestamp": ago(0)}});
    let text = text(&[objects, &[object("v1", "ConfigMap", newest)]].concat());
    let mut input = LintInput::default();
    input.add_text("observed.yaml", &text, true);
    input.world.set_live();
    for mut snapshot in manifest::read(text.as_bytes(), "observed.yaml", NOW).unwrap() {
        more(&mut snapshot);
        input.add_snapshot(&snapshot).unwrap();
    }
    linted(input)
}

pub(crate) fn linted(input: LintInput) -> Linted {
    let version = version(36);
    let mut settings = LintSettings::new(Given::given(version));
    settings.is_complete = true;
    Linted { input, settings }
}

impl Linted {
    /// Sets another threshold of a rule.
    pub(crate) fn threshold(mut self, code: &str, name: &'static str, value: f64) -> Self {
        let code = rules::find(code).unwrap().code;
        self.settings.thresholds.insert((code, name), value);
        self
    }

    /// The findings of one rule alone.
    pub(crate) fn report(&self, code: &str) -> Report {
        let mut settings = self.settings.clone();
        settings.enabled = [rules::find(code).unwrap().code].into();
        run(&self.input, &settings)
    }

    /// `severity: message` of each finding of one rule; panics if the rule could not run.
    pub(crate) fn says(&self, code: &str) -> Vec<String> {
        let report = self.report(code);
        assert!(report.notes.is_empty(), "{:?}", report.notes);
        let findings = report.findings.iter().map(|one| &one.finding);
        findings
            .map(|one| format!("{}: {}", one.severity, one.message))
            .collect()
    }

    /// Whether one rule has a finding; panics if the rule could not run.
    pub(crate) fn fires(&self, code: &str) -> bool {
        !self.says(code).is_empty()
    }
}

/// An HPA `web` of the Deployment `web`, with further spec fields.
pub(crate) fn hpa(min: i32, max: i32, more: Value) -> Value {
    let mut spec = json!({
        "scaleTargetRef": {"apiVersion": "apps/v1", "kind": "Deployment", "name": "web"},
        "minReplicas": min,
        "maxReplicas": max,
    });
    merge(&mut spec, more);
    object(
        "autoscaling/v2",
        "HorizontalPodAutoscaler",
        json!({"spec": spec}),
    )
}

/// The Deployment `web` of pods with the labels `app: web`, with further fields in its spec and in the pods' spec.
pub(crate) fn deployment(replicas: i32, more: Value, pod: Value) -> Value {
    let mut spec = json!({
        "replicas": replicas,
        "selector": {"matchLabels": {"app": "web"}},
        "template": {"metadata": {"labels": {"app": "web"}}, "spec": pod},
    });
    merge(&mut spec, more);
    object(
        "apps/v1",
        "Deployment",
        json!({"spec": spec, "status": {"replicas": replicas}}),
    )
}

/// An object `web` of this kind.
pub(crate) fn object(api_version: &str, kind: &str, more: Value) -> Value {
    let mut object = json!({
        "apiVersion": api_version,
        "kind": kind,
        "metadata": {"name": "web", "namespace": "shop"},
    });
    merge(&mut object, more);
    object
}

/// A resource metric.
pub(crate) fn resource(name: &str, target: Value) -> Value {
    json!({"type": "Resource", "resource": {"name": name, "target": target}})
}

/// A target in percent of the requests.
pub(crate) fn utilization(percent: i32) -> Value {
    json!({"type": "Utilization", "averageUtilization": percent})
}

/// The time this many seconds ago.
pub(crate) fn ago(seconds: i64) -> String {
    (NOW - SignedDuration::from_secs(seconds)).to_string()
}

/// Merges the entries of one object into another, recursively.
pub(crate) fn merge(into: &mut Value, more: Value) {
    match (into, more) {
        (Value::Object(into), Value::Object(more)) => {
            for (key, value) in more {
                merge(into.entry(key).or_insert(Value::Null), value);
            }
        }
        (into, more) => *into = more,
    }
}

fn text(objects: &[Value]) -> String {
    let texts: Vec<String> = objects.iter().map(Value::to_string).collect();
    texts.join("\n---\n")
}
