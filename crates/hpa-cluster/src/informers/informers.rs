//! Runs all watches and applies their events to the known state.

mod apply;
mod plan;
mod related;
mod targets;

use std::{
    cell::Cell,
    collections::{BTreeMap, BTreeSet, VecDeque},
    future,
    rc::Rc,
};

use futures::{
    FutureExt as _, StreamExt as _,
    future::LocalBoxFuture,
    stream::{BoxStream, FuturesUnordered, SelectAll},
};
use hpa_engine::model::{HpaKey, KnownKind, SnapshotField, Source};
use hpa_objects::recording::{Snapshot, wire::NotRead};
use jiff::SignedDuration;
use tokio::{
    sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel},
    time::{Duration, Instant},
};

use super::{
    InformerChange,
    changes::Changes,
    connection::{WatchAnswer, observed},
    failing::FailingSources,
    reads::{Polled, RequestResult},
    subject::{WatchEvent, WatchId, WatchTask, What, resource},
};
use crate::{
    PARALLEL,
    client::Client,
    control_plane::ControlPlane,
    discovery::Discovery,
    error::ClusterError,
    hpa_resource::{GROUP, RESOURCE, VERSION},
    selection::{self, Matcher, Selection},
    state::{ClusterState, Effect, Hpas, KindState, QUOTAS, group_kind, not_yet},
    target::TargetKey,
};

/// HPAs, their pods, targets and Events, kept current by watches, and their metrics from the latest poll.
pub struct Informers<'a> {
    client: &'a Client,
    discovery: Rc<Discovery>,
    /// The watched namespace; empty: all namespaces.
    namespace: &'a str,
    /// The HPAs that are watched individually, because they may not be listed.
    names: BTreeMap<WatchId, &'a str>,
    state: ClusterState,
    watches: Vec<WatchTask>,
    streams: SelectAll<BoxStream<'static, (WatchId, WatchEvent)>>,
    answers: UnboundedReceiver<WatchAnswer>,
    report: UnboundedSender<WatchAnswer>,
    reads: FuturesUnordered<LocalBoxFuture<'a, RequestResult>>,
    /// Reads that wait for a free slot.
    waiting: VecDeque<LocalBoxFuture<'a, RequestResult>>,
    /// Targets that changed while their scale was read.
    again: BTreeSet<TargetKey>,
    /// Targets whose HPAs have another neighbor, with the HPAs that changed; not reported yet.
    rivals_of: BTreeMap<TargetKey, BTreeSet<HpaKey>>,
    /// Whether there may be new kinds to watch or targets to read.
    is_restless: bool,
    changes: Changes,
    /// The metrics APIs that failed in the last poll.
    failing: FailingSources,
    /// When to read the leader again, and the parts of the control plane that could not be read.
    leader_at: Cell<Instant>,
    /// The fastest response time in the latest poll.
    fastest_answer: Option<SignedDuration>,
}

enum InformerInput {
    WatchEvent(WatchId, WatchEvent),
    Read(Box<RequestResult>),
    Answered(WatchAnswer),
}

impl<'a> Informers<'a> {
    /// Lists everything and starts the watches. Errors are those of [`super::super::gather`]: the HPA does not exist,
    /// or HPAs may not be read.
    pub async fn start(client: &'a Client, selection: &'a Selection) -> Result<Self, ClusterError> {
        let matcher = Matcher::new(selection)?;
        let (selected, plane) = futures::future::try_join(
            selection::select(client, selection, false),
            ControlPlane::read(client).map(Ok),
        )
        .await?;
        let namespace = selection::namespace(client, selection);
        let unlisted = selected.others_not_read(namespace);
        let is_listed = unlisted.is_none();
        let mut plane_at = Instant::now();
        if !plane.is_incomplete {
            plane_at += LEADER_PERIOD;
        }
        let (report, answers) = unbounded_channel();
        let mut informers = Self {
            client,
            discovery: Rc::default(),
            namespace,
            names: BTreeMap::new(),
            state: ClusterState::new(plane, unlisted, Hpas::new(matcher)),
            watches: Vec::new(),
            streams: SelectAll::new(),
            answers,
            report,
            reads: FuturesUnordered::new(),
            waiting: VecDeque::new(),
            again: BTreeSet::new(),
            rivals_of: BTreeMap::new(),
            is_restless: true,
            changes: Changes::default(),
            failing: FailingSources::default(),
            leader_at: Cell::new(plane_at),
            fastest_answer: None,
        };
        let not_yet = not_yet(SnapshotField::ResourceQuotas);
        informers.state.unread.set(QUOTAS, Some(not_yet));
        informers.state.quotas = Some(BTreeMap::new());
        for hpa in selected.written() {
            informers.state.put_hpa(hpa);
        }
        // The watches give newer ones.
        drop(selected);
        informers.watch_hpas(selection, is_listed);
        informers.watch_pods_and_events(selection);
        informers.settle();
        while !informers.is_settled() {
            informers.step().await;
        }
        client.take_requests();
        informers.changes.keep_failures();
        Ok(informers)
    }

    /// Waits for the next change. Never ends. It may be dropped while it waits, without losing changes. Watches make
    /// progress only while it is awaited.
    pub async fn next(&mut self) -> InformerChange {
        loop {
            if let Some(change) = self.changes.pop() {
                return change;
            }
            self.step().await;
        }
    }

    /// The selected HPAs, including those created since the start, by namespace and name.
    pub fn hpas(&self) -> Vec<HpaKey> {
        self.state.hpas.selected().iter().cloned().collect()
    }

    /// Reads all metrics of the namespace's selected HPAs once, and other data that no watch provides. Runs
    /// concurrently with [`Self::next`].
    pub fn poll(&self, namespace: &str) -> impl Future<Output = Polled> + use<'a> {
        let poll = self.plan(namespace);
        let (client, discovery) = (self.client, Rc::clone(&self.discovery));
        async move { poll.read(client, &discovery).await }
    }

    /// Applies a poll: later snapshots include it. Returns the metrics APIs that fail or work again; other changes
    /// come from [`Self::next`].
    pub fn take(&mut self, polled: Polled) -> Vec<InformerChange> {
        let Polled {
            namespace,
            mut metrics,
            plane,
            reads,
            hpas,
        } = polled;
        // These are requests of the polls; they are not needed any more.
        let requests = self.client.take_requests().into_iter();
        self.fastest_answer = requests
            .filter(|one| one.status.is_some())
            .map(|one| one.took)
            .min();
        match plane {
            Some(Ok(plane)) => self.take_plane(plane),
            Some(Err(NotRead {
                remedy: Some(_), ..
            })) => self.leader_at.set(Instant::now() + REFUSED_PERIOD),
            Some(Err(_)) | None => {}
        }
        for read in reads {
            self.take_read(read);
        }
        for (name, read) in hpas {
            self.take_hpa(name, read);
        }
        self.settle();
        if !self.state.hpas.has_selected_in(&namespace) {
            return Vec::new();
        }
        let health = metrics.health(&namespace);
        let changes = self.failing.note(&namespace, health, metrics.is_whole());
        metrics.index(&namespace, &self.state.pods);
        self.state.metrics.insert(namespace, metrics);
        changes
    }

    /// The fastest response time in the latest applied poll; `None` if nothing was answered.
    pub fn fastest_answer(&self) -> Option<SignedDuration> {
        self.fastest_answer
    }

    /// The HPA as the controller would find it now, from the known state, without any request. `None` if the HPA does
    /// not exist or is not selected.
    pub fn snapshot(&self, hpa: &HpaKey) -> Option<Snapshot> {
        let is_selected = self.state.hpas.is_selected(hpa);
        is_selected.then(|| self.state.snapshot(self.client, hpa))?
    }

    /// Whether the latest poll of the namespace has no data for this HPA, because it started before the HPA existed or
    /// its target was read.
    pub fn is_unpolled(&self, hpa: &HpaKey) -> bool {
        self.state.is_unpolled(hpa)
    }

    /// Whether the HPA's target is still being read. The result is reported as a change.
    pub fn is_awaited(&self, hpa: &HpaKey) -> bool {
        self.state.is_awaited(hpa)
    }

    fn watch_hpas(&mut self, selection: &'a Selection, is_listed: bool) {
        let kind = || resource(GROUP, VERSION, "HorizontalPodAutoscaler", RESOURCE);
        let known: Vec<_> = self
            .state
            .hpas
            .all()
            .map(|key| (key.namespace.clone(), key.name.clone()))
            .collect();
        if is_listed {
            let mut hpas = WatchTask::new(What::Hpas, kind(), self.namespace, String::new());
            hpas.knows(known);
            self.watch(hpas);
            return;
        }
        for name in selection::bare_names(selection) {
            let fields = format!("metadata.name={name}");
            let mut hpa = WatchTask::new(What::Hpas, kind(), self.namespace, fields);
            hpa.knows(known.iter().filter(|(_, known)| known == name).cloned());
            let id = self.watch(hpa);
            self.names.insert(id, name);
        }
    }

    fn watch_pods_and_events(&mut self, selection: &Selection) {
        let mut about = "involvedObject.kind=HorizontalPodAutoscaler".to_owned();
        if let Some(name) = selection.single_name() {
            about.push_str(",involvedObject.name=");
            about.push_str(name);
        }
        let kind = |kind, plural| resource("", "v1", kind, plural);
        let pods = WatchTask::new(
            What::Pods,
            kind("Pod", "pods"),
            self.namespace,
            String::new(),
        );
        let events = WatchTask::new(What::Events, kind("Event", "events"), self.namespace, about);
        self.watch(pods);
        self.watch(events);
    }

    /// Quotas matter only once one has refused pods.
    fn watch_quotas(&mut self) {
        if self.state.targets.sets.has_quota_refused
            && !self.watches.iter().any(|watch| watch.what == What::Quotas)
        {
            let kind = resource("", "v1", "ResourceQuota", "resourcequotas");
            let fields = String::new();
            self.watch(WatchTask::new(What::Quotas, kind, self.namespace, fields));
        }
    }

    fn watch(&mut self, subject: WatchTask) -> WatchId {
        let id = WatchId(self.watches.len());
        let http = observed(self.client, id, self.report.clone());
        let event = subject.start(http, self.client.contact().clone());
        let event = event.map(move |event| (id, event)).boxed();
        self.streams.push(event);
        self.watches.push(subject);
        self.note_unread(id);
        id
    }

    /// Whether a request is pending without any answer, for example because the connection was lost.
    pub fn is_catching_up(&self) -> bool {
        !self.watches.iter().all(WatchTask::is_settled)
    }

    /// Whether everything was answered, possibly with an error.
    fn is_settled(&self) -> bool {
        self.reads.is_empty() && !self.is_catching_up()
    }

    /// Waits for the next result, and applies it together with whatever else has arrived.
    async fn step(&mut self) {
        let heard = tokio::select! {
            Some((id, event)) = self.streams.next(), if !self.streams.is_empty() => InformerInput::WatchEvent(id, event),
            Some(read) = self.reads.next(), if !self.reads.is_empty() => InformerInput::Read(Box::new(read)),
            Some(answered) = self.answers.recv() => InformerInput::Answered(answered),
            // There is always a pending answer.
            else => future::pending().await,
        };
        match heard {
            InformerInput::WatchEvent(id, event) => self.hear(id, event),
            InformerInput::Read(read) => self.take_read(*read),
            InformerInput::Answered(answered) => self.note(answered),
        }
        for _ in 0..AT_ONCE {
            // A rescale is looked at with the pods that the controller saw, before later events replace them.
            if self.changes.is_urgent() {
                break;
            }
            match self.streams.next().now_or_never() {
                Some(Some((id, event))) => self.hear(id, event),
                _ => break,
            }
        }
        while let Ok(answered) = self.answers.try_recv() {
            self.note(answered);
        }
        self.settle();
    }

    fn hear(&mut self, id: WatchId, event: WatchEvent) {
        let watch = &mut self.watches[id.0];
        let is_over = !matches!(event, WatchEvent::Failed(_)) && watch.understand();
        let source = watch.source();
        for name in watch.note(&event) {
            let effect = self.remove(id, &name);
            self.affect(effect);
        }
        if is_over {
            self.recover(source);
        }
        match event {
            WatchEvent::Begin | WatchEvent::Remove(_) => {}
            WatchEvent::Put(name, kept) => {
                let effect = self.put(id, name, kept);
                self.affect(effect);
            }
            WatchEvent::Complete => {
                self.is_restless = true;
                self.note_unread(id);
                self.refresh_kind(id);
            }
            WatchEvent::Failed(error) => {
                self.is_restless = true;
                let source = self.watches[id.0].source();
                let is_known = self.is_reported(&source);
                let why =
                    self.watches[id.0].fail(self.client, &error, self.client.contact().is_lost());
                self.note_unread(id);
                if let Some(why) = why.filter(|_| !is_known) {
                    self.changes.push(InformerChange::Failing { source, why });
                }
            }
        }
    }

    fn note(&mut self, answered: WatchAnswer) {
        if let Some((date, sent, received)) = answered.clock {
            self.client.note_clock(date, sent, received);
        }
        let watch = &mut self.watches[answered.id.0];
        let is_over = answered.is_watch && answered.is_success && watch.connect();
        let source = watch.source();
        if is_over {
            self.recover(source);
        }
    }

    /// Ends the failure of one watch.
    fn recover(&mut self, source: Source) {
        if !self.is_reported(&source) {
            self.changes.push(InformerChange::Recovered { source });
        }
    }

    /// Whether the data of a failing source gets old: it was read before, and it is not listed periodically.
    pub fn is_silent(&self, source: &Source) -> bool {
        let mut watches = self.watches.iter();
        matches!(source, Source::Metrics { .. })
            || watches.any(|one| one.source() == *source && one.is_complete && !one.is_listed)
    }

    fn is_reported(&self, source: &Source) -> bool {
        let mut watches = self.watches.iter();
        watches.any(|watch| watch.is_reported && watch.source() == *source)
    }

    fn affect(&mut self, effect: Effect) {
        let Effect {
            hpa,
            deleted,
            around,
            rivals_of,
            scaled,
            scale,
            new_target,
        } = effect;
        let origin = hpa.as_ref().or(deleted.as_ref());
        for target in rivals_of {
            let origins = self.rivals_of.entry(target).or_default();
            origins.extend(origin.cloned());
        }
        if let Some(hpa) = hpa {
            self.is_restless = true;
            self.changes.push(InformerChange::Hpa(hpa));
        }
        if let Some(deleted) = deleted {
            if !self.state.hpas.has_selected_in(&deleted.namespace) {
                // Those of a later HPA are read anew.
                self.state.metrics.remove(&deleted.namespace);
                for recovered in self.failing.forget(&deleted.namespace) {
                    self.changes.push(recovered);
                }
            }
            self.changes.push(InformerChange::Deleted(deleted));
        }
        for hpa in scaled {
            if self.state.hpas.is_selected(&hpa) {
                self.changes.push(InformerChange::Scaled(hpa));
            }
        }
        self.report_related(around);
        if let Some(scale) = scale {
            self.want_scale(scale);
        }
        if let Some(target) = new_target {
            self.is_restless = true;
            let kind = self.state.targets.kinds.get(&group_kind(&target));
            if matches!(kind, Some(KindState::Watched(_))) {
                // The watch reported it when it was not needed.
                self.want_target(target);
            }
        }
    }

    fn take_plane(&mut self, plane: ControlPlane) {
        let plane = plane.or_known(&self.state.plane);
        if plane == self.state.plane {
            return;
        }
        self.state.plane = plane;
        self.refresh_targets(|_| true);
        self.report_related(self.state.hpas.selected().clone());
    }

    /// Opens the required watches, and starts the required reads.
    fn settle(&mut self) {
        // Once for all events of a step: while thousands of HPAs are listed, each kind is asked for once.
        self.report_rivals();
        if std::mem::take(&mut self.is_restless) {
            for kind in self.state.new_kinds() {
                self.ask_kind(kind);
            }
            let sets = ("apps".to_owned(), KnownKind::REPLICA_SET.to_owned());
            if !self.state.targets.kinds.contains_key(&sets) && self.state.scales_a_deployment() {
                self.ask_kind(sets);
            }
            for key in self.state.first_alone() {
                self.want_target(key);
            }
        }
        self.watch_quotas();
        while self.reads.len() < PARALLEL
            && let Some(read) = self.waiting.pop_front()
        {
            self.reads.push(read);
        }
        self.state.pods.settle();
    }
}

/// Least time between two reads of the leader.
const LEADER_PERIOD: Duration = Duration::from_secs(10);
/// The same if the leader may not be read.
const REFUSED_PERIOD: Duration = Duration::from_mins(5);
/// Events that are applied before the first change is reported: simultaneous changes are reported together.
const AT_ONCE: usize = 1000;
