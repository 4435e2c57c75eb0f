//! The past under other specs: its load, in the model of `simulate`.

use std::{collections::BTreeMap, iter};

use hpa_engine::model::Pod;
use hpa_simulation::{Band, Load, LoadPoint, Millis, PastVariant, Startup, Summary};

use crate::{
    containers::requested,
    course::Point,
    demand::demand,
    past::{Past, ReadPast},
    report::{PodCpu, WhatIfReport, WhatIfRow, WhatIfStartup},
    sources::{Sources, mean_request},
};

/// Interval between points of the runs of the model.
pub const STEP: Millis = 15_000;

/// A point of a run of the model.
type ModelPoint = hpa_simulation::Point;

/// If the model reproduces less of the replicas, other specs are not evaluated.
const ENOUGH: f64 = 0.95;

/// The controller's values lag behind the usage by about this: half a window, and the age of a sample.
const BEHIND: Millis = 30_000;

/// Interval of the load of CPU and memory: a longer one would smear a jump, a shorter one finds no more between two
/// readings of the kubelet.
const LOAD_STEP: Millis = 5_000;

/// The report on a past under other specs: what they gave in the model, today's first. The price of a pod hour, and the
/// CPU that it counts, if they are given. None: the model has no variant.
pub fn what_if(
    past: &Past,
    mut variants: Vec<PastVariant>,
    (price, pod_cpu): (Option<f64>, Option<PodCpu>),
) -> Option<WhatIfReport> {
    let (today, others) = variants.split_first_mut()?;
    let actual = Timeline::new(&past.course.points);
    let control = control(today, &actual);
    let is_trusted = ENOUGH <= control;
    let hidden = hidden(today, &actual, past);
    for variant in &mut *others {
        keep_hidden(variant, &actual, past);
    }
    let start = today.start.as_millisecond();
    let row = |name: Option<&String>, variant: &PastVariant| {
        let counted = variant.runs.iter().map(|run| {
            let of = |point: &ModelPoint, _: &Point| (point.replicas, variant.max);
            Counted::new(&run.points, start, &actual, of)
        });
        let counted: Vec<Counted> = counted.collect();
        let band = |of: fn(&Counted) -> f64| Band::of(counted.iter().map(of));
        let rescales = variant
            .runs
            .iter()
            .map(|run| f64::from(run.summary.rescales));
        let pod_hours = band(|one| one.pod_hours);
        // How well another spec meets a load that is hidden in part is not known.
        let summary = (name.is_none() || hidden == 0).then(|| Summary {
            pod_hours,
            ..variant.summary.clone()
        });
        WhatIfRow {
            name: name
                .map_or("today's spec, in the model", String::as_str)
                .to_owned(),
            replicas: replicas(variant),
            pod_hours,
            hours_at_max: band(|one| one.hours_at_max),
            unmet_pod_hours: band(|one| one.unmet_pod_hours),
            rescales: Band::of(rescales),
            summary: summary.map(|summary| (summary, variant.above)),
        }
    };
    Some(WhatIfReport {
        control,
        is_trusted,
        actual: actual_row(today, &actual, past),
        variants: if is_trusted {
            let others = others.iter().map(|one| row(Some(&one.name), one));
            iter::once(row(None, today)).chain(others).collect()
        } else {
            Vec::new()
        },
        price,
        pod_cpu,
        hidden,
        startup: startup(today),
    })
}

/// What was read and confirmed of the past.
pub fn sources<'a>(read: &'a ReadPast, past: &'a Past) -> Sources<'a> {
    Sources {
        set: &read.set,
        today: &past.today,
        courses: &past.courses,
        edited: past.edited,
    }
}

/// The load of each metric since `start`.
pub fn loads(read: &ReadPast, past: &Past, start: Millis) -> BTreeMap<String, Load> {
    let sources = sources(read, past);
    let mut loads = BTreeMap::new();
    for (index, metric) in past.today.hpa.spec.metrics.iter().enumerate() {
        let name = metric.short_name();
        let is_plain = metric.pod_resource().is_some();
        let counted = if is_plain {
            demand(&sources, name, LOAD_STEP)
        } else {
            let mut courses = past.courses.iter();
            let course = courses.find(|one| one.index == index);
            course.map_or_else(Vec::new, |one| one.total(&sources))
        };
        let (samples, behind) = if counted.is_empty() {
            (past.totals[index].clone(), BEHIND)
        } else {
            (counted, 0)
        };
        let mut points: Vec<LoadPoint> = Vec::new();
        for (time, value) in samples {
            let at = (time - behind - start).max(0);
            match points.last_mut() {
                // Of the values before the start, the newest counts.
                Some(last) if last.at == at => last.value = value,
                _ => points.push(LoadPoint { at, value }),
            }
        }
        if !points.is_empty() {
            loads.insert(name.to_owned(), Load::Points(points));
        }
    }
    loads
}

/// How long new pods take in the model.
fn startup(today: &PastVariant) -> WhatIfStartup {
    let seconds = |millis: Millis| millis as f64 / 1000.0;
    match &today.startup {
        Startup::Between(low, high) => WhatIfStartup {
            seconds: Band {
                low: seconds(*low),
                median: seconds(low + (high - low) / 2),
                high: seconds(*high),
            },
            pods: 0,
        },
        Startup::Observed(pods) => WhatIfStartup {
            seconds: Band::of(pods.iter().map(|one| seconds(one.total()))),
            pods: pods.len(),
        },
    }
}

/// The actual replicas.
struct Timeline<'a>(&'a [Point]);

impl<'a> Timeline<'a> {
    fn new(points: &'a [Point]) -> Self {
        Self(points)
    }

    /// The point at a time; `None` if nothing was observed.
    fn at(&self, time: Millis) -> Option<&Point> {
        let count = self.0.partition_point(|point| point.time <= time);
        let point = self.0.get(count.checked_sub(1)?)?;
        (time - point.time < 180_000).then_some(point)
    }
}

/// The share of the actual replicas that the model gives with today's spec, the mean of all runs.
fn control(today: &PastVariant, actual: &Timeline<'_>) -> f64 {
    let start = today.start.as_millisecond();
    let (mut wrong, mut all) = (0.0, 0.0);
    for point in today.runs.iter().flat_map(|run| &run.points) {
        if let Some(then) = actual.at(start + point.at) {
            wrong += f64::from((point.replicas - then.replicas).abs());
            all += f64::from(then.replicas);
        }
    }
    if all > 0.0 {
        (1.0 - wrong / all).max(0.0)
    } else {
        0.0
    }
}

/// The replicas over time, the median of all runs.
fn replicas(variant: &PastVariant) -> Vec<(Millis, f64)> {
    let start = variant.start.as_millisecond();
    let first = variant.runs.first().map_or(&[][..], |run| &run.points);
    let at = |index: usize| {
        let points = variant.runs.iter().filter_map(|run| run.points.get(index));
        Band::of(points.map(|point| f64::from(point.replicas))).median
    };
    let points = first.iter().enumerate();
    points
        .map(|(index, point)| (start + point.at, at(index)))
        .collect()
}

/// How long the pods could not show the whole load.
fn hidden(today: &PastVariant, actual: &Timeline<'_>, past: &Past) -> Millis {
    let start = today.start.as_millisecond();
    let points = today.runs.first().map_or(&[][..], |run| &run.points);
    let then = points
        .iter()
        .filter_map(|point| actual.at(start + point.at));
    let hidden = then.filter(|then| past.hides_load(then.time));
    hidden.map(|_| STEP).sum()
}

/// What the pods could not show is no saving: at such a time, another spec has no fewer pods than there were, as far as
/// its `maxReplicas` allows. Today's spec is the control run, as the model gives it.
fn keep_hidden(variant: &mut PastVariant, actual: &Timeline<'_>, past: &Past) {
    let start = variant.start.as_millisecond();
    for point in variant.runs.iter_mut().flat_map(|run| &mut run.points) {
        if let Some(then) = actual.at(start + point.at)
            && past.hides_load(then.time)
        {
            point.replicas = point.replicas.max(then.replicas.min(variant.max));
        }
    }
}

fn actual_row(today: &PastVariant, actual: &Timeline<'_>, past: &Past) -> WhatIfRow {
    let points = today.runs.first().map_or(&[][..], |run| &run.points);
    let of = |_: &ModelPoint, then: &Point| (then.replicas, then.bounds.1);
    let counted = Counted::new(points, today.start.as_millisecond(), actual, of);
    let exact = |value: f64| Band::of([value]);
    WhatIfRow {
        name: "as it was".to_owned(),
        replicas: Vec::new(),
        pod_hours: exact(counted.pod_hours),
        hours_at_max: exact(counted.hours_at_max),
        unmet_pod_hours: exact(counted.unmet_pod_hours),
        rescales: exact(past.course.rescales.len() as f64),
        summary: None,
    }
}

/// One course in numbers: only times at which the past was observed count.
struct Counted {
    pod_hours: f64,
    hours_at_max: f64,
    unmet_pod_hours: f64,
}

impl Counted {
    /// `of` gives the replicas and `maxReplicas` at a time.
    fn new(
        points: &[ModelPoint],
        start: Millis,
        actual: &Timeline<'_>,
        of: impl Fn(&ModelPoint, &Point) -> (i32, i32),
    ) -> Self {
        let (mut pods, mut at_max, mut unmet) = (0.0, 0.0, 0.0);
        for point in points {
            let Some(then) = actual.at(start + point.at) else {
                continue;
            };
            let (replicas, max) = of(point, then);
            pods += f64::from(replicas);
            // An HPA that cannot compute its metrics does not reproduce the past, and has no what-ifs.
            let needed = point.needed.unwrap_or_default();
            unmet += f64::from((needed - replicas).max(0));
            at_max += f64::from(u8::from(max <= replicas && max < needed));
        }
        Self {
            pod_hours: hours(pods),
            hours_at_max: hours(at_max),
            unmet_pod_hours: hours(unmet),
        }
    }
}

/// Converts a number of steps to hours.
fn hours(steps: f64) -> f64 {
    steps * STEP as f64 / 3_600_000.0
}

/// The CPU that a pod requests on average, of the pods that request any; none: no request is known.
pub fn mean_pod_cpu(read: &ReadPast, past: &Past) -> Option<PodCpu> {
    let pods = || {
        past.today
            .pods
            .read()
            .into_iter()
            .flat_map(|pods| pods.iter())
    };
    // No exporter has the requests of a whole pod.
    let has_own = pods().any(Pod::has_pod_level_requests);
    let of_past = mean_request(&sources(read, past), "cpu").filter(|_| !has_own);
    let cores = of_past.or_else(|| {
        let of_today: Vec<f64> = pods().filter_map(cpu_of).collect();
        (!of_today.is_empty()).then(|| of_today.iter().sum::<f64>() / of_today.len() as f64)
    })?;
    Some(PodCpu {
        cores,
        is_of_today: of_past.is_none(),
    })
}

fn cpu_of(pod: &Pod) -> Option<f64> {
    let own = pod.requests.iter().find(|(name, _)| *name == "cpu");
    let own = own.map(|(_, request)| request.approximate_f64());
    own.or_else(|| requested(&pod.containers, &pod.init_containers, "cpu"))
}
