//! Builds one snapshot for each HPA of a file.

use std::sync::Arc;

use hpa_engine::model::{ControllerConfig, Input, SnapshotField, label_selector::Wording};
use jiff::Timestamp;

use super::{
    ManifestError,
    assumed_version::ASSUMED_VERSION,
    collection::{Collection, collect},
    found::{FileHpas, NamespaceHpas},
};
use crate::recording::{
    Snapshot, autoscaler,
    wire::{Answer, Hpa, HpaSpec, NotRead, Pod, Scale, Surroundings},
};

/// Reads objects from `text`: one snapshot for each HPA, in the order of the file.
///
/// `file` is its name in errors. `now` is the time of the read if the objects contain no times at all.
pub fn read(text: &[u8], file: &str, now: Timestamp) -> Result<Vec<Snapshot>, ManifestError> {
    let objects = Objects::read(text, file, now, |_| true)?;
    Ok(objects.snapshots().collect())
}

/// The objects of a file, with at least one HPA.
pub struct Objects {
    collection: Collection,
    found: FileHpas,
    now: Timestamp,
}

impl Objects {
    /// Reads objects from `text`, as [`read`] does. A mistake in an HPA for which `is_chosen` does not hold is no error:
    /// that HPA is left out.
    pub fn read(
        text: &[u8],
        file: &str,
        now: Timestamp,
        mut is_chosen: impl FnMut(&Hpa) -> bool,
    ) -> Result<Self, ManifestError> {
        let mut collection = collect(text, file, &mut is_chosen)?;
        Ok(Self {
            found: FileHpas::take(&mut collection, Wording::of(ASSUMED_VERSION)),
            collection,
            now,
        })
    }

    /// The HPAs that are objects of the file, not parts of snapshots.
    pub fn hpas(&self) -> &[Hpa] {
        &self.collection.hpas
    }

    /// One snapshot for each HPA, in the order of the file.
    pub fn snapshots(&self) -> impl Iterator<Item = Snapshot> {
        let assembly = self.assembly();
        let hpas = self.collection.hpas.iter();
        let assembled = hpas.map(move |hpa| assembly.snapshot(hpa));
        self.collection.snapshots.iter().cloned().chain(assembled)
    }

    /// The snapshot at this index of [`snapshots`](Self::snapshots).
    pub fn snapshot(&self, index: usize) -> Option<Snapshot> {
        let whole = &self.collection.snapshots;
        let Some(place) = index.checked_sub(whole.len()) else {
            return whole.get(index).cloned();
        };
        let hpa = self.collection.hpas.get(place)?;
        Some(self.assembly().snapshot(hpa))
    }

    /// The snapshot of the HPA of `today` with another spec, from the objects of the file. None: the HPA is not an
    /// object of the file but part of a snapshot.
    pub fn with_spec(&self, today: &Snapshot, spec: &HpaSpec) -> Option<Snapshot> {
        let is_same = |hpa: &&Hpa| {
            let (one, other) = (&hpa.metadata, &today.hpa.metadata);
            (&one.namespace, &one.name) == (&other.namespace, &other.name)
        };
        let mut hpa = self.collection.hpas.iter().find(is_same)?.clone();
        hpa.spec = spec.clone();
        let (changed, _) = today.with_spec(spec.clone());
        hpa.metadata.generation = changed.hpa.metadata.generation;
        let mut snapshot = self.assembly().snapshot(&hpa);
        snapshot.time = today.time;
        snapshot.controller.clone_from(&today.controller);
        let is_time_known = today
            .not_read
            .iter()
            .any(|one| one.what == SnapshotField::Time);
        snapshot
            .not_read
            .retain(|one| one.what != SnapshotField::Time || is_time_known);
        Some(snapshot)
    }

    /// A pod from the template of the HPA's target, and the scale from the target's spec: the known data if the file
    /// has only manifests and nothing that runs.
    pub fn planned(&self, snapshot: &Snapshot) -> Option<(Pod, Option<Scale>)> {
        let namespace = snapshot
            .hpa
            .metadata
            .namespace
            .as_deref()
            .unwrap_or_default();
        let reference = &snapshot.hpa.spec.scale_target_ref;
        let found = self.found.of(namespace)?;
        let target = found.target(reference, &self.collection.scalables, namespace)?;
        Some((target.template.clone()?, target.scale_of_spec.clone()))
    }

    fn assembly(&self) -> SnapshotParts<'_> {
        SnapshotParts {
            collection: &self.collection,
            found: &self.found,
            wording: Wording::of(ASSUMED_VERSION),
            read_at: self.collection.newest_time,
            now: self.now,
        }
    }
}

/// The parts of a snapshot.
pub(super) struct SnapshotParts<'a> {
    pub(super) collection: &'a Collection,
    found: &'a FileHpas,
    pub(super) wording: Wording,
    read_at: Option<Timestamp>,
    now: Timestamp,
}

impl SnapshotParts<'_> {
    fn snapshot(&self, hpa: &Hpa) -> Snapshot {
        let namespace = hpa.metadata.namespace.as_deref().unwrap_or_default();
        let name = &hpa.metadata.name;
        let controller = ControllerConfig::defaults(Input::assumed(ASSUMED_VERSION));
        let mut snapshot = Snapshot::new(
            format!("{namespace}/{name}"),
            self.read_at.unwrap_or(self.now),
            (&controller).into(),
            hpa.clone(),
        );
        self.add_time(&mut snapshot);
        self.add_scale(&mut snapshot, namespace);
        self.add_pods(&mut snapshot, namespace);
        self.add_custom_metrics(&mut snapshot, namespace);
        self.add_external_metrics(&mut snapshot, namespace);
        self.add_other_hpas(&mut snapshot, namespace);
        self.add_events(&mut snapshot, namespace);
        self.add_autoscalers(&mut snapshot, namespace);
        snapshot
    }

    fn add_time(&self, snapshot: &mut Snapshot) {
        let taken = match self.read_at {
            Some(_) => "using the newest time in the objects",
            None => "using the current time, because the objects contain no times",
        };
        snapshot.not_read.push(NotRead {
            what: SnapshotField::Time,
            why: "the objects do not show when they were read".to_owned(),
            remedy: Some(format!("{taken}; set another with --at")),
            is_forbidden: false,
        });
    }

    fn add_scale(&self, snapshot: &mut Snapshot, namespace: &str) {
        let reference = snapshot.hpa.spec.scale_target_ref.clone();
        let found = self.found.of(namespace);
        let scalables = &self.collection.scalables;
        let scalable = found.and_then(|found| found.target(&reference, scalables, namespace));
        let scale = match (
            found.and_then(|found| found.scale(&reference.name)),
            scalable,
        ) {
            (Some(scale), _) => Ok(scale.clone()),
            (None, Some(scalable)) => scalable.scale.clone(),
            (None, None) => {
                let (kind, name) = (&reference.kind, &reference.name);
                Err(format!("{kind} {namespace}/{name} is not in the file"))
            }
        };
        match scale {
            Ok(scale) => snapshot.scale = Some(scale),
            Err(why) => {
                let resource = reference.kind.to_lowercase();
                let remedy = get(&format!("{resource} {}", reference.name), namespace);
                snapshot
                    .not_read
                    .push(missing(SnapshotField::Scale, why, &remedy));
            }
        }
        let selector = snapshot.scale.as_ref().map(|scale| &*scale.status.selector);
        snapshot.target = scalable.zip(found).map(|(scalable, found)| {
            let mut target = scalable.target.clone();
            target.intermediate_owners = found.owners(selector, &target);
            target
        });
    }

    fn add_pods(&self, snapshot: &mut Snapshot, namespace: &str) {
        let found = self.found.of(namespace);
        let selector = snapshot.scale.as_ref().map(|scale| &*scale.status.selector);
        let selected = found.map(|found| found.selected(selector));
        let (pods, usages) = selected.unwrap_or_default();
        snapshot.pods = pods;
        if !found.is_some_and(NamespaceHpas::has_pods) {
            let why = format!("no pod of namespace {namespace} is in the file");
            let remedy = get("pods", namespace);
            snapshot
                .not_read
                .push(missing(SnapshotField::Pods, why, &remedy));
        }
        if !snapshot.hpa.spec.reads_usages() {
            return;
        }
        if found.is_some_and(NamespaceHpas::has_usages) {
            snapshot.pod_metrics = Some(Answer::of(usages));
        } else {
            let why = format!("no PodMetrics of namespace {namespace} is in the file");
            let remedy = get("podmetrics", namespace);
            snapshot
                .not_read
                .push(missing(SnapshotField::PodMetrics, why, &remedy));
        }
    }

    /// Adds the other HPAs whose target is in the file and that select one of the pods: only these can make the
    /// selector ambiguous.
    fn add_other_hpas(&self, snapshot: &mut Snapshot, namespace: &str) {
        let Some(found) = self.found.of(namespace) else {
            return;
        };
        let own = &snapshot.hpa.metadata.name;
        if let Some(scale) = &snapshot.scale {
            snapshot.other_hpas = found.others(&scale.status.selector, own);
        }
        let is_own = usize::from(found.unknown.binary_search(own).is_ok());
        let unknown = found.unknown.len() - is_own;
        if 0 < unknown {
            let named = found.unknown.iter().filter(|name| *name != own);
            let named: Vec<&str> = named.map(String::as_str).take(FEW).collect();
            let mut names = named.join(", ");
            if named.len() < unknown {
                names += &format!(" and {} more", unknown - named.len());
            }
            snapshot.not_read.push(NotRead {
                what: SnapshotField::OtherHpas,
                why: format!(
                    "the selectors of other HPAs are not known, because their targets are not in the file: {names}"
                ),
                remedy: None,
                is_forbidden: false,
            });
        }
    }

    /// Adds the other autoscalers of the file that affect the HPA, including other HPAs on its target.
    fn add_autoscalers(&self, snapshot: &mut Snapshot, namespace: &str) {
        let hpa = &snapshot.hpa;
        let target = &hpa.spec.scale_target_ref;
        let found = self.found.of(namespace);
        let rivals = found.map(|found| found.rivals(target, &hpa.metadata.name));
        let mut autoscalers = rivals.unwrap_or_default();
        let others = self.collection.autoscalers.iter();
        let others = others.filter_map(|other| autoscaler(other, hpa));
        autoscalers.extend(others.map(Arc::new));
        if !autoscalers.is_empty() {
            snapshot.surroundings = Some(Surroundings {
                autoscalers,
                ..Surroundings::default()
            });
        }
    }

    fn add_events(&self, snapshot: &mut Snapshot, namespace: &str) {
        if let Some(found) = self.found.of(namespace) {
            snapshot.kubernetes_events = found.events(&snapshot.hpa.metadata.name).to_vec();
        }
    }
}

/// A part that is missing from the file, with the command whose output contains it.
pub(super) fn missing(what: SnapshotField, why: String, remedy: &str) -> NotRead {
    NotRead {
        what,
        why,
        remedy: Some(format!("add the output of: {remedy}")),
        is_forbidden: false,
    }
}

/// Maximum number of names to list.
const FEW: usize = 3;

fn get(what: &str, namespace: &str) -> String {
    format!("kubectl get {what} -n {namespace} -o yaml")
}
