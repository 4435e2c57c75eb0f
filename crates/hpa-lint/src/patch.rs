//! Patches such as Kustomize's: manifests without some required fields.

use super::{
    Finding, FixStep, KeptObject, Manifest, Object, ObjectRef, is_within,
    world::{TargetingHpa, World},
};

impl Manifest {
    /// Whether it lacks fields that every HPA needs.
    pub fn is_partial(&self) -> bool {
        let node = &self.source.node;
        REQUIRED.iter().any(|path| node.at(path).is_none())
    }
}

/// Drops the fix if it inserts a field into a possible patch: the field would replace the one in the patched manifest,
/// for example all metrics.
pub(super) fn withhold_insertion(finding: &mut Finding, manifest: &Manifest, world: &World) {
    let mut steps = finding.fix.iter();
    let inserts = steps.any(|step| matches!(step, FixStep::Insert { .. }));
    if inserts && (manifest.is_partial() || has_namesake(manifest, world)) {
        finding.fix.clear();
    }
}

/// The fields of an object that patches of kustomizations overwrite.
pub(super) fn patched_fields<'a>(object: &Object, world: &'a World) -> Vec<&'a str> {
    let applied = world
        .kustomize
        .patches_for(&object.reference(), object.group());
    applied
        .into_iter()
        .flat_map(|one| &one.patch.changes)
        .filter_map(|change| change.field.split('[').next())
        .collect()
}

/// Whether a patch overwrites the field of a finding, or one within or around it. Its final value is only in the build
/// result, whose folder a note names.
pub(super) fn is_patched(path: &str, patched: &[&str]) -> bool {
    patched
        .iter()
        .any(|field| is_within(path, field) || path.starts_with("spec.") && is_within(field, path))
}

/// Whether a manifest without a target is a patch for an HPA of another file, although no kustomization says so: other
/// tools have other lists of patches.
pub(super) fn is_patch_of_another(manifest: &KeptObject, world: &World) -> bool {
    manifest.has_no_target
        && namesakes(&manifest.object, world).any(|other| {
            let file = |object: &ObjectRef| object.origin.map(|origin| origin.file);
            !other.target_name.is_empty() && file(&other.object) != file(&manifest.object)
        })
}

/// Whether another manifest describes an HPA of the same name, so that one may be a patch of the other.
fn has_namesake(manifest: &Manifest, world: &World) -> bool {
    namesakes(&manifest.object, world).next().is_some()
}

/// Other manifests of the HPA.
fn namesakes<'a>(own: &'a ObjectRef, world: &'a World) -> impl Iterator<Item = &'a TargetingHpa> {
    let called = world.hpas_called_beside(&own.name, own);
    called.filter(move |other| {
        let other = &other.object;
        !own.name.is_empty() && other.origin.is_some() && other.origin != own.origin
    })
}

const REQUIRED: [&str; 3] = [
    "spec.maxReplicas",
    "spec.scaleTargetRef.kind",
    "spec.scaleTargetRef.name",
];
