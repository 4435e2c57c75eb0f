//! From the text of a file to its objects: what can be done for each file by itself, and so on all cores.

use std::sync::Arc;

use super::{
    FileId, Manifest, Object, Origin, ScaledObjectSubject, suppress,
    undecodable::{Undecodable, is_about_hpas, is_helm_template, metadata_that_is_no_text},
    world::{Part, ScaledObject},
};
use crate::{
    manifest::{self, Lintable},
    model,
    recording::{InvalidField, wire},
    yaml::{
        Comment, Document, Node, Span, SyntaxError, Value, parse, parse_part,
        parse_without_comments,
    },
};

/// How a file was given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Given {
    /// Whether its objects are linted, and not only something that others refer to.
    pub is_linted: bool,
    /// Whether it was found in a directory, and not named.
    pub is_found: bool,
}

/// What a file has.
#[derive(Debug, Default)]
pub(super) struct Prepared {
    pub objects: Vec<PreparedObject>,
    pub undecodable: Vec<Undecodable>,
    pub left_out: Vec<LeftOut>,
}

/// What was read of an object. Its tree is kept only if it is linted.
#[derive(Debug)]
pub(super) struct PreparedObject {
    pub part: Part,
    pub linted: Option<Linted>,
}

/// An object that is linted and, of an HPA, what it says.
#[derive(Debug)]
pub(super) enum Linted {
    Hpa(Arc<Manifest>, Box<Read>),
    ScaledObject(Box<ScaledObjectSubject>),
}

/// The spec of an HPA as it is written and as the engine has it; none: the API server reads it and then refuses it. The
/// error is the field that cannot be read.
pub(super) type Read = Result<Option<(wire::HpaSpec, model::HpaSpec)>, InvalidField>;

/// A broken document of a directory that is none of the linter's business.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftOut {
    /// Where it stands.
    pub origin: Origin,
    /// Whether it is a Helm template.
    pub is_helm_template: bool,
    /// What is wrong with it.
    pub problem: String,
}

/// Reads the objects of a text.
pub(super) fn prepare(file: FileId, text: &str, replaced: &[u32], given: Given) -> Prepared {
    let mut reader = Reader {
        file,
        text,
        replaced,
        given,
        prepared: Prepared::default(),
    };
    let documents = if suppress::may_have_comment(text) {
        parse(text)
    } else {
        parse_without_comments(text)
    };
    for document in documents {
        match document {
            Ok(document) => reader.document(document),
            Err(error) => reader.broken(&error),
        }
    }
    reader.prepared
}

/// Reads an object: whatever of it a rule may ask for, and all of it if it is linted.
pub(super) fn read(object: Object) -> PreparedObject {
    let part = Part::of(&object);
    let is_hpa = object.kind == "HorizontalPodAutoscaler";
    let linted = match &part {
        _ if !object.is_linted => None,
        _ if is_hpa => Some(hpa(object)),
        Part::ScaledObject(scaled_object) => {
            Some(Linted::ScaledObject(Box::new(ScaledObjectSubject {
                object: object.reference(),
                scaled_object: ScaledObject::clone(scaled_object),
                source: object,
            })))
        }
        _ => None,
    };
    PreparedObject { part, linted }
}

/// Reads what an HPA says. One of another API group is none that any server knows, and somebody meant it.
fn hpa(object: Object) -> Linted {
    let lintable = manifest::lintable(&object.api_version, &object.node);
    let (defaulted, read) = match lintable {
        Ok(Lintable {
            written,
            defaulted,
            spec,
        }) => (Some(defaulted), Ok(spec.map(|spec| (written, spec)))),
        Err(field) => (None, Err(field)),
    };
    let manifest = Manifest {
        object: object.reference(),
        source: object,
        defaulted,
    };
    Linted::Hpa(Arc::new(manifest), Box::new(read))
}

struct Reader<'a> {
    file: FileId,
    text: &'a str,
    replaced: &'a [u32],
    given: Given,
    prepared: Prepared,
}

impl Reader<'_> {
    fn document(&mut self, document: Document) {
        let comments: Arc<[Comment]> = document.comments.into();
        let mut objects = Vec::new();
        unpack(document.root, ("", ""), &mut |node, api_version, kind| {
            objects.push(Object {
                origin: Some(self.origin(document.number, node.span.start)),
                api_version,
                kind,
                node,
                comments: Arc::clone(&comments),
                is_linted: self.given.is_linted,
            });
        });
        for object in objects {
            if object.is_linted && is_about_hpas(&object.kind) {
                self.oddities(&object, &document.repeated_keys);
            }
            let object = read(object);
            if let Some(Linted::Hpa(manifest, read)) = &object.linted {
                self.mistakes(manifest, read.as_ref().as_ref().err());
            }
            self.prepared.objects.push(object);
        }
    }

    /// What kubectl reads otherwise than it is written.
    fn oddities(&mut self, object: &Object, repeated_keys: &[crate::yaml::RepeatedKey]) {
        let Some(origin) = object.origin else {
            return;
        };
        let reference = object.reference();
        for key in repeated_keys {
            if let Some(path) = object.node.path_of_key(key.again) {
                let undecodable = Undecodable::repeated(&reference, origin, path, key);
                self.prepared.undecodable.push(undecodable);
            }
        }
        let span = object.node.span;
        let replaced = self.replaced.iter();
        if let Some(byte) = replaced
            .copied()
            .find(|byte| (span.start..span.end).contains(byte))
        {
            let undecodable = Undecodable::not_utf8(&reference, origin, byte);
            self.prepared.undecodable.push(undecodable);
        }
    }

    /// What the API server would not take for an HPA.
    fn mistakes(&mut self, manifest: &Manifest, field: Option<&InvalidField>) {
        let Some(origin) = manifest.object.origin else {
            return;
        };
        let mut fields: Vec<InvalidField> =
            metadata_that_is_no_text(&manifest.source.node).collect();
        // The decoder tells only the first of them.
        let is_told =
            |field: &&InvalidField| fields.is_empty() || !field.path.starts_with("metadata.");
        fields.extend(
            field
                .filter(is_told)
                .cloned()
                .into_iter()
                .collect::<Vec<_>>(),
        );
        for field in fields {
            let undecodable = Undecodable::field(manifest, origin, &field);
            self.prepared.undecodable.push(undecodable);
        }
    }

    fn broken(&mut self, error: &SyntaxError) {
        let region = self.slice(error.region);
        // Behind the manifests, `helm install --dry-run` prints what the chart has to say to people.
        if let Some(notes) = region.find("\nNOTES:")
            && error.region.start as usize + notes < error.span.start as usize
        {
            let end = error.region.start + u32::try_from(notes).unwrap_or_default() + 1;
            let part = Span {
                end,
                ..error.region
            };
            let before: Vec<_> = parse_part(self.text, part, error.document - 1);
            if before.iter().all(Result::is_ok) {
                for document in before.into_iter().flatten() {
                    self.document(document);
                }
                return;
            }
        }
        let region = self.slice(error.region);
        let origin = self.origin(error.document, error.span.start);
        if self.given.is_found && !is_about_hpas(region) {
            self.prepared.left_out.push(LeftOut {
                origin,
                is_helm_template: is_helm_template(region),
                problem: error.problem.clone(),
            });
        } else {
            let undecodable = Undecodable::broken(error, origin, region);
            self.prepared.undecodable.push(undecodable);
        }
    }

    fn slice(&self, span: Span) -> &str {
        let text = self.text;
        text.get(span.start as usize..span.end as usize)
            .unwrap_or(text)
    }

    fn origin(&self, document: u32, start: u32) -> Origin {
        Origin {
            file: self.file,
            document,
            start,
        }
    }
}

/// Hands over the object, or those in it if it is a list. Items of a typed list may leave out what the list implies.
fn unpack(mut node: Node, implied: (&str, &str), take: &mut impl FnMut(Node, String, String)) {
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
            for item in items(&mut node) {
                unpack(item, implied, take);
            }
        }
        _ => take(node, api_version, kind),
    }
}

fn items(list: &mut Node) -> Vec<Node> {
    let Value::Mapping(entries) = &mut list.value else {
        return Vec::new();
    };
    let items = entries.iter_mut().find(|entry| &*entry.key == "items");
    match items.map(|entry| std::mem::take(&mut entry.node.value)) {
        Some(Value::Sequence(items)) => items,
        _ => Vec::new(),
    }
}
