//! Plays the past and keeps what is requested.

use hpa_engine::model::{Context, Observation, Surroundings, SyncInput};
use hpa_explain::{Afterwards, RescaleReason, SourceReport, sync_in_words};
use hpa_words::{
    clock::{Clock, whole_second},
    program::typed,
};
use jiff::{SignedDuration, Timestamp, tz::TimeZone};

use crate::{
    advising::{self, Doubts},
    certainty::how_sure,
    course::{Course, Interval, IntervalKind},
    edits::Edits,
    follow::follow_until,
    held_back::HeldBack,
    input_sources::Inputs,
    metric_course::MetricCourse,
    metric_values::{MetricValues, NotUsed, ValueSource},
    past_sync::{Details, PastSync},
    series::{Millis, SeriesSet},
    sources::{Sources, has_pods},
    trust::{Trust, TrustCounter},
};

/// What was read of the past of an HPA.
pub struct ReadPast {
    /// The series.
    pub set: SeriesSet,
    /// The values of Pods, Object and External metrics between the scrapes.
    pub metric_values: Vec<MetricValues>,
    /// The name of the server for people.
    pub server: String,
    /// Warnings of the server.
    pub warnings: Vec<String>,
}

/// The result.
pub struct Past {
    /// What happened.
    pub course: Course,
    /// How well it is recomputed.
    pub trust: Trust,
    /// Why each rescale of the course happened; none: it could not be recomputed.
    pub reasons: Vec<Option<RescaleReason>>,
    /// The requested sync; none: there was none up to the requested time.
    pub requested: Option<RequestedSync>,
    /// The HPA as the last sync found it.
    pub today: Observation,
    /// The context of the HPA, without what is only valid today.
    pub context: Context,
    /// The total usage of all pods at each sync, by metric.
    pub totals: Vec<Vec<(i64, f64)>>,
    /// The source of each input.
    pub sources: Vec<SourceReport>,
    /// Why syncs are not certain.
    pub(crate) doubts: Doubts,
    /// The values of Pods, Object and External metrics between the scrapes.
    pub courses: Vec<MetricCourse>,
    /// Values of metrics that are not used.
    pub(crate) not_used: Vec<(ValueSource, NotUsed)>,
    /// When limits held containers back.
    pub held_back: HeldBack,
    /// When the HPA was last edited, to the second, by its `managedFields`.
    pub edited: Option<Timestamp>,
}

/// The sync of the requested time.
pub struct RequestedSync {
    /// When it was.
    pub now: Timestamp,
    /// When the scrape was that shows it.
    pub scraped: Millis,
    /// What it was decided from, and how certain that is; none: it cannot be recomputed.
    pub page: Option<(SyncInput, Afterwards)>,
}

/// What is requested besides the course.
pub struct PlayRequest<'a> {
    /// Explain the last sync up to this time, or up to this second if it has no fraction. If it is a whole minute: the
    /// first rescale within it, if there is one.
    pub at: Option<Timestamp>,
    /// Gets each sync that a scrape shows and that is recomputed.
    pub on_sync: &'a mut dyn FnMut(&PastSync<'_>, Details<'_>, &Inputs<'_>),
    /// Whether to end, for whatever reason.
    pub is_stopped: &'a dyn Fn() -> bool,
}

/// Plays the past of an HPA as it is today. None: it was stopped.
pub fn play(
    read: &ReadPast,
    today: SyncInput,
    request: &mut PlayRequest<'_>,
    zone: &TimeZone,
) -> Option<Past> {
    let SyncInput {
        observation,
        context,
        ..
    } = today;
    let edited = context.hpa_edited_by.as_ref().and_then(|edit| edit.time);
    let context = of_the_past(context);
    let spacing = read
        .set
        .interval(crate::names::DESIRED)
        .unwrap_or(60_000)
        .max(observation.sync_period().value.as_millis() as i64);
    let today = observation.clone();
    let mut past = Past {
        course: Course::new(spacing),
        trust: Trust::default(),
        reasons: Vec::new(),
        requested: None,
        today: observation,
        context,
        totals: vec![Vec::new(); today.hpa.spec.metrics.len()],
        sources: Vec::new(),
        doubts: Doubts::new(),
        courses: Vec::new(),
        not_used: Vec::new(),
        held_back: HeldBack::default(),
        edited,
    };
    // Whether the requested sync is a rescale within the requested minute.
    let mut is_found = false;
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
        if let Some(doubts) = advising::doubts(sync) {
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
                            let afterwards = how_sure(recomputed, sync.scrape, sources);
                            (sync_input(&past.context, sync, details), afterwards)
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
        (request.on_sync)(sync, details, &inputs);
    };
    follow_until(&sources, &mut visit, request.is_stopped);
    if (request.is_stopped)() {
        return None;
    }
    past.trust = trust.trust();
    past.sources = inputs.sources(None);
    if let (Some(first), Some(last)) = (past.course.points.first(), past.course.points.last()) {
        past.held_back = HeldBack::new(&sources, first.time, last.time);
    }
    past.course.finish();
    Some(past)
}

impl Past {
    /// How long it was at `maxReplicas` while the metrics asked for more.
    pub fn at_max(&self) -> Millis {
        self.course.time_of(IntervalKind::AtMax)
    }

    /// The sync of the requested time, and how certain it is. An error says why it has no page: another sync would be the
    /// answer to another question. `server` is where the past was read from.
    pub fn found(
        &self,
        server: &str,
        at: Timestamp,
        zone: &TimeZone,
    ) -> Result<&(SyncInput, Afterwards), String> {
        let clock = Clock::new(zone.clone(), at);
        let Some(requested) = &self.requested else {
            return Err(format!(
                "{server} shows no sync up to {}: use a later --at, or an earlier --from",
                clock.full(at)
            ));
        };
        // A rescale of the requested minute may come after its begin.
        let time = at.as_millisecond().max(requested.scraped);
        let last = requested.scraped;
        let decided = requested.page.as_ref().map(|_| last);
        let why = match (self.course.undecided(decided, time), &requested.page) {
            (Some(interval), _) => undecided(interval, &clock, server),
            (None, _) if self.ends(last) && last + self.course.longest() < time => {
                format!("{server} shows no sync after {}", clock.full(requested.now))
            }
            (None, None) => format!(
                "the sync of {} cannot be recomputed from what {server} has",
                clock.full(requested.now)
            ),
            (None, Some(page)) => return Ok(page),
        };
        Err(format!(
            "{why}: use another --at, or see the whole time range with `{}`",
            typed("history")
        ))
    }

    /// Whether no later sync was seen.
    fn ends(&self, time: Millis) -> bool {
        self.course
            .points
            .last()
            .is_none_or(|last| last.time <= time)
    }

    /// Whether the pods could not show the whole load at a time: there were no more of them, or limits held them back.
    pub fn hides_load(&self, time: Millis) -> bool {
        let mut intervals = self.course.intervals.iter();
        intervals.any(|one| one.kind == IntervalKind::AtMax && (one.from..=one.to).contains(&time))
            || self.held_back.at(time)
    }
}

/// Why the HPA did nothing then, or why that is not known.
fn undecided(interval: &Interval, clock: &Clock, server: &str) -> String {
    let instant = |millis: Millis| Timestamp::from_millisecond(millis).unwrap_or_default();
    let from = clock.full(instant(interval.from));
    let to = clock.time(instant(interval.to));
    match interval.kind {
        IntervalKind::MetricsFailed => format!(
            "from {from} to {to} the HPA could not compute its metrics (ScalingActive was False), and the reason is \
             not recorded"
        ),
        IntervalKind::NotAbleToScale => format!(
            "from {from} to {to} the HPA could not read or change the scale of its target (AbleToScale was False), \
             and the reason is not recorded"
        ),
        IntervalKind::Disabled => {
            format!("from {from} to {to} the target had 0 replicas, so the HPA did nothing")
        }
        IntervalKind::NoData => format!("{server} has no samples of the HPA from {from} to {to}"),
        IntervalKind::AtMax | IntervalKind::Flapping => {
            format!("from {from} to {to} nothing was decided")
        }
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

/// The total usage of all pods for the metric at `index`, in its unit.
fn used(observation: &Observation, index: usize) -> Option<f64> {
    let metric = observation.hpa.spec.metrics.get(index)?;
    metric.api_group()?;
    hpa_simulation::total(observation, metric.short_name())
}
