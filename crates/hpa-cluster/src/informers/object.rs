//! Watched objects, decoded directly to the few fields that are kept.

use std::{borrow::Cow, fmt::Debug, sync::Arc};

use hpa_engine::model::Labels;
use hpa_objects::recording::{
    CoreEvent, HpaEvent,
    wire::{self, Pod, PodSpec, PodStatus, ResourceQuota, ResourceQuotaSpec, ResourceQuotaStatus},
};
use kube::api::{ApiResource, DynamicObject, ObjectMeta, Resource};
use serde::{
    Deserialize, Deserializer,
    de::{DeserializeOwned, IgnoredAny},
};
use serde_json::Value;

use crate::{state::Name, written_hpa::WrittenHpa};

/// The kept part of an object.
#[derive(Clone, Debug)]
pub(super) enum Kept {
    /// An HPA.
    Hpa(Box<WrittenHpa>),
    /// A pod.
    Pod(Arc<Pod>),
    /// An Event; none: it is not about an HPA.
    Event(Option<Box<HpaEvent>>),
    /// A quota.
    Quota(Box<ResourceQuota>),
    /// An object that its receiver reduces further.
    Object(Box<Value>),
}

/// An object of a kind with the known shape `W`, in the form that kube's watcher requires.
#[derive(Clone, Debug)]
pub(super) struct WatchedObject<W> {
    /// Only name, namespace and `resourceVersion`.
    meta: ObjectMeta,
    /// The kept part.
    object: W,
}

impl<W: WatchedShape> WatchedObject<W> {
    /// Namespace and name.
    pub(super) fn name(&self) -> Name {
        let text = |text: &Option<String>| text.clone().unwrap_or_default();
        (text(&self.meta.namespace), text(&self.meta.name))
    }

    /// Returns the kept part.
    pub(super) fn into_kept(self) -> Kept {
        self.object.into_kept()
    }
}

/// How objects of a kind are decoded.
pub(super) trait WatchedShape: DeserializeOwned + Clone + Debug + Send + 'static {
    /// Namespace, name and `resourceVersion`.
    fn identity(&self) -> [&str; 3];

    /// Returns the kept part of the object.
    fn into_kept(self) -> Kept;
}

impl<'de, W: WatchedShape> Deserialize<'de> for WatchedObject<W> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let object = W::deserialize(deserializer)?;
        let [namespace, name, resource_version] =
            object.identity().map(|text| Some(text.to_owned()));
        Ok(Self {
            meta: ObjectMeta {
                namespace,
                name,
                resource_version,
                ..ObjectMeta::default()
            },
            object,
        })
    }
}

impl<W> Resource for WatchedObject<W> {
    type DynamicType = ApiResource;
    type Scope = <DynamicObject as Resource>::Scope;

    fn kind(kind: &ApiResource) -> Cow<'_, str> {
        Cow::Borrowed(&kind.kind)
    }

    fn group(kind: &ApiResource) -> Cow<'_, str> {
        Cow::Borrowed(&kind.group)
    }

    fn version(kind: &ApiResource) -> Cow<'_, str> {
        Cow::Borrowed(&kind.version)
    }

    fn api_version(kind: &ApiResource) -> Cow<'_, str> {
        Cow::Borrowed(&kind.api_version)
    }

    fn plural(kind: &ApiResource) -> Cow<'_, str> {
        Cow::Borrowed(&kind.plural)
    }

    fn meta(&self) -> &ObjectMeta {
        &self.meta
    }

    fn meta_mut(&mut self) -> &mut ObjectMeta {
        &mut self.meta
    }
}

impl WatchedShape for WrittenHpa {
    fn identity(&self) -> [&str; 3] {
        let metadata = &self.hpa.metadata;
        let namespace = metadata.namespace.as_deref().unwrap_or_default();
        [namespace, &metadata.name, &self.resource_version]
    }

    fn into_kept(self) -> Kept {
        Kept::Hpa(Box::new(self))
    }
}

/// A pod.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct PodShape {
    metadata: WatchedMetadata,
    #[serde(default)]
    spec: Arc<PodSpec>,
    #[serde(default)]
    status: PodStatus,
}

impl WatchedShape for PodShape {
    fn identity(&self) -> [&str; 3] {
        self.metadata.identity()
    }

    fn into_kept(mut self) -> Kept {
        self.status.drop_unread_conditions();
        Kept::Pod(Arc::new(Pod {
            metadata: self.metadata.rest,
            spec: self.spec,
            status: self.status,
        }))
    }
}

/// A quota.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct QuotaShape {
    metadata: WatchedMetadata,
    #[serde(default)]
    spec: ResourceQuotaSpec,
    #[serde(default)]
    status: ResourceQuotaStatus,
}

impl WatchedShape for QuotaShape {
    fn identity(&self) -> [&str; 3] {
        self.metadata.identity()
    }

    fn into_kept(self) -> Kept {
        let mut metadata = self.metadata.rest;
        metadata.labels = Labels::default();
        Kept::Quota(Box::new(ResourceQuota {
            metadata,
            spec: self.spec,
            status: self.status,
        }))
    }
}

/// An event.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct EventShape {
    metadata: WatchedMetadata,
    #[serde(flatten)]
    event: CoreEvent,
}

impl WatchedShape for EventShape {
    fn identity(&self) -> [&str; 3] {
        self.metadata.identity()
    }

    fn into_kept(self) -> Kept {
        Kept::Event(self.event.on_hpa().map(Box::new))
    }
}

impl WatchedShape for Value {
    fn identity(&self) -> [&str; 3] {
        [
            "/metadata/namespace",
            "/metadata/name",
            "/metadata/resourceVersion",
        ]
        .map(|pointer| {
            let text = self.pointer(pointer).and_then(Self::as_str);
            text.unwrap_or_default()
        })
    }

    fn into_kept(self) -> Kept {
        Kept::Object(Box::new(self))
    }
}

#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct WatchedMetadata {
    #[serde(default)]
    resource_version: String,
    /// The largest part of many objects; never kept.
    #[serde(default, rename = "managedFields")]
    _managed_fields: IgnoredAny,
    #[serde(flatten)]
    rest: wire::ObjectMeta,
}

impl WatchedMetadata {
    fn identity(&self) -> [&str; 3] {
        let namespace = self.rest.namespace.as_deref().unwrap_or_default();
        [namespace, &self.rest.name, &self.resource_version]
    }
}
