//! Follows the selected HPAs.

use std::{
    collections::{BTreeMap, BTreeSet, VecDeque},
    time::Duration,
};

use futures::{FutureExt as _, StreamExt as _, future::LocalBoxFuture, stream::FuturesUnordered};
use jiff::{SignedDuration, Timestamp};

use super::{
    hpa::{Due, Following},
    polling::{Beat, Polling, later},
    samples::with_samples,
};
use crate::{
    cli::ControllerArgs,
    cluster::{Change, Client, Error, Informers, Polled, Selection},
    commands::{controller_flags, sync_times::Starts},
    playback::{Judged, Reconcile, Session},
    recording::{InvalidField, Snapshot},
    watch::{Event, HpaKey, Source},
};

/// What the feed gives.
pub(in crate::commands::watch) enum Fed {
    /// Something for the reducer.
    Event {
        /// What happened.
        event: Event,
        /// When, by the server's clock.
        at: Timestamp,
    },
    /// What a sync of the controller found, with the time of the sync; comes before its `Event::Reconciled`.
    Settled(Box<Snapshot>),
}

/// Follows the selected HPAs.
pub(in crate::commands::watch) struct Feed<'a> {
    client: &'a Client,
    controller: &'a ControllerArgs,
    informers: Informers<'a>,
    session: Session,
    starts: Starts,
    hpas: BTreeMap<HpaKey, Following>,
    namespaces: BTreeMap<String, Polling>,
    polls: FuturesUnordered<LocalBoxFuture<'a, (String, Polled)>>,
    ready: VecDeque<Fed>,
    ticked: Timestamp,
    /// HPAs in which something makes no sense.
    broken: BTreeSet<HpaKey>,
    /// Whether writes of statuses cannot be seen at present.
    is_deaf: bool,
}

impl<'a> Feed<'a> {
    /// Begins to follow. What is wrong with the request is an error here; afterwards there are none.
    pub(in crate::commands::watch) async fn start(
        client: &'a Client,
        selection: &'a Selection,
        controller: &'a ControllerArgs,
    ) -> Result<Self, Error> {
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
            informers,
        };
        for hpa in feed.informers.hpas() {
            feed.hpa_changed(hpa);
        }
        Ok(feed)
    }

    /// The HPAs that are followed.
    pub(in crate::commands::watch) fn hpas(&self) -> Vec<HpaKey> {
        self.hpas.keys().cloned().collect()
    }

    /// Waits for the next thing; never ends. May be dropped while it waits, without loss.
    pub(in crate::commands::watch) async fn next(&mut self) -> Fed {
        loop {
            // The cluster is heard first, because when a write is heard of tells when the sync was.
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
            if self.work(now) {
                continue;
            }
            let pause = self.due().duration_since(now);
            tokio::select! {
                biased;
                change = self.informers.next() => self.changed(change),
                Some((namespace, polled)) = self.polls.next(), if !self.polls.is_empty() => {
                    self.polled(&namespace, polled);
                }
                () = tokio::time::sleep(Duration::try_from(pause).unwrap_or_default()) => {}
            }
        }
    }

    fn changed(&mut self, change: Change) {
        let now = self.client.now();
        match change {
            Change::Hpa(hpa) => self.hpa_changed(hpa),
            Change::Around(hpa) => {
                if let Some(following) = self.hpas.get_mut(&hpa) {
                    following.note_change(now);
                }
            }
            Change::Scaled(hpa) => {
                let snapshot = self.snapshot(&hpa);
                if let (Some(following), Some(snapshot)) = (self.hpas.get_mut(&hpa), snapshot) {
                    following.refresh_scaled(snapshot);
                }
            }
            Change::Gone(hpa) => {
                self.hpas.remove(&hpa);
                self.session.forget(&hpa);
                self.starts.forget(&hpa.to_string());
                self.tell(Event::Gone { hpa }, now);
            }
            Change::Failing { source, why } => {
                self.is_deaf |= is_of_hpas(&source);
                self.tell(Event::Failing { source, why }, now);
            }
            Change::Recovered { source } => {
                self.is_deaf &= !is_of_hpas(&source);
                self.tell(Event::Recovered { source }, now);
            }
        }
    }

    /// The HPA is new, edited, or has another status.
    fn hpa_changed(&mut self, hpa: HpaKey) {
        let now = self.client.now();
        let Some(snapshot) = self.snapshot(&hpa) else {
            return;
        };
        let Some(following) = self.hpas.get_mut(&hpa) else {
            let status = snapshot.hpa.status.clone();
            if let Some(controller) = self.sound(&hpa, snapshot.controller.to_model()) {
                let following = Following::new(controller.sync_period, status, now);
                self.namespaces
                    .entry(hpa.namespace.clone())
                    .or_insert_with(Polling::new)
                    .want();
                self.hpas.insert(hpa, following);
            }
            return;
        };
        if following.status == snapshot.hpa.status {
            following.note_change(now);
        } else {
            self.written(&hpa, &snapshot, now);
        }
    }

    /// The controller has written the status that `after` has.
    fn written(&mut self, hpa: &HpaKey, after: &Snapshot, now: Timestamp) {
        let Some(following) = self.hpas.get_mut(hpa) else {
            return;
        };
        let doubtful = following.doubtful.take();
        let missed = following.take_missed(now);
        let before = following.note_write(after.clone(), now);
        let earlier = doubtful.map(|doubtful| doubtful.before).into_iter();
        for earlier in earlier.chain(missed) {
            self.settle(hpa, earlier);
        }
        let Some(before) = before else {
            return;
        };
        if self.reads_other_samples(&before, after) && self.poll_again(hpa, now) {
            if let Some(following) = self.hpas.get_mut(hpa) {
                following.doubt(before, now);
            }
            return;
        }
        self.settle(hpa, before);
        self.judge(hpa, after);
    }

    /// Whether the controller wrote other metrics than those that follow from the snapshot.
    fn reads_other_samples(&self, before: &Snapshot, after: &Snapshot) -> bool {
        let predicted = self.session.preview(before).ok();
        predicted
            .and_then(|reconcile| reconcile.predicted)
            .is_some_and(|predicted| {
                predicted.status.current_metrics != after.hpa.status.current_metrics
            })
    }

    /// Sees to it that metrics are on their way. False: not more often than that.
    fn poll_again(&mut self, hpa: &HpaKey, now: Timestamp) -> bool {
        let period = self.period(&hpa.namespace);
        let Some(polling) = self.namespaces.get(&hpa.namespace) else {
            return false;
        };
        if polling.is_running() {
            return true;
        }
        if !polling.may_poll_again(now, period) {
            return false;
        }
        self.poll(&hpa.namespace.clone(), now, true);
        true
    }

    fn poll(&mut self, namespace: &str, now: Timestamp, is_extra: bool) {
        if let Some(polling) = self.namespaces.get_mut(namespace) {
            polling.begin(now, is_extra);
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
        for change in self.informers.take(polled) {
            self.changed(change);
        }
        let hpas: Vec<HpaKey> = self
            .hpas
            .keys()
            .filter(|hpa| hpa.namespace == namespace)
            .cloned()
            .collect();
        for hpa in hpas {
            let Some(snapshot) = self.snapshot(&hpa) else {
                continue;
            };
            let Some(following) = self.hpas.get_mut(&hpa) else {
                continue;
            };
            if let Some(doubtful) = following.doubtful.take() {
                let other = with_samples(&doubtful.before, &snapshot);
                let written = &doubtful.written.current_metrics;
                let fits = self.session.preview(&other).is_ok_and(|reconcile| {
                    reconcile
                        .predicted
                        .is_some_and(|predicted| predicted.status.current_metrics == *written)
                });
                let found = if fits { other } else { doubtful.before };
                self.settle(&hpa, found);
                self.judge(&hpa, &snapshot);
            }
            if let Some(following) = self.hpas.get_mut(&hpa)
                && (following.pending.is_none() || !following.may_be_over(now))
            {
                following.refresh(snapshot);
                following.note_change(now);
            }
        }
    }

    /// Does one thing that is due. False: there is nothing.
    fn work(&mut self, now: Timestamp) -> bool {
        if later(self.ticked, TICK) <= now {
            self.ticked = now;
            self.tell(Event::Tick, now);
            return true;
        }
        let polls = self.namespaces.keys().cloned().collect::<Vec<_>>();
        let due = |namespace: &String| self.next_poll(namespace).is_some_and(|at| at <= now);
        if let Some(namespace) = polls.into_iter().find(due) {
            self.poll(&namespace, now, false);
            return true;
        }
        let next = self
            .hpas
            .iter()
            .filter_map(|(hpa, following)| Some((following.next()?, hpa)))
            .min_by_key(|((at, _), _)| *at)
            .filter(|((at, _), _)| *at <= now)
            .map(|((_, due), hpa)| (due, hpa.clone()));
        let Some((due, hpa)) = next else {
            return false;
        };
        self.hpa_due(&hpa, due, now);
        true
    }

    fn hpa_due(&mut self, hpa: &HpaKey, due: Due, now: Timestamp) {
        let snapshot = self.snapshot(hpa);
        let (Some(following), Some(snapshot)) = (self.hpas.get_mut(hpa), snapshot) else {
            // The informers have forgotten it, and will say so.
            self.hpas.remove(hpa);
            return;
        };
        match due {
            Due::Look => {
                // If this comes late, the sync may have begun, and what was known before is what it found.
                if !following.may_be_over(now) {
                    following.refresh(snapshot);
                }
                self.look(hpa, now);
            }
            Due::Refresh => following.refresh(snapshot),
            Due::Show => {
                following.refresh(snapshot);
                self.show(hpa, now);
            }
            Due::Settle => {
                let before = following.note_no_write(snapshot.clone(), now);
                if let Some(before) = before.filter(|_| !self.is_deaf) {
                    self.settle(hpa, before);
                    self.judge(hpa, &snapshot);
                } else {
                    // Nothing says that there was a sync, but this is how things are.
                    self.show(hpa, now);
                }
            }
            Due::GiveUp => {
                if let Some(doubtful) = following.doubtful.take() {
                    self.settle(hpa, doubtful.before);
                    self.judge(hpa, &snapshot);
                }
            }
        }
    }

    /// Recomputes what the next sync will come to. That is not told if the sync is about to come and will be told itself.
    fn look(&mut self, hpa: &HpaKey, now: Timestamp) {
        let preview = self.preview(hpa);
        let Some(following) = self.hpas.get_mut(hpa) else {
            return;
        };
        following.looked(preview.as_ref().and_then(|one| one.predicted.as_ref()));
        if following.beat().is_none() {
            self.tell_seen(hpa, preview, now);
        }
    }

    /// Tells what would be decided now.
    fn show(&mut self, hpa: &HpaKey, now: Timestamp) {
        let preview = self.preview(hpa);
        self.tell_seen(hpa, preview, now);
    }

    fn preview(&mut self, hpa: &HpaKey) -> Option<Reconcile> {
        let pending = self.hpas.get(hpa)?.pending.as_ref()?;
        let preview = self.session.preview(pending);
        self.sound(hpa, preview)
    }

    fn tell_seen(&mut self, hpa: &HpaKey, preview: Option<Reconcile>, now: Timestamp) {
        if let Some(following) = self.hpas.get_mut(hpa) {
            following.note_shown(now);
        }
        if let Some(preview) = preview {
            let at = preview.time;
            self.tell(Event::Seen(Box::new(preview.seen())), at);
        }
    }

    /// A sync found this.
    fn settle(&mut self, hpa: &HpaKey, mut snapshot: Snapshot) {
        snapshot.controller_started = self.starts.is_start(&snapshot);
        self.starts.note(&snapshot);
        let at = snapshot.time;
        let pushed = self.session.push(snapshot.clone());
        let Some(pushed) = self.sound(hpa, pushed) else {
            return;
        };
        self.tell_judged(pushed.judged, at);
        self.ready.push_back(Fed::Settled(Box::new(snapshot)));
        let seen = Box::new(pushed.reconcile.seen());
        self.tell(Event::Reconciled(seen), at);
    }

    /// What came of the latest sync shows in `after`.
    fn judge(&mut self, hpa: &HpaKey, after: &Snapshot) {
        let judged = self.session.judge(after);
        if let Some(judged) = self.sound(hpa, judged) {
            self.tell_judged(judged, after.time);
        }
    }

    fn tell_judged(&mut self, judged: Vec<Judged>, at: Timestamp) {
        for one in judged.into_iter().filter(|one| one.is_final) {
            if let Some((namespace, name)) = one.recording.split_once('/') {
                let event = Event::Judged {
                    hpa: HpaKey {
                        namespace: namespace.to_owned(),
                        name: name.to_owned(),
                    },
                    at: one.time,
                    agreement: one.verdict.agreement(),
                };
                self.tell(event, at);
            }
        }
    }

    fn tell(&mut self, event: Event, at: Timestamp) {
        self.ready.push_back(Fed::Event { event, at });
    }

    /// The HPA as the controller would find it now.
    fn snapshot(&mut self, hpa: &HpaKey) -> Option<Snapshot> {
        let mut snapshot = self.informers.snapshot(hpa)?;
        let applied = controller_flags::apply(self.controller, &mut snapshot);
        self.sound(hpa, applied)?;
        if let Some(period) = self.hpas.get(hpa).and_then(Following::learned_period) {
            let controller = &mut snapshot.controller;
            controller.sync_period_seconds = Some(period.as_secs_f64());
            controller
                .provenance
                .insert("syncPeriodSeconds".to_owned(), "inferred".to_owned());
        }
        snapshot.controller_started = self.starts.is_start(&snapshot);
        Some(snapshot)
    }

    /// Tells once if something in an HPA or around it makes no sense, and once if it does again.
    fn sound<T>(&mut self, hpa: &HpaKey, result: Result<T, InvalidField>) -> Option<T> {
        let now = self.client.now();
        let source = || Source::Watch {
            resource: format!("horizontalpodautoscaler {hpa}"),
        };
        match result {
            Ok(value) => {
                if self.broken.remove(hpa) {
                    self.tell(Event::Recovered { source: source() }, now);
                }
                Some(value)
            }
            Err(error) => {
                if self.broken.insert(hpa.clone()) {
                    let why = error.to_string();
                    self.tell(
                        Event::Failing {
                            source: source(),
                            why,
                        },
                        now,
                    );
                }
                None
            }
        }
    }

    /// When something is due next.
    fn due(&self) -> Timestamp {
        let hpas = self
            .hpas
            .values()
            .filter_map(Following::next)
            .map(|(at, _)| at);
        let polls = self
            .namespaces
            .keys()
            .filter_map(|namespace| self.next_poll(namespace));
        hpas.chain(polls)
            .chain([later(self.ticked, TICK)])
            .min()
            .unwrap_or(Timestamp::MAX)
    }

    fn next_poll(&self, namespace: &str) -> Option<Timestamp> {
        self.in_namespace(namespace).next()?;
        let beats: Vec<Beat> = self
            .in_namespace(namespace)
            .filter_map(Following::beat)
            .collect();
        self.namespaces
            .get(namespace)?
            .next(&beats, self.period(namespace))
    }

    /// The shortest sync period of a namespace's HPAs; they have one controller, but it is not known equally well.
    fn period(&self, namespace: &str) -> SignedDuration {
        self.in_namespace(namespace)
            .map(Following::period)
            .min()
            .unwrap_or(TICK)
    }

    fn in_namespace(&self, namespace: &str) -> impl Iterator<Item = &Following> {
        let first = HpaKey {
            namespace: namespace.to_owned(),
            name: String::new(),
        };
        self.hpas
            .range(first..)
            .take_while(move |(hpa, _)| hpa.namespace == namespace)
            .map(|(_, following)| following)
    }
}

fn is_of_hpas(source: &Source) -> bool {
    matches!(source, Source::Watch { resource } if resource == "horizontalpodautoscalers")
}

/// From tick to tick, so that what depends on the time alone is noticed.
const TICK: SignedDuration = SignedDuration::from_secs(1);

/// So many changes are taken in before what they lead to is told.
const MOST_CHANGES: usize = 64;
