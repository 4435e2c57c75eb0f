//! Requests for data that the watches do not provide.

use futures::{StreamExt as _, future, stream};
use hpa_engine::model::label_selector::Wording;
use hpa_objects::recording::wire::{NotRead, ObjectReference};

use super::metrics::{MetricsPlan, PATIENCE};
use crate::{
    PARALLEL,
    client::{Client, ClientError},
    control_plane::ControlPlane,
    controller_manager::{self, Leader},
    discovery::{Discovery, Mapping},
    selection,
    state::{GroupKind, Metrics, Turn},
    target::{self, TargetKey, TargetReads},
    written_hpa::WrittenHpa,
};

/// The result of a request.
#[derive(Debug)]
pub(super) enum RequestResult {
    /// The mappings of a kind.
    Kind(GroupKind, Result<Vec<Mapping>, ClientError>),
    /// A target, or only its scale, and when the read began.
    Target((TargetKey, Turn), Box<TargetReads>),
}

/// Requests the mappings of a kind.
pub(super) async fn kind(client: &Client, discovery: &Discovery, kind: GroupKind) -> RequestResult {
    let mappings = discovery.mappings(client, &kind.0, &kind.1).await;
    RequestResult::Kind(kind, mappings)
}

/// Reads one target.
pub(super) async fn target(
    client: &Client,
    discovery: &Discovery,
    key: (TargetKey, Turn),
    reference: ObjectReference,
    wording: Wording,
) -> RequestResult {
    let reads = target::read(client, discovery, &key.0.namespace, &reference, wording).await;
    RequestResult::Target(key, Box::new(reads))
}

/// Reads the scale of a target.
pub(super) async fn scale(
    client: &Client,
    discovery: &Discovery,
    key: (TargetKey, Turn),
) -> RequestResult {
    let reads = target::with_scale(client, discovery, &key.0, TargetReads::default()).await;
    RequestResult::Target(key, Box::new(reads))
}

/// The contents of one poll.
pub(super) struct Poll {
    pub(super) namespace: String,
    pub(super) metrics: MetricsPlan,
    pub(super) wording: Wording,
    /// What to read of the control plane; none: nothing.
    pub(super) plane: Option<AskPlane>,
    /// Kinds that the server did not know.
    pub(super) kinds: Vec<GroupKind>,
    /// Targets that can only be read by a request, or whose latest read failed.
    pub(super) targets: Vec<(TargetKey, ObjectReference)>,
    /// Targets whose scale could not be read.
    pub(super) scales: Vec<TargetKey>,
    /// When the reads of these begin.
    pub(super) begun: Turn,
    /// HPAs that may only be read individually.
    pub(super) hpas: Vec<String>,
}

/// What to read of the control plane.
pub(super) enum AskPlane {
    /// The leader, and the rest if the leader has changed.
    Leader(Option<Leader>),
    /// Everything.
    All,
}

impl AskPlane {
    async fn read(self, client: &Client) -> Option<Result<ControlPlane, NotRead>> {
        if let Self::Leader(known) = self {
            match controller_manager::read_leader(client).await {
                Ok(leader) if leader == known => return None,
                Ok(_) => {}
                Err(reason) => return Some(Err(reason)),
            }
        }
        // A slower read is repeated in the next poll, and the metrics do not wait for it.
        let read = tokio::time::timeout(PATIENCE, ControlPlane::read(client));
        read.await.ok().map(Ok)
    }
}

/// The result of one poll of a namespace.
#[derive(Debug)]
pub struct Polled {
    pub(super) namespace: String,
    pub(super) metrics: Metrics,
    /// Version, leader and flags, if they were read; an error if it is not known whether the leader changed.
    pub(super) plane: Option<Result<ControlPlane, NotRead>>,
    pub(super) reads: Vec<RequestResult>,
    pub(super) hpas: Vec<(String, Result<Option<WrittenHpa>, ClientError>)>,
}

impl Poll {
    /// Reads everything in parallel.
    pub(super) async fn read(self, client: &Client, discovery: &Discovery) -> Polled {
        discovery.forget_failures();
        let (wording, begun) = (self.wording, self.begun);
        let plane = async { self.plane?.read(client).await };
        let kinds = stream::iter(self.kinds)
            .map(|one| kind(client, discovery, one))
            .buffer_unordered(PARALLEL)
            .collect::<Vec<_>>();
        let targets = stream::iter(self.targets)
            .map(|(key, reference)| target(client, discovery, (key, begun), reference, wording))
            .buffer_unordered(PARALLEL)
            .collect::<Vec<_>>();
        let scales = stream::iter(self.scales)
            .map(|key| scale(client, discovery, (key, begun)))
            .buffer_unordered(PARALLEL)
            .collect::<Vec<_>>();
        let hpas = stream::iter(self.hpas)
            .map(|name| async {
                let read = selection::read_one(client, &name).await;
                (name, read)
            })
            .buffer_unordered(PARALLEL)
            .collect();
        let rest = future::join4(kinds, targets, scales, hpas);
        let (metrics, plane, (mut reads, targets, scales, hpas)) =
            future::join3(self.metrics.read(client, discovery), plane, rest).await;
        reads.extend(targets);
        reads.extend(scales);
        Polled {
            namespace: self.namespace,
            metrics,
            plane,
            reads,
            hpas,
        }
    }
}
