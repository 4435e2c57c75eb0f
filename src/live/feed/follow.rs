//! Follows the selected HPAs.

mod doubt;
mod liveness;
mod plan;
mod previews;

use std::{
    collections::{BTreeMap, BTreeSet, VecDeque},
    future::pending,
    time::Duration,
};

use futures::{FutureExt as _, StreamExt as _, future::LocalBoxFuture, stream::FuturesUnordered};
use hpa_cluster::{Client, ClusterError, InformerChange, Informers, Polled, Selection};
use hpa_engine::model::{HpaKey, SnapshotField};
use hpa_objects::recording::{InvalidField, Snapshot};
use hpa_playback::{
    EarlierComparison, Pushed, Session,
    feed::{Agenda, AgendaItem, Due, FollowedHpa, Lateness, Polling, later, with_samples},
    sync_times::Starts,
};
use hpa_watch::{Event, source_of};
use jiff::{SignedDuration, Timestamp};

use crate::{cli::ControllerArgs, live::pulse::Pulse};

/// The output of the feed.
pub(crate) enum Fed {
    /// An event for the reducer.
    Event {
        /// The event.
        event: Event,
        /// Its time, by the server's clock.
        at: Timestamp,
    },
    /// What a sync of the controller found, with the time of the sync; comes before its `Event::Reconciled`.
    Settled(Box<Snapshot>),
    /// The last state of an HPA that is gone; comes before its `Event::Deleted`.
    Gone(Box<Snapshot>),
}

/// Follows the selected HPAs.
pub(crate) struct Feed<'a> {
    client: &'a Client,
    controller: &'a ControllerArgs,
    informers: Informers<'a>,
    session: Session,
    starts: Starts,
    /// Boxed, as nodes of the map are half empty.
    hpas: BTreeMap<HpaKey, Box<FollowedHpa>>,
    namespaces: BTreeMap<String, Polling>,
    polls: FuturesUnordered<LocalBoxFuture<'a, (String, Polled)>>,
    ready: VecDeque<Fed>,
    ticked: Timestamp,
    /// HPAs with invalid data.
    broken: BTreeSet<HpaKey>,
    /// Whether status writes cannot be observed now.
    is_deaf: bool,
    pulse: Pulse<'a>,
    /// Failures that are held back until it is known whether the API server answers at all, which would explain them.
    failing: Vec<Event>,
    /// Namespaces whose metrics were not read since the API server became silent.
    unread: BTreeSet<String>,
    /// When to read everything again, because something was missed; none: nothing was.
    caught_up_at: Option<Timestamp>,
    lateness: Lateness,
    /// A running measurement of an answer's time, and the sync period to compare it with.
    measuring: Option<LocalBoxFuture<'a, (Option<SignedDuration>, SignedDuration)>>,
    agenda: Agenda,
    /// HPAs whose items in the agenda may be out of date.
    stale: BTreeSet<HpaKey>,
    /// Namespaces with such HPAs.
    unplanned: BTreeSet<String>,
    /// Until when the plans of namespaces are valid.
    planned_until: BTreeMap<String, Timestamp>,
}

impl<'a> Feed<'a> {
    /// Starts to follow. Errors of the request are returned here; later there are none.
    pub(crate) async fn start(
        client: &'a Client,
        selection: &'a Selection,
        controller: &'a ControllerArgs,
    ) -> Result<Self, ClusterError> {
        let informers = Informers::start(client, selection).await?;
        let mut feed = Self {
            client,
            controller,
            session: Session::of_cluster(),
            starts: Starts::default(),
            hpas: BTreeMap::new(),
            namespaces: BTreeMap::new(),
            polls: FuturesUnordered::new(),
            ready: VecDeque::new(),
            ticked: client.now(),
            broken: BTreeSet::new(),
            is_deaf: false,
            pulse: Pulse::new(client),
            failing: Vec::new(),
            unread: BTreeSet::new(),
            caught_up_at: None,
            lateness: Lateness::default(),
            measuring: None,
            agenda: Agenda::default(),
            stale: BTreeSet::new(),
            unplanned: BTreeSet::new(),
            planned_until: BTreeMap::new(),
            informers,
        };
        for hpa in feed.informers.hpas() {
            feed.hpa_changed(hpa);
        }
        Ok(feed)
    }

    /// Why the recomputed controller may decide otherwise than this cluster's version, unless the user has set a version.
    pub(crate) fn unknown_version(&mut self) -> Option<String> {
        let not_read = self.present()?.not_read.into_iter();
        let mut version = not_read.filter(|one| one.what == SnapshotField::ControllerVersion);
        version.next().map(|version| version.why)
    }

    /// The followed HPAs.
    pub(crate) fn hpas(&self) -> Vec<HpaKey> {
        self.hpas.keys().cloned().collect()
    }

    /// The current data of any one of the HPAs; `None` if there are none.
    pub(crate) fn present(&mut self) -> Option<Snapshot> {
        let hpa = self.hpas.keys().next()?.clone();
        self.snapshot(&hpa)
    }

    /// Waits for the next output; never ends. Cancel-safe.
    pub(crate) async fn next(&mut self) -> Fed {
        loop {
            // The cluster's changes come first, because the time at which a write is observed gives the time of the
            // sync.
            for _ in 0..MOST_CHANGES {
                let Some(change) = self.informers.next().now_or_never() else {
                    break;
                };
                self.changed(change);
            }
            if let Some(fed) = self.ready.pop_front() {
                return fed;
            }
            let now = self.client.now();
            self.reschedule(now);
            if self.work(now) {
                // However much is due, keys and signals must be handled.
                tokio::task::yield_now().await;
                continue;
            }
            let pause = self.due().duration_since(now);
            tokio::select! {
                biased;
                change = self.informers.next() => self.changed(change),
                Some((namespace, polled)) = self.polls.next(), if !self.polls.is_empty() => {
                    self.polled(&namespace, polled);
                }
                (took, period) = measured(&mut self.measuring) => {
                    self.measuring = None;
                    let now = self.client.now();
                    let reported = took.and_then(|took| self.lateness.note(took, period));
                    if let Some(event) = reported {
                        self.report(event, now);
                    }
                }
                news = self.pulse.next() => self.pulse_reports(news),
                () = tokio::time::sleep(Duration::try_from(pause).unwrap_or_default()) => {}
            }
        }
    }

    fn changed(&mut self, change: InformerChange) {
        let now = self.client.now();
        if let InformerChange::Hpa(hpa)
        | InformerChange::Around(hpa)
        | InformerChange::Scaled(hpa)
        | InformerChange::Deleted(hpa) = &change
        {
            self.stale.insert(hpa.clone());
        }
        match change {
            InformerChange::Hpa(hpa) => self.hpa_changed(hpa),
            InformerChange::Around(hpa) => {
                self.want_if_unpolled(&hpa);
                if let Some(following) = self.hpas.get_mut(&hpa) {
                    following.note_change(now);
                }
            }
            InformerChange::Scaled(hpa) => {
                let snapshot = self.snapshot(&hpa);
                if let (Some(following), Some(snapshot)) = (self.hpas.get_mut(&hpa), snapshot) {
                    following.refresh_scaled(snapshot);
                }
            }
            InformerChange::Deleted(hpa) => self.gone(hpa, now),
            InformerChange::Failing { source, why } => self.fails(source, why, now),
            InformerChange::Recovered { source } => self.recovers(source, now),
        }
    }

    /// The HPA was deleted, or is no longer selected. Nothing of it applies to a later one of the same name.
    fn gone(&mut self, hpa: HpaKey, now: Timestamp) {
        let last = self.hpas.remove(&hpa).and_then(|known| known.last_state());
        if let Some(mut last) = last {
            last.time = last.time.max(now);
            last.hpa_deleted = Some(last.time);
            self.ready.push_back(Fed::Gone(Box::new(last)));
        }
        self.session.forget(&hpa);
        self.starts.forget(&hpa.to_string());
        if self.broken.remove(&hpa) {
            let source = source_of(&hpa);
            self.report(Event::Recovered { source }, now);
        }
        self.report(Event::Deleted { hpa }, now);
    }

    /// The HPA is new, edited, or has another status.
    fn hpa_changed(&mut self, hpa: HpaKey) {
        self.stale.insert(hpa.clone());
        let now = self.client.now();
        let Some(mut snapshot) = self.snapshot(&hpa) else {
            return;
        };
        let created = snapshot.hpa.metadata.creation_timestamp;
        let known = self.hpas.get(&hpa);
        if known.is_some_and(|known| known.is_before(created)) {
            // It was deleted and created again before either was heard.
            self.gone(hpa.clone(), now);
            snapshot.controller_started = self.starts.is_start(&snapshot);
        }
        let Some(following) = self.hpas.get_mut(&hpa) else {
            if let Some((seen, controller)) = self.sound(&hpa, snapshot.hpa_and_controller()) {
                let period = seen.spec.sync_period(&controller);
                let is_new = seen.status.conditions.is_empty();
                let is_synced_at_once = is_new && seen.is_synced_at_once(&controller);
                let following = FollowedHpa::new(snapshot, period, is_synced_at_once, now);
                self.namespaces
                    .entry(hpa.namespace.clone())
                    .or_default()
                    .want();
                self.hpas.insert(hpa, Box::new(following));
            }
            return;
        };
        if following.status != snapshot.hpa.status {
            self.written(&hpa, &snapshot, now);
            return;
        }
        following.note_change(now);
        if following.has_other_spec(&snapshot)
            && let Some((seen, controller)) = self.sound(&hpa, snapshot.hpa_and_controller())
            && seen.is_synced_at_once(&controller)
        {
            self.edited(&hpa, &snapshot, now);
        }
    }

    /// The spec was edited, as in `snapshot`, and the controller syncs that immediately.
    fn edited(&mut self, hpa: &HpaKey, snapshot: &Snapshot, now: Timestamp) {
        let Some(following) = self.hpas.get_mut(hpa) else {
            return;
        };
        if let Some(before) = following.edit(snapshot.clone(), now)
            && !self.is_deaf
        {
            self.settle(hpa, before, Some(snapshot));
        }
        self.preview_sync(hpa, now);
    }

    /// The controller has written the status in `after`.
    fn written(&mut self, hpa: &HpaKey, after: &Snapshot, now: Timestamp) {
        let Some(following) = self.hpas.get_mut(hpa) else {
            return;
        };
        let doubtful = following.doubtful.take();
        let missed = following.take_missed(now);
        let before = following.note_write(after.clone(), now);
        let earlier = doubtful.map(|doubtful| doubtful.before).into_iter();
        for earlier in earlier.chain(missed) {
            self.settle(hpa, earlier, None);
        }
        let Some(before) = before.map(|before| self.found(before, after)) else {
            return;
        };
        if self.reads_other_samples(&before, after) && self.poll_again(hpa, now) {
            if let Some(following) = self.hpas.get_mut(hpa) {
                following.doubt(before, now);
            }
            return;
        }
        self.settle(hpa, before, Some(after));
    }

    fn poll(&mut self, namespace: &str, now: Timestamp, is_extra: bool) {
        if let Some(polling) = self.namespaces.get_mut(namespace) {
            polling.begin(now, is_extra);
            self.agenda
                .set(AgendaItem::Poll(namespace.to_owned()), None);
            let poll = self.informers.poll(namespace);
            let namespace = namespace.to_owned();
            self.polls
                .push(async move { (namespace, poll.await) }.boxed_local());
        }
    }

    fn polled(&mut self, namespace: &str, polled: Polled) {
        let now = self.client.now();
        if let Some(polling) = self.namespaces.get_mut(namespace) {
            polling.end(now);
        }
        self.planned_until.remove(namespace);
        self.unplanned.insert(namespace.to_owned());
        if self.pulse.is_silent() {
            // The server is silent. The result of the poll may be older than the silence.
            self.unread.insert(namespace.to_owned());
            return;
        }
        self.unread.remove(namespace);
        for change in self.informers.take(polled) {
            self.changed(change);
        }
        self.measure(namespace);
        let hpas = self.in_namespace(namespace).map(|(hpa, _)| hpa.clone());
        for hpa in hpas.collect::<Vec<_>>() {
            self.stale.insert(hpa.clone());
            self.want_if_unpolled(&hpa);
            let is_early = self.informers.is_unpolled(&hpa) || self.informers.is_awaited(&hpa);
            let Some(snapshot) = self.snapshot(&hpa) else {
                continue;
            };
            let Some(following) = self.hpas.get_mut(&hpa) else {
                continue;
            };
            if is_early && following.waits(now) {
                continue;
            }
            // The sync read samples from before or after this poll: those closer to what it wrote count.
            if let Some(doubtful) = following.doubtful.take() {
                let other = with_samples(&doubtful.before, &snapshot);
                let written = &doubtful.written;
                let is_closer = self.fits(&doubtful.before, written) < self.fits(&other, written);
                let found = if is_closer { other } else { doubtful.before };
                self.settle(&hpa, found, Some(&snapshot));
            }
            // Once a sync may be over, newer samples are not what it found.
            if let Some(following) = self.hpas.get_mut(&hpa)
                && (following.pending.is_none() || !following.may_be_over(now))
            {
                following.refresh(snapshot);
                following.note_change(now);
            }
        }
    }

    /// If the HPA's target was read after the latest poll, requests an additional poll.
    fn want_if_unpolled(&mut self, hpa: &HpaKey) {
        if self.informers.is_unpolled(hpa)
            && !self.informers.is_awaited(hpa)
            && let Some(polling) = self.namespaces.get_mut(&hpa.namespace)
            && !polling.is_running()
        {
            polling.want();
        }
    }

    /// Handles one due item. Returns false if nothing is due.
    fn work(&mut self, now: Timestamp) -> bool {
        if later(self.ticked, TICK) <= now {
            self.tick(now);
            return true;
        }
        if self.pulse.is_silent() {
            // The known data is old, and nothing follows from it.
            return false;
        }
        if self.catches_up(now) {
            return true;
        }
        let first = self.agenda.first().filter(|(at, _)| *at <= now);
        let Some((_, item)) = first.cloned() else {
            return false;
        };
        match item {
            AgendaItem::Plan(namespace) => {
                self.agenda.set(AgendaItem::Plan(namespace.clone()), None);
                self.unplanned.insert(namespace);
            }
            AgendaItem::Poll(namespace) => match self.next_poll(&namespace) {
                Some(at) if at <= now => self.poll(&namespace, now, false),
                // The HPAs have changed since it was planned.
                next => self.agenda.set(AgendaItem::Poll(namespace), next),
            },
            AgendaItem::Hpa(hpa) if self.unread.contains(&hpa.namespace) => {
                // The known metrics are old.
                self.agenda
                    .set(AgendaItem::Hpa(hpa), Some(later(now, TICK)));
            }
            AgendaItem::Hpa(hpa) => {
                self.stale.insert(hpa.clone());
                let next = self.hpas.get(&hpa).and_then(|one| one.next());
                if let Some((_, due)) = next.filter(|(at, _)| *at <= now) {
                    self.hpa_due(&hpa, due, now);
                }
            }
        }
        true
    }

    fn hpa_due(&mut self, hpa: &HpaKey, due: Due, now: Timestamp) {
        let snapshot = self.snapshot(hpa);
        let (Some(following), Some(snapshot)) = (self.hpas.get_mut(hpa), snapshot) else {
            // The informers have dropped it, and will report that.
            self.hpas.remove(hpa);
            return;
        };
        match due {
            Due::Preview => {
                // If this is late, the sync may have started, and it found the previous data.
                if !following.may_be_over(now) {
                    following.refresh(snapshot);
                }
                self.preview_sync(hpa, now);
            }
            Due::Refresh => following.refresh(snapshot),
            Due::Show => {
                following.refresh(snapshot);
                self.show(hpa, now);
            }
            Due::Settle => {
                let before = following.note_no_write(snapshot.clone(), now);
                if let Some(before) = before.filter(|_| !self.is_deaf) {
                    self.settle(hpa, before, Some(&snapshot));
                } else {
                    // Nothing shows that there was a sync, but this is the current state.
                    self.show(hpa, now);
                }
            }
            Due::GiveUp => {
                if let Some(doubtful) = following.doubtful.take() {
                    self.settle(hpa, doubtful.before, Some(&snapshot));
                }
            }
        }
    }

    /// Reports what a sync found; `after` shows its result, if that was observed.
    fn settle(&mut self, hpa: &HpaKey, mut snapshot: Snapshot, after: Option<&Snapshot>) {
        snapshot.controller_started = self.starts.is_start(&snapshot);
        self.starts.note(&snapshot);
        let at = snapshot.time;
        let pushed = self.session.push(snapshot.clone());
        let Some(Pushed {
            mut reconcile,
            compared,
        }) = self.sound(hpa, pushed)
        else {
            return;
        };
        // What the snapshot shows about earlier syncs is older than its own event: a reader gets events in order.
        self.report_comparisons(compared, at);
        // Before its report: if the watch ends with this sync, the recording must contain it.
        self.ready.push_back(Fed::Settled(Box::new(snapshot)));
        let compared = after.and_then(|after| {
            let compared = self.session.compare(after);
            Some((self.sound(hpa, compared)?, after.time))
        });
        let (compared, compared_at) = compared.unwrap_or((Vec::new(), at));
        // Reported as the controller decided, if one of its possible histories allows that.
        let fit = compared.iter().rev().find(|one| one.time == at);
        if let Some(fit) = fit.and_then(|one| one.fit.clone()) {
            reconcile.adopt(fit);
        }
        self.report(Event::Reconciled(Box::new(reconcile.seen())), at);
        self.report_comparisons(compared, compared_at);
    }

    fn report_comparisons(&mut self, compared: Vec<EarlierComparison>, at: Timestamp) {
        for one in compared.into_iter().filter(|one| one.is_final) {
            let event = Event::Compared {
                at: one.time,
                agreement: one.agreement(),
                hpa: one.hpa,
            };
            self.report(event, at);
        }
    }

    fn report(&mut self, event: Event, at: Timestamp) {
        if matches!(event, Event::Seen(_) | Event::Reconciled(_)) {
            let heard_at = self.client.heard_at();
            self.ready.push_back(Fed::Event {
                event: Event::InformerInput,
                at: heard_at,
            });
        }
        self.ready.push_back(Fed::Event { event, at });
    }

    /// The HPA as the controller would find it now.
    fn snapshot(&mut self, hpa: &HpaKey) -> Option<Snapshot> {
        let mut snapshot = self.informers.snapshot(hpa)?;
        let applied = self.controller.apply(&mut snapshot);
        self.sound(hpa, applied)?;
        if let Some(period) = self.hpas.get(hpa).and_then(|one| one.learned_period()) {
            let controller = &mut snapshot.controller;
            controller.sync_period_seconds = Some(period.as_secs_f64());
            controller
                .provenance
                .insert("syncPeriodSeconds".to_owned(), "inferred".to_owned());
        }
        snapshot.controller_started = self.starts.is_start(&snapshot);
        Some(snapshot)
    }

    /// Reports once that data of an HPA is invalid, and once that it is valid again.
    fn sound<T>(&mut self, hpa: &HpaKey, result: Result<T, InvalidField>) -> Option<T> {
        let now = self.client.now();
        let source = source_of(hpa);
        match result {
            Ok(value) => {
                if self.broken.remove(hpa) {
                    self.report(Event::Recovered { source }, now);
                }
                Some(value)
            }
            Err(error) => {
                if self.broken.insert(hpa.clone()) {
                    let why = error.to_string();
                    let event = Event::Failing {
                        source,
                        why,
                        fresh_until: None,
                    };
                    self.report(event, now);
                }
                None
            }
        }
    }
}

/// Waits for a running measurement.
async fn measured(
    measuring: &mut Option<LocalBoxFuture<'_, (Option<SignedDuration>, SignedDuration)>>,
) -> (Option<SignedDuration>, SignedDuration) {
    match measuring {
        Some(measuring) => measuring.await,
        None => pending().await,
    }
}

/// Interval between ticks, which notice what depends on time alone.
const TICK: SignedDuration = SignedDuration::from_secs(1);

/// At most this many changes are applied before their effects are reported.
const MOST_CHANGES: usize = 64;
