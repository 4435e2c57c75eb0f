//! Metrics measured at each pod, with the adjusted average over missing and unready pods. Upstream:
//! `GetResourceReplicas`, `GetRawResourceReplicas`, `GetMetricReplicas`, `calcPlainMetricReplicas`.

use crate::{
    engine::{
        context::ReconcileContext,
        go_math,
        pods::{Grouped, group_pods},
        requests::sum_requests,
        samples::Samples,
        usage_ratio::{pod_average_ratio, utilization_ratio},
    },
    model::quantity::Overflow,
    trace::{
        AddBackPods, AddedPod, AdjustedVerdict, Adjustment, MetricStep, Milli, MissingFill, Pass,
        Percent, PodClass, PodRequest, ProposalRule, Upstream, UsageRatio,
    },
};

use super::{Calculated, Calculator, NoProposal};

/// How to fill missing pods and take the ratio: percent of requests, or plain values.
enum PerPod<'r> {
    Plain {
        target: i64,
    },
    Utilization {
        target: i32,
        requests: &'r [PodRequest],
    },
}

impl<'a> Calculator<'_, 'a> {
    /// Resource and ContainerResource metrics with `averageUtilization`. Upstream: `GetResourceReplicas`.
    pub(crate) fn resource_replicas(
        &mut self,
        samples: &Samples<'a>,
        resource: &str,
        container: Option<&str>,
        target: i32,
    ) -> Result<Calculated, NoProposal> {
        const UPSTREAM: Upstream = Upstream::replica_calculator("GetResourceReplicas");
        let pods = self.list_pods()?;
        let grouped = group_pods(self.cx, pods, samples, resource == "cpu");
        self.steps.push(MetricStep::GroupPods(grouped.step.clone()));
        let is_empty = grouped.counted.is_empty() && grouped.unknown.is_empty();
        if self.cx.switches.empty_map_before_requests {
            self.check_any_samples(is_empty)?;
        }
        let requests = sum_requests(self.cx, pods, resource, container);
        let error = requests.error.clone();
        self.steps.push(MetricStep::SumRequests(requests.clone()));
        if let Some(error) = error {
            return Err(NoProposal::Error(error));
        }
        if !self.cx.switches.empty_map_before_requests {
            self.check_any_samples(is_empty)?;
        }
        let per_pod = PerPod::Utilization {
            target,
            requests: &requests.requests,
        };
        self.replicas_per_pod(&grouped, &per_pod, UPSTREAM)
    }

    /// Resource and ContainerResource metrics with `averageValue`, and Pods metrics (no resource).
    /// Upstream: `GetRawResourceReplicas`, `GetMetricReplicas` and `calcPlainMetricReplicas`.
    pub(crate) fn plain_metric_replicas(
        &mut self,
        samples: &Samples<'a>,
        resource: Option<&str>,
        target: i64,
    ) -> Result<Calculated, NoProposal> {
        const UPSTREAM: Upstream = Upstream::replica_calculator("calcPlainMetricReplicas");
        let pods = self.list_pods()?;
        let grouped = group_pods(self.cx, pods, samples, resource == Some("cpu"));
        self.steps.push(MetricStep::GroupPods(grouped.step.clone()));
        self.check_any_samples(grouped.counted.is_empty() && grouped.unknown.is_empty())?;
        self.replicas_per_pod(&grouped, &PerPod::Plain { target }, UPSTREAM)
    }

    /// The common part of per-pod metrics: ratio, tolerance, and the adjusted average over missing and unready pods.
    fn replicas_per_pod(
        &mut self,
        grouped: &Grouped,
        per_pod: &PerPod<'_>,
        upstream: Upstream,
    ) -> Result<Calculated, NoProposal> {
        let sums = self.cx.switches.sums();
        let first_pass = per_pod
            .usage_ratio(sums, Pass::First, &grouped.counted, &[], &grouped.unknown)
            .map_err(NoProposal::Error)?;
        self.steps.push(MetricStep::UsageRatio(first_pass));
        let usage_ratio = first_pass.usage_ratio;
        let adds_unready = grouped.step.unready > 0 && usage_ratio > 1.0;
        if !adds_unready && grouped.step.missing == 0 {
            if self.is_within_tolerance(Pass::First, usage_ratio) {
                let rule = ProposalRule::KeepCurrent;
                return Ok(self.propose(rule, self.current, first_pass, upstream));
            }
            let ready = grouped.step.ready;
            let product = usage_ratio * go_math::f64_of(go_math::count(ready));
            let replicas = self.cx.float.ceil_to_i32(product);
            let rule = ProposalRule::CeilRatioTimesReady { usage_ratio, ready };
            return Ok(self.propose(rule, replicas, first_pass, upstream));
        }
        let added = self.add_back_pods(grouped, per_pod, usage_ratio, adds_unready, upstream);
        let adjusted = per_pod
            .usage_ratio(
                sums,
                Pass::Adjusted,
                &grouped.counted,
                &added,
                &grouped.unknown,
            )
            .map_err(NoProposal::Error)?;
        self.steps.push(MetricStep::UsageRatio(adjusted));
        let samples = grouped
            .counted
            .len()
            .saturating_add(added.len())
            .saturating_add(grouped.unknown.len());
        Ok(self.check_adjusted(first_pass, adjusted.usage_ratio, samples, upstream))
    }

    /// Adds missing and unready pods with a conservative usage: low before scaling up, high before scaling down.
    fn add_back_pods(
        &mut self,
        grouped: &Grouped,
        per_pod: &PerPod<'_>,
        usage_ratio: f64,
        adds_unready: bool,
        upstream: Upstream,
    ) -> Vec<AddedPod> {
        let missing_fill = if grouped.step.missing == 0 {
            MissingFill::NoneMissing
        } else {
            per_pod.missing_fill(self.cx, usage_ratio)
        };
        let added: Vec<AddedPod> = grouped
            .step
            .pods
            .iter()
            .filter_map(|classified| {
                let usage = match classified.class {
                    PodClass::Missing => per_pod.fill(missing_fill, classified.pod)?,
                    PodClass::Unready if adds_unready => 0,
                    PodClass::Ready | PodClass::Unready | PodClass::Ignored => return None,
                };
                Some(AddedPod {
                    pod: classified.pod,
                    class: classified.class,
                    usage: Milli(usage),
                })
            })
            .collect();
        self.steps.push(MetricStep::AddBackPods(AddBackPods {
            missing_fill,
            added: added.clone(),
            adds_unready,
            upstream,
        }));
        added
    }

    fn check_adjusted(
        &mut self,
        first_pass: UsageRatio,
        adjusted_usage_ratio: f64,
        samples: usize,
        upstream: Upstream,
    ) -> Calculated {
        let usage_ratio = first_pass.usage_ratio;
        let is_within = self.is_within_tolerance(Pass::Adjusted, adjusted_usage_ratio);
        let is_flipped = usage_ratio < 1.0 && adjusted_usage_ratio > 1.0
            || usage_ratio > 1.0 && adjusted_usage_ratio < 1.0;
        let product = adjusted_usage_ratio * go_math::f64_of(go_math::count(samples));
        let replicas = self.cx.float.ceil_to_i32(product);
        let is_against_ratio = adjusted_usage_ratio < 1.0 && replicas > self.current
            || adjusted_usage_ratio > 1.0 && replicas < self.current;
        let verdict = if is_within {
            AdjustedVerdict::WithinTolerance
        } else if is_flipped {
            AdjustedVerdict::DirectionFlipped
        } else if is_against_ratio {
            AdjustedVerdict::CountWouldMoveOtherWay
        } else {
            AdjustedVerdict::Applied
        };
        self.steps.push(MetricStep::Adjustment(Adjustment {
            usage_ratio,
            adjusted_usage_ratio,
            pods: samples,
            replicas: (!is_within && !is_flipped).then_some(replicas),
            verdict,
            upstream,
        }));
        if verdict == AdjustedVerdict::Applied {
            let rule = ProposalRule::CeilAdjustedRatioTimesPods {
                adjusted_usage_ratio,
                pods: samples,
            };
            self.propose(rule, replicas, first_pass, upstream)
        } else {
            self.propose(
                ProposalRule::KeepCurrent,
                self.current,
                first_pass,
                upstream,
            )
        }
    }
}

impl PerPod<'_> {
    /// The ratio over counted pods and the pods added back. Plain values include samples of unknown pods.
    fn usage_ratio(
        &self,
        sums: Overflow,
        pass: Pass,
        counted: &[(usize, i64)],
        added: &[AddedPod],
        unknown: &[i64],
    ) -> Result<UsageRatio, String> {
        let samples = counted
            .iter()
            .copied()
            .chain(added.iter().map(|pod| (pod.pod, pod.usage.0)));
        match self {
            Self::Plain { target } => {
                let values = samples
                    .map(|(_, value)| value)
                    .chain(unknown.iter().copied());
                Ok(pod_average_ratio(sums, pass, values, *target))
            }
            Self::Utilization { target, requests } => {
                let known =
                    samples.filter_map(|(pod, value)| Some((value, request_of(requests, pod)?)));
                utilization_ratio(sums, pass, known, *target)
            }
        }
    }

    fn missing_fill(&self, cx: &ReconcileContext<'_>, usage_ratio: f64) -> MissingFill {
        if usage_ratio > 1.0 {
            return MissingFill::Zero;
        }
        match self {
            Self::Plain { target } if usage_ratio < 1.0 => MissingFill::Target(Milli(*target)),
            Self::Plain { .. } if cx.switches.plain_missing_untouched_at_one => {
                MissingFill::NotAdded
            }
            Self::Plain { .. } => MissingFill::Zero,
            Self::Utilization { target, .. } if usage_ratio < 1.0 => {
                let over_100 = cx.switches.missing_fill_uses_target_over_100;
                MissingFill::PercentOfRequest(Percent(if over_100 {
                    (*target).max(100)
                } else {
                    100
                }))
            }
            Self::Utilization { .. } => MissingFill::NotAdded,
        }
    }

    /// Usage assumed for a missing pod. None: the pod is not added.
    fn fill(&self, missing_fill: MissingFill, pod: usize) -> Option<i64> {
        match (missing_fill, self) {
            (MissingFill::Zero, _) => Some(0),
            (MissingFill::Target(target), _) => Some(target.0),
            (MissingFill::PercentOfRequest(percent), Self::Utilization { requests, .. }) => {
                let request = request_of(requests, pod).unwrap_or_default();
                let product = request.wrapping_mul(i64::from(percent.0));
                Some(go_math::quotient(product, 100))
            }
            (
                MissingFill::NoneMissing | MissingFill::NotAdded | MissingFill::PercentOfRequest(_),
                _,
            ) => None,
        }
    }
}

/// Requests are in the order of the pods.
fn request_of(requests: &[PodRequest], pod: usize) -> Option<i64> {
    let position = requests
        .binary_search_by(|request| request.pod.cmp(&pod))
        .ok()?;
    requests.get(position).map(|request| request.request.0)
}
