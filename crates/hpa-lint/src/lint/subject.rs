//! What is linted: HPAs and ScaledObjects.

use std::{collections::BTreeMap, sync::Arc};

use super::{HpaInContext, Object, ObjectOrigin, ObjectRef, written_path::written_path};
use crate::recording::group_of;
use crate::{
    inference::Assessment,
    model,
    recording::wire,
    yaml::{Span, YamlNode},
};

/// The manifest of an HPA of any API version, as written.
#[derive(Clone, Debug)]
pub struct Manifest {
    /// What it is called.
    pub object: ObjectRef,
    /// The object.
    pub source: Object,
    /// The spec with the API server's defaults, in the shape of `autoscaling/v2`; none: it cannot be decoded. It may have
    /// values that the API server rejects and the engine does not know.
    pub defaulted: Option<Arc<wire::HpaSpec>>,
}

/// An HPA that can be read as one.
#[derive(Clone, Debug)]
pub struct HpaSubject {
    /// Its manifest.
    pub manifest: Arc<Manifest>,
    /// The spec as it is written, in the shape of `autoscaling/v2`: nothing is filled in.
    pub written: Arc<wire::HpaSpec>,
    /// The spec with the API server's defaults, as the engine has it.
    pub spec: model::HpaSpec,
    /// What a cluster says of it.
    pub live: Option<Box<Assessment>>,
    /// The HPA of the same name as the cluster has it, if manifests are compared with a cluster.
    pub stored: Option<Box<Assessment>>,
    /// What a recording shows of it.
    pub history: Option<Box<super::History>>,
    /// It and the HPAs of its name in the clusters of other contexts, if this is the first of them; empty: there is no other.
    pub in_contexts: Vec<HpaInContext>,
}

/// A ScaledObject, for which KEDA makes the HPA.
#[derive(Clone, Debug)]
pub struct ScaledObjectSubject {
    /// What it is called.
    pub object: ObjectRef,
    /// The object.
    pub source: Object,
    /// What it says.
    pub scaled_object: super::world::ScaledObject,
}

impl Manifest {
    /// Where a field is in the text, or the nearest thing around it. Paths are those of `autoscaling/v2`.
    pub fn locate(&self, path: &str) -> Span {
        self.source.node.locate(&written_path(self, path))
    }

    /// The node of a field, if it is written. Paths are those of `autoscaling/v2`.
    pub fn at(&self, path: &str) -> Option<&YamlNode> {
        self.source.node.at(&written_path(self, path))
    }

    /// Labels.
    pub fn labels(&self) -> BTreeMap<String, String> {
        super::world::text_map(self.source.node.at("metadata.labels"))
    }

    /// An annotation.
    pub fn annotation(&self, key: &str) -> Option<&str> {
        self.source
            .node
            .at("metadata.annotations")?
            .get(key)?
            .as_str()
    }

    /// Version part of `apiVersion`, such as `v2beta1`; empty: its group is not `autoscaling`.
    pub fn version(&self) -> &str {
        match self.source.api_version.rsplit_once('/') {
            Some(("autoscaling", version)) => version,
            _ => "",
        }
    }
}

impl HpaSubject {
    /// `metadata.namespace`; empty: the manifest leaves it open.
    pub fn namespace(&self) -> &str {
        &self.manifest.object.namespace
    }

    /// `metadata.name`.
    pub fn name(&self) -> &str {
        &self.manifest.object.name
    }

    /// Group of the scale target; empty: core.
    pub fn target_group(&self) -> &str {
        group_of(
            self.spec
                .scale_target
                .api_version
                .as_deref()
                .unwrap_or_default(),
        )
    }

    /// Whether a field is written, and not filled in by the API server.
    pub fn is_written(&self, path: &str) -> bool {
        self.manifest.at(path).is_some()
    }

    /// Where it is.
    pub fn origin(&self) -> Option<ObjectOrigin> {
        self.manifest.object.origin
    }
}
