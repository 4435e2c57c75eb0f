//! An HPA with the time and manager of its last edit and of its last status, from `managedFields`.

use std::{collections::BTreeMap, sync::Arc};

use hpa_objects::recording::{
    InvalidField,
    wire::{FieldManager, Hpa, HpaSpec, HpaStatus, ObjectMeta},
};
use jiff::Timestamp;
use serde::{Deserialize, de::IgnoredAny};

use super::hpa_resource::namespace_of;

/// An HPA as the API server has it, and when it was written. Only managers and times of `managedFields` are kept. One with
/// bounds that no API server accepts is not decoded.
#[derive(Clone, Debug, Deserialize)]
#[serde(try_from = "WrittenObject")]
pub(super) struct WrittenHpa {
    /// The HPA.
    pub(super) hpa: Arc<Hpa>,
    /// When it was written.
    pub(super) writes: HpaWrites,
    /// Its `metadata.resourceVersion`.
    pub(super) resource_version: String,
}

/// When an HPA was written, as far as known.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct HpaWrites {
    /// The manager that last wrote its spec.
    pub(super) edited_by: Option<FieldManager>,
    /// When its status was last written.
    pub(super) status: Option<Timestamp>,
}

/// When each of several HPAs was written, by namespace and name.
pub(super) struct Writes(BTreeMap<(String, String), HpaWrites>);

impl Writes {
    /// Splits into the HPAs and the times at which each was written.
    pub(super) fn apart(written: Vec<WrittenHpa>) -> (Vec<Arc<Hpa>>, Self) {
        let (hpas, writes) = written
            .into_iter()
            .map(|written| {
                let key = key(&written.hpa);
                (written.hpa, (key, written.writes))
            })
            .unzip();
        (hpas, Self(writes))
    }

    /// The times for this HPA.
    pub(super) fn of(&self, hpa: &Hpa) -> Option<&HpaWrites> {
        self.0.get(&key(hpa))
    }
}

fn key(hpa: &Hpa) -> (String, String) {
    (namespace_of(hpa).to_owned(), hpa.metadata.name.clone())
}

#[derive(Deserialize)]
struct WrittenObject {
    metadata: WrittenMetadata,
    spec: HpaSpec,
    #[serde(default)]
    status: HpaStatus,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct WrittenMetadata {
    #[serde(default)]
    managed_fields: Option<Vec<ManagedFields>>,
    #[serde(default)]
    resource_version: String,
    #[serde(flatten)]
    rest: ObjectMeta,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ManagedFields {
    #[serde(default)]
    fields_v1: Option<WrittenFields>,
    #[serde(flatten)]
    manager: FieldManager,
}

#[derive(Deserialize)]
struct WrittenFields {
    #[serde(rename = "f:spec")]
    spec: Option<IgnoredAny>,
    #[serde(rename = "f:status")]
    status: Option<IgnoredAny>,
}

impl TryFrom<WrittenObject> for WrittenHpa {
    type Error = InvalidField;

    fn try_from(object: WrittenObject) -> Result<Self, InvalidField> {
        if let Some(bound) = object.spec.impossible_bound() {
            return Err(bound.in_field("spec"));
        }
        let entries = object.metadata.managed_fields.unwrap_or_default();
        let has = |entry: &ManagedFields, part: fn(&WrittenFields) -> bool| {
            entry.fields_v1.as_ref().is_some_and(part)
        };
        let writes = HpaWrites {
            status: entries
                .iter()
                .filter(|entry| {
                    entry.manager.subresource.as_deref() == Some("status")
                        && has(entry, |fields| fields.status.is_some())
                })
                .filter_map(|entry| entry.manager.time)
                .max(),
            edited_by: entries
                .iter()
                .filter(|entry| {
                    entry.manager.subresource.is_none()
                        && entry.manager.manager != "kube-controller-manager"
                        && has(entry, |fields| fields.spec.is_some())
                })
                .map(|entry| &entry.manager)
                .max_by_key(|manager| manager.time)
                .cloned(),
        };
        Ok(Self {
            hpa: Arc::new(Hpa {
                metadata: object.metadata.rest,
                spec: object.spec,
                status: object.status,
            }),
            writes,
            resource_version: object.metadata.resource_version,
        })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn last_edit_of_the_spec_and_last_status_are_distinguished() {
        let entry = |manager: &str, subresource: Option<&str>, time: &str, field: &str| {
            json!({
                "manager": manager, "operation": "Update", "subresource": subresource,
                "time": format!("2026-11-21T{time}Z"), "fieldsType": "FieldsV1",
                "fieldsV1": {field: {"f:any": {}}},
            })
        };
        let object = json!({
            "metadata": {
                "name": "web", "namespace": "shop", "generation": 3,
                "managedFields": [
                    entry("helm", None, "01:00:00", "f:spec"),
                    entry("kubectl-edit", None, "10:41:02", "f:spec"),
                    entry("kubectl-annotate", None, "10:41:09", "f:metadata"),
                    entry("kube-controller-manager", Some("status"), "10:40:55", "f:status"),
                ],
            },
            "spec": {"scaleTargetRef": {"kind": "Deployment", "name": "web"}, "maxReplicas": 4},
        });
        let written: WrittenHpa = serde_json::from_value(object).unwrap();
        let edited_by = written.writes.edited_by.unwrap();
        assert_eq!(edited_by.manager, "kubectl-edit");
        assert_eq!(edited_by.time, "2026-11-21T10:41:02Z".parse().ok());
        assert_eq!(written.writes.status, "2026-11-21T10:40:55Z".parse().ok());
        assert_eq!(written.hpa.metadata.name, "web");
        assert_eq!(written.hpa.metadata.generation, Some(3));
    }

    #[test]
    fn without_managed_fields_nothing_is_known() {
        let object = json!({
            "metadata": {"name": "web", "managedFields": null},
            "spec": {"scaleTargetRef": {"kind": "Deployment", "name": "web"}, "maxReplicas": 4},
        });
        let written: WrittenHpa = serde_json::from_value(object).unwrap();
        assert_eq!(written.writes, HpaWrites::default());
    }
}
