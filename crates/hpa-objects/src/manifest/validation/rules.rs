//! How the rules depend on version, gates and the previous spec.

use hpa_engine::model::{ControllerConfig, KnownKind};

use crate::recording::wire::{HpaSpec, ObjectReference, TypedSource};

/// The inputs of validation besides the spec itself.
///
/// Version and gates of the API server; assumed to be the controller's.
#[derive(Clone, Copy, Debug)]
pub struct Rules<'a> {
    /// Version and feature gates.
    pub config: &'a ControllerConfig,
    /// The previous spec, if the HPA is updated and not created.
    pub old: Option<&'a HpaSpec>,
}

impl Rules<'_> {
    /// Whether the server's version is 1.`minor` or later.
    pub(super) fn is_since(&self, minor: u32) -> bool {
        minor <= self.config.version.value.minor
    }

    /// The lowest valid `minReplicas`. An HPA that already has 0 may keep it.
    pub(super) fn least_replicas(&self) -> i32 {
        let had_zero = self.old.is_some_and(|old| old.min_replicas == Some(0));
        let is_allowed = self.config.feature_gates.hpa_scale_to_zero.value || had_zero;
        i32::from(!is_allowed)
    }

    /// How `apiVersion` of the scale target is checked (since 1.34).
    pub(super) fn target_version(&self, target: &ObjectReference) -> VersionCheck {
        let is_kept = self.old.is_some_and(|old| {
            let old = &old.scale_target_ref;
            version(old) == version(target) && old.kind == target.kind
        });
        if !self.is_since(34) || is_kept {
            VersionCheck::None
        } else if KnownKind::of(&target.kind).has_plain_selector() {
            VersionCheck::Parses
        } else {
            VersionCheck::HasGroup
        }
    }

    /// How `apiVersion` of described objects is checked (since 1.34). Not at all if one was invalid before.
    pub(super) fn described_object_version(&self) -> VersionCheck {
        let mut before = self.old.iter().flat_map(|old| &old.metrics);
        let was_invalid = before.any(|metric| match metric.source() {
            Some(TypedSource::Object(source)) => VersionCheck::Parses
                .problem(&source.described_object)
                .is_some(),
            _ => false,
        });
        if !self.is_since(34) || was_invalid {
            VersionCheck::None
        } else {
            VersionCheck::Parses
        }
    }
}

/// How an `apiVersion` is checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum VersionCheck {
    /// Not at all.
    None,
    /// It has at most one slash.
    Parses,
    /// It also contains a group.
    HasGroup,
}

impl VersionCheck {
    /// What is wrong with the `apiVersion` of `reference`. Upstream: `ValidateAPIVersion`.
    pub(super) fn problem(self, reference: &ObjectReference) -> Option<String> {
        let text = version(reference);
        let slashes = text.matches('/').count();
        let has_group = slashes == 1 && !text.starts_with('/');
        match self {
            Self::None => None,
            _ if 1 < slashes => Some(format!("unexpected GroupVersion string: {text}")),
            Self::HasGroup if !has_group => Some("apiVersion must specify API group".to_owned()),
            Self::Parses | Self::HasGroup => None,
        }
    }
}

/// `apiVersion`. Empty if absent.
pub(super) fn version(reference: &ObjectReference) -> &str {
    reference.api_version.as_deref().unwrap_or_default()
}
