//! Everything that a run looks at.

use std::sync::Arc;

use jiff::Timestamp;

use super::{
    HpaSubject, Live, Manifest, Object, ObjectRef, Origin, ScaledObjectSubject, Sources,
    same_namespace, world::World,
};
use crate::{
    manifest,
    recording::{InvalidField, Snapshot},
    yaml::{Node, Span, SyntaxError, parse},
};

/// Everything that a run looks at.
#[derive(Clone, Debug, Default)]
pub struct Input {
    /// The texts of the files.
    pub sources: Sources,
    /// Manifests of HPAs, readable or not.
    pub manifests: Vec<Arc<Manifest>>,
    /// HPAs.
    pub hpas: Vec<HpaSubject>,
    /// ScaledObjects.
    pub scaled_objects: Vec<ScaledObjectSubject>,
    /// Documents that cannot be read at all, and HPAs that cannot be read as one.
    pub undecodable: Vec<Undecodable>,
    /// All objects that are known.
    pub world: World,
}

/// A document that cannot be read.
#[derive(Clone, Debug)]
pub struct Undecodable {
    /// What it is called, as far as known.
    pub object: ObjectRef,
    /// Where it stands.
    pub origin: Origin,
    /// Where the mistake is.
    pub span: Span,
    /// What is wrong.
    pub problem: String,
}

impl Input {
    /// Adds the objects of a text. Those of `--with` are not linted themselves.
    pub fn add_text(&mut self, name: &str, text: &str, is_linted: bool) {
        let file = self.sources.add(name, text);
        for (index, document) in parse(text).into_iter().enumerate() {
            let number = u32::try_from(index).unwrap_or(u32::MAX).saturating_add(1);
            let origin = |start| Origin {
                file,
                document: number,
                start,
            };
            match document {
                Ok(document) => {
                    let comments: Arc<[_]> = document.comments.into();
                    unpack(document.root, ("", ""), &mut |node, api_version, kind| {
                        self.add(Object {
                            origin: Some(origin(node.span.start)),
                            api_version,
                            kind,
                            node,
                            comments: Arc::clone(&comments),
                            is_linted,
                        });
                    });
                }
                Err(SyntaxError { span, problem, .. }) => self.undecodable.push(Undecodable {
                    object: ObjectRef::default(),
                    origin: origin(span.start),
                    span,
                    problem,
                }),
            }
        }
    }

    /// Adds the objects of a text that a cluster answered at some moment: snapshots, or what
    /// `kubectl get hpa,deploy,pods,podmetrics -o yaml` prints. `now` is the moment if the objects have no times.
    pub fn add_observed(
        &mut self,
        name: &str,
        text: &str,
        now: Timestamp,
    ) -> Result<(), manifest::Error> {
        self.add_text(name, text, true);
        self.world.set_live();
        for snapshot in manifest::read(text.as_bytes(), name, now)? {
            self.add_snapshot(&snapshot)
                .map_err(|field| manifest::Error::Document {
                    file: name.to_owned(),
                    document: 1,
                    problem: field.to_string(),
                })?;
        }
        Ok(())
    }

    /// Adds what a cluster says of an HPA: to the manifest of that name, or as an HPA of its own.
    pub fn add_snapshot(&mut self, snapshot: &Snapshot) -> Result<(), InvalidField> {
        let live = Box::new(Live::new(snapshot)?);
        let hpa = &live.observation.hpa;
        let is_same = |subject: &&mut HpaSubject| {
            subject.name() == hpa.name && same_namespace(subject.namespace(), &hpa.namespace)
        };
        if let Some(subject) = self.hpas.iter_mut().find(is_same) {
            subject.live = Some(live);
            return Ok(());
        }
        let value = serde_json::to_value(&snapshot.hpa).map_err(|error| InvalidField {
            path: "hpa".to_owned(),
            problem: error.to_string(),
        })?;
        self.add(Object {
            origin: None,
            api_version: "autoscaling/v2".to_owned(),
            kind: "HorizontalPodAutoscaler".to_owned(),
            node: Node::from_json(&value),
            comments: Arc::default(),
            is_linted: true,
        });
        if let Some(subject) = self.hpas.last_mut() {
            subject.live = Some(live);
        }
        Ok(())
    }

    /// Adds an object.
    pub fn add(&mut self, object: Object) {
        self.world.add(&object);
        if !object.is_linted {
            return;
        }
        match (object.group(), object.kind.as_str()) {
            ("autoscaling", "HorizontalPodAutoscaler") => self.add_hpa(object),
            ("keda.sh", "ScaledObject") => {
                let scaled_object = super::world::ScaledObject::of(&object);
                self.scaled_objects.push(ScaledObjectSubject {
                    object: object.reference(),
                    scaled_object,
                    source: object,
                });
            }
            _ => {}
        }
    }

    fn add_hpa(&mut self, object: Object) {
        let manifest = Arc::new(Manifest {
            object: object.reference(),
            source: object,
        });
        match manifest::lintable(&manifest.source.api_version, &manifest.source.node) {
            Ok(lintable) => self.hpas.push(HpaSubject {
                manifest: Arc::clone(&manifest),
                written: lintable.written,
                defaulted: lintable.defaulted,
                spec: lintable.spec,
                live: None,
                stored: None,
            }),
            Err(field) => {
                if let Some(origin) = manifest.object.origin {
                    self.undecodable.push(Undecodable {
                        object: manifest.object.clone(),
                        origin,
                        span: manifest.locate(&field.path),
                        problem: field.to_string(),
                    });
                }
            }
        }
        self.manifests.push(manifest);
    }
}

/// Hands over the object, or those in it if it is a list. Items of a typed list may leave out what the list implies.
fn unpack(node: Node, implied: (&str, &str), take: &mut impl FnMut(Node, String, String)) {
    let text = |key: &str, implied: &str| {
        let text = node.get(key).and_then(Node::as_str);
        text.unwrap_or(implied).to_owned()
    };
    let (api_version, kind) = (text("apiVersion", implied.0), text("kind", implied.1));
    match kind.strip_suffix("List") {
        Some(item_kind) if node.get("items").is_some() => {
            let implied = if item_kind.is_empty() {
                ("", "")
            } else {
                (api_version.as_str(), item_kind)
            };
            let items = node.entry("items").map(|entry| entry.node.items());
            for item in items.unwrap_or_default() {
                unpack(item.clone(), implied, take);
            }
        }
        _ => take(node, api_version, kind),
    }
}
