//! The answer: the result, its cause, and what to do.

use hpa_diagnosis::flapping::{Known, OwnRescale, TURNS, WITHIN, most_within, turns};
use hpa_words::{amount::number, clock::span};
use jiff::{SignedDuration, Timestamp};

use crate::{
    Band, Point,
    parameter::NotModeled,
    report::{SimulationReport, VariantReport},
    summary::band,
};

/// The result, its cause, and what to do, in at most four lines.
pub fn answer(report: &SimulationReport) -> Vec<String> {
    let Some(variant) = report.variants.first() else {
        return Vec::new();
    };
    let mut sentences = Vec::new();
    sentences.extend(cut(report));
    sentences.extend(variant.failure.clone());
    let summary = &variant.summary;
    let lost = summary.not_served.filter(|lost| lost.median > 0.0005);
    let percent = |share: f64| format!("{}%", number(share * 100.0));
    match summary.met_after {
        Some(met) if met.high < 1.0 => match capped(variant) {
            Some(capped) => {
                let when = if is_at_max_at_the_end(variant) {
                    ""
                } else {
                    " at the peak"
                };
                sentences.push(format!(
                    "maxReplicas keeps the pods above the target{when}."
                ));
                sentences.push(capped);
            }
            None => sentences.push("The load is met all the time.".to_owned()),
        },
        Some(met) => {
            let capped = capped(variant);
            let time = band(&met, longest);
            let mut sentence = if capped.is_some() {
                format!("The load is met as far as maxReplicas allows after {time}")
            } else {
                format!("The load is met after {time}")
            };
            if let Some(lost) = summary
                .not_served_until_met
                .filter(|lost| lost.median > 0.0005)
            {
                sentence.push_str(&format!(
                    "; until then {} is not served",
                    percent(lost.median)
                ));
            }
            sentences.push(format!("{sentence}."));
            sentences.extend(slowest(variant));
            sentences.extend(capped);
        }
        None => {
            let lost = lost.map_or_else(String::new, |lost| {
                format!(": {} is not served", percent(lost.median))
            });
            if variant.is_need_known() {
                sentences.push(format!("The load is not met at the end{lost}."));
                sentences.extend(why_unmet(report, variant));
            } else {
                sentences.push("How many replicas the load needs is not known.".to_owned());
            }
        }
    }
    sentences.extend(flapping(variant));
    sentences.extend(best(report));
    sentences.extend(waiting(report));
    if sentences.len() == 1 && summary.met_after.is_some() {
        sentences.push(range(variant));
    }
    let problem = report.problem.iter();
    sentences.extend(problem.map(|problem| format!("Problem now: {}", problem.sentence)));
    sentences
}

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

fn slowest(variant: &VariantReport) -> Option<String> {
    let summary = &variant.summary;
    let parts: [(&str, &Band); 3] = [
        ("pod startup", &summary.startup),
        ("scaling up in several steps", &summary.steps),
        ("metrics and the first sync", &summary.notice),
    ];
    let (name, part) = parts
        .into_iter()
        .max_by(|a, b| a.1.median.total_cmp(&b.1.median))?;
    (1.0 <= part.median).then(|| format!("Slowest: {name}, {} of it.", span(part.median)))
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

/// ` at 60%`, if the first metric has a target.
fn at_goal(variant: &VariantReport) -> String {
    let text = |goal| format!(" at {}", variant.unit.amount(goal));
    variant.goal.map_or_else(String::new, text)
}

fn why_unmet(report: &SimulationReport, variant: &VariantReport) -> Option<String> {
    let last = last_point(variant)?;
    let goal = at_goal(variant);
    if is_above_max(variant, last) {
        return Some(format!("{}.", needs("It", variant, last)?));
    }
    if 0 < last.without_node {
        return Some(match last.without_node {
            1 => "1 pod waits for a node.".to_owned(),
            pods => format!("{pods} pods wait for a node."),
        });
    }
    let is_refused = |one: &NotModeled| matches!(one, NotModeled::RefusedPods { .. });
    if last.ready < last.replicas && report.not_modeled.iter().any(is_refused) {
        return None;
    }
    if last.ready < last.replicas {
        let not_ready = last.replicas - last.ready;
        let verb = if not_ready == 1 { "is" } else { "are" };
        return Some(format!(
            "{not_ready} of {} pods {verb} not ready.",
            last.replicas
        ));
    }
    let needed = last.needed.filter(|needed| last.replicas < *needed)?;
    Some(format!(
        "It needs {needed} replicas{goal}, and has {}.",
        last.replicas
    ))
}

fn last_point(variant: &VariantReport) -> Option<&Point> {
    variant.runs.first()?.points.last()
}

/// The replicas go up and down repeatedly without need.
fn flapping(variant: &VariantReport) -> Option<String> {
    let own = variant.rescales.iter().map(|rescale| OwnRescale {
        at: Timestamp::UNIX_EPOCH + SignedDuration::from_millis(rescale.at),
        from: rescale.from,
        to: rescale.to,
    });
    let own: Vec<OwnRescale> = own.collect();
    let turns = turns(&own, Known::All);
    (TURNS <= most_within(&turns, WITHIN)).then(|| {
        let turns = turns.len();
        format!("The replicas change their direction {turns} times: a longer stabilization window or a larger tolerance calms that.")
    })
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
    if met(better) < met(today) - 1.0 {
        let hours = format!(
            "{} pod hours instead of {}",
            number(better.summary.pod_hours.median),
            number(today.summary.pod_hours.median)
        );
        return Some(format!(
            "With {name} it is met after {}, for {hours}.",
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
