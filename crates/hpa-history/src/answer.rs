//! The answer: what was wrong, why, and what to do.

use hpa_diagnosis::flapping::{interval, longer_than_swing};
use hpa_simulation::band;
use hpa_words::{amount::count, clock::span};

use crate::{
    course::{Course, FAILURES, Interval, IntervalKind},
    possible::ImpossibleSamples,
    report::{Censored, HistoryReport, PodCpu, WhatIfReport, WhatIfStartup},
    series::Millis,
};

/// A new HPA has no metrics for this long, which is normal.
pub const SHORT: Millis = 90_000;

/// What was wrong, why, and what to do: a few sentences.
pub fn answer(report: &HistoryReport) -> Vec<String> {
    let course = &report.course;
    if course.points.is_empty() && !report.impossible.is_empty() {
        let mut sentences = vec![format!(
            "{} has no usable samples of {} in this time.",
            report.server, report.hpa
        )];
        sentences.extend(left_out(&report.impossible));
        return sentences;
    }
    if course.points.is_empty() {
        return vec![format!(
            "{1} has no samples of {0} in this time. Check whether kube-state-metrics is scraped, whether the HPA existed, and whether the server keeps raw samples for that long.",
            report.hpa, report.server
        )];
    }
    let mut sentences = Vec::new();
    let of = |kind: IntervalKind| -> Vec<&Interval> {
        course
            .intervals
            .iter()
            .filter(|one| one.kind == kind)
            .collect()
    };
    let length = |kind: IntervalKind| span(course.time_of(kind) as f64 / 1000.0);
    let times = |intervals: &[&Interval]| match intervals {
        [only] => format!(
            " ({} to {})",
            report.clock(only.from),
            report.clock(only.to)
        ),
        many => {
            let last = many.last().map_or_else(String::new, |last| {
                let (from, to) = (report.clock(last.from), report.clock(last.to));
                format!(", last {from} to {to}")
            });
            format!(" ({} times{last})", many.len())
        }
    };
    let failed = of(IntervalKind::MetricsFailed);
    if SHORT < course.time_of(IntervalKind::MetricsFailed) {
        sentences.push(format!(
            "The HPA could not compute its metrics for {}{}: it did not scale in that time. The reason is not recorded; {} it.",
            length(IntervalKind::MetricsFailed),
            times(&failed),
            if lasts(course, &failed) {
                "explain says"
            } else {
                "Events and the log of the metrics adapter have"
            }
        ));
    }
    let unable = of(IntervalKind::NotAbleToScale);
    if !unable.is_empty() {
        sentences.push(format!(
            "The HPA could not read or write the scale of {} for {}{}: {}.",
            report.target,
            length(IntervalKind::NotAbleToScale),
            times(&unable),
            if lasts(course, &unable) {
                "explain says why"
            } else {
                "Events have the reason"
            }
        ));
    }
    let at_max = of(IntervalKind::AtMax);
    if !at_max.is_empty() {
        let max = at_max
            .iter()
            .map(|one| one.replicas)
            .max()
            .unwrap_or_default();
        let most = at_max
            .iter()
            .filter_map(|one| one.recommendation)
            .map(|(_, most)| most)
            .max();
        let most = most.map_or_else(String::new, |most| {
            format!("; the metrics asked for up to {most} replicas")
        });
        sentences.push(format!(
            "It was held at maxReplicas {max} for {}{}{most}.",
            length(IntervalKind::AtMax),
            times(&at_max)
        ));
        if report.what_if.is_none() {
            let more = at_max
                .iter()
                .filter_map(|one| one.recommendation)
                .map(|(_, most)| most)
                .max()
                .unwrap_or(max + max / 2);
            sentences.push(format!(
                "What a higher one would have done: add --compare=maxReplicas={more}."
            ));
        }
    }
    let flapping = of(IntervalKind::Flapping);
    if !flapping.is_empty() {
        let turns = course.turns();
        sentences.push(format!(
            "The replicas went up and down in turns for {}{}: {} changes of direction.",
            length(IntervalKind::Flapping),
            times(&flapping),
            turns.len()
        ));
        if let Some(every) = interval(&turns).filter(|_| report.what_if.is_none()) {
            sentences.push(format!(
                "What a longer window would have done: add --compare=behavior.scaleDown.stabilizationWindowSeconds={}.",
                longer_than_swing(every).as_secs()
            ));
        }
    }
    if sentences.is_empty() {
        let least = course
            .points
            .iter()
            .map(|one| one.replicas)
            .min()
            .unwrap_or_default();
        let most = course
            .points
            .iter()
            .map(|one| one.replicas)
            .max()
            .unwrap_or_default();
        let is_limit_known = shows_limit(course);
        let begin = match (shows_failures(course), is_limit_known) {
            _ if !report.impossible.is_empty() => {
                "Whether all is well is unknown, because some samples are impossible. The others: "
            }
            (true, true) => "All is well: ",
            (true, false) => "Time at maxReplicas is unknown without samples of the conditions; ",
            (false, true) => "Failures are unknown without samples of the conditions; ",
            (false, false) => {
                "Failures and time at maxReplicas are unknown without samples of the conditions; "
            }
        };
        let what = match course.rescales.len() {
            0 if most == 1 => "every scrape shows 1 replica".to_owned(),
            0 => format!("every scrape shows {most} replicas"),
            1 => format!("1 change of the replicas, between {least} and {most}"),
            count if is_limit_known => format!(
                "{count} changes of the replicas, between {least} and {most}; never held at maxReplicas"
            ),
            count => format!("{count} changes of the replicas, between {least} and {most}"),
        };
        sentences.push(format!("{begin}{what}."));
    }
    sentences.extend(left_out(&report.impossible));
    let gaps = of(IntervalKind::NoData);
    if !gaps.is_empty() {
        let usable = if report.impossible.is_empty() {
            ""
        } else {
            "usable "
        };
        sentences.push(format!(
            "Nothing {usable}was scraped for {}{}: nothing is said of that time.",
            length(IntervalKind::NoData),
            times(&gaps)
        ));
    }
    sentences
}

/// Whether a state holds until the last scrape.
fn lasts(course: &Course, intervals: &[&Interval]) -> bool {
    let last = course.points.last().map(|last| last.time);
    intervals.last().map(|interval| interval.to) == last
}

/// What is left out because it cannot be, one sentence for each name.
pub fn left_out(impossible: &[ImpossibleSamples]) -> Vec<String> {
    let sentence = |one: &ImpossibleSamples| {
        let samples = count(one.count, "sample");
        let (name, value, words) = (&one.name, one.value, one.possible.words());
        format!("{samples} of {name} cannot be, such as {value:?}: the value must be {words}.")
    };
    let mut sentences: Vec<String> = impossible.iter().take(MOST_NAMED).map(sentence).collect();
    if MOST_NAMED < impossible.len() {
        let more = count(impossible.len() - MOST_NAMED, "other series name");
        sentences.push(format!("So are samples of {more}."));
    }
    sentences
}

/// At most this many names of series are named.
const MOST_NAMED: usize = 3;

/// Whether the scrapes show failures, or that there were none.
fn shows_failures(course: &Course) -> bool {
    FAILURES
        .into_iter()
        .all(|kind| course.known_time_of(kind).is_some())
}

/// Whether the scrapes show that `maxReplicas` held the HPA, or that it did not.
fn shows_limit(course: &Course) -> bool {
    course.known_time_of(IntervalKind::AtMax).is_some()
}

/// Whether the scrapes show trouble, or that there was none.
pub fn shows_trouble(course: &Course) -> bool {
    shows_failures(course) && shows_limit(course)
}

/// How reliable the reconstructed past is.
pub fn trust(report: &HistoryReport) -> String {
    let trust = report.trust;
    if trust.rescales == 0 {
        return format!(
            "Trust: {} of {} syncs are recomputed to what the controller decided; there was no rescale to test it with.",
            trust.agreeing, trust.syncs
        );
    }
    let early = match trust.early {
        0 => String::new(),
        count => format!(" {count} early,"),
    };
    let mut text = format!(
        "Trust: {} of {} rescales recomputed exactly, {} in direction, {} missed,{early} {} invented.",
        trust.exact, trust.rescales, trust.direction, trust.missed, trust.invented
    );
    if trust.direction + trust.missed + trust.early + trust.invented > 0
        && let Some(skill) = trust.skill()
    {
        text.push_str(&if skill < 0.0 {
            format!(
                " It does worse than the guess \"the replicas stay\": {} syncs are wrong, {} by that guess.",
                trust.syncs - trust.agreeing,
                trust.changing
            )
        } else {
            format!(
                " Against \"the replicas stay\", it avoids {:.0}% of the errors.",
                skill * 100.0
            )
        });
    }
    text
}

/// Why other specs are not evaluated.
pub const NOT_TRUSTED: &str = "The model does not reproduce this past, so other specs cannot be compared. Try a longer range: --since 24h.";

/// How a what-if counts the time in which the pods could not show the whole load; none: they always could.
pub fn hidden(what_if: &WhatIfReport) -> Option<String> {
    (what_if.is_trusted && 0 < what_if.hidden).then(|| {
        format!(
            "For {}, the pods could not show the whole load. Other specs count no fewer pods there than there were, as far as their maxReplicas allows. Hours at max and unmet pod hours are at least these.",
            span(what_if.hidden as f64 / 1000.0)
        )
    })
}

/// The CPU that the cost counts for a pod, and how that is known; none: no price of CPU was given.
pub fn pod_cpu(what_if: &WhatIfReport) -> Option<String> {
    let PodCpu { cores, is_of_today } = what_if.pod_cpu.as_ref()?;
    let milli = (cores * 1000.0).round();
    Some(if *is_of_today {
        format!(
            "The cost counts {milli}m of CPU for a pod, the mean of today's pods that request CPU: the requests in that time range are not known."
        )
    } else {
        format!(
            "The cost counts {milli}m of CPU for a pod, the mean of the pods in that time range that request CPU."
        )
    })
}

/// How long new pods take in the model, and how that is known.
pub fn startup(what_if: &WhatIfReport) -> String {
    let WhatIfStartup { seconds, pods } = &what_if.startup;
    match pods {
        0 => format!(
            "The model assumes that new pods are ready after {} to {}: the series show no pod that started then.",
            span(seconds.low),
            span(seconds.high)
        ),
        1 => format!(
            "New pods are ready after {}, like the one pod that started then.",
            band(seconds, span)
        ),
        pods => format!(
            "New pods are ready after {}, like the {pods} pods that started then.",
            band(seconds, span)
        ),
    }
}

/// Why the load may have been higher than the pods show.
pub fn censored(censored: Censored) -> String {
    match censored {
        Censored::AtMax(time) => format!(
            "Held at maxReplicas for {}: what could not be served is not in the metrics, so the load may have been greater.",
            span(time as f64 / 1000.0)
        ),
        Censored::Throttled(share) => format!(
            "The CPU limit held containers back in {:.0}% of their periods: they may have needed more than they used.",
            share * 100.0
        ),
        Censored::AtLimits(time) => format!(
            "Containers used nearly all that their limits allow for {}: they may have needed more.",
            span(time as f64 / 1000.0)
        ),
    }
}
