//! The decision about an HPA, as numbers and labels.

use hpa_engine::trace::{GroupPods, MetricOutcome};
use hpa_explain::{Action, ExplainContext, Facts, MetricFacts, Unmet, Verdict, highest_ratio};
use hpa_watch::SeenHpa;
use hpa_words::clock::Clock;
use jiff::{SignedDuration, Timestamp, tz::TimeZone};

use super::held::Holder;

/// The decision about an HPA at one instant.
#[derive(Clone, Debug)]
pub(super) struct Decision {
    /// When it was decided.
    pub(super) at: Timestamp,
    /// The sync period of the controller.
    pub(super) period: SignedDuration,
    /// Whether everything that decides could be read.
    pub(super) is_known: bool,
    /// One of [`VERDICTS`]; none: the recommendation history decides and is not known.
    pub(super) verdict: Option<&'static str>,
    /// What holds the replicas; none: nothing does, or it is not known.
    pub(super) holder: Option<Holder>,
    /// Replicas that the metrics ask for beyond `maxReplicas`; none: not known.
    pub(super) unmet: Option<i32>,
    /// Replicas after the decision; none: not known.
    pub(super) desired: Option<i32>,
    /// The metrics, in the order of the spec.
    pub(super) metrics: Vec<MetricNumbers>,
    /// The pods of the deciding metric.
    pub(super) pods: Option<PodNumbers>,
}

/// The numbers of one metric.
#[derive(Clone, Debug)]
pub(super) struct MetricNumbers {
    pub(super) name: String,
    pub(super) index: String,
    pub(super) source: String,
    pub(super) proposed: Option<i32>,
    pub(super) ratio: Option<f64>,
    pub(super) reachable: Option<f64>,
    /// `None` if it could not be read.
    pub(super) is_valid: Option<bool>,
}

/// The pods of the deciding metric.
#[derive(Clone, Debug)]
pub(super) struct PodNumbers {
    pub(super) metric: String,
    pub(super) index: String,
    /// Counts by class.
    pub(super) classes: [(&'static str, usize); 3],
}

/// The values of the label `verdict`.
pub const VERDICTS: [&str; 19] = [
    "at_max",
    "at_min",
    "differs",
    "held_by_policy",
    "held_by_window",
    "metric_fails",
    "off_at_zero",
    "pods_not_ready",
    "pods_without_metrics",
    "scales_down",
    "scales_up",
    "selector_invalid",
    "shares_pods",
    "target_not_found",
    "target_not_readable",
    "not_scaling",
    "not_synced",
    "within_tolerance",
    "write_refused",
];

impl Decision {
    /// The decision in an assessment of the HPA.
    pub(super) fn of(seen: &SeenHpa) -> Self {
        let assessment = &seen.assessment;
        let at = assessment.analysis.trace.at;
        // The output contains no time of day, so the zone does not matter.
        let clock = Clock::new(TimeZone::UTC, at);
        let cx = ExplainContext::of(assessment, &clock);
        let facts = &cx.facts;
        let Verdict {
            action,
            to: desired,
            ..
        } = Verdict::of(&cx);
        let is_settled = action != Action::Unknown && cx.range().is_none();
        let is_synced = !cx.is_not_synced();
        Self {
            at,
            period: assessment.observation.sync_period().value,
            is_known: action != Action::Unknown,
            verdict: (is_settled || !is_synced).then(|| {
                if is_synced {
                    verdict(&cx, action)
                } else {
                    "not_synced"
                }
            }),
            holder: Some(&cx)
                .filter(|_| is_settled && is_synced)
                .and_then(Holder::of),
            unmet: Unmet::above_max(facts),
            desired: desired.filter(|_| is_settled),
            metrics: facts
                .metrics
                .iter()
                .map(|one| numbers(facts, one))
                .collect(),
            pods: pods(facts),
        }
    }

    /// Clears what was recomputed, because the controller did something else.
    pub(super) fn contradict(&mut self) {
        self.verdict = Some("differs");
        self.holder = None;
        self.unmet = None;
        self.desired = None;
    }
}

fn verdict(cx: &ExplainContext<'_>, action: Action) -> &'static str {
    match action {
        Action::ScaleDown => "scales_down",
        Action::ScaleUp => "scales_up",
        Action::Failed if cx.facts.rescale.is_some() => "write_refused",
        Action::Disabled | Action::Failed | Action::Hold | Action::Unknown => {
            cx.rule.label(&cx.facts)
        }
    }
}

fn numbers(facts: &Facts<'_>, metric: &MetricFacts<'_>) -> MetricNumbers {
    let finite = |number: &f64| number.is_finite();
    MetricNumbers {
        name: metric.name(),
        index: metric.evaluation.index.to_string(),
        source: metric.spec.map_or("", |spec| spec.metric_type()).to_owned(),
        proposed: metric.replicas(),
        ratio: metric.ratio.map(|ratio| ratio.usage_ratio).filter(finite),
        reachable: highest_ratio(facts, metric),
        is_valid: match metric.evaluation.outcome {
            MetricOutcome::Invalid(_) => Some(false),
            MetricOutcome::Proposal { .. } => Some(true),
            MetricOutcome::Unknown(_) => None,
        },
    }
}

/// The pods of the deciding metric, or of the first metric that counts pods if that one does not.
fn pods(facts: &Facts<'_>) -> Option<PodNumbers> {
    fn grouped<'m>(metric: &'m MetricFacts<'_>) -> Option<(&'m MetricFacts<'m>, &'m GroupPods)> {
        Some((metric, metric.groups?))
    }
    let (metric, groups) = facts
        .winner()
        .and_then(grouped)
        .or_else(|| facts.metrics.iter().find_map(grouped))?;
    Some(PodNumbers {
        metric: metric.name(),
        index: metric.evaluation.index.to_string(),
        classes: [
            ("ready", groups.ready),
            ("not_ready", groups.unready),
            ("no_metrics", groups.missing),
        ],
    })
}
