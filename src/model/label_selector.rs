//! Label selectors: the string form of a scale's status and the object form of a metric.

use std::{collections::BTreeMap, fmt};

use crate::model::KubeVersion;

/// A label selector as an object: `matchLabels` and `matchExpressions`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LabelSelector {
    /// `matchLabels`.
    pub match_labels: BTreeMap<String, String>,
    /// `matchExpressions`, in order.
    pub match_expressions: Vec<LabelSelectorRequirement>,
}

/// One entry of `matchExpressions`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LabelSelectorRequirement {
    /// `key`.
    pub key: String,
    /// `operator`, as written.
    pub operator: String,
    /// `values`.
    pub values: Vec<String>,
}

/// Which release's wording the error texts have; they reach conditions of the HPA.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wording {
    /// `bytes` instead of `characters`, `a valid label key` instead of `a qualified name` (1.35).
    pub says_bytes: bool,
    /// Lists of values as JSON instead of Go syntax (1.34).
    pub lists_as_json: bool,
}

impl Wording {
    /// The wording of `version`.
    pub fn of(version: KubeVersion) -> Self {
        Self {
            says_bytes: 35 <= version.minor,
            lists_as_json: 34 <= version.minor,
        }
    }
}

/// A text or object that is no label selector, in the words of `k8s.io/apimachinery`.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ParseSelectorError(pub String);

/// A parsed label selector. Upstream: `labels.Selector`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Selector {}

impl Selector {
    /// Parses the string form. Upstream: `labels.Parse`.
    pub fn parse(_text: &str, _wording: Wording) -> Result<Self, ParseSelectorError> {
        Ok(Self {})
    }

    /// Whether `labels` meet all requirements.
    pub fn matches(&self, _labels: &BTreeMap<String, String>) -> bool {
        true
    }

    /// Whether it has no requirements and so matches everything.
    pub fn is_empty(&self) -> bool {
        true
    }
}

impl fmt::Display for Selector {
    fn fmt(&self, _formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        Ok(())
    }
}

impl LabelSelector {
    /// Converts to requirements. Upstream: `metav1.LabelSelectorAsSelector`.
    pub fn to_selector(&self, _wording: Wording) -> Result<Selector, ParseSelectorError> {
        Ok(Selector {})
    }

    /// The object as Go's `%+v` prints a pointer to it: `&LabelSelector{MatchLabels:map[string]string{k: v,},…}`.
    pub fn to_go_string(&self) -> String {
        String::new()
    }
}
