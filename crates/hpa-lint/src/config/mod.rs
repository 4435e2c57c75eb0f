//! The configuration file `.kubectl-hpa.yaml`.

mod decode;
mod effect;
mod paths;
mod schema;
mod threshold;

use std::collections::BTreeMap;

use kubectl_hpa_yaml::Span;

use super::{LintSettings, RuleSelection, RuleSelector, Severity, Versions};

pub use decode::decode;
pub use effect::ConfigEffect;
pub use paths::apply_paths;
pub use schema::schema;

/// The contents of a configuration file. Absent fields are None or empty.
#[derive(Clone, Debug, Default)]
pub struct Config {
    /// Which rules run.
    pub selection: RuleSelection,
    /// `kubeVersion`.
    pub kube_version: Option<Versions>,
    /// `complete`.
    pub is_complete: Option<bool>,
    /// `strict`.
    pub is_strict: Option<bool>,
    /// `failOn`.
    pub fail_on: Option<FailOn>,
    /// `baseline`: a path relative to the folder of the file.
    pub baseline: Option<String>,
    /// `rules`.
    pub rules: RuleConfigs,
    /// `paths`, in order.
    pub paths: Vec<PathConfig>,
    /// Names that no rule has, with their positions.
    pub unknown: Vec<(Span, String)>,
}

/// Severities and thresholds of rules.
#[derive(Clone, Debug, Default)]
pub struct RuleConfigs {
    /// By code.
    pub severities: BTreeMap<&'static str, Severity>,
    /// By code and name.
    pub thresholds: BTreeMap<(&'static str, &'static str), f64>,
}

/// Settings for some of the files.
#[derive(Clone, Debug, Default)]
pub struct PathConfig {
    /// Which files.
    pub files: Vec<glob::Pattern>,
    /// Rules whose findings are accepted there.
    pub ignore: Vec<RuleSelector>,
    /// The reason.
    pub reason: Option<String>,
    /// Severities and thresholds for these files.
    pub rules: RuleConfigs,
}

/// The lowest severity that makes the exit code 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FailOn {
    /// Errors only.
    Error,
    /// Warnings and errors.
    Warning,
    /// Every finding.
    Info,
    /// None.
    Never,
}

/// An error in a configuration file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfigError {
    /// Its position.
    pub span: Span,
    /// The field, such as `rules.HPA104.severity`. Empty: the whole file.
    pub path: String,
    /// What is wrong, and what to write.
    pub problem: String,
}

impl FailOn {
    /// The value in a configuration file.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Info => "info",
            Self::Never => "never",
        }
    }

    /// Whether findings of this severity make the exit code 1.
    pub fn includes(self, severity: Severity) -> bool {
        match self {
            Self::Error => Severity::Error <= severity,
            Self::Warning => Severity::Warning <= severity,
            Self::Info => Severity::Info <= severity,
            Self::Never => false,
        }
    }
}

impl Config {
    /// Applies the configuration except `paths`; [`apply_paths`] applies those when the files are known.
    pub fn apply(&self, settings: &mut LintSettings) {
        settings.enabled = self.selection.apply(&settings.enabled);
        settings.silenced.extend(self.selection.silenced());
        settings.is_complete = self.is_complete.unwrap_or(settings.is_complete);
        settings.is_strict = self.is_strict.unwrap_or(settings.is_strict);
        self.rules.apply(settings);
    }
}

impl RuleConfigs {
    fn apply(&self, settings: &mut LintSettings) {
        settings.severities.extend(&self.severities);
        settings.thresholds.extend(&self.thresholds);
    }
}
