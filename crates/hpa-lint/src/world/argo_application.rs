//! Argo CD's Applications: which fields they ignore.

use kubectl_hpa_yaml::YamlNode;

use super::read;
use crate::{Object, ObjectRef, same_namespace};

/// An Application, or the template of an ApplicationSet, with its handling of replicas.
#[derive(Clone, Debug)]
pub struct ArgoApplication {
    /// Its identity.
    pub object: ObjectRef,
    /// Entries of `ignoreDifferences` for `spec.replicas`.
    pub ignores_replicas_of: Vec<IgnoreRule>,
    /// `RespectIgnoreDifferences=true`: the sync also ignores these fields, not only the comparison.
    pub respects_on_sync: bool,
}

/// One entry of `ignoreDifferences`. Empty fields match any value.
#[derive(Clone, Debug)]
pub struct IgnoreRule {
    /// `group`.
    group: String,
    /// `kind`.
    kind: String,
    /// `namespace`.
    namespace: String,
    /// `name`.
    name: String,
}

impl ArgoApplication {
    /// Reads an Application or ApplicationSet.
    pub fn of(object: &Object) -> Self {
        let template = object.node.at("spec.template.spec");
        let spec = template.or_else(|| object.node.get("spec"));
        let items = |path: &str| {
            let items = spec.and_then(|spec| spec.at(path)).map(YamlNode::items);
            items.unwrap_or_default()
        };
        Self {
            object: object.reference(),
            ignores_replicas_of: items("ignoreDifferences")
                .iter()
                .filter(|rule| is_about_replicas(rule))
                .map(|rule| IgnoreRule {
                    group: read::text(rule, "group"),
                    kind: read::text(rule, "kind"),
                    namespace: read::text(rule, "namespace"),
                    name: read::text(rule, "name"),
                })
                .collect(),
            respects_on_sync: items("syncPolicy.syncOptions")
                .iter()
                .any(|option| option.as_str() == Some("RespectIgnoreDifferences=true")),
        }
    }

    /// Whether it ignores the replicas of this object in its comparison.
    pub fn ignores_replicas(&self, group: &str, object: &ObjectRef) -> bool {
        let is = |rule: &str, value: &str| rule.is_empty() || rule == "*" || rule == value;
        self.ignores_replicas_of.iter().any(|rule| {
            is(&rule.group, group)
                && is(&rule.kind, &object.kind)
                && is(&rule.name, &object.name)
                && same_namespace(&rule.namespace, &object.namespace)
        })
    }
}

fn is_about_replicas(rule: &YamlNode) -> bool {
    let has = |field: &str, is_it: fn(&str) -> bool| {
        let items = rule.get(field).map(YamlNode::items).unwrap_or_default();
        items.iter().filter_map(YamlNode::as_str).any(is_it)
    };
    has("jsonPointers", |pointer| {
        matches!(pointer.trim_end_matches('/'), "/spec" | "/spec/replicas")
    }) || has("jqPathExpressions", |path| {
        matches!(
            path.trim(),
            ".spec" | ".spec.replicas" | ".spec?.replicas" | ".spec.replicas?"
        )
    }) || has("managedFieldsManagers", |manager| {
        manager == "kube-controller-manager"
    })
}
