//! Object and External metrics: one number for all pods.
//! Upstream: `getUsageRatioReplicaCount`, `GetObjectPerPodMetricReplicas`, `GetExternalPerPodMetricReplicas`.

use crate::{
    engine::{go_math, pods::count_ready_pods},
    trace::{MetricStep, Milli, Pass, ProposalRule, RatioFormula, Upstream, UsageRatio},
};

use super::{Calculated, Calculator, NoProposal};

impl Calculator<'_, '_> {
    /// Object and External metrics with `value`. Upstream: `getUsageRatioReplicaCount`.
    pub(crate) fn value_replicas(
        &mut self,
        usage: i64,
        target: i64,
    ) -> Result<Calculated, NoProposal> {
        const UPSTREAM: Upstream = Upstream::replica_calculator("getUsageRatioReplicaCount");
        let usage_ratio = go_math::f64_of(usage) / go_math::f64_of(target);
        let first_pass = UsageRatio {
            pass: Pass::First,
            formula: RatioFormula::Value {
                usage: Milli(usage),
                target: Milli(target),
            },
            usage_ratio,
            upstream: UPSTREAM,
        };
        self.steps.push(MetricStep::UsageRatio(first_pass));
        if self.current == 0 {
            let replicas = self.cx.float.ceil_to_i32(usage_ratio);
            let rule = ProposalRule::CeilRatioFromZero { usage_ratio };
            return Ok(self.propose(rule, replicas, first_pass, UPSTREAM));
        }
        if self.is_within_tolerance(Pass::First, usage_ratio) {
            return Ok(self.propose(
                ProposalRule::KeepCurrent,
                self.current,
                first_pass,
                UPSTREAM,
            ));
        }
        let pods = self.list_pods().map_err(|failure| match failure {
            NoProposal::Error(error) => {
                NoProposal::Error(format!("unable to calculate ready pods: {error}"))
            }
            NoProposal::NotRead(not_read) => NoProposal::NotRead(not_read),
        })?;
        let counted = count_ready_pods(pods);
        self.steps.push(MetricStep::CountReadyPods(counted));
        let product = usage_ratio * go_math::f64_of(go_math::count(counted.ready));
        let replicas = if self.cx.switches.value_caps && product.ceil() > f64::from(i32::MAX) {
            i32::MAX
        } else {
            self.cx.float.ceil_to_i32(product)
        };
        let rule = ProposalRule::CeilRatioTimesReady {
            usage_ratio,
            ready: counted.ready,
        };
        Ok(self.propose(rule, replicas, first_pass, UPSTREAM))
    }

    /// Object and External metrics with `averageValue`.
    /// Upstream: `GetObjectPerPodMetricReplicas`, `GetExternalPerPodMetricReplicas`; from 1.38 on `getPerPodReplicas` and
    /// `getPerPodUsage` for both.
    pub(crate) fn per_pod_replicas(
        &mut self,
        usage: i64,
        target: i64,
        is_external: bool,
    ) -> Calculated {
        let upstream = Upstream::replica_calculator(if is_external {
            "GetExternalPerPodMetricReplicas"
        } else {
            "GetObjectPerPodMetricReplicas"
        });
        let switches = self.cx.switches;
        let caps = is_external && switches.external_average_caps;
        let from_zero = switches.average_from_zero && self.status_replicas == 0;
        let float = self.cx.float;
        let (usage_float, base) = (go_math::f64_of(usage), f64::from(self.status_replicas));
        let usage_ratio = usage_float / (go_math::f64_of(target) * base);
        let caps_usage = caps || switches.average_from_zero;
        let average = if caps_usage && usage_float >= go_math::f64_of(i64::MAX) {
            i64::MAX
        } else if from_zero {
            0
        } else {
            float.to_i64((usage_float / base).ceil())
        };
        let first_pass = UsageRatio {
            pass: Pass::First,
            formula: RatioFormula::AveragePerReplica {
                usage: Milli(usage),
                target: Milli(target),
                status_replicas: self.status_replicas,
                average: Milli(average),
            },
            usage_ratio,
            upstream,
        };
        self.steps.push(MetricStep::UsageRatio(first_pass));
        if !from_zero && self.is_within_tolerance(Pass::First, usage_ratio) {
            let rule = ProposalRule::KeepStatusReplicas;
            return self.propose(rule, self.status_replicas, first_pass, upstream);
        }
        let quotient = usage_float / go_math::f64_of(target);
        let replicas = if caps && quotient.ceil() > f64::from(i32::MAX) {
            i32::MAX
        } else {
            float.ceil_to_i32(quotient)
        };
        let rule = ProposalRule::CeilUsageOverTarget {
            usage: Milli(usage),
            target: Milli(target),
        };
        self.propose(rule, replicas, first_pass, upstream)
    }
}
