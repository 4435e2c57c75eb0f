//! Memory metrics whose advice is not more replicas: idle pods above the target, and a target without its unit.

use hpa_analysis::{Alteration, UsageFloor, do_others_ask_for_fewer, usage_floor};
use hpa_diagnosis::effect::Effect;
use hpa_engine::{
    model::MetricTarget,
    trace::{Milli, Percent, RatioFormula},
};
use hpa_words::amount::{MetricUnit, replicas};

use crate::{
    ExplainContext, MetricFacts,
    situation::{Place, Situation},
};

/// Situation: even idle pods use more memory than the target, so more replicas do not meet it.
pub(crate) fn idle(cx: &ExplainContext<'_>) -> Option<Situation> {
    let (winner, found) = idle_above_target(cx)?;
    let current = cx.facts.current()?;
    let others = cx.others()?;
    let floor = MetricUnit::Bytes.amount(found.floor);
    let next = cx.facts.proposal()?;
    Some(Situation {
        place: Place::After,
        words: Some("idle memory above target".to_owned()),
        sentences: vec![
            format!(
                "Even the leanest of the {current} pods uses {floor}, while {}.",
                lower_first(&others)
            ),
            format!(
                "Memory hardly falls with the load: {} that use as much would ask for even more.",
                replicas(next)
            ),
            format!("{}, or drop the metric.", raise_memory(winner, found)?),
        ],
        command: None,
    })
}

/// What the metric changes: the decision without it.
pub(crate) fn effect(cx: &ExplainContext<'_>) -> Option<Effect> {
    let (winner, _) = idle_above_target(cx)?;
    let without = Alteration::WithoutMetrics {
        indices: vec![winner.evaluation.index],
        are_failing: false,
    };
    Effect::of(cx.today(), &without)
}

/// The deciding memory metric, if even idle pods are above its target.
pub(crate) fn idle_above_target<'s, 'a>(
    cx: &'s ExplainContext<'a>,
) -> Option<(&'s MetricFacts<'a>, UsageFloor)> {
    let winner = cx.facts.winner().filter(|winner| is_memory(winner))?;
    let index = winner.evaluation.index;
    let trace = cx.facts.trace;
    let current = cx.facts.current()?;
    if cx.facts.proposal()? <= current
        || do_others_ask_for_fewer(trace, index, current) != Some(true)
    {
        return None;
    }
    let found = usage_floor(cx.facts.observation, trace, index)?;
    found.is_above_target.then_some((winner, found))
}

/// Situation: the target of memory is a few bytes, because its unit is missing or `m`.
pub(crate) fn target_in_bytes(cx: &ExplainContext<'_>) -> Option<Situation> {
    let winner = cx.facts.winner().filter(|winner| is_memory(winner))?;
    let RatioFormula::PodAverage { target, .. } = winner.ratio?.formula else {
        return None;
    };
    if MEBIBYTE <= target.0 {
        return None;
    }
    let written = target_of(winner)?.average_value.as_ref()?.to_string();
    let number = written.trim_end_matches('m');
    let is_number = number.chars().all(|digit| digit.is_ascii_digit());
    let (meant, fix) = if is_number {
        (
            format!("{number}Mi was probably meant"),
            format!("averageValue: {number}Mi"),
        )
    } else {
        (
            "its unit is probably wrong".to_owned(),
            "a unit such as Mi".to_owned(),
        )
    };
    let amount = MetricUnit::Bytes.amount(target);
    let target = if amount.strip_suffix(" bytes") == Some(&written) {
        format!("{amount} per pod")
    } else {
        format!("{written}, which is {amount} per pod")
    };
    Some(Situation {
        place: Place::Instead,
        words: Some("memory target in bytes".to_owned()),
        sentences: vec![
            format!("The memory target is {target}: {meant}."),
            format!(
                "Memory is at {} and asks for {}, so the HPA goes to maxReplicas at any load.",
                winner.current_text()?,
                replicas(winner.replicas()?)
            ),
            format!("Fix: {fix}."),
        ],
        command: None,
    })
}

/// `Raise the memory request to 363 MiB or more`: what the target must be, so that idle pods meet it.
pub fn raise_memory(winner: &MetricFacts<'_>, found: UsageFloor) -> Option<String> {
    let Milli(floor) = found.floor;
    Some(match winner.ratio?.formula {
        RatioFormula::Utilization {
            target: Percent(target),
            ..
        } => {
            let request = i128::from(floor)
                .checked_mul(100)?
                .checked_div(target.into())?;
            // Rounded up to the next MiB.
            let request = request.div_euclid(MEBIBYTE.into()) + 1;
            let mib = i64::try_from(request).ok()?;
            format!(
                "Raise the memory request to {mib} MiB or more ({} / {target}%)",
                MetricUnit::Bytes.amount(found.floor)
            )
        }
        _ => format!(
            "Raise the target above {}",
            MetricUnit::Bytes.amount(found.floor)
        ),
    })
}

fn is_memory(metric: &MetricFacts<'_>) -> bool {
    metric.spec.is_some_and(|spec| spec.is_resource("memory"))
}

fn target_of<'a>(metric: &MetricFacts<'a>) -> Option<&'a MetricTarget> {
    metric.resource().and(metric.spec?.target())
}

/// `CPU asks for 1` stays, `Memory asks for 3` becomes `memory asks for 3`.
fn lower_first(sentence: &str) -> String {
    match sentence.strip_prefix("Memory") {
        Some(rest) => format!("memory{rest}"),
        None => sentence.to_owned(),
    }
}

/// In thousandths of a byte.
const MEBIBYTE: i64 = 1_048_576_000;
