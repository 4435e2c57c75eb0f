//! The JSON schema of the configuration file, for editors.

use std::collections::BTreeMap;

use schemars::{JsonSchema, Schema, json_schema, schema_for};

/// Configuration of `kubectl hpa lint`, in a file `.kubectl-hpa.yaml`.
#[derive(JsonSchema)]
#[schemars(rename_all = "camelCase", deny_unknown_fields)]
#[expect(dead_code, reason = "only the schema is made from it")]
struct LintConfig {
    /// The rules that run instead of the default ones: codes, names, families such as HPA3, or ALL.
    #[schemars(default)]
    select: Option<Vec<String>>,
    /// Rules that run in addition, such as opt-in rules.
    #[schemars(default)]
    extend_select: Vec<String>,
    /// Rules that do not run.
    #[schemars(default)]
    ignore: Vec<String>,
    /// Version of Kubernetes, or a range: "1.36", "1.30-1.36", "1.33+".
    #[schemars(schema_with = "version")]
    kube_version: Option<String>,
    /// Whether the given files are the complete desired state: objects that they do not define do not exist.
    #[schemars(default)]
    complete: bool,
    /// Whether minReplicas that equals maxReplicas is a warning.
    #[schemars(default)]
    strict: bool,
    /// The lowest severity that makes the exit code 1.
    #[schemars(default, schema_with = "fail_on")]
    fail_on: String,
    /// Findings that are accepted: the path of a file that --write-baseline wrote, from the folder of this file.
    #[schemars(default)]
    baseline: Option<String>,
    /// Severity and thresholds of rules, by code or name.
    #[schemars(default)]
    rules: BTreeMap<String, RuleConfig>,
    /// Settings for some of the files. All sections that match a file apply, and later ones override earlier ones.
    #[schemars(default)]
    paths: Vec<PathConfig>,
}

/// Severity and thresholds of a rule. Any further key is the name of one of its thresholds.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "only the schema is made from it")]
struct RuleConfig {
    /// Severity of its findings.
    #[schemars(default, schema_with = "severity")]
    severity: Option<String>,
    /// Numbers, or strings such as 10m, 80% or 200m.
    #[schemars(flatten)]
    thresholds: BTreeMap<String, Threshold>,
}

/// A number, or a string with a unit: 10m, 80%, 200m.
#[derive(JsonSchema)]
#[schemars(untagged)]
#[expect(dead_code, reason = "only the schema is made from it")]
enum Threshold {
    Number(f64),
    Text(String),
}

/// Settings for some of the files.
#[derive(JsonSchema)]
#[schemars(rename_all = "camelCase", deny_unknown_fields)]
#[expect(dead_code, reason = "only the schema is made from it")]
struct PathConfig {
    /// Path patterns, relative to the folder of this file. A pattern without a slash matches the file's name.
    files: Vec<String>,
    /// Rules whose findings are accepted there.
    #[schemars(default)]
    ignore: Vec<String>,
    /// The reason.
    #[schemars(default)]
    reason: Option<String>,
    /// Severity and thresholds of rules there.
    #[schemars(default)]
    rules: BTreeMap<String, RuleConfig>,
}

/// The JSON schema of the configuration file.
pub fn schema() -> Schema {
    schema_for!(LintConfig)
}

fn version(_: &mut schemars::SchemaGenerator) -> Schema {
    json_schema!({"type": ["string", "number"], "pattern": r"^v?1\.[0-9]+"})
}

fn fail_on(_: &mut schemars::SchemaGenerator) -> Schema {
    json_schema!({"enum": ["error", "warning", "info", "never"]})
}

fn severity(_: &mut schemars::SchemaGenerator) -> Schema {
    json_schema!({"enum": ["error", "warning", "info"]})
}
