//! Patches, such as Kustomize's: manifests that leave out what the one says that they change.

use super::{Finding, FixStep, Manifest, is_within, same_namespace, world::World};

impl Manifest {
    /// Whether it leaves out what every HPA must say.
    pub fn is_partial(&self) -> bool {
        let node = &self.source.node;
        REQUIRED.iter().any(|path| node.at(path).is_none())
    }
}

/// Takes the fix away if it inserts a field into what can be a patch: the field would replace the one of the manifest
/// that is changed, all metrics for example.
pub(super) fn withhold_insertion(finding: &mut Finding, manifest: &Manifest, world: &World) {
    let mut steps = finding.fix.iter();
    let inserts = steps.any(|step| matches!(step, FixStep::Insert { .. }));
    if inserts && (manifest.is_partial() || has_namesake(manifest, world)) {
        finding.fix.clear();
    }
}

/// The fields of an HPA that patches of kustomizations write over.
pub(super) fn patched_fields<'a>(manifest: &Manifest, world: &'a World) -> Vec<&'a str> {
    let applied = world
        .kustomize
        .patches_for(&manifest.object, manifest.source.group());
    applied
        .into_iter()
        .flat_map(|one| &one.patch.changes)
        .filter_map(|change| change.field.split('[').next())
        .collect()
}

/// Whether a patch writes over the field of a finding, or over one in it or around it. What becomes of it is in the
/// result only, whose folder is named in a note.
pub(super) fn is_patched(path: &str, patched: &[&str]) -> bool {
    patched
        .iter()
        .any(|field| is_within(path, field) || path.starts_with("spec.") && is_within(field, path))
}

/// Whether another manifest is of an HPA of the same name, so that one may be the patch of the other.
fn has_namesake(manifest: &Manifest, world: &World) -> bool {
    let own = &manifest.object;
    !own.name.is_empty()
        && world.hpas_called(&own.name).any(|other| {
            let other = &other.object;
            other.origin.is_some()
                && other.origin != own.origin
                && same_namespace(&other.namespace, &own.namespace)
        })
}

const REQUIRED: [&str; 3] = [
    "spec.maxReplicas",
    "spec.scaleTargetRef.kind",
    "spec.scaleTargetRef.name",
];
