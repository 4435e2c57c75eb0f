//! The output of `rules -o json`: the contract for programs (docs/schema/rules.json).

use hpa_lint::{Rule, ThresholdUnit, rules};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Version of the contract. Fields may be added without a new version; none is removed or changes its meaning.
const SCHEMA_VERSION: u32 = 1;

/// What `kubectl hpa rules -o json` prints.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RulesOutput {
    /// Version of this contract.
    pub schema_version: u32,
    /// The rules, sorted by code.
    pub rules: Vec<RuleOutput>,
}

/// A rule.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RuleOutput {
    /// Such as `HPA102`.
    pub code: String,
    /// Such as `min-equals-max`.
    pub name: String,
    /// Its family, such as `bounds`.
    pub family: String,
    /// What it flags, in half a line.
    pub summary: String,
    /// Severity of its findings, unless one says otherwise.
    pub severity: String,
    /// What it needs at least: `manifest`, `related manifests`, `comparison`, `cluster` or `recording`.
    pub needs: String,
    /// Whether it runs only when it is selected.
    pub opt_in: bool,
    /// Whether `--fix` can fix at least some of its findings.
    pub fixable: bool,
    /// Codes of the rules that take precedence: it is silent if they report the same field.
    pub yields_to: Vec<String>,
    /// Its thresholds.
    pub thresholds: Vec<RuleThreshold>,
    /// The version that introduced it.
    pub since: String,
    /// Its page in Markdown.
    pub page: String,
}

/// A number that can be configured.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RuleThreshold {
    /// Its name in the configuration.
    pub name: String,
    /// Its value unless configured.
    pub default: f64,
    /// Its unit: `count`, `ratio`, `percent`, `seconds` or `milli`.
    pub unit: String,
    /// What it decides.
    pub summary: String,
}

/// The rules as JSON.
pub fn json(rules: &[&Rule]) -> RulesOutput {
    RulesOutput {
        schema_version: SCHEMA_VERSION,
        rules: rules.iter().map(|rule| one(rule)).collect(),
    }
}

fn one(rule: &Rule) -> RuleOutput {
    RuleOutput {
        code: rule.code.to_owned(),
        name: rule.name.to_owned(),
        family: rules::family(rule).to_owned(),
        summary: rule.summary.to_owned(),
        severity: rule.severity.to_string(),
        needs: rules::needs(rule.needs).to_owned(),
        opt_in: rule.is_opt_in,
        fixable: rule.is_fixable,
        yields_to: rule.yields_to.iter().map(|&code| code.to_owned()).collect(),
        thresholds: (rule.thresholds.iter())
            .map(|threshold| RuleThreshold {
                name: threshold.name.to_owned(),
                default: threshold.default,
                unit: match threshold.unit {
                    ThresholdUnit::Count => "count",
                    ThresholdUnit::Ratio => "ratio",
                    ThresholdUnit::Percent => "percent",
                    ThresholdUnit::Seconds => "seconds",
                    ThresholdUnit::Milli => "milli",
                }
                .to_owned(),
                summary: threshold.summary.to_owned(),
            })
            .collect(),
        since: rule.since.to_owned(),
        page: rules::page(rule),
    }
}
