//! The answer: the result, its cause, and what to do.

use hpa_diagnosis::flapping::{Known, OwnRescale, TURNS, WITHIN, most_within, turns};
use hpa_words::{
    amount::{count, number},
    clock::{elapsed, span},
};
use jiff::{SignedDuration, Timestamp};

use crate::{
    Band, Event, Millis, PerPodUnit, Point, StartTimes, Startup, TimedEvent,
    parameter::{Assumption, NotModeled, Parameter},
    report::{SimulationReport, VariantReport},
    summary::band,
};

/// The result, its cause, and what to do.
pub fn answer(report: &SimulationReport) -> Vec<String> {
    let Some(variant) = report.variants.first() else {
        return Vec::new();
    };
    let mut sentences = Vec::new();
    sentences.extend(cut(report));
    sentences.extend(variant.failure.clone());
    let summary = &variant.summary;
    match summary.met_after {
        Some(met) if met.high < 1.0 => sentences.extend(met_all_the_time(variant)),
        Some(met) => {
            sentences.push(met_in_time(variant, &met));
            sentences.extend(slowest(report, variant).or_else(|| Some(range(variant))));
            sentences.extend(capped(variant));
        }
        None if variant.is_need_known() => {
            sentences.push(unmet(report, variant));
            sentences.extend(why_unmet(report, variant));
        }
        None => sentences.push("How many replicas the load needs is not known.".to_owned()),
    }
    sentences.extend(flapping(variant));
    sentences.extend(best(report));
    let is_short = summary.met_after.is_none() || is_at_max(variant);
    let waiting = waiting(report);
    // What fails, and pods without a node, are what is wrong now.
    let is_said = variant.failure.is_some() || waiting.is_some();
    sentences.extend(waiting.filter(|_| is_short));
    sentences.extend(higher_max(report, variant));
    let problem = report.problem.iter().filter(|_| !is_said);
    sentences
        .extend(problem.map(|problem| format!("Problem now (see explain): {}", problem.sentence)));
    if MOST_LETTERS < sentences.iter().map(String::len).sum() {
        sentences.retain(|sentence| !sentence.starts_with(SLOWEST));
    }
    sentences
}

/// So many letters fit into six lines of a terminal.
const MOST_LETTERS: usize = 450;

/// What the sentence about the slowest part begins with.
const SLOWEST: &str = "Slowest: ";

/// That the load is met all the time, or as far as `maxReplicas` allows.
fn met_all_the_time(variant: &VariantReport) -> [String; 2] {
    let Some(capped) = capped(variant) else {
        return ["The load is met all the time.".to_owned(), range(variant)];
    };
    let when = if is_at_max_at_the_end(variant) {
        ""
    } else {
        " at the peak"
    };
    [
        format!("maxReplicas keeps the pods above the target{when}."),
        capped,
    ]
}

/// How long it takes until the load is met, and from when on.
fn met_in_time(variant: &VariantReport, met: &Band) -> String {
    let summary = &variant.summary;
    let as_far = if capped(variant).is_some() {
        " as far as maxReplicas allows"
    } else {
        ""
    };
    let runs = variant.runs.len();
    // The range leaves out the highest tenth.
    let do_all = met.high.is_finite();
    let time = if do_all {
        band(met, longest)
    } else {
        let met_in = runs - summary.unmet_runs;
        format!("{} in {met_in} of {runs} runs", longest(met.median))
    };
    let from = summary.met_from.median;
    let mut sentence = if from < AT_ONCE {
        format!("The load is met{as_far} after {time}")
    } else {
        let from = elapsed(SignedDuration::from_secs_f64(from));
        format!("From {from} on, it takes {time} until the load is met{as_far}")
    };
    if !do_all {
        sentence.push_str(", and it is not met at the end of the others");
    }
    let lost = summary.not_served_until_met;
    if let Some(lost) = lost.filter(|lost| lost.median > LEAST_LOST) {
        sentence.push_str(&format!(
            "; until then {} is not served",
            percent(lost.median)
        ));
    }
    format!("{sentence}.")
}

/// That the load is not met at the end.
fn unmet(report: &SimulationReport, variant: &VariantReport) -> String {
    let summary = &variant.summary;
    let which = if summary.unmet_runs < report.runs {
        format!(" of {} of {} runs", summary.unmet_runs, report.runs)
    } else {
        String::new()
    };
    let lost = summary.not_served.filter(|lost| lost.median > LEAST_LOST);
    let lost = lost.map_or_else(String::new, |lost| {
        format!(": {} is not served", percent(lost.median))
    });
    format!("The load is not met at the end{which}{lost}.")
}

fn percent(share: f64) -> String {
    format!("{}%", number(share * 100.0))
}

/// Until so many seconds after the start it is the start.
const AT_ONCE: f64 = 15.0;

/// Less of the load that is lost is not worth a word.
const LEAST_LOST: f64 = 0.0005;

/// That the simulation ends before the load is over.
fn cut(report: &SimulationReport) -> Option<String> {
    let seconds = |millis| span(millis as f64 / 1000.0);
    let load = seconds(report.cut_load?);
    let length = seconds(report.length);
    Some(format!(
        "Only the first {length} of {load} of the load are simulated: use a longer --for."
    ))
}

/// That pods wait for a node now, and find none here.
fn waiting(report: &SimulationReport) -> Option<String> {
    let is_waiting = |one: &&NotModeled| {
        matches!(
            one,
            NotModeled::WaitingPods(_) | NotModeled::RefusedPods { .. }
        )
    };
    let waiting = report.not_modeled.iter().find(is_waiting)?;
    Some(waiting.sentence())
}

/// A time in words; a time longer than the run is known only as a lower bound.
pub fn longest(seconds: f64) -> String {
    if seconds.is_finite() {
        span(seconds)
    } else {
        "never".to_owned()
    }
}

fn range(variant: &VariantReport) -> String {
    let runs = variant.runs.iter().map(|run| &run.summary);
    let fewest = runs.clone().map(|run| run.fewest).min().unwrap_or_default();
    let most = runs.map(|run| run.most).max().unwrap_or_default();
    if fewest == most {
        format!("The replicas stay at {most}.")
    } else {
        format!("The replicas stay between {fewest} and {most}.")
    }
}

/// The part that takes longest, called by its cause where it is no longer than that can take.
fn slowest(report: &SimulationReport, variant: &VariantReport) -> Option<String> {
    let summary = &variant.summary;
    let (pipeline, startup) = longest_waits(&report.assumptions);
    let named = |part: &Band, most: Millis, cause, otherwise| {
        if part.median * 1000.0 <= most as f64 {
            cause
        } else {
            otherwise
        }
    };
    let parts: [(&str, &Band); 3] = [
        (
            named(
                &summary.startup,
                startup + pipeline,
                "pod startup",
                "after the last scale-up",
            ),
            &summary.startup,
        ),
        ("scaling up in several steps", &summary.steps),
        (
            named(
                &summary.notice,
                pipeline,
                "metrics and the first sync",
                "the wait for the first scale-up",
            ),
            &summary.notice,
        ),
    ];
    let (name, part) = parts
        .into_iter()
        .max_by(|a, b| a.1.median.total_cmp(&b.1.median))?;
    (1.0 <= part.median).then(|| format!("{SLOWEST}{name}, {} of it.", span(part.median)))
}

/// The longest that a change of the load can take to a decision, and a pod from creation to ready.
fn longest_waits(assumptions: &[Assumption]) -> (Millis, Millis) {
    let (mut pipeline, mut startup) = (0, 0);
    for one in assumptions {
        match &one.parameter {
            // A rate needs two samples.
            Parameter::Housekeeping(_, high) | Parameter::SyncPeriod(high) => pipeline += high,
            Parameter::Resolution(interval) => pipeline += 2 * interval,
            Parameter::Startup(Startup::Between(_, high)) => startup = *high,
            Parameter::Startup(Startup::Observed(pods)) => {
                startup = pods.iter().map(StartTimes::total).max().unwrap_or(0);
            }
            _ => {}
        }
    }
    (pipeline, startup)
}

/// When the load is met, for a table: `40 s`, `40 s (at max)` if `maxReplicas` keeps the pods above the target then,
/// `not met`, or `unknown`.
pub fn met_after(variant: &VariantReport) -> String {
    let Some(met) = variant.summary.met_after else {
        let is_known = variant.is_need_known();
        return if is_known { "not met" } else { "unknown" }.to_owned();
    };
    let time = longest(met.median);
    if is_at_max(variant) {
        format!("{time} (at max)")
    } else {
        time
    }
}

/// `maxReplicas` keeps the pods above the target, but no load is lost.
pub fn capped(variant: &VariantReport) -> Option<String> {
    let peak = peak(variant)?;
    let per_pod = variant.unit.amount(peak.per_pod);
    Some(if is_at_max_at_the_end(variant) {
        format!("{}: a pod stays at {per_pod}.", needs("It", variant, peak)?)
    } else {
        let needs = needs("At the peak it", variant, peak)?;
        format!("{needs}: a pod is at {per_pod} then.")
    })
}

/// Whether the load needs more than `maxReplicas` at some time.
fn is_at_max(variant: &VariantReport) -> bool {
    peak(variant).is_some()
}

fn is_at_max_at_the_end(variant: &VariantReport) -> bool {
    last_point(variant).is_some_and(|last| is_above_max(variant, last))
}

/// The time at which the load needs the most replicas, if they are at `maxReplicas` then and that is not enough.
fn peak(variant: &VariantReport) -> Option<&Point> {
    let points = &variant.runs.first()?.points;
    let above = points.iter().filter(|point| is_above_max(variant, point));
    above.max_by_key(|point| point.needed)
}

fn is_above_max(variant: &VariantReport, point: &Point) -> bool {
    let max = variant.bounds.1;
    point.needed.is_some_and(|needed| max < needed) && point.replicas == max
}

fn needs(subject: &str, variant: &VariantReport, point: &Point) -> Option<String> {
    let (needed, goal, max) = (point.needed?, at_goal(variant), variant.bounds.1);
    Some(format!(
        "{subject} needs {needed} replicas{goal}, and maxReplicas is {max}"
    ))
}

/// ` at 60%`, ` at 10 per pod`, if the first metric has a target.
fn at_goal(variant: &VariantReport) -> String {
    let each = match variant.unit {
        PerPodUnit::PercentOfRequest => "",
        PerPodUnit::Value(_) => " per pod",
    };
    let text = |goal| format!(" at {}{each}", variant.unit.amount(goal));
    variant.goal.map_or_else(String::new, text)
}

fn why_unmet(report: &SimulationReport, variant: &VariantReport) -> Vec<String> {
    let Some(last) = last_point(variant) else {
        return Vec::new();
    };
    let is_refused = |one: &NotModeled| matches!(one, NotModeled::RefusedPods { .. });
    let is_refused = report.not_modeled.iter().any(is_refused);
    let mut sentences = Vec::new();
    let needed = last.needed.filter(|needed| last.replicas < *needed);
    if is_above_max(variant, last) {
        sentences.extend(needs("It", variant, last).map(|needs| format!("{needs}.")));
    } else if let Some(needed) = needed
        && last.ready == last.replicas
    {
        let goal = at_goal(variant);
        sentences.push(format!(
            "It needs {needed} replicas{goal}, and has {}: --at={} explains why.",
            last.replicas,
            elapsed(SignedDuration::from_millis(last.at))
        ));
    }
    if 0 < last.without_node {
        let waits = if last.without_node == 1 {
            "waits"
        } else {
            "wait"
        };
        let remedy = if waiting(report).is_some() {
            ""
        } else {
            ": compare with more room (--nodes)"
        };
        sentences.push(format!(
            "{} of {} {waits} for a node{remedy}.",
            last.without_node,
            pods(last.replicas)
        ));
    } else if last.ready < last.replicas && !is_refused {
        let not_ready = last.replicas - last.ready;
        let verb = if not_ready == 1 { "is" } else { "are" };
        let is_for_good =
            |one: &TimedEvent| matches!(one.event, Event::Crash(_, None) | Event::Unready(_, None));
        let cause = if report.events.iter().any(is_for_good) {
            ", since --event"
        } else {
            ""
        };
        sentences.push(format!(
            "{not_ready} of {} {verb} not ready{cause}.",
            pods(last.replicas)
        ));
    }
    sentences
}

fn pods(number: i32) -> String {
    count(usize::try_from(number).unwrap_or_default(), "pod")
}

/// What to try where `maxReplicas` is too low, all pods are ready and nothing else is wrong.
fn higher_max(report: &SimulationReport, variant: &VariantReport) -> Option<String> {
    let point = match last_point(variant)? {
        last if is_above_max(variant, last) => last,
        _ => peak(variant)?,
    };
    let is_alone = report.variants.len() == 1 && report.problem.is_none();
    let needed = point
        .needed
        .filter(|_| is_alone && point.ready == point.replicas)?;
    Some(format!(
        "What a higher one would do: add --compare=maxReplicas={needed}."
    ))
}

fn last_point(variant: &VariantReport) -> Option<&Point> {
    variant.runs.first()?.points.last()
}

/// The replicas go up and down repeatedly, with the load or without it.
fn flapping(variant: &VariantReport) -> Option<String> {
    let own = variant.rescales.iter().map(|rescale| OwnRescale {
        at: Timestamp::UNIX_EPOCH + SignedDuration::from_millis(rescale.at),
        from: rescale.from,
        to: rescale.to,
    });
    let own: Vec<OwnRescale> = own.collect();
    let turns = turns(&own, Known::All);
    if most_within(&turns, WITHIN) < TURNS {
        return None;
    }
    let turns = turns.len();
    Some(if turns <= turns_of_load(variant) + 1 {
        format!(
            "The replicas change their direction {turns} times, with the load: a scale-down window longer than its waves calms that, for more pod hours."
        )
    } else {
        format!(
            "The replicas change their direction {turns} times, more often than the load: a longer stabilization window or a larger tolerance calms that."
        )
    })
}

/// How often the load changes from rising to falling, or back.
fn turns_of_load(variant: &VariantReport) -> usize {
    let points = variant.runs.first().map_or(&[][..], |run| &run.points);
    let steps = points.windows(2).filter_map(|pair| match pair {
        [before, after] if before.load < after.load => Some(true),
        [before, after] if after.load < before.load => Some(false),
        _ => None,
    });
    let steps: Vec<bool> = steps.collect();
    steps.windows(2).filter(|pair| pair[0] != pair[1]).count()
}

/// The best other variant, if one is better.
fn best(report: &SimulationReport) -> Option<String> {
    let (today, others) = report.variants.split_first()?;
    if today.summary.met_after.is_some() && is_at_max(today) {
        let relief = relief(today, others);
        if relief.is_some() || is_at_max_at_the_end(today) {
            return relief;
        }
    }
    let met = |variant: &VariantReport| {
        variant
            .summary
            .met_after
            .map_or(f64::INFINITY, |met| met.median)
    };
    let lost = |variant: &VariantReport| variant.summary.not_served.map_or(0.0, |lost| lost.median);
    let key = |variant: &VariantReport| {
        (
            met(variant),
            lost(variant),
            variant.summary.pod_hours.median,
        )
    };
    let better = others.iter().min_by(|a, b| {
        let (a, b) = (key(a), key(b));
        a.0.total_cmp(&b.0)
            .then(a.1.total_cmp(&b.1))
            .then(a.2.total_cmp(&b.2))
    })?;
    let name = &better.name;
    if met(better).is_infinite() {
        return Some("No variant meets it.".to_owned());
    }
    if is_sooner(better, today) {
        let as_far = if is_at_max(better) {
            " as far as its maxReplicas allows"
        } else {
            ""
        };
        let hours = format!(
            "{} pod hours instead of {}",
            number(better.summary.pod_hours.median),
            number(today.summary.pod_hours.median)
        );
        return Some(format!(
            "With {name} it is met{as_far} after {}, for {hours}.",
            span(met(better))
        ));
    }
    let hours = |variant: &VariantReport| variant.summary.pod_hours.median;
    if met(better) <= met(today) + 1.0
        && lost(better) <= lost(today) + 0.0005
        && hours(better) < hours(today) * 0.98
    {
        return Some(format!(
            "With {name} it is met as fast, for {} pod hours instead of {}.",
            number(hours(better)),
            number(hours(today))
        ));
    }
    Some("No variant meets it sooner.".to_owned())
}

/// Whether a variant meets the load sooner, by more than runs differ.
fn is_sooner(variant: &VariantReport, today: &VariantReport) -> bool {
    match (variant.summary.met_after, today.summary.met_after) {
        (Some(variant), Some(today)) => variant.median < today.low - 1.0,
        (met, None) => met.is_some(),
        (None, Some(_)) => false,
    }
}

/// The cheapest variant whose `maxReplicas` is enough, if today's is not.
fn relief(today: &VariantReport, others: &[VariantReport]) -> Option<String> {
    let hours = |variant: &VariantReport| variant.summary.pod_hours.median;
    let enough =
        |variant: &&VariantReport| variant.summary.met_after.is_some() && !is_at_max(variant);
    let enough = others.iter().filter(enough);
    let cheapest = enough.min_by(|a, b| hours(a).total_cmp(&hours(b)))?;
    let time = peak(today)?.at;
    let mut points = cheapest.runs.first()?.points.iter();
    let per_pod = points.find(|point| point.at == time)?.per_pod;
    let per_pod = cheapest.unit.amount(per_pod);
    Some(format!(
        "With {} it comes down to {per_pod}, for {} pod hours instead of {}.",
        cheapest.name,
        number(hours(cheapest)),
        number(hours(today))
    ))
}
