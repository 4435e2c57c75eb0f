//! Reads fields that many kinds have.

use std::collections::BTreeMap;

use hpa_engine::model::{
    KubeVersion, LabelSelector, PodShare, Quantity, ResourceList, Selector,
    label_selector::{LabelSelectorRequirement, Wording},
};
use kubectl_hpa_yaml::{Number, YamlNode, YamlValue};

/// A mapping of strings, such as labels. Values that are not strings are invalid and left out.
pub fn text_map(node: Option<&YamlNode>) -> BTreeMap<String, String> {
    let entries = node.map(YamlNode::entries).unwrap_or_default();
    entries
        .iter()
        .filter_map(|entry| Some((entry.key.to_string(), entry.node.as_str()?.to_owned())))
        .collect()
}

/// A string. Empty if absent.
pub(crate) fn text(node: &YamlNode, path: &str) -> String {
    node.at(path)
        .and_then(YamlNode::as_str)
        .unwrap_or_default()
        .to_owned()
}

/// Requests or limits. Fails with the first invalid quantity.
pub(super) fn resources(node: Option<&YamlNode>) -> Result<ResourceList, String> {
    let entries = node.map(YamlNode::entries).unwrap_or_default();
    let quantities: Result<Box<[_]>, String> = entries
        .iter()
        .map(|entry| {
            let text = scalar(&entry.node);
            let quantity = Quantity::parse(&text)
                .map_err(|_| format!("{} {text:?} is not a quantity", entry.key))?;
            Ok((entry.key.to_string(), quantity))
        })
        .collect();
    // Without the room in which the list grew.
    quantities.map(ResourceList::from)
}

/// A scalar as text: quantities can be written as numbers.
pub(super) fn scalar(node: &YamlNode) -> String {
    match &node.value {
        YamlValue::Text(text) => text.to_string(),
        YamlValue::Number(Number::Integer(number)) => number.to_string(),
        YamlValue::Number(Number::Float(number)) => number.to_string(),
        _ => String::new(),
    }
}

/// A label selector in its object form.
// Read part by part: an invalid value must not turn it into a selector that selects nothing.
pub(super) fn label_selector(node: &YamlNode) -> LabelSelector {
    let expressions = node.get("matchExpressions").map(YamlNode::items);
    LabelSelector {
        match_labels: text_map(node.get("matchLabels")),
        match_expressions: expressions
            .unwrap_or_default()
            .iter()
            .map(|one| LabelSelectorRequirement {
                key: text(one, "key"),
                operator: text(one, "operator"),
                values: one
                    .get("values")
                    .map(YamlNode::items)
                    .unwrap_or_default()
                    .iter()
                    .map(scalar)
                    .collect(),
            })
            .collect(),
    }
}

/// The selector, ready for matching. None: the API server would reject it.
pub(super) fn selector(selector: &LabelSelector) -> Option<Selector> {
    selector.to_selector(Wording::of(KubeVersion::NEWEST)).ok()
}

/// Pods or percent, such as `maxSurge`.
pub(super) fn share(node: Option<&YamlNode>) -> Option<PodShare> {
    let node = node?;
    if let Some(pods) = node.as_i32() {
        return Some(PodShare::Pods(pods));
    }
    let percent = node.as_str()?.strip_suffix('%')?;
    percent.parse().ok().map(PodShare::Percent)
}
