//! Why a recomputation and the controller disagree: which single difference makes all numbers fit.
//!
//! First what happens all the time: somebody edited or scaled, the metrics, the pods or the clock went on. Only if none of that explains what
//! the controller wrote, other settings of the controller are tried, each by running the engine under it.

use jiff::{SignedDuration, Timestamp};

use super::{
    cause::{Cause, Hypothesis},
    cross_check::{CheckBasis, Compared, Comparison, ComparisonOutcome, CrossCheck, is_steady},
    earlier_proposals::value_of,
    edit::edit_since_status,
    messages::check_messages,
    probe::groups,
    replay::{Remembered, Replay},
    settings::{builds_that_fit, settings_that_fit},
};
use crate::{
    engine,
    model::{Context, Memory, MetricStatus, Observation, quantity::Overflow},
    trace::Trace,
};

/// What the reasons for a disagreement are looked for in.
#[derive(Clone, Copy, Debug)]
pub(super) struct HypothesisEvidence<'a> {
    /// What the controller reads.
    pub(super) observation: &'a Observation,
    /// What is known beside it.
    pub(super) context: &'a Context,
    /// What the controller remembers, if that was recorded.
    pub(super) recorded: Option<&'a Memory>,
    /// The recomputed reconcile.
    pub(super) trace: &'a Trace,
}

/// Finds reasons for a disagreement with the status, the most probable first.
pub(super) fn add_hypotheses(check: &mut CrossCheck, evidence: HypothesisEvidence<'_>) {
    if check.basis != CheckBasis::Status {
        return;
    }
    let HypothesisEvidence {
        observation,
        context,
        trace,
        ..
    } = evidence;
    if is_scaled_by_other(observation, trace) {
        check
            .hypotheses
            .push(Hypothesis::fitting(Cause::ScaledByOther));
    }
    let edit = edit_since_status(observation, context, trace.at);
    let is_edited = matches!(
        check.agreement,
        ComparisonOutcome::Differs | ComparisonOutcome::SpecEdited
    );
    if let Some(cause @ (Cause::SpecNewer(_) | Cause::EditPending(..))) =
        edit.clone().filter(|_| is_edited)
    {
        check.agreement = ComparisonOutcome::SpecEdited;
        check
            .hypotheses
            .retain(|one| one.cause != Cause::SpecEdited);
        check.hypotheses.insert(0, Hypothesis::fitting(cause));
    }
    match check.agreement {
        ComparisonOutcome::Differs => explain_difference(check, evidence, edit),
        ComparisonOutcome::Moved if edit.is_none() => explain_move(check, evidence),
        ComparisonOutcome::Agrees if edit.is_none() => {
            check_last_rescale(check, evidence);
            if check.agreement == ComparisonOutcome::Agrees {
                let memory = evidence.present().memory();
                check_messages(check, evidence, &memory);
            }
        }
        _ => {}
    }
}

/// Another decision from inputs that may be the same.
fn explain_difference(
    check: &mut CrossCheck,
    evidence: HypothesisEvidence<'_>,
    edit: Option<Cause>,
) {
    let mut present = evidence.present();
    let metrics_differ = metrics_differ(check);
    let mut then = if metrics_differ {
        present.with_status_values(evidence.trace)
    } else {
        Vec::new()
    };
    // A value far from the one in the status that one setting turns into exactly that is no chance.
    let is_telling = metrics_differ && is_far(check, evidence);
    let mut fitting = if is_telling {
        settings_that_fit(&mut present, evidence.trace)
    } else {
        Vec::new()
    };
    if fitting.is_empty()
        && let Some(cause) = evidence.benign(metrics_differ, &mut present, &mut then)
    {
        check.agreement = ComparisonOutcome::Moved;
        check.hypotheses.push(Hypothesis::fitting(cause));
        return;
    }
    let is_edited = edit.is_some();
    check.hypotheses.extend(edit.map(Hypothesis::possible));
    if fitting.is_empty() {
        // With moved metrics nothing but their values of then can fit.
        let replay = then.first_mut().unwrap_or(&mut present);
        fitting = settings_that_fit(replay, evidence.trace);
        let assumed = evidence.observation.controller.clone();
        if evidence.can_have_restarted() && replay.forgotten().fits(&assumed) {
            fitting.push(Hypothesis::fitting(Cause::Restarted));
        }
        fitting.extend(builds_that_fit(replay));
    } else {
        fitting.push(Hypothesis::possible(Cause::SampleMoved));
    }
    let is_explained = !fitting.is_empty();
    check.hypotheses.extend(fitting);
    if is_explained {
        return;
    }
    if metrics_differ {
        check.agreement = ComparisonOutcome::Moved;
        check
            .hypotheses
            .push(Hypothesis::possible(Cause::SampleMoved));
    } else if !is_edited {
        check
            .hypotheses
            .push(Hypothesis::possible(Cause::Unexplained));
    }
}

/// The same decision from other values or for another reason: mostly the world went on. A setting is named only if it
/// makes everything fit.
fn explain_move(check: &mut CrossCheck, evidence: HypothesisEvidence<'_>) {
    let mut present = evidence.present();
    let metrics_differ = metrics_differ(check);
    if metrics_differ && !is_far(check, evidence) {
        return;
    }
    if evidence.benign(false, &mut present, &mut []).is_some() {
        return;
    }
    let fitting = settings_that_fit(&mut present, evidence.trace);
    if fitting.is_empty() {
        return;
    }
    check.agreement = ComparisonOutcome::Differs;
    check.hypotheses.extend(fitting);
    if metrics_differ {
        check
            .hypotheses
            .push(Hypothesis::possible(Cause::SampleMoved));
    }
}

/// The status of a rescale shows the values from which it must follow. Nothing is said unless one setting explains it,
/// for what the controller remembered then is not known.
fn check_last_rescale(check: &mut CrossCheck, evidence: HypothesisEvidence<'_>) {
    let present = evidence.present();
    let mut ends = present.last_rescale(evidence.trace);
    let assumed = evidence.observation.controller.clone();
    let traces: Vec<Trace> = ends.iter_mut().map(|end| end.decide(&assumed)).collect();
    let status = &evidence.observation.hpa.status;
    let decided = |then: &Trace| Some(then.outcome.as_ref()?.status.desired_replicas);
    let (Some(least), Some(most)) = (
        traces.iter().filter_map(decided).min(),
        traces.iter().filter_map(decided).max(),
    ) else {
        return;
    };
    // The values are rounded, so anything between the ends may have been decided from them.
    if (least..=most).contains(&status.desired_replicas) {
        return;
    }
    let (Some(rescale), Some(then)) = (ends.first_mut(), traces.first()) else {
        return;
    };
    let fitting = settings_that_fit(rescale, then);
    if fitting.is_empty() {
        return;
    }
    check.agreement = ComparisonOutcome::Differs;
    check.compared.push(Comparison {
        what: Compared::LastRescale,
        written: status.desired_replicas.to_string(),
        recomputed: if least == most {
            least.to_string()
        } else {
            format!("{least} to {most}")
        },
    });
    check.hypotheses.extend(fitting);
}

impl<'a> HypothesisEvidence<'a> {
    fn present(&self) -> Replay<'a> {
        let remembered = self.recorded.map_or(Remembered::FromOutside, |memory| {
            Remembered::Known(memory.clone())
        });
        Replay::present(self.observation, self.context, remembered, self.trace.at)
    }

    /// What happens all the time and explains a disagreement.
    fn benign(
        &self,
        metrics_differ: bool,
        present: &mut Replay<'_>,
        then: &mut [Replay<'_>],
    ) -> Option<Cause> {
        let controller = &self.observation.controller;
        let sync_period = self.observation.sync_period().value;
        if metrics_differ {
            // After a rescale there is nothing to compare but the values themselves; of a metric that failed nothing
            // is known, so nothing speaks against it.
            let is_steady = is_steady(self.observation, self.trace);
            let fits = |replay: &mut Replay<'_>| {
                let mut scenes = replay.within_what_is_known(sync_period);
                replay.fits(controller) || scenes.iter_mut().any(|replay| replay.fits(controller))
            };
            if !is_steady || then.is_empty() || then.iter_mut().any(fits) {
                return Some(Cause::SampleMoved);
            }
        }
        if self.have_pods_moved(sync_period) {
            return Some(Cause::PodsMoved);
        }
        present
            .within_what_is_known(sync_period)
            .into_iter()
            .any(|mut replay| replay.fits(controller))
            .then_some(Cause::TimePassed)
    }

    /// Whether a selected pod came, went or changed its readiness since the last sync can have been.
    fn have_pods_moved(&self, sync_period: SignedDuration) -> bool {
        // Times are cut to the second, and the status is written at the end of a sync.
        let written = self
            .context
            .hpa_status_written
            .map_or(Timestamp::MIN, |written| engine::before(written, SECOND));
        let since = engine::before(self.trace.at, sync_period + sync_period).max(written);
        let pods = self
            .observation
            .pods
            .read()
            .map(|pods| pods.as_slice())
            .unwrap_or_default();
        self.trace
            .metrics()
            .filter_map(groups)
            .flat_map(|groups| &groups.pods)
            .filter_map(|classified| pods.get(classified.pod))
            .any(|pod| {
                let ready = pod.ready.and_then(|ready| ready.last_transition);
                [pod.created, pod.started, pod.deleted, ready]
                    .into_iter()
                    .flatten()
                    .any(|at| since <= at)
            })
    }

    /// Whether the controller can have restarted unseen: its lease tells when it took the lead.
    fn can_have_restarted(&self) -> bool {
        self.context.leader_since.is_none()
    }
}

fn is_scaled_by_other(observation: &Observation, trace: &Trace) -> bool {
    let status = &observation.hpa.status;
    // Until the first decision desiredReplicas is 0, which nobody has wanted, not even where minReplicas is 0.
    let has_decided = observation.hpa.spec.min_replicas() <= status.desired_replicas
        && (status.desired_replicas != 0 || status.last_scale_time.is_some());
    let is_other = trace
        .current()
        .is_some_and(|current| current != status.desired_replicas);
    has_decided && is_other
}

fn metrics_differ(check: &CrossCheck) -> bool {
    check
        .compared
        .iter()
        .any(|one| matches!(one.what, Compared::Metric(_)) && !one.agrees())
}

/// Whether a metric is so far from the value in the status that both are the same by chance only under one setting in
/// many: some percent of the requests, or a hundredth of an amount.
fn is_far(check: &CrossCheck, evidence: HypothesisEvidence<'_>) -> bool {
    let recomputed = evidence
        .trace
        .outcome
        .as_ref()
        .map(|outcome| outcome.status.current_metrics.as_slice())
        .unwrap_or_default();
    let written = &evidence.observation.hpa.status.current_metrics;
    check.compared.iter().any(|one| match one.what {
        Compared::Metric(index) if !one.agrees() => written
            .get(index)
            .zip(recomputed.get(index))
            .is_some_and(|(written, recomputed)| are_far(written, recomputed)),
        _ => false,
    })
}

fn are_far(written: &MetricStatus, recomputed: &MetricStatus) -> bool {
    let (Some(written), Some(recomputed)) = (value_of(written), value_of(recomputed)) else {
        return false;
    };
    if let (Some(written), Some(recomputed)) =
        (written.average_utilization, recomputed.average_utilization)
    {
        return FAR_PERCENT <= written.abs_diff(recomputed);
    }
    let amount = |value: &crate::model::MetricValueStatus| {
        let quantity = value.average_value.as_ref().or(value.value.as_ref())?;
        Some(quantity.milli_value(Overflow::Saturate))
    };
    amount(written)
        .zip(amount(recomputed))
        .is_some_and(|(written, recomputed)| {
            written.unsigned_abs() / 100 < written.abs_diff(recomputed)
        })
}

/// Fewer percent of the requests come and go from sample to sample.
const FAR_PERCENT: u32 = 3;

/// What the times of the API are cut to.
const SECOND: SignedDuration = SignedDuration::from_secs(1);
