//! Objects as given, before they are interpreted.

use std::{fmt, sync::Arc};

use hpa_objects::recording::group_of;
use kubectl_hpa_yaml::{Comment, YamlNode, YamlText};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::FileId;

/// An object.
// Its identity, as printed.
#[derive(
    Clone, Debug, Default, Deserialize, Eq, JsonSchema, Ord, PartialEq, PartialOrd, Serialize,
)]
#[serde(rename = "LintObject")]
pub struct ObjectRef {
    /// Its kind.
    pub kind: String,
    /// Its namespace; empty: not set in the manifest.
    pub namespace: String,
    /// Its name; empty: generated, or missing.
    pub name: String,
    /// Its position.
    #[serde(skip)]
    pub origin: Option<ObjectOrigin>,
    /// The kubeconfig context of its cluster; missing: the run covers one cluster, or files.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub context: Option<String>,
}

impl fmt::Display for ObjectRef {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}/{}", self.kind, self.name)
    }
}

/// The position of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ObjectOrigin {
    /// The file.
    pub file: FileId,
    /// Document of the file, counted from 1.
    pub document: u32,
    /// The object's first byte.
    pub start: u32,
}

/// An object of a file or of a cluster.
#[derive(Clone, Debug, PartialEq)]
pub struct Object {
    /// Its position. None: it is from a cluster.
    pub origin: Option<ObjectOrigin>,
    /// `apiVersion`.
    pub api_version: YamlText,
    /// `kind`.
    pub kind: YamlText,
    /// The whole object.
    pub node: YamlNode,
    /// Comments of its document, with positions; shared by all objects of a list.
    pub comments: Arc<[Comment]>,
    /// Whether it is linted, and not only referenced by others.
    pub is_linted: bool,
}

impl Object {
    /// API group; empty: core.
    pub fn group(&self) -> &str {
        group_of(&self.api_version)
    }

    /// `metadata.namespace`. Empty: not set in the manifest.
    pub fn namespace(&self) -> &str {
        self.text("metadata.namespace")
    }

    /// `metadata.name`. Empty: generated, or missing.
    pub fn name(&self) -> &str {
        self.text("metadata.name")
    }

    /// The string at a path. Empty if absent.
    pub fn text(&self, path: &str) -> &str {
        self.node.at(path).and_then(YamlNode::as_str).unwrap_or("")
    }

    /// Its identity.
    pub fn reference(&self) -> ObjectRef {
        ObjectRef {
            kind: self.kind.to_string(),
            namespace: self.namespace().to_owned(),
            name: self.name().to_owned(),
            origin: self.origin,
            context: None,
        }
    }
}

/// Whether two namespaces may be the same. A manifest without a namespace is applied to the other's namespace.
pub fn same_namespace(one: &str, other: &str) -> bool {
    one == other || one.is_empty() || other.is_empty()
}
