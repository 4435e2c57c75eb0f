//! Plays the past and keeps what is requested.

use anyhow::{Context as _, bail};
use hpa_engine::model::{
    Context, Memory, MetricSpec, Observation, Shared, Surroundings, SyncInput,
};
use hpa_explain::{RescaleReason, SourceReport, sync_in_words};
use hpa_history::{
    Course, Details, HeldBack, IntervalKind, MetricCourse, Millis, PastSync, Sources, Trust,
    TrustCounter, certainty, follow_until, has_pods, how_sure,
};
use hpa_objects::recording::{Converted, ReadAfterwards, RecordingWriter, Snapshot, Synced, wire};
use hpa_words::clock::Clock;
use jiff::{SignedDuration, Timestamp, tz::TimeZone};

use super::{
    advice::{self, Doubts},
    edits::Edits,
    metric_values::{NotUsed, ValueSource},
    read::Read,
    sources::Inputs,
};
use crate::commands::{
    call::{CANCELLED, Call},
    explain::{ExplainSubject, Origin},
    latest_at::whole_second,
    stop::Deferral,
};

/// The result.
pub(super) struct Past {
    pub(super) course: Course,
    pub(super) trust: Trust,
    /// Why each rescale of the course happened; none: it could not be recomputed.
    pub(super) reasons: Vec<Option<RescaleReason>>,
    /// The requested sync; none: there was none up to the requested time.
    pub(super) requested: Option<RequestedSync>,
    /// The HPA as the last sync found it.
    pub(super) today: Observation,
    pub(super) context: Context,
    /// The first recomputed snapshot, with the history before it.
    pub(super) first: Option<(Snapshot, Memory)>,
    /// The total usage of all pods at each sync, by metric.
    pub(super) totals: Vec<Vec<(i64, f64)>>,
    /// The source of each input.
    pub(super) sources: Vec<SourceReport>,
    /// Why syncs are not certain.
    pub(super) doubts: Doubts,
    /// The values of Pods, Object and External metrics between the scrapes.
    pub(super) courses: Vec<MetricCourse>,
    /// Values of metrics that are not used.
    pub(super) not_used: Vec<(ValueSource, NotUsed)>,
    /// When limits held containers back.
    pub(super) held_back: HeldBack,
    /// When the HPA was last edited, to the second, by its `managedFields`.
    pub(super) edited: Option<Timestamp>,
}

/// The sync of the requested time.
pub(super) struct RequestedSync {
    /// When it was.
    pub(super) now: Timestamp,
    /// When the scrape was that shows it.
    pub(super) scraped: Millis,
    /// Its page; none: it cannot be recomputed.
    pub(super) page: Option<ExplainSubject>,
}

/// What is requested besides the course.
pub(super) struct PlayRequest<'a> {
    /// Explain the last sync up to this time, or up to this second if it has no fraction. If it is a whole minute: the
    /// first rescale within it, if there is one.
    pub(super) at: Option<Timestamp>,
    /// The flags that read the past around it again.
    pub(super) flags: Vec<String>,
    /// Record everything.
    pub(super) writer: Option<&'a mut RecordingWriter>,
    /// Ends with an error if a signal comes, so that no half recording stays.
    pub(super) stop: Option<&'a Deferral>,
}

/// Plays the past.
pub(super) fn play(read: &Read, request: PlayRequest<'_>, zone: &TimeZone) -> anyhow::Result<Past> {
    let input = read.snapshot.sync_input(&mut Converted::default())?;
    let SyncInput {
        observation,
        context,
        ..
    } = input;
    let edited = context.hpa_edited_by.as_ref().and_then(|edit| edit.time);
    let context = of_the_past(context);
    let spacing = read
        .set
        .interval(hpa_history::DESIRED)
        .unwrap_or(60_000)
        .max(observation.sync_period().value.as_millis() as i64);
    let mut past = Past {
        course: Course::new(spacing),
        trust: Trust::default(),
        reasons: Vec::new(),
        requested: None,
        today: observation,
        context,
        first: None,
        totals: vec![Vec::new(); read.snapshot.hpa.spec.metrics.len()],
        sources: Vec::new(),
        doubts: Doubts::new(),
        courses: Vec::new(),
        not_used: Vec::new(),
        held_back: HeldBack::default(),
        edited,
    };
    let line = Snapshot {
        pods: Shared::default(),
        pod_metrics: None,
        ..read.snapshot.clone()
    };
    let mut writer = request.writer;
    let mut failed = None;
    // Whether the requested sync is a rescale within the requested minute.
    let mut is_found = false;
    let today = past.today.clone();
    let mut confirmed = Vec::new();
    let mut sources = Sources {
        set: &read.set,
        today: &today,
        courses: &[],
        edited,
    };
    for values in &read.metric_values {
        let is_known = |course: &MetricCourse| course.index == values.index;
        if past.courses.iter().any(is_known) {
            continue;
        }
        match values.confirmed(&sources) {
            Ok(course) => {
                past.courses.push(course);
                confirmed.push(values);
            }
            Err(why) => past.not_used.push((values.source.clone(), why)),
        }
    }
    let inputs = Inputs {
        set: &read.set,
        today: &today,
        metric_values: &confirmed,
        has_pods: has_pods(&sources),
    };
    let courses = past.courses.clone();
    let mut trust = TrustCounter::new(today.sync_period().value);
    sources.courses = &courses;
    let mut edits = Edits::default();
    let mut visit = |sync: &PastSync<'_>| {
        trust.take(sync);
        edits.take(sync);
        past.course.take(sync);
        if let Some(doubts) = advice::doubts(sync) {
            *past.doubts.entry(doubts).or_default() += 1;
        }
        if sync.scrape.current != sync.scrape.desired {
            // The controller did something: a failure that exists only here is not its reason.
            let details = sync.details.filter(|_| sync.recomputed.is_some());
            let mut reason = details.map(|details| reason(&past.context, sync, details, zone));
            if let (Some(reason), Some(edit)) = (&mut reason, edits.found_by(sync, spacing))
                && let Some(first) = reason.sentences.first_mut()
            {
                *first = format!("{edit}. {first}");
            }
            past.reasons.push(reason);
        }
        if let Some(at) = request.at
            && !is_found
        {
            is_found = is_rescale_of_minute(sync, at);
            if is_found || is_up_to(sync, at) {
                past.requested = Some(RequestedSync {
                    now: sync.now,
                    scraped: sync.scrape.time,
                    page: sync
                        .recomputed
                        .zip(sync.details)
                        .map(|(recomputed, details)| {
                            let sources = inputs.sources(Some(sync.scrape));
                            ExplainSubject {
                                afterwards: Some(how_sure(recomputed, sync.scrape, sources)),
                                ..subject(&past.context, sync, details, request.flags.clone())
                            }
                        }),
                });
            }
        }
        let Some(details) = sync.details else {
            return;
        };
        if !sync.is_seen {
            return;
        }
        for (index, total) in past.totals.iter_mut().enumerate() {
            total.extend(used(details.observation, index).map(|used| (sync.scrape.time, used)));
        }
        let needs_line = past.first.is_none() || (writer.is_some() && failed.is_none());
        if needs_line {
            let mut snapshot = snapshot(&line, sync, details);
            snapshot.history = Some(ReadAfterwards {
                server: read.server.clone(),
                certainty: sync
                    .recomputed
                    .map_or("unknown", |one| certainty(one.certainty))
                    .to_owned(),
                provenance: inputs
                    .sources(Some(sync.scrape))
                    .into_iter()
                    .map(|one| (one.key.to_owned(), one.known.as_str().to_owned()))
                    .collect(),
            });
            if let (Some(writer), None) = (&mut writer, &failed) {
                failed = writer.write(&snapshot).err();
            }
            past.first
                .get_or_insert_with(|| (snapshot, details.memory.clone()));
        }
    };
    let call = Call::served();
    let stop = request.stop;
    let is_stopped =
        || call.as_ref().is_some_and(Call::is_cancelled) || stop.is_some_and(Deferral::has_come);
    follow_until(&sources, &mut visit, &is_stopped);
    if is_stopped() {
        bail!(CANCELLED);
    }
    past.trust = trust.trust();
    past.sources = inputs.sources(None);
    if let (Some(first), Some(last)) = (past.course.points.first(), past.course.points.last()) {
        past.held_back = HeldBack::new(&sources, first.time, last.time);
    }
    if let Some(error) = failed {
        return Err(error).context("cannot write the recording");
    }
    past.course.finish();
    Ok(past)
}

impl Past {
    /// How long it was at `maxReplicas` while the metrics asked for more.
    pub(super) fn at_max(&self) -> Millis {
        self.course.time_of(IntervalKind::AtMax)
    }

    /// Whether no later sync was seen.
    pub(super) fn ends(&self, time: Millis) -> bool {
        self.course
            .points
            .last()
            .is_none_or(|last| last.time <= time)
    }

    /// Whether the pods could not show the whole load at a time: there were no more of them, or limits held them back.
    pub(super) fn hides_load(&self, time: Millis) -> bool {
        let mut intervals = self.course.intervals.iter();
        intervals.any(|one| one.kind == IntervalKind::AtMax && (one.from..=one.to).contains(&time))
            || self.held_back.at(time)
    }
}

/// Whether the sync is a rescale within the minute that is requested as such.
fn is_rescale_of_minute(sync: &PastSync<'_>, at: Timestamp) -> bool {
    let is_minute = at.as_second() % 60 == 0 && at.subsec_nanosecond() == 0;
    let minute = at..at + SignedDuration::from_mins(1);
    is_minute
        && sync.scrape.current != sync.scrape.desired
        && minute.contains(&sync.scrape.timestamp())
}

/// Whether the sync was up to then. A time without a fraction means the whole second. The time of a rescale in JSON has
/// one: the next sync may be in the same second.
fn is_up_to(sync: &PastSync<'_>, at: Timestamp) -> bool {
    match at.subsec_nanosecond() {
        0 => whole_second(sync.now) <= at,
        _ => sync.now <= at,
    }
}

/// The context of the HPA, without data that is only valid today.
fn of_the_past(mut context: Context) -> Context {
    context.events.clear();
    context.surroundings = Surroundings::default();
    context.hpa_status_written = None;
    context.hpa_edited_by = None;
    context.leader_since = None;
    context.requests.clear();
    context.not_read.clear();
    context.inferred.clear();
    if let Some(target) = &mut context.target {
        target.replicas_written_by.clear();
        target.applied_replicas = None;
        target.updated_replicas = None;
        target.ready_replicas = None;
        for owner in &mut target.intermediate_owners {
            owner.failure = None;
        }
    }
    context
}

fn subject(
    context: &Context,
    sync: &PastSync<'_>,
    details: Details<'_>,
    flags: Vec<String>,
) -> ExplainSubject {
    ExplainSubject {
        input: sync_input(context, sync, details),
        outcome: None,
        changed_from: None,
        origin: Origin::Past(flags),
        afterwards: None,
    }
}

fn sync_input(context: &Context, sync: &PastSync<'_>, details: Details<'_>) -> SyncInput {
    SyncInput {
        observation: details.observation.clone(),
        context: context.clone(),
        memory: Some(details.memory.clone()),
        now: sync.now,
    }
}

fn reason(
    context: &Context,
    sync: &PastSync<'_>,
    details: Details<'_>,
    zone: &TimeZone,
) -> RescaleReason {
    let input = sync_input(context, sync, details);
    let clock = Clock::new(zone.clone(), input.now);
    sync_in_words(&input, &clock, Some(&[]), RescaleReason::of)
}

/// The sync as a line of a recording.
fn snapshot(line: &Snapshot, sync: &PastSync<'_>, details: Details<'_>) -> Snapshot {
    let mut snapshot = line.with_sync(
        "",
        &Synced {
            observation: details.observation,
            outcome: None,
            now: sync.now,
            controller_started: false,
        },
    );
    let spec = &details.observation.hpa.spec;
    snapshot.hpa.spec.min_replicas = spec.min_replicas;
    snapshot.hpa.spec.max_replicas = spec.max_replicas;
    for (written, metric) in snapshot.hpa.spec.metrics.iter_mut().zip(&spec.metrics) {
        if let (Some(written), Some(target)) = (target_of(written), metric.target()) {
            written.average_utilization = target.average_utilization;
            written.average_value = target.average_value.as_ref().map(Into::into);
            written.value = target.value.as_ref().map(Into::into);
        }
    }
    snapshot
}

fn target_of(metric: &mut wire::MetricSpec) -> Option<&mut wire::MetricTarget> {
    let of_pods = metric.resource.as_mut().map(|one| &mut one.target);
    of_pods
        .or(metric
            .container_resource
            .as_mut()
            .map(|one| &mut one.target))
        .or(metric.pods.as_mut().map(|one| &mut one.target))
        .or(metric.object.as_mut().map(|one| &mut one.target))
        .or(metric.external.as_mut().map(|one| &mut one.target))
}

/// The total usage of all pods for the metric at `index`, in its unit.
fn used(observation: &Observation, index: usize) -> Option<f64> {
    let metric = observation.hpa.spec.metrics.get(index)?;
    match metric {
        MetricSpec::Unknown { .. } => None,
        metric => hpa_simulation::total(observation, metric.short_name()),
    }
}
