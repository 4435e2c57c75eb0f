//! HPA904 `memory-floor`.

use hpa_analysis::{do_others_ask_for_fewer, usage_floor, usage_floor_at};
use hpa_engine::trace::Milli;
use hpa_explain::{Facts, raise_memory};
use hpa_words::amount::MetricUnit as Amount;

use crate::{Basis, Check, Cx, HpaSubject, Missing, Needs, Rule, RuleOutcome, Severity};

pub(crate) static RULE: Rule = Rule {
    code: "HPA904",
    name: "memory-floor",
    summary: "memory that idle pods use keeps the replicas up",
    severity: Severity::Warning,
    needs: Needs::Live,
    check: Check::Hpa(check),
    docs: include_str!("memory_floor.md"),
    file: file!(),
    ..Rule::BASE
};

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let metrics = &cx.subject.spec.metrics;
    let Some(index) = metrics
        .iter()
        .position(|metric| metric.is_resource("memory"))
    else {
        return Ok(Vec::new());
    };
    let live = cx.live().map_err(|_| Missing::Recording)?;
    live.proposal()?;
    let Some(current) = live.analysis.trace.current() else {
        return Ok(Vec::new());
    };
    if current <= cx.subject.spec.min_replicas().max(1) {
        return Ok(Vec::new());
    }
    let (observation, trace) = (&live.observation, &live.analysis.trace);
    let history = cx.subject.hpa.history.as_deref();
    let idle = history.and_then(|history| {
        let least = history.samples.iter().filter_map(|one| one.least_memory);
        least.min()
    });
    let (floor, basis) = if let Some(idle) = idle {
        let floor = usage_floor_at(observation, trace, index, Milli(idle));
        (floor, Basis::History)
    } else {
        let is_quiet = do_others_ask_for_fewer(trace, index, current).ok_or_else(|| {
            Missing::Because(
                "a single read does not separate idle memory from used memory; a recording does"
                    .to_owned(),
            )
        })?;
        if !is_quiet {
            return Ok(Vec::new());
        }
        (usage_floor(observation, trace, index), Basis::Live)
    };
    let Some(floor) = floor.filter(|floor| current <= floor.replicas) else {
        return Ok(Vec::new());
    };
    let idle = Amount::Bytes.amount(floor.floor);
    let consequence = if floor.is_above_target {
        "above the target, so no number of replicas meets it".to_owned()
    } else {
        format!("so the HPA never goes below {} replicas", floor.replicas)
    };
    let facts = Facts::new(observation, trace);
    let mut metrics = facts.metrics.iter();
    let metric = metrics.find(|metric| metric.evaluation.index == index);
    let raise = metric.and_then(|metric| raise_memory(metric, floor));
    let raise = raise
        .as_deref()
        .unwrap_or("Raise the memory target above what idle pods use");
    Ok(vec![
        cx.finding(format!("spec.metrics[{index}]"))
            .basis(basis)
            .message(format!("idle pods use {idle} of memory, {consequence}"))
            .help(format!(
                "{}, or scale on a metric that falls with the load",
                raise.replacen('R', "r", 1)
            )),
    ])
}
