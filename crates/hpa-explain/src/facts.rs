//! A trace with its observation, its steps indexed by kind.

use hpa_analysis::{ReplacedTotal, external_series, replaced_total};
use hpa_engine::{
    model::{Direction, ExternalMetricValue, MetricSpec, Observation, Pod, ScalingRules},
    trace::{
        AddBackPods, Adjustment, ChooseProposal, CompareBounds, CountReadyPods,
        FirstRecommendation, GroupPods, LimitRate, MetricEvaluation, MetricFailure, MetricOutcome,
        MetricStep, Pass, Percent, Proposal, RaiseFromZero, RatioFormula, ReadMetric, ReadScale,
        Rescale, SelectorCheck, Stabilize, Step, SumRequests, ToleranceCheck, Trace, UsageRatio,
    },
};
use hpa_words::amount::{self, MetricUnit};

use crate::{
    metric_names::{MetricName, metric_names},
    series::total_of,
};

/// A trace with its observation, its steps indexed by kind.
#[derive(Clone, Debug)]
pub struct Facts<'a> {
    /// What the controller read.
    pub observation: &'a Observation,
    /// What the controller computed from it.
    pub trace: &'a Trace,
    /// The read of the scale.
    pub read_scale: Option<&'a ReadScale>,
    /// The first recommendation.
    pub first: Option<&'a FirstRecommendation>,
    /// The comparison with the bounds.
    pub bounds: Option<&'a CompareBounds>,
    /// The check of the selector.
    pub selector: Option<&'a SelectorCheck>,
    /// The metrics, in order.
    pub metrics: Vec<MetricFacts<'a>>,
    /// The choice among proposals.
    pub choice: Option<&'a ChooseProposal>,
    /// Stabilization.
    pub stabilize: Option<&'a Stabilize>,
    /// Policies and bounds.
    pub limit: Option<&'a LimitRate>,
    /// Raising the replicas from zero.
    pub raise: Option<&'a RaiseFromZero>,
    /// The write of the scale.
    pub rescale: Option<&'a Rescale>,
}

impl<'a> Facts<'a> {
    /// Sorts the steps of `trace` by their kind.
    pub fn new(observation: &'a Observation, trace: &'a Trace) -> Self {
        let mut facts = Self {
            observation,
            trace,
            read_scale: None,
            first: None,
            bounds: None,
            selector: None,
            metrics: Vec::new(),
            choice: None,
            stabilize: None,
            limit: None,
            raise: None,
            rescale: None,
        };
        let mut names = metric_names(&observation.hpa.spec.metrics);
        for step in &trace.steps {
            match step {
                Step::ReadScale(step) => facts.read_scale = Some(step),
                Step::FirstRecommendation(step) => facts.first = Some(step),
                Step::CompareBounds(step) => facts.bounds = Some(step),
                Step::SelectorCheck(step) => facts.selector = Some(step),
                Step::Metric(step) => {
                    let name = names.get_mut(step.index).map(std::mem::take);
                    let name = name.unwrap_or_else(|| MetricName::of_unknown(step.index));
                    let metric = MetricFacts::new(observation, step, name);
                    facts.metrics.push(metric);
                }
                Step::ChooseProposal(step) => facts.choice = Some(step),
                Step::Stabilize(step) => facts.stabilize = Some(step),
                Step::LimitRate(step) => facts.limit = Some(step),
                Step::RaiseFromZero(step) => facts.raise = Some(step),
                Step::Rescale(step) => facts.rescale = Some(step),
            }
        }
        facts
    }

    /// `spec.replicas` of the scale.
    pub fn current(&self) -> Option<i32> {
        self.read_scale.and_then(|scale| scale.spec_replicas)
    }

    /// `minReplicas`.
    pub fn min(&self) -> i32 {
        self.observation.hpa.spec.min_replicas()
    }

    /// Whether `selectPolicy` turns a direction off.
    pub(super) fn is_off(&self, direction: Direction) -> bool {
        let rules = self.observation.hpa.spec.rules(direction);
        rules.is_some_and(ScalingRules::is_disabled)
    }

    /// `maxReplicas`.
    pub fn max(&self) -> i32 {
        self.observation.hpa.spec.max_replicas
    }

    /// The metric whose proposal wins.
    pub fn winner(&self) -> Option<&MetricFacts<'a>> {
        let winner = self.choice?.winner?;
        self.metrics
            .iter()
            .find(|metric| metric.evaluation.index == winner)
    }

    /// The metrics that failed.
    pub fn failed(&self) -> Vec<&MetricFacts<'a>> {
        let is_failed = |metric: &&MetricFacts<'a>| metric.failure().is_some();
        self.metrics.iter().filter(is_failed).collect()
    }

    /// What the metrics ask for: the largest valid proposal.
    pub fn proposal(&self) -> Option<i32> {
        let choice = self.choice?;
        choice.winner.map(|_| choice.metric_desired_replicas)
    }

    /// The direction in which the metrics ask for other replicas.
    pub(super) fn direction(&self) -> Direction {
        if self.proposal() < self.current() {
            Direction::Down
        } else {
            Direction::Up
        }
    }

    /// The pod at an index of the trace.
    pub fn pod(&self, index: usize) -> Option<&'a Pod> {
        self.observation.pods.read()?.get(index)
    }

    /// The pod groups of the first metric that has them.
    pub fn groups(&self) -> Option<&'a GroupPods> {
        self.metrics.iter().find_map(|metric| metric.groups)
    }

    /// Whether every pod that the deciding metric does not count is ready, but has no metrics.
    pub fn lacks_only_samples(&self) -> bool {
        let groups = self.winner().and_then(|winner| winner.groups);
        groups.is_some_and(|groups| groups.unready == 0 && 0 < groups.missing)
    }
}

/// Whether the API server does not find the target. For a kind without a scale the server also answers "not found",
/// but with another message.
pub fn is_target_missing(facts: &Facts<'_>) -> bool {
    let error = facts.read_scale.and_then(|scale| scale.error.as_ref());
    let name = &facts.observation.hpa.spec.scale_target.name;
    error.is_some_and(|error| {
        let message = error.message.trim_end_matches('.');
        message.ends_with(&format!("{name:?} not found"))
    })
}

/// The steps of one metric by their kind.
#[derive(Clone, Debug)]
pub struct MetricFacts<'a> {
    /// The metric as the trace has it.
    pub evaluation: &'a MetricEvaluation,
    /// The metric in the spec; absent if the trace has a metric that the HPA does not.
    pub spec: Option<&'a MetricSpec>,
    /// Its names.
    pub names: MetricName,
    /// The series of an External metric; empty for others.
    pub series: &'a [ExternalMetricValue],
    /// The read of the metric.
    pub read: Option<&'a ReadMetric>,
    /// The classes of the pods.
    pub groups: Option<&'a GroupPods>,
    /// The sum of the requests.
    pub requests: Option<&'a SumRequests>,
    /// The first ratio.
    pub ratio: Option<&'a UsageRatio>,
    /// Its tolerance check.
    pub tolerance: Option<&'a ToleranceCheck>,
    /// The pods that are added back.
    pub add_back: Option<&'a AddBackPods>,
    /// The adjusted ratio.
    pub adjusted_ratio: Option<&'a UsageRatio>,
    /// Its tolerance check.
    pub adjusted_tolerance: Option<&'a ToleranceCheck>,
    /// The outcome of the adjusted ratio.
    pub adjustment: Option<&'a Adjustment>,
    /// The count of ready pods.
    pub ready: Option<&'a CountReadyPods>,
    /// The proposal.
    pub proposal: Option<&'a Proposal>,
}

impl<'a> MetricFacts<'a> {
    /// The step that a failed metric fails at: `read` if the API returned an error or no value, else `computed`.
    pub fn what_fails(&self) -> &'static str {
        match self.read {
            Some(read) if read.error.is_none() && 0 < read.items => "computed",
            _ => "read",
        }
    }

    fn new(
        observation: &'a Observation,
        evaluation: &'a MetricEvaluation,
        names: MetricName,
    ) -> Self {
        let mut facts = Self {
            evaluation,
            spec: observation.hpa.spec.metrics.get(evaluation.index),
            names,
            series: external_series(observation, evaluation.index),
            read: None,
            groups: None,
            requests: None,
            ratio: None,
            tolerance: None,
            add_back: None,
            adjusted_ratio: None,
            adjusted_tolerance: None,
            adjustment: None,
            ready: None,
            proposal: None,
        };
        for step in &evaluation.steps {
            match step {
                MetricStep::ReadMetric(step) => facts.read = Some(step),
                MetricStep::GroupPods(step) => facts.groups = Some(step),
                MetricStep::SumRequests(step) => facts.requests = Some(step),
                MetricStep::UsageRatio(step) => match step.pass {
                    Pass::First => facts.ratio = Some(step),
                    Pass::Adjusted => facts.adjusted_ratio = Some(step),
                },
                MetricStep::ToleranceCheck(step) => match step.pass {
                    Pass::First => facts.tolerance = Some(step),
                    Pass::Adjusted => facts.adjusted_tolerance = Some(step),
                },
                MetricStep::AddBackPods(step) => facts.add_back = Some(step),
                MetricStep::Adjustment(step) => facts.adjustment = Some(step),
                MetricStep::CountReadyPods(step) => facts.ready = Some(step),
                MetricStep::Proposal(step) => facts.proposal = Some(step),
            }
        }
        facts
    }

    /// The pods that are added back where that can make a difference: it makes none within tolerance.
    pub(crate) fn added_back(&self) -> Option<&'a AddBackPods> {
        let is_within = self.ratio.zip(self.tolerance.or(self.adjusted_tolerance));
        let is_within = is_within.is_some_and(|(ratio, step)| {
            let (low, high) = step.band();
            (low..=high).contains(&ratio.usage_ratio)
        });
        let added = self.add_back.filter(|step| !step.added.is_empty());
        added.filter(|_| self.adjustment.is_some() && !is_within)
    }

    /// The short name: the resource or the name of the metric, and what tells it apart from others of that name.
    pub fn name(&self) -> String {
        self.names.short.clone()
    }

    /// The name with what it is measured on: `cpu of container app`, `hits of Ingress/main`.
    pub fn full_name(&self) -> String {
        self.names.full.clone()
    }

    /// Why the controller computes with another total than that of the series, if it does.
    pub(super) fn replaced_total(&self) -> Option<ReplacedTotal> {
        replaced_total(self.series, self.read?)
    }

    /// The unit of the metric's amounts.
    pub fn unit(&self) -> MetricUnit {
        self.resource()
            .map_or(MetricUnit::Plain, MetricUnit::of_resource)
    }

    /// The proposal, if the metric is valid.
    pub fn replicas(&self) -> Option<i32> {
        match &self.evaluation.outcome {
            MetricOutcome::Proposal { replicas, .. } => Some(*replicas),
            MetricOutcome::Invalid(_) | MetricOutcome::Unknown(_) => None,
        }
    }

    /// Why the metric is invalid, if it is.
    pub fn failure(&self) -> Option<&'a MetricFailure> {
        match &self.evaluation.outcome {
            MetricOutcome::Invalid(failure) => Some(failure),
            MetricOutcome::Proposal { .. } | MetricOutcome::Unknown(_) => None,
        }
    }

    /// The unadjusted current value, as `kubectl get hpa` shows it: `85%`, `512 MiB per pod`.
    pub fn current_text(&self) -> Option<String> {
        let ratio = self.ratio?;
        if self.replaced_total().is_some() {
            return Some(format!("{} in total", total_of(self.series)));
        }
        Some(current_text(self.unit(), &ratio.formula))
    }

    /// The metric target: `60%`, `400 MiB`.
    pub fn metric_target_text(&self) -> Option<String> {
        let unit = self.unit();
        Some(match self.ratio?.formula {
            RatioFormula::AveragePerReplica { target, .. }
            | RatioFormula::PodAverage { target, .. }
            | RatioFormula::Value { target, .. } => unit.amount(target),
            RatioFormula::Utilization { target, .. } => amount::percent(target),
        })
    }

    /// The metric within a sentence: `CPU`, `memory of container app`, `External metric queue_depth`.
    pub fn in_prose(&self) -> String {
        let name = self.full_name();
        let Some(resource) = self.resource() else {
            let spec = self.spec.filter(|spec| spec.api_group().is_some());
            let Some(kind) = spec.map(MetricSpec::metric_type) else {
                return name;
            };
            let name = name.strip_suffix(&format!(" ({kind})")).unwrap_or(&name);
            return format!("{kind} metric {name}");
        };
        match name.strip_prefix(resource) {
            Some(rest) => amount::resource_in_prose(resource).to_owned() + rest,
            None => name,
        }
    }

    /// The metric at the start of a sentence: `Memory of container app`.
    pub fn subject(&self) -> String {
        let name = self.in_prose();
        match name.strip_prefix("memory") {
            Some(rest) if self.resource() == Some("memory") => format!("Memory{rest}"),
            _ => name,
        }
    }

    /// The resource that it measures.
    pub(crate) fn resource(&self) -> Option<&'a str> {
        self.spec?.resource()
    }

    /// `CPU is at 85% (target 60%)`.
    pub fn is_at(&self) -> String {
        let subject = self.subject();
        match self.value_text() {
            Some(value) => format!("{subject} is at {value}"),
            None => subject,
        }
    }

    /// `85% (target 60%)`.
    pub(super) fn value_text(&self) -> Option<String> {
        let target = self.metric_target_text()?;
        Some(format!("{} (target {target})", self.current_text()?))
    }
}

/// The current value of a ratio, as `kubectl get hpa` shows it, with what it is per.
pub(super) fn current_text(unit: MetricUnit, formula: &RatioFormula) -> String {
    let (value, per) = current(unit, formula);
    format!("{value}{per}")
}

/// The current value of a ratio and what it is per.
pub(super) fn current(unit: MetricUnit, formula: &RatioFormula) -> (String, &'static str) {
    match *formula {
        // Without replicas there is no average; the average that the controller writes is not meaningful.
        RatioFormula::AveragePerReplica {
            usage,
            status_replicas: 0,
            ..
        } => (unit.amount(usage), " in total"),
        RatioFormula::AveragePerReplica {
            average, target, ..
        } => (unit.amounts(average, target).0, " per replica"),
        RatioFormula::PodAverage {
            average, target, ..
        } => (unit.amounts(average, target).0, " per pod"),
        RatioFormula::Utilization { utilization, .. } => (amount::percent(utilization), ""),
        RatioFormula::Value { usage, target } => (unit.amounts(usage, target).0, ""),
    }
}

/// The operands of a ratio: what is divided by what.
pub(super) fn division(unit: MetricUnit, formula: &RatioFormula) -> (String, String) {
    match *formula {
        RatioFormula::AveragePerReplica {
            usage,
            target,
            status_replicas,
            ..
        } => (
            unit.amount(usage),
            format!("({} × {status_replicas})", unit.amount(target)),
        ),
        RatioFormula::PodAverage {
            average, target, ..
        } => unit.amounts(average, target),
        RatioFormula::Utilization {
            utilization: Percent(utilization),
            target: Percent(target),
            ..
        } => (utilization.to_string(), target.to_string()),
        RatioFormula::Value { usage, target } => unit.amounts(usage, target),
    }
}
