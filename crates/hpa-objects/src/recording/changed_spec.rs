//! A snapshot with another spec of its HPA. What was read stays; what only the new spec needs is missing.

use hpa_engine::model::SnapshotField;

use super::{
    Snapshot, group_of,
    wire::{Controller, HpaSpec, IndexedAnswer, MetricRead, NotRead, ObjectReference},
};

/// What a changed spec needs that was not read for the old one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MissingReads {
    /// The target is different: scale, pods and everything about them is missing.
    pub target: bool,
    /// Usages of the pods.
    pub pod_metrics: bool,
    /// Indices of Pods and Object metrics.
    pub custom: Vec<usize>,
    /// Indices of External metrics.
    pub external: Vec<usize>,
}

impl Snapshot {
    /// The snapshot with another spec, and what it is missing. Answers stay with their metric, whatever its new index.
    #[must_use]
    pub fn with_spec(&self, spec: HpaSpec) -> (Self, MissingReads) {
        let mut changed = self.clone();
        changed.outcome = None;
        let before = &self.hpa.spec;
        let mut missing = MissingReads {
            target: !is_same_target(&before.scale_target_ref, &spec.scale_target_ref),
            ..MissingReads::default()
        };
        missing.pod_metrics = spec.reads_usages() && (missing.target || !before.reads_usages());
        changed.custom_metrics.clear();
        changed.external_metrics.clear();
        changed.not_read.retain(|one| {
            !matches!(
                one.what,
                SnapshotField::CustomMetrics(Some(_)) | SnapshotField::ExternalMetrics(Some(_))
            )
        });
        for (index, metric) in spec.metrics.iter().enumerate() {
            let read = metric.read();
            let (list, field): (_, fn(Option<usize>) -> SnapshotField) = match read {
                None | Some(MetricRead::Usages) => continue,
                Some(MetricRead::OfPods(_) | MetricRead::OfObject(..)) => {
                    (&mut missing.custom, SnapshotField::CustomMetrics)
                }
                Some(MetricRead::External(_)) => {
                    (&mut missing.external, SnapshotField::ExternalMetrics)
                }
            };
            let is_of_pods = read.is_some_and(MetricRead::is_of_pods);
            let was = before
                .metrics
                .iter()
                .position(|one| one.read() == read)
                .filter(|_| !(missing.target && is_of_pods));
            let Some(was) = was else {
                list.push(index);
                continue;
            };
            changed
                .custom_metrics
                .extend(moved(&self.custom_metrics, was, index));
            changed
                .external_metrics
                .extend(moved(&self.external_metrics, was, index));
            let what = field(Some(was));
            let not_read = self.not_read.iter().find(|one| one.what == what);
            changed.not_read.extend(not_read.map(|one| NotRead {
                what: field(Some(index)),
                ..one.clone()
            }));
        }
        if missing.target {
            changed.scale = None;
            changed.scale_error = None;
            changed.target = None;
            changed.pods.clear();
            changed.pod_metrics = None;
        }
        let counts_edits = |controller: &Controller| {
            let config = controller.to_model().ok();
            config.is_some_and(|config| config.feature_gates.hpa_generation.value)
        };
        if spec != *before && counts_edits(&self.controller) {
            let generation = &mut changed.hpa.metadata.generation;
            *generation = generation.map(|generation| generation.saturating_add(1));
        }
        changed.hpa.spec = spec;
        (changed, missing)
    }

    /// Records everything that is missing as not read, with the reason.
    pub fn note_missing(&mut self, missing: &MissingReads, why: &str) {
        let mut what = Vec::new();
        if missing.target {
            what.push(SnapshotField::Scale);
        } else if missing.pod_metrics {
            what.push(SnapshotField::PodMetrics);
        }
        let of = |index: &usize| Some(*index);
        what.extend(
            missing
                .custom
                .iter()
                .map(of)
                .map(SnapshotField::CustomMetrics),
        );
        what.extend(
            missing
                .external
                .iter()
                .map(of)
                .map(SnapshotField::ExternalMetrics),
        );
        self.not_read.extend(what.into_iter().map(|what| NotRead {
            what,
            why: why.to_owned(),
            remedy: None,
            is_forbidden: false,
        }));
    }
}

impl MissingReads {
    /// Whether nothing is missing.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// The controller uses group, kind and name.
fn is_same_target(one: &ObjectReference, other: &ObjectReference) -> bool {
    let group = |reference: &ObjectReference| {
        let version = reference.api_version.as_deref().unwrap_or_default();
        group_of(version).to_owned()
    };
    (group(one), &one.kind, &one.name) == (group(other), &other.kind, &other.name)
}

fn moved<T: Clone>(
    answers: &[IndexedAnswer<T>],
    from: usize,
    to: usize,
) -> impl Iterator<Item = IndexedAnswer<T>> {
    let answers = answers.iter().filter(move |answer| answer.index == from);
    answers.map(move |answer| IndexedAnswer {
        index: to,
        ..answer.clone()
    })
}
