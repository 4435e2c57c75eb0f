//! The object form of a selector, as in a metric's spec.

use std::collections::BTreeMap;

use super::{
    ParseSelectorError, Selector, Wording,
    go_text::go_quoted,
    requirement::{Operator, Requirement},
};

/// `metav1.LabelSelector`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Deserialize, schemars::JsonSchema, serde::Serialize),
    serde(rename_all = "camelCase")
)]
pub struct LabelSelector {
    /// `matchLabels`.
    #[cfg_attr(
        feature = "serde",
        serde(
            default,
            deserialize_with = "crate::serialized::null_is_empty",
            skip_serializing_if = "BTreeMap::is_empty"
        )
    )]
    pub match_labels: BTreeMap<String, String>,
    /// `matchExpressions`, in order.
    #[cfg_attr(
        feature = "serde",
        serde(
            default,
            deserialize_with = "crate::serialized::null_is_empty",
            skip_serializing_if = "Vec::is_empty"
        )
    )]
    pub match_expressions: Vec<LabelSelectorRequirement>,
}

/// One entry of `matchExpressions`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Deserialize, schemars::JsonSchema, serde::Serialize)
)]
pub struct LabelSelectorRequirement {
    /// `key`.
    pub key: String,
    /// `operator`.
    // As written.
    pub operator: String,
    /// `values`.
    #[cfg_attr(
        feature = "serde",
        serde(
            default,
            deserialize_with = "crate::serialized::null_is_empty",
            skip_serializing_if = "Vec::is_empty"
        )
    )]
    pub values: Vec<String>,
}

impl LabelSelector {
    /// Converts to requirements. Upstream: `metav1.LabelSelectorAsSelector`.
    ///
    /// If several entries of `matchLabels` are invalid, upstream reports any one of them; this reports the first by
    /// key.
    pub fn to_selector(&self, wording: Wording) -> Result<Selector, ParseSelectorError> {
        let labels = self.match_labels.iter().map(|(key, value)| {
            Requirement::new(key, Operator::Equals, vec![value.clone()], wording)
        });
        let expressions = self
            .match_expressions
            .iter()
            .map(|expression| expression.to_requirement(wording));
        let requirements: Result<Vec<_>, _> = labels.chain(expressions).collect();
        requirements.map(Selector::new).map_err(ParseSelectorError)
    }

    /// The object as Go's `%+v` prints a pointer to it: `&LabelSelector{MatchLabels:map[string]string{k: v,},…}`.
    pub fn to_go_string(&self) -> String {
        let mut labels = String::new();
        for (key, value) in &self.match_labels {
            labels.push_str(&format!("{key}: {value},"));
        }
        let expressions = self.match_expressions.iter();
        let expressions: String = expressions
            .map(LabelSelectorRequirement::to_go_string)
            .collect();
        format!(
            "&LabelSelector{{MatchLabels:map[string]string{{{labels}}},\
             MatchExpressions:[]LabelSelectorRequirement{{{expressions}}},}}"
        )
    }
}

impl LabelSelectorRequirement {
    fn to_requirement(&self, wording: Wording) -> Result<Requirement, String> {
        let operator = match self.operator.as_str() {
            "DoesNotExist" => Operator::DoesNotExist,
            "Exists" => Operator::Exists,
            "In" => Operator::In,
            "NotIn" => Operator::NotIn,
            other => {
                let other = go_quoted(other);
                let selector = if wording.has_label_selector_wording {
                    "label selector"
                } else {
                    "pod selector"
                };
                return Err(format!("{other} is not a valid {selector} operator"));
            }
        };
        Requirement::new(&self.key, operator, self.values.clone(), wording)
    }

    fn to_go_string(&self) -> String {
        let Self {
            key,
            operator,
            values,
        } = self;
        let values = values.join(" ");
        format!("LabelSelectorRequirement{{Key:{key},Operator:{operator},Values:[{values}],}},")
    }
}
