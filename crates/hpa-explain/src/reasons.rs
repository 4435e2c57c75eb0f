//! Why the recomputation and the controller may disagree, in words, and how to find out.

use hpa_analysis::{Cause, Hypothesis};
use hpa_engine::model::Setting;
use hpa_words::{clock::duration, program::typed};

use crate::{
    ExplainContext,
    command::{ShellCommand, explain_again},
    edited,
    inputs::inputs,
    setting::{self, assignment},
};

/// The reasons for a disagreement: the first in full, only the flags of other settings that would fit, and how to tell
/// them apart.
pub(super) fn because(cx: &ExplainContext<'_>) -> Option<String> {
    let reported: Vec<&Hypothesis> = cx
        .cross_check
        .hypotheses
        .iter()
        .filter(|one| !is_benign(&one.cause))
        .collect();
    let (settings, others): (Vec<&Hypothesis>, Vec<&Hypothesis>) = reported
        .into_iter()
        .partition(|one| one.cause.setting().is_some());
    let mut parts: Vec<String> = others
        .iter()
        .filter(|one| one.cause != Cause::Restarted || settings.is_empty())
        .map(|one| hypothesis(cx, one))
        .collect();
    let first = settings.first();
    // If the replicas differ, the answer starts with the first reason.
    if let Some(first) = first.filter(|_| cx.written_instead().is_none()) {
        parts.insert(0, hypothesis(cx, first));
    }
    let mut more: Vec<String> = settings
        .iter()
        .skip(1)
        .filter_map(|one| assignment(&one.cause))
        .take(MOST_SETTINGS)
        .collect();
    let all = &cx.cross_check.hypotheses;
    if !settings.is_empty() && all.iter().any(|one| one.cause == Cause::Restarted) {
        more.push("a restart of the controller".to_owned());
    }
    if !more.is_empty() {
        parts.push(format!(
            "these would explain it as well: {}",
            more.join(", ")
        ));
    }
    parts.extend(distinguishing(cx));
    (!parts.is_empty()).then(|| parts.join("; "))
}

/// Whether a cause is already explained, by what has moved or by the answer.
fn is_benign(cause: &Cause) -> bool {
    matches!(
        cause,
        Cause::SpecNewer(_)
            | Cause::EditPending(..)
            | Cause::EditUnanswered(..)
            | Cause::PodsGone
            | Cause::PodsMoved
            | Cause::SampleMoved
            | Cause::SpecEdited
            | Cause::TimePassed
    )
}

/// How to tell the fitting reasons apart.
fn distinguishing(cx: &ExplainContext<'_>) -> Vec<String> {
    let causes: Vec<&Cause> = cx
        .cross_check
        .hypotheses
        .iter()
        .map(|one| &one.cause)
        .collect();
    let is_setting = |cause: &&&Cause| cause.setting().is_some();
    let number = causes.iter().filter(is_setting).count();
    let has = |setting| causes.iter().any(|cause| cause.setting() == Some(setting));
    let mut parts = Vec::new();
    if has(Setting::CpuInitializationPeriod) && has(Setting::InitialReadinessDelay) {
        parts.push(
            "a pod that was ready for some minutes and is not ready now tells them apart: the delay \
             counts it, the period leaves it out"
                .to_owned(),
        );
    } else if has(Setting::Tolerance) && has(Setting::DownscaleStabilization) {
        parts.push("a window ends with time, a tolerance stays".to_owned());
    } else if 1 < number {
        parts.push("the flags of kube-controller-manager show which".to_owned());
    }
    if causes.contains(&&Cause::Restarted) && 0 < number {
        parts.push("the effect of a restart ends within one window, a setting stays".to_owned());
    }
    let moved = if causes.contains(&&Cause::SampleMoved) {
        Some("the metrics changed since the last sync")
    } else {
        let is_gone = causes.contains(&&Cause::PodsGone);
        is_gone.then_some("pods that the last sync counted are gone")
    };
    // Where the replicas differ, the answer says so.
    if let Some(moved) = moved.filter(|_| 0 < number && cx.may_have_moved().is_none()) {
        let period = duration(cx.facts.observation.sync_period().value);
        parts.push(format!("or {moved}: run this again in {period}"));
    }
    parts
}

/// A reason for a disagreement in words.
pub fn hypothesis(cx: &ExplainContext<'_>, hypothesis: &Hypothesis) -> String {
    let confirm = confirming_command(cx, &hypothesis.cause)
        .map_or_else(String::new, |command| format!(" (confirm: {command})"));
    if let Some(what) = what_fits(cx, hypothesis) {
        return format!("{what} would explain this{confirm}");
    }
    match &hypothesis.cause {
        Cause::SampleMoved if hypothesis.fits => "the metrics changed since".to_owned(),
        Cause::SampleMoved => {
            "the metrics changed since; what the controller saw cannot be recomputed".to_owned()
        }
        Cause::PodsGone => "pods that the last sync counted may be gone since".to_owned(),
        Cause::PodsMoved => "pods came, went or changed their readiness since".to_owned(),
        Cause::TimePassed => "the controller's recommendation history has expired since".to_owned(),
        Cause::ScaledByOther => {
            // kube-controller-manager writes for other HPAs as well, so its name says nothing.
            let by = cx
                .context
                .target
                .as_ref()
                .and_then(|target| target.replicas_written_by.first())
                .filter(|manager| manager.manager != "kube-controller-manager")
                .map_or_else(
                    || "something other than this HPA".to_owned(),
                    |manager| format!("{} (field manager)", manager.manager),
                );
            let status = &cx.facts.observation.hpa.status;
            let able = status.condition("AbleToScale");
            // Otherwise it only kept the number, which another writer may have set.
            let is_written = able.is_some_and(|able| able.reason == "SucceededRescale");
            let what = if is_written {
                "wrote"
            } else {
                "had decided on"
            };
            format!(
                "{by} set spec.replicas to {} after the HPA {what} {}",
                cx.facts.current().unwrap_or_default(),
                status.desired_replicas
            )
        }
        Cause::SpecEdited => edited::since(cx),
        Cause::SpecNewer(unobserved) => edited::not_synced(cx, unobserved.edited.as_ref()),
        Cause::EditPending(at, by) => edited::pending(cx, *at, by),
        Cause::EditUnanswered(at, by) => edited::unanswered(cx, *at, by),
        // Those that fit are listed above.
        _ => format!(
            "no single flag, gate or version explains it; {} records what is needed to find out",
            typed("capture")
        ),
    }
}

/// The setting with which all numbers fit: `tolerance 0.15 instead of 0.1 (anything from 0.133 up would do)`.
pub(super) fn what_fits(cx: &ExplainContext<'_>, hypothesis: &Hypothesis) -> Option<String> {
    Some(match &hypothesis.cause {
        Cause::Flag(flag, value) => {
            let name = setting::name(*flag);
            let value = setting::value(*flag, *value);
            let inputs = inputs(cx);
            let assumed = inputs.iter().find(|input| input.setting == Some(*flag));
            let instead = assumed.map_or_else(String::new, |assumed| {
                format!(" instead of {}", assumed.value)
            });
            let span = hypothesis
                .span
                .and_then(|span| setting::in_words(*flag, span));
            format!("{name} {value}{instead}{}", span.unwrap_or_default())
        }
        Cause::FeatureGate(gate, is_on) => {
            format!("feature gate {gate} {}", if *is_on { "on" } else { "off" })
        }
        Cause::Version(version) => {
            let is_openshift =
                version.minor == 26 && cx.facts.observation.controller.version.value.minor == 25;
            let note = if is_openshift {
                ", of which OpenShift 4.12 has a part"
            } else {
                ""
            };
            format!("a controller of version {version}{note}")
        }
        Cause::Architecture(architecture) => {
            format!("a controller on {}", architecture.as_str())
        }
        Cause::Restarted => "a controller that restarted without a history".to_owned(),
        _ => return None,
    })
}

/// The command that confirms a reason.
pub(super) fn confirm(cx: &ExplainContext<'_>, cause: &Cause) -> Option<ShellCommand> {
    Some(explain_again(cx).arg(assignment(cause)?))
}

/// The command that confirms a reason, as text.
pub fn confirming_command(cx: &ExplainContext<'_>, cause: &Cause) -> Option<String> {
    confirm(cx, cause).map(ShellCommand::into_text)
}

/// Listing more settings than this does not help.
const MOST_SETTINGS: usize = 3;
