//! Parses a file to objects: the work that files do not share, so it runs on all cores.

use std::sync::Arc;

use hpa_objects::recording::InvalidField;
use kubectl_hpa_yaml::{
    Comment, Comments, Document, Span, SyntaxError, YamlValue, for_each, parse_part,
};

use super::{
    FileId, KeptObject, Object, ObjectOrigin, ObjectRef, ScaledObjectSubject, Sources,
    items::{leave_item, unpack},
    kept::parsed,
    kustomize::{self, Patch},
    manifest::{MOST_INVALID, lintable},
    openshift::Parameters,
    placeholder, suppress, text_fields,
    undecodable::{Undecodable, is_about_hpas, is_helm_template, is_linted},
    world::{ObjectPart, ScaledObject, text_at},
};

/// How a file was given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FileOrigin {
    /// Whether its objects are linted, and not only referenced by others.
    pub is_linted: bool,
    /// Whether it was found in a directory and not named.
    pub is_found: bool,
    /// Its role besides being a file of objects.
    pub role: FileRole,
    /// Bytes of the files before it.
    pub before: usize,
}

/// The role of a file, by its name and by what other files say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum FileRole {
    /// It has only complete objects: it is a program's output, or there is no kustomization.
    #[default]
    Whole,
    /// It has objects, and possibly patches for a kustomization.
    Objects,
    /// It is a template of a Helm chart.
    ChartTemplate,
    /// It is a kustomization.
    Kustomization,
    /// A kustomization lists it as a patch.
    Patch,
}

impl FileRole {
    /// The role of a file that may be a chart template.
    pub(super) fn or_template(self, is_template: bool) -> Self {
        match self {
            Self::Whole | Self::Objects if is_template => Self::ChartTemplate,
            role => role,
        }
    }
}

/// The contents of a file.
#[derive(Debug, Default)]
pub(super) struct Prepared {
    /// Whether it was found in a directory and is a Helm chart template.
    pub is_found_template: bool,
    pub objects: Vec<PreparedObject>,
    /// Objects that say neither what they are nor of which API.
    pub without_kind: usize,
    pub kustomizations: Vec<Document>,
    /// Documents of a file that is a patch.
    pub patches: Vec<Patch>,
    /// Documents of other files that are patches because required fields are missing.
    pub partial: Vec<Patch>,
    pub undecodable: Vec<Undecodable>,
    pub rejected: Vec<Object>,
    pub left_out: Vec<LeftOut>,
}

/// The data of an object. Its tree is kept only if it is linted.
#[derive(Debug)]
pub(super) struct PreparedObject {
    pub part: ObjectPart,
    pub linted: Option<Linted>,
}

/// A linted object; for an HPA, with its data.
#[derive(Debug)]
pub(super) enum Linted {
    Hpa(KeptObject, Box<PreparedHpa>),
    /// With a field of the HPA that KEDA makes of it, if that cannot be decoded.
    ScaledObject(KeptObject, Option<Box<Undecodable>>),
}

/// The data of an HPA.
#[derive(Debug)]
pub(super) struct PreparedHpa {
    /// Whether it can be decoded, and the engine supports it.
    pub is_supported: bool,
    /// The fields that the API server cannot decode.
    pub invalid: Vec<InvalidField>,
}

/// A document in a directory that is not checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftOut {
    /// Its position.
    pub origin: ObjectOrigin,
    /// The reason.
    pub why: NotChecked,
}

/// Why a document in a directory is not checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotChecked {
    /// It is a Helm template.
    HelmTemplate,
    /// It is an HPA with this placeholder, which a tool replaces before it is applied.
    Placeholder(String),
    /// It is an HPA of an OpenShift Template that has no default for this parameter.
    Parameter(String),
    /// It is not YAML, and not about an HPA; with the parser's message.
    Broken(String),
}

/// Parses the objects of a text.
pub(super) fn prepare(file: FileId, text: &str, replaced: &[u32], given: FileOrigin) -> Prepared {
    let mut reader = HpaReader {
        file,
        text,
        replaced,
        given,
        prepared: Prepared {
            is_found_template: given.is_found && given.role == FileRole::ChartTemplate,
            ..Prepared::default()
        },
        unlisted: None,
    };
    let comments = if suppress::may_have_comment(text) {
        Comments::Kept
    } else {
        Comments::Left
    };
    for_each(text, comments, |document| match document {
        Ok(document) => reader.document(document),
        Err(error) => reader.broken(&error),
    });
    reader
        .prepared
        .undecodable
        .extend(reader.unlisted.map(Unlisted::summary));
    reader.prepared
}

/// Reads an object: the data for rules, and the whole object if it is linted.
pub(super) fn read(object: Object) -> PreparedObject {
    let part = ObjectPart::of(&object);
    let is_hpa = &*object.kind == "HorizontalPodAutoscaler";
    let linted = match &part {
        _ if !object.is_linted => None,
        ObjectPart::Hpa(part) => Some(hpa(object, &part.object)),
        // It has another API group.
        _ if is_hpa => {
            let reference = Arc::new(object.reference());
            Some(hpa(object, &reference))
        }
        ObjectPart::ScaledObject(scaled) => {
            let reference = Arc::new(object.reference());
            let source = Arc::new(object);
            let scaled = ScaledObject::clone(scaled);
            let subject =
                ScaledObjectSubject::of(Arc::clone(&reference), Arc::clone(&source), scaled);
            let kept = KeptObject::new(reference, source, subject.made.is_refused);
            let undecodable = Undecodable::of_scaled_object(&subject).map(Box::new);
            Some(Linted::ScaledObject(kept, undecodable))
        }
        _ => None,
    };
    PreparedObject { part, linted }
}

/// Reads an HPA.
fn hpa(object: Object, reference: &Arc<ObjectRef>) -> Linted {
    let (lintable, invalid) = lintable(&object);
    let is_supported = lintable.as_ref().is_some_and(|one| one.spec.is_some());
    let is_refused = lintable.is_some() && !is_supported;
    let manifest = KeptObject::new(Arc::clone(reference), Arc::new(object), is_refused);
    let read = PreparedHpa {
        is_supported,
        invalid,
    };
    Linted::Hpa(manifest, Box::new(read))
}

struct HpaReader<'a> {
    file: FileId,
    text: &'a str,
    replaced: &'a [u32],
    given: FileOrigin,
    prepared: Prepared,
    unlisted: Option<Unlisted>,
}

/// How many bytes an object may take as JSON, and five times the length of its text: far more than an API server stores.
const MOST_OF_OBJECT: usize = 24 << 20;

/// A text of any length may have so many objects.
const MOST_OBJECTS: usize = 50_000;

/// A longer one may have another for so many bytes, which is less than `apiVersion`, `kind` and a name take.
const BYTES_OF_OBJECT: usize = 64;

/// Bytes of the input whose trees are kept. It is more than most repositories have; of those that are left, each is
/// parsed twice again.
const KEPT_TREES: usize = 1 << 20;

/// Maximum number of documents and fields that cannot be read and are listed, of one file.
const MOST_LISTED: usize = 200;

/// Those that are not listed.
struct Unlisted {
    first: Undecodable,
    count: usize,
}

impl Unlisted {
    fn summary(self) -> Undecodable {
        let Self { first, count } = self;
        first.and_others(count)
    }
}

impl HpaReader<'_> {
    /// Lists what cannot be read, or counts it if there is much already. None: it is as it should be.
    fn list(&mut self, undecodable: impl IntoIterator<Item = Undecodable>) {
        for one in undecodable {
            if self.prepared.undecodable.len() < MOST_LISTED {
                self.prepared.undecodable.push(one);
                continue;
            }
            match &mut self.unlisted {
                Some(unlisted) => {
                    unlisted.count += 1;
                    unlisted.first.severity = unlisted.first.severity.max(one.severity);
                }
                none => {
                    *none = Some(Unlisted {
                        first: one,
                        count: 1,
                    });
                }
            }
        }
    }

    fn document(&mut self, document: Document) {
        match self.given.role {
            FileRole::Kustomization => {
                self.prepared.kustomizations.push(document);
                return;
            }
            FileRole::Patch => {
                let root = &document.root;
                let place = ObjectRef {
                    kind: text_at(root, "kind"),
                    namespace: text_at(root, "metadata.namespace"),
                    name: text_at(root, "metadata.name"),
                    origin: Some(self.origin(document.number, root.span.start)),
                    context: None,
                };
                self.prepared.patches.push(Patch::of(root, place, ""));
                return;
            }
            FileRole::Whole | FileRole::Objects | FileRole::ChartTemplate => {}
        }
        // A list may be a playbook or a patch, which hooks name with all other files.
        let is_scalar = matches!(
            document.root.value,
            YamlValue::Bool(_) | YamlValue::Number(_) | YamlValue::Text(_)
        );
        if is_scalar && self.given.is_linted && !self.given.is_found {
            let origin = self.origin(document.number, document.root.span.start);
            self.list([Undecodable::scalar(&document, origin)]);
            return;
        }
        // An empty list is shared by all.
        let comments: Arc<[Comment]> = match document.comments {
            comments if comments.is_empty() => Arc::default(),
            comments => comments.into(),
        };
        let parameters = Parameters::of(&document.root);
        let start = document.root.span.start;
        let mut objects = Vec::new();
        unpack(
            document.root,
            ("", ""),
            &mut |mut node, api_version, kind| {
                // Nothing can refer to it, and no rule is about it.
                if api_version.is_empty() && kind.is_empty() {
                    self.prepared.without_kind += 1;
                    return;
                }
                let origin = self.origin(document.number, node.span.start);
                if let Some(parameters) = &parameters {
                    parameters.fill_in(&mut node);
                } else if origin.start != start && self.is_after_kept_trees(origin) {
                    leave_item(self.text, origin, &mut node);
                }
                objects.push(Object {
                    origin: Some(origin),
                    api_version,
                    kind,
                    node,
                    comments: Arc::clone(&comments),
                    is_linted: self.given.is_linted,
                });
            },
        );
        for mut object in objects {
            if let (YamlValue::Null, Some(origin)) = (&object.node.value, object.origin) {
                object.node = parsed(self.text, origin).unwrap_or(object.node);
            }
            if let (Some(problem), Some(origin)) = (self.too_much(&object), object.origin) {
                let span = object.node.span;
                self.list([Undecodable::too_much(origin, span, &problem)]);
            } else {
                self.object(object, parameters.as_ref(), &document.repeated_keys);
            }
        }
    }

    /// Why an object is not read: it would take more memory than a text of this length may.
    fn too_much(&self, object: &Object) -> Option<String> {
        let most_objects = MOST_OBJECTS + self.text.len() / BYTES_OF_OBJECT;
        if most_objects <= self.prepared.objects.len() {
            return Some(format!(
                "there are more than {most_objects} objects in so short a text"
            ));
        }
        let most_of_object = MOST_OF_OBJECT + 5 * self.text.len();
        (most_of_object < object.node.size_as_json())
            .then(|| "an object has too many values to be read".to_owned())
    }

    fn object(
        &mut self,
        mut object: Object,
        parameters: Option<&Parameters>,
        repeated_keys: &[kubectl_hpa_yaml::RepeatedKey],
    ) {
        if self.given.role == FileRole::Objects
            && let Some(patch) = kustomize::partial(&object)
        {
            self.prepared.partial.push(patch);
            return;
        }
        let why = match parameters {
            Some(parameters) => not_filled_in(parameters, &object),
            None => self.not_checked(&object),
        };
        if let (Some(why), Some(origin)) = (why, object.origin) {
            self.prepared.left_out.push(LeftOut { origin, why });
            return;
        }
        if object.is_linted && is_linted(&object.kind) {
            self.oddities(&object, repeated_keys);
        } else if object.is_linted {
            self.list(Undecodable::misspelled_kind(&object));
        }
        self.texts(&mut object);
        let mut object = read(object);
        match &mut object.linted {
            Some(Linted::Hpa(kept, read)) => {
                self.mistakes(kept, &read.invalid);
                self.leave_tree(kept);
            }
            Some(Linted::ScaledObject(kept, undecodable)) => {
                self.list(undecodable.take().map(|one| *one));
                self.leave_tree(kept);
            }
            None => {}
        }
        self.prepared.objects.push(object);
    }

    /// Drops the tree of an object if many are before it.
    fn leave_tree(&self, kept: &mut KeptObject) {
        let origin = kept.object.origin;
        if origin.is_some_and(|origin| self.is_after_kept_trees(origin)) {
            kept.leave_tree(self.text);
        }
    }

    fn is_after_kept_trees(&self, origin: ObjectOrigin) -> bool {
        KEPT_TREES < self.given.before + origin.start as usize
    }

    /// Why an HPA is not checked: it is valid YAML, but a program still has to render the manifest.
    fn not_checked(&self, object: &Object) -> Option<NotChecked> {
        if !self.given.is_found || !is_linted(&object.kind) {
            return None;
        }
        if self.prepared.is_found_template && is_helm_template(self.slice(object.node.span)) {
            return Some(NotChecked::HelmTemplate);
        }
        let placeholder = placeholder::first(object, |span| self.slice(span))?;
        Some(NotChecked::Placeholder(placeholder))
    }

    /// Values that kubectl reads differently from how they are written.
    fn oddities(&mut self, object: &Object, repeated_keys: &[kubectl_hpa_yaml::RepeatedKey]) {
        let Some(origin) = object.origin else {
            return;
        };
        let reference = object.reference();
        // Each of them is searched for in the object.
        let repeated = repeated_keys.iter().filter_map(|key| {
            let path = object.node.path_of_key(key.again)?;
            Some(Undecodable::repeated(&reference, origin, path, key))
        });
        self.list(repeated.take(MOST_INVALID));
        let span = object.node.span;
        let replaced = self.replaced.iter();
        if let Some(byte) = replaced
            .copied()
            .find(|byte| (span.start..span.end).contains(byte))
        {
            self.list([Undecodable::not_utf8(&reference, origin, byte)]);
        }
    }

    /// Values of string fields that kubectl does not read as strings.
    fn texts(&mut self, object: &mut Object) {
        let found = text_fields::take(object, |span| self.slice(span));
        let Some(origin) = object.origin.filter(|_| object.is_linted) else {
            return;
        };
        if !found.is_empty() && !is_linted(&object.kind) {
            self.prepared.rejected.push(object.clone());
        }
        let reference = object.reference();
        let found = found.into_iter();
        let undecodable =
            found.map(|one| Undecodable::no_text(object, reference.clone(), origin, one));
        self.list(undecodable);
    }

    /// What else the API server would reject for an HPA.
    fn mistakes(&mut self, manifest: &KeptObject, invalid: &[InvalidField]) {
        let Some(origin) = manifest.object.origin else {
            return;
        };
        let manifest = manifest.manifest(&Sources::default());
        for field in invalid {
            self.list([Undecodable::field(&manifest, origin, field)]);
        }
    }

    fn broken(&mut self, error: &SyntaxError) {
        let region = self.slice(error.region);
        // After the manifests, `helm install --dry-run` prints the chart's notes.
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
        let is_template = is_helm_template(region);
        if self.given.is_found && (is_template || !is_about_hpas(region)) {
            let why = if is_template {
                NotChecked::HelmTemplate
            } else {
                NotChecked::Broken(error.problem.clone())
            };
            self.prepared.left_out.push(LeftOut { origin, why });
        } else {
            let undecodable = Undecodable::broken(error, origin, region);
            self.list([undecodable]);
        }
    }

    fn slice(&self, span: Span) -> &str {
        let text = self.text;
        text.get(span.start as usize..span.end as usize)
            .unwrap_or(text)
    }

    fn origin(&self, document: u32, start: u32) -> ObjectOrigin {
        ObjectOrigin {
            file: self.file,
            document,
            start,
        }
    }
}

/// Why an object of an OpenShift Template is not checked.
fn not_filled_in(parameters: &Parameters, object: &Object) -> Option<NotChecked> {
    let parameter = parameters
        .without_default(&object.node)
        .filter(|_| is_linted(&object.kind));
    parameter.map(NotChecked::Parameter)
}
