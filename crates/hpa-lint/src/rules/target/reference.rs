//! What `scaleTargetRef` means: which kind, and whether that can be scaled.

use crate::{
    lint::{
        Cx, HpaSubject, ObjectRef, same_namespace,
        world::{BuiltInKind, Crd, Workload},
    },
    model::{ApiError, Reading},
};

/// The kind that a `scaleTargetRef` means, as far as built-in kinds and known CustomResourceDefinitions show.
#[derive(Clone, Copy, Debug)]
pub(super) enum TargetKind<'a> {
    /// One of Kubernetes itself.
    BuiltIn(&'static BuiltInKind),
    /// A custom resource whose definition is known.
    Custom(&'a Crd),
    /// Whatever it is, its group is one of Kubernetes itself, and has no such kind.
    Nothing,
    /// A custom resource whose definition is not known.
    Unknown,
}

impl<'a> TargetKind<'a> {
    /// The kind that is meant, whether it is spelled rightly or not.
    pub(super) fn intended(cx: &Cx<'a, HpaSubject>) -> Self {
        let kind = &cx.subject.spec.scale_target.kind;
        let group = cx.subject.target_group();
        if let Some(crd) = cx.world.crd(group, kind) {
            return Self::Custom(crd);
        }
        if BuiltInKind::is_built_in_group(group) {
            if let Some(known) = BuiltInKind::exact(kind).or_else(|| BuiltInKind::intended(kind)) {
                return Self::BuiltIn(known);
            }
            // The core group has many kinds that nothing scales, and OpenShift once added some.
            return if matches!(group, "apps" | "batch" | "extensions") {
                Self::Nothing
            } else {
                Self::Unknown
            };
        }
        let mut crds = cx.world.crds.iter();
        match crds.find(|crd| crd.group == group && crd.is_spelling_of(kind)) {
            Some(crd) => Self::Custom(crd),
            None => Self::Unknown,
        }
    }

    /// The right spelling, if it is known.
    pub(super) fn name(self) -> Option<&'a str> {
        match self {
            Self::BuiltIn(known) => Some(known.kind),
            Self::Custom(crd) => Some(&crd.kind),
            Self::Nothing | Self::Unknown => None,
        }
    }

    /// Whether it has a scale subresource, if that is known.
    pub(super) fn is_scalable(self) -> Option<bool> {
        match self {
            Self::BuiltIn(known) => Some(known.is_scalable),
            Self::Custom(crd) => Some(crd.scale.is_some()),
            Self::Nothing | Self::Unknown => None,
        }
    }
}

/// What the `apiVersion` of a target has to be whose kind is a custom one, although the group written is one of
/// Kubernetes itself.
pub(super) enum CustomKind<'a> {
    /// An object of the input has the kind and the name of the target.
    Workload(&'a Workload),
    /// The only known definition of the kind has this group.
    Group(&'a str),
}

impl<'a> CustomKind<'a> {
    /// The custom kind that the target means, if it is known.
    pub(super) fn intended(cx: &Cx<'a, HpaSubject>) -> Option<Self> {
        if !BuiltInKind::is_built_in_group(cx.subject.target_group()) {
            return None;
        }
        let kind = &cx.subject.spec.scale_target.kind;
        let mut namesakes = custom_namesakes(cx);
        if let Some(workload) = namesakes.find(|one| one.object.kind == *kind) {
            return Some(Self::Workload(workload));
        }
        let mut crds = cx.world.crds.iter().filter(|crd| crd.kind == *kind);
        let group = crds.next()?.group.as_str();
        crds.all(|crd| crd.group == group)
            .then_some(Self::Group(group))
    }
}

/// Custom resources that can be scaled and have the name of the target, in its namespace.
pub(super) fn custom_namesakes<'a>(
    cx: &Cx<'a, HpaSubject>,
) -> impl Iterator<Item = &'a Workload> + use<'a> {
    let subject = cx.subject;
    let namesakes = cx.world.workloads_called(&subject.spec.scale_target.name);
    namesakes.filter(|workload| {
        !BuiltInKind::is_built_in_group(&workload.group)
            && same_namespace(&workload.object.namespace, subject.namespace())
    })
}

/// The error that the controller gets when it reads the scale of the target.
pub(super) fn scale_error<'a>(cx: &Cx<'a, HpaSubject>) -> Option<&'a ApiError> {
    match &cx.subject.live.as_ref()?.observation.scale {
        Reading::Failed(error) => Some(error),
        Reading::Read(_) | Reading::NotRead(_) => None,
    }
}

/// Whether the API server has no such kind. Upstream: `NoKindMatchError`.
pub(super) fn is_no_such_kind(error: &ApiError) -> bool {
    error.message.starts_with("no matches for kind")
}

/// Whether the API server has the kind, but not its scale subresource.
pub(super) fn is_no_subresource(error: &ApiError) -> bool {
    error.code == 404
        && error
            .message
            .contains("could not find the requested resource")
}

/// `kind/name` of the target.
pub(super) fn target_name(cx: &Cx<'_, HpaSubject>) -> String {
    cx.subject.spec.scale_target.to_string()
}

/// Whether another object, which can be in the namespace of the HPA, certainly is: both name the namespace, or both leave
/// it open in one file. In a cluster nothing is open, and with `--complete` all open namespaces are one.
pub(super) fn is_certainly_beside(cx: &Cx<'_, HpaSubject>, other: &ObjectRef) -> bool {
    let file = |origin: Option<crate::lint::ObjectOrigin>| origin.map(|origin| origin.file);
    cx.is_complete()
        || (!cx.subject.namespace().is_empty() && !other.namespace.is_empty())
        || file(cx.subject.origin()) == file(other.origin)
}
