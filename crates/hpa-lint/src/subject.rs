//! HPAs that are linted.

use std::sync::Arc;

use hpa_analysis::Assessment;
use hpa_engine::model;
use hpa_engine::model::KnownKind;
use hpa_objects::{
    manifest::SupportedSpec,
    recording::{group_of, wire},
};

use super::{HpaInContext, KeptObject, Manifest, ObjectOrigin, ObjectRef, Sources};

/// An HPA that can be decoded. Its spec is decoded again for its rules: those of many thousands take more memory than
/// their manifests.
#[derive(Clone, Debug)]
pub struct KeptHpa {
    /// Its manifest.
    pub manifest: Arc<KeptObject>,
    /// Its assessment in a cluster.
    pub live: Option<Arc<Assessment>>,
    /// The HPA of the same name in the cluster, if manifests are compared with a cluster.
    pub stored: Option<Arc<Assessment>>,
    /// Its history from a recording.
    pub history: Option<Arc<super::History>>,
    /// This HPA and those of the same name in the clusters of other contexts, if this is the first of them. Empty:
    /// there is no other.
    pub in_contexts: Vec<HpaInContext>,
}

/// An HPA as its rules see it.
#[derive(Clone, Debug)]
pub struct HpaSubject {
    /// The HPA.
    pub hpa: KeptHpa,
    /// Its decoded manifest.
    pub manifest: Arc<Manifest>,
    /// The spec as written, in the shape of `autoscaling/v2`, without defaults.
    pub written: Arc<wire::HpaSpec>,
    /// The spec with the API server's defaults, in the engine's types.
    pub spec: model::HpaSpec,
}

impl KeptHpa {
    /// The HPA of a manifest alone, with what a cluster or a recording says of it still unknown.
    pub(super) fn of_manifest(manifest: Arc<KeptObject>) -> Self {
        Self {
            manifest,
            live: None,
            stored: None,
            history: None,
            in_contexts: Vec::new(),
        }
    }

    /// `metadata.namespace`. Empty: not set in the manifest.
    pub fn namespace(&self) -> &str {
        &self.manifest.object.namespace
    }

    /// `metadata.name`.
    pub fn name(&self) -> &str {
        &self.manifest.object.name
    }

    /// Its spec as written, and with the API server's defaults in the engine's types.
    pub fn spec(&self, sources: &Sources) -> Option<SupportedSpec> {
        self.manifest.decoded(sources).1
    }

    /// The HPA for its rules, of its decoded manifest.
    pub(super) fn subject(&self, manifest: Arc<Manifest>, spec: SupportedSpec) -> HpaSubject {
        let (written, spec) = spec;
        HpaSubject {
            hpa: self.clone(),
            manifest,
            written,
            spec,
        }
    }
}

impl HpaSubject {
    /// Its identity.
    pub fn object(&self) -> &ObjectRef {
        &self.manifest.object
    }

    /// Group of the scale target. Empty: core.
    pub fn target_group(&self) -> &str {
        group_of(
            self.spec
                .scale_target
                .api_version
                .as_deref()
                .unwrap_or_default(),
        )
    }

    /// What is known of the kind of its target.
    pub fn target_kind(&self) -> &'static KnownKind {
        KnownKind::in_group(self.target_group(), &self.spec.scale_target.kind)
    }

    /// Whether a field is written in the manifest, and not a default.
    pub fn is_written(&self, path: &str) -> bool {
        self.manifest.at(path).is_some()
    }

    /// Its position.
    pub fn origin(&self) -> Option<ObjectOrigin> {
        self.manifest.object.origin
    }
}
