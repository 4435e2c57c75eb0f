//! The pods of the scale target at a time.

use std::{
    cell::RefCell,
    collections::{BTreeMap, VecDeque},
};

use hpa_engine::model::{
    ConditionStatus, Container, Labels, Owner, Pod, PodPhase, Quantity, ReadyCondition, Shared,
    quantity::Format,
};
use jiff::{SignedDuration, Timestamp};

use crate::{
    names,
    series::{Millis, Series, SeriesSet, Track},
};

/// What is known of a pod over its life.
struct PodSeries<'a> {
    name: &'a str,
    span: (Millis, Millis),
    owner: Option<Owner>,
    containers: Shared<Container>,
    created: Named<'a>,
    started: Named<'a>,
    phase: Named<'a>,
    ready: Named<'a>,
    ready_since: Named<'a>,
    deleted: Named<'a>,
}

/// The series of one name that a pod has, each with the value of the label that counts, if there is one.
struct Named<'a> {
    series: Vec<(&'a str, Track<'a>)>,
    reach: Millis,
}

/// What changes about a pod.
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
    /// The pods at the last times that were asked about: syncs next to each other need the same.
    recent: RefCell<VecDeque<Recent>>,
}

/// The pods at a time and until another one, and by their places how each was.
struct Recent {
    time: Millis,
    until: Millis,
    states: Vec<(usize, PodState)>,
    pods: Shared<Pod>,
}

/// As many times are kept.
const MOST_RECENT: usize = 4;

impl<'a> PodHistory<'a> {
    /// Takes the pods that belong to the target by their owners.
    pub(crate) fn new(
        set: &'a SeriesSet,
        (kind, target): (&str, &str),
        selector: &str,
        containers: &[String],
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
                let containers = containers_of(&by_name, containers).into();
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
                    created: of(names::POD_CREATED, ""),
                    started: of(names::POD_START, ""),
                    phase: of(names::POD_PHASE, "phase"),
                    ready: of(names::POD_READY, "condition"),
                    ready_since: of(names::POD_READY_TIME, ""),
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

    /// Whether everything is exported that decides whether a pod counts, where pods do.
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

    /// Whether there was a pod of this name.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.pods.binary_search_by(|pod| pod.name.cmp(name)).is_ok()
    }

    /// When the first pod was created that is new after a scrape and there at the next one, or at least before it.
    pub(crate) fn first_created(&self, before: Millis, time: Millis) -> Option<Millis> {
        let is_new = |pod: &&PodSeries<'_>| before < pod.span.0 && pod.span.0 <= time;
        let created = |pod: &PodSeries<'_>| {
            let (_, track) = pod.created.series.first()?;
            Some((track.series.samples.first()?.1 * 1000.0) as Millis)
        };
        let new = self.pods.iter().filter(is_new).filter_map(created);
        new.filter(|created| *created <= time).min()
    }

    /// The pods as they were at `time`, between two scrapes. `change` is by how many replicas a sync at `time` changed them: pods
    /// that come and go because of it were not there yet, or not going. `is_deleted` is whether pods that are gone after it were still
    /// there.
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
        let slack = if 0 < change {
            SignedDuration::from_millis(1_500)
        } else {
            SignedDuration::ZERO
        };
        later.retain(|pod| {
            of_earlier(&pod.name).is_some() || pod.created.is_none_or(|at| at + slack <= now)
        });
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

    /// The pods that there were at `time`, by name.
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

    /// How the pods were at `time`, and until when they were so at least.
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

    /// Until when `at` gives the same as for `time`, at least.
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

    /// When a condition `Ready` of this status was seen first in a row, up to `time`.
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

    /// When a pod that is not ready was seen so first, if it was ready before.
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

    /// The label of the series that is 1.
    fn label(&self, time: Millis) -> Option<&str> {
        let mut series = self.series.iter();
        let set = series.find(|(_, track)| track.at(time, self.reach) == Some(1.0));
        set.map(|(label, _)| *label)
    }
}

/// The containers of a pod with their requests; `of_today` are the names in today's pods, where nobody exports those of earlier ones.
fn containers_of(by_name: &BTreeMap<&str, Vec<&Series>>, of_today: &[String]) -> Vec<Container> {
    let series = |name: &str| by_name.get(name).into_iter().flatten();
    let mut names: Vec<String> = series(names::CONTAINER)
        .chain(series(names::REQUESTS))
        .map(|one| one.label("container").to_owned())
        .collect();
    if !by_name.contains_key(names::CONTAINER) {
        names.extend(of_today.iter().cloned());
    }
    names.sort_unstable();
    names.dedup();
    names
        .into_iter()
        .map(|name| Container {
            requests: series(names::REQUESTS)
                .filter(|one| one.label("container") == name)
                .filter_map(|one| {
                    let resource = one.label("resource");
                    let value = one.samples.last()?.1;
                    Some((resource.to_owned(), quantity(resource, value)))
                })
                .collect(),
            name,
            ..Container::default()
        })
        .collect()
}

/// Makes a pod what it was at `now`, before it was scraped.
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

/// Which ReplicaSets belong to a Deployment.
struct ReplicaSets<'a> {
    /// Names of those that do; none: nobody exports it.
    own: Option<Vec<&'a str>>,
    deployment: Option<String>,
}

impl<'a> ReplicaSets<'a> {
    fn new(set: &'a SeriesSet, (kind, target): (&str, &str)) -> Self {
        let series = set.of(names::REPLICA_SET_OWNER);
        let own = series
            .iter()
            .filter(|one| one.label("owner_kind") == kind && one.label("owner_name") == target)
            .map(|one| one.label("replicaset"))
            .collect();
        Self {
            own: (!series.is_empty()).then_some(own),
            deployment: (kind == "Deployment").then(|| format!("{target}-")),
        }
    }

    fn belongs(&self, owner: &Owner) -> bool {
        if owner.kind != "ReplicaSet" {
            return false;
        }
        match (&self.own, &self.deployment) {
            (Some(own), _) => own.contains(&owner.name.as_str()),
            // As the Deployment controller names them.
            (None, Some(prefix)) => owner
                .name
                .strip_prefix(prefix.as_str())
                .is_some_and(|hash| hash.chars().all(|letter| letter.is_ascii_alphanumeric())),
            (None, None) => false,
        }
    }
}

/// Labels that a selector matches: nobody exports those that the pods had.
pub(crate) fn labels_of(selector: &str) -> Labels {
    let mut labels = BTreeMap::new();
    // `a in (b,c)` has a comma of its own.
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

/// An amount of a resource in its usual unit.
pub(crate) fn quantity(resource: &str, value: f64) -> Quantity {
    if resource == "memory" {
        Quantity::from_value(value.round() as i64, Format::BinarySI)
    } else {
        milli(value)
    }
}

/// A number in thousandths, as the API server keeps it.
pub(crate) fn milli(value: f64) -> Quantity {
    Quantity::from_milli((value * 1000.0).round() as i64, Format::DecimalSI)
}
