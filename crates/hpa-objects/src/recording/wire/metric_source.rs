//! A metric of an HPA: its entry in the spec, and in the status.

use hpa_engine::model::{MetricIdentifier, ObjectReference};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Quantity;

/// One entry of `spec.metrics`.
// Only one of the sources is set, so the others take no memory.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct MetricSpec {
    /// `type`: which of the sources below is set.
    #[serde(rename = "type")]
    pub metric_type: String,
    /// `containerResource`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub container_resource: Option<Box<ContainerResourceSource>>,
    /// `external`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub external: Option<Box<MetricSource>>,
    /// `object`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub object: Option<Box<ObjectSource>>,
    /// `pods`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pods: Option<Box<MetricSource>>,
    /// `resource`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resource: Option<Box<ResourceSource>>,
}

macro_rules! metric_types {
    ($($variant:ident in $field:literal),* $(,)?) => {
        /// A type of metric. The order is that in which the API server checks their sources.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum MetricType {
            $(#[doc = concat!("`", stringify!($variant), "`.")] $variant,)*
        }

        impl MetricType {
            /// All types.
            pub const ALL: &[Self] = &[$(Self::$variant),*];

            /// Its name, as `type` has it.
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => stringify!($variant),)*
                }
            }

            /// The field that has its source.
            pub fn field(self) -> &'static str {
                match self {
                    $(Self::$variant => $field,)*
                }
            }
        }
    };
}

// Enum and list are made in one place, so that no type is missing in a list.
metric_types! {
    Object in "object",
    External in "external",
    Pods in "pods",
    Resource in "resource",
    ContainerResource in "containerResource",
}

impl MetricType {
    /// The type with this name. None for any other text.
    pub fn named(name: &str) -> Option<Self> {
        let mut all = Self::ALL.iter().copied();
        all.find(|one| one.name() == name)
    }
}

/// The source of a metric.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum TypedSource<'a> {
    /// Of type `ContainerResource`.
    ContainerResource(&'a ContainerResourceSource),
    /// Of type `External`.
    External(&'a MetricSource),
    /// Of type `Object`.
    Object(&'a ObjectSource),
    /// Of type `Pods`.
    Pods(&'a MetricSource),
    /// Of type `Resource`.
    Resource(&'a ResourceSource),
}

/// What the controller reads for a metric.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub enum MetricRead<'a> {
    /// The usages of the pods.
    Usages,
    /// A value of each pod, from the custom metrics API.
    OfPods(&'a MetricIdentifier),
    /// A value of an object, from the custom metrics API.
    OfObject(&'a ObjectReference, &'a MetricIdentifier),
    /// Series of the external metrics API.
    External(&'a MetricIdentifier),
}

impl<'a> TypedSource<'a> {
    /// What the controller reads for it.
    pub fn read(self) -> MetricRead<'a> {
        match self {
            Self::ContainerResource(_) | Self::Resource(_) => MetricRead::Usages,
            Self::External(source) => MetricRead::External(&source.metric),
            Self::Object(source) => MetricRead::OfObject(&source.described_object, &source.metric),
            Self::Pods(source) => MetricRead::OfPods(&source.metric),
        }
    }
}

impl MetricRead<'_> {
    /// Whether it is read for the pods that the target's selector matches. Without one the controller does not.
    pub fn is_of_pods(self) -> bool {
        matches!(self, Self::OfPods(_))
    }
}

impl MetricSpec {
    /// The source that `type` names. None for an unknown type, and if its source is absent.
    pub fn source(&self) -> Option<TypedSource<'_>> {
        self.source_of(MetricType::named(&self.metric_type)?)
    }

    /// The source in the field of a type, whatever `type` is.
    pub fn source_of(&self, metric_type: MetricType) -> Option<TypedSource<'_>> {
        match metric_type {
            MetricType::ContainerResource => {
                let source = self.container_resource.as_deref();
                source.map(TypedSource::ContainerResource)
            }
            MetricType::External => self.external.as_deref().map(TypedSource::External),
            MetricType::Object => self.object.as_deref().map(TypedSource::Object),
            MetricType::Pods => self.pods.as_deref().map(TypedSource::Pods),
            MetricType::Resource => self.resource.as_deref().map(TypedSource::Resource),
        }
    }

    /// The target of the source that `type` names.
    pub fn target(&self) -> Option<&MetricTarget> {
        Some(match self.source()? {
            TypedSource::ContainerResource(source) => &source.target,
            TypedSource::External(source) | TypedSource::Pods(source) => &source.target,
            TypedSource::Object(source) => &source.target,
            TypedSource::Resource(source) => &source.target,
        })
    }

    /// The target in the field of a type, whatever `type` is, for writing.
    pub fn target_mut_of(&mut self, metric_type: MetricType) -> Option<&mut MetricTarget> {
        Some(match metric_type {
            MetricType::ContainerResource => &mut self.container_resource.as_mut()?.target,
            MetricType::External => &mut self.external.as_mut()?.target,
            MetricType::Object => &mut self.object.as_mut()?.target,
            MetricType::Pods => &mut self.pods.as_mut()?.target,
            MetricType::Resource => &mut self.resource.as_mut()?.target,
        })
    }

    /// The target of the source that `type` names, for writing.
    pub fn target_mut(&mut self) -> Option<&mut MetricTarget> {
        self.target_mut_of(MetricType::named(&self.metric_type)?)
    }

    /// What the controller reads for it. None for an unknown type, and if its source is absent.
    pub fn read(&self) -> Option<MetricRead<'_>> {
        self.source().map(TypedSource::read)
    }
}

/// Source of a `Resource` metric.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ResourceSource {
    /// `name` of the resource, such as `cpu`.
    pub name: String,
    /// `target`.
    pub target: MetricTarget,
}

/// Source of a `ContainerResource` metric.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ContainerResourceSource {
    /// `name` of the resource, such as `cpu`.
    pub name: String,
    /// `container`.
    pub container: String,
    /// `target`.
    pub target: MetricTarget,
}

/// Source of a `Pods` or an `External` metric.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct MetricSource {
    /// `metric`.
    pub metric: MetricIdentifier,
    /// `target`.
    pub target: MetricTarget,
}

/// Source of an `Object` metric.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ObjectSource {
    /// `describedObject`.
    pub described_object: ObjectReference,
    /// `metric`.
    pub metric: MetricIdentifier,
    /// `target`.
    pub target: MetricTarget,
}

/// `MetricTarget`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct MetricTarget {
    /// `type`: `Utilization`, `Value` or `AverageValue`.
    #[serde(rename = "type")]
    pub target_type: String,
    /// `value`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<Quantity>,
    /// `averageValue`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub average_value: Option<Quantity>,
    /// `averageUtilization`, percent of requests.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub average_utilization: Option<i32>,
}

/// One entry of `status.currentMetrics`. A metric that failed has an empty `type` and no source.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct MetricStatus {
    /// `type`: which of the sources below is set.
    #[serde(rename = "type", default)]
    pub metric_type: String,
    /// `containerResource`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub container_resource: Option<ContainerResourceStatus>,
    /// `external`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub external: Option<MetricSourceStatus>,
    /// `object`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub object: Option<ObjectStatus>,
    /// `pods`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pods: Option<MetricSourceStatus>,
    /// `resource`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resource: Option<ResourceStatus>,
}

/// State of a `Resource` metric.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ResourceStatus {
    /// `name` of the resource.
    pub name: String,
    /// `current`.
    #[serde(default)]
    pub current: MetricValueStatus,
}

/// State of a `ContainerResource` metric.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ContainerResourceStatus {
    /// `name` of the resource.
    pub name: String,
    /// `container`.
    pub container: String,
    /// `current`.
    #[serde(default)]
    pub current: MetricValueStatus,
}

/// State of a `Pods` or an `External` metric.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct MetricSourceStatus {
    /// `metric`.
    pub metric: MetricIdentifier,
    /// `current`.
    #[serde(default)]
    pub current: MetricValueStatus,
}

/// State of an `Object` metric.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ObjectStatus {
    /// `describedObject`. Averages up to Kubernetes 1.32 have one with empty fields.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub described_object: Option<ObjectReference>,
    /// `metric`.
    pub metric: MetricIdentifier,
    /// `current`.
    #[serde(default)]
    pub current: MetricValueStatus,
}

/// `MetricValueStatus`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct MetricValueStatus {
    /// `value`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<Quantity>,
    /// `averageValue`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub average_value: Option<Quantity>,
    /// `averageUtilization`, percent of requests.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub average_utilization: Option<i32>,
}
