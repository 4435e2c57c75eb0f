//! Situations of External metrics: what their series add up to, and where that is not what the controller computes with.

use hpa_analysis::{ReplacedTotal, proposal_of_series};
use hpa_engine::{
    model::{ExternalMetricValue, MetricSpec},
    trace::{ProposalRule, RatioFormula},
};
use hpa_words::amount::{before_rounding, names, replicas};

use crate::{
    ExplainContext, MetricFacts,
    ladder::quotient,
    series::{total_of, value},
    situation::{Place, Situation},
};

/// Situation: the controller does not compute with what the metrics API returns.
pub(crate) fn replaced(cx: &ExplainContext<'_>) -> Option<Situation> {
    let winner = cx.facts.winner()?;
    let (name, asks) = (winner.name(), replicas(winner.replicas()?));
    let sentences = match winner.replaced_total()? {
        ReplacedTotal::Negative => vec![
            below_zero(winner),
            format!(
                "Since Kubernetes 1.34 the HPA takes a sum below 0 for an overflow and asks for {asks}, the most possible."
            ),
            FIX_QUERY.to_owned(),
        ],
        ReplacedTotal::TooLarge => vec![
            format!(
                "{name} is {} in total, more than the controller can count: it asks for {asks}.",
                total_of(winner.series)
            ),
            "Check the query: no number of replicas meets such a value.".to_owned(),
        ],
    };
    Some(Situation {
        place: Place::Instead,
        words: Some(match winner.replaced_total()? {
            ReplacedTotal::Negative => "metric is below 0".to_owned(),
            ReplacedTotal::TooLarge => "metric is too large".to_owned(),
        }),
        sentences,
        command: None,
    })
}

/// Situation: a value that more replicas than can be counted would not meet.
pub(crate) fn beyond_count(cx: &ExplainContext<'_>) -> Option<Situation> {
    let winner = cx.facts.winner()?;
    let asks = winner.replicas()?;
    if asks != i32::MAX && asks != i32::MIN {
        return None;
    }
    let value = match winner.series {
        [] => winner.current_text()?,
        series => format!("{} in total", total_of(series)),
    };
    let target = winner.metric_target_text()?;
    let per = match winner.proposal.map(|one| one.rule) {
        Some(ProposalRule::CeilUsageOverTarget { .. }) => " per replica",
        _ => "",
    };
    let counts = if asks == i32::MAX {
        "The HPA asks for 2147483647, the most possible."
    } else {
        "The number of replicas overflows: the controller takes it for -2147483648."
    };
    Some(Situation {
        place: Place::Before,
        words: Some("metric is too large".to_owned()),
        sentences: vec![
            format!(
                "{} is {value} (target {target}{per}): no number of replicas meets that.",
                winner.subject()
            ),
            counts.to_owned(),
            "Check the query and the target.".to_owned(),
        ],
        command: None,
    })
}

/// Situation: a series is below 0, which one day asks for the most replicas possible.
pub(crate) fn negative(cx: &ExplainContext<'_>) -> Option<Situation> {
    let winner = cx.facts.winner()?;
    let mut series = winner.series.iter();
    let below = series.find(|one| one.value.approximate_f64() < 0.0)?;
    let is_average = matches!(
        winner.ratio?.formula,
        RatioFormula::AveragePerReplica { .. }
    );
    let is_newer = 34 <= cx.facts.observation.controller.version.value.minor;
    let name = winner.name();
    let mut sentences = vec![match winner.series {
        [only] => format!("{name} is {}, below 0.", value(only)),
        _ => format!("A series of {name} is below 0: {}.", labeled(below)),
    }];
    if is_average && is_newer {
        sentences.push(
            "In another order the sum falls below 0 on the way, and the HPA asks for the most replicas possible."
                .to_owned(),
        );
    } else if is_average {
        sentences.push(
            "From Kubernetes 1.34 on, a sum below 0 asks for the most replicas possible."
                .to_owned(),
        );
    }
    sentences.push(FIX_QUERY.to_owned());
    Some(Situation {
        place: Place::After,
        words: None,
        sentences,
        command: None,
    })
}

/// Situation: an External metric without a selector adds up several series.
pub(crate) fn added_up(cx: &ExplainContext<'_>) -> Option<Situation> {
    let winner = cx.facts.winner()?;
    let selector = winner.spec?.external_identifier()?.selector.as_ref();
    let has_selector = selector.is_some_and(|selector| {
        let mut labels = selector.match_labels.keys();
        labels.any(|key| key != KEDA_LABEL) || !selector.match_expressions.is_empty()
    });
    if winner.series.len() < 2 || has_selector {
        return None;
    }
    let values = winner.series.iter().enumerate();
    let (largest, one) = values.max_by(|(_, one), (_, other)| one.value.cmp_value(&other.value))?;
    let index = winner.evaluation.index;
    let trace = cx.facts.trace;
    let alone = proposal_of_series(cx.facts.observation, trace, index, largest)?;
    if Some(alone) == winner.replicas() {
        return None;
    }
    let listed: Vec<String> = winner.series.iter().map(labeled).collect();
    Some(Situation {
        place: Place::After,
        words: None,
        sentences: vec![
            format!(
                "The HPA adds up {} series of {}: {}.",
                winner.series.len(),
                winner.name(),
                names(&listed, 3)
            ),
            format!("{} alone would ask for {}.", labeled(one), replicas(alone)),
            "If only some of them are meant, give the metric a selector.".to_owned(),
        ],
        command: None,
    })
}

/// `s0-prometheus is -1, below 0.`
fn below_zero(winner: &MetricFacts<'_>) -> String {
    let name = winner.name();
    match winner.series {
        [only] => format!("{name} is {}, below 0.", value(only)),
        series => {
            let values: Vec<String> = series.iter().map(value).collect();
            format!(
                "The sum of {name} falls below 0: the series are {} in this order, {} in total.",
                names(&values, 4),
                total_of(series)
            )
        }
    }
}

/// `service=a 400`.
fn labeled(series: &ExternalMetricValue) -> String {
    let labels = series.labels.iter();
    let labels: Vec<String> = labels
        .map(|(key, value)| format!("{key}={value}"))
        .collect();
    if labels.is_empty() {
        return format!("without labels {}", value(series));
    }
    format!("{} {}", labels.join(","), value(series))
}

/// Situation: a target of type Value is multiplied by the ready pods, which drives the replicas up.
pub(crate) fn value_times_pods(cx: &ExplainContext<'_>) -> Option<Situation> {
    let winner = cx.facts.winner()?;
    let proposal = winner
        .proposal
        .filter(|_| winner.spec.is_some_and(MetricSpec::is_total))?;
    let ProposalRule::CeilRatioTimesReady { usage_ratio, .. } = proposal.rule else {
        return None;
    };
    let RatioFormula::Value { usage, target } = winner.ratio?.formula else {
        return None;
    };
    if usage_ratio <= 1.0 || proposal.replicas <= cx.facts.current()? {
        return None;
    }
    let as_average = i32::try_from(usage.0.div_euclid(target.0.max(1)))
        .ok()?
        .saturating_add(i32::from(usage.0.rem_euclid(target.0.max(1)) != 0));
    let how = before_rounding(quotient(usage, target), as_average)
        .unwrap_or_else(|| as_average.to_string());
    let (usage, target) = winner.unit().amounts(usage, target);
    Some(Situation {
        place: Place::After,
        words: None,
        sentences: vec![format!(
            "If {} is a total, use AverageValue: a target of {target} would ask for {as_average} ({usage} / \
             {target} = {how}).",
            winner.spec?.identifier()?.name,
        )],
        command: None,
    })
}

const FIX_QUERY: &str =
    "Fix the query, not the HPA: it must return 0 or more, for example with clamp_min(…, 0).";

/// The label that KEDA selects its own metrics by: it selects no series.
const KEDA_LABEL: &str = "scaledobject.keda.sh/name";
