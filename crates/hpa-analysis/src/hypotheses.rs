//! Finds why a recomputation and the controller disagree: the single difference that makes all numbers fit.
//!
//! Tries common causes first: an edit, another writer, and metrics, pods or time that have changed since. Only if none
//! of them explains what the controller wrote, tries other settings of the controller, each by running the engine with
//! it.

use hpa_engine::{
    engine,
    model::{ConditionStatus, Context, Memory, MetricStatus, Observation, Pod, quantity::Overflow},
    trace::Trace,
};
use jiff::{SignedDuration, Timestamp};

use super::{
    cause::{Cause, Hypothesis},
    cross_check::{CheckBasis, Compared, Comparison, ComparisonOutcome, CrossCheck, is_steady},
    edit::edit_since_status,
    gone_pods,
    messages::check_messages,
    probe::groups,
    replay::{Remembered, Replay},
    replica_write::last_decided,
    settings::{builds_that_fit, settings_that_fit},
};

/// The evidence for the causes of a disagreement.
#[derive(Clone, Copy, Debug)]
pub(super) struct HypothesisEvidence<'a> {
    /// What the controller reads.
    pub(super) observation: &'a Observation,
    /// The objects around the HPA.
    pub(super) context: &'a Context,
    /// The controller's history, if it was recorded.
    pub(super) recorded: Option<&'a Memory>,
    /// The recomputed sync.
    pub(super) trace: &'a Trace,
}

/// Finds causes of a disagreement with the status, the most probable first.
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
    // A status that cannot belong to the spec is from before the edit, however long ago that was.
    let is_before = |cause: &Cause| match cause {
        Cause::EditUnanswered(..) => check.agreement == ComparisonOutcome::SpecEdited,
        _ => true,
    };
    if let Some(cause) = edit.clone().filter(|cause| is_edited && is_before(cause)) {
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

/// Explains another decision from inputs that may be the same.
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
    // If a value is far from the one in the status, and one setting gives exactly that value, it is not a coincidence.
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
        // If the metrics have changed, only their values from that sync can fit.
        let replay = then.first_mut().unwrap_or(&mut present);
        fitting = settings_that_fit(replay, evidence.trace);
        let assumed = evidence.observation.controller.clone();
        if evidence.can_have_restarted() && replay.forgotten().fits(&assumed) {
            fitting.push(Hypothesis::fitting(Cause::Restarted));
        }
        fitting.extend(builds_that_fit(replay));
    }
    let is_explained = !fitting.is_empty();
    check.hypotheses.extend(fitting);
    // A setting that fits can be a coincidence as long as the inputs may have been others.
    let moved = if metrics_differ {
        Some(Cause::SampleMoved)
    } else {
        evidence.pods_gone(&present)
    };
    if let Some(cause) = moved {
        let is_only_moved = metrics_differ && !is_explained;
        check.agreement = if is_only_moved {
            ComparisonOutcome::Moved
        } else {
            ComparisonOutcome::MayHaveMoved
        };
        check.hypotheses.push(Hypothesis::possible(cause));
    } else if !is_explained && !is_edited {
        check
            .hypotheses
            .push(Hypothesis::possible(Cause::Unexplained));
    }
}

/// Explains the same decision from other values or for another reason. Usually the inputs have changed since, so a
/// setting is named only if it makes everything fit.
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
    if fitting.is_empty() || !metrics_differ && evidence.pods_gone(&present).is_some() {
        return;
    }
    check.agreement = ComparisonOutcome::Differs;
    check.hypotheses.extend(fitting);
    if metrics_differ {
        check.agreement = ComparisonOutcome::MayHaveMoved;
        check
            .hypotheses
            .push(Hypothesis::possible(Cause::SampleMoved));
    }
}

/// After a rescale, the status shows the values from which it must follow. Reports only a setting that explains it,
/// because the controller's history at that sync is unknown.
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
    // The values are rounded, so the decision can come from any value in the range.
    if (least..=most).contains(&status.desired_replicas) {
        return;
    }
    let (Some(rescale), Some(then)) = (ends.first_mut(), traces.first()) else {
        return;
    };
    let fitting = settings_that_fit(rescale, then);
    if fitting.is_empty() || gone_pods::explain_it(&ends, &assumed, then) {
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

    /// A common cause that explains the disagreement.
    fn benign(
        &self,
        metrics_differ: bool,
        present: &mut Replay<'_>,
        then: &mut [Replay<'_>],
    ) -> Option<Cause> {
        let controller = &self.observation.controller;
        let sync_period = self.observation.sync_period().value;
        if metrics_differ {
            // After a rescale only the values can be compared. The value of a failed metric is unknown, so it
            // contradicts nothing.
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

    /// Whether a selected pod may have been created, deleted or changed its readiness since the last sync.
    fn have_pods_moved(&self, sync_period: SignedDuration) -> bool {
        // Times are truncated to seconds, and the status is written at the end of a sync.
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
                    .chain(self.counted_since(pod))
                    .any(|at| since <= at)
            })
    }

    /// The latest times from which the controller may count a ready pod: its first sample that was taken while it was
    /// ready, and the end of its initialization.
    fn counted_since(&self, pod: &Pod) -> [Timestamp; 2] {
        let samples = self.observation.pod_metrics.read();
        let mut samples = samples.into_iter().flat_map(|samples| samples.iter());
        let sample = samples.find(|sample| sample.name == pod.name);
        let ready = pod
            .ready
            .filter(|ready| ready.status == ConditionStatus::True)
            .and_then(|ready| ready.last_transition);
        let sampled = ready.zip(sample).map(|(ready, sample)| {
            engine::after(engine::after(ready, sample.window), MOST_BETWEEN_SAMPLES)
        });
        let controller = &self.observation.controller;
        let initialization = controller.cpu_initialization_period.value;
        let initialized = pod
            .started
            .map(|started| engine::after(started, initialization))
            .filter(|at| *at <= self.trace.at);
        [sampled, initialized].map(|at| at.unwrap_or(Timestamp::MIN))
    }

    /// That pods are gone since, if some number of them explains what the controller wrote. Pods that are gone leave
    /// nothing else to read.
    fn pods_gone(&self, present: &Replay<'_>) -> Option<Cause> {
        let mut variants = present.within_what_is_known(self.observation.sync_period().value);
        variants.insert(0, present.clone());
        let controller = &self.observation.controller;
        gone_pods::explain_it(&variants, controller, self.trace).then_some(Cause::PodsGone)
    }

    /// Whether the controller can have restarted unnoticed. Its lease shows when it became leader.
    fn can_have_restarted(&self) -> bool {
        self.context.leader_since.is_none()
    }
}

fn is_scaled_by_other(observation: &Observation, trace: &Trace) -> bool {
    let decided = last_decided(observation);
    decided
        .zip(trace.current())
        .is_some_and(|(decided, current)| current != decided)
}

fn metrics_differ(check: &CrossCheck) -> bool {
    check
        .compared
        .iter()
        .any(|one| matches!(one.what, Compared::Metric(_)) && !one.agrees())
}

/// Whether a metric is so far from the value in the status that only a wrong setting explains it: some percent of the
/// requests, or a hundredth of an amount.
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
    let (Some(written), Some(recomputed)) = (written.current(), recomputed.current()) else {
        return false;
    };
    if let (Some(written), Some(recomputed)) =
        (written.average_utilization, recomputed.average_utilization)
    {
        return FAR_PERCENT <= written.abs_diff(recomputed);
    }
    let amount = |value: &hpa_engine::model::MetricValueStatus| {
        let quantity = value.average_value.as_ref().or(value.value.as_ref())?;
        Some(quantity.milli_value(Overflow::Saturate))
    };
    amount(written)
        .zip(amount(recomputed))
        .is_some_and(|(written, recomputed)| {
            written.unsigned_abs() / 100 < written.abs_diff(recomputed)
        })
}

/// A pod's samples are hardly ever further apart.
const MOST_BETWEEN_SAMPLES: SignedDuration = SignedDuration::from_secs(60);

/// Smaller changes in percent of the requests are normal from sample to sample.
const FAR_PERCENT: u32 = 3;

/// Resolution of the times in the API.
const SECOND: SignedDuration = SignedDuration::from_secs(1);
