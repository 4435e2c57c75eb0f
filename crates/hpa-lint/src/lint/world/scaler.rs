//! Other autoscalers that write replicas, or bounds of HPAs.

use super::read;
use crate::{
    lint::{Object, ObjectRef, object::group_of},
    recording::KnownKind,
    yaml::Node,
};

/// An object of another autoscaler: KEDA's ScaledObject and the VerticalPodAutoscaler have files of their own.
#[derive(Clone, Debug)]
pub struct Scaler {
    /// What it is called.
    pub object: ObjectRef,
    /// Its API group.
    pub group: String,
    /// Group of what it scales, if it names one.
    pub target_group: Option<String>,
    /// Kind of what it scales, `Deployment` unless written.
    pub target_kind: String,
    /// Name of what it scales.
    pub target_name: String,
    /// How it works, in its own word; empty: it says nothing.
    pub mode: String,
    /// Whether it only looks on.
    pub is_dry_run: bool,
}

impl Scaler {
    /// Reads an object of a kind that is known to scale; others are none.
    pub fn of(object: &Object) -> Option<Self> {
        let known = KnownKind::of_manifest(object.group(), &object.kind)?;
        // Those move pods between versions of a workload, and leave how many there are to the HPA.
        if matches!(known.kind, "Rollout" | "Canary") {
            return None;
        }
        // The table has JSON pointers.
        let at = |pointer: &str| object.node.at(&pointer[1..].replace('/', "."));
        let target = at(known.target)?;
        let api_version = read::text(target, "apiVersion");
        let kind = read::text(target, "kind");
        let mode = at(known.mode).and_then(Node::as_str).unwrap_or_default();
        let is_dry_run = object.node.at("spec.dryRun").and_then(Node::as_bool) == Some(true);
        Some(Self {
            object: object.reference(),
            group: object.group().to_owned(),
            target_group: (!api_version.is_empty()).then(|| group_of(&api_version).to_owned()),
            target_kind: if kind.is_empty() {
                "Deployment".to_owned()
            } else {
                kind
            },
            target_name: read::text(target, "name"),
            mode: mode.to_owned(),
            is_dry_run: is_dry_run || matches!(mode, "Preview" | "Off"),
        })
    }

    /// Whether it scales the object of this group, kind and name. Where it names no group, the kind is enough.
    pub fn scales(&self, group: &str, kind: &str, name: &str) -> bool {
        let has_group = |own: &String| own == group;
        self.target_group.as_ref().is_none_or(has_group)
            && self.target_kind == kind
            && self.target_name == name
    }
}
