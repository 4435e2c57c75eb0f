//! Alerts of Prometheus, from the `PrometheusRule` objects of its operator.

use kubectl_hpa_yaml::YamlNode;

use super::read;
use crate::{Object, ObjectRef};

/// An alert.
#[derive(Clone, Debug)]
pub struct Alert {
    /// The object that defines it.
    pub object: ObjectRef,
    /// `alert`: its name.
    pub name: String,
    /// `expr`: when it fires, in PromQL.
    pub expression: String,
}

impl Alert {
    /// The alerts of a `PrometheusRule`.
    pub fn all_of(object: &Object) -> Vec<Self> {
        let items =
            |node: Option<&YamlNode>| node.map(YamlNode::items).unwrap_or_default().to_vec();
        items(object.node.at("spec.groups"))
            .iter()
            .flat_map(|group| items(group.get("rules")))
            .filter(|rule| rule.get("alert").is_some())
            .map(|rule| Self {
                object: object.reference(),
                name: read::text(&rule, "alert"),
                expression: read::text(&rule, "expr"),
            })
            .collect()
    }
}
