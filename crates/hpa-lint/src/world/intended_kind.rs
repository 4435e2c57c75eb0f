//! The built-in kinds of Kubernetes that a scale target can refer to.

use hpa_engine::model::KnownKind;

/// The built-in kind with exactly this name.
pub fn built_in(kind: &str) -> Option<&'static KnownKind> {
    Some(KnownKind::of(kind)).filter(|known| known.is_built_in())
}

/// The built-in kind that a name in any case, a plural or a short name refers to.
pub fn intended(name: &str) -> Option<&'static KnownKind> {
    let short = |known: &KnownKind| Some(known.short_name).filter(|short| !short.is_empty());
    KnownKind::all()
        .filter(|known| known.is_built_in())
        .find(|known| may_mean(name, known.name, short(known)))
}

/// Whether `name` is another spelling of `kind`.
pub(super) fn may_mean<'a>(
    name: &str,
    kind: &str,
    short_names: impl IntoIterator<Item = &'a str>,
) -> bool {
    let name = name.trim().to_ascii_lowercase();
    let kind = kind.to_ascii_lowercase();
    name == kind
        || name.strip_suffix('s') == Some(kind.as_str())
        || name.strip_suffix("es") == Some(kind.as_str())
        || short_names.into_iter().any(|short| name == short)
}

#[cfg(test)]
mod tests {
    use super::{built_in, intended};

    #[test]
    fn kinds_are_known_by_every_name_that_kubectl_takes() {
        for (name, kind) in [
            ("deployment", "Deployment"),
            ("Deployments", "Deployment"),
            ("deploy", "Deployment"),
            ("Statefulset", "StatefulSet"),
            ("STS", "StatefulSet"),
            ("daemonsets", "DaemonSet"),
        ] {
            let intended = intended(name).map(|known| known.name);
            assert_eq!(intended, Some(kind), "{name}");
            assert_eq!(built_in(name), None, "{name}");
        }
        assert_eq!(intended("Widget"), None);
    }
}
