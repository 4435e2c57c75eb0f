//! The proposal of one metric. Upstream: `replica_calculator.go`; one function here for each there.
//!
//! `per_pod` has the metrics measured at each pod; `total` has those with one number for all pods.

mod per_pod;
mod total;

use crate::{
    engine::{
        context::{ReconcileContext, SelectedPods},
        samples::NoSamples,
        tolerance::Tolerances,
    },
    model::NotRead,
    trace::{MetricStep, Pass, Proposal, ProposalRule, Upstream, UsageRatio},
};

/// Why there is no proposal.
#[derive(Clone, Debug)]
pub(crate) enum NoProposal {
    /// The controller gets this error.
    Error(String),
    /// We could not read it; the controller may have read it.
    NotRead(NotRead),
}

/// The inputs of the calculation for one metric, and the list of its steps.
pub(crate) struct Calculator<'c, 'a> {
    pub(crate) cx: &'c ReconcileContext<'a>,
    /// `spec.replicas` of the scale.
    pub(crate) current: i32,
    /// `status.replicas` of the scale.
    pub(crate) status_replicas: i32,
    /// The pods that the selector matches, or why they are not known here.
    pub(crate) pods: &'c Result<SelectedPods<'a>, NotRead>,
    pub(crate) tolerances: Tolerances,
    pub(crate) steps: Vec<MetricStep>,
}

/// A proposal with the ratio of the first calculation, which goes into the status.
pub(crate) struct Calculated {
    pub(crate) replicas: i32,
    pub(crate) first_pass: UsageRatio,
}

impl<'c, 'a> Calculator<'c, 'a> {
    fn list_pods(&self) -> Result<&'c SelectedPods<'a>, NoProposal> {
        let pods = self
            .pods
            .as_ref()
            .map_err(|not_read| NoProposal::NotRead(not_read.clone()))?;
        if pods.indices.is_empty() {
            let error = "no pods returned by selector while calculating replica count";
            return Err(NoProposal::Error(error.to_owned()));
        }
        Ok(pods)
    }

    fn check_any_samples(&self, is_empty: bool) -> Result<(), NoProposal> {
        if !is_empty {
            return Ok(());
        }
        let error = if self.cx.switches.texts.0 < 27 {
            "did not receive metrics for any ready pods"
        } else {
            "did not receive metrics for targeted pods (pods might be unready)"
        };
        Err(NoProposal::Error(error.to_owned()))
    }

    fn is_within_tolerance(&mut self, pass: Pass, usage_ratio: f64) -> bool {
        let check = self.tolerances.check(pass, usage_ratio);
        self.steps.push(MetricStep::ToleranceCheck(check));
        check.is_within
    }

    fn propose(
        &mut self,
        rule: ProposalRule,
        replicas: i32,
        first_pass: UsageRatio,
        upstream: Upstream,
    ) -> Calculated {
        self.steps.push(MetricStep::Proposal(Proposal {
            rule,
            replicas,
            upstream,
        }));
        Calculated {
            replicas,
            first_pass,
        }
    }
}

impl From<NoSamples> for NoProposal {
    fn from(no_samples: NoSamples) -> Self {
        match no_samples {
            NoSamples::Error { message, .. } => Self::Error(message),
            NoSamples::NotRead(not_read) => Self::NotRead(not_read),
        }
    }
}
