//! HPA012: documents that cannot be parsed, and HPAs that cannot be decoded.

use hpa_objects::recording::{ExpectedType, InvalidField};
use hpa_words::program::typed;
use kubectl_hpa_yaml::{Document, RepeatedKey, Span, SyntaxError, YamlNode, YamlValue};

use super::{
    Manifest, Object, ObjectOrigin, ObjectRef, ScaledObjectSubject, Severity, text_fields::NoText,
    wrong_letters,
};

/// A document that cannot be parsed, or is not read as it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Undecodable {
    /// Its identity, as far as known.
    pub object: ObjectRef,
    /// Its position.
    pub origin: ObjectOrigin,
    /// The field with the mistake. Empty: the whole document.
    pub path: String,
    /// The position of the mistake.
    pub span: Span,
    /// Severity.
    pub severity: Severity,
    /// The problem.
    pub message: String,
    /// How to fix it.
    pub help: String,
    /// Whether it is a string field with a value that kubectl does not read as a string. Rules read the string.
    pub is_no_text: bool,
    /// Whether that is no mistake in a file that Kustomize builds.
    pub is_text_to_kustomize: bool,
}

/// Kinds that are linted.
const LINTED: [&str; 2] = ["HorizontalPodAutoscaler", "ScaledObject"];

/// A name with more wrong letters is another name.
const MOST_WRONG_LETTERS: usize = 2;

impl Undecodable {
    /// A document that is not YAML.
    pub(super) fn broken(error: &SyntaxError, origin: ObjectOrigin, text: &str) -> Self {
        let number = error.document;
        let kind = kind_in(text);
        let (message, help) = if is_helm_template(text) {
            (
                format!("document {number} is a Helm template, not a manifest"),
                format!(
                    "lint what Helm renders: helm template . | {}",
                    typed("lint -f -")
                ),
            )
        } else {
            let kind = kind.map_or_else(String::new, |kind| format!(" as a {kind}"));
            let problem = &error.problem;
            (
                format!("document {number} cannot be read{kind}: {problem}"),
                "fix this document; the others were checked".to_owned(),
            )
        };
        Self {
            object: ObjectRef::default(),
            origin,
            path: String::new(),
            span: error.span,
            severity: Severity::Error,
            message,
            help,
            is_no_text: false,
            is_text_to_kustomize: false,
        }
    }

    /// It stands for `count` of them in the rest of the file, of which it is the first.
    pub(super) fn and_others(self, count: usize) -> Self {
        Self {
            object: ObjectRef::default(),
            path: String::new(),
            message: format!(
                "{count} more problems of this kind are not listed; the first: {}",
                self.message
            ),
            help: "fix those above first".to_owned(),
            is_no_text: false,
            is_text_to_kustomize: false,
            ..self
        }
    }

    /// An object that would take too much memory.
    pub(super) fn too_much(origin: ObjectOrigin, span: Span, problem: &str) -> Self {
        Self {
            object: ObjectRef::default(),
            origin,
            path: String::new(),
            span,
            severity: Severity::Error,
            message: format!("document {} cannot be read: {problem}", origin.document),
            help: "fix this document; the others were checked".to_owned(),
            is_no_text: false,
            is_text_to_kustomize: false,
        }
    }

    /// A document is text, a number or a boolean.
    pub(super) fn scalar(document: &Document, origin: ObjectOrigin) -> Self {
        Self {
            object: ObjectRef::default(),
            origin,
            path: String::new(),
            span: document.root.span,
            severity: Severity::Error,
            message: format!(
                "document {} is not a manifest: it has no fields",
                document.number
            ),
            help: "name a file with manifests, or remove this document".to_owned(),
            is_no_text: false,
            is_text_to_kustomize: false,
        }
    }

    /// A kind that is not linted, and that is nearly one of those that are: no API has it.
    pub(super) fn misspelled_kind(object: &Object) -> Option<Self> {
        let kind = &*object.kind;
        // Most kinds have another length, and are not compared letter by letter.
        let is_as_long =
            |linted: &&str| linted.len().abs_diff(kind.chars().count()) <= MOST_WRONG_LETTERS;
        let is_near = |linted: &&str| {
            let (kind, linted) = (kind.to_lowercase(), linted.to_lowercase());
            wrong_letters(&kind, &linted) <= MOST_WRONG_LETTERS
        };
        let right = LINTED.into_iter().filter(is_as_long).find(is_near)?;
        let span = object.node.at("kind").unwrap_or(&object.node).span;
        Some(Self {
            object: object.reference(),
            origin: object.origin?,
            path: "kind".to_owned(),
            span,
            severity: Severity::Error,
            message: format!("no API has the kind {kind}, so the API server rejects this object"),
            help: format!("write {right}"),
            is_no_text: false,
            is_text_to_kustomize: false,
        })
    }

    /// A string field of an object has a value that kubectl does not read as a string.
    pub(super) fn no_text(
        object: &Object,
        reference: ObjectRef,
        origin: ObjectOrigin,
        found: NoText,
    ) -> Self {
        let NoText {
            path,
            written,
            read_as,
            is_text_to_kustomize,
        } = found;
        Self {
            object: reference,
            origin,
            span: object.node.locate(&path),
            severity: Severity::Error,
            message: format!(
                "document {} cannot be read as a {}: {path}: kubectl reads {written} as {read_as}, but the field needs a \
                 string",
                origin.document, object.kind
            ),
            path,
            help: format!("put the value in quotes: \"{written}\""),
            is_no_text: true,
            is_text_to_kustomize,
        }
    }

    /// A field of an HPA has a value of the wrong type.
    pub(super) fn field(manifest: &Manifest, origin: ObjectOrigin, field: &InvalidField) -> Self {
        let node = manifest.at(&field.path);
        let read_as = node
            .filter(|_| field.expected == Some(ExpectedType::String))
            .and_then(read_as);
        let is_quoted = node
            .filter(|_| field.expected == Some(ExpectedType::Integer))
            .and_then(YamlNode::as_str)
            .is_some_and(|text| text.trim().parse::<i32>().is_ok());
        let problem = match read_as {
            Some(kind) => format!("kubectl reads this as {kind}, but the field needs a string"),
            None => field.problem.clone(),
        };
        let help = match read_as {
            Some(_) => "put the value in quotes",
            None if is_quoted => "remove the quotes",
            None => "fix this document; the others were checked",
        };
        let colon = if field.path.is_empty() { "" } else { ": " };
        Self {
            object: ObjectRef::clone(&manifest.object),
            origin,
            path: field.path.clone(),
            span: manifest.locate(&field.path),
            severity: Severity::Error,
            message: format!(
                "document {} cannot be read as a HorizontalPodAutoscaler: {}{colon}{problem}",
                origin.document, field.path
            ),
            help: help.to_owned(),
            is_no_text: false,
            is_text_to_kustomize: false,
        }
    }

    /// A field of a ScaledObject has a value of the wrong type, so that KEDA's HPA cannot be decoded.
    pub(super) fn of_scaled_object(subject: &ScaledObjectSubject) -> Option<Self> {
        let (field, origin) = (subject.made.invalid.as_ref()?, subject.object.origin?);
        let node = &subject.source.node;
        let problem = match node.at(&field.path).and_then(read_as) {
            Some(kind) if field.expected == Some(ExpectedType::String) => {
                format!("kubectl reads this as {kind}, but the field needs a string")
            }
            _ => field.problem.clone(),
        };
        Some(Self {
            object: ObjectRef::clone(&subject.object),
            origin,
            path: field.path.clone(),
            span: node.locate(&field.path),
            severity: Severity::Error,
            message: format!(
                "document {} cannot be read as a ScaledObject: {}: {problem}",
                origin.document, field.path
            ),
            help: "fix this document; the others were checked".to_owned(),
            is_no_text: false,
            is_text_to_kustomize: false,
        })
    }

    /// A key appears twice in one mapping of an object.
    pub(super) fn repeated(
        object: &ObjectRef,
        origin: ObjectOrigin,
        path: String,
        key: &RepeatedKey,
    ) -> Self {
        Self {
            object: object.clone(),
            origin,
            message: format!(
                "{path} is written twice: kubectl takes the last one, and Kustomize rejects the document"
            ),
            path,
            span: key.first,
            severity: Severity::Warning,
            help: "remove one of the two".to_owned(),
            is_no_text: false,
            is_text_to_kustomize: false,
        }
    }

    /// A document with invalid bytes.
    pub(super) fn not_utf8(object: &ObjectRef, origin: ObjectOrigin, byte: u32) -> Self {
        Self {
            object: object.clone(),
            origin,
            path: String::new(),
            span: Span {
                start: byte,
                end: byte + 3,
            },
            severity: Severity::Warning,
            message: format!(
                "document {} is not UTF-8, so kubectl sends U+FFFD in place of these bytes",
                origin.document
            ),
            help: "save the file as UTF-8".to_owned(),
            is_no_text: false,
            is_text_to_kustomize: false,
        }
    }
}

/// Whether objects of this kind are linted.
pub(super) fn is_linted(kind: &str) -> bool {
    LINTED.contains(&kind)
}

/// Whether a text seems to be meant for the linter.
pub(super) fn is_about_hpas(text: &str) -> bool {
    kind_in(text).is_some()
}

/// The kind that a broken document states, as in `kind: HorizontalPodAutoscaler`. Ignores comments and schemas in
/// CustomResourceDefinitions.
fn kind_in(text: &str) -> Option<&'static str> {
    let is_kind = |before: &str| {
        let key = before.trim_end_matches([' ', ':', '"', '\'']);
        key.ends_with("kind")
    };
    let lines = text
        .lines()
        .filter(|line| !line.trim_start().starts_with('#'));
    let mut named = lines.flat_map(|line| {
        let kinds = LINTED.iter().copied();
        kinds.filter(move |kind| line.match_indices(kind).any(|(at, _)| is_kind(&line[..at])))
    });
    named.next()
}

/// Whether a text that is not YAML looks like a Helm template.
pub(super) fn is_helm_template(text: &str) -> bool {
    text.contains("{{") && text.contains("}}")
}

/// The type of a value that is not a string.
fn read_as(node: &YamlNode) -> Option<&'static str> {
    match &node.value {
        YamlValue::Bool(_) => Some("a boolean"),
        YamlValue::Mapping(_) => Some("a mapping"),
        YamlValue::Number(_) => Some("a number"),
        YamlValue::Sequence(_) => Some("a list"),
        YamlValue::Null | YamlValue::Text(_) => None,
    }
}
