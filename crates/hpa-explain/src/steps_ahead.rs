//! The steps to come, in words.

use hpa_analysis::ReplicaChange;
use hpa_engine::trace::Decision;
use hpa_words::clock::duration;
use jiff::{SignedDuration, Unit};

use crate::ExplainContext;

/// `At this load it scales to 33 at 10:42:00 (in 45 s), 40 at 10:43:00.`, to the end, after what a metric asks for. At the
/// same load it can ask for something else on the way: near the target it is within tolerance.
fn steps(cx: &ExplainContext<'_>) -> Option<String> {
    let parts = parts(cx, |first| {
        format!("{} {}", first.to, cx.clock.ahead(first.at))
    })?;
    Some(format!("At this load it scales to {}.", parts.join(", ")))
}

/// The same after what the next sync sets, or until when nothing changes: `, 9 one sync later`, `; after that 9, 12 at 10:43:00`.
pub(super) fn path(cx: &ExplainContext<'_>) -> Option<String> {
    let is_now = matches!(cx.facts.trace.decision, Decision::Rescale { .. });
    let parts = parts(cx, |first| {
        if is_now {
            format!("{} at {}", first.to, cx.clock.time(first.at))
        } else {
            first.to.to_string()
        }
    })?;
    let start = if is_now { ", " } else { "; after that " };
    Some(format!("{start}{}", parts.join(", ")))
}

/// The end of that alone: `, eventually 12`.
pub(super) fn end_of_path(cx: &ExplainContext<'_>) -> Option<String> {
    let last = cx.analysis.timeline.last()?;
    Some(format!(", eventually {}", last.to))
}

/// When the replicas change that stay now: `20:46:09`.
pub(super) fn frees(cx: &ExplainContext<'_>) -> Option<String> {
    let first = cx.analysis.timeline.first()?;
    Some(if cx.clock.is_now(first.at) {
        "the next sync".to_owned()
    } else {
        cx.clock.time(first.at)
    })
}

/// The changes to come, the first of them in other words unless it follows a sync that is due.
fn parts(
    cx: &ExplainContext<'_>,
    of_first: impl Fn(&ReplicaChange) -> String,
) -> Option<Vec<String>> {
    let changes = &cx.analysis.timeline;
    let (first, last) = (changes.first()?, changes.last()?);
    let at = |change: &ReplicaChange| format!("{} at {}", change.to, cx.clock.time(change.at));
    let at_once = sync_by_sync(cx, changes);
    let first = |number: usize| match &changes[..number] {
        [] => vec![of_first(first)],
        [next] => vec![format!("{} one sync later", next.to)],
        [some @ .., last] => {
            let some: Vec<String> = some.iter().map(|one| one.to.to_string()).collect();
            vec![format!(
                "{} and {} at the next syncs",
                some.join(", "),
                last.to
            )]
        }
    };
    let mut parts;
    if let Some(rhythm) = rhythm(changes) {
        parts = first(at_once.min(1));
        parts.push(rhythm);
        parts.push(format!("{} at about {}", last.to, cx.clock.time(last.at)));
    } else {
        let shown = if changes.len() <= 4 { changes.len() } else { 3 };
        let at_once = at_once.min(shown);
        parts = first(at_once);
        parts.extend(changes[at_once.max(1)..shown].iter().map(at));
        if shown < changes.len() {
            parts.push(format!("eventually {}", last.to));
        }
    }
    Some(parts)
}

/// The steps to come, if this is the first one.
pub(super) fn next_steps(cx: &ExplainContext<'_>) -> Option<String> {
    matches!(cx.facts.trace.decision, Decision::Rescale { .. }).then(|| steps(cx))?
}

/// How many of the changes come one sync after another, beginning with the one that is due. When that is due is known to a
/// period, so a time would say that they come together.
fn sync_by_sync(cx: &ExplainContext<'_>, changes: &[ReplicaChange]) -> usize {
    if !matches!(cx.facts.trace.decision, Decision::Rescale { .. }) {
        return 0;
    }
    let period = cx.facts.observation.sync_period().value;
    let mut before = cx.clock.now;
    let follow = |change: &&ReplicaChange| {
        let distance = change.at.duration_since(before);
        before = change.at;
        distance <= period
    };
    changes.iter().take_while(follow).count()
}

/// `then 1 more each minute`, if that describes everything between the first and the last change.
fn rhythm(changes: &[ReplicaChange]) -> Option<String> {
    let [first, second, _, .., last] = changes else {
        return None;
    };
    let (step, period) = (second.to - second.from, seconds_between(first, second)?);
    let is_even = changes.windows(2).all(|pair| {
        let is_last = pair[1] == *last;
        let by = pair[1].to - pair[1].from;
        let is_step =
            by == step || is_last && by.signum() == step.signum() && by.abs() < step.abs();
        is_step && seconds_between(&pair[0], &pair[1]) == Some(period)
    });
    let way = if 0 < step { "more" } else { "fewer" };
    let each = match period {
        60 => "each minute".to_owned(),
        _ => format!("every {}", duration(SignedDuration::from_secs(period))),
    };
    is_even.then(|| format!("then {} {way} {each}", step.abs()))
}

/// Whole seconds: a change happens just after a period has ended.
fn seconds_between(one: &ReplicaChange, next: &ReplicaChange) -> Option<i64> {
    let between = next.at.duration_since(one.at).round(Unit::Second).ok()?;
    Some(between.as_secs()).filter(|seconds| 0 < *seconds)
}
