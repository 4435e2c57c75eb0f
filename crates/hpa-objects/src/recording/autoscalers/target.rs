//! The scale target of an autoscaler.

use hpa_engine::model::KnownKind;
use serde::Deserialize;
use serde_json::Value;

use super::{AutoscalerKind, pointer::at};
use crate::recording::group_of;

/// The scale target of an autoscaler. KEDA omits the kind of a Deployment.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ScaleTarget {
    api_version: Option<String>,
    kind: Option<String>,
    /// Its name.
    pub name: String,
}

impl ScaleTarget {
    /// The target of an object. None if it names none.
    pub fn of(known: &AutoscalerKind, object: &Value) -> Option<Self> {
        at(object, known.target)
    }

    /// Its API group, if one is written.
    pub fn group(&self) -> Option<&str> {
        let api_version = self.api_version.as_deref();
        let api_version = api_version.filter(|api_version| !api_version.is_empty())?;
        Some(group_of(api_version))
    }

    /// Its kind.
    pub fn kind(&self) -> &str {
        let kind = self.kind.as_deref().filter(|kind| !kind.is_empty());
        kind.unwrap_or(KnownKind::DEPLOYMENT)
    }

    /// Whether it is the object with this group, kind and name. Versions do not matter. Without a group, the kind is
    /// enough.
    pub fn is(&self, group: Option<&str>, kind: &str, name: &str) -> bool {
        let own = self.group();
        self.name == name
            && self.kind() == kind
            && (own.is_none() || group.is_none() || own == group)
    }
}
