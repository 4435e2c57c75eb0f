//! Interprets `scaleTargetRef`: its kind, and whether that can be scaled.

use hpa_engine::model::{ApiError, KnownKind, Reading};

use crate::{
    Cx, HpaSubject, ObjectRef,
    world::{Crd, Workload, built_in, intended},
};

/// The kind that a `scaleTargetRef` refers to, from built-in kinds and known CustomResourceDefinitions.
#[derive(Clone, Copy, Debug)]
pub(super) enum TargetKind<'a> {
    /// A built-in kind of Kubernetes.
    BuiltIn(&'static KnownKind),
    /// A custom resource with a known definition.
    Custom(&'a Crd),
    /// No kind: the group is built in and does not contain it.
    Nothing,
    /// A custom resource without a known definition.
    Unknown,
}

impl<'a> TargetKind<'a> {
    /// The intended kind, whether spelled correctly or not.
    pub(super) fn intended(cx: &Cx<'a, HpaSubject>) -> Self {
        let kind = &cx.subject.spec.scale_target.kind;
        let group = cx.subject.target_group();
        if let Some(crd) = cx.world.crd(group, kind) {
            return Self::Custom(crd);
        }
        if KnownKind::is_built_in_group(group) {
            if let Some(known) = built_in(kind).or_else(|| intended(kind)) {
                return Self::BuiltIn(known);
            }
            // The core group has many kinds that cannot be scaled, and OpenShift once added some.
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

    /// The correct spelling, if known.
    pub(super) fn name(self) -> Option<&'a str> {
        match self {
            Self::BuiltIn(known) => Some(known.name),
            Self::Custom(crd) => Some(&crd.kind),
            Self::Nothing | Self::Unknown => None,
        }
    }

    /// Whether it has a scale subresource, if known.
    pub(super) fn is_scalable(self) -> Option<bool> {
        match self {
            Self::BuiltIn(known) => Some(known.is_scalable()),
            Self::Custom(crd) => Some(crd.scale.is_some()),
            Self::Nothing | Self::Unknown => None,
        }
    }
}

/// The correct group of a custom kind that is written with a built-in group.
pub(super) enum CustomKind<'a> {
    /// An object in the input has the kind and the name of the target.
    Workload(&'a Workload),
    /// The only known definition of the kind has this group.
    Group(&'a str),
}

impl<'a> CustomKind<'a> {
    /// The custom kind that the target refers to, if known.
    pub(super) fn intended(cx: &Cx<'a, HpaSubject>) -> Option<Self> {
        if !KnownKind::is_built_in_group(cx.subject.target_group()) {
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

/// Scalable custom resources with the name of the target, in its namespace.
pub(super) fn custom_namesakes<'a>(
    cx: &Cx<'a, HpaSubject>,
) -> impl Iterator<Item = &'a Workload> + use<'a> {
    namesakes(cx).filter(|workload| !KnownKind::is_built_in_group(&workload.group))
}

/// Scalable objects of any kind with the name of the target, in its namespace.
pub(super) fn namesakes<'a>(
    cx: &Cx<'a, HpaSubject>,
) -> impl Iterator<Item = &'a Workload> + use<'a> {
    let (world, subject) = (cx.world, cx.subject);
    let name = &subject.spec.scale_target.name;
    let namesakes = world.workloads_called_beside(name, subject.object());
    namesakes.filter(|workload| {
        !KnownKind::is_built_in_group(&workload.group)
            || KnownKind::in_group(&workload.group, &workload.object.kind).is_scalable()
    })
}

/// The error that the controller gets when it reads the scale of the target.
pub(super) fn scale_error<'a>(cx: &Cx<'a, HpaSubject>) -> Option<&'a ApiError> {
    match &cx.subject.hpa.live.as_ref()?.observation.scale {
        Reading::Failed(error) => Some(error),
        Reading::Read(_) | Reading::NotRead(_) => None,
    }
}

/// Whether the API server does not have the kind. Upstream: `NoKindMatchError`.
pub(super) fn is_no_such_kind(error: &ApiError) -> bool {
    error.message.starts_with("no matches for kind")
}

/// Whether the API server has the kind but not its scale subresource.
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

/// Whether another object is certainly in the HPA's namespace. Both name the namespace, or both omit it in the same
/// file. In a cluster no namespace is open, and with `--complete` all omitted namespaces are the same.
pub(super) fn is_certainly_beside(cx: &Cx<'_, HpaSubject>, other: &ObjectRef) -> bool {
    let file = |origin: Option<crate::ObjectOrigin>| origin.map(|origin| origin.file);
    cx.is_complete
        || (!cx.subject.hpa.namespace().is_empty() && !other.namespace.is_empty())
        || file(cx.subject.origin()) == file(other.origin)
}
