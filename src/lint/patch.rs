//! Patches, such as Kustomize's: manifests that leave out what the one says that they change.

use super::{Finding, FixStep, Manifest, same_namespace, world::World};

impl Manifest {
    /// Whether it leaves out what every HPA must say.
    pub(crate) fn is_partial(&self) -> bool {
        let node = &self.source.node;
        REQUIRED.iter().any(|path| node.at(path).is_none())
    }
}

/// Takes the fix away if it inserts a field into what may be a patch: the field would replace the one of the manifest
/// that is changed, all metrics for example.
pub(super) fn withhold_insertion(finding: &mut Finding, manifest: &Manifest, world: &World) {
    let mut steps = finding.fix.iter();
    let inserts = steps.any(|step| matches!(step, FixStep::Insert { .. }));
    if inserts && (manifest.is_partial() || has_namesake(manifest, world)) {
        finding.fix.clear();
    }
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
