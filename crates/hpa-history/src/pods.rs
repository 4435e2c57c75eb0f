//! The pods of the scale target at a given time.

use std::{
    cell::RefCell,
    collections::{BTreeMap, BTreeSet, VecDeque},
};

use hpa_engine::model::{
    ConditionStatus, Container, KnownKind, Labels, Owner, Pod, PodPhase, Quantity, ReadyCondition,
    Shared, quantity::Format,
};
use jiff::{SignedDuration, Timestamp};

use crate::{
    containers::{containers_of, requested, sidecars_of},
    names,
    series::{Millis, Series, SeriesSet, Track},
};

/// The series of one pod over its life.
struct PodSeries<'a> {
    name: &'a str,
    span: (Millis, Millis),
    owner: Option<Owner>,
    containers: Shared<Container>,
    sidecars: Shared<Container>,
    created: Named<'a>,
    started: Named<'a>,
    phase: Named<'a>,
    ready: Named<'a>,
    ready_since: Named<'a>,
    deleted: Named<'a>,
}

/// The series with one name that a pod has, each with the value of its relevant label, if any.
struct Named<'a> {
    series: Vec<(&'a str, Track<'a>)>,
    reach: Millis,
}

impl Named<'_> {
    /// The first sample of all series with this value of the label.
    fn first(&self, label: &str) -> Option<(Millis, f64)> {
        let own = self.series.iter().filter(|(value, _)| *value == label);
        let firsts = own.filter_map(|(_, track)| track.series.samples.first().copied());
        firsts.min_by_key(|(at, _)| *at)
    }
}

/// The changing state of a pod.
#[derive(Clone, PartialEq)]
struct PodState {
    created: Option<Timestamp>,
    deleted: Option<Timestamp>,
    phase: PodPhase,
    started: Option<Timestamp>,
    ready: Option<ReadyCondition>,
}

/// The pods of the scale target, and how long each was seen.
pub(crate) struct PodHistory<'a> {
    set: &'a SeriesSet,
    pods: Vec<PodSeries<'a>>,
    labels: Labels,
    interval: Millis,
    /// Cache of the pods at the last requested times: neighboring syncs need the same pods.
    recent: RefCell<VecDeque<Recent>>,
}

/// The pods from one time until another, and the state of each by index.
struct Recent {
    time: Millis,
    until: Millis,
    states: Vec<(usize, PodState)>,
    pods: Shared<Pod>,
}

/// The pods of one sync are created within this time.
const TOGETHER: Millis = 3_000;

/// Number of times cached.
const MOST_RECENT: usize = 4;

impl<'a> PodHistory<'a> {
    /// Selects the pods whose owners lead to the target. `today` is one of its pods as it is today.
    pub(crate) fn new(
        set: &'a SeriesSet,
        (kind, target): (&str, &str),
        selector: &str,
        today: Option<&Pod>,
    ) -> Self {
        let mut by_pod: BTreeMap<&str, BTreeMap<&str, Vec<&Series>>> = BTreeMap::new();
        for name in names::NAMES
            .iter()
            .filter(|one| one.depth == names::Depth::Pods)
        {
            for series in set.of(name.name) {
                let pod = series.label("pod");
                if !pod.is_empty() {
                    let of_pod = by_pod.entry(pod).or_default();
                    of_pod.entry(name.name).or_default().push(series);
                }
            }
        }
        let owners = ReplicaSets::new(set, (kind, target));
        let mut pods = Vec::new();
        for (name, mut by_name) in by_pod {
            let owner = by_name
                .get(names::POD_OWNER)
                .and_then(|series| {
                    series
                        .iter()
                        .find(|one| one.label("owner_is_controller") != "false")
                })
                .map(|one| Owner {
                    kind: one.label("owner_kind").to_owned(),
                    name: one.label("owner_name").to_owned(),
                });
            let is_own = owner.as_ref().is_some_and(|owner| {
                (owner.kind == kind && owner.name == target) || owners.belongs(owner)
            });
            let phase = by_name
                .get(names::POD_PHASE)
                .or_else(|| by_name.get(names::POD_OWNER));
            let spans = phase.into_iter().flatten().filter_map(|one| one.span());
            let span = spans.reduce(|one, other| (one.0.min(other.0), one.1.max(other.1)));
            if let (true, Some(span)) = (is_own, span) {
                let containers = containers_of(&by_name, today).into();
                let sidecars = sidecars_of(&by_name, today).into();
                let mut of = |name, label| {
                    let series = by_name.remove(name).unwrap_or_default().into_iter();
                    Named {
                        series: series
                            .map(|one| (one.label(label), Track::new(one)))
                            .collect(),
                        reach: set.reach(name),
                    }
                };
                pods.push(PodSeries {
                    name,
                    span,
                    owner,
                    containers,
                    sidecars,
                    created: of(names::POD_CREATED, "uid"),
                    started: of(names::POD_START, ""),
                    phase: of(names::POD_PHASE, "phase"),
                    ready: of(names::POD_READY, "condition"),
                    ready_since: of(names::POD_READY_TIME, "uid"),
                    deleted: of(names::POD_DELETED, ""),
                });
            }
        }
        Self {
            set,
            pods,
            labels: labels_of(selector),
            interval: set.reach(names::POD_PHASE),
            recent: RefCell::default(),
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.pods.is_empty()
    }

    /// Whether every series is exported that decides whether a pod counts, if the metrics count pods.
    pub(crate) fn is_complete(&self, counts_pods: bool) -> bool {
        let is_there = |name: &str| !self.set.of(name).is_empty();
        let needed = [
            names::POD_PHASE,
            names::POD_READY,
            names::POD_START,
            names::REQUESTS,
        ];
        !self.is_empty() && (!counts_pods || needed.into_iter().all(is_there))
    }

    /// Whether a pod with this name existed.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.find(name).is_some()
    }

    /// Whether a pod with this name exists at `time`.
    pub(crate) fn exists(&self, name: &str, time: Millis) -> bool {
        self.find(name)
            .is_some_and(|pod| (pod.span.0..=pod.span.1).contains(&time))
    }

    /// How long each pod that was created in this past took from its creation until it was ready, in the order of their
    /// names.
    pub(crate) fn startups(&self) -> impl Iterator<Item = Millis> {
        self.pods.iter().flat_map(|pod| {
            // A pod of a StatefulSet has the name of the one before, and another uid.
            let uids: BTreeSet<&str> = pod.created.series.iter().map(|(uid, _)| *uid).collect();
            uids.into_iter().filter_map(|uid| {
                let (seen, created) = pod.created.first(uid)?;
                let (_, ready) = pod.ready_since.first(uid)?;
                let created = (created * 1000.0) as Millis;
                let startup = (ready * 1000.0) as Millis - created;
                // A pod that existed before may have got ready again since. The time of creation is of a whole second
                // and scrapes are late at times, so one interval would be too short.
                let is_new = seen - created < 2 * pod.created.reach;
                (is_new && 0 <= startup).then_some(startup)
            })
        })
    }

    /// What each pod whose requests are exported requested of a resource, and for how long it was seen.
    pub(crate) fn requests(&self, resource: &str) -> impl Iterator<Item = (f64, Millis)> {
        let exported = [names::REQUESTS, names::INIT_REQUESTS].map(|name| self.set.of(name));
        let exported = exported.into_iter().flatten();
        let exported = exported.filter(|one| one.label("resource") == resource);
        let exported: BTreeSet<&str> = exported.map(|one| one.label("pod")).collect();
        let known = self.pods.iter();
        let known = known.filter(move |pod| exported.contains(pod.name));
        known.filter_map(move |pod| {
            let requested = requested(&pod.containers, &pod.sidecars, resource)?;
            // A pod that one scrape shows counts a little.
            Some((requested, (pod.span.1 - pod.span.0).max(1)))
        })
    }

    fn find(&self, name: &str) -> Option<&PodSeries<'a>> {
        let place = self.pods.binary_search_by(|pod| pod.name.cmp(name));
        place.ok().map(|place| &self.pods[place])
    }

    /// When the first pod was created that is new after a scrape and exists at or before the next one.
    pub(crate) fn first_created(&self, before: Millis, time: Millis) -> Option<Millis> {
        self.created(before, time).min()
    }

    /// When the last such pods were created: the first of them, as one sync creates them all within seconds.
    pub(crate) fn last_created(&self, before: Millis, time: Millis) -> Option<Millis> {
        let last = self.created(before, time).max()?;
        let all = self.created(before, time);
        all.filter(|created| last - TOGETHER <= *created).min()
    }

    fn created(&self, before: Millis, time: Millis) -> impl Iterator<Item = Millis> {
        let is_new = move |pod: &&PodSeries<'_>| before < pod.span.0 && pod.span.0 <= time;
        let created = |pod: &PodSeries<'_>| {
            let (_, track) = pod.created.series.first()?;
            Some((track.series.samples.first()?.1 * 1000.0) as Millis)
        };
        let new = self.pods.iter().filter(is_new).filter_map(created);
        new.filter(move |created| *created <= time)
    }

    /// The pods at `time`, between two scrapes. `change` is the change of replicas by a sync at `time`: pods that it
    /// creates do not exist yet, and pods that it deletes are not terminating yet. `is_deleted` says whether pods that
    /// are gone afterwards still existed.
    pub(crate) fn between(
        &self,
        (before, after): (Millis, Millis),
        time: Millis,
        change: i32,
        is_deleted: bool,
    ) -> Shared<Pod> {
        let earlier = self.recent(before);
        let later = self.recent(after);
        if change == 0 && later.is_same(&earlier) {
            return later;
        }
        let mut later = later.to_vec();
        let now = Timestamp::from_millisecond(time).unwrap_or_default();
        let of_earlier = |name: &str| {
            earlier
                .binary_search_by(|pod| pod.name.as_str().cmp(name))
                .ok()
        };
        later.retain(|pod| of_earlier(&pod.name).is_some() || existed(pod, now, change));
        for pod in &mut later {
            let before = of_earlier(&pod.name).map(|index| &earlier[index]);
            rewind(pod, before, now, change < 0);
        }
        let deleted = earlier.iter().filter(|_| is_deleted).filter(|pod| {
            later
                .binary_search_by(|one| one.name.cmp(&pod.name))
                .is_err()
        });
        let deleted: Vec<Pod> = deleted.cloned().collect();
        later.extend(deleted);
        later.sort_by(|one, other| one.name.cmp(&other.name));
        later.into()
    }

    /// The pods of the first scrape, without those that its sync, at `time`, created.
    pub(crate) fn first(&self, scrape: Millis, time: Millis, change: i32) -> Shared<Pod> {
        let pods = self.recent(scrape);
        let now = Timestamp::from_millisecond(time).unwrap_or_default();
        if change <= 0 || pods.iter().all(|pod| existed(pod, now, change)) {
            return pods;
        }
        let existing = pods.iter().filter(|pod| existed(pod, now, change));
        existing.cloned().collect()
    }

    /// The pods that existed at `time`, by name.
    pub(crate) fn recent(&self, time: Millis) -> Shared<Pod> {
        let mut recent = self.recent.borrow_mut();
        let mut known = recent.iter();
        if let Some(one) = known.find(|one| one.time <= time && time < one.until) {
            return one.pods.clone();
        }
        let (states, until) = self.at(time);
        let same = recent.iter().find(|one| one.states == states);
        let pods = same.map_or_else(
            || {
                let pods = states.iter().map(|(place, state)| self.pod(*place, state));
                pods.collect()
            },
            |same| same.pods.clone(),
        );
        recent.truncate(MOST_RECENT - 1);
        recent.push_front(Recent {
            time,
            until,
            states,
            pods: pods.clone(),
        });
        pods
    }

    /// The state of the pods at `time`, and a time until which it certainly stayed the same.
    fn at(&self, time: Millis) -> (Vec<(usize, PodState)>, Millis) {
        let mut states = Vec::new();
        let mut until = Millis::MAX;
        for (place, pod) in self.pods.iter().enumerate() {
            let end = pod.span.1 + self.interval;
            if time < pod.span.0 {
                until = until.min(pod.span.0);
            } else if time < end {
                until = until.min(end).min(pod.until(time));
                states.push((place, pod.at(time)));
            }
        }
        (states, until)
    }

    fn pod(&self, place: usize, state: &PodState) -> Pod {
        let pod = &self.pods[place];
        let PodState {
            created,
            deleted,
            phase,
            started,
            ready,
        } = state.clone();
        Pod {
            name: pod.name.to_owned(),
            labels: self.labels.clone(),
            created,
            deleted,
            owner: pod.owner.clone(),
            phase,
            started,
            ready,
            containers: pod.containers.clone(),
            init_containers: pod.sidecars.clone(),
            ..Pod::default()
        }
    }
}

impl PodSeries<'_> {
    fn at(&self, time: Millis) -> PodState {
        let started = self.started.timestamp(time);
        let status = self.ready.label(time).map(|status| match status {
            "true" => ConditionStatus::True,
            "false" => ConditionStatus::False,
            _ => ConditionStatus::Unknown,
        });
        let ready = status.map(|status| ReadyCondition {
            status,
            last_transition: match status {
                ConditionStatus::True => self
                    .ready_since
                    .timestamp(time)
                    .or_else(|| self.since("true", time)),
                _ => self.lost_readiness(time).or(started),
            },
        });
        let phase = match self.phase.label(time) {
            Some("Running") => PodPhase::Running,
            Some("Succeeded") => PodPhase::Succeeded,
            Some("Failed") => PodPhase::Failed,
            Some("Pending") | None => PodPhase::Pending,
            Some(other) => PodPhase::Other(other.to_owned()),
        };
        PodState {
            created: self
                .created
                .timestamp(time)
                .or(started)
                .or_else(|| Timestamp::from_millisecond(self.span.0).ok()),
            deleted: self.deleted.timestamp(time),
            phase,
            started,
            ready,
        }
    }

    /// A time until which `at` certainly returns the same as for `time`.
    fn until(&self, time: Millis) -> Millis {
        let all = [
            &self.created,
            &self.started,
            &self.phase,
            &self.ready,
            &self.ready_since,
            &self.deleted,
        ];
        let each = all.into_iter().flat_map(|named| {
            let series = named.series.iter();
            series.map(|(_, track)| track.until(time, named.reach))
        });
        each.min().unwrap_or(Millis::MAX)
    }

    /// When the current run of `Ready` with this status was first seen, up to `time`.
    fn since(&self, status: &str, time: Millis) -> Option<Timestamp> {
        let mut series = self.ready.series.iter();
        let (_, track) = series.find(|(condition, _)| *condition == status)?;
        let row = track
            .up_to(time)
            .iter()
            .rev()
            .take_while(|(_, value)| *value == 1.0);
        row.last()
            .and_then(|(at, _)| Timestamp::from_millisecond(*at).ok())
    }

    /// When a pod that is not ready was first seen so, if it was ready before.
    fn lost_readiness(&self, time: Millis) -> Option<Timestamp> {
        let mut series = self.ready.series.iter();
        let was_ready = series.any(|(condition, track)| {
            *condition == "true" && track.up_to(time).iter().any(|(_, value)| *value == 1.0)
        });
        was_ready.then(|| self.since("false", time)).flatten()
    }
}

impl Named<'_> {
    /// The value, in seconds since 1970.
    fn timestamp(&self, time: Millis) -> Option<Timestamp> {
        let mut values = self
            .series
            .iter()
            .filter_map(|(_, track)| track.at(time, self.reach));
        values.next().and_then(timestamp)
    }

    /// The label of the series with value 1.
    fn label(&self, time: Millis) -> Option<&str> {
        let mut series = self.series.iter();
        let set = series.find(|(_, track)| track.at(time, self.reach) == Some(1.0));
        set.map(|(label, _)| *label)
    }
}

/// Restores a pod's state at `now`, before it was scraped.
fn rewind(pod: &mut Pod, before: Option<&Pod>, now: Timestamp, is_scale_down: bool) {
    if pod.started.is_some_and(|started| now < started) {
        pod.started = None;
        pod.phase = PodPhase::Pending;
    }
    let since = pod.ready.and_then(|ready| ready.last_transition);
    if since.is_some_and(|since| now < since) {
        pod.ready = match before {
            Some(before) => before.ready,
            None => pod.started.map(|started| ReadyCondition {
                status: ConditionStatus::False,
                last_transition: Some(started),
            }),
        };
        if let Some(before) = before {
            pod.phase.clone_from(&before.phase);
        }
    }
    let was_deleted = before.is_some_and(|before| before.deleted.is_some());
    if is_scale_down && !was_deleted {
        pod.deleted = None;
    }
}

/// Whether the owners of ReplicaSets decide which pods belong to a scale target of this kind.
pub fn needs_replica_set_owners(set: &SeriesSet, kind: &str) -> bool {
    let is_of_replica_set = |one: &Series| KnownKind::of(one.label("owner_kind")).is_replica_set();
    KnownKind::of(kind).is_deployment()
        || names::can_own_replica_sets(kind)
            && set.of(names::POD_OWNER).iter().any(is_of_replica_set)
}

/// Whether the names of ReplicaSets replace their missing owners: only a Deployment is known to name them so.
pub fn selects_by_name(set: &SeriesSet, kind: &str) -> bool {
    KnownKind::of(kind).is_deployment() && set.of(names::REPLICA_SET_OWNER).is_empty()
}

/// The ReplicaSets that belong to the scale target.
struct ReplicaSets<'a> {
    /// Their names, as far as exported.
    own: Vec<&'a str>,
    /// What their names start with, if only that shows whose they are.
    prefix: Option<String>,
}

impl<'a> ReplicaSets<'a> {
    fn new(set: &'a SeriesSet, (kind, target): (&str, &str)) -> Self {
        let series = set.of(names::REPLICA_SET_OWNER).iter();
        let own = series
            .filter(|one| one.label("owner_kind") == kind && one.label("owner_name") == target)
            .map(|one| one.label("replicaset"))
            .collect();
        Self {
            own,
            prefix: selects_by_name(set, kind).then(|| format!("{target}-")),
        }
    }

    fn belongs(&self, owner: &Owner) -> bool {
        if !KnownKind::of(&owner.kind).is_replica_set() {
            return false;
        }
        match &self.prefix {
            None => self.own.contains(&owner.name.as_str()),
            // The naming scheme of the Deployment controller.
            Some(prefix) => owner
                .name
                .strip_prefix(prefix.as_str())
                .is_some_and(|hash| hash.chars().all(|letter| letter.is_ascii_alphanumeric())),
        }
    }
}

/// Labels that match a selector: no exporter has the pods' real ones.
pub(crate) fn labels_of(selector: &str) -> Labels {
    let mut labels = BTreeMap::new();
    // `a in (b,c)` contains a comma.
    let mut rest = selector;
    while !rest.is_empty() {
        let end = match (rest.find(','), rest.find('(')) {
            (Some(comma), Some(open)) if open < comma => rest
                .find(')')
                .and_then(|close| rest[close..].find(',').map(|comma| close + comma)),
            (comma, _) => comma,
        };
        let (term, after) = match end {
            Some(end) => (&rest[..end], &rest[end + 1..]),
            None => (rest, ""),
        };
        rest = after;
        if let Some((key, values)) = term.split_once(" in ") {
            let first = values.trim_matches(['(', ')', ' ']).split(',').next();
            labels.insert(key.trim().to_owned(), first.unwrap_or_default().to_owned());
        } else if term.contains("!=") || term.contains(" notin ") || term.starts_with('!') {
            // A pod without the label matches.
        } else if let Some((key, value)) = term.split_once('=') {
            labels.insert(
                key.trim().to_owned(),
                value.trim_start_matches('=').to_owned(),
            );
        } else {
            labels.insert(term.trim().to_owned(), String::new());
        }
    }
    labels.into()
}

/// Seconds since 1970.
pub(crate) fn timestamp(seconds: f64) -> Option<Timestamp> {
    (0.0 < seconds).then(|| Timestamp::from_second(seconds as i64).ok())?
}

/// An amount of a resource in its base unit.
pub(crate) fn quantity(resource: &str, value: f64) -> Quantity {
    if resource == "memory" {
        Quantity::from_value(value.round() as i64, Format::BinarySI)
    } else {
        milli(value)
    }
}

/// Whether a pod existed when a sync at `now` read the pods. If it creates pods, they have the second in which it ends.
fn existed(pod: &Pod, now: Timestamp, change: i32) -> bool {
    let slack = if 0 < change {
        SignedDuration::from_millis(1_500)
    } else {
        SignedDuration::ZERO
    };
    pod.created.is_none_or(|at| at + slack <= now)
}

/// A number in thousandths, as the API server stores it.
pub(crate) fn milli(value: f64) -> Quantity {
    Quantity::from_milli((value * 1000.0).round() as i64, Format::DecimalSI)
}
