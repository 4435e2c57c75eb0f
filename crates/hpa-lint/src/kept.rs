//! Linted objects, as they are kept besides their rules.

use std::sync::Arc;

use hpa_objects::manifest::{Lintable, SupportedSpec};
use kubectl_hpa_yaml::{YamlNode, YamlText, parse_object};

use super::{
    Manifest, Object, ObjectOrigin, ObjectRef, Sources, kustomize, manifest::lintable, suppress,
};

/// An HPA or a ScaledObject, as it is kept besides its rules: a tree takes five times as much memory as its text.
#[derive(Clone, Debug)]
pub struct KeptObject {
    /// Its identity.
    pub object: Arc<ObjectRef>,
    /// Whether it can be decoded, but has a value that the engine does not support. For a ScaledObject: its HPA.
    pub is_refused: bool,
    /// Whether it lacks its target, as a patch does.
    pub(super) has_no_target: bool,
    source: KeptSource,
}

#[derive(Clone, Debug)]
enum KeptSource {
    /// The object.
    Tree(Arc<Object>),
    /// The object is parsed again when it is needed. `apiVersion`, which a list may imply, is not.
    Text(YamlText),
}

impl KeptObject {
    /// Keeps an object with its tree.
    pub(super) fn new(object: Arc<ObjectRef>, source: Arc<Object>, is_refused: bool) -> Self {
        Self {
            object,
            is_refused,
            has_no_target: kustomize::partial(&source).is_some(),
            source: KeptSource::Tree(source),
        }
    }

    /// The object, if its tree is kept, which it is for all that suppress findings.
    pub(super) fn tree(&self) -> Option<&Object> {
        match &self.source {
            KeptSource::Tree(object) => Some(object),
            KeptSource::Text(_) => None,
        }
    }

    /// Drops the tree if the same is parsed from the text again.
    pub(super) fn leave_tree(&mut self, text: &str) {
        let (KeptSource::Tree(object), Some(origin)) = (&self.source, self.object.origin) else {
            return;
        };
        if !suppress::may_suppress(object) && parsed(text, origin).as_ref() == Some(&object.node) {
            self.source = KeptSource::Text(object.api_version.clone());
        }
    }

    /// The object, parsed again if its tree is not kept.
    pub(super) fn source(&self, sources: &Sources) -> Arc<Object> {
        let api_version = match &self.source {
            KeptSource::Tree(object) => return Arc::clone(object),
            KeptSource::Text(api_version) => api_version.clone(),
        };
        let text = |origin: ObjectOrigin| &sources.get(origin.file).text;
        let origin = self.object.origin;
        let node = origin.and_then(|origin| parsed(text(origin), origin));
        Arc::new(Object {
            origin,
            api_version,
            kind: self.object.kind.as_str().into(),
            // It was there when the tree was dropped, and a text does not change.
            node: node.unwrap_or_default(),
            comments: Arc::default(),
            is_linted: true,
        })
    }

    /// The manifest of an HPA, without what is decoded from it.
    pub fn manifest(&self, sources: &Sources) -> Manifest {
        Manifest {
            object: Arc::clone(&self.object),
            source: self.source(sources),
            defaulted: None,
        }
    }

    /// The manifest of an HPA with what is decoded from it, for its rules; and its spec as written and in the engine's
    /// types, if the engine supports it.
    pub fn decoded(&self, sources: &Sources) -> (Arc<Manifest>, Option<SupportedSpec>) {
        let manifest = self.manifest(sources);
        let (defaulted, spec) = Lintable::parts(lintable(&manifest.source).0);
        let manifest = Manifest {
            defaulted,
            ..manifest
        };
        (Arc::new(manifest), spec)
    }
}

/// The tree of an object, parsed again.
pub(super) fn parsed(text: &str, origin: ObjectOrigin) -> Option<YamlNode> {
    let number = origin.document.saturating_sub(1);
    let root = parse_object(text, origin.start, number)?.root;
    if root.span.start == origin.start {
        return Some(root);
    }
    root.object_at(origin.start).cloned()
}
