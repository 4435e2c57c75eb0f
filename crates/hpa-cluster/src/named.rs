//! The arguments that select HPAs: the name of an HPA, its namespace, or its target.

use hpa_engine::model::KnownKind;
use hpa_objects::recording::wire::Hpa;

use super::hpa_resource;

/// One reading of an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Named<'a> {
    /// Its namespace; none: the argument has none.
    pub(super) namespace: Option<&'a str>,
    /// Kind of the workload, if the argument names that instead of its HPA.
    pub(super) kind: Option<&'a str>,
    /// The name, or a pattern of names.
    pub(super) name: &'a str,
}

impl<'a> Named<'a> {
    /// `NAME`, `hpa/NAME`, `KIND/NAME`, and each of these after `NAMESPACE/`. What may be both a kind and a namespace
    /// is read as a kind.
    pub(super) fn of(word: &'a str) -> Self {
        let as_kind = |word: &'a str, namespace| match word.split_once('/') {
            None => Self {
                namespace,
                kind: None,
                name: word,
            },
            Some((kind, name)) => Self {
                namespace,
                kind: (!is_kind(HPA, kind)).then_some(kind),
                name,
            },
        };
        match word.split_once('/') {
            Some((namespace, rest)) if rest.contains('/') => as_kind(rest, Some(namespace)),
            _ => as_kind(word, None),
        }
    }

    /// The argument as `NAMESPACE/NAME`, if its kind may be a namespace.
    pub(super) fn in_namespace(word: &'a str) -> Option<Self> {
        let read = Self::of(word);
        if read.namespace.is_some() {
            return Some(read);
        }
        let namespace = read.kind.filter(|kind| !is_certain(kind))?;
        Some(Self {
            namespace: Some(namespace),
            kind: None,
            name: read.name,
        })
    }

    /// Whether it names this HPA; without a namespace in the argument, in any namespace.
    pub(super) fn matches(self, hpa: &Hpa) -> bool {
        let target = &hpa.spec.scale_target_ref;
        self.namespace
            .is_none_or(|namespace| is_match(namespace, hpa_resource::namespace_of(hpa)))
            && match self.kind {
                None => is_match(self.name, &hpa.metadata.name),
                Some(_) if self.is_scaled_object() => {
                    scaled_object_of(hpa).is_some_and(|owner| is_match(self.name, owner))
                }
                Some(kind) => is_kind(&target.kind, kind) && is_match(self.name, &target.name),
            }
    }

    /// Whether it names the ScaledObject of KEDA that made the HPA.
    pub(super) fn is_scaled_object(self) -> bool {
        self.kind.is_some_and(is_scaled_object)
    }

    /// Whether the name, or the pattern of names, is that of an object.
    pub(super) fn has_name(self, name: &str) -> bool {
        is_match(self.name, name)
    }

    /// A description of what it names, for messages.
    pub(super) fn not_found(self) -> String {
        let Self { kind, name, .. } = self;
        match kind {
            Some(kind) if is_scaled_object(kind) => {
                format!("no HPA belongs to ScaledObject {name:?}")
            }
            Some(kind) => format!("no HPA scales {kind} {name:?}"),
            None if is_pattern(name) => format!("no HPA matches {name:?}"),
            None => format!("HPA {name:?} not found"),
        }
    }
}

/// The ScaledObject of KEDA that made an HPA.
pub(super) fn scaled_object_of(hpa: &Hpa) -> Option<&str> {
    let mut owners = hpa.metadata.owner_references.iter();
    let owner = owners.find(|owner| owner.kind == SCALED_OBJECT)?;
    Some(&owner.name)
}

/// Whether the argument names this HPA.
pub fn is_selected(hpa: &Hpa, word: &str) -> bool {
    Named::of(word).matches(hpa)
        || Named::in_namespace(word).is_some_and(|named| named.matches(hpa))
}

/// The message for an argument that names nothing: `HPA "web" not found`.
pub fn no_hpa(word: &str) -> String {
    Named::of(word).not_found()
}

/// The namespace in the argument, if it may have one.
pub fn namespace_of(word: &str) -> Option<&str> {
    Named::in_namespace(word)?.namespace
}

/// Whether the argument is a pattern.
pub fn is_pattern(word: &str) -> bool {
    word.contains(['*', '?'])
}

/// Whether an argument alone is the kind of the next arguments, as in `hpa web`.
pub fn is_kind_alone(word: &str) -> bool {
    is_kind(HPA, word) || is_workload(word) || is_scaled_object(word)
}

/// Whether `text` means `kind`: its singular, plural or short name, with or without a group.
pub fn is_kind(kind: &str, text: &str) -> bool {
    let text = text.split('.').next().unwrap_or_default().to_lowercase();
    let kind = kind.to_lowercase();
    let mut known = KnownKind::all().filter(|known| known.name.to_lowercase() == kind);
    text == kind
        || text.strip_suffix('s') == Some(kind.as_str())
        || known.any(|known| !text.is_empty() && known.short_name == text)
}

/// Whether a kind cannot be a namespace: it is a known kind, or contains characters that a namespace cannot.
fn is_certain(kind: &str) -> bool {
    kind.contains(|letter: char| letter == '.' || letter.is_uppercase())
        || is_workload(kind)
        || is_scaled_object(kind)
}

/// Whether `text` means KEDA's ScaledObjects; `so` is their short name.
fn is_scaled_object(text: &str) -> bool {
    is_kind(SCALED_OBJECT, text) || text.split('.').next() == Some("so")
}

fn is_workload(text: &str) -> bool {
    let mut workloads = KnownKind::all().filter(|known| known.has_replicas());
    workloads.any(|known| is_kind(known.name, text))
}

/// `*` matches any letters, `?` one.
pub fn is_match(pattern: &str, text: &str) -> bool {
    let (pattern, text) = (pattern.as_bytes(), text.as_bytes());
    let (mut at, mut seen) = (0, 0);
    // After the last `*`: the position in the pattern, and the position in the text that was tried.
    let mut again: Option<(usize, usize)> = None;
    while seen < text.len() {
        match pattern.get(at) {
            Some(b'*') => {
                at += 1;
                again = Some((at, seen));
            }
            Some(letter) if *letter == b'?' || *letter == text[seen] => {
                at += 1;
                seen += 1;
            }
            _ => {
                let Some((after, tried)) = again else {
                    return false;
                };
                again = Some((after, tried + 1));
                (at, seen) = (after, tried + 1);
            }
        }
    }
    pattern[at..].iter().all(|letter| *letter == b'*')
}

const HPA: &str = "HorizontalPodAutoscaler";

const SCALED_OBJECT: &str = "ScaledObject";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn workloads_are_named_as_in_kubectl() {
        for text in [
            "deploy",
            "deployment",
            "deployments",
            "deployment.apps",
            "Deployment",
        ] {
            assert!(is_kind("Deployment", text), "{text}");
        }
        assert!(is_kind("WebApp", "webapps.example.com"));
        assert!(!is_kind("Deployment", "sts"));
    }

    #[test]
    fn words_name_a_namespace_a_kind_or_both() {
        for (word, namespace, kind) in [
            ("web", None, None),
            ("hpa/web", None, None),
            ("horizontalpodautoscalers.autoscaling/web", None, None),
            ("deploy/web", None, Some("deploy")),
            ("webapp/web", None, Some("webapp")),
            ("so/web", None, Some("so")),
            ("shop/hpa/web", Some("shop"), None),
            ("shop/deploy/web", Some("shop"), Some("deploy")),
        ] {
            let named = Named::of(word);
            assert_eq!(
                (named.namespace, named.kind, named.name),
                (namespace, kind, "web")
            );
        }
        let place = |word| Named::in_namespace(word).and_then(|named| named.namespace);
        assert_eq!(place("shop/web"), Some("shop"));
        assert_eq!(place("shop/deploy/web"), Some("shop"));
        for word in [
            "web",
            "hpa/web",
            "sts/db",
            "so/web",
            "scaledobjects.keda.sh/web",
            "WebApp/x",
            "webapps.example.com/x",
        ] {
            assert_eq!(place(word), None, "{word}");
        }
    }

    #[test]
    fn scaled_objects_name_the_hpa_that_keda_made_of_them() {
        let hpa = |kind: &str| -> Hpa {
            serde_json::from_value(serde_json::json!({
                "metadata": {
                    "name": "keda-hpa-mail", "namespace": "shop",
                    "ownerReferences": [{"kind": kind, "name": "mail", "controller": true}],
                },
                "spec": {"scaleTargetRef": {"kind": "Deployment", "name": "web"}, "maxReplicas": 9},
            }))
            .unwrap()
        };
        for word in [
            "so/mail",
            "so.keda.sh/mail",
            "scaledobject/ma*",
            "scaledobjects.keda.sh/mail",
            "ScaledObject.v1alpha1.keda.sh/mail",
            "shop/so/mail",
        ] {
            assert!(is_selected(&hpa("ScaledObject"), word), "{word}");
            assert!(!is_selected(&hpa("Other"), word), "{word}");
        }
        for word in ["so/web", "deploy/mail", "search/so/mail"] {
            assert!(!is_selected(&hpa("ScaledObject"), word), "{word}");
        }
    }

    #[test]
    fn patterns_match_as_in_a_shell() {
        for (pattern, text) in [
            ("web-*", "web-a"),
            ("*", ""),
            ("*-canary", "web-a-canary"),
            ("w?b", "web"),
            ("*a*b*", "xaxbx"),
            ("web", "web"),
        ] {
            assert!(is_match(pattern, text), "{pattern} {text}");
        }
        for (pattern, text) in [("web-*", "web"), ("?", ""), ("*b", "b1"), ("web", "web-a")] {
            assert!(!is_match(pattern, text), "{pattern} {text}");
        }
    }
}
