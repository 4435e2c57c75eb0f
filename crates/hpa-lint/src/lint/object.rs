//! Objects as they are given, before anybody asks what they mean.

use std::{fmt, sync::Arc};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::FileId;
use crate::{
    recording::group_of,
    yaml::{Comment, YamlNode},
};

/// An object.
// What it is called, and what the output says of it.
#[derive(
    Clone, Debug, Default, Deserialize, Eq, JsonSchema, Ord, PartialEq, PartialOrd, Serialize,
)]
#[serde(rename = "LintObject")]
pub struct ObjectRef {
    /// Its kind.
    pub kind: String,
    /// Its namespace; empty: the manifest leaves it open.
    pub namespace: String,
    /// Its name; empty: it is generated, or missing.
    pub name: String,
    /// Where it is.
    #[serde(skip)]
    pub origin: Option<ObjectOrigin>,
    /// Context of the kubeconfig whose cluster has it; missing: the run looked at one cluster, or at files.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub context: Option<String>,
}

impl fmt::Display for ObjectRef {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}/{}", self.kind, self.name)
    }
}

/// Where an object is.
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
    /// Where it is; none: it is from a cluster.
    pub origin: Option<ObjectOrigin>,
    /// `apiVersion`.
    pub api_version: String,
    /// `kind`.
    pub kind: String,
    /// All of it.
    pub node: YamlNode,
    /// Comments of its document, with their places; all objects of a list share them.
    pub comments: Arc<[Comment]>,
    /// Whether it was given to be linted, and not only as something that others refer to.
    pub is_linted: bool,
}

impl Object {
    /// API group; empty: core.
    pub fn group(&self) -> &str {
        group_of(&self.api_version)
    }

    /// `metadata.namespace`; empty: the manifest leaves it open.
    pub fn namespace(&self) -> &str {
        self.text("metadata.namespace")
    }

    /// `metadata.name`; empty: it is generated, or missing.
    pub fn name(&self) -> &str {
        self.text("metadata.name")
    }

    /// The text at a path; empty: there is none.
    pub fn text(&self, path: &str) -> &str {
        self.node.at(path).and_then(YamlNode::as_str).unwrap_or("")
    }

    /// What it is called.
    pub fn reference(&self) -> ObjectRef {
        ObjectRef {
            kind: self.kind.clone(),
            namespace: self.namespace().to_owned(),
            name: self.name().to_owned(),
            origin: self.origin,
            context: None,
        }
    }
}

/// Whether two namespaces may be the same: a manifest that leaves its namespace open goes where the other is.
pub fn same_namespace(one: &str, other: &str) -> bool {
    one == other || one.is_empty() || other.is_empty()
}
