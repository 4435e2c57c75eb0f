//! Data that the pages take from a trace, and the tables that show it.

use hpa_engine::{
    model::KubeVersion,
    trace::{
        ChooseProposal, CompareBounds, Decision, GroupPods, LimitRate, MetricOutcome, MetricStep,
        Pass, RatioFormula, Stabilize, Step, ToleranceCheck, Trace, UsageRatio,
    },
};
use hpa_explain::{Facts, Rule, StepView, Weight, ladder};
use hpa_testing::World;
use hpa_words::clock::Clock;
use jiff::tz::TimeZone;

/// A table in Markdown.
pub(super) fn table<const N: usize>(
    head: [&str; N],
    rows: impl IntoIterator<Item = [String; N]>,
) -> String {
    let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
    let mut out = line(&head.map(str::to_owned));
    out.push_str(&line(&head.map(|_| "---".to_owned())));
    for row in rows {
        out.push_str(&line(&row));
    }
    out
}

/// Situations with what the first metric asks for and the resulting replicas.
pub(super) fn outcomes<const N: usize>(head: &str, cases: [(&str, World); N]) -> String {
    let rows = cases.map(|(what, case)| {
        let trace = case.decide();
        [
            what.to_owned(),
            proposal(&trace),
            replicas(&trace).to_string(),
        ]
    });
    table([head, "asks for", "new replicas"], rows)
}

/// The replicas after a sync; those before it if it changes nothing.
pub(super) fn replicas(trace: &Trace) -> i32 {
    match trace.decision {
        Decision::Rescale {
            to, succeeds: true, ..
        } => to,
        Decision::Rescale { from, .. } => from,
        Decision::Hold { current } => current,
        Decision::Disabled => 0,
        Decision::Failed { current } | Decision::Unknown { current, .. } => {
            current.unwrap_or_default()
        }
    }
}

/// What the first metric asks for, or why it fails.
pub(super) fn proposal(trace: &Trace) -> String {
    let first = trace.metrics().next();
    match first.map(|metric| &metric.outcome) {
        Some(MetricOutcome::Proposal { replicas, .. }) => replicas.to_string(),
        Some(MetricOutcome::Invalid(failure)) => format!("fails: {}", failure.inner),
        Some(MetricOutcome::Unknown(_)) | None => "nothing".to_owned(),
    }
}

/// The first step of the first metric for which `of` returns a value.
pub(super) fn metric_step<T>(trace: &Trace, of: impl Fn(&MetricStep) -> Option<T>) -> Option<T> {
    trace
        .metrics()
        .flat_map(|metric| &metric.steps)
        .find_map(of)
}

/// The first metric's ratio, unadjusted or adjusted.
pub(super) fn ratio(trace: &Trace, pass: Pass) -> Option<UsageRatio> {
    metric_step(trace, |step| match step {
        MetricStep::UsageRatio(ratio) if ratio.pass == pass => Some(*ratio),
        _ => None,
    })
}

/// The first metric's unadjusted percentage of the requests.
pub(super) fn percent(trace: &Trace) -> i32 {
    match ratio(trace, Pass::First).map(|ratio| ratio.formula) {
        Some(RatioFormula::Utilization { utilization, .. }) => utilization.0,
        _ => 0,
    }
}

/// The tolerance check of the unadjusted ratio.
pub(super) fn tolerance_check(trace: &Trace) -> Option<ToleranceCheck> {
    metric_step(trace, |step| match step {
        MetricStep::ToleranceCheck(check) => Some(*check),
        _ => None,
    })
}

/// The pods in their classes.
pub(super) fn groups(trace: &Trace) -> Option<GroupPods> {
    metric_step(trace, |step| match step {
        MetricStep::GroupPods(groups) => Some(groups.clone()),
        _ => None,
    })
}

/// The comparison with zero, `minReplicas` and `maxReplicas`.
pub(super) fn bounds(trace: &Trace) -> Option<CompareBounds> {
    trace.steps.iter().find_map(|step| match step {
        Step::CompareBounds(bounds) => Some(*bounds),
        _ => None,
    })
}

/// The rate limits.
pub(super) fn limits(trace: &Trace) -> Option<&LimitRate> {
    trace.steps.iter().find_map(|step| match step {
        Step::LimitRate(limit) => Some(limit),
        _ => None,
    })
}

/// The stabilization.
pub(super) fn stabilized(trace: &Trace) -> Option<&Stabilize> {
    trace.stabilize()
}

/// The choice among the proposals.
pub(super) fn choice(trace: &Trace) -> Option<&ChooseProposal> {
    trace.choice()
}

/// The resulting status of a condition and its reason.
pub(super) fn condition(trace: &Trace, condition_type: &str) -> String {
    let status = trace.outcome.as_ref().map(|outcome| &outcome.status);
    let found = status.and_then(|status| status.condition(condition_type));
    found.map_or_else(
        || "none".to_owned(),
        |condition| format!("{} {}", condition.status, condition.reason),
    )
}

/// The resulting reason of a condition.
pub(super) fn reason(trace: &Trace, condition_type: &str) -> String {
    let status = trace.outcome.as_ref().map(|outcome| &outcome.status);
    let found = status.and_then(|status| status.condition(condition_type));
    found.map_or_else(|| "none".to_owned(), |condition| condition.reason.clone())
}

/// A ratio with up to four decimals.
pub(super) fn short(number: f64) -> String {
    hpa_words::amount::trimmed(number, 4)
}

/// The ladder of a case, as in `explain`.
pub(super) fn ladder_of(case: &World) -> Vec<StepView> {
    let trace = case.decide();
    let facts = Facts::new(&case.observation, &trace);
    let clock = Clock::new(TimeZone::UTC, case.now);
    ladder(&facts, Rule::binding(&facts), &clock)
}

/// Steps in lines, as in `explain -o wide`, without what is too long for a line.
pub(super) fn lines(steps: &[&StepView]) -> String {
    let outcome = |step: &StepView| match step.weight {
        Weight::Error => format!("✗ {}", step.outcome),
        Weight::Normal | Weight::Quiet => step.outcome.clone(),
    };
    let width = |text: &str| text.chars().count();
    let column = steps.iter().map(|step| width(&outcome(step))).max();
    let column = column.unwrap_or_default().min(24) + 2;
    let mut out = String::new();
    for step in steps {
        let outcome = outcome(step);
        let title = format!("{:<11}", step.title);
        let mut texts = vec![step.how.clone()];
        texts.extend(step.notes.iter().cloned());
        texts.extend(step.formula.map(str::to_owned));
        let mut head = format!("{title}{outcome:<column$}");
        if column < width(&outcome) + 2 {
            push(&mut out, &head);
            head = " ".repeat(11 + column);
        }
        for text in texts.iter().filter(|text| !text.is_empty()) {
            for line in wrapped(text, 76 - 11 - column) {
                push(&mut out, &format!("{head}{line}"));
                head = " ".repeat(11 + column);
            }
        }
        if !head.trim().is_empty() {
            push(&mut out, &head);
        }
    }
    out
}

/// Wraps a text to this many columns.
pub(super) fn wrapped(text: &str, width: usize) -> Vec<String> {
    let lines = textwrap::wrap(
        text,
        textwrap::Options::new(width)
            .break_words(false)
            .word_splitter(textwrap::WordSplitter::NoHyphenation),
    );
    lines
        .into_iter()
        .map(std::borrow::Cow::into_owned)
        .collect()
}

/// What comes out in each minor version, with versions of one outcome together: `11 in 1.23 to 1.32, 10 in 1.33 to 1.38`.
pub(super) fn by_version(of: impl Fn(u32) -> String) -> String {
    let mut ranges: Vec<(String, u32, u32)> = Vec::new();
    for minor in KubeVersion::OLDEST.minor..=KubeVersion::NEWEST.minor {
        let outcome = of(minor);
        match ranges.last_mut() {
            Some((known, _, last)) if *known == outcome => *last = minor,
            _ => ranges.push((outcome, minor, minor)),
        }
    }
    let outcomes: Vec<&str> = ranges
        .iter()
        .map(|(outcome, ..)| outcome.as_str())
        .collect();
    let same = common_words(&outcomes);
    let parts: Vec<String> = ranges
        .iter()
        .map(|(outcome, first, last)| {
            format!(
                "{} in {}",
                outcome.get(same..).unwrap_or(outcome),
                range(*first, *last)
            )
        })
        .collect();
    let begin = outcomes.first().and_then(|outcome| outcome.get(..same));
    format!("{}{}", begin.unwrap_or_default(), parts.join(", "))
}

/// Length in bytes of the words that all texts start with, blank included; each text keeps at least one word.
fn common_words(texts: &[&str]) -> usize {
    let Some((first, rest)) = texts.split_first() else {
        return 0;
    };
    let ends = first.match_indices(' ').map(|(at, _)| at + 1);
    ends.take_while(|end| {
        rest.iter()
            .all(|text| text.get(..*end) == first.get(..*end))
    })
    .last()
    .unwrap_or_default()
}

/// `1.23 to 1.32`, or the only one.
pub(super) fn range(first: u32, last: u32) -> String {
    if first == last {
        format!("1.{first}")
    } else {
        format!("1.{first} to 1.{last}")
    }
}

fn push(out: &mut String, line: &str) {
    out.push_str(line.trim_end());
    out.push('\n');
}
