//! What happened, line by line.

use std::ops::Range;

use hpa_history::{
    Certainty, HistoryReport, Interval, IntervalKind, Millis, PastRescale, certainty, doubt,
};
use hpa_words::clock::span;

use crate::style::Role;

/// One line of the timeline.
pub(super) struct Happened {
    pub(super) time: Millis,
    pub(super) until: Option<Millis>,
    pub(super) what: String,
    pub(super) sure: &'static str,
    pub(super) why: String,
    pub(super) role: Role,
    /// The rescales that it covers; empty: none.
    pub(super) rescales: Range<usize>,
    /// What held during that time; none: the replicas changed.
    pub(super) kind: Option<IntervalKind>,
}

/// Rescales and intervals in chronological order.
pub(super) fn happened(report: &HistoryReport, is_wide: bool) -> Vec<Happened> {
    let course = &report.course;
    let mut all: Vec<Happened> = Vec::new();
    let mut index = 0;
    while index < course.rescales.len() {
        let end = if is_wide {
            index + 1
        } else {
            end_of_steps(&course.rescales, index)
        };
        let steps = &course.rescales[index..end];
        let (first, last) = (&steps[0], &steps[steps.len() - 1]);
        // The first of several steps says why they began.
        let mut why = why(report, index, is_wide);
        match steps {
            [only] => why.push_str(&hedged(only)),
            _ => why.push_str(&format!(" In {} steps.", steps.len())),
        }
        let sure = steps
            .iter()
            .map(|one| one.certainty)
            .min()
            .unwrap_or(Certainty::Unknown);
        all.push(Happened {
            time: first.time,
            until: (1 < steps.len()).then_some(last.time),
            what: format!("{} → {}", first.from, last.to),
            sure: certainty(sure),
            why,
            role: Role::Text,
            rescales: index..end,
            kind: None,
        });
        index = end;
    }
    all.extend(course.intervals.iter().map(|one| of_interval(one, report)));
    all.sort_by_key(|one| one.time);
    all
}

/// Why rescale `index` happened, in all sentences or only the first.
fn why(report: &HistoryReport, index: usize, is_whole: bool) -> String {
    let reason = report.reasons.get(index).and_then(Option::as_ref);
    let sentences = reason.map_or(&[][..], |reason| &reason.sentences);
    match sentences {
        [] => "The reason cannot be recomputed.".to_owned(),
        all if is_whole => all.join(" "),
        [first, ..] => first.clone(),
    }
}

/// The whole reason, and how certain it is.
pub(super) fn whole_reason(report: &HistoryReport, index: usize) -> String {
    let hedged = report.course.rescales.get(index).map(hedged);
    why(report, index, true) + &hedged.unwrap_or_default()
}

/// Steps in one direction, each soon after the one before, count as one change.
fn end_of_steps(rescales: &[PastRescale], begin: usize) -> usize {
    let is_up = |one: &PastRescale| one.from < one.to;
    let mut end = begin + 1;
    while let (Some(before), Some(next)) = (rescales.get(end - 1), rescales.get(end))
        && is_up(before) == is_up(next)
        && before.to == next.from
        && next.time - before.time <= 4 * 60_000
    {
        end += 1;
    }
    end
}

/// The recomputed result, if it differs from what happened or is not the only possible one.
fn hedged(rescale: &PastRescale) -> String {
    let Some((least, likely, most)) = rescale.recomputed else {
        return String::new();
    };
    let why = rescale.doubts.first().map_or("", |one| doubt(*one));
    if likely != rescale.to {
        let because = if why.is_empty() {
            String::new()
        } else {
            format!(": {why}")
        };
        return format!(" Recomputed: {likely}{because}.");
    }
    match (least == most, why) {
        (true, "") => String::new(),
        (true, why) => format!(" Likely: {why}."),
        (false, why) => format!(" {least} to {most}: {why}."),
    }
}

fn of_interval(interval: &Interval, report: &HistoryReport) -> Happened {
    let length = span((interval.to - interval.from) as f64 / 1000.0);
    let (what, sure, why, role) = match interval.kind {
        IntervalKind::AtMax => (
            "at max",
            "observed",
            match interval.recommendation {
                Some((least, most)) if least < most => format!(
                    "Held at maxReplicas {} for {length}; the metrics ask for {least} to {most}.",
                    interval.replicas
                ),
                Some((_, most)) => format!(
                    "Held at maxReplicas {} for {length}; the metrics ask for {most}.",
                    interval.replicas
                ),
                None => format!("Held at maxReplicas {} for {length}.", interval.replicas),
            },
            Role::Warning,
        ),
        IntervalKind::MetricsFailed => (
            "no metrics",
            "observed",
            format!("ScalingActive is false for {length}; the reason is not recorded."),
            Role::Error,
        ),
        IntervalKind::NotAbleToScale => (
            "not able",
            "observed",
            format!("AbleToScale is false for {length}; the reason is not recorded."),
            Role::Error,
        ),
        IntervalKind::Disabled => (
            "disabled",
            "observed",
            format!(
                "{} has 0 replicas for {length}: the HPA does nothing.",
                report.target
            ),
            Role::Text,
        ),
        IntervalKind::Flapping => (
            "flapping",
            "observed",
            format!("Up and down in turns for {length}."),
            Role::Warning,
        ),
        IntervalKind::NoData => (
            "no data",
            "unknown",
            format!("Nothing was scraped for {length}."),
            Role::Dim,
        ),
    };
    Happened {
        time: interval.from,
        until: Some(interval.to),
        what: what.to_owned(),
        sure,
        why,
        role,
        rescales: 0..0,
        kind: Some(interval.kind),
    }
}
